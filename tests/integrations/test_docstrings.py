"""The examples in the docstrings of what stands on other libraries."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import sarai.adapters

FOLDER = Path(sarai.adapters.__file__).parent
ADAPTERS = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__")
# What stands on torch or Ray.
HEAVY = {"sarai.adapters.rllib", "sarai.adapters.sb3", "sarai.adapters.torchrl", "sarai._agents.models"}
every_module = pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.heavy, pytest.mark.nightly] if name in HEAVY else [])
        for name in [*(f"sarai.adapters.{name}" for name in ADAPTERS), "sarai._agents.models"]
    ],
)


@every_module
def test_examples_hold(name: str) -> None:
    module = import_module(name)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    result = doctest.testmod(module, optionflags=flags, raise_on_error=False)
    assert result.attempted > 0
    assert result.failed == 0


@every_module
def test_everything_public_shows_a_success_and_a_failure(name: str) -> None:
    module = import_module(name)
    for test in doctest.DocTestFinder(exclude_empty=False).find(module):
        _, *path = test.name.split(".")[2:]
        # What stands at the top of a module; methods are explained by their classes.
        if len(path) != 1 or path[0].startswith("_"):
            continue
        failures = [example for example in test.examples if example.exc_msg]
        assert failures, f"{test.name} shows no failure"
        assert len(test.examples) > len(failures), f"{test.name} shows no success"
