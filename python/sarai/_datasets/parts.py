"""The parts of a dataset: what a worker is told, and what it does, on whatever machine."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from sarai._base import arguments, files
from sarai._core import VERSION
from sarai._game import make as make_game
from sarai._results.decisions import trajectories
from sarai._results.rollout import rollout
from sarai._tables import arrow
from sarai._tables.columns import Table
from sarai._tables.tabular import Tabular
from sarai.agents import Agent

_BLOCK = 1 << 20


@dataclass(frozen=True)
class Part:
    """A finished part.

    Attributes:
        file: The name of its file, which ends with the beginning of its digest.
        first_game: The number of its first game.
        games: The number of its games.
        rows: The number of rows of its table.
        bytes: The length of the file.
        sha256: The SHA-256 of the file, in hexadecimal.
    """

    file: str
    first_game: int
    games: int
    rows: int
    bytes: int
    sha256: str


@dataclass(frozen=True)
class Task:
    """What a worker is told; it travels by pickle.

    Attributes:
        folder: The folder of the dataset, which every worker sees under this name.
        index: The place of the part among all.
        first_game: The number of its first game.
        games: The number of its games.
        asked: What was asked for, as the manifest has it.
        agents: Who plays each seat: names, and policies themselves.
        num_threads: The number of threads that the engine uses; None uses all processors.
        max_decisions: The most decisions of a part of trajectories.
        made_with: The versions that the manifest names; others would write other bytes.
        found: The files that stand under the name of the part.
        sha256: The digest of the part, where it is known.
    """

    folder: str
    index: int
    first_game: int
    games: int
    asked: dict[str, Any]
    agents: tuple[Agent, ...]
    num_threads: int | None
    max_decisions: int
    made_with: dict[str, str]
    found: tuple[str, ...]
    sha256: str | None


def versions() -> dict[str, str]:
    """What the bytes of a part depend on beside what was asked for.

    Raises:
        ImportError: pyarrow is not installed.
    """
    return {"pyarrow": arrow.arrow().__version__, "sarai": VERSION}


def prefix(index: int) -> str:
    """What the name of a part's file begins with.

    >>> prefix(7)
    'part-00000007-'
    """
    return f"part-{index:08d}-"


def name(index: int, sha256: str) -> str:
    """The name of a part's file.

    >>> name(7, "0123456789abcdef" * 4)
    'part-00000007-0123456789abcdef.parquet'
    """
    return f"{prefix(index)}{sha256[:16]}.parquet"


def digest(path: str) -> str:
    """The SHA-256 of a file.

    Raises:
        OSError: It cannot be read.
    """
    found = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(_BLOCK):
            found.update(block)
    return found.hexdigest()


def make(task: Task, progress: Callable[[int], None] | None = None) -> Part:
    """Make a part, unless it is there and whole.

    It is written beside its place, synced and renamed, so what stands under its name is whole unless somebody damages
    it. Made again, anywhere, it has the same bytes.

    Raises:
        ValueError: It came out otherwise than before, or this machine would write other bytes.
        OSError: It cannot be written.
    """
    kept = _kept(task)
    if kept is not None:
        return kept
    if versions() != task.made_with:
        raise ValueError(
            f"part {task.index} of {task.folder} is missing or damaged, and the dataset was begun with "
            f"{_in_words(task.made_with)}, but here is {_in_words(versions())}, with which its bytes may differ: "
            "use the versions of the dataset, or make it anew in another folder"
        )
    table = _play(task, progress)._table(table_of(task.asked["what"]))
    content = arrow.as_bytes(table)
    sha256 = hashlib.sha256(content).hexdigest()
    file = name(task.index, sha256)
    if (task.sha256 or sha256) != sha256 or any(other != file for other in task.found):
        raise ValueError(
            f"part {task.index} of {task.folder} came out otherwise than before: its agents do not always decide "
            "alike in the same position, so a dataset of them cannot be mended; make it anew in another folder"
        )
    files.replace(os.path.join(task.folder, file), lambda stream: stream.write(content))
    return Part(file, task.first_game, task.games, table.rows, len(content), sha256)


def table_of(what: str) -> str:
    """What has a row each in such a dataset."""
    return {"rollout": "game", "trajectories": "decision"}[what]


def _kept(task: Task) -> Part | None:
    """The part, if it is there and whole."""
    whole = []
    for file in task.found:
        path = os.path.join(task.folder, file)
        try:
            sha256 = digest(path)
        except FileNotFoundError:
            continue
        if file == name(task.index, sha256) and task.sha256 in (None, sha256):
            whole.append((path, file, sha256))
    if not whole or len(task.found) > 1:
        # Of two files nobody knows which is meant: making it again tells.
        return None
    path, file, sha256 = whole[0]
    import pyarrow.parquet

    rows = pyarrow.parquet.read_metadata(path).num_rows
    return Part(file, task.first_game, task.games, rows, os.path.getsize(path), sha256)


def _play(task: Task, progress: Callable[[int], None] | None) -> Tabular:
    asked = task.asked
    game = make_game(asked["game"])
    begin = game if asked["start"] is None else game.parse(asked["start"])
    how: dict[str, Any] = {
        "seed": asked["seed"],
        "first_game": task.first_game,
        "random_plies": asked["random_plies"],
        "num_threads": task.num_threads,
        "progress": progress or False,
    }
    if asked["what"] == "rollout":
        return rollout(begin, task.agents, task.games, **how)
    played: Tabular = trajectories(begin, task.agents, task.games, max_decisions=task.max_decisions, **how)
    return played


def no_rows(asked: dict[str, Any]) -> Table:
    """The table of the parts, without their rows."""
    game = make_game(asked["game"])
    if asked["what"] == "rollout":
        return rollout(game, num_games=1, seed=0)[:0]._table("game")
    return trajectories(game, num_games=1, seed=0)[:0]._table("decision")


def _in_words(made_with: dict[str, str]) -> str:
    return " and ".join(f"{library} {arguments.short(version)}" for library, version in made_with.items())


def found_in(names: Iterable[str]) -> dict[int, tuple[str, ...]]:
    """The files that have the names of parts, by the place of the part.

    >>> found_in(["part-00000007-0123456789abcdef.parquet", "notes.txt"])
    {7: ('part-00000007-0123456789abcdef.parquet',)}
    """
    found: dict[int, tuple[str, ...]] = {}
    for file in sorted(names):
        place = file[len("part-") : len("part-") + 8]
        if file.endswith(".parquet") and place.isdecimal() and file.startswith(prefix(int(place))):
            found[int(place)] = (*found.get(int(place), ()), file)
    return found
