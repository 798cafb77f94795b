"""The page on which games are played, on this machine. What it says over HTTP, `docs/play.md` has."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Callable, Iterable
from importlib.resources import files
from typing import Any

import uvicorn
from anyio import to_thread
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from sarai._base.arguments import short
from sarai._web.guard import MOST_BYTES, Guard, names_of, too_long
from sarai._web.hub import Full, Gone, Hub, Seat

TOKEN = "sarai-session"
"""The header with the token of a session."""

_KINDS = {"html": "text/html", "js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}
_PAGES = {
    "/": "index.html",
    **{
        f"/{name}": name for name in ("board.js", "board.css", "editor.js", "page.js", "page.css", "icon.svg")
    },
    # Browsers ask for it when they show anything but the page.
    "/favicon.ico": "icon.svg",
}

_PULSE = 15.0
"""Seconds after which a page is told that the server is still there."""

_HANDS = 4
"""How many threads carry out commands and draw. They share one interpreter, so that more would not be faster, and the
memory that an allocator sets aside grows with the number of threads that draw."""


class _Refused(Exception):  # noqa: N818
    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


def make_app(hub: Hub, host: str, allowed_hosts: Iterable[str] = ()) -> ASGIApp:
    """The app of a server on this address."""
    routes = [Route(path, _page(name)) for path, name in _PAGES.items()]
    routes += [
        Route("/api/session", _begin, methods=["POST"]),
        Route("/api/command", _command, methods=["POST"]),
        Route("/api/changes", _changes, methods=["GET"]),
    ]
    app = Starlette(
        routes=routes,
        exception_handlers={_Refused: _refused, Gone: _gone, Full: _full, 404: _nowhere, 405: _nowhere},
    )
    app.router.redirect_slashes = False
    app.state.hub = hub
    names, any_address = names_of(host)
    return Guard(app, [*names, *allowed_hosts], any_address=any_address)


def serve(
    host: str,
    port: int,
    *,
    allowed_hosts: Iterable[str] = (),
    hub: Hub | None = None,
    ready: Callable[[str], object] = print,
) -> None:
    """Serve the page until Ctrl-C.

    Args:
        host: The address of this machine that it listens on.
        port: The port; 0 takes a free one.
        allowed_hosts: More names by which browsers may ask for the page.
        hub: The sessions; None begins without any.
        ready: Is called with the address of the page as soon as it can be opened.

    Raises:
        OSError: The address or the port is not to be had.
        KeyboardInterrupt: Ctrl-C, once everything has ended.
    """
    hub = Hub() if hub is None else hub
    with listening(host, port) as listener:
        port = listener.getsockname()[1]
        shown = "localhost" if host in ("0.0.0.0", "::") else f"[{host}]" if ":" in host else host
        Server(hub, make_app(hub, host, allowed_hosts), lambda: ready(f"http://{shown}:{port}/")).run(
            [listener]
        )


def listening(host: str, port: int) -> socket.socket:
    """A socket that can be listened to.

    Raises:
        OSError: The address or the port is not to be had.
    """
    try:
        # What cannot be written as a name would otherwise be a TypeError, and leave a socket open.
        host.encode("idna")
    except UnicodeError:
        raise OSError(f"{short(host)} is no address") from None
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=512)


class Server(uvicorn.Server):
    """Tells when it is ready, and ends what would keep it from ending."""

    def __init__(self, hub: Hub, app: ASGIApp, ready: Callable[[], object]) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http="h11",
                loop="asyncio",
                ws="none",
                lifespan="off",
                # Its own configuration would close the handlers of whoever has set up logging before.
                log_config=None,
                log_level="critical",
                access_log=False,
                proxy_headers=False,
                server_header=False,
                timeout_keep_alive=30,
                timeout_graceful_shutdown=3,
                h11_max_incomplete_event_size=16 * 1024,
                limit_concurrency=4096,
            )
        )
        self._hub = hub
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        to_thread.current_default_thread_limiter().total_tokens = _HANDS
        await super().startup(sockets)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End, with whoever thinks or listens."""
        self._hub.close()
        await super().shutdown(sockets)


def _page(name: str) -> Callable[[Request], Any]:
    """A file of the page, which is read once: no path of a request ever names a file."""
    content = (files("sarai._web") / "static" / name).read_bytes()
    kind = _KINDS[name.rpartition(".")[2]]

    async def answer(_request: Request) -> Response:
        return Response(content, media_type=kind)

    return answer


async def _begin(request: Request) -> Response:
    """A new session."""
    await _body(request)
    hub: Hub = request.app.state.hub
    token, _ = await run_in_threadpool(hub.open)
    return JSONResponse({"token": token})


async def _command(request: Request) -> Response:
    """A command to a session."""
    seat = _seat(request)
    answer = await run_in_threadpool(seat.session.carry_out, await _body(request))
    # What cannot be done is an answer like any other for the page; the status is for whoever reads no JSON.
    status = 422 if json.loads(answer)["error"] else 200
    return Response(answer, status, media_type="application/json")


async def _changes(request: Request) -> Response:
    """The snapshots of a session, one after the other as they come, as server-sent events."""
    seat = _seat(request)
    hub: Hub = request.app.state.hub
    loop = asyncio.get_running_loop()
    changed = asyncio.Event()

    def listener() -> None:
        loop.call_soon_threadsafe(changed.set)

    seat.listen(listener)

    async def events() -> AsyncIterator[bytes]:
        shown = None
        try:
            while not hub.closing:
                changed.clear()
                version = seat.session.version
                if version != shown:
                    shown = version
                    yield f"data: {await run_in_threadpool(seat.session.written)}\n\n".encode()
                try:
                    await asyncio.wait_for(changed.wait(), _PULSE)
                except asyncio.TimeoutError:
                    yield b": still here\n\n"
        finally:
            seat.listeners.discard(listener)

    return StreamingResponse(events(), media_type="text/event-stream")


def _seat(request: Request) -> Seat:
    """The session that a request names."""
    token = request.headers.get(TOKEN)
    if token is None:
        raise _Refused(401, "a request names its session, which the page does by itself: open the page")
    hub: Hub = request.app.state.hub
    return hub.find(token)


async def _body(request: Request) -> str:
    """The body of a request, of which no more is read than is allowed."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise _Refused(415, "a request is JSON: say so by its Content-Type, application/json")
    data = bytearray()
    try:
        async for piece in request.stream():
            data += piece
            if len(data) > MOST_BYTES:
                raise _Refused(413, too_long())
    except ClientDisconnect:
        raise _Refused(400, "the request has ended too early") from None
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise _Refused(400, f"the request is not UTF-8 text ({error.reason} at byte {error.start})") from None


def _refused(_request: Request, error: Exception) -> Response:
    status = error.status if isinstance(error, _Refused) else 400
    # Of what was too much, or not what it should be, the rest is not waited for.
    return JSONResponse({"error": str(error)}, status, {"connection": "close"})


def _gone(_request: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, 410)


def _full(_request: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, 503)


def _nowhere(_request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 404)
    return JSONResponse({"error": "there is nothing here: the page is at /"}, status)
