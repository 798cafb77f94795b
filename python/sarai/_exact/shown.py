"""Summaries that are shown as tables of numbers."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from sarai._tables import notebook, text_table


class Shown:
    """Something that is printed, and shown in notebooks, as a table of numbers."""

    _TEXTS: ClassVar[int] = 0
    """How many of the first columns are texts."""

    @abstractmethod
    def cells(self) -> list[list[str]]:
        """The header and the rows, as texts."""

    def __str__(self) -> str:
        header, *rows = self.cells()
        return "\n".join(text_table.lines(header, rows, left=range(self._TEXTS)))

    def _repr_html_(self) -> str:
        header, *rows = self.cells()
        return notebook.table(header, rows, text_columns=self._TEXTS)
