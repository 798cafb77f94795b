"""What is read of a view of T'shu-p'u."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sarai._render.board import Board

BOARD = Board(600, corners=(194, 406))

COLOURS_OF_SEATS = ("red", "yellow", "green", "black")
PLACES = ("south", "west", "north", "east")
TEAMS = ("red and green", "yellow and black")
# Where on the loop a piece has come home, in its own column, in the centre and off.
ROUND = 29
CENTRAL = 32
OFF = 33
# What the player is asked for.
PHASES = {
    "first": "who begins?",
    "roll": "to throw the dice",
    "move": "to play the dice",
    "second": "to play the other die",
    "over": "",
}


@dataclass(frozen=True)
class Position:
    """All that the text board reads of a view."""

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
