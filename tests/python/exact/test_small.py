"""Small rule books solved whole, against values by hand, plain Python and the tables of few stones."""

from __future__ import annotations

import _thread
import re
import threading
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import sarai
from sarai.agents import TreeSearch
from sarai.exact import Solution, solve_small

SHO = {"players": 2, "pa_ra": "none", "first_player": 0}
TSHUPU = "roll player=0 turn=8 dice=- moved=- winner=- | "
SHUANGLU = "roll player=0 turn=8 dice=- winner=- points_won=0 | "


def game_and_start(name: str, start: str | None, **options: Any) -> tuple[sarai.Game, sarai.State]:
    game = sarai.make(name, **options)
    return game, game.new_initial_state() if start is None else game.parse(start)


def solved(name: str, start: str | None, **options: Any) -> Solution:
    game, state = game_and_start(name, start, **options)
    return solve_small(game, states=state)


HOME = "bar=0 off=14 1:1"


@pytest.mark.parametrize(
    ("name", "start", "options", "due"),
    [
        # One piece each, one step from home: 7 of 16 throws show the 1, and both throw in turn.
        ("tshupu", TSHUPU + "32 33 33 33 | 32 33 33 33 | 33 33 33 33 | 33 33 33 33", {}, Fraction(7, 25)),
        # One piece each on the first point, borne off by 11 of 36 throws; by any where higher dice may.
        ("shuanglu", SHUANGLU + f"{HOME} | {HOME}", {}, Fraction(11, 61)),
        ("shuanglu", SHUANGLU + f"{HOME} | {HOME}", {"preset": "backgammon"}, Fraction(1)),
        # Pieces on 6 and 1 go off in 15 throws of 36; otherwise the other's does.
        ("shuanglu", SHUANGLU + f"bar=0 off=13 6:1 1:1 | {HOME}", {"preset": "backgammon"}, Fraction(-1, 6)),
    ],
)
def test_values_by_hand(name: str, start: str, options: dict[str, Any], due: Fraction) -> None:
    found = solved(name, start, **options)
    summary = found.summary()
    assert summary.error < 1e-9
    assert abs(summary.returns[0] - due) <= summary.error
    assert found.value(found.start).turns is None


def slowly(start: sarai.State, sweeps: int) -> dict[str, float]:
    """What each position is worth to seat 0, by going over all of them again and again."""

    def key(state: sarai.State) -> str:
        return re.sub(r"(turn|no_capture)=\d+", "", str(state))

    ways: dict[str, list[tuple[float, str]]] = {}
    mover: dict[str, int] = {}
    values: dict[str, float] = {}
    ahead = [start.clone()]
    while ahead:
        state = ahead.pop()
        here = key(state)
        if here in ways:
            continue
        ways[here], values[here] = [], state.returns()[0]
        mover[here] = state.current_player()
        chances = (
            state.chance_outcomes() if state.is_chance_node() else ((a, 0.0) for a in state.legal_actions())
        )
        for action, probability in chances:
            after = state.clone()
            after.apply_action(action)
            ways[here].append((probability, key(after)))
            ahead.append(after)
    order = [here for here in reversed(list(ways)) if ways[here]]
    for _ in range(sweeps):
        for here in order:
            if mover[here] == sarai.CHANCE:
                values[here] = sum(probability * values[after] for probability, after in ways[here])
            else:
                best = max if mover[here] % 2 == 0 else min
                values[here] = best(values[after] for _, after in ways[here])
    return values


@pytest.mark.parametrize(
    ("name", "start", "options"),
    [
        ("sho", None, {**SHO, "num_shells": 4, "coins": 2}),
        ("sho", None, {**SHO, "num_shells": 8, "coins": 1, "last_kill_ends_turn": True}),
        ("sho", None, {"players": 4, "teams": True, "pa_ra": "none", "num_shells": 5, "coins": 1}),
        ("tshupu", TSHUPU + "26 33 33 33 | 26 33 33 33 | 33 33 33 33 | 32 33 33 33", {"preset": "chaupar_style"}),
        ("shuanglu", SHUANGLU + "bar=0 off=14 6:1 | bar=0 off=13 1:1 4:1", {}),
        ("shuanglu", SHUANGLU + "bar=0 off=0 1:15 | bar=0 off=14 6:1", {"scoring": "gammon", "doubles": 4}),
    ],
)  # fmt: skip
def test_plain_value_iteration_agrees(name: str, start: str | None, options: dict[str, Any]) -> None:
    game, state = game_and_start(name, start, **options)
    solution = solve_small(game, states=state)
    due = slowly(state, 60)
    assert len(solution) == len(due)
    rows = sarai.States.from_states([state])
    states: list[sarai.State] = []
    rng = np.random.default_rng(3)
    for _ in range(40):
        state = rows[0]
        while not state.is_terminal():
            states.append(state.clone())
            choices = (
                [a for a, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
            )
            state.apply_action(int(rng.choice(choices)))
        states.append(state)
    returns, turns = solution.values(sarai.States.from_states(states))
    assert returns.dtype == np.float64
    assert returns.shape == (len(states), game.num_players)
    expected = [due[re.sub(r"(turn|no_capture)=\d+", "", str(state))] for state in states]
    np.testing.assert_allclose(returns[:, 0], expected, rtol=0, atol=1e-8)
    np.testing.assert_array_equal(returns[:, 0], -returns[:, 1])
    one = solution.value(states[0])
    assert one.returns == tuple(returns[0])
    assert turns[0] == (-1 if one.turns is None else one.turns)


def decisions(solution: Solution, least: float) -> tuple[list[sarai.State], list[dict[int, float]]]:
    """Positions of random games in which an action may lose at least so much, and what each action loses."""
    rng = np.random.default_rng(5)
    found: dict[str, tuple[sarai.State, dict[int, float]]] = {}
    for _ in range(200):
        state = solution.start.clone()
        while not state.is_terminal() and len(found) < 60:
            if state.is_chance_node():
                choices = [outcome for outcome, _ in state.chance_outcomes()]
            else:
                choices = state.legal_actions()
                moves = solution.moves(state)
                if moves[0].value - moves[-1].value >= least:
                    found[str(state)] = state.clone(), {m.action: moves[0].value - m.value for m in moves}
            state.apply_action(int(rng.choice(choices)))
    return [state for state, _ in found.values()], [losses for _, losses in found.values()]


TINY: list[tuple[str, str | None, dict[str, Any]]] = [
    ("sho", None, {**SHO, "num_shells": 8, "coins": 2}),
    ("tshupu", TSHUPU + "28 31 33 33 | 30 31 33 33 | 33 33 33 33 | 32 33 33 33", {"preset": "chaupar_style"}),
    ("shuanglu", SHUANGLU + "bar=0 off=12 3:1 5:2 | bar=0 off=13 4:1 6:1", {}),
]  # fmt: skip


SEARCHING = (
    "mcts:2000",
    "mcts:2000,solver=false",
    "mcts:1000,priors=greedy",
    "mcts:2000,evaluator=heuristic",
    "mcts:500,playout=greedy",
)


@pytest.mark.parametrize(("name", "start", "options"), TINY)
def test_agents_that_search_lose_next_to_nothing(
    name: str, start: str | None, options: dict[str, Any]
) -> None:
    solution = solved(name, start, **options)
    known = {observation.tobytes(): returns for observation, returns in observations(solution)}

    def exact(observed: Any) -> Any:
        return np.array([known[row.tobytes()] for row in observed])

    # Less deep, its own judgement of positions decides, which was made for the whole games: it is farthest off for Sho
    # on a track of eight shells.
    deep = f"expectimax:{4 if name == 'sho' else 3},filter=1000/1000"
    states, losses = decisions(solution, 0.02)
    assert len(states) >= 30
    rows = sarai.States.from_states(states)
    chosen: dict[Any, Any] = {
        agent: [sarai.choose(state, agent, seed=1) for state in states] for agent in (*SEARCHING, deep)
    }
    for evaluator in (exact, "playout", "heuristic"):
        chosen[evaluator] = TreeSearch(evaluator, 2000).choose_many(rows, rows.current_player())
    assert np.mean([np.mean(list(loss.values())) for loss in losses]) > 0.05, "at random much is lost"
    for agent, actions in chosen.items():
        lost = [loss[int(action)] for loss, action in zip(losses, actions, strict=True)]
        # Dice are drawn in a tree: what loses little may be taken for the best.
        assert np.mean(lost) < 0.015, agent
        assert max(lost) < 0.13, agent


def test_alpha_beta_wins_as_soon_as_can_be() -> None:
    tables = sarai.exact.load("shah")
    game = sarai.make("shah")
    rng = np.random.default_rng(7)
    met = 0
    while met < 60:
        points = rng.permutation(24)[:6]
        board = "".join("0" if p in points[:3] else "1" if p in points[3:] else "." for p in range(24))
        state = game.parse(
            f"slide player=0 board={board} hand=0,0 beginner=0 opening_removals=0 extra=false lifted=- no_capture=0 "
            "turn=90 winner=-"
        )
        worth = tables.value(state)
        if worth.turns is None or not 2 <= worth.turns <= 5:
            continue
        met += 1
        moves = {move.action: move for move in tables.moves(state)}
        best = moves[sarai.choose(state, f"alphabeta:{worth.turns}", seed=1)]
        assert best.value == worth.value, state
        assert worth.value < 0 or best.turns == worth.turns, state


def observations(solution: Solution) -> Any:
    """What whoever acts sees in each position, and what it is worth to that player."""
    seen = set()
    ahead = [solution.start.clone()]
    while ahead:
        state = ahead.pop()
        text = re.sub(r"turn=\d+", "", str(state))
        if text in seen or state.is_terminal():
            continue
        seen.add(text)
        player = state.current_player()
        if player >= 0:
            yield state.observation_tensor(player), solution.value(state).returns[player]
        for action in (
            (outcome for outcome, _ in state.chance_outcomes())
            if state.is_chance_node()
            else state.legal_actions()
        ):
            after = state.clone()
            after.apply_action(action)
            ahead.append(after)


def test_moves_are_the_best_first() -> None:
    solution = solved(*TINY[2][:2])
    state = solution.start.clone()
    state.apply_action(2)
    moves = solution.moves(state)
    assert sorted(move.action for move in moves) == state.legal_actions()
    assert [move.value for move in moves] == sorted((move.value for move in moves), reverse=True)
    assert moves[0].value == solution.value(state).returns[0]
    with pytest.raises(ValueError, match="no player acts here"):
        solution.moves(solution.start)


def test_a_clock_is_no_part_of_it() -> None:
    short = sarai.make("sho", **SHO, num_shells=4, coins=1, max_turns=1)
    solution = solve_small(short)
    long = solved("sho", None, **SHO, num_shells=4, coins=1).summary()
    assert solution.summary()._replace(game=long.game) == long
    other = sarai.make("sho", **SHO, num_shells=4, coins=1, max_turns=77)
    assert solution.value(other.new_initial_state()) == solution.value(short.new_initial_state())
    with pytest.raises(ValueError, match="under other rules than the state"):
        solution.value(sarai.make("sho", **SHO, num_shells=5, coins=1).new_initial_state())
    solution = solved("shuanglu", SHUANGLU + f"{HOME} | {HOME}")
    rows = sarai.States.from_states([solution.start, solution.game.new_initial_state()])
    with pytest.raises(ValueError, match="row 1 was not met"):
        solution.values(rows)
    with pytest.raises(TypeError, match=r"states must be sarai\.States, not list"):
        solution.values([*rows])  # type: ignore[arg-type]


def test_what_is_shown() -> None:
    solution = solved("sho", None, **SHO, num_shells=4, coins=1)
    assert repr(solution).endswith(": 90 positions>")
    header, row = str(solution.summary()).splitlines()
    assert header.split()[:7] == ["positions", "decisions", "ahead", "behind", "even", "longest", "win"]
    assert row.split()[:5] == ["90", "77", "73", "4", "0"]
    assert "<td" in solution.summary()._repr_html_()


def test_what_cannot_be_solved_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="3 sides"):
        solve_small("sho")
    with pytest.raises(ValueError, match="more than 1000 positions"):
        solve_small("shuanglu", 1000)
    with pytest.raises(ValueError, match="max_positions got 0"):
        solve_small("shuanglu", 0)
    with pytest.raises(ValueError, match="states has no rows"):
        solve_small("shuanglu", states=sarai.States("shuanglu", 0))
    with pytest.raises(ValueError, match="other rules"):
        solve_small("shuanglu", states=sarai.States("shuanglu(doubles=4)", 1))
    monkeypatch.setattr(sarai._exact.small, "free_memory", lambda: 10_000_000)
    with pytest.raises(MemoryError, match="10000000"):
        solve_small("shuanglu")


def test_ctrl_c_stops_it() -> None:
    timer = threading.Timer(0.05, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        solve_small("sho(players=2)", 1_000_000_000)
    timer.join()
