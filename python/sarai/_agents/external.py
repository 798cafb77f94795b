"""Other programs as agents, asked over pipes or over a socket."""

from __future__ import annotations

import os
import queue
import re
import shlex
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import warnings
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sarai._agents.analysis import checked_state
from sarai._agents.policies import Named
from sarai._base import arguments
from sarai._core import Game, State
from sarai._game import make

_LONGEST_LINE = 1 << 16
_KEPT_OF_STDERR = 2000
_MOST_OPTIONS = 1000
_MOST_WORDS = 1000
_MOST_FAULTS = 10
"""After so many, a program is not asked again in the same arena: each may have cost the whole timeout."""

_SETTINGS_OF_GNUBG = """\
set sound enable off
set evaluation chequerplay evaluation plies {plies}
set evaluation chequerplay evaluation cubeful off
set evaluation chequerplay evaluation noise 0
set jacoby off
external {path}
"""


class ExternalError(RuntimeError):
    """Another program has failed: it was silent, died, or did not answer with a legal move."""


class External(Named):
    """Another program as an agent: it is asked for each decision, over its own protocol.

    The program is started at the first decision and runs until `close`, until this object is gone, or until Python
    ends. One that fails is ended, and `ExternalError` shows the command, what was expected, and the end of its stderr;
    the next decision starts it again. In `sarai.arena` and `sarai.sprt`, a fault is a warning, and a random move is
    played in its place; after ten faults, the program is not asked again. No name, record or file leads to a program:
    this object is the only way to run one, and it cannot be pickled.

    Args:
        command: The program and its arguments: a list of words, or a text that is split into words as a shell would,
            without running one.
        protocol: "sarai", the text protocol of `sarai engine` (docs/protocol.md); "ubgi", the Universal Backgammon
            Interface; or "gnubg", GNU Backgammon as an external player. The last two play
            `shuanglu(preset=backgammon)`, with any scoring.
        options: For "sarai", options of the program by name, such as {"Agent": "mcts:200"}; for "gnubg", {"plies": 2}
            (0 by default).
        go: For "sarai", the words after "go", such as "nodes 1000" or "movetime 50".
        timeout: The seconds to wait for an answer, from starting the program to its first words and for each move.

    Attributes:
        command: The words of the command.
        faults: What went wrong in arenas, oldest first.

    Raises:
        ValueError: The command is empty, the protocol is unknown or has no such option, or the timeout is not above 0.
        TypeError: An argument has the wrong type.

    >>> import sys, sarai
    >>> from sarai import agents
    >>> with agents.External([sys.executable, "-m", "sarai", "engine", "--agent", "greedy"]) as greedy:
    ...     sarai.rollout("shah", [greedy, "random"], 1, seed=1).agents
    ('external:python...', 'random')
    >>> agents.External("my-engine", protocol="uci")
    Traceback (most recent call last):
    ...
    ValueError: protocol got 'uci'; it takes 'sarai' or 'ubgi' or 'gnubg'
    """

    def __init__(
        self,
        command: str | Sequence[str],
        protocol: str = "sarai",
        *,
        options: Mapping[str, object] | None = None,
        go: str = "",
        timeout: float = 60.0,
    ) -> None:
        """Read the arguments; nothing is started yet."""
        self.command = tuple(_words(command))
        self.protocol = arguments.one_of("protocol", protocol, tuple(_PROTOCOLS))
        given = {} if options is None else options
        if not isinstance(given, Mapping):
            raise TypeError(f"options must be a dict of options by name, not {type(given).__name__}")
        known = _PROTOCOLS[self.protocol].options
        unknown = [] if known is None else [name for name in given if name not in known]
        if unknown:
            takes = ", ".join(known or ["none"])
            raise ValueError(
                f"options has {arguments.short(unknown[0])}; protocol {protocol!r} takes {takes}"
            )
        self._options = {_one_line("options", name): _one_line("options", given[name]) for name in given}
        self._go = _one_line("go", go)
        if self._go and self.protocol != "sarai":
            raise ValueError(f"go is for protocol 'sarai'; protocol {protocol!r} takes none")
        self.timeout = arguments.number("timeout", timeout)
        if not 0 < self.timeout <= threading.TIMEOUT_MAX:
            raise ValueError(f"timeout got {arguments.short(timeout)}; it takes a number of seconds above 0")
        self.faults: list[str] = []
        self._lock = threading.Lock()
        self._talk: _Talk | None = None
        self._end: Callable[[], object] | None = None
        # What is still to be played of turns that the program has chosen, by position: as often as games stand there.
        self._plans: dict[str, list[int]] = {}

    def choose_many(self, states: Any, seats: NDArray[np.int8]) -> NDArray[np.int64]:
        """Ask the program for an action in each row.

        Args:
            states: A `sarai.States` in each row of which it is a player's turn.
            seats: The seats to act, int8 (N,); they follow from the states.

        Raises:
            ExternalError: The program has failed.
            ValueError: It does not play this game, or has no such option.
        """
        return np.array([self.choose(states[row]) for row in range(len(states))], np.int64)

    def choose(self, state: State) -> int:
        """Ask the program for an action in one state.

        Args:
            state: A state in which it is a player's turn.

        Raises:
            ExternalError: The program has failed.
            ValueError: It is no player's turn, or the program does not play this game or has no such option.
        """
        if checked_state(state).current_player() < 0:
            raise ValueError("no player acts here, so there is nothing to choose")
        text = str(state)
        with self._lock:
            talk = self._running(state.get_game())
            if planned := self._plans.pop(text, None):
                action = planned.pop()
                if planned:
                    self._plans[text] = planned
                return action
            with self._faults_end_it():
                return self._begin_turn(state, talk.ask(state))

    def close(self) -> None:
        """End the program, if it runs; another decision starts it again."""
        with self._lock:
            self._close()

    def _running(self, game: Game) -> _Talk:
        """The program, started if need be, and set up for this game."""
        talk = self._talk
        if talk is None or talk.game != game or talk.owner != os.getpid():
            self._close()
            with self._faults_end_it():
                talk = self._talk = _PROTOCOLS[self.protocol](
                    self.command, game, self.timeout, self._options, self._go
                )
                self._end = weakref.finalize(self, talk.end)
                talk.begin()
        return talk

    @contextmanager
    def _faults_end_it(self) -> Iterator[None]:
        try:
            yield
        except BaseException as error:
            # Whatever it says next may be an answer to this question.
            self._close()
            if isinstance(error, _FaultError):
                command = shlex.join(self.command)
                raise ExternalError(
                    f"program {command:.1000}: expected {error.expected}, got {error.got}"
                ) from None
            raise

    def _begin_turn(self, state: State, answer: str) -> int:
        """The first action of a turn; the others are kept until their positions come."""
        try:
            first, *rest = state.string_to_actions(answer)
        except ValueError as error:
            raise _FaultError(f"a legal move in the position {str(state)!r}", str(error)) from None
        step = state.child(first)
        for action in rest:
            self._plans.setdefault(str(step), []).append(action)
            step = step.child(action)
        return first

    def _close(self) -> None:
        self._plans.clear()
        if self._end is not None:
            self._end()
        self._talk = self._end = None

    def _in_arena(self, game: Game) -> _InArena:
        """This agent as one whose faults end no arena; the program is started, so that it is known to exist."""
        with self._lock:
            self._running(game)
        return _InArena(self)

    def __enter__(self) -> External:
        """This object."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the program."""
        self.close()

    def __reduce__(self) -> Any:
        raise TypeError(
            "an External runs a program, so it cannot be pickled; make one in each process that is to play with it"
        )

    def __str__(self) -> str:
        return "external:" + Path(self.command[0]).name.encode("unicode_escape").decode()

    def __repr__(self) -> str:
        return f"External({shlex.join(self.command)!r}, {self.protocol!r})"


class _InArena(Named):
    """A program whose faults are warnings: a random move is played where it has failed."""

    def __init__(self, external: External) -> None:
        self._external = external
        self._faults = 0
        self._rng = np.random.default_rng(0)

    def choose_many(self, states: Any, seats: NDArray[np.int8]) -> NDArray[np.int64]:
        """An action for each row."""
        return np.array([self._choose(states[row]) for row in range(len(states))], np.int64)

    def _choose(self, state: State) -> int:
        if self._faults < _MOST_FAULTS:
            try:
                return self._external.choose(state)
            except ExternalError as error:
                self._faults += 1
                self._external.faults.append(str(error))
                left = "" if self._faults < _MOST_FAULTS else "; after so many faults, it is not asked again"
                warnings.warn(f"{error}; a random move is played{left}", RuntimeWarning, stacklevel=2)
        return int(self._rng.choice(state.legal_actions()))

    def __str__(self) -> str:
        return str(self._external)


class _FaultError(Exception):
    """What was expected of a program, and what came."""

    def __init__(self, expected: str, got: str) -> None:
        super().__init__(expected, got)
        self.expected = expected
        self.got = got


class _Program:
    """A process and the thread that talks with it, so that whoever asks never waits for longer than the timeout."""

    def __init__(self, words: Sequence[str], timeout: float) -> None:
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                # A group of its own, so that all that it starts ends with it.
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise _FaultError("a program that can be started", str(error)) from None
        # Any of two kinds of stream, of which a socket's is none for mypy.
        self.writer: Any = self._process.stdin
        self.reader: Any = self._process.stdout
        self.listed: list[str] = []
        self._timeout = timeout
        self._is_over = False
        self._last = "nothing"
        self._complaint = b""
        self._questions: queue.SimpleQueue[tuple[str, tuple[str, ...]] | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[str | _FaultError] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._converse, daemon=True)
        self._thread.start()
        threading.Thread(target=self._listen_to, args=(self._process.stderr,), daemon=True).start()

    def ask(self, question: str, *wanted: str) -> str:
        """Write lines, and wait for one that begins with each wanted word; what follows the last word.

        Raises:
            _FaultError: It does not come in time, or cannot come any more.
        """
        self._questions.put((question, wanted))
        try:
            answer = self._answers.get(timeout=self._timeout)
        except queue.Empty:
            answer = _FaultError(_expected(wanted[-1]), f"{self._last} in {self._timeout:g} s")
        if isinstance(answer, _FaultError):
            complaint = self._complaint[-_KEPT_OF_STDERR:].decode("utf-8", "replace").strip()
            raise _FaultError(
                answer.expected, answer.got + (f"; its stderr ends with {complaint!r}" if complaint else "")
            )
        return answer

    def go_on_over(self, connection: socket.socket) -> None:
        """Talk over a socket from here on."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        # What nobody reads would fill the pipe in the end, and stop the program.
        threading.Thread(target=self._listen_to, args=(self._process.stdout,), daemon=True).start()
        self.reader = self.writer = connection.makefile("rwb")

    def end(self, farewell: str) -> None:
        """End the process: politely if it listens, else by force."""
        self._is_over = True
        self._questions.put((farewell, ()))
        self._questions.put(None)
        self._thread.join(1.0)
        if self._process.returncode is None:
            with suppress(OSError):
                if hasattr(os, "killpg"):
                    os.killpg(self._process.pid, signal.SIGKILL)
                else:
                    self._process.kill()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(10)
        self._thread.join(1.0)

    def _converse(self) -> None:
        while (asked := self._questions.get()) is not None:
            question, wanted = asked
            try:
                self.writer.write(question.encode())
                self.writer.flush()
            except OSError:
                if wanted:
                    self._answers.put(_FaultError(_expected(wanted[-1]), self._ending("input")))
            else:
                if wanted:
                    self._answers.put(self._answer(wanted))
        with suppress(OSError):
            self.writer.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        with suppress(OSError):
            self.reader.close()

    def _answer(self, wanted: tuple[str, ...]) -> str | _FaultError:
        found = ""
        for word in wanted:
            while True:
                try:
                    line = self.reader.readline(_LONGEST_LINE)
                except OSError:
                    line = b""
                if self._is_over or not line:
                    return _FaultError(_expected(word), self._ending("output"))
                if not line.endswith(b"\n") and len(line) == _LONGEST_LINE:
                    return _FaultError(_expected(word), f"a line of {_LONGEST_LINE:,} bytes or more")
                text = line.decode("utf-8", "replace").strip()
                first, _, rest = text.partition(" ")
                if first == "sorry":
                    return _FaultError(_expected(word), repr(text[:1000]))
                if word in ("", first):
                    found = rest if word else text
                    break
                if first == "option" and len(self.listed) < _MOST_OPTIONS:
                    self.listed.append(rest)
                self._last = f"only lines like {text[:100]!r}"
        return found

    def _ending(self, stream: str) -> str:
        try:
            return f"the end of the program, with exit status {self._process.wait(1)}"
        except subprocess.TimeoutExpired:
            return f"the end of its {stream}"

    def _listen_to(self, stream: Any) -> None:
        with stream, suppress(OSError):
            while heard := stream.read1(4096):
                self._complaint = (self._complaint + heard)[-_KEPT_OF_STDERR:]


def _expected(word: str) -> str:
    return f"a line {word!r}" if word else "a line"


class _Talk:
    """A protocol, spoken with a program about one game."""

    options: ClassVar[tuple[str, ...] | None] = ()
    """The names of its options; None is any."""
    farewell: ClassVar[str] = "quit\n"

    def __init__(
        self, command: Sequence[str], game: Game, timeout: float, options: Mapping[str, str], go: str
    ) -> None:
        self.game = game
        self.owner = os.getpid()
        self._options = options
        self._go = go
        self._timeout = timeout
        self._program = _Program(command, timeout)

    def begin(self) -> None:
        """Do what comes before the first position.

        Raises:
            _FaultError: The program does not.
            ValueError: It does not play this game, or has no such option.
        """

    def ask(self, state: State) -> str:
        """The action or the turn that the program chooses.

        Raises:
            _FaultError: It chooses none.
        """
        raise NotImplementedError

    def end(self) -> None:
        """End the program; not that of another process, from which this one was forked."""
        if os.getpid() == self.owner:
            self._program.end(self.farewell)


class _Sarai(_Talk):
    """What docs/protocol.md describes."""

    options = None

    def begin(self) -> None:
        self._program.ask("ugi\n", "ugiok")
        known = [found[1] for line in self._program.listed if (found := re.match(r"name (.+?) type ", line))]
        settings = dict(self._options)
        if wrong := next((name for name in settings if name not in known), None):
            raise ValueError(
                f"options has {wrong!r}, and the options of the program are {', '.join(known) or 'none'}"
            )
        if "Game" in known:
            settings = {"Game": str(self.game), **settings}
        lines = [f"setoption name {name} value {value}\n" for name, value in settings.items()]
        self._program.ask("".join([*lines, "uginewgame\n", "isready\n"]), "readyok")

    def ask(self, state: State) -> str:
        # What was said before "readyok" belongs to an earlier question.
        question = f"isready\nposition fen {state}\n{f'go {self._go}'.strip()}\n"
        answer = self._program.ask(question, "readyok", "bestmove")
        return answer.partition(" ponder ")[0].replace("_", " ")


class _Backgammon(_Talk):
    """What those have in common who play nothing else."""

    def begin(self) -> None:
        due = make("shuanglu", preset="backgammon").rules
        free = ("scoring", "max_turns")
        if self.game.name != "shuanglu" or any(
            self.game.rules[name] != due[name] for name in due if name not in free
        ):
            raise ValueError(f"the program plays shuanglu(preset=backgammon), not {self.game}")


class _Ubgi(_Backgammon):
    """The Universal Backgammon Interface, draft 0.01."""

    def begin(self) -> None:
        super().begin()
        self._program.ask("ubgi\n", "readyok")

    def ask(self, state: State) -> str:
        return self._program.ask(f"{state.to_text('xgid')}\n", "")


class _Gnubg(_Backgammon):
    """GNU Backgammon over its interface for external players: for money, without the cube."""

    options = ("plies",)
    # It is asked on a socket, and ends when that is closed.
    farewell = ""

    def __init__(
        self, command: Sequence[str], game: Game, timeout: float, options: Mapping[str, str], go: str
    ) -> None:
        plies = options.get("plies", "0")
        if not re.fullmatch("[0-7]", plies):
            raise ValueError(f"plies got {plies!r}; it takes 0 to 7")
        self._folder = tempfile.TemporaryDirectory()
        self._path = Path(self._folder.name, "socket")
        commands = Path(self._folder.name, "commands")
        settings = _SETTINGS_OF_GNUBG.format(plies=plies, path=self._path)
        commands.write_text(settings, encoding="ascii")
        first, *rest = command
        # Debian has it where not everybody looks for programs.
        found = shutil.which(first, path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"])) or first
        words = [found, *rest, "--tty", "--quiet", "--no-rc", "--commands", str(commands)]
        try:
            super().__init__(words, game, timeout, options, go)
        except _FaultError:
            self._folder.cleanup()
            raise

    def begin(self) -> None:
        super().begin()
        self._program.ask("", "Waiting")
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(self._timeout)
                connection.connect(str(self._path))
                connection.settimeout(None)
                self._program.go_on_over(connection)
        except (OSError, AttributeError) as error:
            raise _FaultError("a connection to its socket", str(error)) from None

    def ask(self, state: State) -> str:
        turn = self._program.ask(f"{fibs(state)}\n", "")
        # A number in brackets is that of pieces, and no die.
        return re.sub(r"(\S+)\((\d)\)", lambda found: " ".join([found[1]] * int(found[2])), turn)

    def end(self) -> None:
        super().end()
        if os.getpid() == self.owner:
            self._folder.cleanup()


def fibs(state: State) -> str:
    """A position of backgammon in the form of FIBS: the player to move has the positive numbers."""
    told = state.to_dict()
    mover = state.current_player()
    (own, other), (bar, other_bar), (off, other_off) = (
        (told[name][mover], told[name][1 - mover]) for name in ("points", "bar", "off")
    )
    points = [own[point - 1] - other[24 - point] for point in range(1, 25)]
    dice = told["dice"]
    cells = [0, 0, 0, -other_bar, *points, bar, 1, dice[0], dice[-1], 0, 0, 1, 1, 1, 0, 1, -1, 0, 25]
    cells += [off, other_off, bar, other_bar, 2, 0, 0, 0]
    return ":".join(["board:You:other", *map(str, cells)])


_PROTOCOLS: dict[str, type[_Talk]] = {"sarai": _Sarai, "ubgi": _Ubgi, "gnubg": _Gnubg}


def _words(command: object) -> tuple[str, ...]:
    """The words of a command."""
    if isinstance(command, str):
        words = shlex.split(command, posix=os.name != "nt")
    elif isinstance(command, Iterable) and not isinstance(command, bytes):
        words = [arguments.path(word) for word in islice(command, _MOST_WORDS + 1)]
    else:
        raise TypeError(f"command must be a str or a list of str, not {type(command).__name__}")
    if not 1 <= len(words) <= _MOST_WORDS or not words[0] or any("\0" in word for word in words):
        raise ValueError(f"command got {arguments.short(command)}; it takes a program and its arguments")
    return tuple(words)


def _one_line(name: str, given: object) -> str:
    """What goes into a line of a protocol."""
    if not isinstance(given, (str, int, float)):
        raise TypeError(f"{name} must be a str or a number, not {type(given).__name__}")
    text = str(given)
    if re.search(r"[\x00-\x1f\ud800-\udfff]", text):
        raise ValueError(f"{name} got {arguments.short(given)}; it takes one line of text")
    return text
