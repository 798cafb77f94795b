"""What the text board reads of a view of Sho."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sarai._render.board import Board

BOARD = Board(600, pad=True)

LETTERS = "ABCD"
"""What the sides are called by."""


@dataclass(frozen=True)
class Side:
    """One side of the state."""

    index: int
    seats: list[int]
    hand: int
    off: int
    stacks: dict[int, int]
    cleared: bool

    @property
    def letter(self) -> str:
        """What the side is called by."""
        return LETTERS[self.index]

    @property
    def players(self) -> str:
        """Its players in words."""
        return f"player{'s' if len(self.seats) > 1 else ''} {', '.join(map(str, self.seats))}"


@dataclass(frozen=True)
class Position:
    """All that the board reads of a view."""

    num_shells: int
    sides: list[Side]
    pool: list[int]
    six_three_roll: bool
    value: int | None
    moved: int | None
    turn: int


def read(view: Mapping[str, Any]) -> Position:
    """The position of a view that a state has given."""
    state = view["state"]
    sides = [
        Side(
            index,
            [seat for seat, side in enumerate(view["sides"]) if side == index],
            side["hand"],
            side["off"],
            dict(sorted((int(place), count) for place, count in side["stacks"].items())),
            side["cleared"],
        )
        for index, side in enumerate(state["sides"])
    ]
    names = ("pool", "six_three_roll", "value", "moved", "turn")
    return Position(view["rules"]["num_shells"], sides, **{name: state[name] for name in names})


def place_name(position: Position) -> str:
    """What moved just now, in words."""
    off = position.moved is not None and position.moved >= position.num_shells
    return "a stack that went off" if off else f"the stack on {position.moved}"
