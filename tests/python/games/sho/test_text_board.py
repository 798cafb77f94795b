"""The text board of Sho: every piece is where it should be."""

from __future__ import annotations

import re
from typing import Any

import pytest

import sarai
from helpers.boards import fitting, states

# Beside the presets the widest rules and the shortest track.
RULES: list[dict[str, Any]] = [
    *({"preset": preset} for preset in sarai.presets("sho")),
    {"players": 4},
    {"players": 4, "teams": True},
    {"num_shells": 5, "coins": 1},
]


def check(lines: list[str], view: dict[str, Any]) -> None:
    sides = view["state"]["sides"]
    track = lines[2 : -len(sides) - 1]
    found: dict[int, tuple[str, int]] = {}
    places = 0
    for numbers, stacks in zip(track[::3], track[1::3], strict=True):
        for start in range(0, len(numbers), 4):
            number, stack = numbers[start : start + 3].strip(), stacks[start : start + 3].strip()
            if number.isdigit():
                places += 1
                assert int(number) == places
                assert stack
                if stack != ".":
                    found[places] = (stack[0], int(stack[1:]))
    assert places == view["rules"]["num_shells"] - 1
    expected = {
        int(place): ("ABCD"[i], count)
        for i, side in enumerate(sides)
        for place, count in side["stacks"].items()
    }
    assert found == expected
    for side, line in zip(sides, lines[-len(sides) :], strict=True):
        counts = re.search(r"(\d+) in hand, +(\d+) on the track, +(\d+) off", line)
        assert counts is not None
        assert [int(n) for n in counts.groups()] == [
            side["hand"],
            sum(side["stacks"].values()),
            side["off"],
        ]
    moved = view["state"]["moved"]
    assert "\n".join(track).count("!") == (moved in expected)


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_the_board_holds_every_piece(rules: dict[str, Any]) -> None:
    seen = 0
    for state in states(sarai.make("sho", **rules), games=5, every=2):
        check(fitting(state), state.view())
        seen += 1
    assert seen > 10
