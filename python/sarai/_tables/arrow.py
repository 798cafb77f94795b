"""Tables as Arrow streams and Parquet files, by pyarrow.

The same table is written as the same bytes by the same version of pyarrow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from sarai._base import files
from sarai._base.extras import needed
from sarai._tables.columns import Column, Labels, Table

if TYPE_CHECKING:
    import pyarrow

BATCH_ROWS = 1 << 17
"""Rows of a batch of a stream, and of a row group of a Parquet file."""

_SETTINGS: dict[str, Any] = {
    # Nothing is left to the defaults, which may change, and nothing that is written tells the time.
    "version": "2.6",
    "data_page_version": "1.0",
    "compression": "zstd",
    "compression_level": 3,
    "write_statistics": True,
    "write_page_index": False,
    "store_schema": True,
    # Readers that ask for it find damaged bytes; this costs four bytes a page.
    "write_page_checksum": True,
}

_COUNTED = "number"
"""The column that grows by one from row to row, or not at all: differences take next to no room."""


def arrow() -> Any:
    """The module pyarrow.

    Raises:
        ImportError: It is not installed.
    """
    with needed("an Arrow table", "arrow"):
        import pyarrow
    return pyarrow


def reader(table: Table, notes: Mapping[str, str] | None = None) -> pyarrow.RecordBatchReader:
    """The table as batches, each made when it is read. `notes` go into the metadata of the schema.

    Raises:
        ImportError: pyarrow is not installed.
    """
    pa = arrow()
    fields = [pa.field(name, _type(pa, column)) for name, column in table.columns.items()]
    schema = pa.schema(fields, metadata={"sarai": table.metadata(), **(notes or {})})

    def batches() -> Iterator[Any]:
        for start in range(0, table.rows, BATCH_ROWS):
            rows = slice(start, min(start + BATCH_ROWS, table.rows))
            arrays = [_array(pa, column[rows]) for column in table.columns.values()]
            yield pa.record_batch(arrays, schema=schema)

    return pa.RecordBatchReader.from_batches(schema, batches())


def _type(pa: Any, column: Column) -> Any:
    if isinstance(column, Labels):
        return pa.dictionary(pa.from_numpy_dtype(column.codes.dtype), pa.string())
    if isinstance(column, list):
        return pa.string()
    kind = pa.from_numpy_dtype(column.dtype)
    return kind if column.ndim == 1 else pa.list_(kind, column.shape[1])


def _array(pa: Any, column: Column) -> Any:
    """Of buffers, without a copy where the numbers lie next to one another.

    `pyarrow.array` would import pandas, which takes a worker as long as playing 100,000 games.
    """
    if isinstance(column, Labels):
        return pa.DictionaryArray.from_arrays(_numbers(pa, column.codes), _texts(pa, column.names))
    if isinstance(column, list):
        return _texts(pa, column)
    if isinstance(column, np.ma.MaskedArray):
        return _numbers(pa, column.data, ~np.ma.getmaskarray(column))
    if column.ndim == 1:
        return _numbers(pa, column)
    return pa.FixedSizeListArray.from_arrays(_numbers(pa, column.reshape(-1)), column.shape[1])


def _numbers(pa: Any, values: NDArray[Any], known: NDArray[np.bool_] | None = None) -> Any:
    buffers = [None if known is None else _buffer(pa, known), _buffer(pa, values)]
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), buffers)


def _buffer(pa: Any, values: NDArray[Any]) -> Any:
    """Arrow holds a truth value in a bit."""
    if values.dtype == np.bool_:
        values = np.packbits(values, bitorder="little")
    return pa.py_buffer(np.ascontiguousarray(values))


def _texts(pa: Any, texts: Sequence[str]) -> Any:
    encoded = [text.encode() for text in texts]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int32)
    return pa.Array.from_buffers(
        pa.string(), len(texts), [None, _buffer(pa, ends), pa.py_buffer(b"".join(encoded))]
    )


def write(table: Table, path: str) -> None:
    """Write a table to exactly this path, either completely or not at all.

    Raises:
        ImportError: pyarrow is not installed.
        OSError: The file cannot be written.
    """
    arrow()
    files.replace(path, lambda file: _fill(table, file))


def as_bytes(table: Table, notes: Mapping[str, str] | None = None) -> bytes:
    """The content of the file. `notes` go into the metadata of the schema.

    Raises:
        ImportError: pyarrow is not installed.
    """
    file = BytesIO()
    _fill(table, file, notes)
    return file.getvalue()


def notes_of(content: bytes) -> dict[str, str]:
    """The metadata of the schema of a Parquet file.

    Raises:
        ImportError: pyarrow is not installed.
        ValueError: This is no Parquet file, or a damaged one.
    """
    pa = arrow()
    import pyarrow.parquet

    try:
        most = len(content)
        file = pyarrow.parquet.ParquetFile(
            pa.BufferReader(content), thrift_string_size_limit=most, thrift_container_size_limit=most
        )
        told = file.schema_arrow.metadata or {}
        return {name.decode(): value.decode() for name, value in told.items()}
    except (pa.ArrowException, OSError) as error:
        raise ValueError(str(error)) from error


def _fill(table: Table, file: BinaryIO, notes: Mapping[str, str] | None = None) -> None:
    arrow()
    import pyarrow.parquet

    batches = reader(table, notes)
    listed = [name for name, column in table.columns.items() if name != _COUNTED and _repeats(column)]
    numbered = {_COUNTED: "DELTA_BINARY_PACKED"} if _COUNTED in table.columns else None
    writer = pyarrow.parquet.ParquetWriter(
        file,
        packed(batches.schema.empty_table()).schema,
        use_dictionary=listed,
        column_encoding=numbered,
        **_SETTINGS,
    )
    with writer:
        for batch in batches:
            writer.write_batch(packed(batch))


def packed(table: Any) -> Any:
    """A batch or table with bytes for its lists of int8, as Parquet files have them.

    Parquet takes a list apart into numbers of four bytes, which takes ten times as long to write and to read, and more
    room.
    """
    return _with_columns(table, _as_bytes)


def unpacked(table: Any) -> Any:
    """A batch or table with lists of int8 for bytes of one length, without copying."""
    return _with_columns(table, _as_lists)


def _with_columns(table: Any, change: Callable[[Any, Any], Any]) -> Any:
    pa = arrow()
    arrays = [
        pa.chunked_array(
            [change(pa, chunk) for chunk in column.chunks], change(pa, pa.array([], column.type)).type
        )
        if isinstance(column, pa.ChunkedArray)
        else change(pa, column)
        for column in table.columns
    ]
    fields = [pa.field(name, array.type) for name, array in zip(table.schema.names, arrays, strict=True)]
    return type(table).from_arrays(arrays, schema=pa.schema(fields, table.schema.metadata))


def _as_bytes(pa: Any, array: Any) -> Any:
    kind = array.type
    if not pa.types.is_fixed_size_list(kind) or kind.value_type != pa.int8():
        return array
    cells = array.flatten()
    return pa.Array.from_buffers(
        pa.binary(kind.list_size), len(array), cells.buffers(), offset=cells.offset // kind.list_size
    )


def _as_lists(pa: Any, array: Any) -> Any:
    if not pa.types.is_fixed_size_binary(array.type):
        return array
    width = array.type.byte_width
    cells = pa.Array.from_buffers(pa.int8(), len(array) * width, array.buffers(), offset=array.offset * width)
    return pa.FixedSizeListArray.from_arrays(cells, width)


def _repeats(column: Any) -> bool:
    """Whether its values come again and again: all but digests."""
    return isinstance(column, (Labels, list)) or column.dtype.kind != "u" or not column.strides[0]
