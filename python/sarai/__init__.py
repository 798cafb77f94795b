"""Rules, simulation and reinforcement-learning environments for traditional games.

>>> import sarai
>>> r = sarai.rollout("sho", num_games=100, agents=["greedy", "random", "random"], seed=7)
>>> r.returns.shape
(100, 3)

Games and states: `games`, `presets`, `make`, `Game`, `State`, `perft`. Whole games: `rollout`, `trajectories`, `load`.
Series of games: `play_series`, `rollout_series`.
Environments: `SelfPlayVectorEnv`, which imports Gymnasium when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sarai._core import CHANCE, TERMINAL, VERSION, Game, IllegalActionError, State, perft
from sarai.game import games, make, presets
from sarai.play import Agent, Agents, Policy
from sarai.rollout import Rollout, load, rollout
from sarai.series import Series, SeriesRollout, play_series, rollout_series
from sarai.summary import Summary
from sarai.trajectories import Trajectories, Trajectory, trajectories

__version__ = VERSION

if TYPE_CHECKING:
    from sarai.envs.self_play import SelfPlayVectorEnv

__all__ = [
    "CHANCE",
    "TERMINAL",
    "Agent",
    "Agents",
    "Game",
    "IllegalActionError",
    "Policy",
    "Rollout",
    "SelfPlayVectorEnv",
    "Series",
    "SeriesRollout",
    "State",
    "Summary",
    "Trajectories",
    "Trajectory",
    "__version__",
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


def __getattr__(name: str) -> Any:
    # Gymnasium takes longer to import than everything else here, and who only plays games does not need it.
    if name == "SelfPlayVectorEnv":
        from sarai.envs.self_play import SelfPlayVectorEnv

        return SelfPlayVectorEnv
    raise AttributeError(f"module 'sarai' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
