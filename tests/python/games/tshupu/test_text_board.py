"""The text board of T'shu-p'u: every piece is where it should be."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

import sarai
from helpers.boards import fitting, states
from sarai.render.games.tshupu.cross import square_of
from sarai.render.games.tshupu.view import read

RULES: list[dict[str, Any]] = [{"preset": preset} for preset in sarai.presets("tshupu")]


def check(lines: list[str], view: dict[str, Any]) -> None:
    pieces = view["state"]["pieces"]
    text = "\n".join(lines)
    found = Counter(dict.fromkeys(range(4), 0))
    for letter, count in re.findall(r"([RYGBrygb])(\d)", text):
        found["RYGB".index(letter.upper())] += int(count)
    panels = dict.fromkeys(range(4), (0, 0))
    # The panels stand as G B above and Y R below.
    counts = [(int(a), int(b)) for a, b in re.findall(r"(\d) in hand, (\d) off", text)]
    for seat, pair in zip((2, 3, 1, 0), counts, strict=True):
        panels[seat] = pair
    for seat, own in enumerate(pieces):
        assert panels[seat] == (own.count(0), own.count(33))
        assert found[seat] + sum(panels[seat]) == len(own)
    position = read(view)
    mover = position.mover or 0
    for progress in set(pieces[mover]) & set(range(1, 32)):
        column, row = square_of(mover, progress)
        start = 8 * column + 1
        number, held = (lines[2 * row + i][start : start + 7] for i in (0, 1))
        assert number.split()[0] == str(1 if progress == 29 else progress)
        letter = "rygb"[mover] if progress == 29 else "RYGB"[mover]
        assert f"{letter}{pieces[mover].count(progress)}" in held


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_the_board_holds_every_piece(rules: dict[str, Any]) -> None:
    seen = 0
    for state in states(sarai.make("tshupu", **rules), games=5, every=2):
        check(fitting(state), state.view())
        seen += 1
    assert seen > 10
