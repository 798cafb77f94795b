"""What is read of a view of T'shu-p'u, and how a position is said in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sarai.render import pieces

COLOURS_OF_SEATS = ("red", "yellow", "green", "black")
PLACES = ("south", "west", "north", "east")
TEAM_LETTERS = "ABAB"
TEAMS = ("red and green", "yellow and black")
# Where on the loop a piece has come home, in its own column, in the centre and off.
ROUND = 29
CENTRAL = 32
OFF = 33
# What the player is asked for, as shown under the board and as said in the description.
PHASES = {
    "first": ("who begins?", "who begins is still to be drawn"),
    "roll": ("to throw the dice", "is to throw the dice"),
    "move": ("to play the dice", "is to play the dice"),
    "second": ("to play the other die", "is to play the other die"),
    "over": ("", "the game is over"),
}


@dataclass(frozen=True)
class Position:
    """All that the drawing reads of a view."""

    pieces: list[list[int]]
    end_crosscuts: bool
    partner_plays: bool
    phase: str
    player: int | None
    dice: list[int]
    moved: int | None
    turn: int
    winner: int | None

    @property
    def mover(self) -> int | None:
        """Whose pieces are moved: the player's own, or his partner's once his own are all off."""
        return None if self.player is None else self.whose(self.player)

    def whose(self, player: int) -> int:
        """The seat whose pieces that player moves."""
        finished = self.partner_plays and all(piece == OFF for piece in self.pieces[player])
        return (player + 2) % 4 if finished else player

    def count(self, seat: int, progress: int) -> int:
        """How many pieces of a seat have that progress."""
        return self.pieces[seat].count(progress)


def read(view: Mapping[str, Any]) -> Position:
    """The position of a view that a state has given."""
    rules = view["rules"]
    return Position(
        end_crosscuts=rules["crosscuts"] == "sides_and_ends",
        partner_plays=rules["finished_player"] == "partner_plays",
        **view["state"],
    )


def seat_name(seat: int) -> str:
    """A seat in words."""
    return f"player {seat}, {COLOURS_OF_SEATS[seat]}"


def headline(position: Position) -> str:
    """The position in a few words."""
    won = None if position.winner is None else f"{TEAMS[position.winner]} win"
    return pieces.said(position.player, position.phase, PHASES, won)


def place_name(progress: int) -> str:
    """Where a piece of that progress stands, in its owner's numbering."""
    return {0: "in hand", CENTRAL: "in the centre", OFF: "off"}.get(progress, f"on {progress}")


def describe(position: Position) -> str:
    """The whole position in words, for those who do not see the picture."""
    said = headline(position)
    parts = [f"A cross of 37 squares. {said[0].upper()}{said[1:]}."]
    if position.dice:
        parts.append(f"Dice to play: {', '.join(map(str, position.dice))}.")
    if position.mover != position.player:
        parts.append(f"The pieces of the partner, player {position.mover}, are moved.")
    if position.moved is not None:
        parts.append(f"Moved just now: the piece {place_name(position.moved)}.")
    for seat, own in enumerate(position.pieces):
        places = ", ".join(f"{own.count(p)} {place_name(p)}" for p in sorted(set(own)))
        parts.append(
            f"Player {seat} ({COLOURS_OF_SEATS[seat]}, {PLACES[seat]}, team {TEAM_LETTERS[seat]}): {places}."
        )
    return " ".join(parts)
