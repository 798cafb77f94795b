"""`sarai engine`: the sessions of docs/protocol.md, searches that are stopped, and lines that make no sense."""

from __future__ import annotations

import queue
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

import sarai
from helpers.places import ROOT

PAGE = (ROOT / "docs/protocol.md").read_text(encoding="utf-8")
SESSIONS = [
    block for block in re.findall(r"^```text\n(.*?)^```$", PAGE, re.M | re.S) if block.startswith("> ")
]


class Engine:
    """The command, and both ends of its pipes."""

    def __init__(self, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "sarai", "engine", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        self.said: queue.Queue[str] = queue.Queue()
        self.thread = threading.Thread(target=self.listen)
        self.thread.start()

    def listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.put(line.rstrip("\n"))

    def say(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def hear(self) -> str:
        return self.said.get(timeout=60)

    def ask(self, *lines: str) -> str:
        self.say(*lines)
        return self.hear()

    def end(self, status: int = 0) -> str:
        with self.process as process:
            assert process.stderr is not None
            assert process.wait(60) == status
            self.thread.join()
            assert self.said.empty()
            return process.stderr.read()


@contextmanager
def engine(*words: str) -> Iterator[Engine]:
    """An engine that ends when it is told to."""
    found = Engine(*words)
    with found.process:
        try:
            yield found
            with suppress(ValueError):
                found.say("quit")
            assert found.end() == ""
        finally:
            found.process.kill()


@pytest.mark.parametrize("session", SESSIONS, ids=["ugi", "ubgi"])
def test_a_session_of_the_page(session: str) -> None:
    words = ["shuanglu", "--preset", "backgammon"] if session.startswith("> ubgi") else []
    with engine(*words) as found:
        for line in session.splitlines():
            direction, text = line[0], line[2:]
            if direction == ">":
                assert found.said.empty()
                found.say(text)
                continue
            heard = re.sub(r" time \d+", " time MS", found.hear()).replace(sarai.__version__, "VERSION")
            assert heard == text


def test_the_page_has_every_word() -> None:
    source = (ROOT / "python/sarai/_cli/engine.py").read_text(encoding="utf-8")
    for kind in ("word", "question"):
        words = re.findall(rf'\b{kind} == "(\w+)"', source)
        assert len(words) > 6
        for word in words:
            assert re.search(rf"`(go )?{word}\b[^`]*`", PAGE, re.M), word


@pytest.mark.parametrize("name", sarai.games())
def test_a_game_is_played_with_its_questions_alone(name: str) -> None:
    """As an arena would that knows no rules: it throws dice, and asks who is to move."""
    moves: list[str] = []
    state = sarai.make(name).new_initial_state()
    with engine("--agent", "greedy") as found:
        found.say(f"setoption name Game value {name}")
        while True:
            found.say(f"position startpos moves {' '.join(moves)}" if moves else "position startpos")
            assert found.ask("query gameover") == f"response {str(state.is_terminal()).lower()}"
            player = found.ask("query player").removeprefix("response ")
            if player == "none" or len(moves) > 40:
                break
            if player == "chance":
                throws = found.ask("query dice").split()[1:]
                assert sum(float(throw.split(":")[1]) for throw in throws) == pytest.approx(1)
                moves.append(throws[len(moves) % len(throws)].split(":")[0])
                outcome = next(
                    o for o, _ in state.chance_outcomes() if state.outcome_to_string(o) == moves[-1]
                )
                state.apply_action(outcome)
            else:
                assert player == f"p{state.current_player() + 1}"
                legal = found.ask("query moves").split()[1:]
                assert found.ask("go").startswith("info depth ")
                moves.append(found.hear().removeprefix("bestmove "))
                assert moves[-1] in legal
                assert state.string_to_action(moves[-1].replace("_", " ")) == sarai.choose(state, "greedy")
                state.apply_action(state.string_to_action(moves[-1].replace("_", " ")))
        assert found.ask("query fen") == f"response {state}"


def test_the_result_of_a_game() -> None:
    game = sarai.make("shuanglu")
    with engine("shuanglu") as found:
        for winner in (0, 1):
            own, other = ("", "24:1") if winner == 0 else ("24:1", "")
            state = game.position(player=0, own=own, other=other)
            assert found.ask(f"position fen {state}", "query result") == f"response p{winner + 1}win"
            assert found.ask("query gameover") == "response true"
            assert found.ask("query moves") == "response none"
            assert found.ask("go").startswith("sorry ")


def test_a_seed_repeats_choices() -> None:
    with engine("shah", "--agent", "random", "--seed", "5") as found:
        first = [moved(found) for _ in range(8)]
        found.say("setoption name Seed value 5")
        assert [moved(found) for _ in range(8)] == first
        assert len(set(first)) > 1


def moved(found: Engine, *go: str) -> str:
    found.say(*(go or ("go",)))
    assert found.hear().startswith("info ")
    return found.hear()


@pytest.mark.parametrize("agent", ["mcts:100000", "alphabeta:64", "greedy"])
def test_a_search_is_stopped(agent: str) -> None:
    # Without the word, the first two would search for hours, and none would answer.
    with engine("shah", "--agent", agent) as found:
        found.say("go infinite")
        assert found.ask("isready") == "readyok"
        assert moved(found, "stop").startswith("bestmove ")
        # Sent at once, they may meet the search before it has begun.
        for _ in range(5):
            assert moved(found, "go infinite", "stop").startswith("bestmove ")
        found.say("stop", "stop")
        assert found.ask("isready") == "readyok"
        assert moved(found, "go movetime 1").startswith("bestmove ")
        assert moved(found, "go movetime 3600000" if agent != "greedy" else "go infinite", "stop")
        assert moved(found, "go p1time 30 p1inc 0 p2time 1 p2inc 0").startswith("bestmove ")
        assert moved(found, "go infinite", "quit").startswith("bestmove ")


def test_the_end_of_its_input_ends_it() -> None:
    with engine("shah", "--agent", "mcts:50") as found:
        assert found.process.stdin is not None
        found.say("go", "go infinite", "isready")
        found.process.stdin.close()
        heard = sorted(found.hear().split()[0] for _ in range(5))
        assert heard == ["bestmove", "bestmove", "info", "info", "readyok"]


def test_nobody_who_listens_ends_it() -> None:
    program = subprocess.Popen(
        [sys.executable, "-m", "sarai", "engine", "shah"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert program.stdin is not None
    assert program.stdout is not None
    program.stdout.close()
    program.stdin.write(b"ugi\n")
    program.stdin.flush()
    assert program.wait(60) == 1
    with program:
        pass


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_ends_it() -> None:
    found = Engine("shah", "--agent", "alphabeta:64")
    assert found.ask("isready") == "readyok"
    found.say("go infinite")
    found.process.send_signal(signal.SIGINT)
    assert "interrupted" in found.end(130)


WRONG = [
    "foo",
    "setoption",
    "setoption name Agent",
    "setoption name Hash value 1",
    "setoption name Agent value external:ls",
    "setoption name Agent value net:/no/such/file",
    "setoption name Game value chess",
    "setoption name Seed value x",
    "position",
    "position here",
    "position startpos x",
    "position fen",
    "position fen move player=7",
    "position startpos moves a1 a1",
    "query",
    "query meaning",
    "go depth",
    "go depth x",
    "go nodes " + "9" * 99,
    "go ponder",
    "go depth 9",
    "XGID=-b",
    "\x00\xff\u2028",
    "x" * 100_000,
]


def test_what_makes_no_sense_is_refused_and_changes_nothing() -> None:
    with engine("shah", "--agent", "mcts:10") as found:
        found.say("position startpos moves a1")
        for line in WRONG:
            heard = found.ask(line)
            assert heard.startswith("sorry "), line
            assert len(heard) < 2000
        assert "a1" not in found.ask("query moves").split()


def test_wrong_words_of_the_command_line() -> None:
    for words in (
        ["chess"],
        ["shah", "--agent", "gready"],
        ["shah", "--option", "x"],
        ["--agent", "external:ls"],
    ):
        assert "error: " in Engine(*words).end(2)
