"""Gamename at the Python face: options as keywords, positions in and out, moves by their names.

The rules themselves are tested in src/games/gamename/tests.rs and by the reference beside this file.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import pytest

import sarai
from helpers.by_name import legal, play, throw

LINE = "roll player=0 turn=2 throw=- winner=- | hand=3 off=0 5 | hand=2 off=1 8"


def test_the_environment_has_its_id() -> None:
    assert gymnasium.spec("sarai/Gamename-v0").kwargs == {"game": "gamename"}


def test_a_move_is_played_by_its_name() -> None:
    state = throw(sarai.make("gamename").parse(LINE), "3")
    assert legal(state) == {"hand/3": 0, "5/8*": 5}
    play(state, "5/8*")
    assert (state.to_dict()["hand"], state.to_dict()["squares"]) == ([3, 3], [[8], []])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"hand": [4, 2]}, "player 0 has 5 pieces, not 4"),
        ({"squares": [[8], [8]]}, "both players stand on square 8"),
        ({"turn": 1000}, "phase is roll with turn 1000"),
        ({"throw": 3}, "throw is 3 in phase roll"),
    ],
)
def test_positions_that_cannot_be(change: dict[str, Any], said: str) -> None:
    state = sarai.make("gamename").parse(LINE)
    with pytest.raises(ValueError, match=said):
        state.get_game().state_from_dict({**state.to_dict(), **change})
