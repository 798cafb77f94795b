"""Results as JSON has them."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass
from typing import Any

from sarai._core import Game, State


def plain(value: Any) -> Any:
    """What JSON can hold: a dict of a dataclass, a list of a tuple, the text of a game or state, None in place of nan.

    >>> from sarai._tables.estimates import Estimate
    >>> plain({"share": (Estimate(0.5, math.nan, math.nan), 2)})
    {'share': [{'value': 0.5, 'low': None, 'high': None}, 2]}
    """
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(each) for each in value]
    if isinstance(value, (Game, State)):
        return str(value)
    return None if isinstance(value, float) and not math.isfinite(value) else value
