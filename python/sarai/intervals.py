"""95% confidence intervals, for tables and figures alike."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from sarai._base import arguments

__all__ = ["Z95", "mean_interval", "wilson"]

#: The standard normal quantile of 0.975: 95% lie within this many standard errors.
Z95 = 1.959963984540054


def wilson(successes: SupportsIndex, n: SupportsIndex) -> tuple[float, float]:
    """Wilson's 95% interval for a share, given ``successes`` out of ``n``.

    Unlike the mean plus or minus two standard errors, it stays between 0 and 1, and has a width even if none or all
    succeeded.

    Args:
        successes: the number of successes, 0 to ``n``.
        n: the number of trials, 1 or more.

    Returns:
        ``(low, high)``, with ``0 <= low <= successes / n <= high <= 1``.

    Raises:
        TypeError: if an argument is not an integer.
        ValueError: if ``n < 1`` or ``successes`` is not from 0 to ``n``.

    Example:
        >>> low, high = wilson(40, 100)
        >>> round(low, 4), round(high, 4)
        (0.3094, 0.498)
        >>> wilson(5, 4)
        Traceback (most recent call last):
            ...
        ValueError: successes must be from 0 to n = 4, got 5
    """
    successes, n = arguments.whole("successes", successes), arguments.whole("n", n)
    if n < 1:
        raise ValueError(f"n must be at least 1, got {arguments.in_words(n)}")
    if not 0 <= successes <= n:
        raise ValueError(
            f"successes must be from 0 to n = {arguments.in_words(n)}, got {arguments.in_words(successes)}"
        )
    # Integers of any size can be divided by one another, but not all of them be turned into a float.
    share, weight = successes / n, Z95 * Z95 * (1 / n)
    middle = (share + weight / 2) / (1 + weight)
    half = math.sqrt(share * (1 - share) * weight + weight * weight / 4) / (1 + weight)
    # The bounds at the ends are exact; rounding would leave a speck.
    low = 0.0 if successes == 0 else min(middle - half, share)
    high = 1.0 if successes == n else max(middle + half, share)
    return low, high


def mean_interval(
    values: npt.NDArray[Any] | Sequence[float], bounds: tuple[float, float] = (-math.inf, math.inf)
) -> tuple[float, float, float]:
    """The mean of independent values with its 95% interval, which ends where the bounds of the values do.

    Between two finite bounds it is a score interval (Wilson, Journal of the American Statistical Association 22, 1927):
    it holds each mean that lies within 1.96 standard errors of the one observed, where the standard error is the one
    that there would be if that mean were true. The variance for that is the one of the values observed, mixed with as
    much of the bound as moves their mean there; of a share p it is p (1 - p), and the interval is ``wilson``'s. Even a
    single value, or values that are all the same, have an interval with a width: as likely as ``wilson(0, n)`` allows,
    a bound was only not seen. Of simulated returns that are won, lost, drawn or skewed, it holds the mean in 94 or more
    of 100 samples of 40 or more, and in 89 or more of smaller ones.

    Where a bound is infinite, nothing limits what was not seen, so the interval is the normal approximation, the mean
    plus or minus 1.96 standard errors, cut off at the other bound. It is accurate from a few dozen values upwards, and
    too narrow for fewer.

    Args:
        values: a flat array or sequence of at least one finite number.
        bounds: the least and the greatest that a value can be, in the unit of the values.

    Returns:
        ``(mean, low, high)``, in the unit of the values, all of them within the bounds. Without two finite bounds
        a single value says nothing of the spread, and ``low`` and ``high`` are ``nan``; of values that are all the
        same both are then the mean.

    Raises:
        ValueError: if there are no values, the array is not flat, a value is not a finite number or not within the
            bounds, the bounds are not the lesser and the greater, or the values are so large that their spread
            overflows.

    Example:
        >>> mean, low, high = mean_interval([1, 2, 3, 4])
        >>> mean, round(low, 3), round(high, 3)
        (2.5, 1.235, 3.765)
        >>> mean, low, high = mean_interval([-1, -1, -1, 2], (-1, 2))
        >>> mean, round(low, 3), round(high, 3)
        (-0.25, -0.863, 1.098)
        >>> mean_interval([])
        Traceback (most recent call last):
            ...
        ValueError: an interval needs at least one value, got none
    """
    array = np.asarray(values)
    if array.ndim != 1:
        raise ValueError(f"values must be a flat array, got one of shape {array.shape}")
    if array.size == 0:
        raise ValueError("an interval needs at least one value, got none")
    if array.dtype.kind not in "biuf":
        raise ValueError(f"values must be numbers, got an array of dtype {array.dtype}")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ValueError("values must be finite numbers, got nan or inf among them")
    least, most = bounds
    if not least < most or array.min() < least or array.max() > most:
        raise ValueError(
            f"bounds must be the least and the greatest that a value can be, got {least} and {most}"
        )
    with np.errstate(over="ignore", invalid="ignore"):
        # Rounding may carry the mean of equal values past them.
        mean = min(max(float(array.mean(dtype=np.float64)), least), most)
        std = float(array.std(ddof=1, dtype=np.float64)) if array.size > 1 else math.nan
    if not math.isfinite(mean) or math.isinf(std) or (array.size > 1 and math.isnan(std)):
        raise ValueError("values must be smaller than 1e150 in size, or their spread overflows")
    return mean, *interval_of(mean, std, array.size, bounds)


def interval_of(mean: float, std: float, n: int, bounds: tuple[float, float]) -> tuple[float, float]:
    """The interval of `mean_interval` from the mean, the standard deviation (divisor n - 1) and the number of values.

    >>> interval_of(2.0, 0.0, 50, (0, math.inf))
    (2.0, 2.0)
    """
    least, most = bounds
    span = most - least
    if not math.isfinite(span):
        half = Z95 * std / math.sqrt(n)
        return (max(mean - half, least), min(mean + half, most)) if n > 1 else (math.nan, math.nan)
    place = (mean - least) / span
    spread = std / span
    variance = min(spread * spread * (n - 1) / n, place * (1 - place)) if n > 1 else 0.0
    weight = Z95 * Z95 / n
    low = mean - span * _reach(place, variance, weight)
    high = mean + span * _reach(1 - place, variance, weight)
    return max(low, least), min(high, most)


def _reach(room: float, variance: float, weight: float) -> float:
    """How far the mean may move towards a bound that is `room` away, all in units of the distance of the bounds.

    Mixing in q of the bound moves the mean by d = q * room, and the variance v becomes v + d (room - v / room) - d**2.
    The end is where d**2 is `weight` times that.
    """
    if room <= 0:
        return 0.0
    slope = weight * (room - variance / room)
    root = math.sqrt(slope * slope + 4 * (1 + weight) * weight * variance)
    return min((slope + root) / (2 * (1 + weight)), room)
