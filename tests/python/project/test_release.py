"""What a release is made of agrees with itself: its version, its address, the recipe of conda-forge, the script that
checks it.
"""

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


ADDRESS = "https://github.com/somebody/sarai"


@pytest.fixture
def addressed(tmp_path: Path) -> Path:
    """A copy of the files that have an address, which is written into them."""
    script = scripts.load("scripts/public_address.py")
    assert doctest.testmod(script).failed == 0
    for name in script.FILES:
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    script.main(tmp_path, ADDRESS, "v1.2.3")
    return tmp_path


def test_an_index_shows_addresses_that_lead_somewhere(addressed: Path) -> None:
    urls = tomllib.loads((addressed / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
    assert {"Repository", "Documentation", "Changelog", "Issues"} == {*urls}
    readme = (addressed / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]*)\)", readme)
    pictures = re.findall(r'<img src="([^"]*)"', readme)
    # Outside those there is no other kind of link, such as a reference or HTML.
    assert not re.search(r"^\[[^]]*\]:|href=|<source|!\[", readme, re.MULTILINE)
    assert len(links) > 30
    assert len(pictures) >= 3
    for kind, found in (("blob", [*links, urls["Documentation"], urls["Changelog"]]), ("raw", pictures)):
        for link in found:
            path = link.removeprefix(f"{ADDRESS}/{kind}/v1.2.3/")
            assert path != link, f"{link} is not of this repository"
            assert (ROOT / path.partition("#")[0]).exists(), link


def test_an_address_changes_nothing_else(addressed: Path) -> None:
    def known(text: str) -> str:
        table = r"\[project\.urls\]\n(.+\n)+\n|^repository(-code)?[ :=].*\n"
        return re.sub(rf"{ADDRESS}/(blob|raw)/v1\.2\.3/", "", re.sub(table, "", text, flags=re.MULTILINE))

    for path in addressed.iterdir():
        text = path.read_text(encoding="utf-8")
        assert ADDRESS in text
        assert known(text) == (ROOT / path.name).read_text(encoding="utf-8")
    crate = tomllib.loads((addressed / "Cargo.toml").read_text(encoding="utf-8"))
    assert crate["package"]["repository"] == ADDRESS


def test_what_is_no_address_changes_no_file(addressed: Path) -> None:
    files = {path: path.read_bytes() for path in addressed.iterdir()}
    main = scripts.load("scripts/public_address.py").main
    for address, commit, why in (
        ("github.com/a/b", "v1", "no address"),
        ("https://github.com/a/b?c", "v1", "no address"),
        ("https://github.com/a/b", "v 1", "no commit"),
        (ADDRESS, "v1.2.3", "already"),
    ):
        with pytest.raises(SystemExit, match=why):
            main(addressed, address, commit)
    assert {path: path.read_bytes() for path in addressed.iterdir()} == files


def test_everything_that_is_published_has_its_address() -> None:
    workflow = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    jobs = re.split(r"^  (?=[\w-]+:$)", workflow.partition("\njobs:\n")[2], flags=re.MULTILINE)
    step = 'scripts/public_address.py "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY" "$GITHUB_SHA"'
    builders = [job for job in jobs if re.search(r"maturin|make release-check", job)]
    assert len(builders) == 5
    for job in builders:
        assert job.count(step) == 1, job
        build = re.search(r"maturin-action@|maturin build|run: make release-check", job)
        assert build is not None
        assert job.index(step) < build.start(), job
