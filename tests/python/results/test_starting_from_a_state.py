"""Rollouts, trajectories and records that start in a given state."""

from __future__ import annotations

import copy
import pickle
import re

import numpy as np
import pytest

import sarai
from helpers.nightly_books import some_books
from helpers.positions import mixed


@some_books
def test_games_go_on_from_the_state(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    for state in mixed(game, seed=2, games=1)[:4]:
        played = sarai.rollout(state, "random", 12, seed=3, keep=[0, 11])
        assert played.start == str(state)
        assert played.rules == game.rules
        told = sarai.trajectories(state, "random", 12, seed=3)
        assert told.start == str(state)
        assert [len(one) for one in told] == played.lengths.tolist()
        for row in (0, 11):
            record = played.records[row]
            assert record == sarai.Record.play(state, "random", seed=3, number=row)
            assert record.start == state
            assert record.states()[0] == state
            assert record.final_state.returns() == played.returns[row].tolist()
            assert played.lengths[row] == sum(step.player >= 0 for step in record.steps)
            won = record.final_state.winner != -1 and not state.is_terminal()
            passed = record.final_state.turns_passed() - state.turns_passed()
            assert played.turns[row] == passed + won
            for text in (record.to_json(), record.to_text()):
                read = (sarai.Record.from_json if text.startswith("{") else sarai.Record.from_text)(text)
                assert read == record
            assert pickle.loads(pickle.dumps(record)) == record == copy.deepcopy(record)
        first = [one.observations[0] for one in told if len(one)]
        if state.current_player() >= 0:
            assert all(np.array_equal(seen, state.observation_tensor()) for seen in first)


def test_the_start_is_told_apart() -> None:
    game = sarai.make("shah")
    state = game.new_initial_state()
    usual, told = sarai.rollout(game, num_games=5, seed=1), sarai.rollout(state, num_games=5, seed=1)
    assert np.array_equal(usual.returns, told.returns)
    assert usual != told
    assert "start" not in repr(usual)
    assert "start='place player=0" in repr(told)
    record = sarai.Record.from_steps(state, [4])
    state.apply_action(0)
    record.start.apply_action(1)  # type: ignore[union-attr]
    assert record.start == game.new_initial_state()


def test_a_file_with_another_start_is_refused() -> None:
    record = sarai.Record.from_steps(sarai.make("shah").new_initial_state(), [4])
    with pytest.raises(ValueError, match="'start'"):
        sarai.Record.from_json(record.to_json().replace("place player=0", "lost player=0"))
    with pytest.raises(ValueError, match="line 3: 'start'"):
        sarai.Record.from_text(record.to_text().replace("place player=0", "lost player=0"))
    with pytest.raises(ValueError, match="'start'"):
        sarai.Record.from_json(re.sub('"start": ".*"', '"start": 7', record.to_json()))
