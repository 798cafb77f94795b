"""HTTP for clients that may be slow on purpose: each part of a connection has its time."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE = 10.0
"""Seconds in which a client must have sent its whole request, and in which it must go on to read an answer."""


class ImpatientProtocol(H11Protocol):
    """Cuts off clients that send their request, or read their answer, slower than `PATIENCE`.

    A client that is cut off holds no memory: what it has not read yet is thrown away.
    """

    patience = PATIENCE

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has come, and is to send a request."""
        super().connection_made(transport)
        self._sending: asyncio.TimerHandle | None = None
        self._reading: asyncio.TimerHandle | None = None
        self._expect()

    def data_received(self, data: bytes) -> None:
        """Something of a request has come: the next one has a time of its own, and each has only one."""
        if self._sending is None and self._is_between():
            self._expect()
        super().data_received(data)
        self._look()

    def handle_events(self) -> None:
        """Whatever has come so far is read."""
        super().handle_events()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has gone."""
        for timer in (self._sending, self._reading):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """The client does not read what was sent."""
        super().pause_writing()
        if self._reading is None:
            self._reading = self.loop.call_later(self.patience, self.transport.abort)

    def resume_writing(self) -> None:
        """The client has read again."""
        super().resume_writing()
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    def _expect(self) -> None:
        self._before: Any = self.cycle
        self._sending = self.loop.call_later(self.patience, self._cut)

    def _is_between(self) -> bool:
        """Whether no request is under way."""
        cycle: Any = self.cycle
        return cycle is None or cycle.response_complete

    def _look(self) -> None:
        """Once a request is here as a whole, its time is over."""
        cycle: Any = self.cycle
        whole = cycle is not self._before and not cycle.more_body
        if whole and self._sending is not None:
            self._sending.cancel()
            self._sending = None

    def _cut(self) -> None:
        self._sending = None
        self.transport.abort()
