"""Where the points lie in the picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sarai.render.games.shah.drawing import _at
from sarai.render.games.shah.view import NAMES


def places(_view: Mapping[str, Any]) -> dict[str, tuple[float, float, float]]:
    """Each point by its name: its middle, and the room around it."""
    return {name: (*_at(point), 32.0) for point, name in enumerate(NAMES)}
