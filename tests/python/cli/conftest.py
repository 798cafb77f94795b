"""Calls of the command line in this process."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence

import pytest

from sarai._cli import main


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Call the command, perhaps with lines that are typed: what it printed, or what it said of an error."""

    def call(words: str | Sequence[str], status: int = 0, *, typed: Iterable[str] = ()) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        assert main(words.split() if isinstance(words, str) else words) == status
        out, errors = capsys.readouterr()
        return errors if status else out

    return call
