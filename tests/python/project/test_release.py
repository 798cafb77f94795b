"""What a release is made of agrees with itself: its version, the recipe of conda-forge, the script that checks it."""

from __future__ import annotations

import doctest
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from packaging.requirements import Requirement

import sarai
from helpers import scripts
from helpers.places import ROOT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
RECIPE = (ROOT / "packaging" / "conda" / "recipe.yaml").read_text(encoding="utf-8")


def listed(section: str) -> list[str]:
    """The plain entries of a list below `requirements` in the recipe."""
    block = re.search(rf"^  {section}:\n((?:    .*\n)+)", RECIPE, re.MULTILINE)
    assert block is not None
    return re.findall(r"^    - ([a-z].*)$", block[1], re.MULTILINE)


def needs(entries: list[str]) -> set[tuple[str, str]]:
    """The packages of some entries and the versions that they allow."""
    return {(one.name, str(one.specifier)) for one in map(Requirement, entries)}


def test_the_recipe_has_the_version_of_the_package() -> None:
    assert f'\n  version: "{sarai.__version__}"\n' in RECIPE


def test_the_recipe_needs_what_the_package_needs() -> None:
    assert needs(listed("run")) == needs(PROJECT["project"]["dependencies"]) | {("python", "")}
    (build,) = PROJECT["build-system"]["requires"]
    assert needs([build]) <= needs([entry for entry in listed("host") if "$" not in entry])
    assert RECIPE.count("maturin ") == RECIPE.count(f"maturin {build.removeprefix('maturin')}")
    oldest = PROJECT["project"]["requires-python"].removeprefix(">=")
    assert f'\n  python_min: "{oldest}"\n' in RECIPE


def test_the_recipe_makes_what_the_package_makes() -> None:
    for name, target in PROJECT["project"]["scripts"].items():
        assert f"\n      - {name} = {target}\n" in RECIPE
    for name in PROJECT["project"]["license-files"]:
        assert f"\n    - {name}\n" in RECIPE
    assert f"\n  license: {PROJECT['project']['license']}\n" in RECIPE
    assert f"\n  summary: {PROJECT['project']['description']}\n" in RECIPE


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """scripts/release_check.py, which is in no package."""
    monkeypatch.setattr("sys.path", [str(ROOT / "scripts"), *sys.path])
    return scripts.load("scripts/release_check.py")


def test_the_version_is_the_same_everywhere(script: ModuleType) -> None:
    assert script.version() == sarai.__version__


def test_a_version_that_differs_is_found(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(script, "ROOT", tmp_path)
    (tmp_path / "Cargo.toml").write_text('version = "1.2.3"\n', encoding="utf-8")
    (tmp_path / "CITATION.cff").write_text("title: x\nversion: 1.2.2\n", encoding="utf-8")
    with pytest.raises(AssertionError, match=r"CITATION\.cff differs"):
        script.version()


def test_a_check_that_fails_is_counted(script: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert doctest.testmod(script).failed == 0
    report = script.Report()
    report.check("one", lambda: "seen")
    report.check("two", lambda: script.tool("no_such_tool"))
    assert report.failures == ["two"]
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert first == "ok      one: seen"
    assert second.startswith("FAILED  two: ")
