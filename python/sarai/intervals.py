"""95% confidence intervals, for tables and figures alike."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from sarai import arguments

__all__ = ["Z95", "mean_interval", "wilson", "wilson_share"]

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
    return _wilson(successes / n, 1 / n, successes == 0, successes == n)


def wilson_share(share: float, n: float) -> tuple[float, float]:
    """The same for a share, 0 to 1, that is worth `n` independent trials, which need not be a whole number.

    >>> wilson_share(0.4, 100) == wilson(40, 100)
    True
    """
    return _wilson(share, 1 / n, share == 0, share == 1)


def _wilson(share: float, each: float, none: bool, every: bool) -> tuple[float, float]:
    weight = Z95 * Z95 * each
    middle = (share + weight / 2) / (1 + weight)
    half = math.sqrt(share * (1 - share) * weight + weight * weight / 4) / (1 + weight)
    # The bounds at the ends are exact; rounding would leave a speck.
    low = 0.0 if none else min(middle - half, share)
    high = 1.0 if every else max(middle + half, share)
    return low, high


def mean_interval(values: npt.NDArray[Any] | Sequence[float]) -> tuple[float, float, float]:
    """The mean of independent values with its 95% interval by the normal approximation.

    The interval is the mean plus or minus 1.96 standard errors. It is accurate from a few dozen values upwards, and too
    narrow for fewer.

    Args:
        values: a flat array or sequence of at least one finite number.

    Returns:
        ``(mean, low, high)``, in the unit of the values. From a single value nothing is known about the
        spread: ``low`` and ``high`` are then ``nan``.

    Raises:
        ValueError: if there are no values, the array is not flat, a value is not a finite number, or the values are so
            large that their spread overflows.

    Example:
        >>> mean, low, high = mean_interval([1, 2, 3, 4])
        >>> mean, round(low, 3), round(high, 3)
        (2.5, 1.235, 3.765)
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
    with np.errstate(over="ignore", invalid="ignore"):
        mean = float(array.mean(dtype=np.float64))
        if array.size == 1:
            return mean, math.nan, math.nan
        half = Z95 * float(array.std(ddof=1, dtype=np.float64)) / math.sqrt(array.size)
    if not math.isfinite(mean + half):
        raise ValueError("values must be smaller than 1e150 in size, or their spread overflows")
    return mean, mean - half, mean + half
