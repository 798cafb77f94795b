"""What all figures have in common: their style, their head, and how they are written."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sarai._base import arguments, files
from sarai._base.extras import needed
from sarai._base.terminal import printable
from sarai._render.svg import get_theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 7.2
"""The width of every figure, in inches."""
HEAD = 0.6
"""What the title and the line below it take of the height."""
_BAR = "#6d9dc5"

# What differs from matplotlib's defaults, where the session has not changed them. The fixed salt makes the ids in an
# SVG the same every time.
_STYLE: Any = {
    "axes.axisbelow": True,
    "axes.labelsize": "small",
    "axes.linewidth": 0.6,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlepad": 6,
    "axes.titlesize": "medium",
    "axes.titleweight": "bold",
    "font.size": 9.5,
    "svg.hashsalt": "sarai",
    "xtick.labelsize": "small",
    "ytick.labelsize": "small",
}
_FORMATS = ("eps", "jpeg", "jpg", "pdf", "png", "ps", "svg", "tif", "tiff", "webp")


def target_of(path: arguments.StrPath | None) -> Path | None:
    """The file to write, whose suffix must be that of a format which matplotlib writes.

    Raises:
        TypeError: The path is neither a str nor a path object.
        ValueError: It has another suffix.

    >>> target_of("games.svg").name, target_of(None)
    ('games.svg', None)
    >>> target_of("games.txt")
    Traceback (most recent call last):
    ...
    ValueError: a figure is written as .eps, .jpeg, .jpg, .pdf, .png, .ps, .svg, .tif, .tiff, .webp, got 'games.txt'
    """
    target = None if path is None else Path(arguments.path(path))
    if target is not None and target.suffix.lower()[1:] not in _FORMATS:
        raise ValueError(
            f"a figure is written as .{', .'.join(_FORMATS)}, got {arguments.longer(str(target))}"
        )
    return target


def check_matplotlib() -> None:
    """Check that figures can be drawn.

    Raises:
        ImportError: if Matplotlib is not installed.
        ValueError: if MPLBACKEND keeps it from being imported. No figure needs a backend, but matplotlib looks at once.
    """
    try:
        with needed("a figure", "plot"):
            import matplotlib  # noqa: F401
    except ValueError as error:
        raise ValueError(
            f"matplotlib refuses the MPLBACKEND of the environment, {os.environ.get('MPLBACKEND')!r}: unset it"
        ) from error


@contextmanager
def style() -> Iterator[None]:
    """While it lasts, figures have Sarai's style in what the session's own style leaves at matplotlib's defaults.

    The theme of `sarai.render.set_theme` holds for figures, too.

    Raises:
        ImportError: if Matplotlib is not installed.
        ValueError: as `check_matplotlib`.
    """
    check_matplotlib()
    import matplotlib

    usual = matplotlib.rcParamsDefault
    with matplotlib.rc_context():
        chosen = {**_STYLE, **_colours()}
        kept = {name: value for name, value in chosen.items() if matplotlib.rcParams[name] == usual[name]}
        matplotlib.rcParams.update(kept)
        yield


def _colours() -> dict[str, Any]:
    theme = get_theme()
    # On white paper, figures are white.
    ink, ground = ("#222222", "white") if theme.name == "light" else (theme.ink, theme.background)
    lines = ("axes.edgecolor", "axes.labelcolor", "text.color", "xtick.color", "ytick.color")
    return {**dict.fromkeys(lines, ink), "axes.facecolor": ground, "figure.facecolor": ground}


def bar() -> str:
    """The colour of what is measured: the first of the session's cycle, where that is not matplotlib's default."""
    import matplotlib

    cycle = matplotlib.rcParams["axes.prop_cycle"]
    if cycle == matplotlib.rcParamsDefault["axes.prop_cycle"]:
        return _BAR
    return str(cycle.by_key().get("color", [_BAR])[0])


def marker() -> str:
    """The mark of a mean: that of the session, or a disc where it has none."""
    import matplotlib

    own = matplotlib.rcParams["lines.marker"]
    first = matplotlib.rcParams["axes.prop_cycle"].by_key().get("marker", [own])[0]
    return "o" if first in (None, "None", "none", "", " ") else str(first)


def reference_line(axes: Axes, value: float) -> None:
    """A dashed line at the value from which others are judged; it has no marks at its ends, in any style."""
    axes.axvline(value, color=ink(), linewidth=0.7, linestyle=(0, (4, 3)), zorder=0.5, marker="none")


def ink() -> str:
    """The colour of lines and letters."""
    import matplotlib

    return str(matplotlib.rcParams["text.color"])


def ground() -> str:
    """The colour behind everything in axes."""
    import matplotlib

    return str(matplotlib.rcParams["axes.facecolor"])


def new_figure(height: float, title: str, subtitle: str) -> Figure:
    """A figure of this height in inches, with its head."""
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    from sarai._results.chart import Chart

    room = ConstrainedLayoutEngine(w_pad=0.08, h_pad=0.07, rect=(0, 0, 1, 1 - HEAD / height))
    figure = Chart(figsize=(WIDTH, height), layout=room)
    left = 0.1 / WIDTH
    figure.text(left, 1 - 0.12 / height, title, size="large", weight="bold", va="top", parse_math=False)
    figure.text(left, 1 - 0.38 / height, subtitle, size="small", va="top", parse_math=False)
    return figure


Panels = Mapping[str, Callable[["Axes"], object]]
"""What draws each panel of a figure on axes, by the panel's name."""


def on_axes(axes: Axes, panels: Panels, panel: str | None, path: arguments.StrPath | None) -> Figure:
    """Draw one panel on axes that belong to somebody else's figure, in that figure's style.

    Args:
        axes: The axes.
        panels: All panels; the first is drawn where none is named.
        panel: The name of one of them.
        path: Must be None.

    Raises:
        ValueError: There is no such panel, a path is given, too, or the axes have been removed.
        TypeError: These are no axes.
    """
    from matplotlib.axes import Axes as AnyAxes

    if not isinstance(axes, AnyAxes):
        raise TypeError(f"ax must be the axes of a matplotlib figure, not {type(axes).__name__}")
    if path is not None:
        raise ValueError("give a path or ax, not both: a figure of your own is yours to save")
    figure = axes.get_figure(root=True)
    if figure is None:
        raise ValueError("ax belongs to no figure any more")
    name = next(iter(panels)) if panel is None else panel
    if not isinstance(name, str) or name not in panels:
        raise ValueError(
            f"there is no panel {arguments.short(name)}{arguments.suggestion(str(name), panels)}; "
            f"there are {', '.join(panels)}"
        )
    panels[name](axes)
    return figure


def no_panel(panel: str | None) -> None:
    """Refuse a panel where a whole figure is drawn.

    Raises:
        ValueError: There is one.
    """
    if panel is not None:
        raise ValueError("panel says what is drawn on ax: give ax as well")


def write(figure: Figure, target: Path, title: str, about: Mapping[str, Any]) -> None:
    """Write a figure whole or not at all; where the format can, the file says how it was made, but not when.

    Raises:
        OSError: It cannot be written.
        ValueError: matplotlib lacks what the format needs.
    """
    suffix = target.suffix.lower()
    told = json.dumps(about, sort_keys=True)
    known: dict[str, dict[str, Any]] = {
        ".svg": {"Title": title, "Description": told, "Date": None},
        ".png": {"Title": title, "Description": told},
        ".pdf": {"Title": title, "Subject": told, "CreationDate": None},
    }
    buffer = io.BytesIO()
    figure.savefig(buffer, format=suffix[1:], dpi=200, metadata=known.get(suffix))
    files.replace(target, lambda file: file.write(buffer.getvalue()))


def clipped(label: str) -> str:
    """A label short enough to stand beside its bar, without what no SVG can hold."""
    label = printable(label)
    return label if len(label) <= 24 else label[:23] + "…"
