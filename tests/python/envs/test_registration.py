"""The ids that Gymnasium and PettingZoo know, what importing `sarai` brings with it, and what must be installed."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
from importlib.metadata import entry_points

import gymnasium
import pettingzoo
import pytest

import sarai
from helpers.lanes import IDS
from sarai._envs import registration


def fresh(program: str) -> str:
    """What a program prints in an interpreter of its own, where every warning is an error."""
    run = [sys.executable, "-W", "error", "-c", program]
    done = subprocess.run(run, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_game_has_an_id() -> None:
    assert list(IDS) == sarai.games()
    for game, name in IDS.items():
        # Which one is a promise; test_face.py of the game holds it.
        assert re.fullmatch(r"sarai/[A-Z][A-Za-z]+-v0", name)
        assert name.lower() == f"sarai/{game}-v0"
        spec = gymnasium.spec(name)
        assert spec.max_episode_steps is None
        assert not spec.nondeterministic


def test_an_import_registers_everything_and_little_else_is_loaded() -> None:
    program = """
import json, sys, sarai
sarai.rollout(sarai.make("sho"), num_games=2)
heavy = {"torch", "ray", "pyspiel", "stable_baselines3", "pandas", "matplotlib", "PIL", "gymnasium", "pettingzoo"}
heavy |= {"rich", "click", "IPython", "anywidget", "starlette"}
loaded = [*heavy & sys.modules.keys()]
import gymnasium
loaded += {"sarai._envs.single_agent", "sarai._envs.aec", "sarai.adapters", *heavy - {"gymnasium"}} & sys.modules.keys()
import pettingzoo
ids = [name for name in gymnasium.registry if name.startswith("sarai/")]
games = [pettingzoo.spec("aec", f"sarai/{game}_v0").kwargs["game"] for game in sarai.games()]
assert "adapters" in dir(sarai) and "import_module" not in dir(sarai)
for name in ("openspiel", "rllib", "sb3", "torchrl"):
    assert name in dir(sarai.adapters)
    sys.modules[f"sarai.adapters.{name}"] = name
    assert getattr(sarai.adapters, name) == name, name
print(json.dumps([loaded, ids, games]))
"""
    assert json.loads(fresh(program)) == [[], list(IDS.values()), sarai.games()]
    for module in (sarai, sarai.adapters):
        with pytest.raises(AttributeError, match=f"'{module.__name__}' has no attribute 'chess'"):
            module.chess  # noqa: B018


def test_an_id_with_the_module_needs_no_import_and_no_pettingzoo() -> None:
    program = "import sys\nsys.modules['pettingzoo'] = None\nimport gymnasium\n"
    for name in IDS.values():
        program += f"print(gymnasium.make('sarai:{name}').reset(seed=1)[1]['side'])\n"
        program += f"print(gymnasium.make_vec('sarai:{name}', num_envs=3).num_envs)\n"
    assert fresh(program).split() == ["0", "3"] * len(IDS)


# That of Sarai first is tested above; Gymnasium is imported by PettingZoo as well.
@pytest.mark.parametrize("first", ["pettingzoo", "gymnasium.envs.registration"])
def test_ids_are_known_whatever_is_imported_first(first: str) -> None:
    program = f"""
import {first}, sarai, gymnasium, pettingzoo
print(pettingzoo.spec("aec", "sarai/sho_v0").kwargs["game"], gymnasium.make("sarai/Sho-v0").reset(seed=1)[1]["side"])
print(gymnasium.__spec__.loader.get_source("gymnasium")[:3])
"""
    assert fresh(program).split() == ["sho", "0", '"""']


@pytest.mark.parametrize("first", [True, False])
def test_whichever_finder_delivers_gymnasium_knows_the_games(first: bool) -> None:
    # As an editable install does it: Python's own finder does not know where the library lies.
    program = f"""
import sys
from importlib.machinery import PathFinder
from importlib.util import spec_from_file_location
import_first = {first}
origin = PathFinder.find_spec("gymnasium").origin
usual = PathFinder.find_spec
PathFinder.find_spec = lambda name, *rest: None if name == "gymnasium" else usual(name, *rest)
class Editable:
    @staticmethod
    def find_spec(name, path=None, target=None):
        return spec_from_file_location(name, origin) if name == "gymnasium" else None
if import_first:
    import sarai
sys.meta_path.append(Editable)
import gymnasium, sarai
print(*(name for name in gymnasium.registry if name.startswith("sarai/")))
"""
    assert fresh(program).split() == list(IDS.values())


def test_an_old_pettingzoo_without_a_registry_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(pettingzoo, "aec_registry")
    monkeypatch.delattr(pettingzoo, "register")
    registration.register()


def test_registering_again_changes_nothing() -> None:
    before = dict(gymnasium.registry), dict(pettingzoo.aec_registry), [*sys.meta_path]
    registration.register()
    assert (gymnasium.registry, pettingzoo.aec_registry, sys.meta_path) == before


def test_the_entry_point_registers() -> None:
    (found,) = [point for point in entry_points(group="gymnasium.envs") if point.module.startswith("sarai")]
    assert found.name == "__root__"
    assert found.load() is registration.register


def test_an_id_that_is_taken_is_left_to_its_owner(monkeypatch: pytest.MonkeyPatch) -> None:
    name = next(iter(IDS.values()))
    mine = gymnasium.envs.registration.EnvSpec(id=name, entry_point="elsewhere:Env")
    monkeypatch.setitem(gymnasium.registry, name, mine)
    registration.register()
    assert gymnasium.registry[name] is mine


@pytest.mark.parametrize(
    ("library", "module", "extra"),
    [
        ("pettingzoo", "sarai._envs.aec", "pettingzoo"),
        ("pyspiel", "sarai.adapters.openspiel", "openspiel"),
        ("stable_baselines3", "sarai.adapters.sb3", "sb3"),
        ("ray", "sarai.adapters.rllib", "rllib"),
        ("torchrl", "sarai.adapters.torchrl", "torchrl"),
    ],
)
def test_a_missing_library_is_named_with_what_to_install(
    library: str, module: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, module, raising=False)
    with pytest.raises(ModuleNotFoundError, match=rf"pip install \"sarai\[{extra}\]\""):
        importlib.import_module(module)
    if library == "pettingzoo":
        with pytest.raises(ModuleNotFoundError, match="aec_env needs PettingZoo"):
            sarai.aec_env("sho")


def test_whatever_looks_at_every_name_needs_no_extra() -> None:
    code = """
import inspect, pydoc, sys
sys.modules.update(dict.fromkeys(["anywidget", "pettingzoo", "pyspiel", "ray", "stable_baselines3", "torchrl"]))
from sarai import *
import sarai
for module in (sarai, sarai.adapters):
    assert inspect.getmembers(module) and pydoc.render_doc(module)
    assert [getattr(module, name, None) for name in dir(module)]
try:
    from sarai.adapters import sb3
except ModuleNotFoundError as error:
    assert 'pip install "sarai[sb3]"' in str(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
