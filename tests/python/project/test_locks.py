"""The locks in locks/ fit pyproject.toml; `make lock` writes them anew."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from helpers.places import ROOT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS: dict[str, list[str]] = PROJECT["project"]["optional-dependencies"]
# The extras and groups that each lock is made of, and whether it has what the package itself needs.
LOCKS: dict[str, tuple[bool, list[str], list[str]]] = {
    "run": (True, ["plot"], ["build"]),
    "dev": (True, ["plot"], ["dev"]),
    "check": (True, [], ["check"]),
    "integrations": (True, [], ["integrations"]),
    "lowest": (True, ["plot", "pandas", "pettingzoo", "render", "arrow"], ["test"]),
    # The group asks for what the other extras promise.
    "lowest-integrations": (
        True,
        # Minari is tested from Python 3.11 on: see the group.
        [*EXTRAS.keys() - {"all", "plot", "pandas", "render", "arrow", "minari"}],
        ["integrations"],
    ),
    "tools": (False, [], ["tools"]),
    "docs": (False, [], ["docs"]),
    "release": (False, [], ["release"]),
}


def environment(python: str, os_name: str, sys_platform: str, system: str, machine: str) -> dict[str, str]:
    return {
        "python_version": python,
        "python_full_version": f"{python}.9",
        "sys_platform": sys_platform,
        "os_name": os_name,
        "platform_system": system,
        "platform_machine": machine,
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
    }


OLDEST = environment("3.10", "posix", "linux", "Linux", "x86_64")
NEWEST = environment("3.14", "posix", "linux", "Linux", "x86_64")
ENVIRONMENTS = [
    OLDEST,
    environment("3.11", "nt", "win32", "Windows", "AMD64"),
    environment("3.12", "posix", "darwin", "Darwin", "arm64"),
    NEWEST,
]


def group(name: str) -> Iterator[str]:
    for one in PROJECT["dependency-groups"][name]:
        if isinstance(one, dict):
            yield from group(one["include-group"])
        else:
            yield one.replace("\\\n", " ")


def wanted(lock: str, where: dict[str, str]) -> Iterator[tuple[str, Requirement]]:
    """What pyproject.toml asks of a lock, by name, without what the extras of extras bring."""
    package, extras, groups = LOCKS[lock]
    lines = PROJECT["project"]["dependencies"] if package else []
    for one in [
        *lines,
        *(x for extra in extras for x in EXTRAS[extra]),
        *(x for name in groups for x in group(name)),
    ]:
        requirement = Requirement(one)
        if requirement.marker is None or requirement.marker.evaluate(where):
            yield canonicalize_name(requirement.name), requirement


def pinned(lock: str) -> list[Requirement]:
    lines = (ROOT / "locks" / f"{lock}.lock").read_text(encoding="utf-8").splitlines()
    return [Requirement(line.rstrip("\\ ")) for line in lines if line and line[0] not in "# "]


def versions(pins: list[Requirement], where: dict[str, str]) -> dict[str, Version]:
    """The version of each package that a lock has for one environment."""
    found: dict[str, Version] = {}
    for one in pins:
        if one.marker is None or one.marker.evaluate(where):
            (specifier,) = one.specifier
            name = canonicalize_name(one.name)
            assert specifier.operator == "=="
            assert name not in found, f"{name} is there twice"
            found[name] = Version(specifier.version)
    return found


def test_the_locks_have_what_the_project_asks_for() -> None:
    assert {path.stem for path in (ROOT / "locks").iterdir()} == LOCKS.keys()
    pins = {lock: pinned(lock) for lock in LOCKS}
    for where in ENVIRONMENTS:
        locked = {lock: versions(pins[lock], where) for lock in LOCKS}
        for lock in LOCKS:
            for name, one in wanted(lock, where):
                assert locked[lock][name] in one.specifier, f"{one} in {lock}: run `make lock`"
        # The tools for tests come on top of what playing needs.
        assert locked["run"].items() <= locked["dev"].items()
    for lock in ("lowest", "lowest-integrations"):
        lowest = versions(pins[lock], OLDEST)
        for name, one in wanted(lock, OLDEST):
            (floor,) = [Version(part.version) for part in one.specifier if part.operator in (">=", "==")]
            assert lowest[name].release[: len(floor.release)] == floor.release, f"{one}: run `make lock`"
    # The site is built with what the package runs on, but for an older markdown-it-py on Python 3.10.
    site, run = (versions(pins[lock], NEWEST) for lock in ("docs", "run"))
    assert {name: site[name] for name in site.keys() & run} == {name: run[name] for name in site.keys() & run}


def test_the_page_of_libraries_has_the_locked_versions() -> None:
    text = (ROOT / "docs" / "libraries.md").read_text(encoding="utf-8")
    (python,) = re.findall(r"^Versions are those of `locks/` for Python (\S+)\. ", text, re.MULTILINE)
    # The last one is the one that `make` takes there.
    nightly = (ROOT / ".github" / "workflows" / "nightly.yml").read_text(encoding="utf-8")
    assert re.findall(r"^ {12}(3\.\d+)$", nightly, re.MULTILINE)[-1] == python
    where = environment(python, "posix", "linux", "Linux", "x86_64")
    locks = {"test": "dev", "check": "check", "nightly": "integrations"}
    locked = {target: versions(pinned(lock), where) for target, lock in locks.items()}
    rows = re.findall(
        r"^\| [^|`]+ \| (\S+) (\d\S+) \| .* \| `(\S+\.py)`, `make (\w+)` \|$", text, re.MULTILINE
    )
    assert len(rows) == text.split("\n\n")[2].count("\n") - 1 >= 12
    for package, version, file, target in rows:
        assert locked[target][package] == Version(version), f"{package}: see what `make lock` changed"
        test = (ROOT / "tests" / file).read_text(encoding="utf-8")
        # Only the nightly tests install what is heavy.
        assert ("mark.heavy" in test) == (target == "nightly"), file
