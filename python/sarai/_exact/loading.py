"""Tables of exact values, ready to be asked."""

from __future__ import annotations

import os
from typing import SupportsIndex

from sarai._core import Game
from sarai._exact.tables import CACHE_MB, Tables, decisive, shipped
from sarai._game import as_game


def load(
    game: str | Game,
    path: str | os.PathLike[str] | None = None,
    *,
    check: bool = True,
    cache_mb: SupportsIndex = CACHE_MB,
) -> Tables:
    """The tables of Shah or one of its relatives, from the package or from a folder.

    Other games have none; use `solve_bear_off` and `solve_small`, which keep no files.

    Args:
        game: A game's name, or a game.
        path: The folder of tables; None for those of the package.
        check: Whether to check every file for damage now; otherwise each block is checked when it is read.
        cache_mb: The largest part of the tables to keep in memory, in MiB; see `Tables`.

    Raises:
        ValueError: There are no such tables, or one is damaged or of other rules.

    >>> import sarai
    >>> print(sarai.exact.load("shah").summary()[0])
    TableSummary(own=3, other=3, positions=2691920, won=1442044, lost=635752, drawn=614124, longest_win=39, ...)
    >>> sarai.exact.load("sho")
    Traceback (most recent call last):
    ...
    ValueError: there are no tables for 'sho', only for shah; sarai.exact.solve_bear_off and solve_small need none
    """
    book = as_game(game)
    folder = shipped(book) if path is None else path
    if folder is not None:
        return Tables(book, folder, check=check, cache_mb=cache_mb)
    try:
        decisive(book)
    except ValueError as error:
        raise ValueError(f"{error}; sarai.exact.solve_bear_off and solve_small need none") from None
    raise ValueError(
        f"no tables of {book!r} come with the package; make some with sarai.exact.solve, and give path="
    )
