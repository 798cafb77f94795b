"""Agents that think beside whoever waits for them: one thread at most, which can be called off."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TypeAlias

Watch: TypeAlias = Callable[[int], None]
"""What a job calls from time to time; it raises `Stopped` once the job was called off."""

_GLANCE = 0.05
"""Seconds between two looks of a job that waits."""


class Stopped(Exception):  # noqa: N818  (nothing is wrong)
    """The job was called off."""


@dataclass(frozen=True)
class _Job:
    work: Callable[[Watch], None]
    stop: threading.Event = field(default_factory=threading.Event)

    def watch(self, _done: int = 0) -> None:
        # Python waits at its end for this thread, which ends with the main thread for that reason.
        if self.stop.is_set() or not threading.main_thread().is_alive():
            raise Stopped


class Thinker:
    """Does one job at a time in a thread of its own, which lives no longer than there is something to do.

    >>> done = []
    >>> thinker = Thinker()
    >>> thinker.start(lambda watch: done.append("thought"))
    >>> thinker.wait(10), done
    (True, ['thought'])
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: _Job | None = None
        self._current: _Job | None = None
        self._thread: threading.Thread | None = None

    def start(self, work: Callable[[Watch], None]) -> None:
        """Do this instead of what is being done; returns at once."""
        with self._changed:
            self._call_off()
            self._waiting = _Job(work)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="sarai agent")
                self._thread.start()

    def stop(self) -> None:
        """Call off what is being done; returns at once."""
        with self._changed:
            self._call_off()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until there is nothing to do; False where that took longer."""
        with self._changed:
            return self._changed.wait_for(lambda: self._thread is None, timeout)

    def _call_off(self) -> None:
        self._waiting = None
        if self._current is not None:
            self._current.stop.set()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._current, self._waiting = self._waiting, None
                job = self._current
                if job is None:
                    self._thread = None
                    self._changed.notify_all()
                    return
            with suppress(Stopped):
                job.work(job.watch)


@contextmanager
def place(slots: threading.Semaphore | None, watch: Watch) -> Iterator[None]:
    """Hold one of the places for those who think at the same time, where they are limited.

    Raises:
        Stopped: The job was called off while it waited.

    >>> with place(threading.Semaphore(1), lambda done: None):
    ...     pass
    """
    if slots is None:
        yield
        return
    while not slots.acquire(timeout=_GLANCE):
        watch(0)
    try:
        yield
    finally:
        slots.release()


def pause(seconds: float, watch: Watch) -> None:
    """Wait so long.

    Raises:
        Stopped: The job was called off meanwhile.
    """
    left = seconds
    nothing = threading.Event()
    while left > 0:
        watch(0)
        nothing.wait(min(left, _GLANCE))
        left -= _GLANCE
    watch(0)
