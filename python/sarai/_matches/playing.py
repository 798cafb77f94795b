"""The games of a match: one call of the engine for each seating."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sarai import _core
from sarai._base.progress import ProgressOption, Report
from sarai._playout import Run
from sarai._records.record import Record
from sarai._results import kept
from sarai.agents import Agent, one_agent_a_seat


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
    run: Run,
    seats: list[Agent],
    num_games: int,
    first_game: int,
    keep: Collection[int] = (),
    report: Report | None = None,
    before: int = 0,
) -> Games:
    """Play games of one seating, otherwise as `run` says; `report` is told of `before` games more than these."""
    progress: ProgressOption = False if report is None else lambda done: report(before + done)
    agents = one_agent_a_seat(seats, len(seats))
    run = replace(run, agents=agents, num=num_games, first=first_game, progress=progress)
    if keep:
        kept.check_labels(run)
    columns, _ = run.ask(_core.rollout, keep=set(keep), timed=True)
    sides = run.game.sides
    spent = np.zeros((max(sides) + 1, 2))
    np.add.at(spent, sides, np.stack([columns["seconds"], columns["choices"]], axis=1))
    first_seats = [sides.index(side) for side in range(len(spent))]
    return Games(
        returns=np.ascontiguousarray(columns["returns"][:, first_seats]),
        winner=columns["winner"],
        lengths=columns["lengths"],
        digests=columns["digests"],
        spent=spent,
        records=kept.records(run, keep, columns["paths"]),
    )
