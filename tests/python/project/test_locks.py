"""The locks in locks/ fit pyproject.toml, on every Python and system; `make lock` writes them anew."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from helpers.places import ROOT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PYTHONS = ["3.10", "3.11", "3.12", "3.13", "3.14"]
SYSTEMS = {
    "linux": ("posix", "Linux", "x86_64"),
    "darwin": ("posix", "Darwin", "arm64"),
    "win32": ("nt", "Windows", "AMD64"),
}
# What each lock is made of: extras and groups, beside what the package itself needs.
PARTS: dict[str, tuple[bool, list[str], list[str]]] = {
    "run": (True, ["plot"], ["build"]),
    "dev": (True, ["plot"], ["dev"]),
    "integrations": (True, [], ["integrations"]),
    "lowest": (True, ["plot", "pandas", "pettingzoo", "render", "arrow"], ["test"]),
    "lowest-integrations": (True, [], ["integrations"]),
    "tools": (False, [], ["tools"]),
    "docs": (False, [], ["docs"]),
    "release": (False, [], ["release"]),
}
LOWEST = [name for name in PARTS if name.startswith("lowest")]


def environment(python: str, system: str) -> dict[str, str]:
    os_name, platform_system, machine = SYSTEMS[system]
    return {
        "python_version": python,
        "python_full_version": f"{python}.9",
        "sys_platform": system,
        "os_name": os_name,
        "platform_system": platform_system,
        "platform_machine": machine,
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
    }


def group(name: str) -> Iterator[Requirement]:
    for one in PROJECT["dependency-groups"][name]:
        if isinstance(one, dict):
            yield from group(one["include-group"])
        else:
            yield Requirement(one.replace("\\\n", " "))


def wanted(lock: str) -> list[Requirement]:
    """What pyproject.toml asks for of a lock, without what the extras of the extras bring."""
    package, extras, groups = PARTS[lock]
    lines = list(PROJECT["project"]["dependencies"]) if package else []
    for extra in extras:
        lines += PROJECT["project"]["optional-dependencies"][extra]
    return [*map(Requirement, lines), *(one for name in groups for one in group(name))]


def holds(requirement: Requirement, where: dict[str, str]) -> bool:
    return requirement.marker is None or requirement.marker.evaluate(where)


def pins(lock: str, where: dict[str, str]) -> dict[str, Version]:
    """The version of each package that a lock has for one environment."""
    found: dict[str, Version] = {}
    for line in (ROOT / "locks" / f"{lock}.lock").read_text(encoding="utf-8").splitlines():
        if not line or line[0] in "# ":
            continue
        one = Requirement(line.rstrip("\\ "))
        if holds(one, where):
            (specifier,) = one.specifier
            assert specifier.operator == "=="
            name = canonicalize_name(one.name)
            assert name not in found, f"{lock}.lock has {name} twice"
            found[name] = Version(specifier.version)
    return found


def test_every_lock_is_known() -> None:
    assert {path.stem for path in (ROOT / "locks").iterdir()} == set(PARTS)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("lock", PARTS)
def test_a_lock_has_what_the_project_asks_for(lock: str, python: str, system: str) -> None:
    where = environment(python, system)
    locked = pins(lock, where)
    for one in wanted(lock):
        if holds(one, where):
            assert locked[canonicalize_name(one.name)] in one.specifier, f"{one}: run `make lock`"


@pytest.mark.parametrize("python", PYTHONS)
def test_the_tools_come_on_top_of_what_playing_needs(python: str) -> None:
    where = environment(python, "linux")
    assert pins("run", where).items() <= pins("dev", where).items()


@pytest.mark.parametrize("python", PYTHONS[1:])
def test_the_site_is_built_with_what_the_package_runs_on(python: str) -> None:
    where = environment(python, "linux")
    site, run = pins("docs", where), pins("run", where)
    # They are installed into one environment, one after the other. (On 3.10 the tools of the site need an older
    # markdown-it-py, with which the package works too; they come last.)
    assert {name: site[name] for name in site.keys() & run} == {name: run[name] for name in site.keys() & run}


@pytest.mark.parametrize("lock", LOWEST)
def test_the_lowest_versions_are_those_that_are_promised(lock: str) -> None:
    where = environment("3.10", "linux")
    locked = pins(lock, where)
    promised = [*wanted(lock)]
    if lock == "lowest-integrations":
        # The group asks for what the extras promise.
        for extra in (
            "openspiel",
            "sb3",
            "rllib",
            "torchrl",
            "ray",
            "dask",
            "joblib",
            "notebooks",
            "stats",
            "widget",
            "serve",
        ):
            promised += map(Requirement, PROJECT["project"]["optional-dependencies"][extra])
    for one in promised:
        if not holds(one, where):
            continue
        (floor,) = [part.version for part in one.specifier if part.operator in (">=", "==")]
        release = Version(floor).release
        assert locked[canonicalize_name(one.name)].release[: len(release)] == release, (
            f"{one}: run `make lock`"
        )


def test_every_extra_is_held_by_a_lock() -> None:
    names = set(PROJECT["project"]["optional-dependencies"]) - {"all"}
    assert names == {
        "plot",
        "pandas",
        "stats",
        "pettingzoo",
        "render",
        "arrow",
        "ray",
        "dask",
        "joblib",
        "widget",
        "serve",
        "openspiel",
        "sb3",
        "rllib",
        "torchrl",
        "notebooks",
    }
