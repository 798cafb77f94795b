"""Agents that are no names of the engine, asked about one position at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from sarai._agents.answers import judged
from sarai._base.arguments import short
from sarai._core import State
from sarai._states import States
from sarai._web.session import PERSON
from sarai.agents import Agent, WholePositions, label

Chooser: TypeAlias = Callable[[State], int]
"""Chooses an action in a state."""


def chooser(agent: Any) -> Chooser:
    """A policy, or a `WholePositions`, as something that chooses in one state.

    >>> import sarai
    >>> state = sarai.make("shah").new_initial_state()
    >>> chooser(lambda observations, masks: masks.argmax(axis=1))(state)
    0
    >>> chooser(lambda observations, masks: None)(state)
    Traceback (most recent call last):
    ...
    TypeError: the actions that the policy '<lambda>' returned must be integers, not NoneType
    """

    def choose(state: State) -> int:
        masks = state.legal_actions_mask()[None]
        if isinstance(agent, WholePositions):
            states = States.from_states([state])
            given = agent.agent.choose_many(states, states.current_player())
        else:
            given = agent(state.observation_tensor()[None], masks.copy())
        return int(judged(given, masks, who=f"the policy {short(label(agent))}")[0])

    return choose


def named(agents: Sequence[Agent]) -> tuple[list[str], dict[str, Chooser]]:
    """The names under which agents are seated, and those of them that are no names of the engine.

    >>> def mine(observations, masks): ...
    >>> names, own = named(["greedy", mine])
    >>> names, list(own)
    (['greedy', 'mine'], ['mine'])
    """
    names: list[str] = []
    own: dict[str, Chooser] = {}
    whose: dict[str, object] = {PERSON: None}
    for agent in agents:
        name = label(agent)
        if not isinstance(agent, str):
            # Two policies may be called the same.
            number, first = 1, name
            while whose.get(name, agent) is not agent:
                number += 1
                name = f"{first} ({number})"
            whose[name] = agent
            own.setdefault(name, chooser(agent))
        # An object of `sarai.agents` holds what it plays by.
        names.append(agent if isinstance(agent, str) else name)
    return names, own
