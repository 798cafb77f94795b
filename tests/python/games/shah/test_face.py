"""Shah at the Python face: options as keywords, positions in and out, moves by their names, what was won.

The rules themselves are held by the tests in src/games/shah/tests and by the reference engine beside this file.
"""

from __future__ import annotations

from typing import Any

import gymnasium

import sarai
from helpers.by_name import legal, play


def test_the_environment_has_its_id() -> None:
    assert gymnasium.spec("sarai/Shah-v0").kwargs == {"game": "shah"}


def test_options_go_on_top_of_a_preset() -> None:
    presets = sarai.presets("shah")
    assert sarai.make("shah").rules == presets["shah"]
    rules = sarai.make("shah", preset="nine_mens_morris", flying=False, first_player=1).rules
    assert rules == {**presets["nine_mens_morris"], "flying": False, "first_player": 1}
    assert sarai.make("shah", rules={"pieces": 3, "opening_removals": "none"}).rules["pieces"] == 3


# White can close the top row, and Black has three stones.
LAST_MILL: dict[str, Any] = {
    "phase": "slide",
    "player": 0,
    "board": "00.1110.......0.........",
    "hand": [0, 0],
    "beginner": 0,
    "opening_removals": 0,
    "extra": False,
    "lifted": None,
    "no_capture": 3,
    "turn": 100,
    "winner": None,
}


def test_a_position_is_played_by_its_names_to_its_end() -> None:
    game = sarai.make("shah")
    state = game.state_from_dict(LAST_MILL)
    moves = ["a7-a4", "d7-g7", "c5-d5", "c5-c4", "g4-g7", "g4-f4", "g4-g1"]
    assert list(legal(state)) == moves
    play(state, "g4-g7")
    assert legal(state) == {"xb6": 91, "xd6": 92, "xf6": 93}
    assert game.parse(str(state)) == state
    play(state, "xb6")
    assert (state.winner, list(state.returns())) == (0, [1.0, -1.0])
    assert state.to_dict()["board"] == "000.110................."
