"""`sarai serve` as a command: what it says where it cannot begin."""

from __future__ import annotations

import logging
import socket
import sys
from collections.abc import Callable

import pytest

from sarai._cli import main

Captured = pytest.CaptureFixture[str]
Run = Callable[..., str]


def test_a_port_that_is_taken(capsys: Captured) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--no-browser", "--port", str(port)]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"error: cannot listen on 127.0.0.1:{port}: ")
    assert "give another --port" in error


def test_handlers_of_others_stay_open(monkeypatch: pytest.MonkeyPatch) -> None:
    class Handler(logging.Handler):
        closed = False

        def close(self) -> None:
            self.closed = True
            super().close()

    def interrupted(_server: object, _sockets: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sarai._web.server.Server.run", interrupted)
    handler = Handler()
    assert main(["serve", "--no-browser"]) == 0
    assert not handler.closed


def test_an_address_that_is_not_here(run: Run) -> None:
    error = run(["serve", "--no-browser", "--host", "192.0.2.1"], 1)
    assert error.startswith("warning: with --host 192.0.2.1, anyone who reaches this machine")
    assert "error: cannot listen on 192.0.2.1: " in error


def test_an_empty_address_is_none(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setattr("sarai._web.server.serve", lambda *_, **__: pytest.fail("it listens"))
    assert "a name is missing here: give one" in run(["serve", "--no-browser", "--host", ""], 2)


@pytest.mark.parametrize("host", ["\udcff", "a" * 70])
def test_what_is_no_address(host: str, run: Run) -> None:
    assert "is no address; give another --port" in run(["serve", "--no-browser", "--host", host], 1)


def test_without_the_packages_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    for name in ("sarai._web.server", "sarai._web.guard", "uvicorn", "starlette"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert 'pip install "sarai[serve]"' in run(["serve"], 1)
