"""Positions of Gamename from the pieces that a person sees, and the throw."""

from __future__ import annotations

from typing import Any

import pytest

import sarai
from helpers import seen


def keywords(state: dict[str, Any]) -> dict[str, Any]:
    """What a person sees of a state."""
    own = state["player"] or 0
    sides = [
        " ".join([*map(str, squares), *([f"off:{off}"] if off else [])])
        for squares, off in zip(state["squares"], state["off"], strict=True)
    ]
    found = {"player": state["player"], "own": sides[own], "other": sides[1 - own], "throw": state["throw"]}
    if state["phase"] == "over" and state["winner"] is None:
        found["turn"] = state["turn"]
    return found


@pytest.mark.parametrize("preset", sarai.presets("gamename"))
def test_what_is_seen_of_games(preset: str) -> None:
    seen.check(sarai.make("gamename", preset=preset), keywords, {"turn"})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"own": "13"}, "own has '13'; it takes squares from 1 to 12, and off with a number"),
        ({"own": "3 3"}, "own has 3 twice"),
        ({"own": "3", "other": "3"}, "both players stand on square 3"),
        ({"own": "1 2 3 4 5"}, "player 0 has 5 pieces, not 4"),
        ({"own": "off:4", "throw": 1}, "the game is over in this position, so leave throw out"),
    ],
)
def test_what_contradicts_the_rules_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        sarai.make("gamename").position(**given)
