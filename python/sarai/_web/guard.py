"""What every request must pass: whose page may ask, by which name of this machine, and with how much."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 2 * 2**20
"""The largest body of a request."""

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cache-control": "no-store",
}
"""What every answer says to the browser: nothing from elsewhere, nothing in a frame, nothing kept."""


class Guard:
    """Lets through what comes from this server's own page by this machine's own name.

    A page of another site can neither ask itself, which `Origin` tells, nor by a name of its own that it points to this
    machine (DNS rebinding), which `Host` tells.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str], *, any_address: bool = False) -> None:
        """Guard an app.

        Args:
            app: The app.
            names: The names by which it may be asked, at any port: a tunnel or a container has one of its own.
            any_address: Whether it may also be asked by any address in digits, which no other site can claim.
        """
        self._app = app
        self._names = frozenset(name.lower() for name in names)
        self._any_address = any_address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message = {**message, "headers": [*message["headers"], *own]}
            await send(message)

        refused = self._refusal(scope)
        if refused is None:
            await self._app(scope, receive, sending)
            return
        status, sentence = refused
        # Whoever is refused is not listened to: the connection ends here, whatever body was to come.
        answer = JSONResponse({"error": sentence}, status, {"connection": "close"})
        await answer(scope, receive, sending)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """The status and the sentence for a request that may not be."""
        headers: dict[str, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.decode("latin-1"), []).append(value.decode("latin-1"))
        host = headers.get("host", [])
        if len(host) != 1 or not self._is_here(host[0]):
            return 421, (
                "this server answers only to the address that it has printed: open that one, or start it with "
                "--allowed-host and this name"
            )
        origin = headers.get("origin")
        if origin is not None and origin != [f"http://{host[0]}"]:
            return 403, "this server answers only its own page, not one of another site"
        if scope["path"].startswith("/api/") and headers.get("sec-fetch-site", ["same-origin"]) != [
            "same-origin"
        ]:
            return 403, "this server answers only its own page, not one of another site"
        length = headers.get("content-length", ["0"])
        if len(length) != 1 or not length[0].isascii() or not length[0].isdigit():
            return 400, "the length of the request is no number"
        if int(length[0]) > MOST_BYTES:
            return 413, too_long()
        return None

    def _is_here(self, host: str) -> bool:
        name = re.sub(r":[0-9]{1,5}\Z", "", host.lower())
        return name in self._names or (self._any_address and _is_address(name))


def too_long() -> str:
    """What is said of a body that is too large."""
    return f"the request is larger than {MOST_BYTES:,} bytes, the most that this server reads"


def names_of(host: str) -> tuple[list[str], bool]:
    """The names of this machine for a server on an address, and whether it may be asked by any address.

    >>> names_of("127.0.0.1")
    (['127.0.0.1', 'localhost', '[::1]'], False)
    >>> names_of("192.0.2.7")[0][:2]
    ['192.0.2.7', '...']
    """
    if host == "127.0.0.1":
        return ["127.0.0.1", "localhost", "[::1]"], False
    shown = f"[{host}]" if ":" in host else host
    everywhere = _is_address(shown) and ipaddress.ip_address(host).is_unspecified
    return [shown, socket.gethostname(), "localhost"], everywhere


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name[1:-1] if name.startswith("[") and name.endswith("]") else name)
    except ValueError:
        return False
    return True
