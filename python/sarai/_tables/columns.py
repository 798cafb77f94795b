"""Tables as columns of numpy, before another library is asked for."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sarai._core import VERSION

SCHEMA = 2
"""Of the columns of all tables, their names, types and units; docs/data.md has the list."""


@dataclass(frozen=True)
class Labels:
    """A column of texts of which there are few: for each row the place of its text.

    Attributes:
        codes: (n,) integers, the place of each row's text in `names`.
        names: The texts, each once.

    >>> Labels.of(["b", "a", "b"]).names, Labels.of(["b", "a", "b"]).codes.tolist()
    (('b', 'a'), [0, 1, 0])
    >>> Labels.same("sho", 3).codes.tolist()
    [0, 0, 0]
    """

    codes: NDArray[np.integer[Any]]
    names: tuple[str, ...]

    @staticmethod
    def of(texts: Sequence[str], codes: NDArray[np.integer[Any]] | None = None) -> Labels:
        """These texts; or, with `codes`, for each row the text at this place."""
        names = tuple(dict.fromkeys(texts))
        # Older pyarrows read no other integers back from Parquet.
        places = np.array([names.index(text) for text in texts], np.int32)
        return Labels(places if codes is None else places[codes], names)

    @staticmethod
    def same(text: str, rows: int) -> Labels:
        """One text in every row."""
        return Labels(np.broadcast_to(np.int32(0), (rows,)), (text,))

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self.codes)

    def __getitem__(self, rows: slice) -> Labels:
        return Labels(self.codes[rows], self.names)


Column: TypeAlias = NDArray[Any] | Labels | list[str]
"""A column: numbers, one a row or, in two dimensions, as many in every row; a masked array where some are not known;
labels; or texts."""


@dataclass(frozen=True)
class Table:
    """The columns of a table by name, all of the same length, and what is the same for all of its rows.

    Attributes:
        kind: What it is a table of, such as "rollout".
        columns: The columns.
        about: What the metadata says besides; plain data that JSON can hold.
    """

    kind: str
    columns: Mapping[str, Column]
    about: Mapping[str, Any] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(next(iter(self.columns.values())))

    def metadata(self) -> str:
        """What stands under "sarai" in the metadata of the Arrow schema, and so of a Parquet file."""
        head = {"format": f"sarai.{self.kind}", "schema": SCHEMA, "sarai": VERSION}
        return json.dumps({**head, **self.about}, allow_nan=False, sort_keys=True)


def same(value: int, rows: int, dtype: type[np.integer[Any]]) -> NDArray[Any]:
    """A number in every row, which takes no memory."""
    return np.broadcast_to(dtype(value), (rows,))


def of_rows(kind: str, rows: Sequence[Mapping[str, Any]], about: Mapping[str, Any]) -> Table:
    """A small table of rows that are dicts of plain values; None is a value that is not known.

    >>> table = of_rows("moves", [{"name": "a", "turns": 3}, {"name": "b", "turns": None}], {})
    >>> table.columns["name"], table.columns["turns"].tolist()
    (['a', 'b'], [3, None])
    >>> of_rows("moves", [], {})
    Traceback (most recent call last):
    ...
    ValueError: there are no rows, so nobody knows the columns
    """
    if not rows:
        raise ValueError("there are no rows, so nobody knows the columns")
    return Table(kind, {name: _column([row[name] for row in rows]) for name in rows[0]}, about)


def _column(values: list[Any]) -> Column:
    if any(isinstance(value, str) for value in values):
        return [str(value) for value in values]
    unknown = [value is None for value in values]
    if any(unknown):
        filled = [0 if value is None else value for value in values]
        return np.ma.MaskedArray(np.array(filled), unknown)
    return np.array(values)


def by_column(name: str, values: NDArray[Any]) -> dict[str, Column]:
    """The columns of an array by their numbers."""
    return {f"{name}_{seat}": values[:, seat] for seat in range(values.shape[1])}
