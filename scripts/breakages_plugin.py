"""A plugin of pytest for `scripts/breakages.py`: it notes which test runs which breakage, or runs chosen tests alone.

With SARAI_NOTES, the name of a file, each line of this file is one of
    @ID                a test or a fixture of many tests begins
    +ID                the test uses this fixture
    =OUTCOME MARK ID   a phase of a test has ended; the mark is "nightly" or "-"
    $SECONDS ID        the test took so long of the processor, with its processes
    p17, r17           the code of this breakage runs: Python, Rust
With SARAI_CHOSEN, the name of a file, only the tests whose ids stand in it run, one on a line.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest


class Notes:
    """What a process that runs tests writes down."""

    def __init__(self, path: str) -> None:
        os.environ["SARAI_NOTES"] = path
        self.file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        self.now = ""
        self.nightly: set[str] = set()
        self.engine: Any = None

    def write(self, line: str) -> None:
        os.write(self.file, (line + "\n").encode(errors="backslashreplace"))

    def enter(self, name: str) -> None:
        """From here on, what runs is for this test or fixture."""
        self.now = name
        self.write(f"@{name}")
        if "sarai._notes" in sys.modules:
            sys.modules["sarai._notes"].seen.clear()
        if self.engine is None and "sarai._core" in sys.modules:
            self.engine = ctypes.CDLL(sys.modules["sarai._core"].__file__)
        if hasattr(self.engine, "sarai_forget_notes"):
            self.engine.sarai_forget_notes()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        if item.get_closest_marker("nightly"):
            self.nightly.add(item.nodeid)
        self.enter(item.nodeid)
        used = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
        for definition in {one for many in used.values() for one in many}:
            if definition.scope != "function":
                self.write(f"+{definition.baseid}|{definition.argname}")
        began = sum(os.times()[:4])
        try:
            return (yield)
        finally:
            self.write(f"${sum(os.times()[:4]) - began:.3f} {item.nodeid}")

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Generator[None, Any, Any]:
        before = self.now
        if fixturedef.scope != "function":
            self.enter(f"{fixturedef.baseid}|{fixturedef.argname}")
        try:
            return (yield)
        finally:
            if fixturedef.scope != "function":
                self.enter(before)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        mark = "nightly" if report.nodeid in self.nightly else "-"
        self.write(f"={report.outcome} {mark} {report.nodeid}")


class Chosen:
    """Runs the chosen tests alone, a file after the other."""

    def __init__(self, path: str) -> None:
        self.ids = Path(path).read_text(encoding="utf-8").splitlines()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        ids = {*self.ids}
        left_out = [item for item in items if item.nodeid not in ids]
        files = list(dict.fromkeys(name.partition("::")[0] for name in self.ids))
        items[:] = [item for item in items if item.nodeid in ids]
        items.sort(key=lambda item: files.index(item.nodeid.partition("::")[0]))
        config.hook.pytest_deselected(items=left_out)


def pytest_configure(config: pytest.Config) -> None:
    if chosen := os.environ.get("SARAI_CHOSEN"):
        config.pluginmanager.register(Chosen(chosen))
    worker = getattr(config, "workerinput", {}).get("workerid", "")
    if (notes := os.environ.get("SARAI_NOTES")) and (worker or not config.getoption("numprocesses", None)):
        config.pluginmanager.register(Notes(f"{notes}-{worker}" if worker else notes))
