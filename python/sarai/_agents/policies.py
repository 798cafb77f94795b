"""Agents: how callers name them, how results label them, and what tells one policy from another."""

from __future__ import annotations

import itertools
import secrets
import types
import weakref
from collections.abc import Callable, Iterable, Sized
from typing import Any, Protocol, TypeAlias, TypeGuard, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from sarai import _core
from sarai._base.arguments import from_zero

Policy: TypeAlias = Callable[[NDArray[np.int8], NDArray[np.int8]], NDArray[np.integer[Any]]]
"""Decides for a batch: `policy(observations (n, L) int8, masks (n, A) int8) -> actions (n,)`, integers."""


@runtime_checkable
class PositionPolicy(Protocol):
    """An agent that sees whole positions instead of arrays."""

    def choose_many(self, states: Any, seats: NDArray[np.int8]) -> NDArray[np.integer[Any]]:
        """Choose a legal action in each of N positions.

        Args:
            states: A `sarai.States` of N rows; its own to keep or change.
            seats: int8 (N,): the seat to act in each.

        Returns:
            N actions, integers.
        """


Agent: TypeAlias = str | Policy | PositionPolicy
"""An agent's name ("random", "greedy", "mcts:200"), an object of `sarai.agents`, a policy, or an object with the method
`choose_many(states, seats)`."""

Agents: TypeAlias = Agent | Iterable[Agent] | None
"""One agent for all seats, or one per seat in seat order; None means "random" for all."""


class Named:
    """An agent of this package that plays outside the engine: results label it with its str."""


_marks: dict[int, tuple[weakref.ref[Any], str]] = {}
"""The mark of every policy that has played and is still there, by its id."""


class WholePositions:
    """An object with `choose_many`, as a callable that the engine gives rows of positions.

    Attributes:
        agent: The object.
        takes_positions: What tells the engine.
    """

    takes_positions = True

    def __init__(self, agent: PositionPolicy) -> None:
        """Wrap the object."""
        self.agent = agent

    def __call__(self, rows: _core.States) -> NDArray[np.integer[Any]]:
        """Ask it for an action in each row."""
        states = rows.face
        return self.agent.choose_many(states, states.current_player())


AN_AGENT = "a name, a callable policy(observations, masks), or an object with the method choose_many"
"""What can play, in the words of messages."""


def one_agent_a_seat(agents: Agents, num_players: int) -> list[Agent]:
    """Spread a single agent over all seats; a list is taken as it is, its length is the engine's to check.

    An object with `choose_many` becomes a callable, one and the same for all its seats.

    Raises:
        TypeError: It is neither an agent nor a list of some, or `num_players` is no whole number.
        ValueError: `num_players` is not 0 to 1000.
    """
    return spread("agents", agents, from_zero("num_players", num_players, 1000))


def spread(name: str, agents: Agents, num_players: int) -> list[Agent]:
    """What `one_agent_a_seat` does, for an argument of that name."""
    callables: dict[int, Policy] = {}

    def as_callable(agent: Agent) -> Agent:
        refuse_class(agent)
        if isinstance(agent, str) or not callable(getattr(agent, "choose_many", None)):
            return agent
        return callables.setdefault(id(agent), WholePositions(agent))  # type: ignore[arg-type]

    return [as_callable(agent) for agent in _one_a_seat(name, agents, num_players)]


def is_one(agents: object) -> TypeGuard[Agent]:
    """Whether this is one agent, and not several.

    >>> is_one("greedy"), is_one(["greedy"])
    (True, False)
    """
    # A policy may well be both callable and iterable (a torch.nn.Sequential is), so callable counts.
    return isinstance(agents, str) or callable(agents) or hasattr(agents, "choose_many")


def refuse_class(given: object) -> None:
    """Refuse a class: it can be called, and would pass for a policy until it is asked.

    Raises:
        TypeError: It is one.
    """
    if isinstance(given, type):
        raise TypeError(f"give an object, not the class {given.__qualname__}")


def _one_a_seat(name: str, agents: Agents, num_players: int) -> list[Agent]:
    if agents is None:
        agents = "random"
    if is_one(agents):
        return [agents] * num_players
    if not isinstance(agents, Iterable):
        raise TypeError(
            f"{name} must be {AN_AGENT}; or a list with one of them per seat, not {type(agents).__name__}"
        )
    if isinstance(agents, Sized):
        return list(agents)
    # One more than there are seats is enough to be refused, and an endless iterator ends.
    return list(itertools.islice(agents, num_players + 1))


def label(agent: Agent) -> str:
    """The label of an agent in results: its name, or the policy's qualified name."""
    if isinstance(agent, str):
        return str(agent)
    if isinstance(agent, WholePositions):
        agent = agent.agent
    refuse_class(agent)
    if isinstance(agent, Named):
        return str(agent)
    if not (callable(agent) or isinstance(agent, PositionPolicy)):
        raise TypeError(f"an agent must be {AN_AGENT}, not {type(agent).__name__}")
    name = getattr(agent, "__qualname__", None)
    known = name if isinstance(name, str) else type(agent).__qualname__
    if known.partition(":")[0] in _core.AGENT_KINDS:
        # A policy that somebody calls "greedy" is not the engine's.
        known += "()"
    # A name may hold what no file and no terminal takes.
    return known.encode("utf-8", "backslashreplace").decode()


def mark(agent: Agent) -> str | None:
    """A mark that identifies a policy, whatever its label; None for an agent of the engine.

    An object keeps its mark as long as the process lives, and no other object has it, here or elsewhere.

    >>> mark("greedy") is None, mark(print) == mark(print), mark(print) == mark(len)
    (True, True, False)
    """
    if isinstance(agent, str):
        return None
    if isinstance(agent, WholePositions):
        return _mark(agent.agent)
    if isinstance(agent, types.MethodType):
        # `learner.act` is another object each time that it is written down.
        return f"{_mark(agent.__self__)}.{_mark(agent.__func__)}"
    return _mark(agent)


def _mark(thing: object) -> str:
    key, new = id(thing), secrets.token_hex(8)
    try:
        reference = weakref.ref(thing, lambda _: _marks.pop(key, None))
    except TypeError:
        # What cannot be referred to weakly would have to be kept alive to be known again.
        return new
    # What stands there is of this very object: it goes when its object goes.
    return _marks.setdefault(key, (reference, new))[1]
