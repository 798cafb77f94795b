"""What all figures have in common: their style, their head, and how they are written."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sarai import arguments, files
from sarai.terminal import printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SUFFIXES = (".png", ".svg")

WIDTH = 7.2
"""The width of every figure, in inches."""
HEAD = 0.55
"""What the title and the line below it take of the height."""
INK, BAR = "#222222", "#6d9dc5"

# What differs from matplotlib's defaults. They, with this, hold while one figure is drawn, so the style of
# the session is neither heeded nor changed. The fixed salt makes the ids in an SVG the same every time.
_STYLE: Any = {
    "axes.axisbelow": True,
    "axes.edgecolor": INK,
    "axes.facecolor": "white",
    "axes.grid": False,
    "axes.labelcolor": INK,
    "axes.labelsize": 8,
    "axes.linewidth": 0.6,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlepad": 6,
    "axes.titlesize": 9,
    "axes.titleweight": "bold",
    "figure.facecolor": "white",
    "font.family": ["sans-serif"],
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 8,
    "savefig.bbox": None,
    "savefig.facecolor": "auto",
    "svg.fonttype": "path",
    "svg.hashsalt": "sarai",
    "text.color": INK,
    "xtick.color": INK,
    "xtick.labelsize": 7.5,
    "ytick.color": INK,
    "ytick.labelsize": 7.5,
}


def target_of(path: arguments.StrPath | None) -> Path | None:
    """The file to write, whose suffix must be known.

    Raises:
        TypeError: The path is neither a str nor a path object.
        ValueError: It has another suffix.

    >>> target_of("games.svg").name, target_of(None)
    ('games.svg', None)
    >>> target_of("games.pdf")
    Traceback (most recent call last):
    ...
    ValueError: a figure is written as .svg or .png, got 'games.pdf'
    """
    target = None if path is None else Path(arguments.path(path))
    if target is not None and target.suffix.lower() not in _SUFFIXES:
        raise ValueError(f"a figure is written as .svg or .png, got {str(target)!r}")
    return target


def check_matplotlib() -> None:
    """Check that figures can be drawn.

    Raises:
        ImportError: if matplotlib is not installed.
        ValueError: if MPLBACKEND keeps it from being imported. No figure needs a backend, but matplotlib looks at once.
    """
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise ImportError(
            "a figure needs matplotlib, which is not installed: pip install sarai[plot]"
        ) from error
    except ValueError as error:
        raise ValueError(
            f"matplotlib refuses the MPLBACKEND of the environment, {os.environ.get('MPLBACKEND')!r}: unset it"
        ) from error


@contextmanager
def style() -> Iterator[None]:
    """While it lasts, figures have the one style, whatever the session's is.

    Raises:
        ImportError: if matplotlib is not installed.
        ValueError: as `check_matplotlib`.
    """
    check_matplotlib()
    import matplotlib

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)
        yield


def new_figure(height: float, title: str, subtitle: str) -> Figure:
    """A figure of this height in inches, with its head."""
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    from sarai.results.chart import Chart

    room = ConstrainedLayoutEngine(w_pad=0.08, h_pad=0.07, rect=(0, 0, 1, 1 - HEAD / height))
    figure = Chart(figsize=(WIDTH, height), layout=room)
    left = 0.1 / WIDTH
    figure.text(left, 1 - 0.12 / height, title, size=11, weight="bold", va="top", parse_math=False)
    figure.text(left, 1 - 0.36 / height, subtitle, size=7.5, va="top", parse_math=False)
    return figure


def write(figure: Figure, target: Path, title: str, about: Mapping[str, Any]) -> None:
    """Write a figure whole or not at all; the file says how it was made, but not when.

    Raises:
        OSError: It cannot be written.
    """
    suffix = target.suffix.lower()
    metadata: dict[str, Any] = {"Title": title, "Description": json.dumps(about, sort_keys=True)}
    if suffix == ".svg":
        metadata["Date"] = None
    buffer = io.BytesIO()
    figure.savefig(buffer, format=suffix[1:], dpi=200, metadata=metadata)
    files.replace(target, lambda file: file.write(buffer.getvalue()))


def clipped(label: str) -> str:
    """A label short enough to stand beside its bar, without what no SVG can hold."""
    label = printable(label)
    return label if len(label) <= 24 else label[:23] + "…"
