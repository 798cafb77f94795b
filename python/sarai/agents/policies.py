"""Agents: how callers name them, how results label them, and what tells one policy from another."""

from __future__ import annotations

import itertools
import secrets
import types
import weakref
from collections.abc import Callable, Iterable, Sized
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Policy: TypeAlias = Callable[[NDArray[np.int8], NDArray[np.int8]], NDArray[np.integer[Any]]]
"""Decides for a batch: `policy(observations (n, L) int8, masks (n, A) int8) -> actions (n,)`, integers."""

Agent: TypeAlias = str | Policy
"""An agent's name ("random", "greedy", "mcts:200"), an object of `sarai.agents`, which is its name, or a policy."""

Agents: TypeAlias = Agent | Iterable[Agent] | None
"""One agent for all seats, or one per seat in seat order; None means "random" for all."""

_ENGINE_AGENTS = ("random", "greedy", "mcts", "expectimax", "alphabeta")
"""What the names of the engine's agents begin with."""

_marks: dict[int, tuple[weakref.ref[Any], str]] = {}
"""The mark of every policy that has played and is still there, by its id."""


def one_agent_a_seat(agents: Agents, num_players: int) -> list[Agent]:
    """Spread a single agent over all seats; a list is taken as it is, its length is the engine's to check."""
    if agents is None:
        agents = "random"
    # A policy may well be both callable and iterable (a torch.nn.Sequential is), so callable comes first.
    if isinstance(agents, str) or callable(agents):
        return [agents] * num_players
    if not isinstance(agents, Iterable):
        raise TypeError(
            "agents must be an agent's name, a policy, or a list with one of them per seat, "
            f"not {type(agents).__name__}"
        )
    if isinstance(agents, Sized):
        return list(agents)
    # One more than there are seats is enough to be refused, and an endless iterator ends.
    return list(itertools.islice(agents, num_players + 1))


def label(agent: Agent) -> str:
    """How an agent is called in results: its name, or the policy's qualified name."""
    if isinstance(agent, str):
        return str(agent)
    if not callable(agent):
        raise TypeError(f"an agent must be a name or a policy (a callable), not {type(agent).__name__}")
    name = getattr(agent, "__qualname__", None)
    known = name if isinstance(name, str) else type(agent).__qualname__
    if known.partition(":")[0] in _ENGINE_AGENTS:
        # A policy that somebody calls "greedy" is not the engine's.
        known += "()"
    # A name may hold what no file and no terminal takes.
    return known.encode("utf-8", "backslashreplace").decode()


def mark(agent: Agent) -> str | None:
    """What tells one policy from another, which may have the same label; None for an agent of the engine.

    The same object has the same mark for as long as the process lives, and no other object has it, here or elsewhere.

    >>> mark("greedy") is None, mark(print) == mark(print), mark(print) == mark(len)
    (True, True, False)
    """
    if isinstance(agent, str):
        return None
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
