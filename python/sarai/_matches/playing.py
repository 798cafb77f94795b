"""The games of a match: one call of the engine for each seating."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sarai import _core
from sarai._base import arguments
from sarai._base.progress import Report
from sarai._core import Game, State
from sarai._playout import Run
from sarai._records.record import Record
from sarai._results import kept
from sarai.agents import Agent


@dataclass(frozen=True)
class Setting:
    """What all games of a match have in common."""

    game: Game
    start: State | None
    seed: int
    random_plies: int
    num_threads: int | None

    @staticmethod
    def of(
        game: Game, start: State | None, seed: int | None, random_plies: int, num_threads: int | None
    ) -> Setting:
        """The same, with its numbers checked.

        Raises:
            TypeError: One is no integer.
            ValueError: One is out of range.
        """
        plies = arguments.random_plies(random_plies)
        return Setting(game, start, arguments.seed(seed), plies, num_threads)

    @property
    def sides(self) -> tuple[int, ...]:
        """The side of each seat."""
        return tuple(self.game.sides)

    @property
    def num_sides(self) -> int:
        """How many sides there are."""
        return max(self.game.sides) + 1


@dataclass(frozen=True)
class Games:
    """Games of one seating.

    Attributes:
        returns: (G, K) float32, a score a side.
        winner: (G,).
        lengths: (G,).
        digests: (G,).
        spent: (K, 2) float64: how long the agents of each side took to choose, in seconds, and how often they chose.
        records: The games that were kept.
    """

    returns: NDArray[np.float32]
    winner: NDArray[np.int8]
    lengths: NDArray[np.int32]
    digests: NDArray[np.uint32]
    spent: NDArray[np.float64]
    records: dict[int, Record]


def play_games(
    setting: Setting,
    seats: list[Agent],
    num_games: int,
    first_game: int,
    keep: Collection[int] = (),
    report: Report | None = None,
    before: int = 0,
) -> Games:
    """Play games of one seating; `report` is told of `before` games more than these."""
    run = Run.of(
        setting.game if setting.start is None else setting.start,
        seats,
        num_games,
        setting.seed,
        first=first_game,
        num_threads=setting.num_threads,
        progress=False if report is None else lambda done: report(before + done),
        random_plies=setting.random_plies,
    )
    if keep:
        kept.check_labels(run)
    columns, _ = run.ask(_core.rollout, keep=set(keep), timed=True)
    spent = np.zeros((setting.num_sides, 2))
    np.add.at(spent, list(setting.sides), np.stack([columns["seconds"], columns["choices"]], axis=1))
    first_seats = [setting.sides.index(side) for side in range(setting.num_sides)]
    return Games(
        returns=np.ascontiguousarray(columns["returns"][:, first_seats]),
        winner=columns["winner"],
        lengths=columns["lengths"],
        digests=columns["digests"],
        spent=spent,
        records=kept.records(run, keep, columns["paths"]),
    )
