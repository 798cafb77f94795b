"""Where the points lie in the picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sarai.render.games.shuanglu.drawing import _BOTTOM, _FIELD, _TOP, _column


def places(_view: Mapping[str, Any]) -> dict[str, tuple[float, float, float]]:
    """Each point by the number that it has for player 0: the middle of its field, and the room around it."""
    found = {}
    for point in range(1, 25):
        y = _BOTTOM - 46.0 if point <= 12 else _TOP + 46.0
        found[str(point)] = (_column(point), y, _FIELD / 2)
    return found
