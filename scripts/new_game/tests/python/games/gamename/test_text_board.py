"""The text board of Gamename: every piece is where it should be."""

from __future__ import annotations

from typing import Any

import sarai
from helpers.boards import fitting, states

LETTERS = "OX"


def check(lines: list[str], view: dict[str, Any]) -> None:
    state = view["state"]
    squares = dict(zip(lines[2].split(), lines[3].split(), strict=True))
    places = {str(square): LETTERS[player] for player in (0, 1) for square in state["squares"][player]}
    assert {square: held for square, held in squares.items() if held != "."} == places
    for player, letter in enumerate(LETTERS):
        hand, off = state["hand"][player], state["off"][player]
        assert lines[4 + player] == f"{letter}  player {player}: {hand} in hand, {off} off"


def test_the_board_holds_every_piece() -> None:
    seen = 0
    for state in states(sarai.make("gamename"), games=5, every=2):
        check(fitting(state), state.view())
        seen += 1
    assert seen > 10
