"""The figure that `sarai.plot` draws; this module needs matplotlib."""

from __future__ import annotations

import io

from matplotlib.figure import Figure


class Chart(Figure):
    """A matplotlib figure that a notebook shows at the end of a cell, whether pyplot is in use or not.

    >>> Chart(figsize=(1, 1))._repr_png_()[1:4]
    b'PNG'
    """

    def _repr_png_(self) -> bytes:
        buffer = io.BytesIO()
        self.savefig(buffer, format="png")
        return buffer.getvalue()
