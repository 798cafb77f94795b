"""Where tables are fetched from: a folder, or an address of the web."""

from __future__ import annotations

import http.client
import os
import re
import stat
import string
import urllib.request
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any
from urllib.error import URLError
from urllib.parse import quote, urljoin, urlsplit

from sarai._base import arguments

PIECE = 1 << 18
"""The most bytes that are read at a time."""

TIMEOUT = 30.0
"""After so many seconds without a byte, a connection counts as lost."""

_MOST_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)
_LATER = (408, 429, 500, 502, 503, 504)
_SCHEMES = ("http", "https")


class Source(ABC):
    """Something that has files."""

    def __init__(self, name: str) -> None:
        self.name = name

    @abstractmethod
    @contextmanager
    def open(self, file: str, begin: int, size: int | None) -> Iterator[tuple[Any, int]]:
        """A file, and at which byte what is read of it begins: at `begin`, or at 0 where that cannot be.

        Raises:
            OSError: It cannot be read.
            ValueError: It has another size.
        """

    def pieces(self, stream: Any) -> Iterator[bytes]:
        """What comes from a file.

        Raises:
            OSError: It breaks off.
        """
        while True:
            try:
                piece: bytes = stream.read1(PIECE)
            except (OSError, http.client.HTTPException) as error:
                raise self.lost(error) from error
            if not piece:
                return
            yield piece

    def lost(self, why: object) -> OSError:
        """The error of a file that breaks off."""
        return OSError(
            f"reading from {arguments.longer(self.name)} broke off ({arguments.short(str(why))}); "
            "repeat this to get the rest: what has arrived is kept"
        )

    def other_size(self, file: str, found: int, size: int) -> ValueError:
        """The error of a file that is not as long as its manifest says."""
        return ValueError(
            f"{file} of {arguments.longer(self.name)} has {found:,} bytes, and its manifest says {size:,}: try "
            "again, or ask who published it"
        )


class Folder(Source):
    """A folder of this machine."""

    @contextmanager
    def open(self, file: str, begin: int, size: int | None) -> Iterator[tuple[IO[bytes], int]]:
        """See `Source.open`."""
        path = Path(self.name) / file
        try:
            status = os.stat(path)
            if not stat.S_ISREG(status.st_mode):
                raise OSError("it is no regular file")
            stream = open(path, "rb")
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) and error.strerror else error
            raise OSError(f"cannot read {path}: {why}; give a folder or address with {file}") from error
        with stream:
            if size is not None and status.st_size != size:
                raise self.other_size(file, status.st_size, size)
            stream.seek(begin)
            yield stream, begin


class Web(Source):
    """A folder of the web."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        try:
            split = urlsplit(name)
            odd = not split.hostname or split.username is not None or split.query or split.fragment
        except ValueError:
            odd = True
        if odd or not name.isascii() or not name.isprintable() or " " in name:
            raise ValueError(
                f"source takes an address such as https://example.org/tables, without a password, '?', '#' or letters "
                f"that are not ASCII, not {arguments.short(name)}"
            )
        self._opener = urllib.request.OpenerDirector()
        # Nothing else opens other schemes, or follows redirects: `_ask` does, and looks where they lead.
        for handler in (
            urllib.request.ProxyHandler,
            urllib.request.HTTPHandler,
            urllib.request.HTTPSHandler,
        ):
            self._opener.add_handler(handler())

    @contextmanager
    def open(self, file: str, begin: int, size: int | None) -> Iterator[tuple[Any, int]]:
        """See `Source.open`."""
        answer = self._ask(file, begin) if begin else None
        if answer is not None and answer.status == 206:
            rest = rf"bytes {begin}-[0-9]+/({size}|\*)"
            if not re.fullmatch(rest, answer.headers.get("Content-Range", "")):
                answer.close()
                answer = None
        if answer is None:
            answer = self._ask(file, 0)
        with answer:
            begin = begin if answer.status == 206 else 0
            if size is not None and answer.length is not None and answer.length != size - begin:
                raise self.other_size(file, begin + answer.length, size)
            yield answer, begin

    def _ask(self, file: str, begin: int) -> Any:
        """The answer to a request for a file from this byte on; None where the server refuses to begin there."""
        first = address = f"{self.name.rstrip('/')}/{file}"
        headers = {"User-Agent": "sarai", **({"Range": f"bytes={begin}-"} if begin else {})}
        for _ in range(_MOST_REDIRECTS + 1):
            answer = self._answer(first, urllib.request.Request(address, headers=headers))
            if answer.status == 200 or (begin and answer.status == 206):
                return answer
            answer.close()
            if begin and answer.status == 416:
                return None
            if answer.status not in _REDIRECTS:
                name = http.client.responses.get(answer.status, "an unknown status")
                what = (
                    "try again later"
                    if answer.status in _LATER
                    else "give the address of a folder with these files"
                )
                raise OSError(f"{first}: the server answers {answer.status}, {name}; {what}")
            address = _redirected(first, address, answer.headers.get("Location", ""))
        raise OSError(
            f"{first}: the server redirects more than {_MOST_REDIRECTS} times; give another address"
        )

    def _answer(self, first: str, request: urllib.request.Request) -> Any:
        try:
            return self._opener.open(request, timeout=TIMEOUT)
        except (OSError, http.client.HTTPException, ValueError) as error:
            why = error.reason if isinstance(error, URLError) else error
            raise OSError(
                f"cannot reach {first} ({arguments.short(str(why))}); try again when there is a connection: what has "
                "arrived is kept"
            ) from error


def _redirected(first: str, before: str, to: str) -> str:
    """Where a redirect leads.

    Raises:
        OSError: It leaves the web, or an encrypted connection.
    """
    try:
        address = quote(urljoin(before, to), safe=string.punctuation, encoding="latin-1")
        scheme = urlsplit(address).scheme
    except ValueError:
        scheme = ""
    if scheme not in _SCHEMES or (scheme == "http" and urlsplit(before).scheme == "https"):
        raise OSError(
            f"{first}: the server redirects to {arguments.short(to)}, which is not allowed: only https is, and http "
            "from http; give another address"
        )
    return address


def source_of(given: str | os.PathLike[str]) -> Source:
    """What a user gave.

    Raises:
        ValueError: It is an address of another kind.
        TypeError: It is neither a str nor a path.
    """
    name = arguments.path(given)
    scheme, there, _ = name.partition("://")
    if not there:
        return Folder(name)
    if scheme.lower() not in _SCHEMES:
        raise ValueError(
            f"source takes a folder, or an address with http or https, not {arguments.short(name)}"
        )
    return Web(name)
