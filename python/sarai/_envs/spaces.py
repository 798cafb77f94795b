"""What the environments show: their spaces, and arrays of the dtypes that were asked for."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
from gymnasium.spaces import Box, Dict
from numpy.typing import NDArray

from sarai._base.arguments import short
from sarai._core import Game

ObservationType: TypeAlias = Literal["int8", "float32"]
MaskType: TypeAlias = Literal["int8", "bool"]


class View:
    """How observations and masks are shown: as the engine writes them, or in another dtype.

    Args:
        game: The rule book.
        observation: "int8", or "float32" for cells that are divided by the largest magnitude that they can have.
        mask: "int8", or "bool".

    Raises:
        ValueError: A dtype is another one.

    >>> import sarai
    >>> View(sarai.make("shah"), "float32", "bool").space["observation"].dtype
    dtype('float32')
    >>> View(sarai.make("shah"), "float64")
    Traceback (most recent call last):
    ...
    ValueError: observation got 'float64'; it takes 'int8' or 'float32'
    """

    def __init__(self, game: Game, observation: ObservationType = "int8", mask: MaskType = "int8") -> None:
        for name, given, known in (
            ("observation", observation, ("int8", "float32")),
            ("mask", mask, ("int8", "bool")),
        ):
            # Of an array, the comparison would be one as well.
            if not isinstance(given, str | np.dtype) or given not in known:
                raise ValueError(f"{name} got {short(given)}; it takes {known[0]!r} or {known[1]!r}")
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
            observation=Box(self.cells(low), self.cells(high), dtype=np.dtype(observation).type),
            action_mask=Box(0, 1, (game.num_actions,), np.dtype(mask).type),
        )

    def cells(self, cells: NDArray[np.int8]) -> NDArray[Any]:
        """Observations of any number of rows; the same array where there is nothing to change."""
        return cells if self._largest is None else cells / self._largest

    def mask(self, mask: NDArray[np.int8]) -> NDArray[Any]:
        """Masks of any number of rows; the same array where there is nothing to change."""
        return mask.astype(np.bool_) if self._bool else mask
