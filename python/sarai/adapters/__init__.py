"""Adapters to libraries that train or search: each module imports its library, and is imported only when used.

- `sarai.adapters.openspiel`: every game as a game of OpenSpiel.
- `sarai.adapters.sb3`: a `VecEnv` for Stable-Baselines3 and sb3-contrib, with action masks.
- `sarai.adapters.rllib`: a vector environment and a `MultiAgentEnv` for RLlib.
- `sarai.adapters.torchrl`: batched environments for TorchRL, against agents and in self-play.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sarai.adapters import openspiel as openspiel
    from sarai.adapters import rllib as rllib
    from sarai.adapters import sb3 as sb3
    from sarai.adapters import torchrl as torchrl

_MODULES = ("openspiel", "rllib", "sb3", "torchrl")


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name in _MODULES:
            try:
                return import_module(f"{__name__}.{name}")
            except ModuleNotFoundError as error:
                # hasattr(), help() and whatever else looks at every name take no other error.
                raise AttributeError(str(error)) from error
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
