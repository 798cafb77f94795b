"""Boards and moves on a terminal of 80 columns, with and without colour."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import TextIO

from rich.console import Console
from rich.text import Text

from sarai._base import terminal
from sarai._core import State
from sarai._render import text

WIDTH = text.COLUMNS

_MORE = "... (type 'legal' for all)"

# One a side or player, in the order of the letters. Letters tell the pieces apart; colour only helps.
_STYLES = ("bold red", "bold yellow", "bold green", "bold cyan")


def make_console(no_color: bool) -> Console:
    """Where the boards go: stdout, in colour only if it is a terminal and colour is wanted."""
    columns, rows = terminal.size(sys.stdout)
    return Console(
        width=columns,
        height=rows,
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
    shown = Text("\n".join(text.board(state)))
    for letter, style in zip(text.piece_letters(state.get_game().name), _STYLES, strict=False):
        # A letter in a word is no piece; small ones are pieces only with a number.
        pattern = rf"(?<![A-Za-z]){letter}(\d+|(?![A-Za-z\d]))|(?<![A-Za-z]){letter.lower()}\d+"
        shown.highlight_regex(re.compile(pattern), style)
    return shown


def wrapped(lines: Iterable[str]) -> list[str]:
    """Lines of words, none longer than the screen is wide."""
    return [part for line in lines for part in textwrap.wrap(line, WIDTH, subsequent_indent="  ")]


def rows() -> int:
    """How many rows there are for a board and what belongs to it, the prompt's not counted."""
    return terminal.size(sys.stdout).lines - 1


def printable(words: str, stream: TextIO | None = None) -> str:
    r"""Words from outside as a stream, stdout or another one, can show them, without what would control a terminal.

    >>> printable("a" + chr(27) + "[31m")
    'a\\x1b[31m'
    """
    encoding = getattr(stream or sys.stdout, "encoding", None) or "ascii"
    return terminal.printable(words).encode(encoding, "backslashreplace").decode(encoding)


def columns(entries: Sequence[str], most: int | None = None) -> list[str]:
    """Entries side by side in columns of one width; with `most` at most that many lines, the last says if it is cut.

    >>> columns(["1 hand/6", "2 6/12"])
    ['1 hand/6  2 6/12']
    >>> columns(["1 hand/6", "2 6/12"] * 10, most=1)
    ["1 hand/6  2 6/12    1 hand/6  2 6/12    1 hand/6  ... (type 'legal' for all)"]
    """
    cell = max(map(len, entries), default=0) + 2
    across = max(1, WIDTH // cell)
    rows = [entries[i : i + across] for i in range(0, len(entries), across)]
    cut = most is not None and len(rows) > most
    if cut:
        rows = rows[:most]
        rows[-1] = [*rows[-1][: (WIDTH - len(_MORE)) // cell], _MORE]
    return ["".join(entry.ljust(cell) for entry in row).rstrip() for row in rows]


def legal_moves(names: Iterable[str], most: int | None = None) -> list[str]:
    """The legal moves with their numbers."""
    return columns([f"{number} {name}" for number, name in enumerate(names, 1)], most)
