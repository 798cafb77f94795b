"""`sarai.load`, which reads any file that Sarai has written."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from typing import BinaryIO, TypeAlias

from sarai._base import arguments
from sarai._matches.arena import Arena
from sarai._records import match, morris
from sarai._records.match import Match
from sarai._records.record import Record
from sarai._results import npz
from sarai._results.rollout import Rollout
from sarai._results.series_rollout import SeriesRollout
from sarai._results.states_rollout import StatesRollout
from sarai._results.trajectories import Trajectories

Loaded: TypeAlias = Rollout | Trajectories | SeriesRollout | StatesRollout | Arena | Record | Match

_HEAD = 2**16
"""Bytes in which a file shows its kind."""

_KINDS: dict[str, Callable[[npz.File], Loaded]] = {
    kind._KIND: kind._read for kind in (Rollout, Trajectories, SeriesRollout, StatesRollout, Arena)
}


def load(path: arguments.StrPath) -> Loaded:
    """Read a file written by a `save` method or the command line, or a game that another program wrote.

    The file may hold a rollout, trajectories, series, games from many positions, an arena or a record, a match of
    backgammon (.mat), or a game of morris in the notation of Sanmill and PlayOK; the kind is recognised from its
    contents. Nothing in the file is ever executed: it has plain NumPy arrays, JSON or text. To accept only one kind,
    use its own `load`, such as `sarai.results.Rollout.load`.

    Returns:
        A `Rollout`, `Trajectories`, a `SeriesRollout`, a `StatesRollout`, an `Arena`, a `Record` or a `Match`.

    Raises:
        OSError: The file cannot be read; if it does not exist, this is a FileNotFoundError.
        TypeError: The path is neither a str nor a path object.
        ValueError: The file is none of these, is damaged, or contradicts the rules.

    Examples:
        >>> import sarai, tempfile, os
        >>> r = sarai.rollout("sho", num_games=10, seed=1)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "sho.npz")
        ...     r.save(path)
        ...     sarai.load(path) == r
        True

        >>> sarai.load("no_such_file.npz")
        Traceback (most recent call last):
        ...
        FileNotFoundError: [Errno 2] No such file or directory: 'no_such_file.npz'
    """
    path = arguments.path(path)
    if os.path.isdir(path):
        raise IsADirectoryError(
            errno.EISDIR, "sarai.open_dataset reads the folder of a dataset, sarai.load a file", path
        )
    with open(path, "rb") as file:
        begin = file.peek(2)
        foreign = begin[:_HEAD].decode("utf-8", "replace")
        if match.looks_like(foreign) or morris.looks_like(foreign):
            return _foreign(path, file)
        with npz.told_of(path):
            if not begin.startswith(b"PK"):
                if not begin.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"sarai record")):
                    raise ValueError(
                        "it is neither a result (.npz) nor a record (JSON, text, .mat or .pgn); read .parquet files "
                        "with pandas or polars, and networks with sarai.nets.load"
                    )
                return Record._read(file)
            opened = npz.File(file)
            if opened.kind not in _KINDS:
                raise ValueError(
                    f"it holds sarai.{opened.kind[:80]}; this version of Sarai reads {', '.join(_KINDS)}"
                )
            return _KINDS[opened.kind](opened)


def _foreign(path: str, file: BinaryIO) -> Match | Record:
    """What another program wrote."""
    try:
        text = Record._text_of(file)
        return match.read(text, Record) if match.looks_like(text) else Record.from_text(text)
    except ValueError as error:
        raise ValueError(f"{path!r} cannot be read: {error}") from error
