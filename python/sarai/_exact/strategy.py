"""A winner's strategy: made from tables, and checked by the rules alone."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any, SupportsIndex

from sarai import _core
from sarai._base import arguments
from sarai._base.progress import check_callback
from sarai._core import Game
from sarai._exact.tables import CACHE_MB, Tables, Tell, game_of_fingerprint


@dataclass(frozen=True)
class Strategy:
    """A strategy that wins from the start of the game, whatever the other side does."""

    game: Game
    """The game; the win depends on all of its rules but the limits and who begins."""
    first: bool
    """Whether the side that begins the game wins."""
    levels: tuple[int, ...]
    """How many positions can arise in which the winner has its first turn, its second, and so on. Symmetric positions
    are counted once."""
    answers: int
    """How many answers of the other side were followed."""

    @property
    def positions(self) -> int:
        """How many positions there are in all."""
        return sum(self.levels)

    def __str__(self) -> str:
        winner = "first" if self.first else "second"
        return (
            f"the {winner} player wins {self.game.name} in at most {len(self.levels)} turns of its own, whatever the "
            f"other does: {self.positions:,} positions, {self.answers:,} answers"
        )


def write_strategy(
    tables: Tables,
    path: str | os.PathLike[str],
    *,
    cache_mb: SupportsIndex = CACHE_MB,
    num_threads: SupportsIndex | None = None,
    tell: Tell | None = None,
) -> Strategy:
    """Write a winning strategy for the side that wins the game: a turn for each position that it can come to.

    Of the turns that win as soon as possible, it takes one that leads to few new positions.

    Args:
        tables: Tables of the whole game, from the empty board.
        path: The file to write, or to replace.
        cache_mb: The largest part of the tables to keep in memory, in MiB, 0 to 1,048,576.
        num_threads: The number of threads; None uses all processors. It changes only the speed.
        tell: Called with each level, a dict with the keys "level", "positions" and "bytes".

    Raises:
        ValueError: Neither side can force a win, the tables lack a position, or the file cannot be written.
        TypeError: An argument has the wrong type.

    >>> import tempfile, sarai
    >>> game = sarai.make("shah", pieces=3, opening_removals="none")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = sarai.exact.solve(game, (3, 3), folder, progress=False)
    ...     tables = sarai.exact.solve(game, None, folder, placing=True, progress=False)
    ...     written = write_strategy(tables, f"{folder}/shah.strategy")
    ...     print(verify_strategy(f"{folder}/shah.strategy"))
    the second player wins shah in at most 4 turns of its own, whatever the other does: ...
    """
    if not isinstance(tables, Tables):
        raise TypeError(f"tables must be sarai.exact.Tables, not {arguments.short(tables)}")
    check_callback("tell", tell)
    found = _core.exact_write_strategy(
        tables.game,
        os.fspath(tables),
        arguments.path(path),
        cache_mb=cache_mb,
        num_threads=num_threads,
        tell=_hearing(tell),
    )
    return _strategy(tables.game, found)


def verify_strategy(
    path: str | os.PathLike[str],
    *,
    num_threads: SupportsIndex | None = None,
    tell: Tell | None = None,
) -> Strategy:
    """Check that a strategy wins, by playing its turns against every answer; this needs no tables.

    The file has turns and no positions: each level of positions is made by the rules from the one before, so a strategy
    that passes is a proof that its side wins, in at most as many turns of its own as there are levels.

    Args:
        path: A file of `write_strategy`.
        num_threads: The number of threads; None uses all processors.
        tell: Called with each level, a dict with the keys "level" and "positions".

    Raises:
        ValueError: The file cannot be read, is no strategy or is damaged, or the strategy does not win.
        TypeError: An argument has the wrong type.
    """
    check_callback("tell", tell)
    file = arguments.path(path)
    fingerprint = _core.exact_strategy_fingerprint_json(file)
    try:
        game = game_of_fingerprint(json.loads(fingerprint))
    except (ValueError, LookupError, TypeError) as error:
        raise ValueError(f"{file} is of no game with such rules: {arguments.short(fingerprint)}") from error
    return _strategy(
        game, _core.exact_verify_strategy(game, file, num_threads=num_threads, tell=_hearing(tell))
    )


def _hearing(tell: Tell | None) -> Any:
    return lambda text: None if tell is None else tell(json.loads(text))


def _strategy(game: Game, text: str) -> Strategy:
    found = json.loads(text)
    return Strategy(game, found["first"], tuple(found["levels"]), found["answers"])
