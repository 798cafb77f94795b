"""Rules, simulation and reinforcement-learning environments for traditional games.

>>> import sarai
>>> r = sarai.rollout("sho", ["greedy", "random", "random"], 100, seed=7)
>>> r.returns.shape
(100, 3)

- Games and states: `games`, `presets`, `make`, `Game`, `State`, `parse`, `choose`.
- Many positions at once: `States`.
- What moves are worth: `analyse` one position, `search` many; `self_play` makes AlphaZero's training data by it.
- Whole games: `rollout`, `trajectories`; `metrics` measures a game, and `compare`
  compares variants, agents and seats.
- Recorded games: `Record`.
- Series of games: `series`.
- Matches between agents: `arena`, `sprt`; `benchmark` measures one against exact values and fixed opponents.
- Exact values of positions: `exact`.
- Networks that evaluate positions: `nets`; `train` makes them by self-play.
- Games by the million, in folders: `dataset`, `open_dataset`.
- Files of all of these: their `save` methods, and `load`.
- Environments: `gymnasium.make("sarai/Sho-v0")` and so on, which make `SingleAgentEnv` and, with `make_vec`,
  `SingleAgentVectorEnv`; `SelfPlayVectorEnv`; `aec_env` for PettingZoo.
- Boards to play on in a notebook: `widget`.
- Adapters to other libraries: `adapters`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from sarai import _ctrl_c  # noqa: F401  (first: what follows takes a moment)
from sarai import _sampling as _sampling  # which gives a method to `Game`
from sarai import _symmetries as _symmetries  # the same
from sarai import agents as agents
from sarai import matches as matches
from sarai import nets as nets
from sarai import results as results
from sarai._analysing import analyse
from sarai._benchmark.running import benchmark
from sarai._core import CHANCE, TERMINAL, VERSION, Game, IllegalActionError, State, choose
from sarai._envs import registration
from sarai._game import games, make, presets
from sarai._loading import load
from sarai._matches.arena import arena
from sarai._matches.sprt import sprt
from sarai._notations import parse
from sarai._records.record import Record
from sarai._results.comparison import compare
from sarai._results.decisions import trajectories
from sarai._results.metrics import metrics
from sarai._results.rollout import rollout
from sarai._results.series_rollout import series
from sarai._self_play import self_play
from sarai._states import States
from sarai._training.run import train
from sarai._tree_search import search

__version__ = VERSION

if TYPE_CHECKING:
    from sarai import adapters as adapters
    from sarai import datasets as datasets
    from sarai import exact as exact
    from sarai import expansions as expansions
    from sarai import intervals as intervals
    from sarai import records as records
    from sarai import render as render
    from sarai import training as training
    from sarai._datasets.making import dataset
    from sarai._datasets.opened import open_dataset
    from sarai._envs.aec import aec_env
    from sarai._envs.self_play import SelfPlayVectorEnv
    from sarai._envs.single_agent import SingleAgentEnv
    from sarai._envs.single_agent_vector import SingleAgentVectorEnv
    from sarai._web.widget import widget

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
    "benchmark",
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
    "self_play",
    "series",
    "sprt",
    "train",
    "trajectories",
    "widget",
]


registration.register()

# The public modules; some are imported when they are first used.
_MODULES = (
    "adapters",
    "agents",
    "datasets",
    "exact",
    "expansions",
    "intervals",
    "matches",
    "nets",
    "records",
    "render",
    "results",
    "training",
)

# What is imported when it is first used: who only plays games needs none of it.
_LAZY = {
    "dataset": "sarai._datasets.making",
    "open_dataset": "sarai._datasets.opened",
    "SelfPlayVectorEnv": "sarai._envs.self_play",
    "SingleAgentEnv": "sarai._envs.single_agent",
    "SingleAgentVectorEnv": "sarai._envs.single_agent_vector",
    "aec_env": "sarai._envs.aec",
    "widget": "sarai._web.widget",
}

# Functions that need a library of an extra, of which only a call tells: `import *` and help() look at every name.
_OPTIONAL = ("aec_env", "widget")


def _absent(error: ModuleNotFoundError) -> Callable[..., Any]:
    def absent(*_: Any, **__: Any) -> Any:
        raise error.with_traceback(None)

    return absent


if not TYPE_CHECKING:  # to type checkers it would say that there is every name

    def __getattr__(name: str) -> Any:
        if name in _MODULES:
            return import_module(f"sarai.{name}")
        if name in _LAZY:
            try:
                return getattr(import_module(_LAZY[name]), name)
            except ModuleNotFoundError as error:
                if name not in _OPTIONAL:
                    raise
                return _absent(error)
        # With the two names Python itself says what was probably meant.
        raise AttributeError(
            f"module 'sarai' has no attribute {name!r}", name=name, obj=sys.modules[__name__]
        )


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if name.startswith("__")), *__all__, *_MODULES})
