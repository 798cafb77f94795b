"""`sarai.analyse`: what agents think of positions."""

from __future__ import annotations

import copy
import math
import pickle
import re
from typing import Any

import numpy as np
import pytest

import sarai
from helpers.positions import every_book
from sarai import agents

AGENTS = [
    "random",
    "greedy",
    "mcts:60",
    "mcts:40,evaluator=heuristic,priors=greedy",
    "expectimax:1",
    "expectimax:2",
]


@every_book
def test_an_analysis_has_a_row_for_each_action_and_takes_the_best(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    s = game.sample_states("random", 4, seed=6)
    names = [*AGENTS, "alphabeta:3"] if game.name == "shah" else AGENTS
    for state in (state for state in s if state.current_player() >= 0):
        for name in names:
            told = sarai.analyse(state, name, seed=2)
            assert sorted(move.action for move in told.moves) == state.legal_actions()
            assert told.best == told.moves[0].action
            assert told.best == sarai.choose(state, name, seed=2) or name == "random"
            assert all(move.name == state.action_to_string(move.action) for move in told.moves)
            assert all(move.line[0] == move.name for move in told.moves)
            assert told.player == state.current_player()
            assert len(told.value) == game.num_players
            assert math.isclose(sum(told.value), 0, abs_tol=1e-9)
            if name != "random" or len(told.moves) == 1:
                assert sum(move.probability for move in told.moves) == pytest.approx(1)
            assert (told.simulations == 0) != (told.nodes == 0)
            assert sum(move.visits for move in told.moves) == told.simulations
            if name == "mcts:60" and not any(move.kind == "exact" for move in told.moves):
                gained = sum(move.visits * move.value for move in told.moves if move.visits)
                assert told.value[told.player] == pytest.approx(gained / told.simulations, abs=1e-9)
            again = sarai.analyse(state, name, seed=2)
            assert again == told
            assert told == pickle.loads(pickle.dumps(told)) == copy.deepcopy(told)


def test_lines_can_be_played() -> None:
    s = sarai.make("nine_mens_morris" if "nine_mens_morris" in sarai.games() else "shah").sample_states(
        num_games=30, seed=1
    )
    longest = 0
    for state in (state for state in s if state.current_player() >= 0):
        for name in ("mcts:300,evaluator=heuristic", "alphabeta:4"):
            for move in sarai.analyse(state, name, seed=0).moves:
                played = state.clone()
                for step in move.line:
                    played.apply_action(played.string_to_action(step))
                longest = max(longest, len(move.line))
    assert longest >= 3


def test_what_is_exact_is_so() -> None:
    game = sarai.make("shah", max_turns=200)
    met = 0
    for number in range(20):
        last = sarai.Record.play(game, "random", seed=4, number=number).states()[-8:-1]
        for state in (state for state in last if state.current_player() >= 0):
            told = sarai.analyse(state, "mcts:300", seed=0)
            for move in (move for move in told.moves if move.kind == "exact"):
                after = state.child(move.action)
                if after.is_terminal():
                    met += 1
                    assert after.returns()[told.player] == move.value
    assert met > 10


def test_a_search_stops_in_time_with_what_it_knows() -> None:
    state = sarai.make("shah").new_initial_state()
    told = sarai.analyse(state, "mcts:100000", seconds=1e-9, seed=0)
    assert told.simulations < 100_000
    assert told.best in state.legal_actions()
    told = sarai.analyse(state, "alphabeta:64", seconds=1e-9, seed=0)
    assert told.best in state.legal_actions()
    assert told.depth < 64
    shuanglu = sarai.make("shuanglu").sample_states(num_games=1, seed=1)[0]
    assert sarai.analyse(shuanglu, "expectimax:4", seconds=1e-9, seed=0).best in shuanglu.legal_actions()


def test_it_shows_itself() -> None:
    state = sarai.make("shuanglu").sample_states(num_games=1, seed=1)[0]
    told = agents.MCTS(100).analyse(state, seed=0)
    text, page, board = str(told), told._repr_html_(), told.draw(size=400)
    for move in told.moves:
        assert move.name in text
        assert move.name in page
    assert "<script" not in page
    assert board.count("legal: ") == min(3, len(told.moves))
    assert told.draw(theme="dark") != told.draw()


def test_an_analysis_does_not_follow_its_state() -> None:
    state = sarai.make("shah").sample_states(num_games=1, seed=1)[0]
    told = sarai.analyse(state, "greedy", seed=0)
    before = str(state)
    state.apply_action(told.best)
    assert str(told.state) == before


@pytest.mark.filterwarnings("error")
def test_seconds_of_any_number() -> None:
    state = sarai.make("shuanglu").sample_states(num_games=1, seed=1)[0]
    for seconds in (np.float16(1), np.int8(1)):
        assert sarai.analyse(state, "greedy", seconds=seconds, seed=0) == sarai.analyse(
            state, "greedy", seed=0
        )


@pytest.mark.parametrize(
    ("agent", "given", "kind", "message"),
    [
        ("clever", {}, ValueError, "unknown agent 'clever'"),
        ("alphabeta:3", {}, ValueError, "only plays two-player games without dice"),
        (None, {}, TypeError, "not NoneType"),
        ("greedy", {"seconds": float("nan")}, ValueError, "seconds got nan"),
        ("greedy", {"seconds": "1"}, TypeError, "seconds must be a number or None"),
        ("greedy", {"seconds": 10**400}, ValueError, "seconds got a number of 1329 bits, which is too large"),
        ("greedy", {"seed": -1}, ValueError, "seed"),
    ],
)
def test_bad_input(agent: Any, given: dict[str, Any], kind: type[Exception], message: str) -> None:
    state = sarai.make("shuanglu").sample_states(num_games=1, seed=1)[0]
    with pytest.raises(kind, match=message):
        sarai.analyse(state, agent, **given)


def test_nobody_to_act() -> None:
    with pytest.raises(ValueError, match="nothing to analyse"):
        sarai.analyse(sarai.make("sho").new_initial_state(), "greedy", seed=0)
    with pytest.raises(TypeError, match=r"state must be a sarai\.State, not ndarray"):
        sarai.analyse(np.zeros(3), "greedy", seed=0)  # type: ignore[arg-type]


def test_a_table_shows_visits_only_where_there_are_some() -> None:
    state = sarai.make("shah").new_initial_state()
    assert "visits" not in str(sarai.analyse(state, "greedy", seed=0))
    assert "visits" in str(sarai.analyse(state, "mcts:5", seed=0))


def test_a_search_prints_the_best_action_of_each_position() -> None:
    printed = str(sarai.search(sarai.States("shah", 2), 10, "heuristic", seed=0)).splitlines()
    assert printed[0].split() == ["position", "best", "values"]
    assert len(printed) == 3


def test_shares_are_shown_only_of_an_agent_that_has_some() -> None:
    state = sarai.make("shah").new_initial_state()
    for agent, games, shown in (
        ("greedy", None, False),
        ("alphabeta:2", None, False),
        ("random", 4, False),
        ("random", None, True),
        ("mcts:50", None, True),
    ):
        told = sarai.analyse(state, agent, games, seed=0)
        assert ("%)" in told.draw()) == shown
        assert ("probability" in str(told)) == shown
        assert ("probability" in told._repr_html_()) == shown


def test_every_move_that_wins_is_told_as_a_win() -> None:
    """The best wins within three moves; others win, too, later."""
    state = sarai.parse(
        "slide player=1 board=.1.11.01..1.111.01001.1. hand=0,0 beginner=1 opening_removals=0 extra=false lifted=- "
        "no_capture=1 turn=46 winner=-"
    )
    told = sarai.analyse(state, "alphabeta:8", seed=0)
    assert told.best == sarai.choose(state, "alphabeta:8", seed=0)
    by_name = {move.name: move for move in told.moves}
    assert (by_name["d1-g1"].value, by_name["d1-g1"].kind) == (1.0, "exact")
    for move in told.moves:
        if move.kind == "exact":
            at = state.clone()
            for name in move.line:
                at.apply_action(at.string_to_action(name))
            assert at.is_terminal()
            assert at.returns()[1] == move.value
            assert at.turns_passed() - state.turns_passed() <= move.turns
        elif not state.child(move.action).is_terminal():
            # As deep as it was searched there is no win: nor is there one a move later, searched one move less.
            after = sarai.analyse(state.child(move.action), "alphabeta:7", seed=0)
            assert not any(reply.kind == "exact" and reply.value == -1 for reply in after.moves[:1])
    turns = [move.turns for move in told.moves if move.value == 1]
    assert len(turns) > 1
    assert turns == sorted(turns)


def test_an_exact_value_shows_its_turns_everywhere() -> None:
    state = sarai.parse(
        "slide player=0 board=.0.110...01.0..........1 hand=0,0 beginner=0 opening_removals=0 extra=false lifted=- "
        "no_capture=0 turn=26 winner=-"
    )
    told = sarai.analyse(state, "perfect", seed=0)
    assert {(move.value, move.turns) for move in told.moves} >= {(1.0, 71), (-1.0, 10)}
    assert "in 71 turns" in str(told)
    assert "visits" not in str(told)
    assert {"in 71 turns", "in 10 turns"} <= set(re.findall(r"in \d+ turns", told._repr_html_()))
