"""The environment ids, registered with Gymnasium and PettingZoo as soon as both the library and `sarai` are imported.

Importing these two takes longer than all the rest of `import sarai`, and playing games needs neither. So a library that
is already imported learns of the games at once, and one that is imported later learns of them when its import ends.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

from sarai import _core


def register() -> None:
    """Register every game with Gymnasium and, if it is installed, PettingZoo; calling it twice is harmless."""
    for library, tell in _LIBRARIES.items():
        # None stands for a module that must not be imported.
        if sys.modules.get(library) is not None:
            tell()
    if not any(isinstance(finder, _Watch) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Watch())


class _Watch:
    """Finds the two libraries as the other finders do, and has them told of the games at the end of their import."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of a library, None for all other modules."""
        spec = self._found(name, path, target) if name in _LIBRARIES else None
        if spec is None or spec.loader is None:
            return None
        loader, execute = spec.loader, spec.loader.exec_module

        def exec_module(module: ModuleType) -> None:
            execute(module)
            # Some finders have one loader for many modules.
            if module.__name__ == name:
                _LIBRARIES[name]()

        # On this one loader, which stays what it is for whoever asks it for sources.
        loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec

    def _found(self, name: str, path: Sequence[str] | None, target: ModuleType | None) -> ModuleSpec | None:
        # An editable install has a finder of its own; very old ones have no find_spec.
        for finder in list(sys.meta_path):
            find = None if finder is self else getattr(finder, "find_spec", None)
            spec: ModuleSpec | None = None if find is None else find(name, path, target)
            if spec is not None:
                return spec
        return None


def _tell_gymnasium() -> None:
    from gymnasium.envs import registration

    for game in _core.games():
        name = f"sarai/{json.loads(_core.describe_json(game))['id']}-v0"
        if name not in registration.registry:
            registration.register(
                id=name,
                entry_point="sarai._envs.single_agent:SingleAgentEnv",
                vector_entry_point="sarai._envs.single_agent_vector:SingleAgentVectorEnv",
                kwargs={"game": game},
            )


def _tell_pettingzoo() -> None:
    try:
        from pettingzoo import EnvSpec, aec_registry, register
    except ImportError:
        # Its releases before 1.27 have no registry.
        return
    for game in _core.games():
        name, entry_point = f"sarai/{game}_v0", "sarai._envs.aec:aec_env"
        # The registry spells ids its own way (today with a hyphen), and warns of one that it knows.
        if EnvSpec(id=name, entry_point=entry_point).id not in aec_registry:
            register("aec", name, entry_point=entry_point, kwargs={"game": game})


_LIBRARIES: dict[str, Callable[[], None]] = {"gymnasium": _tell_gymnasium, "pettingzoo": _tell_pettingzoo}
