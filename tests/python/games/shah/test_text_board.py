"""The text board of Shah: every piece is where it should be."""

from __future__ import annotations

import re
from typing import Any

import pytest

import sarai
from helpers.boards import fitting, states
from sarai.render.games.shah.view import NAMES
from sarai.render.text import board

RULES: list[dict[str, Any]] = [{"preset": preset} for preset in sarai.presets("shah")]


def check(lines: list[str], view: dict[str, Any]) -> None:
    state = view["state"]
    for point, held in enumerate(state["board"]):
        name = NAMES[point]
        row = next(line for line in lines[2:] if line.startswith(f" {name[1]} "))
        shown = row[lines[-1].index(name[0])]
        if point == state["lifted"]:
            assert shown == "*"
        else:
            assert shown == {".": "+", "0": "O", "1": "X"}[held]
    grid = "".join(line[4:42] for line in lines[2:15])
    assert (grid.count("O"), grid.count("X")) == (state["board"].count("0"), state["board"].count("1"))
    hands = re.findall(r"(\d+) in hand, (\d+) lost", "\n".join(lines))
    assert [int(hand) for hand, _ in hands] == state["hand"]


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_the_board_holds_every_piece(rules: dict[str, Any]) -> None:
    seen = 0
    for state in states(sarai.make("shah", **rules), games=5, every=2):
        check(fitting(state), state.view())
        seen += 1
    assert seen > 10


def test_a_lifted_stone_is_shown() -> None:
    game = sarai.make("shah", preset="nine_mens_morris")
    views = (state.view() for state in states(game, games=40))
    lifted = [view for view in views if view["state"]["lifted"] is not None]
    assert lifted
    for view in lifted:
        assert any(line.startswith("* lifted from ") for line in board(view))
