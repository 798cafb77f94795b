"""`sarai.analyse` with a number of games: the moves of a position, played out."""

from __future__ import annotations

import dataclasses
import json
import math
from typing import Any

import numpy as np
import pytest

import sarai
from helpers.learner_games import lowest
from helpers.refusals import refused
from sarai.results import Estimate


def in_a_turn(name: str, number: int = 3) -> sarai.State:
    """A position in which a turn can have several actions."""
    for state in sarai.make(name).sample_states(num_games=50, seed=number):
        if state.current_player() >= 0 and len(state.afterstates().states) > len(state.legal_actions()):
            return state
    pytest.fail("every turn has one action")


@pytest.mark.parametrize("name", ["sho", "shah", "shuanglu"])
def test_each_move_has_the_results_of_its_games(name: str) -> None:
    state = sarai.make(name).sample_states(num_games=1, seed=3)[0]
    player, sides = state.current_player(), state.get_game().sides
    told = sarai.analyse(state, "random", 50, seed=4, num_threads=2)
    assert [move.value for move in told.moves] == sorted((move.value for move in told.moves), reverse=True)
    best = told.moves[0]
    least, most = state.get_game().returns_range
    # The same games of the seed after every move.
    games = {
        action: sarai.rollout(state.child(action), "random", 50, seed=4) for action in state.legal_actions()
    }
    assert sorted(move.action for move in told.moves) == sorted(games)
    for move in told.moves:
        r = games[move.action]
        mine = r.returns[:, player].astype(float)
        value = Estimate.of_mean(mine, (least, most))
        assert move.name == state.action_to_string(move.action) == move.line[0]
        assert (move.actions, move.visits) == ((move.action,), 50)
        assert (move.value, *move.interval) == pytest.approx(
            (value.value, value.low, value.high), nan_ok=True
        )
        assert move.win_share == Estimate.of_share(int((r.winner == sides[player]).sum()), 50)
        apart = mine - games[best.action].returns[:, player]
        if move is best:
            assert move.difference == Estimate(0.0, 0.0, 0.0)
        else:
            assert move.difference == Estimate.of_mean(apart, (least - most, most - least))
            assert move.difference.low < move.difference.high
        assert move.difference.value == pytest.approx(move.value - best.value, abs=1e-6)
    assert told.value == pytest.approx(games[best.action].returns.mean(axis=0))
    assert (told.best, told.player, told.seed, told.num_games) == (best.action, player, 4, 50)
    assert told.simulations == 50 * len(told.moves)
    assert sum(move.probability for move in told.moves) == 1
    assert told == sarai.analyse(state, "random", 50, seed=4, num_threads=1)
    assert told != sarai.analyse(state, "random", 50, seed=5)


def test_shared_dice_tell_moves_apart_sooner() -> None:
    state = sarai.make("shuanglu").sample_states(num_games=1, seed=1)[0]
    narrower = []
    for move in sarai.analyse(state, "greedy", 2000, seed=1).moves[1:]:
        # That of as many games with dice of their own: variances add up.
        own = math.hypot(*(2 * [move.interval[1] - move.interval[0]]))
        narrower.append((move.difference.high - move.difference.low) / own)
    assert narrower
    assert np.mean(narrower) < 0.9


@pytest.mark.parametrize("name", ["shah", "tshupu", "shuanglu"])
def test_whole_turns_are_played(name: str) -> None:
    state = in_a_turn(name)
    told = sarai.analyse(state, "greedy", 6, seed=2, plays="turn")
    ends = state.afterstates()
    assert sorted(move.actions for move in told.moves) == sorted(
        tuple(ends.actions_to(row).tolist()) for row in range(len(ends.states))
    )
    for move in told.moves:
        played = state.clone()
        for action, step in zip(move.actions, move.line, strict=True):
            assert played.action_to_string(action) == step
            played.apply_action(action)
        assert move.name == " ".join(move.line)
        assert move.action == move.actions[0]
        r = sarai.rollout(played, "greedy", 6, seed=2)
        assert move.value == pytest.approx(r.returns[:, told.player].mean())
    assert max(len(move.actions) for move in told.moves) > 1
    assert told.plays == "turn"
    assert told.draw().count("legal: ") == len({move.line[0] for move in told.moves[:3]})


def test_a_win_in_one_is_the_best_move_and_certain() -> None:
    for number in range(20):
        states = sarai.Record.play("shah(preset=nine_mens_morris)", "greedy", seed=1, number=number).states()
        if states[-1].winner in (0, 1):
            for plays in ("step", "turn"):
                told = sarai.analyse(states[-2], "random", 20, seed=0, plays=plays)
                assert (told.moves[0].value, told.moves[0].kind) == (1.0, "exact")
                assert [move.kind == "exact" for move in told.moves] == [
                    bool(_after(states[-2], move).is_terminal()) for move in told.moves
                ]
            return
    pytest.fail("no game was won")


def _after(state: sarai.State, move: sarai.agents.MoveAnalysis) -> sarai.State:
    state = state.clone()
    for action in move.actions:
        state.apply_action(action)
    return state


def test_whoever_plays_on() -> None:
    state = sarai.make("shuanglu").sample_states(num_games=1, seed=3)[0]
    told = sarai.analyse(state, [lowest, "greedy"], 20, seed=1)
    assert told.agent == f"{sarai.agents.label(lowest)}, greedy"
    move = told.moves[-1]
    r = sarai.rollout(state.child(move.action), [lowest, "greedy"], 20, seed=1)
    assert move.value == pytest.approx(r.returns[:, told.player].mean())


def test_it_shows_itself() -> None:
    state = in_a_turn("shuanglu")
    counts: list[int] = []
    told = sarai.analyse(state, "greedy", 30, seed=1, plays="turn", progress=counts.append)
    assert counts == sorted(counts)
    assert counts[-1] == 30 * len(told.moves)
    lines = str(told).splitlines()
    assert lines[0].startswith(
        f"shuanglu: player {told.player} to act, 30 games after each turn by greedy; expected returns"
    )
    assert len(lines) == 3 + len(told.moves)
    assert told._repr_html_().count("<tr>") == 1 + len(told.moves)
    assert all(move.name in str(told) for move in told.moves)
    frame = told.to_pandas()
    assert frame["difference_low"].tolist()[1:] == [move.difference.low for move in told.moves[1:]]
    assert frame["value_high"].tolist() == [move.interval[1] for move in told.moves]
    assert frame["actions"].tolist() == [" ".join(map(str, move.actions)) for move in told.moves]
    json.dumps([dataclasses.asdict(move) for move in told.moves])


def test_bad_input() -> None:
    state = sarai.make("shah").sample_states(num_games=1, seed=0)[0]

    def call(**given: Any) -> None:
        sarai.analyse(**{"state": state, "agent": "random", "num_games": 2, **given})

    refused(
        call,
        {"num_games": [0, 10**8], "agent": ["clever"], "seconds": [1], "plays": ["turns"]},
        {"state": ["shah"], "num_games": ["2", 1.5], "plays": [None], "agent": [7], "progress": [3]},
    )
    with pytest.raises(ValueError, match="no player acts here"):
        call(state=sarai.Record.play("shah", seed=0).final_state)
    for what in ({"plays": "turn"}, {"num_threads": 1}, {"progress": True}):
        with pytest.raises(ValueError, match="give num_games"):
            call(num_games=None, **what)
    with pytest.raises(TypeError, match="unless num_games is given"):
        call(num_games=None, agent=["random", "greedy"])
