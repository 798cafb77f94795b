"""A real Ctrl-C, sent at an event and never after some time."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable

import pytest


def interrupted(call: Callable[[threading.Event], object]) -> None:
    """Sends Ctrl-C once the call has set the event that it is given, and expects KeyboardInterrupt of it."""
    begun, over = threading.Event(), threading.Event()
    ending = threading.Lock()

    def send() -> None:
        begun.wait()
        # Not when the call has ended already: then somebody else would get it.
        with ending:
            if not over.is_set():
                os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=send)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            call(begun)
    finally:
        with ending:
            over.set()
        begun.set()
        thread.join()


def at_once(call: Callable[[], object]) -> Callable[[threading.Event], object]:
    """A call to be interrupted when it has begun, or is about to."""

    def begin(begun: threading.Event) -> object:
        begun.set()
        return call()

    return begin
