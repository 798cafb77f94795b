"""The columns of rollouts, series and trajectories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sarai.game import preset_label
from sarai.results.columns import Column, Labels, Table, same
from sarai.results.outcomes import Origin, Outcomes, Scores


class _Series(Scores, Protocol):
    """`sarai.results.SeriesRollout`."""

    @property
    def first_series(self) -> int: ...
    @property
    def num_games(self) -> NDArray[np.int64]: ...
    @property
    def offsets(self) -> NDArray[np.int64]: ...
    @property
    def starters(self) -> NDArray[np.int8]: ...
    @property
    def winners(self) -> NDArray[np.int8]: ...
    @property
    def turns(self) -> NDArray[np.int32]: ...
    @property
    def stats_by_seat(self) -> dict[str, NDArray[np.int32]]: ...
    @property
    def digests(self) -> NDArray[np.uint32] | None: ...


class _Decisions(Origin, Protocol):
    """`sarai.results.Trajectories`."""

    @property
    def first_game(self) -> int: ...
    @property
    def offsets(self) -> NDArray[np.int64]: ...
    @property
    def observations(self) -> NDArray[np.int8]: ...
    @property
    def masks(self) -> NDArray[np.int8]: ...
    @property
    def actions(self) -> NDArray[np.int32]: ...
    @property
    def players(self) -> NDArray[np.int8]: ...
    @property
    def rewards(self) -> NDArray[np.float32]: ...


def origin(game: str, rules: Mapping[str, Any], rows: int, seed: int | None = None) -> dict[str, Column]:
    """The columns with which every table begins, so that tables of several games can be put together."""
    first: dict[str, Column] = {
        "game": Labels.same(game, rows),
        "preset": Labels.same(preset_label(game, rules), rows),
    }
    return first if seed is None else {**first, "seed": same(seed, rows, np.uint64)}


def rollout_table(rollout: Outcomes, by: str, about: Mapping[str, Any]) -> Table:
    """A row for each game, or with "seat" for each game and seat."""
    games, seats = rollout.num_games, len(rollout.agents)
    times = seats if by == "seat" else 1
    columns: dict[str, Column] = {
        **origin(rollout.game, rollout.rules, games * times, rollout.seed),
        "number": _numbers(rollout.first_game, games, times),
    }
    if by == "seat":
        seat = np.tile(np.arange(seats, dtype=np.int8), games)
        side = np.array(rollout.sides, np.int8)[seat]
        columns["seat"] = seat
        columns["side"] = side
        columns["agent"] = Labels.of(rollout.agents, seat)
        columns["won"] = side == np.repeat(rollout.winner, seats)
        columns["drawn"] = np.repeat(rollout.winner < 0, seats)
        columns["length"] = np.repeat(rollout.lengths, seats)
        columns["turns"] = np.repeat(rollout.turns, seats)
        columns["return"] = rollout.returns.reshape(-1)
        for name, values in rollout.stats_by_seat.items():
            columns[name] = values.reshape(-1)
    else:
        columns |= _agents(rollout.agents, games)
        columns["winner"] = rollout.winner
        columns["length"] = rollout.lengths
        columns["turns"] = rollout.turns
        columns |= by_column("return", rollout.returns)
        columns |= _statistics(rollout.stats_by_seat)
        if rollout.digests is not None:
            columns["digest"] = rollout.digests
    return Table("rollout", columns, {**about, "by": by})


def states_table(rollout: Scores) -> Table:
    """A row for each game from each position."""
    positions, games, seats = rollout.returns.shape
    rows = positions * games
    columns: dict[str, Column] = {
        **origin(rollout.game, rollout.rules, rows, rollout.seed),
        "position": np.repeat(np.arange(positions), games),
        "number": _numbers(0, rows, 1),
        **_agents(rollout.agents, rows),
        "winner": rollout.winner.reshape(-1),
        "length": rollout.lengths.reshape(-1),
        **by_column("return", rollout.returns.reshape(rows, seats)),
    }
    about = {name: getattr(rollout, name) for name in ("game", "rules", "agents", "seed", "sides")}
    return Table("states_rollout", columns, about)


def series_table(series: _Series, by: str, about: Mapping[str, Any]) -> Table:
    """A row for each game, or with "series" for each series."""
    lengths = series.num_games
    if by == "series":
        rows = len(lengths)
        columns: dict[str, Column] = {
            **origin(series.game, series.rules, rows, series.seed),
            "series": _numbers(series.first_series, rows, 1),
            **_agents(series.agents, rows),
            "winner": series.winner,
            "games": lengths,
        }
        if series.digests is not None:
            columns["digest"] = series.digests
    else:
        rows = len(series.winners)
        begins = np.repeat(series.offsets[:-1], lengths)
        columns = {
            **origin(series.game, series.rules, rows, series.seed),
            "series": np.repeat(_numbers(series.first_series, len(lengths), 1), lengths),
            "game_of_series": (np.arange(rows) - begins).astype(np.int32),
            **_agents(series.agents, rows),
            "starter": series.starters,
            "winner": series.winners,
            "length": series.lengths,
            "turns": series.turns,
            **by_column("return", series.returns),
            **_statistics(series.stats_by_seat),
        }
    return Table("series", columns, {**about, "by": by})


def trajectories_table(played: _Decisions, about: Mapping[str, Any]) -> Table:
    """A row for each decision."""
    rows, lengths = len(played.actions), np.diff(played.offsets)
    begins = np.repeat(played.offsets[:-1], lengths)
    columns: dict[str, Column] = {
        **origin(played.game, played.rules, rows, played.seed),
        "number": np.repeat(_numbers(played.first_game, len(lengths), 1), lengths),
        "decision": (np.arange(rows) - begins).astype(np.int32),
        "seat": played.players,
        "agent": Labels.of(played.agents, played.players),
        "action": played.actions,
        **by_column("reward", played.rewards),
        "observation": played.observations,
        "mask": played.masks,
    }
    return Table("trajectories", columns, about)


def _numbers(first: int, games: int, times: int) -> NDArray[np.uint64]:
    return np.repeat(np.uint64(first) + np.arange(games, dtype=np.uint64), times)


def _agents(agents: Sequence[str], rows: int) -> dict[str, Column]:
    return {f"agent_{seat}": Labels.same(agent, rows) for seat, agent in enumerate(agents)}


def by_column(name: str, values: NDArray[Any]) -> dict[str, Column]:
    """The columns of an array by their numbers."""
    return {f"{name}_{seat}": values[:, seat] for seat in range(values.shape[1])}


def _statistics(by_seat: Mapping[str, NDArray[np.int32]]) -> dict[str, Column]:
    """Each statistic in total, and that of each seat."""
    columns: dict[str, Column] = {}
    for name, values in by_seat.items():
        columns[name] = values.sum(axis=1, dtype=np.int32)
        columns |= by_column(name, values)
    return columns
