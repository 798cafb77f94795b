"""A real server of the page in a thread, and requests to it that are as wrong as a test likes."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sarai._web.hub import Hub
from sarai._web.server import TOKEN, Server, listening, make_app

PATIENCE = 60.0
"""Seconds after which a test gives up; nothing takes that long."""


class Site:
    """A server under test."""

    def __init__(self, port: int, hub: Hub) -> None:
        self.port = port
        self.hub = hub
        self.host = f"127.0.0.1:{port}"

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> tuple[int, dict[str, str], bytes]:
        """One request with exactly these headers, and those that HTTP cannot do without."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            data = body.encode() if isinstance(body, str) else body
            sent = {"Host": self.host, **({"Content-Length": str(len(data))} if data is not None else {})}
            for name, value in {**sent, **(headers or {})}.items():
                connection.putheader(name, value)
            connection.endheaders(data)
            answer = connection.getresponse()
            told = {name.lower(): value for name, value in answer.getheaders()}
            return answer.status, told, answer.read()
        finally:
            connection.close()

    def post(
        self, path: str, body: Any, headers: Mapping[str, str] | None = None, token: str | None = None
    ) -> tuple[int, dict[str, Any]]:
        """A request as the page makes it."""
        sent = {"Content-Type": "application/json", **({TOKEN: token} if token else {}), **(headers or {})}
        data = body if isinstance(body, (bytes, str)) else json.dumps(body)
        status, _, content = self.ask("POST", path, data, sent)
        return status, json.loads(content)

    def begin(self) -> str:
        status, told = self.post("/api/session", {})
        assert status == 200
        return str(told["token"])

    def do(self, token: str, command: Any) -> tuple[int, dict[str, Any]]:
        return self.post("/api/command", command, token=token)

    def raw(self, data: bytes) -> bytes:
        """Whatever the server says to these bytes until it ends the connection."""
        with self.connect() as connection:
            connection.sendall(data)
            return b"".join(iter(lambda: connection.recv(65536), b""))


@contextmanager
def running(hub: Hub | None = None, *, host: str = "127.0.0.1") -> Iterator[Site]:
    """A server on a free port, which is ended afterwards."""
    hub = Hub(pace=0) if hub is None else hub
    with listening("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        ready = threading.Event()
        server = Server(hub, make_app(hub, host), ready.set)
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            assert ready.wait(PATIENCE)
            yield Site(port, hub)
        finally:
            server.should_exit = True
            thread.join()
