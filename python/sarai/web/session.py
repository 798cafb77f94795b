"""A game under way on a board: commands in, snapshots out. How both travel is the business of whoever holds it."""

from __future__ import annotations

import math
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from sarai import _core
from sarai._core import Game, State
from sarai.agents.analysis import Analysis, of
from sarai.arguments import from_zero, short
from sarai.exact import tables as exact
from sarai.game import games, make
from sarai.records.record import Record
from sarai.render import scene
from sarai.web import commands
from sarai.web.catalogue import catalogue
from sarai.web.course import PERSON, Course, from_record, log, persons_of
from sarai.web.thinking import Stopped, Thinker, Watch, pause, place

Answer: TypeAlias = dict[str, Any]
"""What a command is answered with: a snapshot, or what was asked for."""

_ADVISER = "mcts:1000,evaluator=heuristic"
"""Who gives hints and analyses where the tables of the package do not know the position."""

_LOGGED = 40
"""How many steps a snapshot tells in words."""


class Session:
    """A game that persons and agents play, one command after the other.

    It may be used from several threads. Chance and agents go on by themselves in a thread, until it is a person's turn;
    whoever wants to know of that gives `on_change`.

    Args:
        begin: The state in which the game begins, or a record to look at and to go on with; None for the first game.
        seats: Who has each seat, `PERSON` or an agent's name; None for a person against "greedy", or for whom the
            record names.
        seed: What dice and agents' choices come from; None draws one.
        theme: "light" or "dark".
        pace: Seconds between two steps that are not a person's, so that eyes can follow.
        allow: Raises ValueError for an agent that may not be seated later on; None allows all that play in the engine.
        own: Agents that are no names of the engine, by the names under which they are seated; each chooses in a state.
        adviser: Who gives hints and analyses; None takes the tables of the package or a search.
        slots: Bounds how many agents think at the same time, in all sessions that share it.
        on_change: Is called, from any thread and without arguments, after each change. It may hold `lock`, but no
            other lock that is held where the session is used.

    Attributes:
        lock: Held while something changes.

    >>> session = Session(seed=3)
    >>> answer = session.do({"do": "new", "game": "shah", "seats": ["person", "greedy"]})
    >>> answer["mine"], answer["at"]
    (True, 0)
    >>> answer = session.do({"do": "play", "action": answer["moves"][0]["action"]})
    >>> session.wait(), session.snapshot()["at"]
    (True, 2)
    >>> session.do({"do": "play", "action": 4})["error"]
    'action 4 is not legal here; the legal ones are ...'
    """

    def __init__(
        self,
        begin: State | Record | None = None,
        seats: Sequence[str] | None = None,
        *,
        seed: int | None = None,
        theme: str = "light",
        pace: float = 0.0,
        allow: Callable[[str], None] | None = None,
        own: Mapping[str, Callable[[State], int]] | None = None,
        adviser: str | None = None,
        slots: threading.Semaphore | None = None,
        on_change: Callable[[], None] | None = None,
    ) -> None:
        self.lock = threading.RLock()
        self._thinker = Thinker()
        self._allow: Callable[[str], None] | None = None
        self._own = dict(own or {})
        self._adviser = adviser
        self._slots = slots
        self._pace = pace
        self._on_change = on_change
        self._theme = theme
        self._version = 0
        self._snapshot: tuple[int, Answer] | None = None
        seed = secrets.randbits(32) if seed is None else from_zero("seed", seed)
        if isinstance(begin, Record):
            course = from_record(begin, self._seated(begin.get_game(), seats or persons_of(begin)), seed)
        else:
            game = make(games()[0]) if begin is None else begin.get_game()
            course = Course(game, self._seated(game, seats), seed, begin)
        # Whom no record can name is refused here, and not in the thread.
        course.record()
        # Whom the holder seats may come back; others must be allowed.
        self._allow = allow
        self._guests = {*course.seats, *([adviser] if adviser else [])} - {PERSON}
        self._guests_play = course.game.name
        self._take_up(course)

    def do(self, command: object) -> Answer:
        """Carry out a command of `sarai.web.commands.COMMANDS`.

        Returns:
            The snapshot after it; for "save", "catalogue" and "check" what was asked for. Where a command cannot be
            carried out nothing changes, and "error" says why.
        """
        try:
            name, fields = commands.read(command)
            with self.lock:
                answer: Answer | None = getattr(self, f"_do_{name}")(**fields)
                if answer is None:
                    # Told before an agent's next step can come in between.
                    self._tell()
        except (ValueError, TypeError, OverflowError) as error:
            return {**self.snapshot(), "error": str(error)}
        if answer is not None:
            return {"error": None, **answer}
        return self.snapshot()

    def snapshot(self) -> Answer:
        """All that a board shows; the same dict until something changes, so it is only to be read."""
        with self.lock:
            if self._snapshot is None or self._snapshot[0] != self._version:
                self._snapshot = self._version, self._drawn()
            return self._snapshot[1]

    @property
    def state(self) -> State:
        """The position that is shown, as a copy."""
        with self.lock:
            return self._course.at(self._at)

    @property
    def record(self) -> Record:
        """The game so far."""
        with self.lock:
            return self._course.record()

    @property
    def is_thinking(self) -> bool:
        """Whether agents, a hint or an analysis are under way."""
        with self.lock:
            return self._thinking is not None

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until nobody thinks any more; False where that took longer than so many seconds."""
        return self._thinker.wait(timeout)

    def close(self) -> None:
        """Call off whoever thinks. The session can be read and even played on afterwards."""
        with self.lock:
            self._halt()

    # What the commands do. Each runs under the lock, and changes nothing before it knows that it can.

    def _do_new(
        self,
        game: str,
        preset: str | None = None,
        rules: dict[str, Any] | None = None,
        seats: list[str] | None = None,
        seed: int | None = None,
    ) -> None:
        made = make(game, preset=preset, rules=rules)
        seed = secrets.randbits(32) if seed is None else seed
        self._take_up(Course(made, self._seated(made, seats), seed))

    def _do_play(self, action: int, seat: int | None = None, at: int | None = None) -> None:
        course = self._course
        self._at_the_end("play")
        if at is not None and at != len(course.steps):
            raise ValueError("the game has gone on meanwhile: look at the board and choose again")
        player = course.state.current_player()
        if course.state.is_terminal():
            raise ValueError("the game is over: take a move back, or begin a new game")
        if not course.is_persons or (seat is not None and seat != player):
            turn = "chance decides now" if player < 0 else f"it is the turn of {course.who(player)}"
            raise ValueError(f"{turn}: wait for your own turn")
        if action not in course.state.legal_actions():
            # The engine says which ones are.
            course.state.clone().apply_action(action)
        self._halt()
        course.take(action)
        self._at = len(course.steps)
        self._changed()
        self._go_on()

    def _do_undo(self) -> None:
        back = self._course.last_of_a_person()
        if back is None:
            raise ValueError("there is no move of yours to take back")
        self._halt()
        self._course.back_to(back)
        self._at = back
        self._changed()

    def _do_hint(self) -> None:
        self._think(None, lambda analysis: self._found(analysis, hint=True))

    def _do_analyse(self, agent: str | None = None) -> None:
        if agent is not None:
            if agent in self._own:
                raise ValueError(f"{short(agent)} only chooses moves: let an agent of the engine analyse")
            self._check_agent(self._course.game, agent)
        self._think(agent, lambda analysis: self._found(analysis, hint=False))

    def _do_go(self, to: int) -> None:
        length = len(self._course.steps)
        if to > length:
            raise ValueError(f"the game has no step {to} yet; go to 0 to {length}")
        if to != self._at and self._is_advice:
            self._halt()
        self._at = to
        self._changed()
        if to == length and self._thinking is None:
            self._go_on()

    def _do_branch(self) -> None:
        if self._at == len(self._course.steps):
            raise ValueError("this is the last position already: just play on")
        self._halt()
        self._course.back_to(self._at)
        self._changed()
        self._go_on()

    def _do_load(self, record: str) -> None:
        text = record.lstrip("\ufeff \t\r\n")
        read = Record.from_json(text) if text.startswith("{") else Record.from_text(text)
        game = read.get_game()
        seats = [seat if self._may_sit(game, seat) else PERSON for seat in persons_of(read)]
        seed = secrets.randbits(32) if read.seed is None else read.seed
        course = from_record(read, seats, seed)
        # A game that is over is looked at from its beginning, one that is not goes on where it was left.
        self._take_up(course, at=0 if read.finished else None)

    def _do_position(self, text: str) -> None:
        course = self._course
        state = course.game.parse(text.strip())
        self._take_up(Course(course.game, course.seats, course.seed, state))

    def _do_save(self, format: str = "json") -> Answer:  # noqa: A002
        record = self._course.record()
        return {"record": record.to_text() if format == "text" else record.to_json()}

    def _do_theme(self, theme: str) -> None:
        self._theme = theme
        self._version += 1

    def _do_stop(self) -> None:
        self._hold()

    def _do_catalogue(self) -> Answer:
        games = [dict(entry) for entry in catalogue()]
        for entry in games:
            if entry["name"] == self._guests_play:
                guests = sorted(self._guests - {*entry["agents"]})
                entry["agents"] = [*guests, *entry["agents"]]
        return {"games": games}

    def _do_check(self, game: str, preset: str | None = None, rules: dict[str, Any] | None = None) -> Answer:
        made = make(game, preset=preset, rules=rules)
        return {"rules": made.rules, "num_players": made.num_players, "sides": made.sides}

    # The game and what is shown of it.

    def _take_up(self, course: Course, at: int | None = None) -> None:
        self._halt()
        self._course = course
        self._at = len(course.steps) if at is None else at
        self._changed()
        if at is None:
            self._go_on()

    def _changed(self) -> None:
        """After a change: what was said of the position before no longer holds."""
        self._version += 1
        self._hint: int | None = None
        self._analysis: Analysis | None = None
        self._trouble: str | None = None

    def _tell(self) -> None:
        if self._on_change is not None:
            self._on_change()

    def _drawn(self) -> Answer:
        course, at = self._course, self._at
        length = len(course.steps)
        state = course.state if at == length else course.at(at)
        last = course.last_choice(at)
        mark = None if last is None else (last.player, last.name)
        latest = course.steps[at - 1] if at else None
        return {
            **scene(state, theme=self._theme, last=mark),
            "result": course.result() if at == length else None,
            "theme": self._theme,
            "seats": list(course.seats),
            "seed": str(course.seed),
            "mine": course.is_persons and at == length,
            "thinking": self._thinking,
            "paused": self._paused,
            "at": at,
            "length": length,
            "last": latest and {"seat": latest.player, "name": latest.name, "words": latest.words},
            "log": log(course, _LOGGED),
            "analysis": self._analysis and _lines(self._analysis),
            "analysed_by": self._analysis and self._analysis.agent,
            "hint": self._hint,
            "position": str(state),
            "version": self._version,
            "error": self._trouble,
        }

    def _at_the_end(self, what: str) -> None:
        if self._at != len(self._course.steps):
            raise ValueError(
                f"you are looking at step {self._at} of {len(self._course.steps)}: go to the last one to {what}, "
                "or play on from here"
            )

    # Who has a seat.

    def _seated(self, game: Game, seats: Sequence[str] | None) -> list[str]:
        """Who has each seat.

        Raises:
            ValueError: There is not one name a seat, or one cannot play.
        """
        if seats is None:
            return [PERSON, *["greedy"] * (game.num_players - 1)]
        if len(seats) != game.num_players:
            raise ValueError(
                f"seats takes one name for each of the {game.num_players} seats of this game, not {len(seats)}"
            )
        for seat in seats:
            if seat != PERSON:
                self._check_agent(game, seat)
        return [str(seat) for seat in seats]

    def _check_agent(self, game: Game, agent: str) -> None:
        """Raises ValueError for an agent that cannot play or may not."""
        if agent in self._own:
            return
        if self._allow is not None and agent not in self._guests:
            self._allow(agent)
        _core.check_agents(game, [agent] * game.num_players)

    def _may_sit(self, game: Game, seat: str) -> bool:
        try:
            if seat != PERSON:
                self._check_agent(game, seat)
        except ValueError:
            return False
        return True

    # What goes on in the thread.

    _thinking: int | None = None
    _is_advice = False
    _paused = False

    def _halt(self) -> None:
        """Call off whoever thinks; what it finds all the same is thrown away."""
        self._thinker.stop()
        self._thinking = None
        self._is_advice = False
        self._paused = False
        self._version += 1

    def _hold(self) -> None:
        """Call off whoever thinks; the game waits if it is not for a person to choose."""
        self._halt()
        self._paused = not (self._course.is_persons or self._course.state.is_terminal())

    def _go_on(self) -> None:
        """Let chance and agents play until it is a person's turn."""
        self._paused = False
        state = self._course.state
        if not state.is_terminal() and not self._course.is_persons:
            self._begin(state.current_player(), self._advance)

    def _begin(self, player: int, work: Callable[[Watch], None]) -> None:
        def guarded(watch: Watch) -> None:
            try:
                work(watch)
            except Stopped:
                raise
            except Exception as error:
                # An agent may have had too little memory, or a file that is gone.
                with self.lock:
                    watch(0)
                    self._hold()
                    self._trouble = f"{type(error).__name__}: {error}"
                self._tell()

        self._thinking = max(player, 0)
        self._version += 1
        self._thinker.start(guarded)

    def _advance(self, watch: Watch) -> None:
        """Step by step until it is a person's turn; under the lock nothing is done for a job that was called off."""
        while True:
            with self.lock:
                watch(0)
                course, number = self._course, len(self._course.steps)
                state = course.state.clone()
            player = state.current_player()
            agent = course.seats[player] if player >= 0 else None
            with place(self._slots, watch):
                own = self._own.get(agent or "")
                step = (
                    _core.next_step(state, agent, seed=course.seed, number=number, watch=watch)
                    if own is None
                    else own(state)
                )
            with self.lock:
                watch(0)
                follows = self._at == number
                course.take(step)
                if follows:
                    self._at = len(course.steps)
                self._changed()
                waits = course.state.is_terminal() or course.is_persons
                self._thinking = None if waits else max(course.state.current_player(), 0)
            self._tell()
            if waits:
                return
            pause(self._pace, watch)

    def _think(self, agent: str | None, found: Callable[[Analysis], None]) -> None:
        """Analyse the position that is shown."""
        if self._thinking is not None and not self._is_advice:
            raise ValueError("somebody is thinking: wait for your turn, or stop it first")
        state = self._course.at(self._at)
        player = state.current_player()
        if player < 0:
            over = "the game is over" if state.is_terminal() else "chance decides here"
            raise ValueError(f"{over}, so there is nothing to choose")
        name = agent or self._adviser or ("perfect" if _is_known(state) else _ADVISER)

        def work(watch: Watch) -> None:
            with place(self._slots, watch):
                told = of(name, state, _core.analyse(state, name, watch=watch), 0.0)
            with self.lock:
                watch(0)
                self._thinking = None
                self._is_advice = False
                self._version += 1
                found(told)
            self._tell()

        self._begin(player, work)
        self._is_advice = True

    def _found(self, analysis: Analysis, hint: bool) -> None:
        if hint:
            self._hint = analysis.best
        else:
            self._analysis = analysis


def _is_known(state: State) -> bool:
    """Whether the tables of the package have this position."""
    game = state.get_game()
    folder = exact.shipped(game)
    return folder is not None and exact.Tables(game, folder).covers(state)


def _lines(analysis: Analysis) -> list[dict[str, Any]]:
    """The moves of an analysis, the best first, as JSON can hold them."""
    return [
        {
            "action": move.action,
            "name": move.name,
            "value": None if math.isnan(move.value) else move.value,
            "visits": move.visits,
            "probability": move.probability,
            "line": list(move.line[:8]),
            "proven": move.proven,
            "turns": move.turns,
        }
        for move in analysis.moves
    ]
