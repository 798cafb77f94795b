"""What the adapters say where their library is missing; with the libraries they are tested in tests/integrations."""

from __future__ import annotations

import subprocess
import sys

import pytest

BLOCKED = """
import importlib, sys
library, adapter = sys.argv[1:]
sys.modules[library] = None
import sarai
try:
    importlib.import_module(f"sarai.adapters.{adapter}")
except ModuleNotFoundError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("library", "adapter", "name"),
    [
        ("pyspiel", "openspiel", "OpenSpiel"),
        ("stable_baselines3", "sb3", "Stable-Baselines3"),
        ("ray", "rllib", "RLlib"),
        ("torchrl", "torchrl", "TorchRL"),
    ],
)
def test_a_missing_library_is_named_with_what_to_install(library: str, adapter: str, name: str) -> None:
    said = subprocess.run(
        [sys.executable, "-c", BLOCKED, library, adapter], capture_output=True, text=True, check=True
    ).stdout
    assert said == f'sarai.adapters.{adapter} needs {name}: pip install "sarai[{adapter}]"\n'


def test_import_of_the_package_imports_no_heavy_library() -> None:
    code = "import sys, sarai; print(*{'torch', 'ray', 'pyspiel', 'stable_baselines3', 'pandas'} & sys.modules.keys())"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said == "\n"
