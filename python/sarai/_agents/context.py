"""Policies that are told which game they play."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sarai._agents.policies import Named, label


@dataclass(frozen=True, eq=False)
class Context:
    """The games of the n rows that a policy decides about.

    Attributes:
        lanes: int64 (n,): the lanes of the environment.
        seats: int8 (n,): the seats to act.
        episodes: int64 (n,): the number of each lane's game, from 0 since the environment was made or the lane was
            seeded. Games that end before the learner's first decision count too.
    """

    lanes: NDArray[np.int64]
    seats: NDArray[np.int8]
    episodes: NDArray[np.int64]


ContextFunction: TypeAlias = Callable[[NDArray[np.int8], NDArray[np.int8], Context], NDArray[np.integer[Any]]]
"""`policy(observations (n, L) int8, masks (n, A) int8, context) -> actions (n,)`, integers."""


class ContextPolicy(Named):
    """A policy for environments that takes a `Context` as its third argument; see `with_context`."""

    def __init__(self, policy: ContextFunction) -> None:
        if not callable(policy):
            raise TypeError(f"a policy must be a callable, not {type(policy).__name__}")
        self.policy = policy

    def __str__(self) -> str:
        """The name of the policy."""
        return label(self.policy)  # type: ignore[arg-type]  # it takes one argument more

    def __repr__(self) -> str:
        return f"<{self} with context>"

    def __call__(
        self, observations: NDArray[np.int8], masks: NDArray[np.int8], context: Context | None = None
    ) -> NDArray[np.integer[Any]]:
        """Choose a legal action in each row.

        Raises:
            TypeError: It is asked outside an environment, where there is no context.
        """
        if context is None:
            raise TypeError(
                f"policy {str(self)!r} asks for lane, seat and episode, which only environments know; "
                "give a policy of two arguments here"
            )
        return self.policy(observations, masks, context)


def with_context(policy: ContextFunction) -> ContextPolicy:
    """Make an opponent of a policy whose third argument has lanes, seats and episodes.

    The third argument is a `Context`. Use the policy as `opponents=` of an environment, or as a member of a `Pool`.

    Raises:
        TypeError: It is not callable.

    >>> import sarai
    >>> from sarai import agents
    >>> @agents.with_context
    ... def first_or_last(observations, masks, context):
    ...     last = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
    ...     return np.where(context.episodes % 2 == 0, masks.argmax(axis=1), last)
    >>> env = sarai.SingleAgentVectorEnv("shah", 4, opponents=first_or_last, seed=1)
    >>> _ = env.reset()
    >>> sarai.rollout("shah", first_or_last, 1)
    Traceback (most recent call last):
    ...
    TypeError: policy 'first_or_last' asks for lane, seat and episode, which only environments know; ...
    """
    return ContextPolicy(policy)
