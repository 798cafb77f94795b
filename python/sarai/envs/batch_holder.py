"""What all environments have in common: their games stand in a compiled batch."""

from __future__ import annotations

import copy
import secrets
from abc import abstractmethod
from typing import Any

from sarai._core import States
from sarai.envs.policy_batch import Arrays, Lanes
from sarai.envs.transaction import BUSY


class HoldsBatch:
    """An environment whose games stand in a batch, which says what is legal, whose turn it is and what is over.

    What little a step changes outside the batch are attributes, set anew and never changed in place: a step that fails
    sets them back.

    The batch is copied and pickled as plain data, and made anew from that; all else pickles by itself.
    """

    _batch: Lanes

    def _begin(self, seed: int | None) -> int:
        """Make the batch; None draws a seed from the system. The seed comes back."""
        seed = secrets.randbits(64) if seed is None else seed
        self._turn: dict[str, object] = {}
        self._batch = self._make_batch(seed)
        # Nothing has been played: a first reset without a seed shows the games that stand there already.
        self._fresh = True
        return seed

    @abstractmethod
    def _make_batch(self, seed: int, snapshot: str | None = None) -> Lanes:
        """The lanes, with the settings of the environment; with a snapshot, where that was taken."""

    def _new_games(
        self,
        seed: int | list[int] | None,
        reset_mask: list[bool] | None = None,
        starts: States | None = None,
    ) -> Arrays:
        if self._fresh and seed is None and reset_mask is None and starts is None:
            arrays = self._batch.observe()
        else:
            arrays = self._batch.reset(seed, reset_mask, starts)
        self._fresh = False
        return arrays

    def _where(self) -> tuple[int, dict[str, Any]]:
        return self._batch.serial, self.__dict__.copy()

    def _go_back(self, where: tuple[int, dict[str, Any]], /) -> None:
        serial, attributes = where
        self._batch.go_back_to(serial)
        self.__dict__.update(attributes)

    def _own(self) -> dict[str, Any]:
        """What even a shallow copy must have for itself."""
        return {"_np_random": copy.deepcopy(self.__dict__["_np_random"])}

    def __getstate__(self) -> dict[str, Any]:
        if self._turn:
            raise RuntimeError(BUSY)
        return {**self.__dict__, **self._own(), "_turn": {}, "_batch": self._batch.snapshot()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        snapshot = state.pop("_batch")
        self.__dict__.update(state)
        self._batch = self._make_batch(0, snapshot)
