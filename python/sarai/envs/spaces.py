"""The spaces of the environments."""

from __future__ import annotations

import numpy as np
from gymnasium.spaces import Box, Dict

from sarai._core import Game


def observation_space(game: Game) -> Dict:
    """The observation of one player: "observation", int8 (L,), and "action_mask", int8 (A,)."""
    spec = game.observation_spec
    bounds = {
        bound: np.concatenate([np.full(part["stop"] - part["start"], part[bound], np.int8) for part in spec])
        for bound in ("low", "high")
    }
    return Dict(
        observation=Box(bounds["low"], bounds["high"], dtype=np.int8),
        action_mask=Box(0, 1, (game.num_actions,), np.int8),
    )
