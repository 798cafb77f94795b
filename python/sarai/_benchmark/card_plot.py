"""The figure of a score card, with matplotlib, which is imported only when a figure is asked for."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from sarai._base import arguments
from sarai._base.terminal import printable
from sarai._results import figures
from sarai._tables.estimates import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from sarai._benchmark.card import ScoreCard

_ROW = 0.34  # inches


def plot_card(
    card: ScoreCard, path: arguments.StrPath | None = None, ax: Axes | None = None, panel: str | None = None
) -> Figure:
    """Draw a score card; see `ScoreCard.plot`."""
    target = figures.target_of(path)
    regrets = {name: card.regret(name) for name in card.games}
    ratings = {name: score.rating for name, score in card.games.items()}

    def draw_regrets(axes: Axes) -> None:
        _draw(axes, regrets, "regret", "points a decision")

    def draw_ratings(axes: Axes) -> None:
        _draw(axes, ratings, "rating", "Elo above random")

    if ax is not None:
        panels: figures.Panels = {"regret": draw_regrets, "rating": draw_ratings}
        return figures.on_axes(ax, panels, panel, path)
    figures.no_panel(panel)
    with figures.style():
        title = f"{printable(card.agent)}: {card.suite}, seed {card.seed}"
        height = figures.HEAD + 0.7 + _ROW * len(card.games)
        figure = figures.new_figure(height, title, "with 95% intervals")
        grid = figure.add_gridspec(1, 2)
        draw_regrets(figure.add_subplot(grid[0, 0]))
        draw_ratings(figure.add_subplot(grid[0, 1]))
        if target is not None:
            about = {"agent": card.agent, "suite": card.suite, "digest": card.digest, "seed": card.seed}
            figures.write(figure, target, title, about)
    return figure


def _draw(axes: Axes, found: Mapping[str, Estimate | None], title: str, unit: str) -> None:
    for place, one in enumerate(found.values()):
        if one is None or math.isnan(one.value):
            continue
        if one.low < one.high:
            whisker = ([one.value - one.low], [one.high - one.value])
            axes.errorbar(
                one.value, place, xerr=whisker, fmt="none", ecolor=figures.ink(), capsize=2.5, elinewidth=1
            )
        axes.plot(one.value, place, marker=figures.marker(), color=figures.bar())
    axes.set_yticks(range(len(found)), [*found], parse_math=False)
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(found) - 0.45, -0.55)
    figures.reference_line(axes, 0)
    axes.set_title(title)
    axes.set_xlabel(unit)
