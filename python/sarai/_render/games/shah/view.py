"""What is read of a view of Shah."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sarai._render.board import Board

BOARD = Board(600)

# The points by index, row by row from the top.
NAMES = [
    "a7", "d7", "g7", "b6", "d6", "f6", "c5", "d5", "e5", "a4", "b4", "c4",
    "e4", "f4", "g4", "c3", "d3", "e3", "b2", "d2", "f2", "a1", "d1", "g1",
]  # fmt: skip
# The sixteen lines of three points.
LINES = [
    (0, 1, 2), (3, 4, 5), (6, 7, 8), (9, 10, 11), (12, 13, 14), (15, 16, 17), (18, 19, 20), (21, 22, 23),
    (0, 9, 21), (3, 10, 18), (6, 11, 15), (1, 4, 7), (16, 19, 22), (8, 12, 17), (5, 13, 20), (2, 14, 23),
]  # fmt: skip


@dataclass(frozen=True)
class Position:
    """All that the text board reads of a view."""

    pieces: int
    phase: str
    player: int | None
    board: str
    hand: tuple[int, int]
    beginner: int | None
    opening_removals: int
    extra: bool
    lifted: int | None
    no_capture: int
    turn: int
    winner: int | None

    def on_board(self, player: int) -> int:
        """The player's stones on the board, a lifted one among them."""
        lifted = self.lifted is not None and self.player == player
        return self.board.count(str(player)) + lifted

    def lost(self, player: int) -> int:
        """How many stones the player has lost."""
        return self.pieces - self.hand[player] - self.on_board(player)

    @property
    def mills(self) -> list[tuple[int, int, int]]:
        """The lines that hold three stones of one player."""
        return [line for line in LINES if "".join(self.board[i] for i in line) in ("000", "111")]


def read(view: Mapping[str, Any]) -> Position:
    """The position of a view that a state has given."""
    return Position(pieces=view["rules"]["pieces"], **view["state"])
