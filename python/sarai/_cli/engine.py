"""`sarai engine`: agents for other programs, over a text protocol on stdin and stdout (docs/protocol.md)."""

from __future__ import annotations

import _thread
import itertools
import math
import queue
import random
import re
import secrets
import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from typing import IO, Any

import click

import sarai
from sarai._agents.analysis import Analysis, ask
from sarai._agents.engine import EngineAgent, parse
from sarai._cli.basics import examples, input_errors, parse_options, rules_options
from sarai._core import Game, State
from sarai._game import games, make

_AGENT = "mcts:2000"
_LONGEST_LINE = 1 << 20
_QUESTIONS = ("gameover", "p1turn", "result", "player", "moves", "dice", "fen")
# A stopped search has no result, so a shorter one takes its place.
_AFTER_STOP = 0.1


@click.command(
    "engine",
    short_help="Let other programs ask an agent for moves.",
    help="""Speak the Universal Game Interface (UGI) over stdin and stdout, so that other arenas and boards can ask an
    agent for moves; docs/protocol.md describes every line. GAME is sho by default; the other side can also set the
    game, the agent and the seed.
    """,
    epilog=examples(
        "sarai engine shah --agent alphabeta:8",
        "sarai engine shuanglu --preset backgammon --agent expectimax:2,net=backgammon",
    ),
)
@click.argument("game", default=games()[0])
@rules_options
@click.option("--agent", default=_AGENT, show_default=True, help="The agent; 'sarai agents' lists them.")
@click.option("--seed", type=int, help="The seed of the agent's random numbers. Default: a new one.")
def command(game: str, preset: str | None, options: tuple[str, ...], agent: str, seed: int | None) -> None:
    """Answer until the other side leaves."""
    rules = parse_options(options)
    with input_errors():
        engine = _Engine(make(game, preset=preset, rules=rules), parse(agent), seed)
    # Python cannot end while a thread holds the lock of a buffer, and the one that reads may wait for ever.
    stream = getattr(sys.stdin, "buffer", None)
    engine.run(_lines(getattr(stream, "raw", stream)))


class _RefusedError(Exception):
    """A command that cannot be carried out, and why."""


class _StoppedError(Exception):
    """The other side has stopped a search."""

    def __str__(self) -> str:
        return "the search was stopped"


class _Search:
    """A line that asks for a move, and whether it has been taken back."""

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.stopped = threading.Event()


class _Engine:
    """The state of a conversation: the game, the agent, the position."""

    def __init__(self, game: Game, agent: EngineAgent, seed: int | None) -> None:
        self._game = game
        self._agent = agent
        self._random = random.Random(secrets.randbits(64) if seed is None else seed)
        self._state = game.new_initial_state()
        self._commands: queue.SimpleQueue[str | _Search | None] = queue.SimpleQueue()
        self._pending: list[_Search] = []
        self._running: _Search | None = None
        self._is_stopping = False

    def run(self, lines: Iterable[str]) -> None:
        """Carry out commands until there are no more."""
        before = signal.signal(signal.SIGINT, self._interrupted)
        try:
            threading.Thread(target=self._read, args=(lines,), daemon=True).start()
            while (asked := self._commands.get()) is not None:
                self._answer_to(asked)
        finally:
            signal.signal(signal.SIGINT, before)

    def _answer_to(self, asked: str | _Search) -> None:
        try:
            if isinstance(asked, _Search):
                self._go(asked)
            else:
                self._carry_out(asked)
        except (_RefusedError, _StoppedError, ValueError, TypeError, OverflowError, MemoryError) as error:
            say(f"sorry {error}")

    def _read(self, lines: Iterable[str]) -> None:
        """On a thread of its own: what cannot wait for the end of a search is done here."""
        try:
            for line in lines:
                word, *rest = line.split() or [""]
                if word in ("stop", "quit"):
                    self._stop(self._pending)
                    if word == "quit":
                        return
                elif word == "isready" and self._pending:
                    say("readyok")
                elif word == "go":
                    search = _Search(rest)
                    self._pending.append(search)
                    self._commands.put(search)
                elif word:
                    self._commands.put(line)
            # Nobody is left to stop what has no end of its own.
            self._stop([search for search in self._pending if "infinite" in search.words])
        except OSError:
            # Nobody listens or speaks any more.
            self._stop(self._pending)
        finally:
            self._commands.put(None)

    def _stop(self, searches: Iterable[_Search]) -> None:
        for search in [*searches]:
            search.stopped.set()
        self._is_stopping = True
        _thread.interrupt_main()

    def _interrupted(self, *_: Any) -> None:
        if not self._is_stopping:
            raise KeyboardInterrupt
        self._is_stopping = False
        running = self._running
        if running is not None and running.stopped.is_set():
            self._running = None
            raise _StoppedError

    def _carry_out(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        if line.startswith("XGID="):
            say(self._turn(line))
        elif word == "ugi":
            _say_who()
            say(f"option name Game type string default {self._game}")
            say(f"option name Agent type string default {self._agent}")
            say("option name Seed type string default <empty>")
            say("ugiok")
        elif word == "ubgi":
            _say_who()
            say(f"id version {sarai.__version__}")
            say("readyok")
        elif word == "isready":
            say("readyok")
        elif word == "setoption":
            self._set(rest)
        elif word == "uginewgame":
            self._state = self._game.new_initial_state()
        elif word == "position":
            self._state = self._position(rest)
        elif word == "query":
            say(f"response {self._answer(rest)}")
        else:
            raise _RefusedError(f"there is no command {word[:80]!r}")

    def _set(self, rest: str) -> None:
        found = re.fullmatch(r"name +(\S+) +value +(.+)", rest)
        if found is None:
            raise _RefusedError("setoption takes name NAME value VALUE")
        name, value = found[1].lower(), found[2]
        if name == "game":
            self._game = make(value)
            self._state = self._game.new_initial_state()
        elif name == "agent":
            self._agent = parse(value)
        elif name == "seed":
            self._random = random.Random(int(value))
        else:
            raise _RefusedError(f"there is no option {found[1][:80]!r}; there are Game, Agent and Seed")

    def _position(self, rest: str) -> State:
        start, _, played = f" {rest} ".partition(" moves ")
        kind, _, text = start.strip().partition(" ")
        if kind == "startpos" and not text:
            state = self._game.new_initial_state()
        elif kind == "fen" and text:
            state = self._game.parse(text.strip())
        else:
            raise _RefusedError(
                "position takes startpos or fen POSITION, and perhaps moves MOVE ... after it"
            )
        for move in played.split():
            state.apply_action(_named(state, move))
        return state

    def _answer(self, question: str) -> str:
        """What a question about the position is answered with."""
        state = self._state
        player = state.current_player()
        if question == "gameover":
            return str(state.is_terminal()).lower()
        if question == "p1turn":
            return str(player == 0).lower()
        if question == "result" and state.is_terminal():
            return "draw" if state.winner is None else f"p{state.winner + 1}win"
        if question == "player" and not state.is_terminal():
            return "chance" if state.is_chance_node() else f"p{player + 1}"
        if question == "moves" and player >= 0:
            return " ".join(_word(state.action_to_string(action)) for action in state.legal_actions())
        if question == "dice" and state.is_chance_node():
            thrown = (
                (_word(state.outcome_to_string(dice)), chance) for dice, chance in state.chance_outcomes()
            )
            return " ".join(f"{name}:{chance:.9g}" for name, chance in thrown)
        if question == "fen":
            return str(state)
        if question in _QUESTIONS:
            return "none"
        raise _RefusedError(f"there is no question {question[:80]!r}; ask {', '.join(_QUESTIONS)}")

    def _go(self, search: _Search) -> None:
        try:
            found = self._search(search)
        finally:
            self._running = None
            self._pending.remove(search)
        say(f"info {_info(found)}")
        say(f"bestmove {_word(self._state.action_to_string(found.best))}")

    def _search(self, search: _Search) -> Analysis:
        if self._state.current_player() < 0:
            raise _RefusedError("no player is to move")
        agent, seconds = _limited(self._agent, search.words, self._state)
        seed = self._random.getrandbits(64)
        found = None
        try:
            self._running = search
            for limit in seconds:
                if search.stopped.is_set():
                    break
                found = ask(self._state, agent, seed, limit)
                if limit is not None and found.seconds < limit:
                    # It has come to its own end; a longer one would find the same.
                    break
            if "infinite" in search.words:
                search.stopped.wait()
            self._running = None
        except _StoppedError:
            pass
        return found or ask(self._state, agent, seed, _AFTER_STOP)

    def _turn(self, xgid: str) -> str:
        """All moves of a turn, as UBGI has them: from where to where, without signs for hits and dice."""
        state = self._game.parse(xgid)
        if state.is_chance_node():
            return "roll"
        player, moves = state.current_player(), []
        while state.current_player() == player:
            action = ask(state, self._agent, self._random.getrandbits(64), None).best
            moves.append(re.sub(r"\*|\(.*?\)", "", state.action_to_string(action)))
            state.apply_action(action)
        return " ".join(moves)


def say(line: str) -> None:
    """Write a line at once: somebody waits for it."""
    click.echo(" ".join(line.splitlines()))
    sys.stdout.flush()


def _say_who() -> None:
    say(f"id name Sarai {sarai.__version__}")
    say("id author The Sarai developers")


def _lines(stream: IO[bytes] | None) -> Iterator[str]:
    rest = b""
    while stream is not None and (chunk := stream.read(1 << 16)):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line.decode("utf-8", "replace").strip()
        # What is too long for a line is no command, and is refused as one.
        rest = rest[:_LONGEST_LINE]
    yield rest.decode("utf-8", "replace").strip()


def _word(name: str) -> str:
    """The name of a move as one word."""
    return name.replace(" ", "_")


def _named(state: State, word: str) -> int:
    """The move, or the throw, with this name."""
    name = word.replace("_", " ")
    if not state.is_chance_node():
        return state.string_to_action(name)
    thrown = {state.outcome_to_string(dice): dice for dice, _ in state.chance_outcomes()}
    if name not in thrown:
        raise _RefusedError(f"{word[:80]!r} is not a throw here; the throws are {', '.join(thrown)}")
    return thrown[name]


def _limited(
    agent: EngineAgent, words: list[str], state: State
) -> tuple[EngineAgent, Iterable[float | None]]:
    """The agent with the limits of a search, and how long to search, shorter searches before longer ones."""
    seconds: float | None = None
    limits = [word for word in words if word != "infinite"]
    given = dict(itertools.zip_longest(limits[::2], limits[1::2], fillvalue=""))
    for word, text in given.items():
        if not re.fullmatch(r"-?\d{1,15}", text):
            raise _RefusedError(f"go {word[:80]} takes a whole number, not {text[:80]!r}")
        number = max(int(text), 1)
        if word == "movetime":
            seconds = number / 1000
        elif word in ("nodes", "depth"):
            kinds = ("mcts",) if word == "nodes" else ("alphabeta", "expectimax")
            if agent.kind not in kinds:
                raise _RefusedError(
                    f"agent {str(agent)!r} takes no {word}: that is for {' and '.join(kinds)}"
                )
            agent = parse(re.sub(r":\d+", f":{number}", str(agent), count=1))
        elif not re.fullmatch(r"p\d(time|inc)|movestogo", word):
            raise _RefusedError(f"go takes no {word[:80]!r}")
    player = f"p{state.current_player() + 1}"
    if f"{player}time" in given:
        left, more = (max(int(given.get(player + word, 0)), 0) / 1000 for word in ("time", "inc"))
        # A game has some thirty more decisions as often as not.
        seconds = max(min(left / 30 + more, left / 2), 0.001)
    if "infinite" in words:
        return agent, (_AFTER_STOP * 2**doubled for doubled in itertools.count())
    return agent, [seconds]


def _info(found: Analysis) -> str:
    best = next(move for move in found.moves if move.action == found.best)
    told = f"depth {found.depth} nodes {found.simulations or found.nodes} time {round(1000 * found.seconds)}"
    if not math.isnan(best.value):
        told += f" score cp {round(100 * best.value)}"
    return f"{told} pv {' '.join(map(_word, best.line))}"
