"""A game under way on a board: the engine's session, and the thread in which agents think for it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

from sarai import _core
from sarai._core import State
from sarai._game import games, make
from sarai._records.record import Record

Answer: TypeAlias = dict[str, Any]
"""What a command is answered with: a snapshot, or what was asked for."""

PERSON = "person"
"""Who has a seat that a person plays."""

_GLANCE = 0.05
"""Seconds between two looks of a thread that waits."""


class _Ended(Exception):  # noqa: N818  (nothing is wrong)
    """The main thread has ended."""


def _watch(_done: int = 0) -> None:
    # Python waits at its end for every thread, and nobody waits for an agent any more.
    if not threading.main_thread().is_alive():
        raise _Ended


class Session:
    """A game that persons and agents play, one command after the other.

    It may be used from several threads. Chance and agents go on by themselves in a thread, until it is a person's turn;
    whoever wants to know of that gives `on_change`.

    Args:
        begin: The state in which the game begins, or a record to look at and to go on with; None for the first game.
        seats: Who has each seat, `PERSON` or an agent's name; None for a person against "greedy", or for whom the
            record names.
        seed: What dice and agents' choices come from; None takes the record's, and draws one where there is none.
        theme: "light" or "dark".
        pace: Seconds between two steps that are not a person's, so that eyes can follow.
        guarded: Whether commands may seat only agents that are quick and read no files, and those that sit there now.
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
        guarded: bool = False,
        own: Mapping[str, Callable[[State], int]] | None = None,
        adviser: str | None = None,
        slots: threading.Semaphore | None = None,
        on_change: Callable[[], None] | None = None,
    ) -> None:
        self.lock = threading.RLock()
        self._idle = threading.Condition(self.lock)
        self._thread: threading.Thread | None = None
        self._own = dict(own or {})
        # Names of networks without files parse for as long as their agents are there.
        self._seated = (*(seats or ()), adviser)
        self._slots = slots or threading.Semaphore()
        self._pace = pace
        self._on_change = on_change
        self._snapshot: tuple[int, Answer] | None = None
        self._begun = begin if isinstance(begin, Record) else None
        start, steps = (begin.start, begin.steps) if isinstance(begin, Record) else (begin, ())
        if isinstance(begin, Record):
            game, seats = begin.game, seats or persons_of(begin)
            seed = begin.seed if seed is None else seed
        else:
            game = make(games()[0]) if begin is None else begin.get_game()
        self._game = _core.Session(
            game,
            start,
            [step.id for step in steps],
            seats,
            seed=seed,
            theme=theme,
            guests=list(self._own),
            guarded=guarded,
            adviser=adviser,
        )
        with self.lock:
            self._think()

    def do(self, command: object) -> Answer:
        """Carry out a command, as docs/play.md has them.

        Returns:
            The snapshot after it, or what was asked for. Where a command cannot be carried out nothing changes, and
            "error" says why.
        """
        answer: Answer = json.loads(self.carry_out(json.dumps(command)))
        return answer

    def carry_out(self, command: str) -> str:
        """The same in JSON."""
        with self.lock:
            before = self._game.version
            answer = self._game.carry_out(command)
            if self._game.version != before:
                # Told before an agent's next step can come in between.
                self._tell()
                self._think()
        return answer

    @property
    def version(self) -> int:
        """A number that grows with each change."""
        return self._game.version

    def written(self) -> str:
        """The snapshot as JSON."""
        return self._game.snapshot()

    def snapshot(self) -> Answer:
        """All that a board shows; the same dict until something changes, so it is only to be read."""
        with self.lock:
            if self._snapshot is None or self._snapshot[0] != self.version:
                self._snapshot = self.version, json.loads(self.written())
            return self._snapshot[1]

    @property
    def state(self) -> State:
        """The position that is shown, as a copy."""
        return self._game.state

    @property
    def record(self) -> Record:
        """The game so far; until something is changed, the record with which it began."""
        record = Record.from_json(self.do({"do": "save"})["record"])
        begun = self._begun
        return begun if begun is not None and record == _without_number(begun) else record

    @property
    def is_thinking(self) -> bool:
        """Whether agents, a hint or an analysis are under way."""
        return self._game.job() is not None

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until nobody thinks any more; False where that took longer than so many seconds."""
        with self._idle:
            return self._idle.wait_for(lambda: self._thread is None, timeout)

    def close(self) -> None:
        """Call off whoever thinks. The session can be read and even played on afterwards."""
        self._game.hold()

    def _tell(self) -> None:
        if self._on_change is not None:
            self._on_change()

    def _think(self) -> None:
        if self._thread is None and self.is_thinking:
            self._thread = threading.Thread(target=self._run, name="sarai agent")
            self._thread.start()

    def _run(self) -> None:
        """Do one job after the other, until there is none; the thread lives no longer."""
        pace = 0.0
        with suppress(_Ended):
            while (job := self._next()) is not None:
                pace = self._pace if self._do_job(job, pace) else 0.0

    def _next(self) -> _core.Job | None:
        with self._idle:
            job = self._game.job()
            if job is None:
                self._thread = None
                self._idle.notify_all()
            return job

    def _do_job(self, job: _core.Job, pace: float) -> bool:
        """Whether anything has changed by it."""
        nothing = threading.Event()
        while pace > 0 and not job.called_off:
            _watch()
            nothing.wait(min(pace, _GLANCE))
            pace -= _GLANCE
        while not self._slots.acquire(timeout=_GLANCE):
            _watch()
            if job.called_off:
                return False
        reason = answer = ""
        try:
            if not job.called_off:
                own = self._own.get(job.guest or "")
                answer = json.dumps({"action": own(job.state)}) if own else job.work(_watch)
        except _Ended:
            raise
        except Exception as error:
            # An agent may have had too little memory, or a file that is gone.
            reason = f"{type(error).__name__}: {error}"
        finally:
            self._slots.release()
        with self.lock:
            done = self._game.failed(job, reason) if reason else self._game.found(job, answer)
        if done:
            self._tell()
        return done


def _without_number(record: Record) -> Record:
    """As the engine has it: once somebody plays on, a game is not that of the rollout any more."""
    steps = [step.id for step in record.steps]
    return Record.from_steps(record.start or record.game, steps, seed=record.seed, agents=record.agents)


def persons_of(record: Record) -> list[str]:
    """Who has each seat in a record, by the words of a board; `PERSON` where nothing is known."""
    labels = record.agents or ["human"] * record.game.num_players
    return [PERSON if label == "human" else label for label in labels]
