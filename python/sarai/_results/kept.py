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
from sarai._results.result import ArrayResult

_K = TypeVar("_K", bound="HasRecords")

MAX_KEPT = 1000
"""The most games of one rollout that are kept."""


@dataclass(frozen=True)
class Expected:
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


def _tells(record: Record, told: Expected) -> bool:
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
    arrays: Mapping[str, NDArray[Any]], games: int, expected: Callable[[int], Expected]
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
        told = expected(row)
        found[row] = Record.from_steps(
            told.begin, ids, seed=told.seed, number=told.number, agents=told.agents
        )
    return found


class HasRecords(ArrayResult, kind="", rows={}, along=""):
    """A result with a field `records`, by the places that games have in `winner`.

    Here games are numbered through all of the result, from 0 on.
    """

    winner: NDArray[np.int8]
    records: Mapping[Any, Record]

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.records, Mapping):
            raise TypeError(f"records must be a dict of records, not {type(self.records).__name__}")
        shape = self.winner.shape
        for place, record in self.records.items():
            where = _where(place)
            if list(map(type, where)) != [int] * len(shape) or not all(
                0 <= at < length for at, length in zip(where, shape, strict=True)
            ):
                raise ValueError(f"records has {arguments.short(place)}, and there is no such game")
            if not isinstance(record, Record) or not _tells(
                record, self._expected(int(np.ravel_multi_index(where, shape)))
            ):
                raise ValueError(f"records[{place}] is not of the game in row {place}: it is {record!r}")

    def _kept(self) -> dict[int, Record]:
        """The records by the number of the game."""
        shape = self.winner.shape
        return {int(np.ravel_multi_index(_where(place), shape)): one for place, one in self.records.items()}

    def _with_records(self: _K, records: dict[int, Record]) -> _K:
        """The same with other records."""
        shape = self.winner.shape
        places = (tuple(map(int, np.unravel_index(game, shape))) for game in records)
        by_place = zip(places, records.values(), strict=True)
        return replace(self, records={place if len(shape) > 1 else place[0]: one for place, one in by_place})  # type: ignore[call-arg]

    def _expected(self, game: int) -> Expected:
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
        joined = super()._joined(parts, **changed)
        records = {
            _later(place, part._first() - joined._first()): record
            for part in parts
            for place, record in part.records.items()
        }
        return replace(joined, records=records)  # type: ignore[call-arg]  # each of these classes has it

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
        return self._with_records(_unpacked(found, self.winner.size, self._expected))


def _where(place: Any) -> tuple[Any, ...]:
    return place if isinstance(place, tuple) else (place,)


def _later(place: Any, games: int) -> Any:
    """The place of a record, behind so many games more."""
    return place + games if isinstance(place, int) else (*place[:-1], place[-1] + games)
