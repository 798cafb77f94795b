"""A server of files in a thread, as good or as bad as a test likes."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

PATIENCE = 60.0


class FileServer:
    """A server under test."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ranges = True
        """Whether it knows Range."""
        self.asked: list[tuple[str, str | None]] = []
        """The files that were asked for, and from where on."""
        self.answers: dict[str, Callable[[BaseHTTPRequestHandler, bytes], None]] = {}
        """What is done in place of sending a file."""
        self.address = ""

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        name = handler.path.rpartition("/")[2]
        asked = handler.headers["Range"]
        self.asked.append((name, asked))
        path = self.folder / name
        if name in self.answers:
            self.answers[name](handler, path.read_bytes() if path.exists() else b"")
        elif not path.exists():
            handler.send_error(404)
        else:
            send(handler, path.read_bytes(), asked if self.ranges else None)


def send(handler: BaseHTTPRequestHandler, content: bytes, asked: str | None = None) -> None:
    """Send a file, or the rest of it."""
    begin = int(asked.removeprefix("bytes=").removesuffix("-")) if asked else 0
    handler.send_response(206 if asked else 200)
    if asked:
        handler.send_header("Content-Range", f"bytes {begin}-{len(content) - 1}/{len(content)}")
    handler.send_header("Content-Length", str(len(content) - begin))
    handler.end_headers()
    handler.wfile.write(content[begin:])


def dying(after: int) -> Callable[[BaseHTTPRequestHandler, bytes], None]:
    """Send so many bytes of a file, and end the connection."""

    def answer(handler: BaseHTTPRequestHandler, content: bytes) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content[:after])
        handler.wfile.flush()
        handler.connection.shutdown(socket.SHUT_RDWR)

    return answer


def redirecting(to: str) -> Callable[[BaseHTTPRequestHandler, bytes], None]:
    """Send the client elsewhere."""

    def answer(handler: BaseHTTPRequestHandler, _: bytes) -> None:
        handler.send_response(302)
        handler.send_header("Location", to)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


@contextmanager
def serving(folder: Path) -> Iterator[FileServer]:
    """A server of a folder on a free port, which is ended afterwards."""
    served = FileServer(folder)

    class Handler(BaseHTTPRequestHandler):
        timeout = PATIENCE

        def do_GET(self) -> None:
            served.answer(self)

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, request: object, client_address: object) -> None:
            pass  # the client has left, as some tests make it do

    with Server(("127.0.0.1", 0), Handler) as server:
        served.address = f"http://127.0.0.1:{server.server_port}/shah"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield served
        finally:
            server.shutdown()
            thread.join()
