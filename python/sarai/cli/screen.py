"""Boards and moves on a terminal of 80 columns, with and without colour."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.text import Text

from sarai._core import State
from sarai.render import text

WIDTH = text.COLUMNS

# One a side or player, in the order of the letters. Letters tell the pieces apart; colour only helps.
_STYLES = ("bold red", "bold yellow", "bold green", "bold cyan")


def make_console(no_color: bool) -> Console:
    """Where the boards go: stdout, in colour only if it is a terminal and colour is wanted."""
    return Console(
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=True,
        color_system=None if no_color else "auto",
    )


def board(state: State) -> Text:
    """The text board of a position, its pieces in colour.

    Raises:
        ValueError: The game has no text board.
    """
    view = state.view()
    shown = Text("\n".join(text.board(view)))
    for letter, style in zip(text.piece_letters(view["game"]), _STYLES, strict=False):
        # A letter in a word is no piece; small ones are pieces only with a number.
        pattern = rf"(?<![A-Za-z]){letter}(\d+|(?![A-Za-z\d]))|(?<![A-Za-z]){letter.lower()}\d+"
        shown.highlight_regex(re.compile(pattern), style)
    return shown


def columns(entries: Sequence[str], most: int | None = None) -> list[str]:
    """Entries side by side in columns of one width; with `most` at most that many lines, the last says so.

    >>> columns(["1 hand/6", "2 6/12"])
    ['1 hand/6  2 6/12']
    """
    cell = max(map(len, entries), default=0) + 2
    across = max(1, WIDTH // cell)
    rows = [entries[i : i + across] for i in range(0, len(entries), across)]
    lines = ["".join(entry.ljust(cell) for entry in row).rstrip() for row in rows]
    if most is not None and len(lines) > most:
        lines[most - 1 :] = ["... (type 'legal' for all)"]
    return lines


def legal_moves(names: Iterable[str], most: int | None = None) -> list[str]:
    """The legal moves with their numbers."""
    return columns([f"{number} {name}" for number, name in enumerate(names, 1)], most)
