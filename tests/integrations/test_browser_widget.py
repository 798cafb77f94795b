"""`sarai.widget` in a real JupyterLab, driven by a real browser as a person would: by clicks and keys."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import BY_KEYS, PATIENCE, Table, browsing, expect, violations

import sarai

pytest.importorskip("jupyterlab", reason="needs JupyterLab: pip install jupyterlab")

SETTINGS = {
    # Neither questions nor news beside what is tested.
    "notification-extension": {"fetchNews": "false", "checkForUpdates": False},
    "docmanager-extension": {"autosave": False},
}
PLUGINS = {
    "notification-extension": "apputils-extension/notification",
    "docmanager-extension": "docmanager-extension/plugin",
}


class Lab:
    """A JupyterLab on this machine, with notebooks in a folder of its own."""

    def __init__(self, folder: Path, browser: Any) -> None:
        self.folder = folder
        self.browser = browser
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.host = f"http://127.0.0.1:{self.port}"
        for name, settings in SETTINGS.items():
            file = folder / "settings" / "@jupyterlab" / f"{PLUGINS[name]}.jupyterlab-settings"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(settings), encoding="utf-8")
        environment = {
            **os.environ,
            **{f"JUPYTER_{name}_DIR": str(folder / name) for name in ("CONFIG", "DATA", "RUNTIME")},
            "JUPYTERLAB_SETTINGS_DIR": str(folder / "settings"),
            "JUPYTERLAB_WORKSPACES_DIR": str(folder / "workspaces"),
            "IPYTHONDIR": str(folder / "ipython"),
        }
        self.server = subprocess.Popen(
            [
                *(
                    sys.executable,
                    "-m",
                    "jupyterlab",
                    "--no-browser",
                    "--allow-root",
                    "--ServerApp.ip=127.0.0.1",
                ),
                *(
                    f"--ServerApp.port={self.port}",
                    "--ServerApp.port_retries=0",
                    "--IdentityProvider.token=t",
                ),
                f"--ServerApp.root_dir={folder}",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
            cwd=folder,
        )
        self._wait()

    def _wait(self) -> None:
        while True:
            assert self.server.poll() is None, "JupyterLab has ended"
            try:
                urllib.request.urlopen(f"{self.host}/api?token=t", timeout=PATIENCE / 1000).close()
                return
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.2)

    def open(self, name: str, *cells: str, **look: Any) -> Notebook:
        """A new notebook with these cells, in a window of its own."""
        notebook = {
            "cells": [
                {
                    "cell_type": "code",
                    "id": f"c{n}",
                    "metadata": {},
                    "outputs": [],
                    "execution_count": None,
                    "source": cell,
                }
                for n, cell in enumerate(cells)
            ],
            "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
            "nbformat": 4,
            "nbformat_minor": 5,
        }
        (self.folder / f"{name}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
        page = self.browser.new_page(**{"viewport": {"width": 1400, "height": 1500}, **look})
        page.set_default_timeout(PATIENCE)
        return Notebook(self, page, name)

    def end_kernels(self) -> None:
        """End every kernel, as a server that is started again does."""
        for session in json.loads(self._ask("api/sessions")):
            self._ask(f"api/sessions/{session['id']}", "DELETE")

    def _ask(self, path: str, method: str = "GET") -> bytes:
        request = urllib.request.Request(
            f"{self.host}/{path}", method=method, headers={"Authorization": "token t"}
        )
        with urllib.request.urlopen(request, timeout=PATIENCE / 1000) as answer:
            said: bytes = answer.read()
            return said

    def close(self) -> None:
        # Asked to end, it waits for its kernels, which may take minutes. Without it they end by themselves.
        self.server.kill()
        self.server.wait()


class Notebook:
    """A notebook in the browser."""

    def __init__(self, lab: Lab, page: Any, name: str) -> None:
        self.lab = lab
        self.page = page
        self.name = name
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.load()

    def load(self) -> None:
        """Open the notebook, and wait until its kernel is there."""
        self.page.goto(f"{self.lab.host}/lab/tree/{self.name}.ipynb?token=t&reset")
        # Cells that are run before the kernel has said this are not run at all.
        expect(self.page.locator("#jp-main-statusbar")).to_contain_text("| Idle")

    def cell(self, number: int) -> Any:
        return self.page.locator(".jp-Notebook .jp-CodeCell").nth(number)

    def board(self, number: int = 0) -> Table:
        """The board under a cell."""
        return Table(self.page, self.cell(number).locator(".sarai-widget"))

    def run(self, number: int, *, wait: bool = True) -> None:
        """Run a cell by its keys."""
        self.cell(number).locator(".jp-InputArea-editor .cm-content").click()
        self.page.keyboard.press("Control+Enter")
        if wait:
            expect(self.cell(number).locator(".jp-InputPrompt")).to_have_text(re.compile(r"\[\d+\]:"))

    def told(self, number: int) -> str:
        """Run a cell again, and what it prints."""
        before = self.cell(number).locator(".jp-InputPrompt").inner_text()
        self.cell(number).locator(".jp-InputArea-editor .cm-content").click()
        self.page.keyboard.press("Control+Enter")
        expect(self.cell(number).locator(".jp-InputPrompt")).not_to_have_text(before)
        expect(self.cell(number).locator(".jp-InputPrompt")).to_have_text(re.compile(r"\[\d+\]:"))
        printed: str = self.cell(number).locator(".jp-OutputArea-output").last.inner_text()
        return printed.strip()

    def board_or_picture(self, number: int) -> Any:
        return self.cell(number).locator(".jp-OutputArea-output").last

    def theme(self, name: str) -> None:
        """Choose a theme in the menu."""
        self.page.locator(".lm-MenuBar-item", has_text="Settings").click()
        self.page.locator(".lm-Menu-item", has_text="Theme").first.hover()
        self.page.locator(".lm-Menu-item", has_text=re.compile(f"^{name}$")).click()

    def save(self) -> dict[str, Any]:
        """Save by the keys, from within the board or wherever the focus is; what is in the file then."""
        file = self.lab.folder / f"{self.name}.ipynb"
        before = file.stat().st_mtime_ns
        self.page.keyboard.press("Control+s")
        for _ in range(PATIENCE // 100):
            if file.stat().st_mtime_ns != before:
                break
            self.page.wait_for_timeout(100)
        saved: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        return saved


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with browsing() as browser:
        lab = Lab(tmp_path_factory.mktemp("lab"), browser)
        try:
            yield lab
        finally:
            lab.close()


SMALL = {
    "sho": "preset=basic,players=2,coins=2,num_shells=8",
    "shah": "max_turns=16",
    "tshupu": "pieces=1,max_turns=300",
    "shuanglu": "preset=backgammon,max_turns=12",
}
"""Options that make games short."""


@pytest.fixture(scope="module")
def games(lab: Lab) -> Notebook:
    """A notebook with two cells for each game: the board, and what Python sees of it."""
    cells = []
    for game, options in SMALL.items():
        cells.append(
            f'import sarai\n{game} = sarai.widget("{game}({options})", "random", pace=0, seed=3)\n{game}'
        )
        cells.append(f"print({game}.state.is_terminal(), len({game}.record), {game}.record.finished)")
    return lab.open("games", *cells)


@pytest.mark.parametrize(
    "game", ["shah", *(pytest.param(game, marks=pytest.mark.nightly) for game in SMALL if game != "shah")]
)
def test_a_whole_game_by_clicks(games: Notebook, game: str) -> None:
    cell = 2 * [*SMALL].index(game)
    games.run(cell)
    board = games.board(cell)
    moves = 0
    board.wait()
    while not board.is_over:
        board.play()
        moves += 1
    assert moves > 1
    assert games.told(cell + 1) == f"True {board.steps[1]} True"
    assert games.errors == []


@pytest.mark.nightly
@pytest.mark.parametrize("game", BY_KEYS)
def test_a_whole_game_by_keyboard_alone(lab: Lab, game: str) -> None:
    begin = str(sarai.make(game, **BY_KEYS[game]))
    code = f"import sarai\nsarai.widget({begin!r}, 'random', pace=0, seed=3)"
    notebook = lab.open(f"keys_{game}", code)
    # The first cell has the focus of a notebook that is opened.
    notebook.page.keyboard.press("Control+Enter")
    board = notebook.board()
    board.wait()
    moves = 0
    while not board.is_over:
        board.play_by_keyboard()
        moves += 1
    assert moves > 3
    assert notebook.errors == []
    notebook.page.close()


BOARD = """
import sarai
board = sarai.widget("shah", against="random", pace=0, seed=3)
seen = []
board.observe(lambda change: seen.append(change.new.turns_passed()), names="state")
board
"""
# It would think for days.
THINKER = """
slow = sarai.widget("shah", against="alphabeta:64", seat=1)
slow
"""
RECORD = """
record = sarai.Record.play(sarai.make("shah", max_turns=16), "random", seed=1)
old = sarai.widget(record)
old
"""


@pytest.fixture(scope="module")
def shah(lab: Lab) -> Notebook:
    """A notebook with boards to play on, and cells that look at them."""
    notebook = lab.open(
        "shah",
        BOARD.strip(),
        "print(len(board.record), board.state.turns_passed(), seen)",
        THINKER.strip(),
        "print(slow.state.current_player())",
        RECORD.strip(),
        "print(old.state.turns_passed())",
        "def wrong(change):\n    raise RuntimeError('as it should')\nboard.observe(wrong, names='state')",
    )
    notebook.run(0)
    return notebook


@pytest.mark.nightly
def test_python_follows_and_a_move_is_taken_back(shah: Notebook) -> None:
    board = shah.board()
    board.wait()
    for _ in range(2):
        board.play()
    expect(board.count).to_have_text("4 / 4")
    assert shah.told(1) == "4 4 [1, 2, 3, 4]"
    board.root.get_by_role("button", name="Undo").click()
    expect(board.count).to_have_text("2 / 2")
    assert shah.told(1) == "2 2 [1, 2, 3, 4, 2]"


@pytest.mark.nightly
def test_a_hint_and_an_analysis_stand_beside_the_board(shah: Notebook) -> None:
    board = shah.board()
    board.root.get_by_role("button", name="Hint").click()
    expect(board.root.locator(".sarai-hint")).to_contain_text("Hint: ")
    expect(board.root.locator(".sarai-point.is-hint")).not_to_have_count(0)
    board.root.get_by_role("button", name="Analyse").click()
    expect(board.root.locator(".sarai-found tbody tr")).not_to_have_count(0)


@pytest.mark.nightly
def test_a_move_by_keys_alone_leaves_the_notebook_alone(shah: Notebook) -> None:
    board = shah.board()
    cells = shah.page.locator(".jp-Notebook .jp-CodeCell").count()
    before = board.count.inner_text()
    board.root.locator(".sarai-point.is-source").first.focus()
    # In a notebook, these delete, cut and insert cells.
    shah.page.keyboard.type("ddxab")
    shah.page.keyboard.press("ArrowRight")
    shah.page.keyboard.press("Enter")
    expect(board.count).not_to_have_text(before)
    assert shah.page.locator(".jp-Notebook .jp-CodeCell").count() == cells


@pytest.mark.nightly
def test_a_kernel_has_time_while_an_agent_thinks(shah: Notebook) -> None:
    shah.run(2)
    board = shah.board(2)
    expect(board.turn).to_have_text(re.compile("is to play"))
    assert shah.told(3) == "0"
    expect(board.turn).to_have_text(re.compile("is to play"))
    board.root.get_by_role("button", name="Stop").click()
    expect(board.turn).to_have_text("The game is held.")


@pytest.mark.nightly
def test_arrow_keys_step_through_a_record(shah: Notebook) -> None:
    shah.run(4)
    board = shah.board(4)
    expect(board.count).to_have_text("0 / 16")
    board.root.get_by_role("button", name="Step on").focus()
    for step in range(1, 4):
        shah.page.keyboard.press("ArrowRight")
        expect(board.count).to_have_text(f"{step} / 16")
    shah.page.keyboard.press("ArrowLeft")
    expect(board.count).to_have_text("2 / 16")
    assert shah.told(5) == "2"
    board.root.get_by_role("button", name="Step on").focus()
    shah.page.keyboard.press("End")
    expect(board.count).to_have_text("16 / 16")


@pytest.mark.nightly
def test_a_callback_that_fails_is_shown(shah: Notebook) -> None:
    shah.run(6)
    board = shah.board()
    board.play()
    expect(board.status).to_contain_text("RuntimeError: as it should")
    board.wait()


@pytest.mark.nightly
def test_nothing_bars_anybody(shah: Notebook) -> None:
    for details in shah.board().root.locator("details").all():
        details.evaluate("each => (each.open = true)")
    assert violations(shah.page, "document.querySelectorAll('.sarai-widget')") == []


@pytest.mark.nightly
def test_boards_are_as_dark_as_the_notebook(shah: Notebook) -> None:
    board = shah.board()
    expect(board.root.locator(".sarai-table")).to_have_attribute("data-theme", "light")
    shah.theme("JupyterLab Dark")
    expect(board.root.locator(".sarai-table")).to_have_attribute("data-theme", "dark")
    assert violations(shah.page, "document.querySelectorAll('.sarai-widget')") == []
    shah.theme("JupyterLab Light")
    expect(board.root.locator(".sarai-table")).to_have_attribute("data-theme", "light")


@pytest.mark.nightly
def test_a_board_whose_kernel_is_restarted_becomes_a_picture(games: Notebook) -> None:
    board = games.board(0).root
    expect(board.locator(".sarai-table")).to_be_visible()
    games.page.locator(
        ".jp-Toolbar [data-command='notebook:restart-kernel'], [title^='Restart the kernel']"
    ).first.click()
    games.page.locator(".jp-Dialog .jp-mod-accept").click()
    expect(board.locator("img")).to_be_visible()
    expect(board.get_by_text("Run the cell to play")).to_be_visible()
    expect(board.locator(".sarai-table")).to_be_hidden()
    games.run(0, wait=False)
    games.board(0).wait()
    assert games.errors == []


@pytest.mark.nightly
def test_a_saved_notebook_shows_pictures_without_its_kernel(shah: Notebook, lab: Lab) -> None:
    board = shah.board()
    # From within the board: its keys are its own, but this one is the notebook's.
    board.root.locator(".sarai-point[tabindex='0']").first.focus()
    saved = shah.save()
    outputs = [output["data"] for cell in saved["cells"] for output in cell["outputs"] if "data" in output]
    kept = [data for data in outputs if "application/vnd.jupyter.widget-view+json" in data]
    assert len(kept) == 3
    assert all("<svg" in "".join(data["image/svg+xml"]) and data["text/plain"] for data in kept)
    assert len(json.dumps(saved["metadata"])) < 150_000
    # As it was left, not as it was when the cell was run.
    words = board.root.locator(".sarai-picture svg").get_attribute("aria-label").rpartition(": ")[2]
    assert "place one of 12" not in words
    lab.end_kernels()
    shah.load()
    picture = shah.board_or_picture(0).locator("img")
    expect(picture).to_be_visible()
    expect(picture).to_have_attribute("alt", re.compile(f"^{re.escape(words)}[.]"))
    assert picture.evaluate("each => each.decode().then(() => each.naturalWidth)") > 100
    expect(shah.cell(0)).to_contain_text("Run the cell to play")
    # And what it says is so.
    shah.run(0, wait=False)
    expect(shah.board().count).to_have_text("0 / 0")
    assert shah.errors == []
