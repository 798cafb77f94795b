"""Where the squares lie in the picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sarai.render.games.tshupu.cross import CELL, CENTRE, corner_of, square_of
from sarai.render.games.tshupu.view import CENTRAL, ROUND


def places(_view: Mapping[str, Any]) -> dict[str, tuple[float, float, float]]:
    """The squares of the loop by the numbers of player 0, those of each player's way to the centre, and the centre."""
    squares = {str(number): (0, number) for number in range(1, ROUND)}
    squares |= {f"{seat}:{way}": (seat, way) for seat in range(4) for way in range(ROUND + 1, CENTRAL)}
    found = {}
    for name, (seat, progress) in squares.items():
        left, top = corner_of(*square_of(seat, progress))
        found[name] = (left + CELL / 2, top + CELL / 2, 0.46 * CELL)
    return {**found, str(CENTRAL): (CENTRE, CENTRE, 0.46 * CELL)}
