"""Where the squares lie in the picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sarai.render.games.gamename.drawing import _FIELD, _middle
from sarai.render.games.gamename.view import TRACK


def places(_view: Mapping[str, Any]) -> dict[str, tuple[float, float, float]]:
    """Each square by its number: its middle, and the room around it."""
    return {str(square): (*_middle(square), _FIELD / 2) for square in range(1, TRACK + 1)}
