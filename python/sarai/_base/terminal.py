"""What a terminal is given: no more columns than it can use, and no words that would control it."""

from __future__ import annotations

import os
from typing import TextIO

# What is printed is padded to the whole width: a table of 99,999,999 columns would take gigabytes.
_NARROWEST, _WIDEST = 20, 1000
_USUAL_ROWS = 24


def is_terminal(stream: TextIO | None) -> bool:
    """Whether somebody watches the stream; it is None in programs that have no console."""
    try:
        return stream is not None and stream.isatty()
    except (AttributeError, ValueError):  # it has no more than write(), or is closed
        return False


def size(stream: TextIO | None, usual: int = 80) -> os.terminal_size:
    """The columns and rows that a stream has: what COLUMNS and LINES say, else the terminal; always within bounds.

    Args:
        stream: Where something is printed; None is nowhere.
        usual: The columns of what is no terminal, or of one that does not tell.

    >>> size(None, usual=10**9).columns <= 1000
    True
    """
    try:
        measured = os.get_terminal_size(stream.fileno()) if stream is not None else None
    except (AttributeError, OSError, ValueError):  # it is no terminal, or no file at all
        measured = None
    columns = _told("COLUMNS") or (measured and measured.columns) or usual
    rows = _told("LINES") or (measured and measured.lines) or _USUAL_ROWS
    return os.terminal_size((max(_NARROWEST, min(columns, _WIDEST)), min(rows, _WIDEST)))


def _told(name: str) -> int:
    """The number in a variable of the environment; 0 where it holds none."""
    text = os.environ.get(name, "")
    # There are digits that int() does not take, and it takes only so many of them.
    return int(text[:9]) if text.isascii() and text.isdigit() else 0


def printable(words: str) -> str:
    r"""Words from outside; letters that would control a terminal, or that files must not have, as their escapes.

    >>> printable("a" + chr(27) + "[31m")
    'a\\x1b[31m'
    """
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in words)
