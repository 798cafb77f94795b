"""When two results are equal: a number that is not known, nan, is equal to one that is not known either."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any

import numpy as np


class EqualByValues:
    """For dataclasses whose numbers may be nan, with `eq=False`: two of a class are equal if their fields are.

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


def _comparable(value: Any) -> Any:
    """The value, with every nan in it and in its tuples replaced by the same object.

    Tuples treat an object as equal to itself, and its hash is always the same.

    >>> _comparable((1.5, (float("nan"),))) == _comparable((1.5, (float("nan"),)))
    True
    """
    if isinstance(value, tuple):
        return tuple(map(_comparable, value))
    return math.nan if isinstance(value, float | np.floating) and math.isnan(value) else value


def _values(result: Any) -> tuple[Any, ...]:
    return tuple(_comparable(getattr(result, field.name)) for field in fields(result) if field.compare)
