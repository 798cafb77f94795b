"""When two results are equal: arrays by what they hold, and nan, a number that is not known, is equal to nan."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray


class EqualByValues:
    """For dataclasses with arrays, or numbers that may be nan, with `eq=False`: two are equal if their fields are.

    The equality that `dataclass` writes considers two such results equal only if both hold the very same nan object,
    and from Python 3.13 on not even then. Fields with `compare=False` are left out, as they are there.

    >>> from sarai._tables.estimates import Estimate
    >>> Estimate(0.5, math.nan, math.nan) == Estimate(0.5, float("nan"), float("nan"))
    True
    >>> Estimate(0.5, math.nan, math.nan) == Estimate(0.5, 0.25, 0.75)
    False
    """

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return _values(self) == _values(other)

    def __hash__(self) -> int:
        return hash(_values(self))


class _Content:
    """An array that is equal to one with the same content."""

    def __init__(self, array: NDArray[Any]) -> None:
        self.array = array

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Content) and np.array_equal(
            self.array, other.array, equal_nan=self.array.dtype.kind == "f"
        )

    __hash__ = None  # type: ignore[assignment]  # arrays can change


def _comparable(value: Any) -> Any:
    """The value, with every nan in it replaced by the same object, and every array by its content.

    Tuples treat an object as equal to itself, and its hash is always the same.

    >>> _comparable((1.5, (float("nan"),))) == _comparable((1.5, (float("nan"),)))
    True
    """
    if isinstance(value, tuple):
        return tuple(map(_comparable, value))
    if isinstance(value, dict):
        return {key: _comparable(each) for key, each in value.items()}
    if isinstance(value, np.ndarray):
        return _Content(value)
    return math.nan if isinstance(value, float | np.floating) and math.isnan(value) else value


def _values(result: Any) -> tuple[Any, ...]:
    return tuple(_comparable(getattr(result, field.name)) for field in fields(result) if field.compare)
