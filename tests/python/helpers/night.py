"""Cases of which the first few are run every time, and the others by `make nightly`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def after(count: int, values: Iterable[Any]) -> list[Any]:
    """The values for `parametrize` (tuples, if it has several names), each after the first `count` a long form."""
    return [value if place < count else _long(value) for place, value in enumerate(values)]


def _long(value: Any) -> Any:
    return pytest.param(*value if isinstance(value, tuple) else (value,), marks=pytest.mark.nightly)
