"""What an agent of any kind plays in given positions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sarai._agents.answers import judged
from sarai._core import State
from sarai._states import States
from sarai.agents import Agent, EngineAgent, Perfect, WholePositions, label, one_agent_a_seat


def actions(
    agent: Agent, states: Sequence[State], seed: int, milliseconds: float | None = None
) -> tuple[int | None, ...]:
    """The action of an agent in each position; None where "perfect" has no tables.

    Raises:
        IllegalActionError: A policy chose an action that is not legal.
        TypeError: It returned something else than integers.
        ValueError: It cannot play this game, or takes no limit of time.
    """
    if milliseconds is None and not isinstance(agent, EngineAgent):
        rows = States.from_states(states)
        masks = rows.legal_actions_mask()
        (player,) = one_agent_a_seat(agent, 1)
        whole = isinstance(player, WholePositions)
        given = player(rows._rows) if whole else player(rows.observation_tensor(), masks)  # type: ignore[arg-type, call-arg, operator]
        return tuple(judged(given, masks, who=label(agent)).tolist())
    seeds = np.random.SeedSequence(seed).generate_state(len(states), np.uint64).tolist()
    return tuple(_one(agent, state, each, milliseconds) for state, each in zip(states, seeds, strict=True))


def _one(agent: Agent, state: State, seed: int, milliseconds: float | None) -> int | None:
    try:
        if milliseconds is None:
            return int(agent.choose(state, seed=seed))  # type: ignore[union-attr]
        if not hasattr(agent, "analyse"):
            raise ValueError(
                f"budget is for agents that take a limit of time (searches of sarai.agents), not {label(agent)!r}"
            )
        return int(agent.analyse(state, seed=seed, seconds=milliseconds / 1000).best)
    except ValueError as error:
        if lacks_tables(agent, error):
            return None
        raise


def lacks_tables(agent: Agent, error: ValueError) -> bool:
    """Whether "perfect" has failed because its tables do not cover a position, and not because one is damaged."""
    return isinstance(agent, Perfect) and "does not know this position" in str(error)
