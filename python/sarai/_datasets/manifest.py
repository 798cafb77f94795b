"""What a dataset's folder says of itself, and who may write into it.

The manifest is JSON in the metadata of a Parquet file with the columns of the parts and no rows, because some readers
of a folder of Parquet files refuse any other file in it.
"""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from typing import Any

from sarai._base import arguments, files
from sarai._base.json_input import parse
from sarai._datasets.parts import Part, no_rows, versions
from sarai._datasets.parts import name as file_name
from sarai._tables import arrow

FILE = "_manifest.parquet"

_EARLIER = "manifest.json"
"""Where it was before: read, and replaced when the dataset is made again."""

_NOTE = "sarai.manifest"

VERSION = 2
"""Of the layout of a dataset; another one is refused with a sentence."""

MAX_LENGTH = 1 << 30
"""The longest manifest, in bytes: some million parts."""

ASKED: dict[str, type | tuple[type, ...]] = {
    "what": str,
    "game": str,
    "agents": list,
    "seed": int,
    "first_game": int,
    "num_games": int,
    "chunk_games": int,
    "start": (str, type(None)),
    "random_plies": int,
}
"""What is asked for, by the name that the manifest gives it."""

_TEMPORARY = re.compile(r"\.[0-9a-f]{32}\.tmp")


@dataclass(frozen=True)
class Manifest:
    """What was asked for, what made it, and, once all are there, the parts."""

    asked: dict[str, Any]
    made_with: dict[str, str]
    parts: tuple[Part, ...] | None

    @property
    def num_parts(self) -> int:
        """How many parts there are when all are there."""
        return -(-int(self.asked["num_games"]) // int(self.asked["chunk_games"]))

    def games_of(self, index: int) -> tuple[int, int]:
        """The first game of a part, and how many it has."""
        chunk, done = self.asked["chunk_games"], index * self.asked["chunk_games"]
        return self.asked["first_game"] + done, min(chunk, self.asked["num_games"] - done)

    def write(self, folder: str) -> None:
        """Write it, whole or not at all.

        Raises:
            OSError: It cannot be written.
        """
        told = {
            "format": "sarai.dataset",
            "version": VERSION,
            "asked": self.asked,
            "made_with": self.made_with,
            "parts": None if self.parts is None else [asdict(part) for part in self.parts],
        }
        notes = {_NOTE: json.dumps(told, allow_nan=False)}
        content = arrow.as_bytes(no_rows(self.asked), notes)
        files.replace(os.path.join(folder, FILE), lambda file: file.write(content))
        with suppress(FileNotFoundError):
            os.unlink(os.path.join(folder, _EARLIER))


def read(folder: str) -> Manifest:
    """The manifest of a folder.

    Raises:
        OSError: It cannot be read; if there is no manifest, this is a FileNotFoundError.
        ValueError: It is damaged, or of another version.
    """
    path = os.path.join(folder, FILE)
    if not os.path.exists(path) and os.path.exists(os.path.join(folder, _EARLIER)):
        path = os.path.join(folder, _EARLIER)
    try:
        with open(path, "rb") as file:
            content = file.read(MAX_LENGTH + 1)
    except (FileNotFoundError, NotADirectoryError) as error:
        if os.path.isfile(folder):
            why = "A dataset is a folder; sarai.load reads a file"
        else:
            why = "No dataset here: there is no manifest" if os.path.isdir(folder) else "No such folder"
        raise type(error)(error.errno, why, folder) from None
    try:
        if len(content) > MAX_LENGTH:
            raise ValueError("it is too long")
        text = content.decode() if path.endswith(".json") else arrow.notes_of(content).get(_NOTE, "")
        return _understood(parse(text, "the manifest"))
    except ValueError as error:
        raise ValueError(f"{path!r} is no manifest of a dataset, or is damaged: {error}") from error


def _understood(told: object) -> Manifest:
    if not isinstance(told, dict) or told.get("format") != "sarai.dataset":
        raise ValueError("it does not say that it is one")
    if type(told.get("version")) is not int or told["version"] != VERSION:
        raise ValueError(
            f"it has layout version {arguments.short(told.get('version'))}, but this version of Sarai reads {VERSION}: "
            "read it with the version that wrote it"
        )
    asked, made_with, parts = (told.get(name) for name in ("asked", "made_with", "parts"))
    if not isinstance(asked, dict) or set(asked) != set(ASKED):
        raise ValueError("it does not say what was asked for")
    for name, kind in ASKED.items():
        if type(asked[name]) not in (kind if isinstance(kind, tuple) else (kind,)):
            raise ValueError(f"it has no valid {name!r}")
    for name in ("seed", "first_game", "num_games", "chunk_games"):
        arguments.from_zero(name, asked[name])
    arguments.random_plies(asked["random_plies"])
    if not all(isinstance(agent, str) for agent in asked["agents"]):
        raise ValueError("it has no valid 'agents'")
    if asked["chunk_games"] < 1:
        raise ValueError("its parts have no games")
    if not isinstance(made_with, dict) or set(made_with) != set(versions()):
        raise ValueError("it does not say with which versions it was made")
    found = Manifest(asked, made_with, None)
    if parts is None:
        return found
    if not isinstance(parts, list) or len(parts) != found.num_parts:
        raise ValueError(f"it does not have {found.num_parts:,} parts")
    return Manifest(asked, made_with, tuple(_part(found, place, part) for place, part in enumerate(parts)))


def _part(manifest: Manifest, place: int, told: object) -> Part:
    known = {field.name for field in fields(Part)}
    if not isinstance(told, dict) or set(told) != known:
        raise ValueError(f"part {place} is not described")
    part = Part(**told)
    numbers = (part.first_game, part.games, part.rows, part.bytes)
    in_range = all(type(number) is int and 0 <= number <= arguments.MAX_NUMBER for number in numbers)
    texts = (part.file, part.sha256)
    if (
        not in_range
        or numbers[:2] != manifest.games_of(place)
        or not all(type(text) is str for text in texts)
    ):
        raise ValueError(f"part {place} is not described")
    # A name with a folder in it would lead elsewhere.
    if os.path.basename(part.file) != part.file or part.file != file_name(place, part.sha256):
        raise ValueError(f"part {place} is not described")
    return part


def check_empty(folder: str) -> None:
    """Refuse a folder of other files, before anything is written into it. Hidden files do not count.

    Raises:
        OSError: It cannot be read.
        ValueError: It has files, but no manifest.
    """
    try:
        names = [name for name in os.listdir(folder) if not name.startswith(".")]
    except FileNotFoundError:
        return
    if not names or FILE in names or _EARLIER in names:
        return
    if any(name.startswith("part-") and name.endswith(".parquet") for name in names):
        raise ValueError(
            f"{folder!r} has parts of a dataset but no manifest ({FILE}), so they cannot be told apart: "
            "put it back, or choose another folder"
        )
    raise ValueError(
        f"{folder!r} is not empty and holds no dataset (its first file is {arguments.short(min(names))}): "
        "choose a new or empty folder"
    )


def begin(folder: str, asked: dict[str, Any]) -> Manifest:
    """The manifest of a folder in which this is to be made; if there is none, it is written.

    Raises:
        OSError: It cannot be read or written.
        ValueError: The folder is for something else.
    """
    try:
        found = read(folder)
    except FileNotFoundError:
        found = Manifest(asked, versions(), None)
        found.write(folder)
        return found
    for name, value in asked.items():
        if found.asked[name] != value:
            raise ValueError(
                f"{folder!r} holds another dataset: its {name} is {arguments.short(found.asked[name])}, not "
                f"{arguments.short(value)}; ask for the same, or choose another folder"
            )
    # By other versions its columns might not be those of the parts.
    if not os.path.exists(os.path.join(folder, FILE)) and found.made_with == versions():
        found.write(folder)
    return found


def sweep(folder: str) -> None:
    """Remove what writers that were killed have left.

    Raises:
        OSError: The folder cannot be read or changed.
    """
    for name in os.listdir(folder):
        if _TEMPORARY.fullmatch(name):
            try:
                os.unlink(os.path.join(folder, name))
            except FileNotFoundError:
                continue  # its writer was alive after all, and has renamed it
