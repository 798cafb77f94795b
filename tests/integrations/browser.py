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

import sarai

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
# Games that are over soon; the rules are those of the preset in all else.
SHORT: dict[str, dict[str, Any]] = {"sho": {"num_shells": 24, "coins": 3}}
# By keys a move is many steps of a browser, so that these games are shorter than those by clicks.
BY_KEYS: dict[str, dict[str, Any]] = {
    "sho": {"players": 2, "num_shells": 24, "coins": 2},
    "shah": {"max_turns": 32},
    "tshupu": {"pieces": 1, "max_turns": 60},
    "shuanglu": {"preset": "backgammon", "max_turns": 10},
}
# The first is short, for every change; whole games of every kind take minutes.
by_clicks = pytest.mark.parametrize(
    ("game", "options"),
    [
        ("shah", {"max_turns": 16}),
        *(pytest.param(game, SHORT.get(game, {}), marks=pytest.mark.nightly) for game in sarai.games()),
    ],
)
PATIENCE = 300_000
"""Milliseconds after which something will not come any more, however busy the machine is."""

expect.set_options(timeout=PATIENCE)

# No pause between the steps of agents: nobody looks.
SERVER = """
import sys
from sarai._web.hub import Hub
from sarai._web.server import serve
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
        status = self.process.wait()
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
            form.locator(".sarai-seats select").nth(seat).select_option(agent)
        self.root.get_by_role("button", name="Start", exact=True).click()
        expect(form).to_be_hidden()
        self.wait()

    def wait(self) -> None:
        """Until it is a person's turn or the game is over."""
        expect(self.turn).to_have_text(re.compile("Your turn|The game is (over|a draw)"))

    @property
    def is_over(self) -> bool:
        return self.turn.inner_text().startswith("The game is")

    @property
    def steps(self) -> tuple[int, int]:
        at, length = self.count.inner_text().split("/")
        return int(at), int(length)

    def settle(self, before: str) -> None:
        """Until a move was played and it is a person's turn again."""
        expect(self.count).not_to_have_text(before)
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

    def begin_by_keyboard(self, game: str, agent: str = "random", preset: str = "", **options: int) -> None:
        """Fill in the form for a new game with keys alone; an agent has every seat but the first."""
        keys = self.page.keyboard
        form = self.root.locator(".sarai-new form")
        if not form.is_visible():
            self.press(self.root.locator(".sarai-new > summary"))
        self.select_by_keyboard(form.get_by_label("Game", exact=True), game)
        if preset:
            self.select_by_keyboard(form.get_by_label("Preset"), preset)
        if options:
            self.press(form.locator("summary"))
        for name, value in options.items():
            self.tab_to(form.get_by_label(name.replace("_", " "), exact=True))
            keys.press("Control+a")
            keys.type(f"{value}")
        # Leaves the last option, which may change how many seats there are.
        keys.press("Tab")
        players = sarai.make(game, preset=preset or None, **options).num_players
        expect(form.locator(".sarai-seats select")).to_have_count(players)
        for seat in range(1, players):
            self.select_by_keyboard(form.locator(".sarai-seats select").nth(seat), agent)
        self.tab_to(form.get_by_label("Seed"))
        keys.type("5")
        self.press(form.get_by_role("button", name="Start"))
        expect(form).to_be_hidden()
        self.wait()

    def play_by_keyboard(self) -> None:
        """Play one move with Tab and Enter alone."""
        before = self.count.inner_text()
        begins = self.root.locator(".is-source").count()
        self.choose_by_keyboard(".is-source" if begins else ".sarai-bar button")
        while self.root.locator(".is-chosen").count():
            leads = self.root.locator(".is-target").count()
            self.choose_by_keyboard(".is-target" if leads else ".sarai-bar button:not(:last-child)")
        self.settle(before)

    def choose_by_keyboard(self, selector: str) -> None:
        """Go to something of this kind, not always to the nearest, and press Enter."""
        for _ in range(self.random.randrange(3)):
            self.tab_to(selector)
            self.page.keyboard.press("Tab")
        self.press(selector)

    def select_by_keyboard(self, control: Any, value: str) -> None:
        """Go to a list and step through it."""
        self.tab_to(control)
        self.page.keyboard.press("Home")
        for _ in range(30):
            if control.input_value() == value:
                return
            self.page.keyboard.press("ArrowDown")
        raise AssertionError(f"there is no {value} to choose")

    def press(self, what: Any) -> None:
        """Go to something and press Enter."""
        self.tab_to(what)
        self.page.keyboard.press("Enter")

    def tab_to(self, what: Any) -> None:
        """Press Tab until something has the focus: a locator, or one of what a selector finds."""
        wanted = self.root.locator(what) if isinstance(what, str) else what
        focused = wanted.and_(self.page.locator(":focus"))
        for _ in range(200):
            if focused.count():
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab never leads to {what}")

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
