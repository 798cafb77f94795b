"""The picture of a learning curve, with matplotlib, which is imported only when one is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sarai._base import arguments
from sarai._results import figures
from sarai._tables.estimates import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_HEIGHT = 3.2  # inches


def plot_curve(
    game: str,
    points: Sequence[tuple[int, Estimate]],
    path: arguments.StrPath | None = None,
    ax: Axes | None = None,
) -> Figure:
    """Draw the mean return against "greedy" over the games played; see `sarai.training.Training.plot`."""
    target = figures.target_of(path)
    if ax is not None:
        return figures.on_axes(ax, {"curve": lambda axes: _draw(axes, points)}, None, path)
    with figures.style():
        title = f"{game}: what a network has learnt"
        figure = figures.new_figure(
            figures.HEAD + _HEIGHT, title, "mean return a game against greedy, with 95% intervals"
        )
        _draw(figure.add_subplot(figure.add_gridspec(1, 1)[0, 0]), points)
        if target is not None:
            figures.write(figure, target, title, {"game": game})
    return figure


def _draw(axes: Axes, points: Sequence[tuple[int, Estimate]]) -> None:
    games = [each for each, _ in points]
    axes.fill_between(
        games,
        [mean.low for _, mean in points],
        [mean.high for _, mean in points],
        color=figures.bar(),
        alpha=0.25,
    )
    axes.plot(games, [mean.value for _, mean in points], color=figures.bar(), marker=figures.marker())
    axes.axhline(0, color=figures.ink(), linewidth=0.7, linestyle=(0, (4, 3)))
    axes.set_xlabel("games played")
    axes.set_ylabel("mean return")
    axes.set_xlim(left=0)
