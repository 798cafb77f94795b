"""The rows of a dataset, a row group at a time: as Arrow batches, and as the arrays that learners train on."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sarai._base import arguments
from sarai._datasets.parts import Part
from sarai._tables import arrow

MAX_ROWS = 2**31 - 1
"""The largest batch, and the most rows that are shuffled together."""

SHUFFLE_ROWS = 1 << 18
"""Rows that are shuffled together, unless told otherwise: 130 MB of decisions of Shah, if all columns are read."""

Arrays: TypeAlias = dict[str, NDArray[Any]]


class Group(NamedTuple):
    """A row group of a part."""

    path: str
    place: int
    rows: int


def groups(folder: str, parts: Sequence[Part]) -> list[Group]:
    """The row groups of some parts, in order, by the footers of their files.

    Raises:
        OSError: A part cannot be read.
        ValueError: A part is damaged.
    """
    found = []
    for part in parts:
        path = os.path.join(folder, part.file)
        with opened(path) as file:
            if file.metadata.num_rows != part.rows:
                raise ValueError(f"it has {file.metadata.num_rows:,} rows instead of {part.rows:,}")
            rows = (file.metadata.row_group(index).num_rows for index in range(file.num_row_groups))
            found += [Group(path, index, number) for index, number in enumerate(rows)]
    return found


@contextmanager
def opened(path: str) -> Iterator[Any]:
    """The file of a part, as a pyarrow.parquet.ParquetFile that compares the checksum of each page.

    Raises:
        OSError: It cannot be read.
        ValueError: It is damaged.
    """
    pa = arrow.arrow()
    import pyarrow.parquet

    # What the system refuses comes with its number; what pyarrow finds wrong with the content does not.
    try:
        with pyarrow.parquet.ParquetFile(path, page_checksum_verification=True) as file:
            yield file
    except (ValueError, OSError, pa.ArrowException) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise ValueError(
            f"{os.path.basename(path)} is damaged: {error}; `sarai.dataset` with the same arguments makes it again"
        ) from error


def read(group: Group, columns: list[str] | None = None) -> Any:
    """A row group as a pyarrow.Table, with lists of int8 for observations and masks.

    Raises:
        OSError: It cannot be read.
        ValueError: It is damaged.
    """
    with opened(group.path) as file:
        table = file.read_row_group(group.place, columns=columns)
        return arrow.viewed(table, arrow.unpacked(table.schema))


def batches(
    found: list[Group],
    columns: list[str],
    batch_size: int,
    order: np.random.RandomState | None,
    shuffle_rows: int,
    drop_last: bool,
) -> Iterator[Arrays]:
    """Batches of these row groups: fresh arrays of equal length, save the last."""
    pieces: list[Arrays] = []
    missing = batch_size
    for block in _blocks(found, columns, shuffle_rows if order else 1):
        rows = len(block[columns[0]])
        places = None if order is None else order.permutation(rows)
        done = 0
        while done < rows:
            here = slice(done, min(done + missing, rows))
            pieces.append(
                {
                    name: values[here].copy() if places is None else values[places[here]]
                    for name, values in block.items()
                }
            )
            missing -= here.stop - here.start
            done = here.stop
            if not missing:
                yield _joined(pieces)
                pieces, missing = [], batch_size
    if pieces and not drop_last:
        yield _joined(pieces)


def _joined(pieces: list[Arrays]) -> Arrays:
    first = pieces[0]
    if len(pieces) == 1:
        return first
    return {name: np.concatenate([piece[name] for piece in pieces]) for name in first}


def _blocks(found: list[Group], columns: list[str], least: int) -> Iterator[Arrays]:
    """The row groups as arrays, as many together as it takes to have at least so many rows."""
    together: list[Arrays] = []
    rows = 0
    for group in found:
        if group.rows:
            together.append(_arrays(read(group, columns)))
            rows += group.rows
        if rows >= least:
            yield _joined(together)
            together, rows = [], 0
    if together:
        yield _joined(together)


def _arrays(table: Any) -> Arrays:
    return {
        name: _joined([{name: _array(name, chunk)} for chunk in column.chunks])[name]
        for name, column in zip(table.column_names, table.columns, strict=True)
    }


def _array(name: str, chunk: Any) -> NDArray[Any]:
    pa = arrow.arrow()
    kind = chunk.type
    if pa.types.is_fixed_size_list(kind):
        cells: NDArray[np.int8] = chunk.flatten().to_numpy().reshape(len(chunk), kind.list_size)
        return cells.view(np.bool_) if name == "mask" else cells
    if pa.types.is_dictionary(kind):
        names: NDArray[Any] = np.array(chunk.dictionary.to_pylist(), np.str_)
        places: NDArray[np.int32] = chunk.indices.to_numpy()
        return names[places]
    found: NDArray[Any] = chunk.to_numpy(zero_copy_only=False)
    return found


def chosen(columns: object, schema: Any, as_: str) -> list[str]:
    """The columns that were asked for; by default all but those of text.

    Raises:
        TypeError: They are not names.
        ValueError: One is unknown, or is text and asked for as a tensor; or there are none.
    """
    pa = arrow.arrow()
    texts = [field.name for field in schema if pa.types.is_dictionary(field.type)]
    numbers = [name for name in schema.names if name not in texts]
    if columns is None:
        return numbers
    if isinstance(columns, str) or not isinstance(columns, Sequence):
        raise TypeError(f"columns must be a list of names, not {arguments.short(columns)}")
    if not columns:
        raise ValueError(f"columns is empty; it takes some of {', '.join(schema.names)}")
    known = tuple(schema.names if as_ == "numpy" else numbers)
    return [arguments.one_of("columns", name, known) for name in columns]


def tensors(arrays: Iterator[Arrays]) -> Iterator[dict[str, Any]]:
    """The same as tensors, which share the memory of the arrays.

    Raises:
        ImportError: PyTorch is not installed.
    """
    try:
        import torch
    except ImportError as error:
        raise ImportError('as_="torch" needs torch: pip install torch') from error
    return ({name: torch.from_numpy(values) for name, values in batch.items()} for batch in arrays)
