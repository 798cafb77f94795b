"""The command line where it is called in odd places: variables of the environment, streams, and files of all kinds."""

from __future__ import annotations

import io
import itertools
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

import sarai
from sarai._base.progress import shown
from sarai._base.terminal import size
from sarai._cli import main

Captured = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch

posix = pytest.mark.skipif(os.name == "nt", reason="there are no such files there")

# Numbers that are none, or none of a terminal; int() refuses the last two, though the first of them is a digit. A table
# that heeds 99999 is wide enough to be seen, and does not fill the memory yet.
SIZES = ["0", "-5", "x", "", "1", "99999", "1e9", "²", "9" * 5000]


def test_sizes_have_bounds(monkeypatch: Patch) -> None:
    for name, value in itertools.product(["COLUMNS", "LINES"], [*SIZES, "99999999", "0" * 9 + "80"]):
        with monkeypatch.context() as patch:
            patch.setenv(name, value)
            assert 20 <= size(None).columns <= 1000
            assert 1 <= size(None).lines <= 1000
            assert size(None, usual=10**9).columns <= 1000


@pytest.mark.parametrize("value", SIZES, ids=lambda value: value[:9])
def test_no_size_is_too_large_or_no_number(value: str, monkeypatch: Patch, capsys: Captured) -> None:
    monkeypatch.setenv("COLUMNS", value)
    monkeypatch.setenv("LINES", value)
    monkeypatch.setattr("sys.stdin", io.StringIO("legal\n"))
    for words in (["rules", "sho"], ["rollout", "sho", "--help"], ["play", "shah"], ["games"]):
        assert main(words) == 0
        out, errors = capsys.readouterr()
        assert errors == ""
        assert max(map(len, out.splitlines())) <= 1000
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with shown(True, "sho", 30) as report:
        assert report is not None
        report(30)
    assert max(map(len, capsys.readouterr().err.splitlines())) < 1100


def stream(number: int, encoding: str = "utf-8", errors: str = "strict") -> io.TextIOWrapper:
    """A stream that buffers as that of a process does."""
    return io.TextIOWrapper(io.BufferedWriter(io.FileIO(number, "wb")), encoding, errors)


@pytest.mark.parametrize("encoding", ["ascii", "cp037", "utf-16"])
def test_every_encoding(encoding: str, tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "20")
    printed = tmp_path / "printed"
    lines = ["rules tshupu", "play shuanglu", "rollout sho --games 5", "play shah --save \u00fc.json"]
    for line in lines:
        monkeypatch.setattr("sys.stdin", io.StringIO("1\n"))
        with stream(os.open(printed, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), encoding) as out:
            monkeypatch.setattr("sys.stdout", out)
            assert main(line.split()) == 0
        assert printed.read_bytes().decode(encoding)
    name = "'\\xfc.json'" if encoding == "ascii" else "'\u00fc.json'"
    assert f"sarai play --resume {name}" in " ".join(printed.read_bytes().decode(encoding).split())
    assert (tmp_path / "\u00fc.json").exists()


def test_what_is_no_text_ends_with_2(monkeypatch: Patch, capsys: Captured) -> None:
    for errors, status in (("strict", 2), ("surrogateescape", 0)):
        typed = io.TextIOWrapper(io.BytesIO(b"\xff\xfe\n"), "utf-8", errors)
        monkeypatch.setattr("sys.stdin", typed)
        # Where any byte is some character it is a wrong move like others.
        assert main(["play", "shah", "--seed", "1"]) == status
        out, said = capsys.readouterr()
        assert said.count("\n") == (status == 2)
        assert ("is no legal move" in out) == (status == 0)
    monkeypatch.setattr("sys.stdin", io.StringIO("a" * 100_000))
    assert main(["play", "shah"]) == 2
    assert "more than 1000 characters" in capsys.readouterr().err


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_a_byte_order_mark_before_the_first_move(encoding: str, monkeypatch: Patch, capsys: Captured) -> None:
    typed = io.TextIOWrapper(io.BytesIO("1\r\n".encode("utf-8-sig")), encoding)
    monkeypatch.setattr("sys.stdin", typed)
    assert main(["play", "shah", "--seed", "1"]) == 0
    assert "is no legal move" not in capsys.readouterr().out


@posix
def test_an_input_that_cannot_be_read(monkeypatch: Patch, capsys: Captured) -> None:
    with os.fdopen(os.open(os.devnull, os.O_WRONLY), "r") as nothing:
        monkeypatch.setattr("sys.stdin", nothing)
        assert main(["play", "shah"]) == 1
    assert capsys.readouterr().err.startswith("error: cannot read the input: Bad file descriptor")


@pytest.mark.parametrize("missing", [["stdin"], ["stdout"], ["stderr"], ["stdin", "stdout", "stderr"]])
def test_without_a_stream(missing: list[str], monkeypatch: Patch, capsys: Captured) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    for name in missing:
        monkeypatch.setattr(sys, name, None)
    assert main(["rollout", "shah", "--games", "5"]) == 0
    assert main(["play", "shah", "--seed", "1"]) == 0
    assert main(["nonsense"]) == 2
    out, errors = capsys.readouterr()
    assert ("5 games" in out and "You have left the game" in out) == ("stdout" not in missing)
    assert ("nonsense" in errors) == ("stderr" not in missing)


class Written:
    """A stream by which a program catches what is printed; it says nothing of terminals."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None: ...


def test_streams_of_a_program_need_not_know_of_terminals(monkeypatch: Patch) -> None:
    out, errors = Written(), Written()
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n"))
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setattr("sys.stderr", errors)
    sarai.rollout("shah", num_games=5, progress=True)
    assert main(["rollout", "shah", "--games", "5"]) == 0
    assert main(["play", "shah", "--seed", "1"]) == 0
    assert main(["nonsense"]) == 2
    assert "5 games" in out.text
    assert "You have left the game" in out.text
    assert "nonsense" in errors.text


def test_nobody_watches_a_stream_that_is_closed(monkeypatch: Patch) -> None:
    closed = io.StringIO()
    closed.close()
    monkeypatch.setattr("sys.stderr", closed)
    assert sarai.rollout("shah", num_games=5, progress=True).num_games == 5


def broken(kind: str) -> int:
    """The number of a file that takes nothing."""
    if kind == "a full device":
        if not Path("/dev/full").exists():
            pytest.skip("needs a device that is always full")
        return os.open("/dev/full", os.O_WRONLY)
    ours, theirs = os.pipe() if kind == "a pipe" else os.openpty()
    os.close(ours)
    return theirs


LONG = [
    "rollout sho --games 300 --out there.npz",
    "metrics shah --games 20",
    pytest.param("solve shah --stones 3 --out there", marks=pytest.mark.nightly),
]


@posix
@pytest.mark.parametrize("kind", ["a full device", "a pipe", "a terminal"])
@pytest.mark.parametrize("line", LONG, ids=lambda line: line.split()[0])
def test_progress_that_nobody_sees_ends_nothing(
    line: str, kind: str, tmp_path: Path, monkeypatch: Patch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TERM", "xterm")
    with closing(stream(broken(kind))) as nowhere:
        monkeypatch.setattr("sys.stderr", nowhere)
        assert main(line.split()) == 0
    assert capsys.readouterr().out
    assert [path.stem for path in tmp_path.iterdir()] == ["there"] * ("--out" in line)


@contextmanager
def closing(nowhere: io.TextIOWrapper) -> Iterator[io.TextIOWrapper]:
    """Close a stream that cannot be emptied."""
    yield nowhere
    with suppress(OSError):
        nowhere.close()


@posix
@pytest.mark.parametrize("line", ["games", "play shah", "rollout shah --games 5", "serve --no-browser"])
def test_a_result_that_cannot_be_printed(line: str, monkeypatch: Patch, capsys: Captured) -> None:
    with closing(stream(broken("a full device"))) as nowhere:
        monkeypatch.setattr("sys.stdout", nowhere)
        assert main(line.split()) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert last == "error: cannot print the result: No space left on device"


@posix
def test_an_error_that_cannot_be_printed(monkeypatch: Patch) -> None:
    with closing(stream(broken("a full device"))) as nowhere:
        monkeypatch.setattr("sys.stderr", nowhere)
        assert main(["nonsense"]) == 2


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
def test_a_game_is_kept_in_no_pipe(tmp_path: Path, monkeypatch: Patch, capsys: Captured) -> None:
    record = sarai.Record.from_steps("shah", [4, 19], agents=["human", "greedy"])
    monkeypatch.setattr("sarai._cli.files.Record.load", lambda path: record)
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
    monkeypatch.setattr(sarai.State, "perft", _raising(error))
    monkeypatch.setattr("sarai._cli.rollout.rollout", _raising(error))
    for words in (["perft", "shah", "2"], ["rollout", "shah"]):
        assert main(words) == 1
        out, errors = capsys.readouterr()
        assert (out, errors.count("\n")) == ("", 1)
        assert sentence in errors


def test_an_error_of_the_program_is_not_hidden(monkeypatch: Patch) -> None:
    monkeypatch.setattr(sarai.State, "perft", _raising(RecursionError()))
    with pytest.raises(RecursionError):
        main(["perft", "shah", "2"])


def _raising(error: Exception) -> Callable[..., None]:
    def call(*_: object, **__: object) -> None:
        raise error

    return call
