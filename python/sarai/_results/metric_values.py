"""From the sums that the engine adds up to the values of metrics, with their intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sarai._results import sketches
from sarai._results.measures import BY_NAME
from sarai._tables.equality import EqualByValues
from sarai.intervals import Z95, interval_of

NO_INTERVAL = (math.nan, math.nan)


@dataclass(frozen=True, eq=False)
class Curve(EqualByValues):
    """A metric at several places.

    Attributes:
        label: What `x` counts.
        x: The places.
        mean: The metric at each.
        low: The lower end of its 95% interval; nan if there is none.
        high: The upper end.
    """

    label: str
    x: tuple[float, ...]
    mean: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Metric(EqualByValues):
    """One metric. docs/metrics.md has its formula and source, `meaning` what it means.

    Attributes:
        name: Its name.
        unit: What its values count, or "share" for 0 to 1.
        mean: Its value.
        interval: The ends of the 95% interval of `mean`; nan if there is none.
        std: The standard deviation of the single values: of a game, or of a decision in branching factors; nan where
            the metric has none.
        median: Their median, to 0.001 for shares and 1/64 of a bit for the complexity of the game tree.
        min: The smallest.
        max: The largest.
        n: How many values there are.
        curve: Branching by tenths of the game, positions by number of games, skill by doublings of effort; None for
            other metrics.
    """

    name: str
    unit: str
    mean: float
    interval: tuple[float, float]
    std: float
    median: float
    min: float
    max: float
    n: int
    curve: Curve | None = None

    @property
    def meaning(self) -> str:
        """What it is, in one sentence."""
        return BY_NAME[family(self.name)].meaning


def family(name: str) -> str:
    """The name in the table of metrics: all seats' advantages are one there.

    >>> family("advantage_2"), family("balance")
    ('advantage', 'balance')
    """
    head, _, seat = name.rpartition("_")
    return head if seat.isdigit() else name


def from_spread(name: str, spread: tuple[Any, ...], alike: bool, factor: float = 1.0) -> Metric:
    """The metric of values that games have, from their sums and bins."""
    bits, shift, n, total, squares, least, most, bins = spread
    unit = factor / 2.0**bits
    if n == 0:
        return _unknown(name)
    mean = total / n * unit
    spread_of = n * squares - total * total
    std = math.sqrt(spread_of / (n * (n - 1))) * unit if n > 1 else math.nan
    return Metric(
        name,
        BY_NAME[name].unit,
        mean,
        _interval(mean, std, n, (0.0, 1.0 if BY_NAME[name].unit == "share" else math.inf), alike),
        std,
        _median(bins, n, shift, least, most) * unit,
        least * unit,
        most * unit,
        n,
    )


def from_values(name: str, values: dict[float, int], alike: bool) -> Metric:
    """The metric of values that are few, with how often there is each that can be; those of shares are 0 and 1."""
    known = sorted((value, count) for value, count in values.items() if count)
    n = sum(count for _, count in known)
    if n == 0:
        return _unknown(name)
    mean = sum(value * count for value, count in known) / n
    squares = sum((value - mean) ** 2 * count for value, count in known)
    std = math.sqrt(squares / (n - 1)) if n > 1 else math.nan
    interval = _interval(mean, std, n, (min(values), max(values)), alike)
    ends = np.cumsum([count for _, count in known])
    low, high = (
        known[int(np.searchsorted(ends, place, side="right"))][0] for place in ((n - 1) // 2, n // 2)
    )
    return Metric(
        name,
        BY_NAME[family(name)].unit,
        mean,
        interval,
        std,
        (low + high) / 2,
        known[0][0],
        known[-1][0],
        n,
    )


def ratio(sums: Sequence[int], games: int, alike: bool, least: int = 1) -> tuple[float, float, float]:
    """A ratio of two totals, `least` or more, with its 95% interval, which takes games as independent, not decisions.

    The variance is that of the ratio estimator (Cochran, Sampling Techniques, 1977, chapter 6), of exact sums.

    >>> ratio((6, 3, 36, 18, 9), 1, False)
    (2.0, nan, nan)
    """
    x, y, xx, xy, yy = sums
    if y == 0:
        return math.nan, math.nan, math.nan
    mean = x / y
    if games < 2:
        return mean, *NO_INTERVAL
    rest = xx * y * y - 2 * x * y * xy + x * x * yy
    half = Z95 * math.sqrt(games / (games - 1) * (rest / y**4))
    return (mean, max(mean - half, least), mean + half) if half > 0 and not alike else (mean, *NO_INTERVAL)


def branching(found: dict[str, Any], alike: bool) -> list[Metric]:
    """Both branching factors, the first with its curve."""
    games = found["games"]
    phases = [ratio(sums, games, alike) for sums in found["branching_by_phase"]]
    mean, low, high = zip(*phases, strict=True)
    x = tuple((phase + 0.5) / len(phases) for phase in range(len(phases)))
    curve = Curve("part of the game", x, mean, low, high)
    options = np.asarray(found["options"], dtype=np.int64)
    metrics = []
    for name, sums, least, shape in (
        ("branching_factor", "branching", 1, curve),
        ("branching_factor_choices", "branching_of_choices", 2, None),
    ):
        mean_of, *interval = ratio(found[sums], games, alike, least)
        counts = {number: int(options[number]) for number in range(least, len(options)) if options[number]}
        if not counts:
            metrics.append(_unknown(name))
            continue
        one = from_values(name, dict(counts.items()), alike=True)
        ends = (interval[0], interval[1])
        metrics.append(
            Metric(name, one.unit, mean_of, ends, one.std, one.median, one.min, one.max, one.n, shape)
        )
    return metrics


def state_space(registers: NDArray[np.uint8], board_games: int) -> Metric:
    """How many different positions were seen, with its curve by the number of games."""
    name = "state_space"
    if len(registers) == 0:
        return _unknown(name)
    union = np.maximum.accumulate(registers, axis=0)
    x = tuple(float(min(2 ** (row + 1) - 1, board_games)) for row in range(len(union)))
    mean = tuple(sketches.estimate(row) for row in union)
    half = Z95 * sketches.ERROR
    low, high = (tuple(value * (1 + side * half) for value in mean) for side in (-1, 1))
    curve = Curve("games", x, mean, low, high)
    nan = math.nan
    unit = BY_NAME[name].unit
    return Metric(name, unit, mean[-1], (low[-1], high[-1]), nan, nan, nan, nan, board_games, curve)


def balance(wins: Sequence[int], games: int, alike: bool) -> Metric:
    """1 minus the distance between the best and the worst share of games won.

    The distance is a mean over games: of 1 where the best has won, -1 where the worst has, and 0 otherwise.
    """
    best, worst = max(wins) / games, min(wins) / games
    gap = best - worst
    mean = 1 - gap
    nan = math.nan
    std = math.sqrt(max(best + worst - gap * gap, 0.0) * games / (games - 1)) if games > 1 else nan
    low, high = _interval(gap, std, games, (-1.0, 1.0), alike)
    interval = 1 - high, min(1 - low, 1.0)
    return Metric("balance", "share", mean, interval, nan, nan, nan, nan, games)


def uniformity(moments: Sequence[Sequence[int]], games: int, alike: bool) -> Metric:
    """1 minus the variance of returns, scaled to -1 to 1, the mean over seats.

    The standard error of a variance is by its fourth moment; that of the mean over seats is at most their mean.
    """
    # Returns are held in units of 2**-20 of their range, which becomes 2.
    unit = 2 / 2.0**20
    variances, errors = [], []
    for total, squares, cubes, fourths in moments:
        variance = (games * squares - total * total) / games**2
        # n**4 times the fourth central moment, in whole numbers.
        fourth = (
            games**3 * fourths - 4 * games**2 * total * cubes + 6 * games * total**2 * squares - 3 * total**4
        )
        variances.append(variance * unit**2)
        errors.append(math.sqrt(max(fourth / games**4 - variance**2, 0.0) / games) * unit**2)
    nan = math.nan
    mean = 1 - sum(variances) / len(variances)
    half = Z95 * sum(errors) / len(errors)
    interval = (max(mean - half, 0.0), min(mean + half, 1.0)) if half > 0 and not alike else NO_INTERVAL
    return Metric("outcome_uniformity", "share", mean, interval, nan, nan, nan, nan, games)


def _unknown(name: str) -> Metric:
    nan = math.nan
    return Metric(name, BY_NAME[family(name)].unit, nan, NO_INTERVAL, nan, nan, nan, nan, 0)


def _interval(
    mean: float, std: float, n: int, bounds: tuple[float, float], alike: bool
) -> tuple[float, float]:
    """As `Estimate.of_mean` has it: none where games are alike, or where equal values are all that is known."""
    if alike:
        return NO_INTERVAL
    low, high = interval_of(mean, std, n, bounds)
    return (low, high) if low < high else NO_INTERVAL


def _median(bins: NDArray[np.uint64], n: int, shift: int, least: int, most: int) -> float:
    """The median, to half the width of a bin."""
    ends = np.cumsum(bins.astype(np.int64))
    low, high = (int(np.searchsorted(ends, place, side="right")) for place in ((n - 1) // 2, n // 2))
    middle = ((low + high) * 2**shift + (2**shift - 1)) / 2
    return float(min(max(middle, least), most))
