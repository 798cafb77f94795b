"""`agents.TurnSearch`: ends of turns judged by a function, against plain loops over states."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sarai
from helpers.positions import every_book
from sarai import agents


def opinion(observations: NDArray[np.int8]) -> NDArray[np.float64]:
    """Some number for each position, in which no two are likely to be equal."""
    weights = np.sqrt(np.arange(1, observations.shape[1] + 1))
    judged: NDArray[np.float64] = np.sin(observations @ weights)
    return judged.astype(np.float32).astype(np.float64)


def each_seat(game: sarai.Game, mover: int, value: float) -> list[float]:
    """What every seat may expect if this one may expect so much."""
    own = sum(side == game.sides[mover] for side in game.sides)
    others = game.num_players - own
    return [value if side == game.sides[mover] else -value * own / others for side in game.sides]


def glance(state: sarai.State, mover: int) -> list[float]:
    if state.is_terminal():
        return list(state.returns())
    return each_seat(
        state.get_game(), mover, float(opinion(state.observation_tensor(mover)[None].astype(np.int8))[0])
    )


def best_end(state: sarai.State) -> list[float]:
    mover = state.current_player()
    return max((glance(end, mover) for end in state.afterstates().states), key=lambda each: each[mover])


def two_turns(end: sarai.State, mover: int) -> list[float]:
    """What every seat may expect after the throw and the next turn."""
    if end.is_terminal():
        return list(end.returns())
    if not end.is_chance_node():
        return best_end(end)
    mean = np.zeros(end.num_players())
    for outcome, probability in end.chance_outcomes():
        after = end.child(outcome)
        acts = after.current_player() >= 0
        mean += probability * np.array(best_end(after) if acts else glance(after, mover))
    return mean.tolist()


def acting(book: tuple[str, str], rows: int, seed: int) -> sarai.States:
    game = sarai.make(book[0], preset=book[1])
    s = game.sample_states("random", rows, seed=seed)
    s.sample_chance(seed=1)
    return s[s.current_player() >= 0]


@every_book
def test_depth_one_goes_to_the_end_that_the_function_likes_best(book: tuple[str, str]) -> None:
    s = acting(book, 40, seed=4)
    chosen = agents.Expectimax(evaluator=opinion).choose_many(s, s.current_player())
    for state, action in zip(s, chosen, strict=True):
        mover = state.current_player()
        ends = state.afterstates()
        worth = [glance(end, mover)[mover] for end in ends.states]
        assert action == ends.actions_to(int(np.argmax(worth)))[0]


@every_book
def test_depth_two_averages_over_the_throws(book: tuple[str, str]) -> None:
    s = acting(book, 3, seed=5)
    agent = agents.Expectimax(2, opinion, filter=(3, 1))
    chosen = agent.choose_many(s, s.current_player())
    for state, action in zip(s, chosen, strict=True):
        mover = state.current_player()
        ends = state.afterstates()
        first = np.array([glance(end, mover)[mover] for end in ends.states])
        kept = np.argsort(-first, kind="stable")[:3]
        worth = {int(at): two_turns(ends.states[int(at)], mover)[mover] for at in sorted(kept)}
        best = max(worth.values())
        good = {int(ends.actions_to(at)[0]) for at, value in worth.items() if value > best - 1e-9}
        assert action in good
        analysis = agent.analyse(state)
        assert (analysis.best, analysis.depth) == (action, 2)
        assert analysis.value[mover] == pytest.approx(best)
        assert sorted(move.action for move in analysis.moves) == state.legal_actions()


@every_book
def test_a_choice_does_not_depend_on_the_rows_beside_it(book: tuple[str, str]) -> None:
    s = acting(book, 300, seed=6)
    agent = agents.TurnSearch(opinion)
    chosen = agent.choose_many(s, s.current_player())
    for row in range(0, len(s), 37):
        assert agent.choose(s[row]) == chosen[row]
        analysis = agent.analyse(s[row], seconds=100)
        assert (analysis.best, analysis.depth) == (chosen[row], 1)


@every_book
def test_each_line_is_the_best_turn_that_begins_with_its_action(book: tuple[str, str]) -> None:
    for state in acting(book, 12, seed=8):
        mover = state.current_player()
        for move in agents.TurnSearch(opinion).analyse(state).moves:
            after = state.child(move.action)
            goes_on = after.current_player() == mover
            best = best_end(after) if goes_on else glance(after, mover)
            assert move.value == best[mover]
            walked = state.clone()
            for name in move.line:
                walked.apply_action(walked.string_to_action(name))
            assert glance(walked, mover) == best


def test_numbers_for_each_seat_say_the_same() -> None:
    s = acting(("tshupu", "tshupu"), 30, seed=7)
    sign = np.where(np.array(s.game.sides) == 0, 1.0, -1.0)
    seen: list[NDArray[np.int8]] = []

    def a_seat(observations: NDArray[np.int8]) -> NDArray[np.float64]:
        seen.append(observations)
        return opinion(observations)[:, None] * sign

    even = s[np.isin(s.current_player(), [0, 2])]
    chosen = agents.TurnSearch(a_seat).choose_many(even, even.current_player())
    np.testing.assert_array_equal(chosen, agents.TurnSearch(opinion).choose_many(even, even.current_player()))
    assert len(seen) == 1  # one call for all


def test_it_plays_wherever_an_agent_is_taken() -> None:
    agent = agents.Expectimax(evaluator=opinion)
    games = [
        sarai.rollout("shuanglu", [agent, "greedy"], 6, seed=1, num_threads=threads) for threads in (1, 2)
    ]
    assert games[0] == games[1]
    assert games[0].agents == ("turns:1,opinion", "greedy")
    env = sarai.SingleAgentVectorEnv("shuanglu", num_envs=2, opponents=agent)
    env.reset(seed=1)
    env.step(env.action_masks().argmax(axis=1))
    assert len(sarai.arena("shah", {"turns": agent, "random": "random"}, 4, seed=0).standings) == 2
    assert sarai.Record.play("shah", agent, seed=1) == sarai.Record.play("shah", agent, seed=1)
    assert pickle.loads(pickle.dumps(agent)).evaluator is opinion


class SurpriseError(Exception):
    """What no library raises."""


def raises(observations: NDArray[np.int8]) -> NDArray[np.float64]:
    raise SurpriseError("of mine")


Evaluator = Callable[[NDArray[np.int8]], Any]

BAD: list[tuple[Evaluator, type[Exception], str]] = [
    (raises, SurpriseError, "of mine"),
    (lambda o: np.zeros((len(o), 3)), ValueError, r"values of shape \(\d+, 3\) for \d+ positions"),
    (lambda o: np.zeros(len(o) - 1), ValueError, r"values of shape \(\d+,\)"),
    (lambda o: 0.0, ValueError, r"values of shape \(\)"),
    (
        lambda o: np.where(np.arange(len(o)) == len(o) - 1, np.nan, 0),
        ValueError,
        r"value in row \d+ is \W?(nan|NaN)\W?; values are",
    ),
    (lambda o: np.full((len(o), 2), 1e300), ValueError, r"value in row 0 is \W?inf"),
    (lambda o: None, TypeError, "dtype object"),
    (lambda o: np.ones(len(o), bool), TypeError, "dtype bool"),
    (lambda o: [np.ma.masked] * len(o), ValueError, "some are masked"),
]


@pytest.mark.parametrize(
    ("search", "depth"), [(agents.TurnSearch, 1), (agents.TurnSearch, 2), (agents.TreeSearch, 1)]
)
@pytest.mark.parametrize(("evaluator", "error", "sentence"), BAD)
def test_functions_that_misbehave(
    evaluator: Evaluator, error: type[Exception], sentence: str, search: Any, depth: int
) -> None:
    good, bad = search(opinion, depth), search(evaluator, depth)
    game = "shuanglu(max_turns=3)"
    due = sarai.rollout(game, [good, "random"], 1, seed=2)
    with pytest.raises(error, match=sentence):
        sarai.rollout(game, [bad, "random"], 1, seed=2)
    env = sarai.SingleAgentVectorEnv("shuanglu", num_envs=9, opponents=bad)
    # In one of the nine games the opponent begins.
    with pytest.raises(error, match=sentence):
        env.reset(seed=3)
    assert sarai.rollout(game, [good, "random"], 1, seed=2) == due


def test_functions_may_take_locks_and_play_themselves() -> None:
    lock = threading.Lock()

    def outer(observations: NDArray[np.int8]) -> NDArray[np.float64]:
        with lock:
            sarai.rollout("shah(max_turns=4)", "random", 1, seed=0)
            return opinion(observations)

    s = acting(("shah", "shah"), 8, seed=2)
    due, search = agents.TurnSearch(opinion).choose_many(s, s.current_player()), agents.TurnSearch(outer)
    with ThreadPoolExecutor(3) as pool:
        for chosen in pool.map(lambda rows: search.choose_many(rows, rows.current_player()), [s] * 3):
            np.testing.assert_array_equal(chosen, due)


def test_ctrl_c_ends_a_game_of_theirs() -> None:
    def interrupted(observations: NDArray[np.int8]) -> NDArray[np.float64]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sarai.rollout("shah", agents.TurnSearch(interrupted), 5, seed=0)


@pytest.mark.parametrize(
    ("make", "error", "word"),
    [
        (lambda: agents.TurnSearch("heuristic"), TypeError, "not str"),
        (
            lambda: agents.TurnSearch(sarai.train("shuanglu", num_games=0, evaluations=0).net),
            TypeError,
            "Net",
        ),
        (lambda: agents.TurnSearch(opinion, 3), ValueError, "depth got 3"),
        (lambda: agents.TurnSearch(opinion, filter=0), ValueError, "filter got 0"),
        (lambda: agents.TurnSearch(opinion).choose(3), TypeError, "state"),
        (lambda: agents.TurnSearch(opinion).choose(start("sho")), ValueError, "no player acts here"),
        (lambda: agents.TurnSearch(opinion).analyse(start("shah"), seconds=0), ValueError, "seconds got 0"),
    ],
)
def test_bad_parameters_are_refused(make: Any, error: type[Exception], word: str) -> None:
    with pytest.raises(error, match=word):
        make()


def start(name: str) -> sarai.State:
    return sarai.make(name).new_initial_state()


@pytest.mark.parametrize("evaluator", [opinion, "heuristic"])
def test_a_tree_search_that_has_no_time_still_answers(evaluator: Any) -> None:
    state = sarai.make("shuanglu").sample_states(num_games=1, seed=3)[0]
    hurried = agents.TreeSearch(evaluator, 100_000).analyse(state, seconds=1e-9)
    assert hurried.best in state.legal_actions()
    assert hurried.simulations < 100_000
    agent = agents.TreeSearch(evaluator, 20)
    assert agent.analyse(state, 1, seconds=1000) == agent.analyse(state, 1)


def test_a_turn_search_with_time_looks_two_turns_ahead() -> None:
    agent = sarai.agents.TurnSearch(lambda observations: observations[:, :24].sum(axis=1) / 1000, 2, 3)
    state = sarai.make("shuanglu").sample_states(num_games=1, seed=1)[0]
    assert agent.analyse(state, seconds=1000) == agent.analyse(state)
    assert agent.analyse(state, seconds=1000).depth == 2
