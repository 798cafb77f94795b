"""The games of a match: one call of the engine for each seating."""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sarai import _core, arguments
from sarai._core import Game, State
from sarai.agents import Agent
from sarai.playout import Run
from sarai.progress import Report
from sarai.records.record import Record
from sarai.results import kept

_LONG_ENOUGH = 0.02
"""Seconds after which the speed of an agent is known well enough."""
_MOST_TIMED = 1024


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
    """Games of one seating: `returns` is (G, K) float32, a score a side, and the others have G entries."""

    returns: NDArray[np.float32]
    winner: NDArray[np.int8]
    lengths: NDArray[np.int32]
    digests: NDArray[np.uint32]
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
    columns, _ = run.ask(_core.rollout, keep=set(keep))
    first_seats = [setting.sides.index(side) for side in range(setting.num_sides)]
    return Games(
        returns=np.ascontiguousarray(columns["returns"][:, first_seats]),
        winner=columns["winner"],
        lengths=columns["lengths"],
        digests=columns["digests"],
        records=kept.records(run, keep, columns["paths"]),
    )


def milliseconds(setting: Setting, agent: Agent) -> float:
    """What a decision of an agent takes, in ms of processor time: it plays some games with itself on one thread."""
    alone = Setting(setting.game, setting.start, setting.seed, setting.random_plies, 1)
    games = 1
    while True:
        begun = time.process_time()
        played = play_games(alone, [agent] * setting.game.num_players, games, 0)
        spent = time.process_time() - begun
        if spent >= _LONG_ENOUGH or games >= _MOST_TIMED:
            return 1000 * spent / max(int(played.lengths.sum(dtype=np.int64)), 1)
        games *= 4
