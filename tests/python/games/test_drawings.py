"""What is drawn of positions that games seldom come to: the file drawings.txt of a game says it of each.

A record begins with a position: its options where they differ from the defaults, and its text. What follows are the
position and the moves in words, and digests of pictures, of the places on the board, and of the text board.
`UPDATE_GOLDEN=1 python -m pytest tests/python/games/test_drawings.py` writes all of that anew after a change that was
meant; with the name of a game in place of 1, that of the game.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sarai
from sarai._render.text import board
from sarai.render import draw, scene

FILES = sorted(Path(__file__).parent.glob("*/drawings.txt"))
# What moves are worth, for the game that shows it.
WORTH = [(1, 3), (0, None), (-1, 8), (1, None)]


def digest(what: Any) -> str:
    return hashlib.sha256(json.dumps(what).encode()).hexdigest()[:8]


def moved(move: dict[str, Any], points: list[dict[str, Any]]) -> str:
    places = ", ".join(points[place]["name"] for place in move["places"])
    return f"{move['name']}: {move['words']}" + (f" [{places}]" if places else "")


def drawn(state: sarai.State) -> Iterator[str]:
    """What a record says of a position."""
    shown = scene(state)
    moves = "; ".join(moved(move, shown["points"]) for move in shown["moves"])
    yield f"{shown['description']} {moves}".rstrip()
    names = [move["name"] for move in shown["moves"]]
    marks: dict[str, Any] = {"legal": names, "last": (shown["player"], names[-1])} if names else {}
    if state.get_game().name == "shah":
        marks["values"] = dict(zip(names, WORTH, strict=False))
    for point in shown["points"]:
        point.update((key, round(point[key], 2)) for key in ("x", "y", "r"))
    parts = {
        "light": draw(state),
        "dark": draw(state, theme="dark", coordinates=False, size=300),
        "marked": draw(state, **marks),
        "turned": draw(state, **marks, orientation=state.num_players() - 1),
        "places": shown["points"],
        "text": board(state.view()),
    }
    yield ", ".join(f"{name} {digest(part)}" for name, part in parts.items())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_positions_are_drawn_as_written_down(path: Path) -> None:
    name, text = path.parent.name, path.read_text(encoding="utf-8")
    found = ""
    for first in (line for line in text.splitlines() if line.startswith("{")):
        rules, end = json.JSONDecoder().raw_decode(first)
        state = sarai.make(name, rules=rules).parse(first[end + 1 :])
        found += "".join(f"{line}\n" for line in [first, *drawn(state)])
    if os.environ.get("UPDATE_GOLDEN") in ("1", name):
        path.write_text(found, encoding="utf-8", newline="\n")
    else:
        assert found.splitlines() == text.splitlines()
