"""An arena as tables: the agents, or the games."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from sarai.game import preset_label
from sarai.matches.arena_file import Match, played_as
from sarai.matches.standings import Standing
from sarai.results.columns import Column, Labels, Table, of_rows
from sarai.results.summary import Estimate
from sarai.results.tables import by_column, origin


def standings(match: Match, every: Iterable[Standing]) -> Table:
    """A row for each agent, in this order."""
    first = {"game": match.game, "preset": preset_label(match.game, match.rules)}
    return of_rows("arena", [{**first, **_flat(one)} for one in every], {**played_as(match), "by": "agent"})


def games(match: Match) -> Table:
    """A row for each game, seating by seating."""
    seatings, number, sides = match.returns.shape
    rows = seatings * number
    columns: dict[str, Column] = {
        **origin(match.game, match.rules, rows, match.seed),
        "seating": np.repeat(np.arange(seatings, dtype=np.int32), number),
        "game_of_seating": np.tile(np.arange(number, dtype=np.int32), seatings),
    }
    for side in range(sides):
        columns[f"agent_{side}"] = Labels.of(match.names, np.repeat(match.orders[:, side], number))
    columns["winner"] = match.winner.reshape(-1)
    columns["length"] = match.lengths.reshape(-1)
    columns |= by_column("return", match.returns.reshape(rows, sides))
    columns["digest"] = match.digests.reshape(-1)
    return Table("arena", columns, {**played_as(match), "by": "game"})


def _flat(standing: Standing) -> dict[str, Any]:
    """A standing as one row."""
    row: dict[str, Any] = {}
    for name, value in vars(standing).items():
        row |= value.to_columns(name) if isinstance(value, Estimate) else {name: value}
    return row
