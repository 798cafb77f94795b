"""Who plays the seats that the learner does not play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sarai._agents.policies import AN_AGENT, WholePositions, spread
from sarai._base.arguments import counted, longer, short
from sarai._core import Game
from sarai._envs.arguments import one_seat
from sarai.agents import Agents, Policy, Pool, label

Opponents: TypeAlias = Agents | Pool
"""One agent for all other seats, a list with one for each of them, or a `Pool` from which each game draws."""

Seat: TypeAlias = int | Literal["random"]
"""The learner's seat, or "random" for one that each game draws."""

EngineLineups: TypeAlias = tuple[list[tuple[tuple[str | None, ...], int]], list[float], int]
"""Lineups as the engine takes them."""


@dataclass(frozen=True)
class Lineup:
    """Who plays a game.

    Attributes:
        name: The opponents' name.
        learner: The seat that the environment's user plays.
        agents: One entry a seat: an agent that plays inside the engine, or None.
        policies: The callables, by their seats.
    """

    name: str
    learner: int
    agents: tuple[str | None, ...]
    policies: Mapping[int, Policy]

    def same(self, other: Lineup) -> bool:
        """Whether the very same agents and callables play."""
        return (self.name, self.learner, self.agents) == (other.name, other.learner, other.agents) and {
            seat: one_of(policy) for seat, policy in self.policies.items()
        } == {seat: one_of(policy) for seat, policy in other.policies.items()}


def one_of(policy: Policy) -> int:
    """What the same policy, and no other, has in common with itself."""
    return id(policy.agent) if isinstance(policy, WholePositions) else id(policy)


@dataclass(frozen=True)
class Seats:
    """The learner's seat and everybody else's, or what each game draws them from.

    Attributes:
        lineups: For each member of a pool one for each seat that the learner may have; then those of games that began
            before the pool changed.
        weights: How likely each member is.
        drawn_seat: Whether the learner's seat is drawn.
        drawn_opponents: Whether the opponents come from a pool.
    """

    lineups: tuple[Lineup, ...]
    weights: tuple[float, ...] = (1.0,)
    drawn_seat: bool = False
    drawn_opponents: bool = False
    names: NDArray[np.object_] = field(init=False, repr=False)
    """The opponents' name in each of the lineups."""
    learners: NDArray[np.int8] = field(init=False, repr=False)
    """The learner's seat in each of the lineups."""

    def __post_init__(self) -> None:
        names = np.array([lineup.name for lineup in self.lineups], dtype=object)
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "learners", np.array([lineup.learner for lineup in self.lineups], np.int8))

    @cached_property
    def learner(self) -> int | None:
        """The learner's seat; None where it is drawn for each game."""
        return None if self.drawn_seat else self.lineups[0].learner

    @cached_property
    def drawn(self) -> bool:
        """Whether a game draws anything."""
        return self.drawn_seat or self.drawn_opponents

    @cached_property
    def policies(self) -> tuple[Policy, ...]:
        """All callables, each once."""
        found = {one_of(policy): policy for lineup in self.lineups for policy in lineup.policies.values()}
        return tuple(found.values())

    @cached_property
    def whom(self) -> NDArray[np.int64]:
        """Which of `policies` chooses, by lineup and player; -1 where the learner does, or the engine."""
        whom = np.full((len(self.lineups), len(self.lineups[0].agents)), -1, np.int64)
        numbers = {one_of(policy): number for number, policy in enumerate(self.policies)}
        for row, lineup in enumerate(self.lineups):
            for player, policy in lineup.policies.items():
                whom[row, player] = numbers[one_of(policy)]
        return whom

    @property
    def engine(self) -> EngineLineups:
        """The lineups as the engine takes them."""
        rows = [(lineup.agents, lineup.learner) for lineup in self.lineups]
        return rows, list(self.weights), len(self.lineups[0].agents) if self.drawn_seat else 1

    def after(self, before: Seats, used: Sequence[int]) -> tuple[Seats, list[int]]:
        """What follows other seats while games are under way.

        Args:
            before: The other seats.
            used: Which of their lineups play games.

        Returns:
            These seats, with the lineups of the games under way; and for each lineup before, which it is now, or -1 if
            it plays no game.
        """
        lineups = list(self.lineups)
        moved = [-1] * len(before.lineups)
        for row in used:
            lineup = before.lineups[row]
            known = next((place for place, each in enumerate(lineups) if lineup.same(each)), len(lineups))
            if known == len(lineups):
                lineups.append(lineup)
            moved[row] = known
        return Seats(tuple(lineups), self.weights, self.drawn_seat, self.drawn_opponents), moved


def seats(game: Game, seat: Any, opponents: Opponents) -> Seats:
    """Read `seat` and `opponents` as the environments take them.

    Args:
        game: The rule book.
        seat: The learner's seat, 0 to `game.num_players - 1`, or "random".
        opponents: An agent for all other seats, or a list with one for each of them in the order of the seats. A
            partner in a team game is one of them. None is "random". Or a `Pool` of these.

    Raises:
        ValueError: There is no such seat, or the list has another length.
        TypeError: A seat that is no integer, an agent that is neither a name nor a callable.

    >>> import sarai
    >>> seats(sarai.make("sho"), 1, ["greedy", "random"]).lineups[0].agents
    ('greedy', None, 'random')
    >>> seats(sarai.make("sho"), 3, "greedy")
    Traceback (most recent call last):
    ...
    ValueError: seat got 3; it takes an integer from 0 to 2, or 'random'
    """
    players = range(game.num_players)
    drawn_seat = isinstance(seat, str) and seat == "random"
    learners = players if drawn_seat else [_seat(seat, game)]
    if isinstance(opponents, Mapping) and opponents.keys() == {"members", "weights", "names"}:
        opponents = Pool.from_json(opponents)
    pool = opponents if isinstance(opponents, Pool) else None
    weights = (1.0,) if pool is None else pool.weights
    lineups = []
    for place, member in enumerate([opponents] if pool is None else pool.members):
        others = spread("opponents", member, len(players) - 1)  # type: ignore[arg-type]  # no pool
        if len(others) != len(players) - 1:
            which = "opponents" if pool is None else f"member {longer(pool.names[place])} of the pool"
            raise ValueError(
                f"{which} has {counted(len(others), 'entry', 'entries')}; "
                f"beside the learner there are {len(players) - 1}, one agent each"
            )
        for agent in others:
            if not isinstance(agent, str) and not callable(agent):
                raise TypeError(f"an agent must be {AN_AGENT}, not {type(agent).__name__}")
        name = ", ".join(map(label, others)) if pool is None else pool.names[place]
        lineups += [_lineup(name, learner, others) for learner in learners]
    return Seats(tuple(lineups), weights, drawn_seat, pool is not None)


def _seat(given: Any, game: Game) -> int:
    if isinstance(given, str):
        raise TypeError(f"seat must be an int or 'random', not {short(given)}")
    return one_seat(given, game, more=", or 'random'")


def _lineup(name: str, learner: int, others: Sequence[Any]) -> Lineup:
    by_seat = [*others[:learner], None, *others[learner:]]
    return Lineup(
        name,
        learner,
        tuple(agent if isinstance(agent, str) else None for agent in by_seat),
        {
            seat: agent
            for seat, agent in enumerate(by_seat)
            if agent is not None and not isinstance(agent, str)
        },
    )
