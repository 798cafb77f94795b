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
    schema = packed(batches.schema)
    writer = pyarrow.parquet.ParquetWriter(
        file, schema, use_dictionary=listed, column_encoding=numbered, **_SETTINGS
    )
    with writer:
        for batch in batches:
            writer.write_batch(viewed(batch, schema))


def packed(schema: pyarrow.Schema) -> pyarrow.Schema:
    """The schema with bytes for lists of int8, as Parquet files have them.

    Parquet takes a list apart into numbers of four bytes, which takes ten times as long to write and to read, and more
    room.
    """
    pa = arrow()
    return _with_types(
        schema,
        lambda kind: (
            pa.binary(kind.list_size)
            if pa.types.is_fixed_size_list(kind) and kind.value_type == pa.int8()
            else kind
        ),
    )


def unpacked(schema: pyarrow.Schema) -> pyarrow.Schema:
    """The schema with lists of int8 for bytes of one length."""
    pa = arrow()
    return _with_types(
        schema,
        lambda kind: pa.list_(pa.int8(), kind.byte_width) if pa.types.is_fixed_size_binary(kind) else kind,
    )


def _with_types(schema: pyarrow.Schema, change: Callable[[Any], Any]) -> pyarrow.Schema:
    return arrow().schema([(field.name, change(field.type)) for field in schema], schema.metadata)


def viewed(table: Any, schema: pyarrow.Schema) -> Any:
    """A table or batch with another schema, `packed` or `unpacked`, without copying."""
    pa = arrow()
    columns = [
        pa.chunked_array([_view(pa, chunk, kind) for chunk in column.chunks], kind)
        if isinstance(column, pa.ChunkedArray)
        else _view(pa, column, kind)
        for column, kind in zip(table.columns, schema.types, strict=True)
    ]
    return type(table).from_arrays(columns, schema=schema)


def _view(pa: Any, array: Any, kind: Any) -> Any:
    if array.type == kind:
        return array
    if pa.types.is_fixed_size_binary(kind):
        cells = array.flatten()
        return pa.Array.from_buffers(
            kind, len(array), cells.buffers(), offset=cells.offset // kind.byte_width
        )
    width = kind.list_size
    cells = pa.Array.from_buffers(pa.int8(), len(array) * width, array.buffers(), offset=array.offset * width)
    return pa.FixedSizeListArray.from_arrays(cells, width)


def _repeats(column: Any) -> bool:
    """Whether its values come again and again: all but digests."""
    return isinstance(column, (Labels, list)) or column.dtype.kind != "u" or not column.strides[0]
