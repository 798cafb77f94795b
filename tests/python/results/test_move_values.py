"""`sarai.evaluate_moves`: the legal moves of a position, played out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sarai
from helpers.refusals import refused


@pytest.mark.parametrize("name", ["sho", "shah"])
def test_each_move_has_the_results_of_its_own_games(name: str) -> None:
    state = sarai.make(name).sample_states(num_games=1, seed=3)[0]
    player, sides = state.current_player(), state.get_game().sides
    values = sarai.evaluate_moves(state, "random", 50, seed=4, num_threads=2)
    assert [move.mean_return.value for move in values.moves] == sorted(
        (move.mean_return.value for move in values.moves), reverse=True
    )
    for row, action in enumerate(state.legal_actions()):
        games = sarai.rollout(state.child(action), "random", 50, seed=4, first_game=50 * row)
        (move,) = (move for move in values.moves if move.action == action)
        assert move.name == state.action_to_string(action)
        assert move.win_share.value == np.mean(games.winner == sides[player])
        assert move.mean_return.value == pytest.approx(games.returns[:, player].mean())
        assert move.win_share.low <= move.win_share.value <= move.win_share.high
    assert str(values) == str(sarai.evaluate_moves(state, "random", 50, seed=4, num_threads=1))
    assert len(str(values).splitlines()) == 3 + len(values.moves)
    assert values._repr_html_().count("<tr>") == 1 + len(values.moves)


def test_a_win_in_one_is_the_best_move() -> None:
    for number in range(20):
        states = sarai.Record.play("shah(preset=nine_mens_morris)", "greedy", seed=1, number=number).states()
        last = states[-2]
        if states[-1].winner in (0, 1):
            values = sarai.evaluate_moves(last, "random", 20, seed=0)
            assert values.best.win_share.value == 1.0
            return
    pytest.fail("no game was won")


def test_bad_input() -> None:
    state = sarai.make("shah").sample_states(num_games=1, seed=0)[0]

    def call(**given: Any) -> None:
        sarai.evaluate_moves(**{"state": state, **given})

    refused(call, {"num_games": [0], "agent": ["clever"]}, {"state": ["shah"]})
    with pytest.raises(ValueError, match="it is no player's turn"):
        call(state=sarai.Record.play("shah", seed=0).final_state)
