"""The ids that Gymnasium and PettingZoo know, and what importing `sarai` brings with it."""

from __future__ import annotations

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
from sarai.envs import registration


def fresh(program: str) -> str:
    """What a program prints in an interpreter of its own, where every warning is an error."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
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
    told = json.loads(
        fresh(
            "import sys, json, sarai, gymnasium\n"
            "loaded = [name for name in ('sarai.envs.single_agent', 'sarai.envs.aec', 'pandas', 'matplotlib',"
            " 'PIL') if name in sys.modules]\n"
            "import pettingzoo\n"
            "print(json.dumps([[name for name in gymnasium.registry if name.startswith('sarai/')],"
            " [pettingzoo.spec('aec', f'sarai/{game}_v0').kwargs['game'] for game in sarai.games()], loaded]))\n"
        )
    )
    assert told == [list(IDS.values()), sarai.games(), []]


def test_adapters_are_there_without_an_import_of_their_own() -> None:
    program = """
import sarai, sys
assert "sarai.adapters" not in sys.modules
assert "adapters" in dir(sarai)
for name in ("openspiel", "rllib", "sb3", "torchrl"):
    assert name in dir(sarai.adapters)
    sys.modules[f"sarai.adapters.{name}"] = name
    assert getattr(sarai.adapters, name) == name, name
for module in (sarai, sarai.adapters):
    try:
        module.chess
    except AttributeError as error:
        print(error)
"""
    assert fresh(program).splitlines() == [
        "module 'sarai' has no attribute 'chess'",
        "module 'sarai.adapters' has no attribute 'chess'",
    ]


def test_an_id_with_the_module_needs_no_import() -> None:
    program = "import gymnasium\n"
    for name in IDS.values():
        program += f"env = gymnasium.make('sarai:{name}')\nprint(env.reset(seed=1)[1]['side'])\n"
        program += f"print(gymnasium.make_vec('sarai:{name}', num_envs=3).num_envs)\n"
    assert fresh(program).split() == ["0", "3"] * len(IDS)


def test_without_pettingzoo_the_rest_works() -> None:
    program = "import sys\nsys.modules['pettingzoo'] = None\nimport gymnasium, sarai\n"
    for name in IDS.values():
        program += f"gymnasium.make('{name}').reset(seed=1)\n"
        program += f"gymnasium.make_vec('{name}', num_envs=2).reset(seed=1)\n"
    program += "try:\n    sarai.aec_env\nexcept ModuleNotFoundError as error:\n    print(error)\n"
    assert fresh(program) == 'sarai.aec_env needs PettingZoo: pip install "sarai[pettingzoo]"\n'


def test_an_old_pettingzoo_without_a_registry_is_left_alone() -> None:
    program = "import pettingzoo\ndel pettingzoo.aec_registry, pettingzoo.register\n"
    program += (
        "import sarai\nenv = sarai.aec_env(sarai.games()[0])\nenv.reset(seed=1)\nprint(env.agents[0])\n"
    )
    assert fresh(program) == "player_0\n"


def test_registering_again_changes_nothing() -> None:
    before = dict(gymnasium.registry), dict(pettingzoo.aec_registry)
    registration.register()
    assert (gymnasium.registry, pettingzoo.aec_registry) == before


def test_the_entry_point_is_declared_and_registers() -> None:
    (found,) = [point for point in entry_points(group="gymnasium.envs") if point.module.startswith("sarai")]
    assert found.name == "__root__"
    assert found.load() is registration.register
    # As a Gymnasium that knows plugins would: nothing of sarai has been imported before.
    program = "from importlib.metadata import entry_points\nimport gymnasium\n"
    program += "points = entry_points(group='gymnasium.envs')\n"
    program += "[point.load()() for point in points if point.module.startswith('sarai')]\n"
    program += "print(*[name for name in gymnasium.registry if name.startswith('sarai/')])\n"
    assert fresh(program).split() == list(IDS.values())


@pytest.mark.parametrize("name", IDS.values())
def test_an_id_that_is_taken_is_left_to_its_owner(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = gymnasium.envs.registration.EnvSpec(id=name, entry_point="elsewhere:Env")
    monkeypatch.setitem(gymnasium.registry, name, mine)
    registration.register()
    assert gymnasium.registry[name] is mine
