"""Rows of a comparison: what is measured on both sides, in turns, and how the ratios are printed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

# Does some work that depends on a seed, and says how much of it was done in a second.
Measure = Callable[[int], float]


@dataclass(frozen=True)
class Row:
    """One thing that is measured: ours, and theirs where somebody else's engine does the same."""

    what: str
    unit: str
    ours: Measure
    peer: str = ""
    theirs: Measure | None = None


@dataclass(frozen=True)
class Measured:
    """A row with its rates, one of each round."""

    row: Row
    ours: list[float]
    theirs: list[float]

    @property
    def ratios(self) -> list[float]:
        """Ours to theirs, round by round."""
        return [mine / other for mine, other in zip(self.ours, self.theirs, strict=True)]


def measure(row: Row, rounds: int) -> Measured:
    """Both sides take turns, and who begins alternates: a machine whose speed drifts slows both alike."""
    sides = [row.ours] if row.theirs is None else [row.ours, row.theirs]
    for measure_once in sides:
        measure_once(0)
    rates: list[list[float]] = [[] for _ in sides]
    for turn in range(1, rounds + 1):
        for side in sorted(range(len(sides)), reverse=turn % 2 == 0):
            rates[side].append(sides[side](turn))
    return Measured(row, rates[0], rates[1] if row.theirs is not None else [])


HEADER = ("", "unit", "ours", "theirs", "peer", "ratio", "least to most")


def cells(measured: Measured) -> tuple[str, ...]:
    """A line of the table: medians, and between which ratios the rounds lay."""
    row = measured.row
    ours = f"{median(measured.ours):,.0f}"
    if not measured.theirs:
        return (row.what, row.unit, ours, "", "", "", "")
    ratios = measured.ratios
    span = f"{min(ratios):.2f} to {max(ratios):.2f}"
    return (
        row.what,
        row.unit,
        ours,
        f"{median(measured.theirs):,.0f}",
        row.peer,
        f"{median(ratios):.2f}",
        span,
    )


def table(lines: list[tuple[str, ...]]) -> str:
    """Lines of cells in columns, numbers to the right."""
    lines = [HEADER, *lines]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADER))]
    left = {0, 1, 4}
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column in left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )
