"""Games that are kept whole, as records, beside the arrays of a result."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from sarai._base import arguments
from sarai._core import Game, State
from sarai._playout import Run
from sarai._records.record import Record
from sarai._results import npz, validation
from sarai._results.result import Result

_K = TypeVar("_K", bound="Keeping")

MAX_KEPT = 1000
"""The most games of one rollout that are kept."""


@dataclass(frozen=True)
class Told:
    """What a result tells of a game, and its record must too.

    Attributes:
        begin: Where it began: a game, or a state.
        agents: One label per seat.
        seed: The seed.
        number: The number of the game.
        returns: (P,) the final score of each seat.
        winner: The side that won, -1 for a draw.
        length: Decisions.
    """

    begin: Game | State
    agents: tuple[str, ...]
    seed: int
    number: int
    returns: NDArray[np.float32]
    winner: int
    length: int


def begin(game: Game, start: str | None) -> Game | State:
    """Where games began that started in this state; None is the usual start."""
    return game if start is None else game.parse(start)


def rows(keep: Iterable[int], num_games: int) -> list[int]:
    """The rows to keep, in the order given.

    Raises:
        TypeError: They are no whole numbers.
        ValueError: One is out of range or stands twice, or there are too many.
    """
    if isinstance(keep, (str, bytes)) or not isinstance(keep, Iterable):
        raise TypeError(f"keep must be a list of the rows to keep, not {type(keep).__name__}")
    num_games = arguments.whole("num_games", num_games)
    if num_games < 1:
        return []  # the engine refuses it in its own words
    found: list[int] = []
    for given in keep:
        if len(found) == MAX_KEPT:
            raise ValueError(
                f"keep has more than {MAX_KEPT:,} rows, the most of one rollout: keep fewer, or split it"
            )
        row = arguments.whole("every row in keep", given)
        if not 0 <= row < num_games:
            last = num_games - 1
            raise ValueError(
                f"keep has {arguments.in_words(row)}; the rows of {num_games} games are 0 to {last}"
            )
        found.append(row)
    if len(set(found)) < len(found):
        twice = next(row for place, row in enumerate(found) if row in found[:place])
        raise ValueError(f"keep has the row {twice} twice; give each row once")
    return found


def check_labels(run: Run) -> None:
    """Refuse, before the games are played, agents whose labels no record takes.

    Raises:
        ValueError: A label is too long.
    """
    # How many agents there must be is the engine's to say.
    if len(run.agents) == run.game.num_players:
        Record.from_steps(run.game, [], agents=run.labels)


def records(run: Run, rows: Iterable[int], paths: Mapping[int, NDArray[np.int32]]) -> dict[int, Record]:
    """The records of the rows that were to be kept, in this order.

    Raises:
        ValueError: A game is longer than a record may be.
    """
    where, first = begin(run.game, run.start_text), operator.index(run.first)
    return {
        row: Record.from_steps(
            where, paths[row].tolist(), seed=run.seed, number=first + row, agents=run.labels
        )
        for row in rows
    }


def _check(records: Mapping[int, Record], games: int, told_of: Callable[[int], Told]) -> None:
    """Refuse what is no record of the game in its row.

    Raises:
        TypeError: They are no dict.
        ValueError: With the row.
    """
    if not isinstance(records, Mapping):
        raise TypeError(f"records must be a dict of records, not {type(records).__name__}")
    for row, record in records.items():
        if not isinstance(record, Record) or type(row) is not int or not 0 <= row < games:
            raise ValueError(
                f"records must have a Record for rows from 0 to {games - 1}, not {arguments.short(row)}"
            )
        if not _tells(record, told_of(row)):
            raise ValueError(f"records[{row}] is not of the game in row {row}: it is {record!r}")


def _tells(record: Record, told: Told) -> bool:
    """Whether a record is of a game that began and ended so."""
    start = told.begin if isinstance(told.begin, State) else None
    game = told.begin.get_game() if isinstance(told.begin, State) else told.begin
    said = (record.game, record.start, record.agents, record.seed, record.number)
    decisions = sum(step.player >= 0 for step in record.steps)
    return (
        said == (game, start, told.agents, told.seed, told.number)
        and record.returns is not None
        and np.array_equal(told.returns, np.array(record.returns, np.float32))
        and record.winner == told.winner
        and decisions == told.length
    )


def _unpacked(
    arrays: Mapping[str, NDArray[Any]], games: int, told_of: Callable[[int], Told]
) -> dict[int, Record]:
    """The records of a file; every one is replayed.

    Raises:
        ValueError: A row stands twice or there is no such game, or a step is not legal.
    """
    where, offsets, steps = (arrays[f"records.{name}"] for name in ("rows", "offsets", "steps"))
    validation.check_offsets("records.offsets", offsets, len(steps), "step")
    validation.check_range("records.rows", where, 0, games - 1)
    if len(set(where.tolist())) < len(where):
        raise ValueError("records.rows has a row twice")
    found = {}
    for place, row in enumerate(where.tolist()):
        ids = steps[offsets[place] : offsets[place + 1]].tolist()
        told = told_of(row)
        found[row] = Record.from_steps(
            told.begin, ids, seed=told.seed, number=told.number, agents=told.agents
        )
    return found


class Keeping(Result, kind="", rows={}, along=""):
    """A result with a field `records`. Games are numbered through all of the result, from 0 on."""

    def __post_init__(self) -> None:
        super().__post_init__()
        _check(self._kept(), self._num_played(), self._told_of)

    def _kept(self) -> Mapping[int, Record]:
        """The records by the number of the game."""
        raise NotImplementedError

    def _with_records(self: _K, records: dict[int, Record]) -> _K:
        """The same with other records."""
        raise NotImplementedError

    def _num_played(self) -> int:
        """How many games there are."""
        raise NotImplementedError

    def _told_of(self, game: int) -> Told:
        """What a record of that game must say."""
        raise NotImplementedError

    def _with(self: _K, changed: dict[str, Any]) -> _K:
        return replace(self, **{**changed, "records": {}})

    def _cut(self: _K, rows: slice) -> _K:
        part = super()._cut(rows)
        begin = part._first() - self._first()
        records = {row - begin: one for row, one in self._kept().items() if 0 <= row - begin < len(part)}
        return part._with_records(records)

    @classmethod
    def _joined(cls: type[_K], parts: list[_K], **changed: Any) -> _K:
        before = parts[0]._first()
        records = {part._first() - before + row: one for part in parts for row, one in part._kept().items()}
        return super()._joined(parts, **changed)._with_records(records)

    @classmethod
    def _axes(cls) -> list[str]:
        return [*super()._axes(), "record", "step"]

    @classmethod
    def _layout(cls, game: Game, lengths: Mapping[str, int]) -> npz.Layout:
        return {
            **super()._layout(game, lengths),
            "records.rows": (np.int64, (lengths["record"],)),
            "records.offsets": (np.int64, (lengths["record"] + 1,)),
            "records.steps": (np.int32, (lengths["step"],)),
        }

    def _stored(self) -> tuple[dict[str, int], dict[str, NDArray[Any]]]:
        records = self._kept()
        steps = [step.id for record in records.values() for step in record.steps]
        rows = {axis: self._lengths[axis] for axis in super()._axes()}
        return {**rows, "record": len(records), "step": len(steps)}, {
            **self._members(),
            "records.rows": np.array(list(records), np.int64),
            "records.offsets": np.cumsum([0, *map(len, records.values())], dtype=np.int64),
            "records.steps": np.array(steps, np.int32),
        }

    def _restored(self: _K, found: dict[str, NDArray[Any]]) -> _K:
        return self._with_records(_unpacked(found, self._num_played(), self._told_of))
