"""How many different things a sketch has seen (HyperLogLog)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

RANKS = 52
"""What a register holds at most, plus one: a hash of 64 bits, 14 of which choose the register."""

ERROR = 1.04 / math.sqrt(16_384)
"""The relative standard error of an estimate."""


def estimate(registers: NDArray[np.uint8]) -> float:
    """How many different things were seen, by the estimator of Ertl (2017, algorithm 6).

    >>> estimate(np.zeros(16_384, np.uint8))
    0.0
    """
    size = len(registers)
    counts = [int(count) for count in np.bincount(registers, minlength=RANKS)]
    z = size * _tau(1 - counts[RANKS - 1] / size)
    for count in reversed(counts[1 : RANKS - 1]):
        z = (z + count) / 2
    z += size * _sigma(counts[0] / size)
    return size * size / (2 * math.log(2) * z)


def _sigma(x: float) -> float:
    if x == 1:
        return math.inf
    z, y, before = x, 1.0, -1.0
    while z != before:
        x *= x
        before = z
        z += x * y
        y += y
    return z


def _tau(x: float) -> float:
    if x in (0, 1):
        return 0.0
    z, y, before = 1 - x, 1.0, -1.0
    while z != before:
        x = math.sqrt(x)
        before = z
        y /= 2
        z -= (1 - x) ** 2 * y
    return z / 3
