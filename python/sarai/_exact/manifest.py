"""The manifest of a folder of tables: what is published, and what a fetch checks against."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NamedTuple

from sarai import _core
from sarai._base import arguments, hub
from sarai._base.files import replace
from sarai._base.json_input import parse
from sarai._base.progress import ProgressOption, Report, shown
from sarai._exact import card
from sarai._exact.tables import Tables, game_of, header_of, some_game

FILE = "manifest.json"
FORMAT = "sarai.exact"
VERSION = 1

MAX_LENGTH = 1 << 20
"""The longest manifest, in bytes: some thousand files."""

MAX_BYTES = 1 << 40
"""The largest file of a table."""

_PIECE = 1 << 18
"""How many bytes are read at a time."""


class Key(NamedTuple):
    """Which table a file has."""

    layer: int | None
    """The number of turns passed; None in the moving phase."""
    own: int
    """The stones of the side to move."""
    other: int
    """The stones of the other side."""

    def file(self, game: str) -> str:
        """The name of the file.

        >>> Key(None, 4, 3).file("shah"), Key(16, 8, 8).file("shah")
        ('shah-4-3.exact', 'shah-turn-16-8-8.exact')
        """
        layer = "" if self.layer is None else f"turn-{self.layer}-"
        return f"{game}-{layer}{self.own}-{self.other}.exact"


@dataclass(frozen=True)
class TableFile:
    """A file of a manifest."""

    name: str
    """Its name."""
    bytes: int
    """Its size."""
    sha256: str
    """The SHA-256 of its content."""


@dataclass(frozen=True)
class Manifest:
    """The files of a folder of tables, with their digests."""

    moving: dict[str, Any]
    """What the tables of the moving phase are of: the game, the numbering of positions, and the rules that matter."""
    placing: dict[str, Any] | None
    """The same for the turns before the moving phase; None where there are none."""
    files: tuple[TableFile, ...]
    """The files."""

    @property
    def bytes(self) -> int:
        """The total size of the files."""
        return sum(file.bytes for file in self.files)

    def keyed(self) -> dict[Key, TableFile]:
        """The files by the table that they have."""
        keys = ((key_of(self.moving["game"], file.name), file) for file in self.files)
        return {key: file for key, file in keys if key is not None}

    def text(self) -> str:
        """The manifest as JSON."""
        told = {
            "format": FORMAT,
            "version": VERSION,
            "moving": self.moving,
            "placing": self.placing,
            "files": [{"name": file.name, "bytes": file.bytes, "sha256": file.sha256} for file in self.files],
        }
        return json.dumps(told, indent=1, allow_nan=False) + "\n"


def manifest(
    folder: str | os.PathLike[str], *, license_id: str | None = None, progress: ProgressOption = True
) -> Manifest:
    """Write `manifest.json` into a folder of tables, and `README.md`, a dataset card for the Hugging Face Hub.

    Upload both with the tables, and `fetch` can fetch the tables from there. Every table is checked for damage first.
    The same tables give the same bytes.

    Args:
        folder: The folder of tables.
        license_id: The license for the card, as the Hub names it, such as "cc-by-4.0"; None leaves it open.
        progress: Whether to show a progress bar in a terminal or notebook, or a callable that takes the bytes so far.

    Raises:
        ValueError: There are no tables of the moving phase, a table is damaged or of other rules, a file is no table,
            or the folder has another README.md.
        OSError: The folder cannot be read or written.
        TypeError: An argument has the wrong type.
    """
    at = Path(arguments.path(folder))
    before = game_of(at, "*-turn-*.exact")
    game = before or some_game(at)
    moving = {Key(None, row.own, row.other): row._asdict() for row in Tables(game, at).summary()}
    layers = json.loads(_core.exact_layers_summary_json(game, os.fspath(at))) if before else []
    placing = {Key(row["layer"], *row["pair"]): row["summary"] for row in layers}
    summaries = moving | placing
    names = {key: key.file(game.name) for key in summaries}
    if others := {path.name for path in at.glob("*.exact")} - {*names.values()}:
        raise ValueError(f"{at / min(others)} is no table of {game!r}: move it away")
    files = []
    total = sum((at / name).stat().st_size for name in names.values())
    with shown(progress, f"reading {game.name}", total, "bytes") as report:
        count = Count(report)
        for name in names.values():
            with open(at / name, "rb") as file:
                digest = hashlib.sha256()
                for piece in count.read(file):
                    digest.update(piece)
                files.append(TableFile(name, file.tell(), digest.hexdigest()))
    # Tables opens with some of the moving phase, or not at all.
    of = _fingerprint(at / names[next(iter(moving))])
    of_placing = _fingerprint(at / names[next(iter(placing))]) if placing else None
    made = Manifest(of, of_placing, tuple(files))
    readme = card.text(game, made, summaries, license_id).encode()
    path = at / hub.FILE
    if path.exists() and path.read_bytes() != readme:
        raise ValueError(f"{path} exists and may have been edited: move it away")
    replace(at / FILE, lambda file: file.write(made.text().encode()))
    replace(path, lambda file: file.write(readme))
    return made


def _fingerprint(path: Path) -> dict[str, Any]:
    of = header_of(path)["fingerprint"]
    return {name: of[name] for name in ("game", "numbering", "rules")}


class Count:
    """Counts bytes, and reports them."""

    def __init__(self, report: Report | None) -> None:
        self._report = report
        self.done = 0

    def add(self, number: int) -> None:
        """Count so many more; fewer where some did not count after all."""
        self.done += number
        if self._report is not None:
            self._report(self.done)

    def read(self, file: IO[bytes]) -> Iterator[bytes]:
        """The content of a file, counted."""
        while piece := file.read(_PIECE):
            yield piece
            self.add(len(piece))


def understood(content: bytes) -> Manifest:
    """A manifest that anybody may have written.

    Raises:
        ValueError: It is none, or of another version.
    """
    if len(content) > MAX_LENGTH:
        raise ValueError(f"it has more than {MAX_LENGTH:,} bytes")
    told = parse(content.decode(), "a manifest")
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        raise ValueError("it does not say that it is one of tables")
    if type(told.get("version")) is not int or told["version"] != VERSION:
        raise ValueError(
            f"it has version {arguments.short(told.get('version'))}, but this version of Sarai reads {VERSION}"
        )
    if set(told) != {"format", "version", "moving", "placing", "files"}:
        raise ValueError("it does not have format, version, moving, placing and files")
    moving, placing, files = (told[name] for name in ("moving", "placing", "files"))
    for name, of in (("moving", moving), ("placing", placing)):
        if of is not None or name == "moving":
            _check_fingerprint(name, of)
    if not isinstance(files, list):
        raise ValueError("its files are no list")
    made = Manifest(
        moving, placing, tuple(_file(moving["game"], place, file) for place, file in enumerate(files))
    )
    keys = made.keyed()
    if len(keys) < len(files):
        raise ValueError("it names a file twice")
    if placing is None and any(key.layer is not None for key in keys):
        raise ValueError("it does not say of which rules the turns before the moving phase are")
    return made


def _check_fingerprint(name: str, of: object) -> None:
    if (
        not isinstance(of, dict)
        or set(of) != {"game", "numbering", "rules"}
        or not isinstance(of["game"], str)
        or type(of["numbering"]) is not int
        or not isinstance(of["rules"], dict)
        or not all(isinstance(value, str) for value in of["rules"].values())
    ):
        raise ValueError(f"it does not say of which game and rules {name!r} is")


def _file(game: str, place: int, told: object) -> TableFile:
    if not isinstance(told, dict) or set(told) != {"name", "bytes", "sha256"}:
        raise ValueError(f"file {place} is not described")
    name, size, digest = told["name"], told["bytes"], told["sha256"]
    # A name with a folder in it would lead elsewhere.
    if not isinstance(name, str) or key_of(game, name) is None:
        raise ValueError(
            f"file {place} has the name {arguments.short(name)}, and tables are called like {game}-4-3.exact"
        )
    if type(size) is not int or not 1 <= size <= MAX_BYTES:
        raise ValueError(f"{name} has {arguments.short(size)} bytes, and a table has 1 to {MAX_BYTES:,}")
    if not isinstance(digest, str) or not re.fullmatch("[0-9a-f]{64}", digest):
        raise ValueError(f"{name} has no valid SHA-256")
    return TableFile(name, size, digest)


def key_of(game: str, name: str) -> Key | None:
    """The table of a file with such a name; None if it is no name of a table.

    >>> key_of("shah", "shah-turn-16-8-8.exact"), key_of("shah", "shah-04-3.exact"), key_of("shah", "../shah-4-3.exact")
    (Key(layer=16, own=8, other=8), None, None)
    """
    found = re.fullmatch(r"[a-z_]+-(?:turn-([0-9]{1,3})-)?([0-9]{1,3})-([0-9]{1,3})\.exact", name)
    if found is None:
        return None
    layer, own, other = (None if number is None else int(number) for number in found.groups())
    key = Key(layer, own or 0, other or 0)
    return key if key.file(game) == name else None
