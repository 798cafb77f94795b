"""How these tests are set up: which warnings are errors, and that no example has to be quick."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from helpers.places import ROOT

ANNOUNCEMENTS = [DeprecationWarning, PendingDeprecationWarning, FutureWarning]
PACKAGE = ROOT / "python"
TESTS = ROOT / "tests" / "python"
OURS = [
    "__main__",  # where the examples of the pages run
    "sarai",
    *(".".join(path.relative_to(PACKAGE).with_suffix("").parts) for path in PACKAGE.glob("sarai/**/*.py")),
    *(".".join(path.relative_to(TESTS).with_suffix("").parts) for path in TESTS.glob("**/*.py")),
]


class AnnouncementOfItsOwn(DeprecationWarning):
    """Libraries have classes of their own for this."""


def told_in(module: str, category: type[Warning]) -> list[warnings.WarningMessage]:
    """What is told when a module of this name causes a warning; the warning itself where it is an error."""
    with warnings.catch_warnings(record=True) as told:
        # Code that warns the function above it, as libraries warn their users.
        exec(
            "def called():\n    warnings.warn('will go', category, stacklevel=2)\ncalled()\n",
            {"__name__": module, "warnings": warnings, "category": category},
        )
    return told


@pytest.mark.parametrize("category", [*ANNOUNCEMENTS, AnnouncementOfItsOwn])
@pytest.mark.parametrize("module", ["library", "library.sarai", "sarais", "gymnasium.wrappers", "tablet"])
def test_what_libraries_announce_to_one_another_is_no_error(module: str, category: type[Warning]) -> None:
    assert [one.category for one in told_in(module, category)] == [category]


@pytest.mark.parametrize("category", [*ANNOUNCEMENTS, AnnouncementOfItsOwn])
def test_what_is_announced_to_us_is_an_error(category: type[Warning]) -> None:
    assert {"sarai", "sarai.envs.aec", "project.test_setup", "helpers.lanes", "games.sho.reference"} <= {
        *OURS
    }
    for module in OURS:
        with pytest.raises(category, match="will go"):
            told_in(module, category)


@pytest.mark.parametrize("category", [UserWarning, RuntimeWarning, ResourceWarning, SyntaxWarning])
@pytest.mark.parametrize("module", ["library", "sarai.results.rollout", "project.test_setup"])
def test_any_other_warning_is_an_error_wherever_it_comes_from(module: str, category: type[Warning]) -> None:
    with pytest.raises(category, match="will go"):
        told_in(module, category)


CASES = """\
import pytest
import fake_library
import sarai

def test_a_library_warns_itself():
    fake_library.outer()

def test_the_library_warns_us():
    exec("fake_library.inner()", {"__name__": "sarai.results", "fake_library": fake_library})

def test_a_file_is_left_open(tmp_path):
    exec("open(path, 'w')", {"__name__": "sarai.results", "path": tmp_path / "file"})
"""
FAKE = """\
import warnings

def inner():
    warnings.warn("inner will go", DeprecationWarning, stacklevel=2)

def outer():
    inner()

inner()
"""


def test_with_a_library_that_has_just_deprecated_something(tmp_path: Path) -> None:
    (tmp_path / "fake_library.py").write_text(FAKE, encoding="utf-8")
    (tmp_path / "test_cases.py").write_text(CASES, encoding="utf-8")
    run = [sys.executable, "-m", "pytest", "-c", ROOT / "pyproject.toml", "-p", "no:cacheprovider", "-n", "0"]
    done = subprocess.run([*run, tmp_path], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    failed = {
        line.split("::")[1].split()[0] for line in done.stdout.splitlines() if line.startswith("FAILED")
    }
    assert failed == {"test_the_library_warns_us", "test_a_file_is_left_open"}
    assert "1 passed" in done.stdout


def test_no_example_has_to_be_quick() -> None:
    assert settings().deadline is None
    assert HealthCheck.too_slow in settings().suppress_health_check
