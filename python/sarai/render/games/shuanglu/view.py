"""What is read of a view of Shuanglu, and how a position is said in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sarai.render import pieces

PIECES = 15
KINDS = ("red horses", "plain horses")
# What the player is asked for, as shown under the board and as said in the description.
PHASES = {
    "opening": ("each throws one die", "each is to throw one die for the first turn"),
    "roll": ("to throw the dice", "is to throw the dice"),
    "move": ("to play the dice", "is to play the dice"),
    "over": ("", "the game is over"),
}


@dataclass(frozen=True)
class Position:
    """All that the drawing reads of a view."""

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


def headline(position: Position) -> str:
    """The position in a few words."""
    won = None if position.winner is None else f"player {position.winner} wins {gain(position)}"
    return pieces.said(position.player, position.phase, PHASES, won)


def gain(position: Position) -> str:
    """How many points were won, in words."""
    return f"{position.points_won} point{'s' if position.points_won > 1 else ''}"


def horses(count: int) -> str:
    """So many horses, in words."""
    return f"{count} horse{'' if count == 1 else 's'}"


def describe(position: Position) -> str:
    """The whole position in words, for those who do not see the picture."""
    said = headline(position)
    parts = [f"A tray with 24 points. {said[0].upper()}{said[1:]}."]
    if position.dice:
        parts.append(f"Dice to play: {', '.join(map(str, position.dice))}.")
    for player in (0, 1):
        held = ", ".join(f"{n} on {24 - i}" for i, n in enumerate(reversed(position.points[player])) if n)
        parts.append(
            f"Player {player} ({KINDS[player]}, in his own numbering): {held or 'none on points'}, "
            f"{position.bar[player]} on the bar, {position.off[player]} off."
        )
    return " ".join(parts)
