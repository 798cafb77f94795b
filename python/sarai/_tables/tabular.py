"""What every result that is a table has in common: frames, Arrow streams and Parquet files.

A result says what its table holds by one method, `_table`, and everything else follows from `Tabular`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from sarai._base import arguments
from sarai._base.extras import needed
from sarai._tables import arrow
from sarai._tables.columns import Column, Labels, Table

if TYPE_CHECKING:
    import pandas
    import pyarrow


class Tabular:
    """A result that is a table, for pandas, Arrow and Parquet. Polars, DuckDB and pyarrow take it directly.

    A class of results defines `_table`, and says what may have a row each, the default first:
    `class Rollout(Tabular, by=("game", "seat"))`.
    """

    _TABLES: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, *, by: tuple[str, ...], **others: Any) -> None:
        super().__init_subclass__(**others)
        cls._TABLES = by

    def _table(self, by: str) -> Table:
        """The table with a row for each of what `by` says.

        Raises:
            NotImplementedError: It has not been defined.
        """
        raise NotImplementedError

    def _chosen(self, by: str | None) -> Table:
        if by is None:
            by = self._TABLES[0]
        if by not in self._TABLES:
            known = " or ".join(map(repr, self._TABLES))
            raise ValueError(f"by got {arguments.short(by)}; it takes {known}")
        return self._table(by)

    def to_pandas(self, by: str | None = None) -> pandas.DataFrame:
        """The table as a pandas.DataFrame; docs/data.md describes the columns.

        Args:
            by: What each row is, for example "game" or "seat"; None is the default.

        Raises:
            ImportError: pandas is not installed.
            ValueError: There is no such table.
        """
        table = self._chosen(by)
        with needed("to_pandas()", "pandas"):
            import pandas

        def plain(column: Column) -> Any:
            if isinstance(column, Labels):
                return pandas.Categorical.from_codes(column.codes, list(column.names))
            if isinstance(column, np.ma.MaskedArray):
                return pandas.array(column.tolist(), dtype="Int64" if column.dtype.kind == "i" else "Float64")
            return (
                list(column) if isinstance(column, list) or column.ndim > 1 else np.ascontiguousarray(column)
            )

        return pandas.DataFrame({name: plain(column) for name, column in table.columns.items()})

    def to_arrow(self, by: str | None = None) -> pyarrow.Table:
        """The table as a pyarrow.Table.

        Args:
            by: As for `to_pandas`.

        Raises:
            ImportError: pyarrow is not installed.
            ValueError: There is no such table.
        """
        return arrow.reader(self._chosen(by)).read_all()

    def to_parquet(self, path: arguments.StrPath, by: str | None = None) -> None:
        """Write the table as a Parquet file to exactly this path, either completely or not at all.

        The same version of pyarrow writes equal results as equal bytes.

        Args:
            path: The file.
            by: As for `to_pandas`.

        Raises:
            ImportError: pyarrow is not installed.
            OSError: The file cannot be written; an existing file is left as it was.
            TypeError: The path is neither a str nor a path object.
            ValueError: There is no such table.
        """
        arrow.write(self._chosen(by), arguments.path(path))

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The usual table as an Arrow stream (the PyCapsule interface), as polars, DuckDB and pyarrow take it.

        Raises:
            ImportError: pyarrow is not installed.
        """
        return arrow.reader(self._chosen(None)).__arrow_c_stream__(requested_schema)
