"""What the text board reads of a view of Shuanglu."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sarai._render.board import Board

BOARD = Board(506, closer=68)

KINDS = ("red horses", "plain horses")


@dataclass(frozen=True)
class Position:
    """All that the board reads of a view."""

    phase: str
    player: int | None
    points: list[list[int]]
    bar: list[int]
    off: list[int]
    dice: list[int]
    turn: int
    winner: int | None
    points_won: int


def read(view: Mapping[str, Any]) -> Position:
    """The position of a view that a state has given."""
    return Position(**view["state"])
