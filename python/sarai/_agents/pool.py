"""`Pool`: opponents, one of which is drawn for each game."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from sarai._agents.policies import Agent, label
from sarai._base import arguments

Member: TypeAlias = Agent | tuple[Agent, ...]
"""One agent for all other seats, or a tuple with one for each of them, in seat order."""

MAX_MEMBERS = 10_000
"""The most members of a pool."""


@dataclass(init=False, repr=False, eq=False)
class Pool:
    """Opponents of a learner, one of which is drawn for each game; environments take it as `opponents=`.

    A member plays a whole game, in all seats but the learner's. (A `Mixture` draws at every decision.) The draw has its
    own random stream, so dice and choices are the same as without a pool.

    Args:
        agents: The members: a dict of each with its weight, or a list of them. A member is an agent (a name, an object
            of `sarai.agents`, a callable, or an object with `choose_many`), or a tuple with one agent for each other
            seat.
        weights: The weight of each member, 0 or more, at least one of them above 0; a member plays with the probability
            of its weight divided by the sum of all. None makes all equally likely. Only with a list.
        names: The name of each member in infos. None is the agent's own name, or that of the policy; the second member
            with the same name is called "name (2)".

    Attributes:
        members: The members.
        weights: Their weights.
        names: Their names.

    Raises:
        ValueError: There are no members, or more than 10,000; there are more or fewer weights or names than members, a
            weight is out of range, or a name is given twice.
        TypeError: A member is no agent, or a weight is no number.

    >>> from sarai import agents
    >>> agents.Pool({"greedy": 0.5, "random": 0.25, agents.MCTS(50): 0.25})
    Pool(members=('greedy', 'random', 'mcts:50'), weights=(0.5, 0.25, 0.25))
    >>> agents.Pool(["greedy", ("greedy", "random")], names=["strong", "mixed"]).names
    ('strong', 'mixed')
    >>> agents.Pool({"greedy": 0})
    Traceback (most recent call last):
    ...
    ValueError: the weights of a pool need at least one above 0
    """

    # Gymnasium writes dataclasses into the JSON of an environment's spec; `from_json` reads what it wrote.
    members: tuple[Member, ...]
    weights: tuple[float, ...]
    names: tuple[str, ...]

    def __init__(
        self,
        agents: Mapping[Member, float] | Iterable[Member],
        weights: Iterable[float] | None = None,
        *,
        names: Iterable[str] | None = None,
    ) -> None:
        if isinstance(agents, Mapping):
            if weights is not None:
                raise ValueError("weights go with a list of agents; a dict of agents holds their weights")
            weights = agents.values()
        if isinstance(agents, str) or not isinstance(agents, Iterable):
            raise TypeError(
                f"a pool takes a dict of agents with their weights, or a list of agents, not {type(agents).__name__}"
            )
        self.members = tuple(itertools.islice(agents, MAX_MEMBERS + 1))
        if not 1 <= len(self.members) <= MAX_MEMBERS:
            many = "more" if self.members else 0
            raise ValueError(f"a pool takes 1 to {MAX_MEMBERS} members; there are {many}")
        own = [_label(member) for member in self.members]
        if weights is None:
            weights = [1.0] * len(own)
        if not isinstance(weights, Iterable):
            raise TypeError(f"weights takes a list of numbers, not {type(weights).__name__}")
        self.weights = tuple(_weight(weight) for weight in itertools.islice(weights, len(own) + 1))
        if len(self.weights) != len(own):
            raise ValueError(f"a pool of {len(own)} members takes as many weights, one for each")
        if not any(self.weights):
            raise ValueError("the weights of a pool need at least one above 0")
        if math.isinf(sum(self.weights)):
            raise ValueError("the sum of the weights of a pool must be a number that a float can hold")
        self.names = _distinct(own) if names is None else _given(names, len(own))

    @staticmethod
    def from_json(told: Mapping[str, Any]) -> Pool:
        """The pool of a JSON object with its "members", "weights" and "names"."""
        members = [tuple(member) if isinstance(member, list) else member for member in told["members"]]
        return Pool(members, told["weights"], names=told["names"])

    def __len__(self) -> int:
        """How many members there are."""
        return len(self.members)

    def __repr__(self) -> str:
        return f"Pool(members={self.names}, weights={self.weights})"


def _label(member: Member) -> str:
    return ", ".join(map(label, member)) if isinstance(member, tuple) else label(member)


def _weight(given: float) -> float:
    weight = arguments.number("a weight", given)
    if not (math.isfinite(weight) and weight >= 0):
        raise ValueError(f"a weight got {weight}; it takes 0 or more")
    return weight


def _distinct(labels: list[str]) -> tuple[str, ...]:
    """Names of which no two are the same."""
    names: list[str] = []
    taken = set(labels)
    for place, name in enumerate(labels):
        if name in labels[:place]:
            numbers = (f"{name} ({number})" for number in itertools.count(2))
            name = next(each for each in numbers if each not in taken)
            taken.add(name)
        names.append(name)
    return tuple(names)


def _given(given: Iterable[str], members: int) -> tuple[str, ...]:
    """The names that somebody chose."""
    if not isinstance(given, Iterable):
        raise TypeError(f"names takes a list of str, not {type(given).__name__}")
    names = tuple(itertools.islice(given, members + 1))
    wrong = next((name for name in names if not isinstance(name, str)), None)
    if wrong is not None or isinstance(given, str):
        raise TypeError(f"names takes a list of str, not {type(given if wrong is None else wrong).__name__}")
    if len(names) != members:
        raise ValueError(f"a pool of {members} members takes as many names, one for each")
    for place, name in enumerate(names):
        if name in names[:place]:
            raise ValueError(f"names has {arguments.short(name)} twice; give each member its own")
    return names
