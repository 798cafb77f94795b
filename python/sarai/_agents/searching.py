"""Agents that search with an evaluator of the user's."""

from __future__ import annotations

import time
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sarai import _core
from sarai._agents.analysis import Analysis, checked_seconds, checked_state, of
from sarai._agents.policies import Named
from sarai._agents.trees import Evaluator, grow, inside
from sarai._base import arguments
from sarai._core import State


class TreeSearch(Named):
    """A tree search with a function as evaluator, as in `sarai.search`: it grows a tree for each decision.

    Use it wherever an agent is taken; it evaluates the positions of all games in one call. Its choice in a position
    depends only on the position, the function and the seed, not on other games.

    Args:
        evaluator: A function of observations and masks, or of observations alone; see `sarai.search`.
        simulations: The number of simulations for each decision, at least 1.
        exploration: As `sarai.search` takes it.
        priors: Whether logits are used.
        seed: 0 to 2**64 - 1: the seed of the dice in its trees, which is part of how the agent plays.

    >>> import numpy as np, sarai
    >>> from sarai import agents
    >>> def evaluator(observations):
    ...     return np.zeros(len(observations))
    >>> agent = agents.TreeSearch(evaluator, 20)
    >>> sarai.rollout("shah", [agent, "random"], 4, seed=1).returns.shape
    (4, 2)
    >>> agents.TreeSearch("heuristic", 0)
    Traceback (most recent call last):
    ...
    ValueError: simulations got 0; it takes a number above 0
    """

    def __init__(
        self,
        evaluator: Evaluator,
        simulations: int = 100,
        *,
        exploration: float = 1.25,
        priors: bool = True,
        seed: int = 0,
    ) -> None:
        """Set the search up."""
        inside(evaluator)  # which refuses what is no evaluator
        if arguments.whole("simulations", simulations) < 1:
            raise ValueError(f"simulations got {arguments.short(simulations)}; it takes a number above 0")
        self.evaluator = evaluator
        self.simulations = simulations
        self.exploration = exploration
        self.priors = priors
        self.seed = arguments.from_zero("seed", seed)

    def choose_many(self, states: Any, seats: NDArray[np.int8]) -> NDArray[np.int64]:
        """Choose an action in each row, all of them at once.

        Args:
            states: A `sarai.States` in each row of which it is a player's turn.
            seats: The seats to act, int8 (N,); they follow from the states.

        Raises:
            ValueError, TypeError: As for `sarai.search`.
        """
        return self._grow(states._rows, self.seed).found()[3]

    def choose(self, state: State, seed: int | None = None) -> int:
        """Choose an action in one state.

        Args:
            state: A state in which it is a player's turn.
            seed: 0 to 2**64 - 1; None draws one from the operating system.

        Raises:
            ValueError: It is no player's turn.
        """
        return int(self._one(state, arguments.seed(seed)).found()[3][0])

    def analyse(self, state: State, seed: int | None = None, seconds: float | None = None) -> Analysis:
        """Evaluate the moves of one state; see `sarai.analyse`.

        Args:
            state: A state in which it is a player's turn.
            seed: 0 to 2**64 - 1; None draws one from the operating system.
            seconds: Stop after this many seconds and return the result so far, which depends on the machine.

        Raises:
            ValueError: It is no player's turn, or seconds is not above 0.
            TypeError: seconds is no number.
        """
        limit = checked_seconds(seconds)
        state = checked_state(state).clone()
        begun = time.perf_counter()
        drawn = arguments.seed(seed)
        found = self._one(state, drawn, limit).analysis(0)
        assert found is not None  # it is a player's turn
        return of(str(self), state, found, time.perf_counter() - begun, drawn)

    def _one(self, state: State, seed: int, seconds: float | None = None) -> _core.Forest:
        if checked_state(state).current_player() < 0:
            raise ValueError("no player acts here, so there is nothing to search")
        rows = _core.States.of(state.get_game(), [state])
        return self._grow(rows, seed, seconds)

    def _grow(self, rows: _core.States, seed: int, seconds: float | None = None) -> _core.Forest:
        return grow(
            rows.game,
            rows,
            self.simulations,
            self.evaluator,
            priors=self.priors,
            exploration=self.exploration,
            seed=seed,
            streams=_streams(rows.text().splitlines()),
            seconds=seconds,
        )

    def __str__(self) -> str:
        judge = self.evaluator
        name = judge if isinstance(judge, str) else getattr(judge, "__qualname__", type(judge).__qualname__)
        return f"search:{self.simulations},{name}"

    def __repr__(self) -> str:
        return f"TreeSearch({self.evaluator!r}, {self.simulations})"


def _streams(texts: list[str]) -> NDArray[np.uint64]:
    """A stream for each position that follows from the position alone: the same in any batch.

    >>> bool(_streams(["a", "b"])[1] == _streams(["b"])[0])
    True
    """
    return np.array([zlib.crc32(text.encode()) for text in texts], np.uint64)
