"""Figures of rollouts, with matplotlib, which is imported only when a figure is asked for."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from sarai._base.arguments import counted
from sarai._results import figures
from sarai._results.figures import bar, check_matplotlib, clipped, ground, ink
from sarai._results.summary import few_distinct
from sarai._tables.estimates import COUNTS
from sarai.intervals import mean_interval, wilson

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from sarai._results.rollout import Rollout

__all__ = ["check_matplotlib", "plot_rollout"]

_ROW_HEIGHT = 2.2  # inches
_MOST_BARS = 40
_STEPS = [1, 2, 2.5, 5, 10]  # between ticks, times a power of ten
_MEAN, _DRAWS = "#b3400a", "#8a8a8a"
_SIDES = ("#0072b2", "#e69f00", "#009e73", "#cc79a7")  # Okabe and Ito, as on the boards


def plot_rollout(
    result: Rollout,
    path: str | os.PathLike[str] | None = None,
    ax: Axes | None = None,
    panel: str | None = None,
) -> Figure:
    """Draw the results of a rollout: who won, and the distributions of turns, decisions and each statistic.

    The share of games won is shown with Wilson's 95% interval, and each distribution with its mean and the mean's 95%
    interval. A long thin tail is cut off, with a note that says how many games lie beyond.

    Args:
        result: the result of ``sarai.rollout``, for any game.
        path: a file to write, in a format of matplotlib's; it is written either completely or not at all, and replaces
            an existing one. With the same version of matplotlib, the same rollout always gives the same bytes as .svg,
            .png and .pdf.
        ax: axes on which one panel is drawn instead, in their figure's style.
        panel: which one: "wins", as without, "turns", "decisions" or the name of a statistic.

    Returns:
        A ``matplotlib.figure.Figure``, which a notebook displays at the end of a cell. It does not belong to a pyplot
        window, so there is nothing to close. With ``ax`` it is the figure of these.

    Raises:
        ImportError: if Matplotlib is not installed.
        ValueError: if ``path`` has another suffix, the rollout holds no games, there is no such panel, or MPLBACKEND
            prevents matplotlib from being imported.
        OSError: if the file cannot be written.

    Example:
        >>> plot_rollout(result, "games.svg")  # doctest: +SKIP
        <Chart size 720x655 with 7 Axes>
        >>> plot_rollout(None, "games.txt")  # type: ignore[arg-type]
        Traceback (most recent call last):
            ...
        ValueError: a figure is written as .eps, .jpeg, .jpg, .pdf, .png, .ps, .svg, .tif, .tiff, .webp, got 'games.txt'
    """
    target = figures.target_of(path)
    values = _distributions(result)
    bars = _win_bars(result)
    alike = few_distinct(result.digests) is not None

    def draw_wins(axes: Axes) -> None:
        _draw_wins(axes, bars, len(set(result.sides)), result.winner.size, alike)

    def distribution(name: str, array: npt.NDArray[Any]) -> Callable[[Axes], None]:
        cycle = len(result.sides) if name == "turns" else 1
        return lambda axes: _draw_distribution(axes, name, array, cycle, alike)

    panels = {"wins": draw_wins, **{name: distribution(name, array) for name, array in values}}
    if ax is not None:
        return figures.on_axes(ax, panels, panel, path)
    figures.no_panel(panel)
    with figures.style():
        heights = [0.85 + 0.36 * len(bars)] + [_ROW_HEIGHT] * -(-len(values) // _columns(len(values)))
        figure = figures.new_figure(figures.HEAD + sum(heights), _title(result), _subtitle(result))
        # Six columns, so that one, two or three panels fill a row alike and no cell stays empty.
        grid = figure.add_gridspec(len(heights), 6, height_ratios=heights)
        draw_wins(figure.add_subplot(grid[0, :]))
        for i, (name, _) in enumerate(values):
            row, cells = _cells(i, len(values))
            axes = figure.add_subplot(grid[row + 1, cells])
            panels[name](axes)
            if cells.start != 0:
                axes.set_ylabel("")
        if target is not None:
            about = {
                "game": str(result.game),
                "agents": list(result.agents),
                "seed": result.seed,
            }
            figures.write(figure, target, _title(result), about)
    return figure


def _distributions(result: Rollout) -> list[tuple[str, npt.NDArray[Any]]]:
    """The arrays to draw by name."""
    if result.winner.size == 0:
        raise ValueError("a figure needs at least one game, got a rollout of none")
    return [("turns", result.turns), ("decisions", result.lengths), *result.stats.items()]


def _columns(num_panels: int) -> int:
    return 2 if num_panels in (2, 4) else 3


def _cells(index: int, num_panels: int) -> tuple[int, slice]:
    """The row of a distribution and which of the six columns it takes; the last row is stretched to fill."""
    columns = _columns(num_panels)
    row, column = divmod(index, columns)
    width = 6 // min(columns, num_panels - row * columns)
    return row, slice(column * width, (column + 1) * width)


def _title(result: Rollout) -> str:
    num_games = result.winner.size
    return f"{result.game}: {counted(num_games, 'game')}"


def _subtitle(result: Rollout) -> str:
    agents = ", ".join(map(clipped, result.agents))
    distinct = few_distinct(result.digests)
    said = "intervals are 95%" if distinct is None else f"distinct games: {distinct:,}, so no intervals"
    return f"agents by seat: {agents}   ·   seed {result.seed}   ·   {said}"


def _win_bars(result: Rollout) -> list[tuple[str, int, str]]:
    """Label, number of games and colour: for each side what it won, then the draws if there are any."""
    bars = []
    for side in sorted(set(result.sides)):
        seats = [seat for seat, owner in enumerate(result.sides) if owner == side]
        word = "seat" if len(seats) == 1 else "seats"
        agents = ", ".join(dict.fromkeys(result.agents[seat] for seat in seats))
        label = f"{word} {', '.join(map(str, seats))}\n{clipped(agents)}"
        bars.append((label, int(np.count_nonzero(result.winner == side)), _SIDES[side % len(_SIDES)]))
    draws = int(np.count_nonzero(result.winner < 0))
    return [*bars, ("draws", draws, _DRAWS)] if draws else bars


def _draw_wins(
    axes: Axes, bars: list[tuple[str, int, str]], num_sides: int, num_games: int, alike: bool
) -> None:
    from matplotlib.ticker import MaxNLocator, PercentFormatter

    furthest, longest = 0.0, 0
    # In narrow axes the whisker alone shows the interval.
    figure = axes.get_figure(root=True)
    assert figure is not None, "axes are drawn on a figure"
    room = axes.get_window_extent().width * 72 / figure.dpi / _letter()
    for i, (_, games, colour) in enumerate(bars):
        share = games / num_games
        low, high = (share, share) if alike else wilson(games, num_games)
        furthest = max(furthest, high)
        # As many decimals as it takes to tell the ends of the interval apart, one at least.
        decimals = next((digits for digits in range(1, 9) if high - low > 2 * 10 ** -(digits + 2)), 9)
        axes.barh(i, share, height=0.66, color=colour)
        said = f"{share:.0%}"
        if not alike:
            whisker = ([share - low], [high - share])
            axes.errorbar(share, i, xerr=whisker, fmt="none", ecolor=ink(), capsize=2.5, elinewidth=1)
            interval = f"{share:.{decimals}%}  [{low:.{decimals}%}, {high:.{decimals}%}]"
            said = interval if len(interval) < 0.4 * room else f"{share:.{decimals - 1}%}"
        longest = max(longest, len(said))
        axes.annotate(
            said,
            (high, i),
            (5, 0),
            textcoords="offset points",
            va="center",
            fontsize="small",
            bbox={"facecolor": ground(), "edgecolor": "none", "pad": 1},
        )
    figures.reference_line(axes, 1 / num_sides)
    axes.set_yticks(range(len(bars)), [label for label, _, _ in bars], parse_math=False)
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(bars) - 0.45, -0.55)
    axes.set_xlim(0, furthest / (1 - min(0.5, (longest + 2) / room)))
    steps = MaxNLocator(max(2, min(6, int(room / 12))), steps=_STEPS)
    axes.set_xticks([tick for tick in steps.tick_values(0, furthest) if 0 <= tick <= 1])
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    axes.set_title("games won")
    axes.set_xlabel("share of games (dashed: equal shares)" if room > 40 else "share of games")


def _letter() -> float:
    """About how wide a letter of a small text is, in points."""
    from matplotlib.font_manager import FontProperties

    return 0.6 * FontProperties(size="small").get_size_in_points()


def _draw_distribution(axes: Axes, name: str, values: npt.NDArray[Any], cycle: int, alike: bool) -> None:
    from matplotlib.ticker import MaxNLocator, PercentFormatter

    low, high, beyond = _shown_range(values)
    width = _bar_width(high - low + 1)
    # Seats take turns, so whoever wins most often makes some numbers of turns likelier, with the number of seats as the
    # period. A bar that is no multiple of it would show that as a comb.
    width = width if width == 1 else -(-width // cycle) * cycle
    # Bars begin half a unit below a multiple of their width, so that a whole number never lies on an edge.
    start = low // width * width - 0.5
    bars = (high - low // width * width) // width + 1
    counts, edges = np.histogram(values, bins=bars, range=(start, start + bars * width))
    shares = counts / values.size
    axes.bar(edges[:-1], shares, width=width, align="edge", color=bar(), edgecolor=ground(), linewidth=0.3)
    axes.axvline(float(values.mean(dtype=np.float64)), color=_MEAN, linewidth=1, marker="none")
    axes.set_title(clipped(name).replace("_", " "), pad=16, parse_math=False)
    under_title: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points"}
    axes.annotate(_mean_in_words(values, alike), (0, 1), (0, 5), **under_title, fontsize="small", color=_MEAN)
    notes = ["per game" if width == 1 else f"per game (bins of {width})"]
    if beyond:
        notes.append(f"{counted(beyond, 'game')} beyond, up to {int(values.max()):,}")
    axes.set_xlabel("\n".join(notes))
    axes.set_ylabel("share of games")
    # Room for five values at least, or a statistic that is always the same would be one wall of colour.
    axes.set_xlim(start, max(edges[-1], start + 5))
    axes.set_ylim(0, 1.1 * float(shares.max()))
    axes.xaxis.set_major_locator(MaxNLocator(5, integer=True, steps=_STEPS))
    axes.yaxis.set_major_locator(MaxNLocator(4, steps=_STEPS))
    axes.yaxis.set_major_formatter(PercentFormatter(1))


def _shown_range(values: npt.NDArray[Any]) -> tuple[int, int, int]:
    """The least and greatest value to show, and how many games lie above that.

    A few very long games would press all others into a corner, so what lies far above 99.5% of them is cut.
    """
    low, high = int(values.min()), int(values.max())
    usual = int(np.quantile(values, 0.995, method="higher"))
    if high - low <= 1.6 * (usual - low) or high - low < _MOST_BARS:
        return low, high, 0
    return low, usual, int(np.count_nonzero(values > usual))


def _bar_width(span: int) -> int:
    """The least of 1, 2, 5, 10, 20, 50, ... that needs no more than the greatest number of bars."""
    width = 1
    while span > _MOST_BARS * width:
        width = width * 5 // 2 if str(width).startswith("2") else width * 2
    return width


def _mean_in_words(values: npt.NDArray[Any], alike: bool) -> str:
    """The mean and half the width of its interval, which has two figures; none where all values are the same."""
    mean, low, high = mean_interval(values, COUNTS)
    if alike or not low < high:
        return f"mean {mean:,.0f}" if (values == values[0]).all() else f"mean {mean:,.1f}"
    half = high - mean
    decimals = max(0, 1 - math.floor(math.log10(half)))
    return f"mean {mean:,.{decimals}f} ± {half:,.{decimals}f}"
