"""Rules, simulation and reinforcement-learning environments for traditional games.

>>> import sarai
>>> r = sarai.rollout("sho", num_games=100, agents=["greedy", "random", "random"], seed=7)
>>> r.returns.shape
(100, 3)

Games and states: `games`, `presets`, `make`, `Game`, `State`, `choose`, `perft`.
Whole games: `rollout`, `trajectories`, `load`. A game as it was played: `Record`.
Series of games: `play_series`, `rollout_series`.
Environments: `gymnasium.make("sarai/Sho-v0")` and its like, which are `SingleAgentEnv` and `SingleAgentVectorEnv`;
`SelfPlayVectorEnv`; `aec_env` for PettingZoo. What other libraries need on top: `adapters`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sarai._core import CHANCE, TERMINAL, VERSION, Game, IllegalActionError, State, choose, perft
from sarai.envs import registration
from sarai.game import games, make, presets
from sarai.play import Agent, Agents, Policy
from sarai.record import Record
from sarai.results.rollout import Rollout, load, rollout
from sarai.results.series import Series, SeriesRollout, play_series, rollout_series
from sarai.results.summary import Summary
from sarai.results.trajectories import Trajectories, Trajectory, trajectories

__version__ = VERSION

if TYPE_CHECKING:
    from sarai import adapters as adapters
    from sarai.envs.aec import aec_env
    from sarai.envs.self_play import SelfPlayVectorEnv
    from sarai.envs.single_agent import SingleAgentEnv
    from sarai.envs.single_agent_vector import SingleAgentVectorEnv

__all__ = [
    "CHANCE",
    "TERMINAL",
    "Agent",
    "Agents",
    "Game",
    "IllegalActionError",
    "Policy",
    "Record",
    "Rollout",
    "SelfPlayVectorEnv",
    "Series",
    "SeriesRollout",
    "SingleAgentEnv",
    "SingleAgentVectorEnv",
    "State",
    "Summary",
    "Trajectories",
    "Trajectory",
    "__version__",
    "aec_env",
    "choose",
    "games",
    "load",
    "make",
    "perft",
    "play_series",
    "presets",
    "rollout",
    "rollout_series",
    "trajectories",
]


registration.register()

# What is imported when it is first used: who only plays games needs none of it.
_LAZY = {
    "SelfPlayVectorEnv": "sarai.envs.self_play",
    "SingleAgentEnv": "sarai.envs.single_agent",
    "SingleAgentVectorEnv": "sarai.envs.single_agent_vector",
    "aec_env": "sarai.envs.aec",
}


def __getattr__(name: str) -> Any:
    if name == "adapters":
        return import_module("sarai.adapters")
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'sarai' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "adapters"})
