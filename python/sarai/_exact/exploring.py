"""The moves of a position as a table: those that a symmetry makes the same are one row."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sarai._core import State
from sarai._exact.shown import Shown
from sarai._tables.columns import Table, of_rows
from sarai._tables.tabular import Tabular

_IMAGES, _REPLIES = 7, 4
"""How many names of each a row shows."""


class ExploredMove(NamedTuple):
    """A move and its images under the symmetries of the position, with their value for the player to act."""

    action: int
    """Its id."""
    name: str
    """Its name."""
    images: tuple[str, ...]
    """The names of the other moves that a symmetry of the position makes the same."""
    value: int
    """1 won, 0 drawn, -1 lost."""
    turns: int | None
    """The turns to the end, this one counted; None in a draw, and where the tables have values alone."""
    replies: tuple[str, ...]
    """The best next actions, one of those that are the same: replies, or captures of the same turn; () at the end."""


class Exploration(list[ExploredMove], Shown, Tabular, by=("move",)):
    """A row for each move up to symmetry, best first; shown as a table, which `to_pandas` makes one for other tools."""

    _TEXTS = 4

    def __init__(self, rows: Iterable[ExploredMove], state: State) -> None:
        super().__init__(rows)
        self.state = state.clone()

    def _table(self, by: str) -> Table:
        first = {"game": str(self.state.get_game()), "position": str(self.state)}
        rows = [
            {**first, **row._asdict(), "images": " ".join(row.images), "replies": " ".join(row.replies)}
            for row in self
        ]
        return of_rows("explored", rows, first)

    def cells(self) -> list[list[str]]:
        """The header and the rows, as texts."""
        cells = [["move", "images", "value", "best replies"]]
        for row in self:
            value = outcome(row.value, row.turns)
            cells.append([row.name, _names(row.images, _IMAGES), value, _names(row.replies, _REPLIES)])
        return cells


def outcome(value: int, turns: int | None) -> str:
    """What a value says of who acts.

    >>> outcome(1, 7), outcome(-1, 1), outcome(0, None)
    ('wins in 7 turns', 'loses in 1 turn', 'draws')
    """
    verb = ("draws", "wins", "loses")[value]
    if turns is None:
        return verb
    return f"{verb} in {turns} turn{'s' * (turns != 1)}"


def _names(names: tuple[str, ...], most: int) -> str:
    return " ".join(names[:most]) + " …" * (len(names) > most)
