"""Where the shells and the positions lie."""

from __future__ import annotations

import math

WIDTH = 600.0
CENTRE = 300.0
MARGIN = 12.0
# How wide the mark round a stack that moved just now is, in coins.
RING = 1.3


class Spiral:
    """Where shells and positions lie.

    The radius grows by PITCH in each turn and reaches OUTER at the last shell. The number of turns follows
    from the number of shells; a short line of shells is spread over one turn instead, with larger coins. The
    whole is then moved and scaled to fill its square: a spiral does not lie evenly round its own centre.
    """

    OUTER = 268.0
    PITCH = 56.0
    GAP = 45.0
    FEWEST_TURNS = 0.92

    def __init__(self, num_shells: int) -> None:
        gaps = num_shells - 1
        turns = (self.OUTER - math.sqrt(self.OUTER**2 - self.PITCH * gaps * self.GAP / math.pi)) / self.PITCH
        turns = max(turns, self.FEWEST_TURNS)
        self.inner = self.OUTER - self.PITCH * turns
        self.growth = self.PITCH / (2 * math.pi)
        self.length = 2 * math.pi * (self.OUTER * turns - self.PITCH * turns**2 / 2)
        self.gap = self.length / gaps
        self.coin = min(0.345 * self.gap, 24.0)
        self.reach = min(0.75 * self.gap, 38.0)
        self.centre = (0.0, 0.0)
        self._fill()

    def _fill(self) -> None:
        """Scale and move the spiral so that its band fills the square, the margin left free."""
        xs, ys = zip(*self.line(), strict=True)
        room = WIDTH - 2 * MARGIN
        scale = room / (max(max(xs) - min(xs), max(ys) - min(ys)) + 2.1 * self.coin)
        self.centre = (CENTRE - scale * (max(xs) + min(xs)) / 2, CENTRE - scale * (max(ys) + min(ys)) / 2)
        self.inner, self.growth, self.length = scale * self.inner, scale * self.growth, scale * self.length
        self.gap, self.coin, self.reach = scale * self.gap, scale * self.coin, scale * self.reach

    def line(self) -> list[tuple[float, float]]:
        """The line of shells with a bit more at both ends."""
        steps = 200
        return [
            self.at(-self.reach + (self.length + 2 * self.reach) * i / steps)[:2] for i in range(steps + 1)
        ]

    def at(self, distance: float, inwards: float = 0.0) -> tuple[float, float, float]:
        """The point that far along the line of shells, and its angle in degrees, clockwise from the right."""
        turned = (math.sqrt(self.inner**2 + 2 * self.growth * distance) - self.inner) / self.growth
        angle = turned - math.pi / 2
        radius = self.inner + self.growth * turned - inwards
        x, y = self.centre
        return x + radius * math.cos(angle), y + radius * math.sin(angle), math.degrees(angle)

    def shell(self, index: int) -> tuple[float, float, float]:
        """Where a shell lies, and its angle."""
        return self.at((index - 1) * self.gap)

    def position(self, index: int, inwards: float = 0.0) -> tuple[float, float, float]:
        """Where a position lies, and its angle."""
        return self.at((index - 0.5) * self.gap, inwards)


def enlarged(spiral: Spiral) -> float:
    """How much larger numbers are on a short line of shells."""
    return 1 + 0.5 * (spiral.coin / 15.5 - 1)


def number_size(spiral: Spiral) -> float:
    """How large the numbers of the positions are."""
    return 14.5 * enlarged(spiral)
