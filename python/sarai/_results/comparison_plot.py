"""The figure of a comparison, with matplotlib, which is imported only when a figure is asked for."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from sarai._base import arguments
from sarai._results import figures
from sarai._tables.estimates import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from sarai._results.comparison import Comparison

_ROW = 0.28  # inches


def plot_comparison(
    told: Comparison, path: arguments.StrPath | None = None, ax: Axes | None = None, panel: str | None = None
) -> Figure:
    """Draw differences with their intervals; see `sarai.results.Comparison.plot`."""
    target = figures.target_of(path)
    names = list(dict.fromkeys(row.by for row in told.rows))
    others = [name for name in told.variants if name != told.reference]

    def draw(axes: Axes, name: str) -> None:
        apart = {row.variant: row.difference for row in told.rows if row.by == name}
        _draw(axes, name, [apart[other] for other in others])
        axes.set_yticks(range(len(others)), [figures.clipped(other) for other in others], parse_math=False)

    if ax is not None:
        return figures.on_axes(ax, {name: partial(draw, name=name) for name in names}, panel, path)
    figures.no_panel(panel)
    columns = min(len(names), 3)
    lines = -(-len(names) // columns)
    with figures.style():
        height = figures.HEAD + lines * (0.8 + _ROW * len(others))
        about_all = [*told.setting(), "95% intervals, not corrected for their number"]
        figure = figures.new_figure(height, told.title(), "   ·   ".join(about_all))
        grid = figure.add_gridspec(lines, columns)
        for place, name in enumerate(names):
            axes = figure.add_subplot(grid[place // columns, place % columns])
            draw(axes, name)
            if place % columns:
                axes.set_yticks(range(len(others)), [""] * len(others))
        if target is not None:
            about = {"game": str(told.game)} | {
                name: getattr(told, name) for name in ("variants", "reference", "seed")
            }
            figures.write(figure, target, told.title(), about)
    return figure


def _draw(axes: Axes, name: str, apart: list[Estimate | None]) -> None:
    scale = 100 if name.endswith("_share") else 1
    for place, one in enumerate(apart):
        if one is None:
            continue
        if math.isfinite(one.low):
            whisker = ([scale * (one.value - one.low)], [scale * (one.high - one.value)])
            axes.errorbar(
                scale * one.value,
                place,
                xerr=whisker,
                fmt="none",
                ecolor=figures.ink(),
                capsize=2.5,
                elinewidth=1,
            )
        axes.plot(scale * one.value, place, marker=figures.marker(), color=figures.bar())
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(apart) - 0.4, -0.6)
    figures.reference_line(axes, 0)
    axes.set_title(name)
    axes.set_xlabel("difference in percentage points" if scale == 100 else "difference")
