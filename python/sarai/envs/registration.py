"""The environments' ids, known to Gymnasium and PettingZoo from the import of `sarai` on."""

from __future__ import annotations

import json
from importlib.util import find_spec

import gymnasium

from sarai import _core


def register() -> None:
    """Register every game with Gymnasium, and with PettingZoo where it is installed; twice does no harm."""
    for game in _core.games():
        name = f"sarai/{json.loads(_core.describe_json(game))['id']}-v0"
        if name not in gymnasium.registry:
            gymnasium.register(
                id=name,
                entry_point="sarai.envs.single_agent:SingleAgentEnv",
                vector_entry_point="sarai.envs.single_agent_vector:SingleAgentVectorEnv",
                kwargs={"game": game},
            )
    if find_spec("pettingzoo") is not None:
        _register_with_pettingzoo()


def _register_with_pettingzoo() -> None:
    try:
        import pettingzoo
        from pettingzoo import EnvSpec, aec_registry
    except ImportError:
        # Its releases before 1.27 have no registry.
        return
    for game in _core.games():
        name, entry_point = f"sarai/{game}_v0", "sarai.envs.aec:aec_env"
        # The registry spells ids its own way (today with a hyphen), and warns of one that it knows.
        if EnvSpec(id=name, entry_point=entry_point).id not in aec_registry:
            pettingzoo.register("aec", name, entry_point=entry_point, kwargs={"game": game})
