"""Making tables, and checking them."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any, SupportsIndex

from sarai import _core
from sarai._base.arguments import counted, flag
from sarai._base.progress import check_callback, shown
from sarai._core import Game
from sarai._exact.tables import Stones, Tables, Tell, game_of, some_game, two
from sarai._game import as_game

_BYTES_A_PLACE = 0.5
"""What a place takes on the disk, or less: 0.3 in the tables of Shah to six stones, 0.05 in nine men's morris."""


@dataclass(frozen=True)
class Plan:
    """The resources that solving takes."""

    tables: int
    """How many files there will be."""
    places: int
    """How many places they have: positions up to symmetry."""
    memory: int
    """The most bytes of memory at a time, about."""
    disk: int
    """The most bytes on the disk."""

    def __str__(self) -> str:
        return (
            f"{counted(self.tables, 'table')} with {self.places:,} positions up to symmetry; up to "
            f"{size(self.memory)} of memory and {size(self.disk)} on the disk"
        )

    def check(self, folder: Path) -> None:
        """Raise an error if the memory or the disk is too small.

        Raises:
            MemoryError: There is not enough memory.
            OSError: There is not enough space on the disk.
        """
        free = free_memory()
        if free is not None and self.memory > free:
            raise MemoryError(
                f"this takes {size(self.memory)} of memory, and {size(free)} are free: fewer stones take less"
            )
        check_room(folder, self.disk, "up to ")


def check_room(folder: Path, needed: int, most: str = "") -> None:
    """Raise an error if so many bytes do not fit on the disk.

    Raises:
        OSError: They do not.
    """
    existing = next(parent for parent in (folder, *folder.absolute().parents) if parent.exists())
    room = shutil.disk_usage(existing).free
    if needed > room:
        raise OSError(f"this takes {most}{size(needed)} on the disk, and {size(room)} are free in {existing}")


@dataclass(frozen=True)
class Verified:
    """The result of a check."""

    positions: int
    """How many positions were looked at."""
    wrong: int
    """How many of them are not worth the best of their moves."""
    first: str | None
    """The first of them."""


def size(number: int) -> str:
    """A number of bytes for people."""
    return f"{number / 1e9:.1f} GB" if number >= 1e8 else f"{number / 1e6:.1f} MB"


def free_memory() -> int | None:
    """What the system can give, where it says so."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    sizes = [int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")]
    return sizes[0] if sizes else None


def plan(
    game: str | Game,
    stones: Stones | None = None,
    *,
    placing: bool = False,
) -> Plan:
    """Estimate what it takes to solve a game up to these stones, or with `placing` the turns before the moving phase.

    Raises:
        ValueError: The game has no tables, or both `stones` and `placing` are given, or neither.
        TypeError: An argument has the wrong type.

    >>> plan("shah", (4, 4))
    Plan(tables=4, places=5686415, memory=..., disk=2843207)
    >>> plan("shah", placing=True).tables
    26
    >>> plan("shah")
    Traceback (most recent call last):
        ...
    ValueError: give either stones or placing=True
    """
    book = as_game(game)
    placing = flag("placing", placing)
    if (stones is not None) == placing:
        raise ValueError("give either stones or placing=True")
    groups = json.loads(_core.exact_plan_json(book, None if stones is None else two("stones", stones)))
    places = sum(group["places"] for group in groups)
    return Plan(
        tables=sum(len(group["pairs"]) for group in groups),
        places=places,
        memory=max((group["memory"] for group in groups), default=0),
        disk=int(places * _BYTES_A_PLACE),
    )


def solve(
    game: str | Game,
    stones: Stones | None,
    out: str | os.PathLike[str],
    *,
    placing: bool = False,
    num_threads: SupportsIndex | None = None,
    progress: bool = True,
    tell: Tell | None = None,
) -> Tables:
    """Solve every pair up to these stones that the folder does not hold yet.

    Each table is written as soon as it is solved; if the call is stopped, repeat it to make the missing pairs. The
    tables do not depend on the number of threads. With `placing`, it solves the turns before the moving phase:
    placements and opening removals, a file for each turn and pair of stones on the board. These need the tables in the
    folder that the last of these turns lead to.

    Args:
        game: A game's name, or a game.
        stones: The largest number of stones of one side and of the other, whichever is to move; None with `placing`.
        out: The folder, made if it is missing.
        placing: Whether to solve the turns before the moving phase.
        num_threads: The number of threads; None uses all processors.
        progress: Whether to show a progress bar in a terminal or notebook.
        tell: Called with each step, a dict with the key "event".

    Raises:
        ValueError: The game has no tables, a file there is damaged or of other rules, or the folder cannot be written;
            a table that `placing` needs is missing.
        TypeError: An argument has the wrong type.
        MemoryError: There is not enough memory; nothing has been done.
        OSError: There is not enough space on the disk; nothing has been done.
    """
    book = as_game(game)
    check_callback("tell", tell)
    due = plan(book, stones, placing=placing)
    due.check(Path(out))
    done = 0
    with shown(progress, f"solving {book.name}", due.places, "positions") as report:

        def heard(text: str) -> None:
            nonlocal done
            event = json.loads(text)
            if event["event"] in ("found", "done"):
                done += event["places"]
                if report is not None:
                    report(done)
            if tell is not None:
                tell(event)

        of = None if stones is None else two("stones", stones)
        _core.exact_solve(book, os.fspath(out), of, num_threads=num_threads, tell=heard)
    return Tables(book, out, check=False)


def verify(
    folder: str | os.PathLike[str],
    *,
    sample: SupportsIndex | None = None,
    num_threads: SupportsIndex | None = None,
    tell: Tell | None = None,
) -> Verified:
    """Check every position of the tables in a folder against the best of its moves, by the game's own rules.

    Tables of the turns before the moving phase come last. A turn whose next turn has no table cannot be checked, and is
    skipped.

    If all values and turns pass, the tables are right: a position won in n turns leads to one lost in fewer, and so on
    down to the end of the game.

    Args:
        folder: Where the tables are.
        sample: Check only every n-th position; None checks all.
        num_threads: Threads; None for as many as there are processors.
        tell: What hears of each table, a dict.

    Raises:
        ValueError: There are no tables, or one is damaged.
        TypeError: An argument has the wrong type.
    """
    check_callback("tell", tell)
    game = some_game(folder)
    found: list[dict[str, Any]] = []

    def heard(text: str) -> None:
        found.append(json.loads(text))
        if tell is not None:
            tell(found[-1])

    for placing, of in ((False, game), (True, game_of(folder, "*-turn-*.exact"))):
        if of is not None:
            _core.exact_verify(
                of,
                os.fspath(folder),
                placing=placing,
                every=1 if sample is None else sample,
                num_threads=num_threads,
                tell=heard,
            )
    firsts = (table["first"] for table in found if table["first"] is not None)
    return Verified(
        positions=sum(table["positions"] for table in found),
        wrong=sum(table["wrong"] for table in found),
        first=next(firsts, None),
    )
