"""The command line where it is called in odd places: variables of the environment, streams, and files of all kinds."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sarai
from sarai.cli import main
from sarai.progress import shown
from sarai.terminal import size

Captured = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch

posix = pytest.mark.skipif(os.name == "nt", reason="there are no such files there")

# Numbers that are none, or none of a terminal; int() refuses the last two, though the first of them is a digit. A table
# that heeds 99999 is wide enough to be seen, and does not fill the memory yet.
SIZES = ["0", "-5", "x", "", "1", "99999", "1e9", "²", "9" * 5000]


@pytest.mark.parametrize("name", ["COLUMNS", "LINES"])
@pytest.mark.parametrize("value", [*SIZES, "99999999", "0" * 9 + "80"], ids=lambda value: value[:12])
def test_sizes_have_bounds(name: str, value: str, monkeypatch: Patch) -> None:
    monkeypatch.setenv(name, value)
    assert 20 <= size(None).columns <= 1000
    assert 1 <= size(None).lines <= 1000
    assert size(None, usual=10**9).columns <= 1000


@pytest.mark.parametrize("name", ["COLUMNS", "LINES"])
@pytest.mark.parametrize("value", SIZES, ids=lambda value: value[:9])
def test_no_size_is_too_large_or_no_number(
    name: str, value: str, monkeypatch: Patch, capsys: Captured
) -> None:
    monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdin", io.StringIO("legal\n"))
    for words in (["rules", "sho"], ["rollout", "sho", "--help"], ["play", "shah"], ["games"]):
        assert main(words) == 0
        out, errors = capsys.readouterr()
        assert errors == ""
        assert max(map(len, out.splitlines())) <= 1000


@pytest.mark.parametrize("value", SIZES, ids=lambda value: value[:9])
def test_a_bar_is_not_too_wide(value: str, monkeypatch: Patch, capsys: Captured) -> None:
    monkeypatch.setenv("COLUMNS", value)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with shown(True, "sho", 30) as report:
        assert report is not None
        report(30)
    assert max(map(len, capsys.readouterr().err.splitlines())) < 1100


def process(
    *words: str, env: dict[str, str] | None = None, **options: Any
) -> subprocess.CompletedProcess[bytes]:
    options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    command = [sys.executable, "-m", "sarai", *words]
    return subprocess.run(command, env={**os.environ, **(env or {})}, timeout=100, check=False, **options)


@pytest.mark.parametrize(
    "words",
    [
        ["rollout", "shah", "--games", "2", "--picture", "x.svg"],
        ["rollout", "--all", "--games", "2", "--out-dir", "x"],
    ],
)
def test_a_wrong_backend_is_told_before_anything_is_played(words: list[str], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    done = process(*words, env={"MPLBACKEND": "nonsense"}, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.startswith(
        b"error: matplotlib refuses the MPLBACKEND of the environment, 'nonsense': unset it"
    )
    assert done.stderr.count(b"\n") == 1
    assert list(tmp_path.iterdir()) == []
    # One that is never asked for may be missing.
    done = process(*words, env={"MPLBACKEND": "module://nowhere"}, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("columns", ["20", "80"])
@pytest.mark.parametrize("encoding", ["ascii:strict", "cp037", "utf-16"])
def test_every_encoding(encoding: str, columns: str) -> None:
    env = {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", "COLUMNS": columns}
    for words in (["rules", "tshupu"], ["play", "shuanglu"], ["rollout", "sho", "--games", "5"]):
        done = process(*words, env=env)
        assert done.returncode == 0, done.stderr
        assert b"Traceback" not in done.stderr


STREAMS = ["stdin", "stdout", "stderr"]


def closing(*streams: str) -> dict[str, Any]:
    """What starts a process without these streams."""
    numbers = [STREAMS.index(stream) for stream in streams]
    return {**dict.fromkeys(streams), "preexec_fn": lambda: [os.close(number) for number in numbers]}


@posix
@pytest.mark.parametrize(("words", "status"), [(["play", "shah", "--seed", "1"], 0), (["nonsense"], 2)])
def test_without_a_stream(words: list[str], status: int) -> None:
    for streams in (*([stream] for stream in STREAMS), STREAMS):
        done = process(*words, **closing(*streams))
        assert done.returncode == status
        assert b"Traceback" not in (done.stderr or b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_streams_that_take_nothing() -> None:
    with open("/dev/full", "wb") as full:
        for words, status in ((["games"], 1), (["nonsense"], 2), (["rollout", "shah", "--games", "5"], 1)):
            assert process(*words, stdout=full, stderr=full).returncode == status
        assert process("nonsense", stderr=full).returncode == 2


@posix
@pytest.mark.parametrize("kind", ["a full device", "a pipe", "a terminal"])
@pytest.mark.parametrize(
    "words",
    [
        ["rollout", "sho", "--games", "3000", "--out", "there.npz"],
        ["metrics", "shah", "--games", "50"],
        ["solve", "shah", "--stones", "3", "--out", "there"],
    ],
    ids=lambda words: words[0],
)
def test_progress_that_nobody_sees_ends_nothing(words: list[str], kind: str, tmp_path: Path) -> None:
    if kind == "a full device":
        if not Path("/dev/full").exists():
            pytest.skip("needs a device that is always full")
        theirs = os.open("/dev/full", os.O_WRONLY)
    else:
        ours, theirs = os.pipe() if kind == "a pipe" else os.openpty()
        os.close(ours)
    with os.fdopen(theirs, "wb") as nowhere:
        done = process(*words, stderr=nowhere, cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout
    assert [path.stem for path in tmp_path.iterdir()] == ["there"] * ("--out" in words)


def test_a_bar_on_a_terminal_that_is_gone_ends_nothing(monkeypatch: Patch) -> None:
    class Gone(io.StringIO):
        def isatty(self) -> bool:
            return True

        def write(self, text: str) -> int:
            raise OSError("Input/output error")

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stderr", Gone())
    with shown(True, "sho", 30) as report:
        assert report is not None
        report(15)
        report(30)


@posix
@pytest.mark.parametrize("words", [["rules", "sho"], ["play", "shah"], ["rollout", "shah", "--games", "5"]])
def test_a_pipe_that_nobody_reads(words: list[str]) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    with os.fdopen(theirs, "wb") as pipe:
        done = process(*words, stdout=pipe)
        assert done.returncode == 1
        assert b"Traceback" not in done.stderr
        assert b"Exception" not in done.stderr


@posix
def test_an_input_that_cannot_be_read() -> None:
    with open(os.devnull, "wb") as nothing:
        done = process("play", "shah", stdin=nothing)
    assert done.returncode == 1
    assert done.stderr == (
        b"error: cannot read the input: Bad file descriptor; give moves by a file, a pipe or a terminal\n"
    )


@posix
def test_a_game_is_kept_in_no_pipe(tmp_path: Path, monkeypatch: Patch, capsys: Captured) -> None:
    record = sarai.Record.from_steps("shah", [4, 19], agents=["human", "greedy"])
    monkeypatch.setattr("sarai.cli.files.Record.load", lambda path: record)
    pipe = str(tmp_path / "pipe.json")
    os.mkfifo(pipe)
    # Whoever writes to it would wait for a reader.
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n"))
    assert main(["play", "--resume", pipe]) == 2
    out, errors = capsys.readouterr()
    assert (out, errors.count("\n")) == ("", 1)
    assert "give --save FILE too" in errors
    assert main(["play", "--resume", pipe, "--save", str(tmp_path / "game.json")]) == 0
    os.close(reader)


def test_a_long_word_makes_no_long_message(capsys: Captured) -> None:
    assert main(["rollout", "sho", "--seed", "9" * 100_000]) == 2
    errors = capsys.readouterr().err
    assert len(errors) < 1100
    assert errors.endswith("(see 'sarai rollout --help')\n")


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (
            RuntimeError("no thread is to be had: give num_threads=1"),
            "no thread is to be had: give num_threads=1",
        ),
        (MemoryError(), "not enough memory"),
    ],
)
def test_what_the_system_refuses(
    error: Exception, sentence: str, monkeypatch: Patch, capsys: Captured
) -> None:
    monkeypatch.setattr("sarai.cli.perft.perft", _raising(error))
    monkeypatch.setattr("sarai.cli.rollout.rollout", _raising(error))
    for words in (["perft", "shah", "2"], ["rollout", "shah"]):
        assert main(words) == 1
        out, errors = capsys.readouterr()
        assert (out, errors.count("\n")) == ("", 1)
        assert sentence in errors


def test_an_error_of_the_program_is_not_hidden(monkeypatch: Patch) -> None:
    monkeypatch.setattr("sarai.cli.perft.perft", _raising(RecursionError()))
    with pytest.raises(RecursionError):
        main(["perft", "shah", "2"])


def _raising(error: Exception) -> Callable[..., None]:
    def call(*_: object, **__: object) -> None:
        raise error

    return call
