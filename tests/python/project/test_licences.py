"""What is compiled into a wheel: crates of the index, under licences that allow it, whose texts the wheel has."""

from __future__ import annotations

import doctest
import shutil
from types import ModuleType

import pytest

from helpers import scripts


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """scripts/third_party.py, which is in no package."""
    if shutil.which("cargo") is None:
        pytest.skip("there is no cargo here")
    return scripts.load("scripts/third_party.py")


def test_expressions(script: ModuleType) -> None:
    assert doctest.testmod(script).failed == 0
    assert script.chosen("MIT/Apache-2.0") == ["MIT"]
    assert script.chosen("(Apache-2.0 OR GPL-3.0-only) AND Unicode-3.0") == ["Apache-2.0", "Unicode-3.0"]
    for refused in ("GPL-3.0-only", "MIT AND GPL-3.0-only", ""):
        with pytest.raises(ValueError, match=r"offers none of MIT, Apache-2\.0"):
            script.chosen(refused)


def test_every_crate_may_be_shipped(script: ModuleType) -> None:
    found = script.crates()
    assert {"sarai", "pyo3", "rand"} <= {crate["name"] for crate in found}
    for crate in found:
        if crate["name"] not in {"sarai", "sarai-py"}:
            assert crate["source"] == "registry+https://github.com/rust-lang/crates.io-index", crate["name"]


def test_the_texts_are_those_of_what_is_compiled_in(script: ModuleType) -> None:
    assert script.PATH.read_text(encoding="utf-8") == script.document(), "run python scripts/third_party.py"
