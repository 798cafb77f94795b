"""The text board of Shuanglu: every piece is where it should be."""

from __future__ import annotations

import re
from typing import Any

import pytest

import sarai
from helpers.boards import fitting, states

RULES: list[dict[str, Any]] = [{"preset": preset} for preset in sarai.presets("shuanglu")]


def check(lines: list[str], view: dict[str, Any]) -> None:
    state = view["state"]
    for player, letter in enumerate("OX"):
        seen: dict[int, int] = {}
        heights: dict[int, int] = {}
        edge = 3 - player
        for numbers, first, step in ((lines[edge], 4, 1), (lines[16 - edge], 12, -1)):
            # The letter at the start of a row of numbers tells whose numbers they are.
            assert numbers.startswith(f" {letter}:")
            for place in range(12):
                # A bar stands between the halves.
                column = 5 + 5 * place + (place > 5)
                cells = [lines[first + step * level][column : column + 5] for level in range(4)]
                shown = re.search(rf"{letter}(\d+)", cells[0])
                point = int(numbers[column : column + 5])
                seen[point] = int(shown.group(1)) if shown else 0
                heights[point] = sum(letter in cell for cell in cells)
        assert [seen[i + 1] for i in range(24)] == state["points"][player]
        assert [heights[i + 1] for i in range(24)] == [min(count, 4) for count in state["points"][player]]
        assert f"{state['bar'][player]} on the bar, {state['off'][player]} off" in lines[15 + player]


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_the_board_holds_every_piece(rules: dict[str, Any]) -> None:
    seen = 0
    for state in states(sarai.make("shuanglu", **rules), games=5, every=2):
        check(fitting(state), state.view())
        seen += 1
    assert seen > 10
