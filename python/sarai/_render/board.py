"""Where the board of a game is in its picture, apart from the panels beside it."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

from sarai._render import games


@dataclass(frozen=True)
class Board:
    """The part of a picture that is the board: all above `bottom`, except for corners that are panels.

    Lengths are in the units of the picture. Each game has its own as `BOARD` in `_render/games/GAME/view.py`.
    """

    bottom: float
    closer: float = 0.0
    """How much nearer the bottom is where the places are not named; half of it lies above the board."""
    corners: tuple[float, float] | None = None
    """The range outside of which, across and down, a point lies in a corner."""
    pad: bool = False
    """Whether words stand on a round pad, a group that begins with its two circles."""

    @classmethod
    def of(cls, game: str) -> Board:
        """The board of the game with this name."""
        board: Board = import_module(f"{games.__name__}.{game}.view").BOARD
        return board

    def has(self, x: float, y: float) -> bool:
        """Whether a point is on the board."""
        if self.corners is not None:
            near, far = self.corners
            if not (near < x < far or near < y < far):
                return False
        return y < self.bottom
