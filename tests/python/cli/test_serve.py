"""`sarai serve` as a command: what it prints, how it ends, and what it says where it cannot begin."""

from __future__ import annotations

import http.client
import logging
import os
import re
import signal
import socket
import subprocess
import sys

import pytest

from sarai.cli import main

Captured = pytest.CaptureFixture[str]


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C cannot be sent to one process there")
def test_it_prints_where_it_is_and_ends_by_ctrl_c() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "sarai", "serve", "--no-browser"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as server:
        assert server.stdout is not None
        assert server.stderr is not None
        line = server.stdout.readline()
        found = re.fullmatch(r"Play at http://127\.0\.0\.1:(\d+)/ \(Ctrl-C ends the server\)\n", line)
        assert found is not None
        connection = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=60)
        connection.request("GET", "/")
        assert b"<title>Sarai</title>" in connection.getresponse().read()
        server.send_signal(signal.SIGINT)
        assert server.wait(60) == 0
        assert server.stdout.read() == "\nThe server has ended.\n"
        assert server.stderr.read() == ""
        connection.close()


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

    monkeypatch.setattr("sarai.web.server.Server.run", interrupted)
    handler = Handler()
    assert main(["serve", "--no-browser"]) == 0
    assert not handler.closed


def test_an_address_that_is_not_here(capsys: Captured) -> None:
    assert main(["serve", "--no-browser", "--host", "192.0.2.1"]) == 1
    error = capsys.readouterr().err
    assert error.startswith("warning: with --host 192.0.2.1, whoever reaches this machine")
    assert "error: cannot listen on 192.0.2.1: " in error


def test_an_empty_address_is_none(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setattr("sarai.web.server.serve", lambda *_, **__: pytest.fail("it listens"))
    assert main(["serve", "--no-browser", "--host", ""]) == 2
    assert "a name is missing here: give one" in capsys.readouterr().err


@pytest.mark.parametrize("host", ["\udcff", "a" * 70])
def test_what_is_no_address(host: str, capsys: Captured) -> None:
    assert main(["serve", "--no-browser", "--host", host]) == 1
    assert "is no address; give another --port" in capsys.readouterr().err


def test_without_the_packages_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    for name in ("sarai.web.server", "sarai.web.patience", "sarai.web.guard", "uvicorn", "starlette"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert main(["serve"]) == 1
    assert 'pip install "sarai[serve]"' in capsys.readouterr().err
