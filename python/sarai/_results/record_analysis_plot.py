"""The figure of an analysed record, with matplotlib, which is imported only when a figure is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sarai._base import arguments
from sarai._results import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from sarai._results.record_analysis import RecordAnalysis

_HEIGHT = 2.6  # inches


def plot_record_analysis(
    analysed: RecordAnalysis,
    marks: Sequence[str],
    title: str,
    path: arguments.StrPath | None,
    ax: Axes | None,
) -> Figure:
    """Draw the expected returns; see `sarai.records.RecordAnalysis.plot`."""
    target = figures.target_of(path)
    if ax is not None:
        return figures.on_axes(ax, {"expected": lambda axes: _draw(axes, analysed)}, None, path)
    with figures.style():
        limits = zip(marks, analysed.thresholds, strict=True)
        marked = ", ".join(f"{mark} from {least:g} on" for mark, least in limits)
        about = f"analysed by {analysed.agent}; losses marked {marked}"
        figure = figures.new_figure(figures.HEAD + _HEIGHT, title, about)
        _draw(figure.add_subplot(), analysed)
        if target is not None:
            what = {"game": str(analysed.record.game), "agent": analysed.agent, "seed": analysed.seed}
            figures.write(figure, target, title, what)
    return figure


def _draw(axes: Axes, analysed: RecordAnalysis) -> None:
    game = analysed.record.game
    steps = [one.step for one in analysed.decisions]
    expected = [np.array(one.expected) for one in analysed.decisions]
    if analysed.record.returns is not None:
        steps.append(len(analysed.record))
        expected.append(np.array(analysed.record.returns))
    curves = np.array(expected).reshape(len(steps), game.num_players)
    # Of two sides, one curve is the other turned upside down.
    sides = list(dict.fromkeys(game.sides))
    for side in sides[:1] if len(sides) == 2 else sides:
        seats = [seat for seat, of in enumerate(game.sides) if of == side]
        name = f"player{'s' * (len(seats) > 1)} {' and '.join(map(str, seats))}"
        axes.step(steps, curves[:, seats[0]], where="post", linewidth=1.2, color=f"C{seats[0]}", label=name)
        for one, value in zip(analysed.decisions, curves[1:, seats[0]], strict=False):
            if one.mark and (len(sides) == 2 or one.player in seats):
                place, color = (one.step + 1, value), f"C{one.player}"
                axes.annotate(one.mark, place, fontsize="small", ha="center", va="bottom", color=color)
    players = {one.player for one in analysed.decisions if one.mark}
    for player in sorted(players):
        axes.plot([], [], " ", marker="$?$", color=f"C{player}", label=f"player {player}'s mistakes")
    axes.axhline(0, linewidth=0.6, color=figures.ink(), marker="none")
    axes.set_xlabel("step")
    axes.set_ylabel("expected return")
    axes.legend(frameon=False, fontsize="small", loc="best")
