"""How far two samples differ: the difference of their means, its interval, p-value and effect size, by scipy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sarai._base.extras import needed
from sarai._results import medians
from sarai._tables.equality import EqualByValues
from sarai._tables.estimates import Estimate
from sarai.intervals import wilson

#: Where a cell of the table of two shares is expected to hold fewer, the exact test takes over.
LEAST_EXPECTED = 5

WELCH = "Welch's t-test; Cohen's d"
PAIRED = "paired t-test; Cohen's d of the differences"
SCORE = "chi-squared test, Newcombe's interval; Cohen's h"
FISHER = "Fisher's exact test, Newcombe's interval; Cohen's h"
MCNEMAR = "McNemar's exact test, interval of paired differences; Cohen's h"
MEDIANS = "permutation test, bootstrap interval of the difference of medians; Cliff's delta"
PAIRED_MEDIANS = (
    "permutation test within games, bootstrap interval of the difference of medians; Cliff's delta"
)
CONSTANT = "none, every game has the same value"
ALIKE = "none, too few games are distinct"


@dataclass(frozen=True, eq=False)
class Difference(EqualByValues):
    """How far a sample differs from another.

    Attributes:
        estimate: The difference of the means with its 95% interval; nan where there is none.
        p: The p-value, two-sided, of no difference; nan where there is no test.
        effect: The effect size.
        method: Which test, interval and effect size these are.
    """

    estimate: Estimate
    p: float
    effect: float
    method: str


def check_scipy() -> None:
    """Check that tests can be computed.

    Raises:
        ImportError: scipy is not installed.
    """
    with needed("a comparison", "stats"):
        import scipy.stats  # noqa: F401


def difference(
    first: NDArray[Any],
    other: NDArray[Any],
    *,
    share: bool,
    paired: bool,
    alike: bool = False,
    median: bool = False,
) -> Difference:
    """How far the mean of `other` is above that of `first`, or its median.

    Args:
        first: A number for each game; of a share, 0 or 1.
        other: The same; where `paired`, of the same games.
        share: Whether they are 0 or 1.
        paired: Whether row i of both is the same game.
        alike: Whether games come again and again, so that no test means anything.
        median: Whether medians are compared, not means.
    """
    nan = math.nan
    one, two = first.astype(np.float64), other.astype(np.float64)
    value = float(np.median(two) - np.median(one)) if median else float(two.mean() - one.mean())
    bare = Estimate(value, nan, nan)
    if alike:
        return Difference(bare, nan, nan, ALIKE)
    if one.std() == 0 and two.std() == 0 and not (share and value):
        return Difference(bare, nan, nan, CONSTANT)
    if median and not (paired and (one == two).all()):
        low, high, p = (medians.paired if paired else medians.independent)(one, two)
        method = PAIRED_MEDIANS if paired else MEDIANS
        return Difference(Estimate(value, low, high), p, medians.delta(one, two), method)
    if paired:
        return _paired(one, two, value, share)
    return _shares(one, two, value) if share else _welch(one, two, value)


def _welch(one: NDArray[np.float64], two: NDArray[np.float64], value: float) -> Difference:
    from scipy import stats

    # With one sample that does not vary, Welch's test is that of the other against a number, without its warning.
    if one.std() == 0:
        found = stats.ttest_1samp(two - one[0], 0)
    elif two.std() == 0:
        found = stats.ttest_1samp(two[0] - one, 0)
    else:
        found = stats.ttest_ind(two, one, equal_var=False)
    interval = found.confidence_interval(0.95)
    spread = math.sqrt((one.var(ddof=1) + two.var(ddof=1)) / 2)
    return Difference(
        Estimate(value, float(interval.low), float(interval.high)), float(found.pvalue), value / spread, WELCH
    )


def _paired(one: NDArray[np.float64], two: NDArray[np.float64], value: float, share: bool) -> Difference:
    from scipy import stats

    apart = two - one
    if apart.std() == 0:
        return Difference(Estimate(value, math.nan, math.nan), math.nan, math.nan, CONSTANT)
    found = stats.ttest_rel(two, one)
    ends = found.confidence_interval(0.95)
    estimate = Estimate(value, float(ends.low), float(ends.high))
    if not share:
        return Difference(estimate, float(found.pvalue), value / float(apart.std(ddof=1)), PAIRED)
    up, down = int((apart > 0).sum()), int((apart < 0).sum())
    exact = stats.binomtest(up, up + down)
    return Difference(estimate, float(exact.pvalue), _cohens_h(one, two), MCNEMAR)


def _shares(one: NDArray[np.float64], two: NDArray[np.float64], value: float) -> Difference:
    from scipy import stats

    sizes = len(one), len(two)
    counts = int(one.sum()), int(two.sum())
    (low_1, high_1), (low_2, high_2) = (
        wilson(count, size) for count, size in zip(counts, sizes, strict=True)
    )
    shares = [count / size for count, size in zip(counts, sizes, strict=True)]
    # Newcombe (1998), method 10: the square-and-add of both Wilson intervals.
    low = value - math.hypot(shares[1] - low_2, high_1 - shares[0])
    high = value + math.hypot(high_2 - shares[1], shares[0] - low_1)
    table = [[count, size - count] for count, size in zip(counts, sizes, strict=True)]
    least = min(sizes) * min(sum(counts), sum(sizes) - sum(counts)) / sum(sizes)
    if least < LEAST_EXPECTED:
        p, method = float(stats.fisher_exact(table).pvalue), FISHER
    else:
        p, method = float(stats.chi2_contingency(table, correction=False).pvalue), SCORE
    return Difference(Estimate(value, low, high), p, _cohens_h(one, two), method)


def _cohens_h(one: NDArray[np.float64], two: NDArray[np.float64]) -> float:
    return 2 * (math.asin(math.sqrt(two.mean())) - math.asin(math.sqrt(one.mean())))


def holm(values: Sequence[float]) -> list[float]:
    """p-values corrected for their number (Holm 1979); nan is none and stays.

    With them, the chance that any of the true null hypotheses is rejected at a level is at most that level.

    >>> holm([0.01, 0.04, 0.03, math.nan])
    [0.03, 0.06, 0.06, nan]
    """
    order = sorted(
        (place for place, p in enumerate(values) if not math.isnan(p)), key=lambda place: values[place]
    )
    corrected = list(values)
    largest = 0.0
    for rank, place in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - rank) * values[place]))
        corrected[place] = largest
    return corrected
