"""`sarai play` and `sarai replay` as somebody sees them: in a terminal of 80 columns and 24 rows.

Most of it is seen in this process, where the streams say that they are a terminal; `make nightly` keeps a real one by
tmux for all of it.
"""

from __future__ import annotations

import io
import os
import queue
import re
import secrets
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import sarai
from sarai._cli import main
from sarai._cli.screen import wrapped
from sarai._cli.table import Table
from sarai._render.text import board, introduction

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there is no such terminal")

SECONDS = 300
ROWS, COLUMNS = 24, 80
STYLE = re.compile(r"\x1b\[[\d;]*m")


class Screen(io.StringIO):
    """What is printed, by a program and by the terminal that echoes what is typed."""

    def isatty(self) -> bool:
        return True


class Keyboard(io.StringIO):
    """What is typed, a line or a key at a time; whoever reads waits for it."""

    def __init__(self, screen: Screen) -> None:
        super().__init__()
        self.typed: queue.Queue[str] = queue.Queue()
        self.waits = threading.Event()
        self.screen = screen

    def isatty(self) -> bool:
        return True

    def readline(self, *_: Any) -> str:
        self.waits.set()
        typed = self.typed.get(timeout=SECONDS)
        if typed == "C-c":
            self.screen.write("^C")
            raise KeyboardInterrupt
        if typed != "C-d":
            self.screen.write(typed)
        return typed.removeprefix("C-d")


class Inside:
    """A terminal with one command in it, which runs in a thread of this process."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._patch = monkeypatch
        monkeypatch.chdir(folder)

    def start(self, *words: str, **env: str) -> None:
        self._patch.delenv("NO_COLOR", raising=False)
        size = {"COLUMNS": str(COLUMNS), "LINES": str(ROWS)}
        for name, value in {"TERM": "xterm-256color", **size, **env}.items():
            self._patch.setenv(name, value)
        self._screen = Screen()
        self._keyboard = Keyboard(self._screen)
        for name, stream in (("stdin", self._keyboard), ("stdout", self._screen), ("stderr", self._screen)):
            self._patch.setattr(sys, name, stream)
        self._thread = threading.Thread(target=self._run, args=(words,))
        self._thread.start()

    def _run(self, words: tuple[str, ...]) -> None:
        try:
            self._screen.write(f"status {main(words)}")
        finally:
            self._keyboard.waits.set()

    def type(self, line: str, prompt: str) -> list[str]:
        self._keyboard.waits.clear()
        self._keyboard.typed.put(f"{line}\n")
        return self.until(asks(prompt))

    def key(self, name: str) -> list[str]:
        self._keyboard.waits.clear()
        self._keyboard.typed.put(name)
        return self.until(ended)

    def until(self, right: Callable[[list[str]], bool]) -> list[str]:
        assert self._keyboard.waits.wait(SECONDS)
        rows = self.screen()
        assert right(rows), "\n".join(rows)
        return rows

    def screen(self, *, styled: bool = False) -> list[str]:
        rows = []
        for line in self._screen.getvalue().split("\n"):
            plain = STYLE.sub("", line)
            # A terminal breaks what is too long, as the position in a message may be.
            parts = [plain[i : i + COLUMNS] for i in range(0, len(plain), COLUMNS)]
            rows += parts if len(parts) > 1 else [line if styled else plain]
        return [row.rstrip() for row in rows[-ROWS:]]

    def stop(self) -> None:
        self._keyboard.typed.put("C-d")
        self._thread.join()

    leave = stop


class Tmux:
    """A real terminal with one command in it, which is followed by its exit status."""

    def __init__(self, folder: Path, _: pytest.MonkeyPatch) -> None:
        self._folder = folder
        self._server = ""
        # Sockets have short names, and tmux leaves them behind.
        self._sockets = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)

    def start(self, *words: str, **env: str) -> None:
        # A name of its own each time: a server that was told to end may still be there.
        self._server = f"sarai-{secrets.token_hex(6)}"
        variables = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **env}
        told = [f"{name}={value}" for name, value in variables.items()]
        command = shlex.join(["env", "-u", "NO_COLOR", *told, sys.executable, "-m", "sarai", *words])
        command += '; printf "status %s" "$?"; exec sleep 1000'
        size = ("-x", str(COLUMNS), "-y", str(ROWS))
        self._tmux("-f", os.devnull, "new-session", "-d", *size, "-c", str(self._folder), command)

    def type(self, line: str, prompt: str) -> list[str]:
        """Type a line, and give the screen when the next prompt stands there, or the exit status."""
        before = self.screen()
        if line:
            self._tmux("send-keys", "-l", "--", line)
        self._tmux("send-keys", "Enter")
        return self.until(lambda rows: rows != before and asks(prompt)(rows))

    def key(self, name: str) -> list[str]:
        """Press a key that ends the command, and give the screen after it."""
        self._tmux("send-keys", name)
        return self.until(ended)

    def until(self, right: Callable[[list[str]], bool]) -> list[str]:
        """The screen as soon as it is as it should be."""
        end = time.monotonic() + SECONDS
        while True:
            rows = self.screen()
            if right(rows):
                return rows
            assert time.monotonic() < end, "\n".join(rows)
            time.sleep(0.02)

    def screen(self, *, styled: bool = False) -> list[str]:
        """The rows that are to be seen, down to the cursor's."""
        cursor = ("display-message", "-p", "#{cursor_y}")
        options = ["-e"] if styled else []
        *rows, last = self._tmux("capture-pane", "-p", *options, ";", *cursor).splitlines()
        assert len(rows) == ROWS
        return [row.rstrip() for row in rows[: int(last) + 1]]

    def stop(self) -> None:
        """End the command and the terminal."""
        if self._server:
            self._tmux("kill-server")

    def leave(self) -> None:
        """Stop, for good."""
        self.stop()
        self._sockets.cleanup()

    def _tmux(self, *words: str) -> str:
        env = {**os.environ, "TMUX_TMPDIR": self._sockets.name}
        command = ["tmux", "-u", "-L", self._server, *words]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout


Terminal = Inside | Tmux

needs_tmux = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


@pytest.fixture(params=[Inside, pytest.param(Tmux, marks=[needs_tmux, pytest.mark.nightly])])
def terminal(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Terminal]:
    terminal = request.param(tmp_path, monkeypatch)
    yield terminal
    terminal.leave()


def asks(prompt: str) -> Callable[[list[str]], bool]:
    """Whether that prompt stands on the last row, or the exit status."""
    return lambda rows: bool(re.fullmatch(prompt, rows[-1])) or ended(rows)


def ended(rows: list[str]) -> bool:
    return bool(re.fullmatch(r"status \d+", rows[-1]))


PLAY = r"player \d> ?"
REPLAY = r"\d+ of \d+ \(Enter: next, b: back, a number, end, quit\)> ?"
OVER = r"Enter to leave, 'save FILE', or 'undo'> ?"


def shows(rows: list[str], state: sarai.State) -> bool:
    """Whether the whole board stands on the screen."""
    return "\n".join(line.rstrip() for line in board(state.view())) in "\n".join(rows)


def at_the_table(name: str, seed: int) -> Table:
    """The game that `sarai play NAME --seed SEED` is."""
    game = sarai.make(name)
    return Table(game, ["human"] + ["greedy"] * (game.num_players - 1), seed)


@pytest.mark.parametrize(
    ("words", "env", "styles"),
    [
        ([], {}, {"1", "31", "32", "33", "36"}),
        # To be without colour is not to be without bold letters.
        ([], {"NO_COLOR": "1"}, {"1"}),
        (["--no-color"], {}, set()),
        ([], {"TERM": "dumb"}, set()),
    ],
    ids=["colour", "NO_COLOR", "no-color", "dumb"],
)
@pytest.mark.parametrize("name", sarai.games())
def test_the_first_screen(
    name: str, words: list[str], env: dict[str, str], styles: set[str], terminal: Terminal
) -> None:
    # The longest seed makes the longest title.
    terminal.start("play", name, "--seed", str(2**32 - 1), *words, **env)
    rows = terminal.until(asks(PLAY))
    table = at_the_table(name, 2**32 - 1)
    title = f"{name}, seed {2**32 - 1}; you are player 0. Type 'help', or 'quit' to leave."
    told = wrapped([title, *introduction(name), *table.advance()])
    # The aim and how to write a move stay on the screen, also where an opponent has begun.
    room = 24 - len(board(table.state.view())) - 2
    assert room >= len(told) - 1
    assert rows[: min(room, len(told))] == told[-room:]
    assert shows(rows, table.state)
    listed = [row for row in rows if re.match(r"\d+ \S", row)]
    assert listed[0].startswith(f"1 {next(iter(table.names()))}")
    assert f"{len(table.names())} {list(table.names())[-1]}" in listed[-1]
    styled = "\n".join(terminal.screen(styled=True))
    found = {code for codes in re.findall(r"\x1b\[([\d;]+)m", styled) for code in codes.split(";")}
    # 0, 39 and 49 only end a style.
    assert found - {"0", "39", "49"} <= styles
    assert found & {"1", "31"} == styles & {"1", "31"}
    assert [row.rstrip() for row in STYLE.sub("", styled).split("\n")] == rows


@pytest.mark.parametrize("name", sarai.games())
def test_every_screen_of_a_game(name: str, terminal: Terminal) -> None:
    table = at_the_table(name, 7)
    news = table.advance()
    terminal.start("play", name, "--seed", "7", "--no-color")
    rows = terminal.until(asks(PLAY))
    for _ in range(8):
        assert shows(rows, table.state)
        listed = [row for row in rows if re.match(r"\d+ \S", row)]
        assert listed, "no moves on the screen"
        # What has happened, too, where it leaves a row for the moves.
        told = wrapped(news)
        if len(told) + len(board(table.state.view())) + 2 <= 24:
            assert "\n".join(told) in "\n".join(rows)
        word, action = list(table.names().items())[-1]
        table.play(action)
        news = table.advance()
        rows = terminal.type(word, PLAY)


@pytest.mark.parametrize("name", sarai.games())
def test_a_sitting_and_the_next(name: str, terminal: Terminal, tmp_path: Path) -> None:
    table = at_the_table(name, 7)
    table.advance()
    terminal.start("play", name, "--seed", "7")
    terminal.until(asks(PLAY))
    names = list(table.names())
    assert any("greedy would play" in row for row in terminal.type("hint", PLAY))
    rows = terminal.type("legal", PLAY)
    listed = " ".join(rows[rows.index("player 0> legal") + 1 :])
    assert all(f"{number} {name}" in listed for number, name in enumerate(names, 1))
    first = table.state.clone()
    table.play(table.names()[names[0]])
    table.advance()
    assert shows(terminal.type("1", PLAY), table.state)
    assert shows(terminal.type("undo", PLAY), first)
    assert "There is no earlier choice of yours to go back to." in terminal.type("undo", PLAY)
    assert shows(terminal.type(names[0], PLAY), table.state)
    assert any("save the game to a new file" in row for row in terminal.type("help", PLAY))
    assert shows(terminal.type("board", PLAY), table.state)
    assert any(row.startswith("Saved; ") for row in terminal.type("save game.txt", PLAY))
    rows = terminal.type("quit", PLAY)
    assert rows[-2:] == ["You have left the game; to continue it: sarai play --resume game.txt", "status 0"]
    assert len(sarai.Record.load(tmp_path / "game.txt")) == len(table.record())

    terminal.stop()
    terminal.start("play", "--resume", "game.txt")
    rows = terminal.until(asks(PLAY))
    assert f"{name}, seed 7, after {len(table.record())} steps; you are player 0." in rows[0]
    assert shows(rows, table.state)
    word = next(iter(table.names()))
    table.play(table.names()[word])
    table.advance()
    assert shows(terminal.type(word, PLAY), table.state)
    assert shows(terminal.type("undo", PLAY) and terminal.type("undo", PLAY), first)


KEEP = ["--save", "game.json"]


@pytest.mark.parametrize(
    ("terminal", "key", "status", "words"),
    [
        (Inside, "C-c", 130, []),
        (Inside, "C-c", 130, KEEP),
        (Inside, "C-d", 0, []),
        (Inside, "C-d", 0, KEEP),
        # Of the tests in a real terminal, the one that is always run.
        pytest.param(Tmux, "C-c", 130, KEEP, marks=needs_tmux),
        pytest.param(Tmux, "C-c", 130, [], marks=[needs_tmux, pytest.mark.nightly]),
        pytest.param(Tmux, "C-d", 0, [], marks=[needs_tmux, pytest.mark.nightly]),
        pytest.param(Tmux, "C-d", 0, KEEP, marks=[needs_tmux, pytest.mark.nightly]),
    ],
    indirect=["terminal"],
)
def test_keys_that_end_a_game(
    terminal: Terminal, key: str, status: int, words: list[str], tmp_path: Path
) -> None:
    kept = bool(words)
    terminal.start("play", "shah", "--seed", "1", *words)
    terminal.until(asks(PLAY))
    terminal.type("d6", PLAY)
    rows = terminal.key(key)
    assert rows[-1] == f"status {status}"
    last = " ".join(rows[next(i for i, row in enumerate(rows) if row.startswith("player 0>")) + 1 : -1])
    assert ("sarai play --resume game.json" in last) == kept
    assert ("place player=0" in last) == (not kept)
    assert last.startswith("error: interrupted; " if status else ("You have left" if kept else "Not saved: "))
    assert (tmp_path / "game.json").exists() == kept
    if kept:
        assert sarai.Record.load(tmp_path / "game.json").names[0] == "d6"


def test_after_the_last_move(terminal: Terminal, tmp_path: Path) -> None:
    terminal.start("play", "shah", "--seed", "1", "--option", "max_turns=2")
    terminal.until(asks(PLAY))
    rows = terminal.type("1", OVER)
    assert any(row.startswith("The game is over: player 0 (human) +0") for row in rows)
    assert "'7' is no legal move" in "\n".join(terminal.type("7", OVER))
    assert re.fullmatch(PLAY, terminal.type("undo", PLAY)[-1])
    terminal.type("d6", OVER)
    assert any(row.startswith("Saved; ") for row in terminal.type("save game.json", OVER))
    rows = terminal.type("", OVER)
    assert rows[-2:] == ["The game is saved; to watch it again: sarai replay game.json", "status 0"]
    assert sarai.Record.load(tmp_path / "game.json").names[0] == "d6"


@pytest.mark.parametrize("name", sarai.games())
def test_replay(name: str, terminal: Terminal, tmp_path: Path) -> None:
    record = sarai.Record.play(sarai.make(name, rules={"max_turns": 20}), "greedy", seed=2)
    record.save(tmp_path / "game.json")
    states = record.states()
    stops = [i for i in range(len(record)) if not i or record.steps[i].player != sarai.CHANCE]
    stops.append(len(record))
    terminal.start("replay", "game.json")
    rows = terminal.until(asks(REPLAY))
    assert rows[0].startswith(f"{name}(max_turns=20), {len(record)} steps, seed 2, game 0: player 0 (greedy)")
    assert shows(rows, states[0])
    for stop in stops[1:6]:
        rows = terminal.type("", REPLAY)
        assert rows[-1].startswith(f"{stop} of {len(record)} ")
        assert shows(rows, states[stop])
        # What has happened stands above the board, also on the fullest screen.
        assert any(record.names[stop - 1] in row for row in rows[: rows.index(board(states[stop].view())[0])])
    for word, number in (("b", stops[4]), ("0", 0), ("3", 3), ("end", len(record)), ("b", stops[-2])):
        rows = terminal.type(word, REPLAY)
        assert rows[-1].startswith(f"{number} of ")
        assert shows(rows, states[number])
    assert "\x1b[" in "\n".join(terminal.screen(styled=True))
    rows = terminal.type("", REPLAY)
    assert any(row.startswith("The game is over: ") for row in rows)
    assert "This is the last position: type b to go back or quit to leave." in terminal.type("", REPLAY)
    for wrong in ("-1", str(len(record) + 1), "x", "²"):
        assert f"Type a number from 0 to {len(record)}, Enter, b, end or quit." in terminal.type(
            wrong, REPLAY
        )
    assert any("after N steps" in row for row in terminal.type("help", REPLAY))
    assert terminal.type("quit", REPLAY)[-1] == "status 0"


@pytest.mark.parametrize(("key", "status"), [("C-c", 130), ("C-d", 0)])
def test_keys_that_end_a_replay(key: str, status: int, terminal: Terminal, tmp_path: Path) -> None:
    sarai.Record.from_steps("shah", [4, 19]).save(tmp_path / "game.txt")
    terminal.start("replay", "game.txt", "--from", "1", TERM="dumb")
    rows = terminal.until(asks(REPLAY))
    assert "This is the first position." in terminal.type("b", REPLAY)
    rows = terminal.key(key)
    assert rows[-1] == f"status {status}"
    told = "error: interrupted after 1 step; to go on: sarai replay game.txt --from 1"
    assert (told in rows) == (status == 130)
    assert "Traceback" not in "\n".join(rows)


def test_replay_of_everything_waits_for_nobody(terminal: Terminal, tmp_path: Path) -> None:
    sarai.Record.from_steps("shah", [4, 19]).save(tmp_path / "game.txt")
    terminal.start("replay", "game.txt", "--all")
    rows = terminal.until(ended)
    assert rows[-2:] == ["The record ends here; the game is unfinished.", "status 0"]


EXPLORE = r"(move|after .+)> ?"


def test_explore(terminal: Terminal, tmp_path: Path) -> None:
    rules = {"pieces": 3, "opening_removals": "none", "no_capture_limit": 0}
    game = sarai.make("shah", rules=rules)
    sarai.exact.solve(game, (3, 3), tmp_path / "tables", progress=False)
    sarai.exact.solve(game, None, tmp_path / "tables", placing=True, progress=False)
    words = [word for name, value in rules.items() for word in ("--option", f"{name}={value}")]
    empty = game.new_initial_state()
    one = empty.child(empty.string_to_action("b6"))
    terminal.start("explore", *words, "--tables", "tables")
    rows = terminal.until(asks(EXPLORE))
    assert rows[0].startswith("Type a move to go on")
    assert shows(rows, empty)
    assert "The second player (X) wins in 9 turns." in rows
    # What has no room is listed when it is asked for.
    assert rows[-2:] == ["... 2 more: type 'all'", "move>"]
    rows = terminal.type("all", EXPLORE)
    assert [row.split()[:2] for row in rows[-5:-1]] == [["1", "a7"], ["2", "d7"], ["3", "b6"], ["4", "d6"]]
    rows = terminal.type("3", EXPLORE)
    assert shows(rows, one)
    assert rows[-1] == "after b6>"
    assert "'zz' is no legal move" in terminal.type("zz", EXPLORE)[-2]
    assert shows(rows, one)
    rows = terminal.type("d7 d5 g4", EXPLORE)
    assert rows[-1] == "after b6 d7 d5 g4>"
    assert terminal.type("back", EXPLORE)[-1] == "after b6 d7 d5>"
    assert any("take back a move" in row for row in terminal.type("help", EXPLORE))
    for _ in range(3):
        rows = terminal.type("back", EXPLORE)
    assert shows(rows, empty)
    assert "This is the first position." in terminal.type("back", EXPLORE)
    assert terminal.type("", EXPLORE)[-1] == "status 0"


@pytest.mark.parametrize(("key", "status"), [("C-c", 130), ("C-d", 0)])
def test_keys_that_end_an_exploration(key: str, status: int, terminal: Terminal) -> None:
    terminal.start("explore", "--moves", "b6 f6")
    rows = terminal.until(asks(EXPLORE))
    assert rows[-1] == "after b6 f6>"
    rows = terminal.key(key)
    assert rows[-1] == f"status {status}"
    assert ('error: interrupted: to come back, give --moves "b6 f6"' in rows) == (status == 130)
