"""The parts of a view that the text board of Gamename needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sarai._render.board import Board

BOARD = Board(600)

TRACK = 12


@dataclass(frozen=True)
class Position:
    """All that the text board reads from a view."""

    phase: str
    player: int | None
    hand: list[int]
    off: list[int]
    squares: list[list[int]]
    throw: int | None
    turn: int
    winner: int | None


def read(view: Mapping[str, Any]) -> Position:
    """Read the position from the view of a state."""
    return Position(**view["state"])
