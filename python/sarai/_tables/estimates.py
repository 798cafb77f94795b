"""Numbers with their 95% intervals, as results hold them and tables show them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from sarai._tables.equality import EqualByValues
from sarai._tables.plain import plain
from sarai.intervals import mean_interval, wilson

COUNTS = (0.0, math.inf)
"""The bounds of what is counted: nothing limits how often it happens."""


@dataclass(frozen=True, eq=False)
class Estimate(EqualByValues):
    """A share or a mean with the ends of its 95% interval, which are nan if there is none."""

    value: float
    """The share, 0 to 1, or the mean."""
    low: float
    """The lower end of the interval."""
    high: float
    """The upper end."""

    @staticmethod
    def of_share(count: int, total: int, alike: bool = False) -> Estimate:
        """`count` of `total`, with Wilson's interval; all three are 0 to 1. Games all alike give no interval."""
        low, high = (math.nan, math.nan) if alike else wilson(count, total)
        return Estimate(count / total, low, high)

    @staticmethod
    def of_mean(values: NDArray[Any], bounds: tuple[float, float], alike: bool = False) -> Estimate:
        """The mean of one value a game, each within the bounds, with the interval of `mean_interval`.

        Games that are all alike say nothing of how far others may lie off, nor do equal values that nothing bounds.
        """
        mean, low, high = mean_interval(values, bounds)
        return Estimate(mean, low, high) if low < high and not alike else Estimate(mean, math.nan, math.nan)

    def to_columns(self, name: str) -> dict[str, float]:
        """The numbers as columns of a table: the value under the name, and its interval under those of the ends."""
        return {name: self.value, f"{name}_low": self.low, f"{name}_high": self.high}

    def to_dict(self) -> dict[str, float | None]:
        """Plain numbers under "value", "low" and "high"; None instead of nan, which JSON does not have."""
        numbers: dict[str, float | None] = plain(self)
        return numbers


def texts(
    estimates: Sequence[Estimate], scale: float = 1, unit: str = "", sign: str = ""
) -> list[tuple[str, str]]:
    """Values and intervals, all to as many decimals as the widest interval gives meaning to."""
    halves = [scale * (estimate.high - estimate.low) / 2 for estimate in estimates]
    widest = max((half for half in halves if math.isfinite(half)), default=0.0)
    decimals = min(max(1 - math.floor(math.log10(widest)), 0), 6) if widest > 0 else 2
    rows = []
    for estimate, half in zip(estimates, halves, strict=True):
        value, low, high = (
            f"{scale * number:{sign},.{decimals}f}{unit}"
            for number in (estimate.value, estimate.low, estimate.high)
        )
        rows.append((value, f"{low} to {high}" if math.isfinite(half) else "-"))
    return rows
