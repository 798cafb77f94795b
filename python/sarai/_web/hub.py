"""The sessions of a server: by tokens that nobody can guess, at most so many, those that nobody uses dropped first."""

from __future__ import annotations

import os
import secrets
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from sarai._web.session import Session

MOST_SESSIONS = 400
"""How many sessions there are at most."""

_MOST_LISTENERS = 8


class Gone(Exception):  # noqa: N818  (a page is told, and goes on)
    """There is no session of this token, and why."""


class Full(Exception):  # noqa: N818
    """There is no room for another one."""


class Seat:
    """A session, and who listens to it."""

    def __init__(self, pace: float, slots: threading.Semaphore) -> None:
        self.used = time.monotonic()
        self.listeners: set[Callable[[], None]] = set()
        self.session = Session(pace=pace, guarded=True, slots=slots, on_change=self._tell)

    def listen(self, listener: Callable[[], None]) -> None:
        """Be told of changes.

        Raises:
            Full: Too many are already.
        """
        if len(self.listeners) >= _MOST_LISTENERS:
            raise Full(f"{_MOST_LISTENERS} pages show this game already: close one of them")
        self.listeners.add(listener)

    def _tell(self) -> None:
        for listener in tuple(self.listeners):
            # The server may be ending.
            with suppress(RuntimeError):
                listener()


class Hub:
    """All sessions.

    Args:
        most: How many there are at most.
        pace: Seconds between two steps that are not a person's.
    """

    def __init__(self, most: int = MOST_SESSIONS, pace: float = 0.4) -> None:
        self._most = most
        self._pace = pace
        self._slots = threading.Semaphore(max(4, os.cpu_count() or 1))
        self._lock = threading.Lock()
        self._seats: dict[str, Seat] = {}
        self.closing = False

    def open(self) -> tuple[str, Seat]:
        """A new session, and its token.

        Raises:
            Full: There is no room, and all sessions are in use.
        """
        with self._lock:
            if len(self._seats) >= self._most:
                self._drop_one()
            token = secrets.token_urlsafe(32)
            seat = self._seats[token] = Seat(self._pace, self._slots)
            return token, seat

    def find(self, token: str) -> Seat:
        """The session of a token.

        Raises:
            Gone: There is none.

        >>> Hub().find("a guess")
        Traceback (most recent call last):
        ...
        sarai._web.hub.Gone: the server does not know this game: it was started again since, or ...
        """
        with self._lock:
            seat = self._seats.get(token)
        if seat is None:
            raise Gone(
                "the server does not know this game: it was started again since, or nobody used this game and "
                f"{self._most} others were begun; begin a new game or load one"
            )
        seat.used = time.monotonic()
        return seat

    def close(self) -> None:
        """End all of it: nobody thinks any more, and whoever listens is told once more."""
        self.closing = True
        with self._lock:
            seats = list(self._seats.values())
        for seat in seats:
            seat.session.close()
            seat._tell()

    def __len__(self) -> int:
        """How many sessions there are."""
        return len(self._seats)

    def _drop_one(self) -> None:
        idle = [(seat.used, token) for token, seat in self._seats.items() if not seat.listeners]
        if not idle:
            raise Full(
                f"{self._most} games are being played on this server: close one of them, or try again later"
            )
        _, token = min(idle)
        self._seats.pop(token).session.close()
