"""Where the positions lie in the picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sarai.render.games.sho.spiral import Spiral
from sarai.render.games.sho.view import read


def places(view: Mapping[str, Any]) -> dict[str, tuple[float, float, float]]:
    """Each position by its number: its middle, and the room around it."""
    shells = read(view).num_shells
    spiral = Spiral(shells)
    return {str(place): (*spiral.position(place)[:2], 1.3 * spiral.coin) for place in range(1, shells)}
