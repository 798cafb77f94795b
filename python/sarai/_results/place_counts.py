"""Where pieces stand and where they are taken, counted while games are measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sarai._base.arguments import short, whole
from sarai._tables.equality import EqualByValues

KINDS = {"standing": "pieces there, mean of all positions", "taken": "pieces taken there, mean of a game"}


@dataclass(frozen=True, eq=False)
class PlaceCounts(EqualByValues):
    """Where pieces stood and were taken, by side and place, in the first `board_games` games.

    Attributes:
        names: The names of the places, as names of actions have them; where seats number the board differently, those
            of seat 0. The last are those beside the board.
        beside: The names of these, such as "bar", "hand" and "off".
        games: The number of games counted.
        positions: The number of positions in which a player decided.
        standing: float64 (sides, places): how many pieces of the side stood there, the mean over positions.
        taken: float64 (sides, places): how many pieces of the side another side took there, the mean over games.
    """

    names: tuple[str, ...]
    beside: tuple[str, ...]
    games: int
    positions: int
    standing: NDArray[np.float64]
    taken: NDArray[np.float64]

    @staticmethod
    def of(found: Mapping[str, Any], sides: int) -> PlaceCounts | None:
        """From the sums of the engine; None where no game was looked at."""
        games, positions, stood, taken = found["heat"]
        if not games:
            return None
        names = tuple(found["places"])
        shape = (-1, len(names))
        return PlaceCounts(
            names=names,
            beside=names[len(names) - found["beside"] :],
            games=games,
            positions=positions,
            standing=stood.reshape(shape)[:sides] / max(positions, 1),
            taken=taken.reshape(shape)[:sides] / games,
        )

    def by_name(self, kind: str = "standing", side: int | None = None) -> dict[str, float]:
        """The numbers by the names of their places, of one side or of all together.

        Raises:
            TypeError: The side is no whole number.
            ValueError: There is no such kind or side.
        """
        if not isinstance(kind, str) or kind not in KINDS:
            raise ValueError(f"kind got {short(kind)}; it takes {' or '.join(map(repr, KINDS))}")
        numbers: NDArray[np.float64] = getattr(self, kind)
        if side is None:
            chosen = numbers.sum(axis=0)
        elif 0 <= whole("side", side, "a whole number or None") < len(numbers):
            chosen = numbers[side]
        else:
            raise ValueError(f"side got {short(side)}; it takes 0 to {len(numbers) - 1}, or None for all")
        return dict(zip(self.names, chosen.tolist(), strict=True))

    def rows(self) -> list[dict[str, Any]]:
        """A row for each side and place."""
        return [
            {
                "side": side,
                "place": name,
                "standing": float(self.standing[side, at]),
                "taken": float(self.taken[side, at]),
            }
            for side in range(len(self.standing))
            for at, name in enumerate(self.names)
        ]
