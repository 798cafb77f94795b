"""Each adapter stands on its own library, and on none of the others'."""

from __future__ import annotations

import subprocess
import sys

import pytest

# What makes an environment or a game with each, and the libraries that it may need.
ADAPTERS = {
    "openspiel": ('load_game("sho")', ["pyspiel"]),
    "rllib": ('SaraiMultiAgentEnv({"game": "sho"}).reset()', ["ray", "torch"]),
    "sb3": ('SaraiVecEnv("sho", 2).reset()', ["matplotlib", "stable_baselines3", "torch"]),
    "torchrl": ('SaraiSelfPlayEnv("sho", 2).rollout(3)', ["tensordict", "torch", "torchrl"]),
}
OTHERS = {"pettingzoo"}.union(*(needed for _, needed in ADAPTERS.values()))


@pytest.mark.parametrize(
    "name",
    [
        "openspiel",
        *(
            pytest.param(name, marks=[pytest.mark.heavy, pytest.mark.nightly])
            for name in ("rllib", "sb3", "torchrl")
        ),
    ],
)
def test_no_other_library_is_needed(name: str) -> None:
    example, needed = ADAPTERS[name]
    code = f"""
import sys
sys.modules.update(dict.fromkeys({sorted(OTHERS.difference(needed))!r}))
import sarai
sarai.adapters.{name}.{example}
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
