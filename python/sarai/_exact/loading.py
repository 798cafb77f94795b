"""What is known for certain of a game, ready to be asked."""

from __future__ import annotations

import os
from typing import Literal, SupportsIndex, TypeAlias, overload

from sarai._core import Game
from sarai._exact.bear_off import BearOff, solve_bear_off
from sarai._exact.tables import CACHE_MB, Tables, decisive, shipped
from sarai._game import as_game

# What a type checker is told of games by their plain names; which of the two others have, only the engine knows.
WithTables: TypeAlias = Literal["shah"]
WithBearOff: TypeAlias = Literal["shuanglu"]


@overload
def load(
    game: str | Game,
    path: str | os.PathLike[str],
    *,
    check: bool = True,
    cache_mb: SupportsIndex = CACHE_MB,
) -> Tables: ...
@overload
def load(
    game: WithTables,
    path: None = None,
    *,
    check: bool = True,
    cache_mb: SupportsIndex = CACHE_MB,
) -> Tables: ...
@overload
def load(
    game: WithBearOff,
    path: None = None,
    *,
    check: bool = True,
    cache_mb: SupportsIndex = CACHE_MB,
) -> BearOff: ...
@overload
def load(
    game: str | Game,
    path: None = None,
    *,
    check: bool = True,
    cache_mb: SupportsIndex = CACHE_MB,
) -> Tables | BearOff: ...
def load(
    game: str | Game,
    path: str | os.PathLike[str] | None = None,
    *,
    check: bool = True,
    cache_mb: SupportsIndex = CACHE_MB,
) -> Tables | BearOff:
    """What the package knows of a game for certain, or the tables of a folder.

    Of Shah and its relatives these are tables. Of Shuanglu and backgammon it is the bear-off, which takes no file: it
    is solved here, in a second or two, as by `solve_bear_off`. A type checker knows which from a path or a game's plain
    name; for any other game ask `isinstance`.

    Args:
        game: A game's name, or a game.
        path: The folder of tables; None for what comes with the package.
        check: Whether every file is looked through for damage at once: False leaves that to when a block is read.
        cache_mb: How many MiB of the tables are kept in memory at most; see `Tables`.

    Raises:
        ValueError: Nothing of this game is known, or there are no such tables, or one is damaged or of other rules.

    >>> import sarai
    >>> print(sarai.exact.load("shah").summary()[0])
    TableSummary(own=3, other=3, positions=2691920, won=1442044, lost=635752, drawn=614124, longest_win=39, ...)
    >>> sarai.exact.load("shuanglu").turns((1, 0, 0, 0, 0, 0)) * 11
    36.0
    >>> sarai.exact.load("sho")
    Traceback (most recent call last):
    ...
    ValueError: there are no tables of 'sho'; there are of shah; 'sho' has no bear-off; it is solved of shuanglu; ...
    """
    book = as_game(game)
    folder = shipped(book) if path is None else path
    if folder is not None:
        return Tables(book, folder, check=check, cache_mb=cache_mb)
    try:
        decisive(book)
    except ValueError as no_tables:
        # Of no rules of this game.
        try:
            return solve_bear_off(book)
        except ValueError as no_bear_off:
            raise ValueError(
                f"{no_tables}; {no_bear_off}; sarai.exact.solve_small solves what is small"
            ) from None
    raise ValueError(
        f"no tables of {book!r} come with the package; make some with sarai.exact.solve, and give path="
    )
