"""Copies and pickles of environments."""

from __future__ import annotations

import copy
from abc import abstractmethod
from typing import Any

from sarai.envs.policy_batch import Lanes


class PickledBatch:
    """What an environment that keeps its games in a compiled batch is when it is copied or pickled.

    The batch is written as plain data, and made and filled anew; all else about the environment pickles by itself.
    """

    _batch: Lanes

    @abstractmethod
    def _make_batch(self, seed: int) -> Lanes:
        """The lanes, with the settings of the environment."""

    def _own(self) -> dict[str, Any]:
        """What even a shallow copy must have for itself, and what is better made anew."""
        return {"_mask": None, "_np_random": copy.deepcopy(self.__dict__["_np_random"])}

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, **self._own(), "_batch": self._batch.snapshot()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        snapshot = state.pop("_batch")
        self.__dict__.update(state)
        self._batch = self._make_batch(0)
        self._batch.restore(snapshot)
