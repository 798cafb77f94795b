"""What the environments show: their spaces, and arrays of the dtypes that were asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict
from numpy.typing import DTypeLike, NDArray

from sarai._base.arguments import short
from sarai._core import Game


class View:
    """How observations and masks are shown: as the engine writes them, or in another dtype.

    Args:
        game: The rule book.
        observation_dtype: np.int8, or np.float32 for cells divided by the largest magnitude that they can have.
        mask_dtype: np.int8, or np.bool_.

    Raises:
        ValueError: A dtype is another one.

    >>> import sarai
    >>> View(sarai.make("shah"), np.float32, "bool").space["observation"].dtype
    dtype('float32')
    >>> View(sarai.make("shah"), "float64")
    Traceback (most recent call last):
    ...
    ValueError: observation_dtype got 'float64'; it takes 'int8' or 'float32'
    """

    def __init__(
        self, game: Game, observation_dtype: DTypeLike = np.int8, mask_dtype: DTypeLike = np.int8
    ) -> None:
        observation = _dtype("observation_dtype", observation_dtype, "int8", "float32")
        mask = _dtype("mask_dtype", mask_dtype, "int8", "bool")
        spec = game.observation_spec
        low, high = (
            np.concatenate([np.full(part["stop"] - part["start"], part[bound], np.int8) for part in spec])
            for bound in ("low", "high")
        )
        self._largest: NDArray[np.float32] | None = None
        if observation == "float32":
            largest = np.maximum(np.abs(low.astype(np.int16)), np.abs(high.astype(np.int16)))
            self._largest = np.maximum(largest, 1).astype(np.float32)
        self._bool = mask == "bool"
        self.space = Dict(
            observation=Box(self.cells(low), self.cells(high), dtype=observation.type),
            action_mask=Box(0, 1, (game.num_actions,), mask.type),
        )

    def cells(self, cells: NDArray[np.int8]) -> NDArray[Any]:
        """Observations of any number of rows; the same array where there is nothing to change."""
        return cells if self._largest is None else cells / self._largest

    def mask(self, mask: NDArray[np.int8]) -> NDArray[Any]:
        """Masks of any number of rows; the same array where there is nothing to change."""
        return mask.astype(np.bool_) if self._bool else mask


def _dtype(name: str, given: object, *known: str) -> np.dtype[Any]:
    for each in map(np.dtype, known):
        # Of an array, the comparison would be one as well.
        if isinstance(given, str | type | np.dtype) and each == given:
            return each
    raise ValueError(f"{name} got {short(given)}; it takes {' or '.join(map(repr, known))}")
