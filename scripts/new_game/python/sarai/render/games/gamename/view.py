"""The parts of a view that the drawings of Gamename need, and a position in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sarai.render import pieces

TRACK = 12
# What the player is to do, as shown under the board and as put in the description.
PHASES = {
    "roll": ("to throw the die", "is to throw the die"),
    "move": ("to move", "is to move"),
    "over": ("", "the game is over"),
}


@dataclass(frozen=True)
class Position:
    """All that the drawings read from a view."""

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


def headline(position: Position) -> str:
    """The position in a few words."""
    won = None if position.winner is None else f"player {position.winner} wins"
    return pieces.said(position.player, position.phase, PHASES, won)


def describe(position: Position) -> str:
    """The whole position in words, for people who cannot see the picture."""
    said = headline(position)
    parts = [f"A track of {TRACK} squares. {said[0].upper()}{said[1:]}."]
    if position.throw is not None:
        parts.append(f"Thrown: {position.throw}.")
    for player in (0, 1):
        squares = ", ".join(map(str, position.squares[player])) or "no square"
        parts.append(
            f"Player {player}: on {squares}, {position.hand[player]} in hand, {position.off[player]} off."
        )
    return " ".join(parts)
