"""A real browser at a real server, and a table in it that is used as a person uses it."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

playwright = pytest.importorskip(
    "playwright.sync_api",
    reason="the tests in a browser need playwright, which `make test-integrations` installs",
)
expect = playwright.expect

ROOT = Path(__file__).parents[2]
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
MOST = 15_000
"""Milliseconds after which a test gives up; nothing takes that long."""

# No pause between the steps of agents: nobody looks.
SERVER = """
import sys
from sarai.web.hub import Hub
from sarai.web.server import serve
try:
    serve("127.0.0.1", int(sys.argv[1]), hub=Hub(pace=0), ready=lambda address: print(address, flush=True))
except KeyboardInterrupt:
    pass
"""


@contextmanager
def browsing() -> Iterator[Any]:
    """A browser without a window."""
    if CHROMIUM is None:
        pytest.skip("there is no chromium here: apt-get install chromium, or name one in CHROMIUM")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        try:
            yield browser
        finally:
            browser.close()


class Running:
    """A server in a process of its own."""

    def __init__(self, port: int = 0) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVER, str(port)], stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()
        assert self.address.startswith("http://127.0.0.1:")
        self.port = int(self.address.rstrip("/").rpartition(":")[2])

    def end(self) -> int:
        """Ctrl-C; the exit status."""
        self.process.send_signal(signal.SIGINT)
        status = self.process.wait(60)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return status


class Table:
    """A table on a page or in a notebook, by what is seen of it."""

    def __init__(self, page: Any, root: Any = None) -> None:
        self.page = page
        self.root = page if root is None else root
        self.random = random.Random(7)
        self.turn = self.root.locator(".sarai-turn")
        self.status = self.root.locator(".sarai-status")
        self.count = self.root.locator(".sarai-count")
        self.bar = self.root.locator(".sarai-bar button")

    def begin(self, game: str, *, seats: dict[int, str] | None = None, seed: int = 5, **options: Any) -> None:
        """Fill in the form for a new game."""
        form = self.root.locator(".sarai-new form")
        if not form.is_visible():
            self.root.locator(".sarai-new > summary").click()
        self.root.get_by_label("Game", exact=True).select_option(game)
        self.root.get_by_label("Seed").fill(str(seed))
        if options:
            form.locator("summary").click()
            for name, value in options.items():
                control = form.get_by_label(name.replace("_", " "), exact=True)
                control.fill(str(value))
                control.blur()
        for seat, agent in (seats or {}).items():
            form.get_by_label(f"Player {seat}").select_option(agent)
        self.root.get_by_role("button", name="Start", exact=True).click()
        expect(form).to_be_hidden(timeout=MOST)
        self.wait()

    def wait(self) -> None:
        """Until it is a person's turn or the game is over."""
        expect(self.turn).to_have_text(re.compile("Your turn|The game is over"), timeout=MOST)

    @property
    def is_over(self) -> bool:
        return "over" in self.turn.inner_text()

    @property
    def steps(self) -> tuple[int, int]:
        at, length = self.count.inner_text().split("/")
        return int(at), int(length)

    def settle(self, before: str) -> None:
        """Until a move was played and it is a person's turn again."""
        expect(self.count).not_to_have_text(before, timeout=MOST)
        self.wait()

    def play(self) -> None:
        """Play one move by clicks: from place to place, or one of the buttons."""
        before = self.count.inner_text()
        sources = self.root.locator(".is-source")
        if sources.count():
            self.one_of(sources).click()
            while self.root.locator(".is-chosen").count():
                targets = self.root.locator(".is-target")
                if targets.count():
                    self.one_of(targets).click()
                else:
                    self.bar.first.click()
        else:
            self.one_of(self.bar).click()
        self.settle(before)

    def play_by_keyboard(self) -> None:
        """Play one move with Tab, arrows and Enter alone."""
        before = self.count.inner_text()
        if not self.root.locator(".is-source").count():
            self.tab_to(".sarai-bar button")
        else:
            self.tab_to(".is-source")
            self.page.keyboard.press("Enter")
            while self.root.locator(".is-chosen").count():
                aim = ".is-target" if self.root.locator(".is-target").count() else ".sarai-bar button"
                self.tab_to(aim)
                self.page.keyboard.press("Enter")
            return self.settle(before)
        self.page.keyboard.press("Enter")
        return self.settle(before)

    def tab_to(self, selector: str) -> None:
        """Press Tab until something of this kind has the focus."""
        for _ in range(200):
            if self.root.locator(f"{selector}:focus").count():
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab never leads to {selector}")

    def one_of(self, locator: Any) -> Any:
        return locator.nth(self.random.randrange(locator.count()))


def violations(page: Any, within: str = "document") -> list[str]:
    """What axe-core finds wrong on a page."""
    if not AXE.exists():
        pytest.skip("axe-core is not here: npm ci --prefix web")
    page.evaluate(AXE.read_text(encoding="utf-8") + ";undefined")
    found = page.evaluate(
        f"axe.run({within}, {{runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']}})"
    )
    return [
        f"{rule['id']}: {node['html'][:200]} {node['failureSummary'][:200]}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]
