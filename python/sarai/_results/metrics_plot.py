"""The figure of metrics, with matplotlib, which is imported only when a figure is asked for."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from sarai._base import arguments
from sarai._results import figures
from sarai._results.metric_values import Metric

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from sarai._results.metrics import Metrics

_ROW, _CURVES = 0.24, 2.2  # inches
_TITLES = {"branching_factor": "options of a decision", "state_space": "positions", "skill_trace": "skill"}


def plot_metrics(
    measured: Metrics,
    title: str,
    path: arguments.StrPath | None = None,
    ax: Axes | None = None,
    panel: str | None = None,
) -> Figure:
    """Draw metrics; see `sarai.results.Metrics.plot`."""
    target = figures.target_of(path)
    found = measured.by_name.values()
    shares = [one for one in found if one.unit == "share" and not math.isnan(one.mean)]
    curves = [one for one in found if one.curve is not None]
    if ax is not None:
        panels: dict[str, Callable[[Axes], None]] = {"shares": lambda axes: _draw_shares(axes, shares)}
        panels.update({one.name: partial(_draw_curve, one=one) for one in curves})
        return figures.on_axes(ax, panels, panel, path)
    figures.no_panel(panel)
    with figures.style():
        heights = [0.7 + _ROW * len(shares), _CURVES]
        figure = figures.new_figure(figures.HEAD + sum(heights), title, "with 95% intervals")
        grid = figure.add_gridspec(2, max(len(curves), 1), height_ratios=heights)
        _draw_shares(figure.add_subplot(grid[0, :]), shares)
        for place, one in enumerate(curves):
            _draw_curve(figure.add_subplot(grid[1, place]), one)
        if target is not None:
            about = {
                "game": str(measured.game),
                "agents": list(measured.agents),
                "seed": measured.seed,
                "evaluator": measured.evaluator,
            }
            figures.write(figure, target, title, about)
    return figure


def _draw_shares(axes: Axes, shares: list[Metric]) -> None:
    for place, one in enumerate(shares):
        low, high = one.interval
        if low < high:
            whisker = ([max(one.mean - low, 0)], [max(high - one.mean, 0)])
            axes.errorbar(
                one.mean, place, xerr=whisker, fmt="none", ecolor=figures.ink(), capsize=2.5, elinewidth=1
            )
        axes.plot(one.mean, place, marker=figures.marker(), color=figures.bar())
    axes.set_yticks(range(len(shares)), [one.name for one in shares], parse_math=False)
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(shares) - 0.4, -0.6)
    figures.reference_line(axes, 0)
    axes.set_title("shares, 0 to 1")
    axes.set_xlabel("share")


def _draw_curve(axes: Axes, one: Metric) -> None:
    curve = one.curve
    if curve is None:
        return
    axes.fill_between(curve.x, curve.low, curve.high, color=figures.bar(), alpha=0.35, linewidth=0)
    axes.plot(curve.x, curve.mean, marker=figures.marker(), color=figures.bar())
    if one.name == "state_space":
        axes.set_xscale("log")
        # Where all games are over at once, nobody decides in any position.
        if max(curve.mean) > 0:
            axes.set_yscale("log")
    elif one.name == "branching_factor":
        axes.set_ylim(bottom=0)
    axes.set_xlabel(curve.label)
    axes.set_title(_TITLES[one.name])
