"""Rules, simulation and reinforcement-learning environments for traditional games.

>>> import sarai
>>> r = sarai.rollout("sho", ["greedy", "random", "random"], 100, seed=7)
>>> r.returns.shape
(100, 3)

- Games and states: `games`, `presets`, `make`, `Game`, `State`, `parse`, `choose`.
- Many positions at once: `States`.
- What moves are worth: `analyse` one position, `search` many.
- Whole games: `rollout`, `trajectories`; `metrics` measures a game, and `compare`
  compares variants, agents and seats.
- Recorded games: `Record`.
- Series of games: `series`.
- Agents against one another: `arena`, `sprt`.
- Positions whose value is known for certain: `exact`.
- Networks that judge positions: `nets`; `train` makes them by self-play.
- Games by the million, in folders: `dataset`, `open_dataset`.
- Files of all of these: their `save` methods, and `load`.
- Environments: `gymnasium.make("sarai/Sho-v0")` and so on, which make `SingleAgentEnv` and, with `make_vec`,
  `SingleAgentVectorEnv`; `SelfPlayVectorEnv`; `aec_env` for PettingZoo.
- Boards to play on in a notebook: `widget`.
- Adapters to other libraries: `adapters`.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from sarai import _ctrl_c  # noqa: F401  (first: what follows takes a moment)
from sarai import agents as agents
from sarai import nets as nets
from sarai import sampling as sampling
from sarai._core import CHANCE, TERMINAL, VERSION, Game, IllegalActionError, State, choose, parse
from sarai.analysing import analyse
from sarai.envs import registration
from sarai.game import games, make, presets
from sarai.loading import load
from sarai.matches.arena import arena
from sarai.matches.sprt import sprt
from sarai.records.record import Record
from sarai.results.comparison import compare
from sarai.results.decisions import trajectories
from sarai.results.metrics import metrics
from sarai.results.rollout import rollout
from sarai.results.series_rollout import series
from sarai.states import States
from sarai.training.run import train
from sarai.tree_search import search

__version__ = VERSION

if TYPE_CHECKING:
    from sarai import adapters as adapters
    from sarai import datasets as datasets
    from sarai import exact as exact
    from sarai.datasets.making import dataset
    from sarai.datasets.opened import open_dataset
    from sarai.envs.aec import aec_env
    from sarai.envs.self_play import SelfPlayVectorEnv
    from sarai.envs.single_agent import SingleAgentEnv
    from sarai.envs.single_agent_vector import SingleAgentVectorEnv
    from sarai.web.widget import widget

__all__ = [
    "CHANCE",
    "TERMINAL",
    "Game",
    "IllegalActionError",
    "Record",
    "SelfPlayVectorEnv",
    "SingleAgentEnv",
    "SingleAgentVectorEnv",
    "State",
    "States",
    "__version__",
    "aec_env",
    "analyse",
    "arena",
    "choose",
    "compare",
    "dataset",
    "games",
    "load",
    "make",
    "metrics",
    "nets",
    "open_dataset",
    "parse",
    "presets",
    "rollout",
    "search",
    "series",
    "sprt",
    "train",
    "trajectories",
    "widget",
]


registration.register()

# What is imported when it is first used: who only plays games needs none of it.
_LAZY = {
    "dataset": "sarai.datasets.making",
    "open_dataset": "sarai.datasets.opened",
    "SelfPlayVectorEnv": "sarai.envs.self_play",
    "SingleAgentEnv": "sarai.envs.single_agent",
    "SingleAgentVectorEnv": "sarai.envs.single_agent_vector",
    "aec_env": "sarai.envs.aec",
    "widget": "sarai.web.widget",
}


def __getattr__(name: str) -> Any:
    if name in ("adapters", "datasets", "exact"):
        return import_module(f"sarai.{name}")
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    # With the two names Python itself says what was probably meant.
    raise AttributeError(f"module 'sarai' has no attribute {name!r}", name=name, obj=sys.modules[__name__])


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "adapters", "datasets", "exact"})
