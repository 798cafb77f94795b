"""What came of a match, agent by agent and pair by pair."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sarai._matches import schedule
from sarai._tables.estimates import Estimate
from sarai._tables.plain import plain
from sarai.intervals import interval_of


@dataclass(frozen=True)
class Standing:
    """The results of one agent.

    Attributes:
        name: Its name in the arena.
        agent: Its label: the agent behind the name.
        rating: Elo, with its 95% interval. The ratings of all agents have a mean of 0.
        games: The number of games that it took part in.
        wins: How many of them one of its sides has won.
        draws: How many were drawn.
        score: The points of each of its sides: 1 for a win, and its share of a draw among all sides.
        mean_return: The mean return of its sides, with its 95% interval.
        milliseconds: The mean time of a decision, in ms; not compared by ==.
    """

    name: str
    agent: str
    rating: Estimate
    games: int
    wins: int
    draws: int
    score: float
    mean_return: Estimate
    milliseconds: float = field(compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Plain texts and numbers."""
        told: dict[str, Any] = plain(self)
        return told

    def to_columns(self) -> dict[str, Any]:
        """The same as one row."""
        row: dict[str, Any] = {}
        for name, value in vars(self).items():
            row |= value.to_columns(name) if isinstance(value, Estimate) else {name: value}
        return row


@dataclass(frozen=True)
class Pairing:
    """The results of the games in which two agents met, with any other agents at the table.

    Attributes:
        names: The names of the two.
        side: The side of the first of them; None for all sides together.
        games: The number of games.
        wins: The number of games that each of the two has won.
        draws: How many were drawn.
        win_shares: The share of games that each of the two has won, with its 95% interval.
        mean_returns: The mean return of each of the two, with its 95% interval.
        distinct: The number of games that differ in how they ended, if fewer than half of them; there are no intervals
            then. Otherwise None.
    """

    names: tuple[str, str]
    side: int | None
    games: int
    wins: tuple[int, int]
    draws: int
    win_shares: tuple[Estimate, Estimate]
    mean_returns: tuple[Estimate, Estimate]
    distinct: int | None

    def to_dict(self) -> dict[str, Any]:
        """Plain texts, lists and numbers."""
        told: dict[str, Any] = plain(self)
        return told

    def to_columns(self) -> dict[str, Any]:
        """One row, of the first of the two; the side is -1 for all sides together."""
        return {
            "agent": self.names[0],
            "opponent": self.names[1],
            "side": -1 if self.side is None else self.side,
            "games": self.games,
            **self.win_shares[0].to_columns("win_share"),
            **self.mean_returns[0].to_columns("mean_return"),
            "draws": self.draws,
        }


class Results:
    """Games by seating: what was played, and questions to it.

    Attributes:
        orders: (S, K), the agent on each side of each seating.
        returns: (S, G, K), the score of each side.
        winner: (S, G), the side that won, -1 for a draw.
        digests: (S, G), what tells the games of a seating apart.
        bounds: The least and the greatest score of a side.
        shared: Whether the games of a number share their dice. They are then one unit for every interval; if not, each
            game is.
    """

    def __init__(
        self,
        orders: NDArray[np.int16],
        returns: NDArray[np.float32],
        winner: NDArray[np.int8],
        digests: NDArray[np.uint32],
        bounds: tuple[float, float],
        shared: bool,
    ) -> None:
        self.orders, self.returns, self.winner, self.digests = orders, returns, winner, digests
        self.bounds, self.shared = bounds, shared
        self._tables = schedule.tables(orders)
        self._distinct = np.array([len(np.unique(row)) for row in digests])

    @cached_property
    def scores(self) -> NDArray[np.float64]:
        """(G, S, K): 1 for the side that won, and an equal part for each in a draw."""
        sides = self.returns.shape[2]
        won = (self.winner[..., np.newaxis] == np.arange(sides)).astype(np.float64)
        won[self.winner < 0] = 1 / sides
        return np.asarray(won.transpose(1, 0, 2))

    def distinct(self, seatings: NDArray[np.bool_]) -> int | None:
        """How many games of these seatings differ, where one of their tables has fewer than half; otherwise None."""
        games = self.winner.shape[1]
        repeated = False
        for table in np.unique(self._tables[seatings]):
            rows = self._tables == table
            repeated |= 2 * int(self._distinct[rows].sum()) < games * np.count_nonzero(rows)
        return int(self._distinct[seatings].sum()) if repeated else None

    def met(self, *agents: int) -> NDArray[np.bool_]:
        """(S,): at which seatings all of these agents sit."""
        at = [(self.orders == agent).any(axis=1) for agent in agents]
        return np.asarray(np.logical_and.reduce(at))

    def wins(self, agent: int, seatings: NDArray[np.bool_]) -> int:
        """How many games of these seatings one of the agent's sides has won."""
        winner = self.winner[seatings]
        # The last column stands for draws.
        held = np.pad(self.orders[seatings] == agent, ((0, 0), (0, 1)))
        return int(np.take_along_axis(held, winner.astype(np.intp), axis=1).sum())

    def mean_return(self, agent: int, seatings: NDArray[np.bool_], alike: bool) -> Estimate:
        """The mean return of the agent's sides at these seatings."""
        return self._mean(self.by_group(agent, seatings), seatings, self.bounds, alike)

    def win_share(self, agent: int, seatings: NDArray[np.bool_], alike: bool) -> Estimate:
        """The share of games of these seatings that one of the agent's sides has won."""
        held = np.pad(self.orders[seatings] == agent, ((0, 0), (0, 1)))
        won = np.take_along_axis(held, self.winner[seatings].astype(np.intp), axis=1)
        return self._mean(won.mean(axis=0), seatings, (0, 1), alike)

    def _mean(
        self,
        groups: NDArray[np.float64],
        seatings: NDArray[np.bool_],
        bounds: tuple[float, float],
        alike: bool,
    ) -> Estimate:
        """The mean of one value for the games of each number, with the interval of as many units as these are."""
        # Rounding may carry the mean of equal scores past them.
        mean = float(np.clip(groups.mean(), *bounds))
        if alike:
            return Estimate(mean, math.nan, math.nan)
        units = 1 if self.shared else int(np.count_nonzero(seatings))
        # Where one group says nothing of the spread, it is the largest that there can be.
        spread = float(groups.std(ddof=1)) * math.sqrt(units) if len(groups) > 1 else math.inf
        return Estimate(mean, *interval_of(mean, spread, len(groups) * units, bounds))

    def by_group(self, agent: int, seatings: NDArray[np.bool_]) -> NDArray[np.float64]:
        """(G,): the mean return of the agent's sides over the games of each number; the groups are independent."""
        held = self.orders[seatings] == agent
        scores = self.returns[seatings].transpose(0, 2, 1)[held]
        return np.asarray(scores.mean(axis=0, dtype=np.float64))

    def score(self, agent: int, seatings: NDArray[np.bool_]) -> float:
        """What the agent won a game for each of its sides at these seatings."""
        held = self.orders[seatings] == agent
        return float(self._mean_scores[seatings][held].mean())

    @cached_property
    def _mean_scores(self) -> NDArray[np.float64]:
        return np.asarray(self.scores.mean(axis=0))

    def pairing(self, one: int, other: int, names: Sequence[str], side: int | None = None) -> Pairing | None:
        """What came of the games of two agents, the first on this side; None if they have not met."""
        met = self.met(one, other)
        if side is not None:
            met &= self.orders[:, side] == one
        if not met.any():
            return None
        distinct = self.distinct(met)
        pair = (one, other)
        wins = [self.wins(agent, met) for agent in pair]
        shares = [self.win_share(agent, met, distinct is not None) for agent in pair]
        means = [self.mean_return(agent, met, distinct is not None) for agent in pair]
        return Pairing(
            names=(names[one], names[other]),
            side=side,
            games=int(self.winner[met].size),
            wins=(wins[0], wins[1]),
            draws=int(np.count_nonzero(self.winner[met] < 0)),
            win_shares=(shares[0], shares[1]),
            mean_returns=(means[0], means[1]),
            distinct=distinct,
        )

    def crosstable(self, num_agents: int) -> NDArray[np.float64]:
        """(N, N): how often the agent of the row beats that of the column, among the games that one of them won.

        A draw counts as half. NaN where they have not met, or none of the two has won anything.
        """
        table = np.full((num_agents, num_agents), np.nan)
        for one in range(num_agents):
            for other in range(num_agents):
                met = self.met(one, other)
                if one == other or not met.any():
                    continue
                draws = int(np.count_nonzero(self.winner[met] < 0))
                mine, theirs = self.wins(one, met), self.wins(other, met)
                if mine + theirs + draws:
                    table[one, other] = (mine + draws / 2) / (mine + theirs + draws)
        return table
