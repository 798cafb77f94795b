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

EngineLineups: TypeAlias = tuple[list[tuple[tuple[Any, ...], int | None]], list[float], int]
"""Lineups as the engine takes them."""

SELF = "self"
"""The member of a pool that stands for self-play."""


@dataclass(frozen=True)
class Lineup:
    """Who plays a game.

    Attributes:
        name: The opponents' name.
        learner: The seat that the environment's user plays; None where that is a whole side, or all of them.
        agents: One entry a seat: an agent that plays inside the engine, or None.
        policies: The callables, by their seats.
    """

    name: str
    learner: int | None
    agents: tuple[Any, ...]
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
        lineups: Those of each member of a pool; then those of games that began before the pool changed.
        weights: How likely each member is.
        choices: How many lineups each member has, one for each seat or side that the learner may have.
        drawn_opponents: Whether the opponents come from a pool.
    """

    lineups: tuple[Lineup, ...]
    weights: tuple[float, ...] = (1.0,)
    choices: int = 1
    drawn_opponents: bool = False
    names: NDArray[np.object_] = field(init=False, repr=False)
    """The opponents' name in each of the lineups."""
    learners: NDArray[np.int8] = field(init=False, repr=False)
    """The learner's seat in each of the lineups; -1 where it has several."""

    def __post_init__(self) -> None:
        names = np.array([lineup.name for lineup in self.lineups], dtype=object)
        object.__setattr__(self, "names", names)
        learners = [-1 if lineup.learner is None else lineup.learner for lineup in self.lineups]
        object.__setattr__(self, "learners", np.array(learners, np.int8))

    @property
    def drawn_seat(self) -> bool:
        """Whether the learner's seat, or its side, is drawn."""
        return self.choices > 1

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
        return rows, list(self.weights), self.choices

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
        return Seats(tuple(lineups), self.weights, self.choices, self.drawn_opponents), moved


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
    drawn = isinstance(seat, str) and seat == "random"
    learners = range(game.num_players) if drawn else [_seat(seat, game)]
    opponents, weights, names = _members(opponents)
    lineups = []
    for place, member in enumerate(opponents):
        others = _others(member, game.num_players - 1, names, place)
        name = ", ".join(map(label, others)) if names is None else names[place]
        lineups += [_lineup(name, learner, others) for learner in learners]
    return Seats(tuple(lineups), weights, len(learners), names is not None)


def sides(game: Game, opponents: Opponents) -> Seats:
    """Read `opponents` as self-play takes them: the learner has all seats, or those of one side.

    Args:
        game: The rule book.
        opponents: "self", an agent of the engine for all seats of the other sides, a list with one for each of them in
            the order of the seats, or a `Pool` of these.

    Raises:
        ValueError: The list has another length.
        TypeError: An agent does not play inside the engine.

    >>> import sarai
    >>> [lineup.agents for lineup in sides(sarai.make("sho", players=4, teams=True), "greedy").lineups]
    [(None, 'greedy', None, 'greedy'), ('greedy', None, 'greedy', None)]
    """
    members, weights, names = _members(opponents)
    players = range(game.num_players)
    own = [[seat for seat in players if game.sides[seat] == side] for side in sorted(set(game.sides))]
    if names is None and _is_self(opponents):
        return Seats((Lineup(SELF, None, (None,) * len(players), {}),))
    lineups = []
    for place, member in enumerate(members):
        if _is_self(member):
            name = SELF if names is None else names[place]
            lineups += [Lineup(name, None, (None,) * len(players), {})] * len(own)
            continue
        for seats in own:
            others = iter(given := _others(member, len(players) - len(seats), names, place))
            if outside := [agent for agent in given if not isinstance(agent, str)]:
                raise TypeError(
                    f"opponents in self-play play inside the engine, and {label(outside[0])} does not; "
                    "SingleAgentVectorEnv takes it"
                )
            agents = tuple(None if seat in seats else next(others) for seat in players)
            name = ", ".join(map(label, given)) if names is None else names[place]
            lineups.append(Lineup(name, None, agents, {}))
    return Seats(tuple(lineups), weights, len(own), names is not None)


def _is_self(member: Any) -> bool:
    return isinstance(member, str) and member == SELF


def _members(opponents: Opponents) -> tuple[Sequence[Any], tuple[float, ...], tuple[str, ...] | None]:
    """The members of a pool, their weights and names; the only one, and no names, if it is none."""
    if isinstance(opponents, Mapping) and opponents.keys() == {"members", "weights", "names"}:
        opponents = Pool.from_json(opponents)
    if isinstance(opponents, Pool):
        return opponents.members, opponents.weights, opponents.names
    return [opponents], (1.0,), None


def _others(member: Any, seats: int, names: tuple[str, ...] | None, place: int) -> list[Any]:
    """The agents of a member, one for each of so many seats."""
    others = spread("opponents", member, seats)
    if len(others) != seats:
        which = "opponents" if names is None else f"member {longer(names[place])} of the pool"
        raise ValueError(
            f"{which} has {counted(len(others), 'entry', 'entries')}; "
            f"beside the learner there are {seats}, one agent each"
        )
    for agent in others:
        if not isinstance(agent, str) and not callable(agent):
            raise TypeError(f"an agent must be {AN_AGENT}, not {type(agent).__name__}")
    return others


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
