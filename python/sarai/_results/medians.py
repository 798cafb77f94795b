"""Differences of medians, for which no test has a name: their intervals by the bootstrap, p-values by permutation.

Games have few different values, so that a sample is resampled as the counts of its values: it costs the same for a
hundred games and for a hundred million. The generators have a fixed seed, so the same samples give the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Counts: TypeAlias = NDArray[np.int64]

RESAMPLES = 9_999
_CELLS = 4_000_000
"""Counts that are in memory at a time."""


def interval(sample: Floats) -> tuple[float, float]:
    """The 95% interval of the median of independent games, by the binomial distribution.

    >>> interval(np.arange(11.0))
    (1.0, 9.0)
    """
    from scipy import stats

    ends = stats.quantile_test(sample, q=0.0, p=0.5).confidence_interval(0.95)
    return float(ends.low), float(ends.high)


def independent(one: Floats, two: Floats) -> tuple[float, float, float]:
    """The 95% interval of how far the median of `two` lies above that of `one`, and the p-value of no difference.

    >>> low, high, p = independent(np.arange(40.0), np.arange(40.0) + 15)
    >>> 0 < low < 15 < high, p < 0.01
    (True, True)
    """
    values, places = np.unique(np.concatenate([one, two]), return_inverse=True)
    first, other = (
        np.bincount(part, minlength=len(values)) for part in (places[: len(one)], places[len(one) :])
    )
    pooled = first + other

    def resampled(rng: np.random.Generator, times: int) -> Floats:
        drawn = [rng.multinomial(counts.sum(), counts / counts.sum(), times) for counts in (first, other)]
        return _median(values, drawn[1]) - _median(values, drawn[0])

    def exchanged(rng: np.random.Generator, times: int) -> Floats:
        drawn = rng.multivariate_hypergeometric(pooled, len(one), times)
        return _median(values, pooled - drawn) - _median(values, drawn)

    apart = float(np.median(two) - np.median(one))
    return _found(apart, len(values), resampled, exchanged)


def paired(one: Floats, two: Floats) -> tuple[float, float, float]:
    """The same where row i of both is of the same game.

    >>> low, high, p = paired(np.arange(40.0), np.arange(40.0) + 15)
    >>> low == high == 15, p < 0.01
    (True, True)
    """
    values, places = np.unique(np.concatenate([one, two]), return_inverse=True)
    pairs, counts = np.unique(places.reshape(2, -1), axis=1, return_counts=True)

    def apart(counts: Counts, swapped: Counts) -> Floats:
        # Of each kind of pair some games count the other way round.
        kept = counts - swapped
        sides = [np.zeros((len(values), len(swapped)), np.int64) for _ in range(2)]
        for side in (0, 1):
            np.add.at(sides[side], pairs[side], kept.T)
            np.add.at(sides[side], pairs[1 - side], swapped.T)
        return _median(values, sides[1].T) - _median(values, sides[0].T)

    def resampled(rng: np.random.Generator, times: int) -> Floats:
        drawn = rng.multinomial(len(one), counts / len(one), times)
        return apart(drawn, np.zeros_like(drawn))

    def exchanged(rng: np.random.Generator, times: int) -> Floats:
        return apart(counts, rng.binomial(counts, 0.5, (times, len(counts))))

    return _found(float(np.median(two) - np.median(one)), len(counts) + len(values), resampled, exchanged)


def delta(one: Floats, two: Floats) -> float:
    """Cliff's delta: how much likelier a game of `two` has more than one of `one` than less.

    >>> delta(np.array([1.0, 2.0]), np.array([2.0, 3.0]))
    0.75
    """
    ordered = np.sort(one)
    below = np.searchsorted(ordered, two, "left").sum(dtype=np.float64)
    not_above = np.searchsorted(ordered, two, "right").sum(dtype=np.float64)
    return float((below + not_above) / (len(one) * len(two)) - 1)


_Draw: TypeAlias = Callable[[np.random.Generator, int], Floats]


def _found(apart: float, cells: int, resampled: _Draw, exchanged: _Draw) -> tuple[float, float, float]:
    low, high = np.quantile(_all(resampled, cells, 1), (0.025, 0.975))
    # A permutation that is as far apart as the games counts against them; they are one of the permutations.
    as_far = np.count_nonzero(np.abs(_all(exchanged, cells, 2)) >= abs(apart) * (1 - 1e-12))
    return float(low), float(high), float(1 + as_far) / (1 + RESAMPLES)


def _all(draw: _Draw, cells: int, seed: int) -> Floats:
    rng = np.random.default_rng(seed)
    return np.concatenate([draw(rng, times) for times in _batches(max(1, _CELLS // cells))])


def _batches(most: int) -> Iterator[int]:
    for done in range(0, RESAMPLES, most):
        yield min(most, RESAMPLES - done)


def _median(values: Floats, counts: Any) -> Floats:
    """The median of each row of counts: of an even number of games, the middle between the two in the middle."""
    reached = np.cumsum(counts, axis=1)
    games = reached[:, -1:]
    lower = (reached > (games - 1) // 2).argmax(axis=1)
    upper = (reached > games // 2).argmax(axis=1)
    found: Floats = (values[lower] + values[upper]) / 2
    return found
