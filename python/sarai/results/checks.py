"""Checks shared by the result classes: what is built from a file or by hand obeys the documented shapes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray


def check_array(name: str, array: object, dtype: DTypeLike, shape: tuple[int | None, ...]) -> None:
    """Refuse anything but an array of this dtype and shape; None in the shape is any length.

    Raises:
        ValueError: With the name, what was given and what belongs there.
    """
    wanted = np.dtype(dtype)
    if not isinstance(array, np.ndarray):
        raise ValueError(f"{name} must be a numpy array of {wanted}, not {type(array).__name__}")
    fits = len(array.shape) == len(shape) and all(
        want is None or got == want for got, want in zip(array.shape, shape, strict=True)
    )
    if array.dtype != wanted or not fits:
        text = ", ".join("any" if length is None else str(length) for length in shape)
        raise ValueError(
            f"{name} must be {wanted} of shape ({text}), not {array.dtype} of shape {array.shape}"
        )


def check_labels(agents: object, sides: object) -> int:
    """Check the seats' agents and sides; the number of seats comes back.

    Raises:
        ValueError: Not one text and one side a seat.
    """
    if not isinstance(agents, tuple) or not agents or not all(isinstance(agent, str) for agent in agents):
        raise ValueError(f"agents must be a tuple with one label a seat, not {agents!r}")
    seats = len(agents)
    if not isinstance(sides, tuple) or len(sides) != seats or not all(type(side) is int for side in sides):
        raise ValueError(f"sides must be a tuple with one side for each of {seats} seats, not {sides!r}")
    return seats


def take(metadata: Mapping[str, Any], name: str, kind: type | tuple[type, ...]) -> Any:
    """A value of a file's metadata.

    Raises:
        ValueError: It is missing or of another type.
    """
    value = metadata.get(name)
    if isinstance(value, bool) or not isinstance(value, kind):
        raise ValueError(f"its metadata has no proper {name!r}")
    return value


def same_arrays(left: Mapping[str, NDArray[Any]], right: Mapping[str, NDArray[Any]]) -> bool:
    """Whether both have the same names, in any order, and equal arrays of the same dtypes and shapes."""
    return left.keys() == right.keys() and all(
        array.dtype == right[name].dtype and np.array_equal(array, right[name])
        for name, array in left.items()
    )
