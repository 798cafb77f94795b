"""The figure of an arena, with matplotlib, which is imported only when a figure is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sarai._base import arguments
from sarai._matches.arena_text import order, title
from sarai._results import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from sarai._matches.arena import Arena

_ROW = 0.34  # inches
_MOST_CELLS = 16


def plot_arena(
    arena: Arena, path: arguments.StrPath | None = None, ax: Axes | None = None, panel: str | None = None
) -> Figure:
    """Draw the ratings of an arena and its crosstable; see `sarai.matches.Arena.plot`."""
    target = figures.target_of(path)
    if ax is not None:
        panels: figures.Panels = {
            "ratings": lambda axes: _draw_ratings(axes, arena),
            "crosstable": lambda axes: _draw_crosstable(axes, arena),
        }
        return figures.on_axes(ax, panels, panel, path)
    figures.no_panel(panel)
    with figures.style():
        cells = len(arena.names) <= _MOST_CELLS
        height = figures.HEAD + 0.5 + _ROW * (len(arena.names) + 1)
        repeated = any(pairing.distinct is not None for pairing in arena.pairings)
        intervals = (
            "without intervals, because too few games are distinct" if repeated else "with 95% intervals"
        )
        figure = figures.new_figure(height, title(arena), f"Elo, {intervals}; the mean of all agents is 0")
        grid = figure.add_gridspec(1, 2 if cells else 1, width_ratios=[3, 2] if cells else [1])
        _draw_ratings(figure.add_subplot(grid[0, 0]), arena)
        if cells:
            _draw_crosstable(figure.add_subplot(grid[0, 1]), arena)
        if target is not None:
            about = {"game": str(arena.game), "agents": list(arena.names), "seed": arena.seed}
            figures.write(figure, target, title(arena), about)
    return figure


def _draw_ratings(axes: Axes, arena: Arena) -> None:
    for place, standing in enumerate(arena.standings):
        rating = standing.rating
        if rating.low < rating.high:
            whisker = ([rating.value - rating.low], [rating.high - rating.value])
            axes.errorbar(
                rating.value, place, xerr=whisker, fmt="none", ecolor=figures.ink(), capsize=2.5, elinewidth=1
            )
        axes.plot(rating.value, place, marker=figures.marker(), color=figures.bar())
    labels = [figures.clipped(standing.name) for standing in arena.standings]
    axes.set_yticks(range(len(labels)), labels, parse_math=False)
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(labels) - 0.45, -0.55)
    figures.reference_line(axes, 0)
    axes.set_title("rating")
    axes.set_xlabel("Elo")


def _draw_crosstable(axes: Axes, arena: Arena) -> None:
    table = arena.crosstable[np.ix_(order(arena), order(arena))]
    axes.imshow(table, vmin=0, vmax=1, cmap="RdYlBu", aspect="auto", alpha=0.7)
    for (row, column), share in np.ndenumerate(table):
        if not np.isnan(share):
            axes.annotate(f"{100 * share:.0f}", (column, row), ha="center", va="center", fontsize="small")
    axes.set_xticks(range(len(table)), [str(place + 1) for place in range(len(table))])
    axes.set_yticks(range(len(table)), [str(place + 1) for place in range(len(table))])
    axes.tick_params(length=0)
    axes.set_title("row beats column, in %")
