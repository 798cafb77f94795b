"""Rewards on the way to the end of a game, that leave the best way to play as it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sarai._agents.trees import floats
from sarai._base import arguments
from sarai.nets import Net

Evaluator: TypeAlias = Net | Callable[[NDArray[np.int8]], ArrayLike]
"""A network, or a function of the learner's observations, int8 (n, L), that returns what it may expect, (n,)."""


class Shaping:
    """Adds discount * potential(next position) - potential(position) to each reward.

    The potential is what an evaluator expects for the learner, and 0 where the game is over. Whatever the evaluator
    says, the same policies are best as without it (Ng, Harada and Russell 1999, "Policy invariance under reward
    transformations"), as long as the learner discounts by the same factor.

    Args:
        evaluator: The evaluator, whose values are in the units of the rewards.
        discount: The factor by which the learner discounts, 0 to 1.

    Raises:
        TypeError: The evaluator is neither a network nor a function, or the discount is no number.
        ValueError: The discount is out of range.

    >>> import numpy as np, sarai
    >>> pips = lambda observations: observations[:, :24].sum(axis=1) / 100
    >>> env = sarai.SingleAgentVectorEnv("shuanglu", 3, shaping=pips, seed=1)
    >>> before, _ = env.reset()
    >>> after, rewards, *_ = env.step(env.sample_legal())
    >>> bool(np.allclose(rewards, pips(after["observation"]) - pips(before["observation"])))
    True
    >>> sarai.SingleAgentVectorEnv("shuanglu", 3, shaping=pips, discount=2)
    Traceback (most recent call last):
    ...
    ValueError: discount got 2.0; it takes 0 to 1
    """

    def __init__(self, evaluator: Evaluator, discount: float) -> None:
        if not callable(evaluator):
            raise TypeError(
                f"shaping must be a sarai.nets.Net or a function of observations, not {type(evaluator).__name__}"
            )
        self.discount = arguments.number("discount", discount)
        if not 0 <= self.discount <= 1:
            raise ValueError(f"discount got {self.discount}; it takes 0 to 1")
        self._evaluator = evaluator

    def potential(self, cells: NDArray[np.int8]) -> NDArray[np.float32]:
        """What the learner may expect in each row, which is not over: float32 (n,).

        Raises:
            TypeError: The evaluator answered with something else than numbers.
            ValueError: The evaluator answered in another shape, or with NaN or infinity.
        """
        if not len(cells):
            return np.zeros(0, np.float32)
        # The cells are what the environment shows, and a function may write its next answer into the same array.
        answer: Any = self._evaluator(cells.copy())
        if isinstance(self._evaluator, Net):
            answer = answer[:, 0]
        values: NDArray[np.float32] = floats(answer, "shaping answered with values").copy()
        if values.shape != (len(cells),):
            raise ValueError(f"shaping returned the shape {values.shape}; it must return ({len(cells)},)")
        if not np.isfinite(values).all():
            raise ValueError("shaping returned NaN, infinity, or numbers that float32 cannot hold")
        return values

    def rewards(
        self, before: NDArray[np.float32], after: NDArray[np.float32], over: NDArray[np.bool_]
    ) -> NDArray[np.float32]:
        """What is added to the rewards of a step: float32 (n,).

        Args:
            before: The potential before the step.
            after: The potential after it; where the game is over, any number.
            over: Where the game is over, and not cut off.

        Raises:
            ValueError: The two are so far apart that float32 cannot hold the difference.
        """
        with np.errstate(over="ignore"):
            more: NDArray[np.float32] = (
                np.float32(self.discount) * np.where(over, np.float32(0), after) - before
            )
        if not np.isfinite(more).all():
            raise ValueError(
                "shaping answered with values so far apart that float32 cannot hold the difference"
            )
        return more
