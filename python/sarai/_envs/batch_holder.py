"""What all environments have in common: their games stand in a compiled batch."""

from __future__ import annotations

import copy
import secrets
from abc import abstractmethod
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sarai import _core
from sarai._core import Game, State
from sarai._envs.arguments import all_starts
from sarai._states import States

Arrays: TypeAlias = tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.int8]]
"""Observations, masks and current players of all lanes."""

Stepped: TypeAlias = tuple[
    NDArray[np.int8],
    NDArray[np.int8],
    NDArray[np.int8],
    NDArray[np.float32],
    NDArray[np.bool_],
    NDArray[np.bool_],
    NDArray[np.bool_] | None,
    Arrays | None,
]
"""The same after a step, the rewards of all seats, which games ended or were cut off, in which lanes the action was
illegal, and in SAME_STEP the ends of the games before."""


class HoldsBatch:
    """An environment whose games stand in a batch, which says what is legal, whose turn it is and what is over.

    A step or a reset ends with `self._batch.finish()`. Whatever ends it sooner (Ctrl-C, a policy that raises) leaves a
    batch that asks for a reset.

    The batch is copied and pickled as plain data, and made anew from that; all else pickles by itself.
    """

    game: Game
    _batch: _core.Batch
    _starts: States | None = None
    """Where all games begin; None is the usual start."""
    _counts = False
    """Whether infos tell what happened in a game."""
    _ask: Callable[..., NDArray[np.int64]] | None = None
    """Has the policies choose that play in the games; None where there are none."""

    def _begin(self, seed: int | None) -> int:
        """Make the batch; None draws a seed from the system. The seed comes back."""
        seed = secrets.randbits(64) if seed is None else seed
        self._batch = self._make_batch(seed)
        return seed

    @abstractmethod
    def _make_batch(self, seed: int, snapshot: str | None = None) -> _core.Batch:
        """The lanes, with the settings of the environment; with a snapshot, where that was taken."""

    def set_starts(self, states: State | States | None) -> None:
        """Let all later games begin in these states, one of them drawn for each game, instead of at the usual start.

        Games under way go on. `reset(options={"state": ...})` still says where the games of that reset begin. The draw
        has a random stream of its own. A curriculum that goes from the end of a game backwards calls this now and then,
        with earlier and earlier states (`sarai.sample_states` has some).

        Args:
            states: The states, as many as you like, each equally likely; None is the usual start again. They are
                copied.

        Raises:
            ValueError: They are of another game, there are none, or the game is over in one. Games begin as before
                then.
            TypeError: They are neither a `sarai.State` nor `sarai.States`.
            RuntimeError: Another thread is stepping this environment, or one of its own callables made this call.

        >>> import sarai
        >>> env = sarai.SingleAgentVectorEnv("shuanglu", 4, seed=1)
        >>> env.set_starts(sarai.make("shuanglu").sample_states(num_games=100, seed=1))
        >>> observation, info = env.reset()
        >>> env.set_starts(sarai.States("shah", 3))
        Traceback (most recent call last):
        ...
        ValueError: states is of sarai.make('shah'), and this environment plays sarai.make('shuanglu')
        """
        starts = all_starts(states, self.game)
        self._batch.set_starts(None if starts is None else starts._rows)
        self._starts = starts

    def _stats(self, last: bool = False) -> dict[str, NDArray[np.int32]]:
        """What happened in the game of each lane, or in the one before: for each statistic (N, P)."""
        counts = self._batch.counts(last)
        return {name: counts[:, number].copy() for number, name in enumerate(self.game.statistics)}

    def _own(self) -> dict[str, Any]:
        """What even a shallow copy must have for itself."""
        return {"_np_random": copy.deepcopy(self.__dict__["_np_random"])}

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, **self._own(), "_batch": self._batch.snapshot()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        snapshot = state.pop("_batch")
        self.__dict__.update(state)
        self._batch = self._make_batch(0, snapshot)
        if self._starts is not None:
            self._batch.set_starts(self._starts._rows)
