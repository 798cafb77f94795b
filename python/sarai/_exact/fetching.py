"""Fetching tables that others have made."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sarai import _core
from sarai._base import arguments
from sarai._base.lock import locked
from sarai._base.progress import ProgressOption, check_callback, shown
from sarai._core import Game
from sarai._exact import manifest
from sarai._exact.manifest import Count, Key, Manifest, TableFile
from sarai._exact.solving import check_room
from sarai._exact.tables import Stones, Tables, Tell, decisive, header_of, two
from sarai._game import as_game

if TYPE_CHECKING:
    from sarai._exact.sources import Source


def fetch(
    game: str | Game,
    source: str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    stones: Stones | None = None,
    placing: bool | None = None,
    progress: ProgressOption = True,
    tell: Tell | None = None,
) -> Tables:
    """Fetch tables from a folder or an address with the files and the manifest that `manifest` wrote, and open them.

    Every file must have the size and the SHA-256 of the manifest. Files that are there already are checked and kept.
    If the call is stopped, repeat it: it continues in the middle of a file, if the server can.

    Args:
        game: A game's name, or a game; its rules must be those of the tables.
        source: A folder, or an address such as "https://example.org/tables".
        out: The folder, made if it is missing.
        stones: Fetch only the tables of the moving phase that `solve` makes for these stones; None fetches all.
        placing: Whether to fetch the turns before the moving phase; None does if `stones` is None and there are some.
        progress: Whether to show a progress bar in a terminal or notebook, or a callable that takes the bytes so far.
        tell: Called with each step, a dict with the key "event".

    Raises:
        ValueError: The source has other rules, lacks tables, or sends something else than its manifest says; the folder
            has another file of the same name.
        OSError: The source cannot be reached, the connection breaks off, or the disk has no room.
        TypeError: An argument has the wrong type.

    >>> import sarai, tempfile
    >>> with tempfile.TemporaryDirectory() as published, tempfile.TemporaryDirectory() as folder:
    ...     _ = sarai.exact.solve("shah", (3, 4), published, progress=False)
    ...     _ = sarai.exact.manifest(published, progress=False)
    ...     sarai.exact.fetch("shah", published, folder, stones=(3, 3), progress=False)
    <tables of sarai.make('shah'): 1 pairs>
    """
    book = as_game(game)
    folder = Path(arguments.path(out))
    check_callback("tell", tell)
    placing = None if placing is None else arguments.flag("placing", placing)
    own = decisive(book)
    pairs = None if stones is None else _pairs(book, stones)
    # urllib takes a while to import, and nothing else needs it.
    from sarai._exact.sources import source_of

    whence = source_of(source)
    found = _read(whence)
    wanted = _wanted(whence.name, found, book, own, pairs, placing)
    total = sum(file.bytes for file in wanted.values())
    hear = tell or (lambda _: None)
    hear({"event": "planned", "files": len(wanted), "bytes": total})
    folder.mkdir(parents=True, exist_ok=True)
    with locked(os.fspath(folder)), shown(progress, f"fetching {book.name}", total, "bytes") as report:
        count = Count(report)
        missing = {
            key: file for key, file in wanted.items() if not _is_there(folder / file.name, file, count)
        }
        parts = (_part(folder, file) for file in missing.values())
        kept = sum(part.stat().st_size for part in parts if part.exists())
        check_room(folder, sum(file.bytes for file in missing.values()) - kept)
        for key, file in wanted.items():
            event = {"file": file.name, "bytes": file.bytes}
            if key in missing:
                hear({"event": "begun", **event})
                of = found.moving if key.layer is None else {**(found.placing or {}), "layer": key.layer}
                _bring(whence, file, {"fingerprint": of, "pair": [key.own, key.other]}, folder, count)
            hear({"event": "done" if key in missing else "found", **event})
    return Tables(book, folder, check=False)


def _pairs(book: Game, stones: Stones) -> list[tuple[int, int]]:
    groups = json.loads(_core.exact_plan_json(book, two("stones", stones)))
    return [(own, other) for group in groups for own, other in group["pairs"]]


def _read(source: Source) -> Manifest:
    content = b""
    with source.open(manifest.FILE, 0, None) as (stream, _):
        for piece in source.pieces(stream):
            content += piece
            if len(content) > manifest.MAX_LENGTH:
                break
    try:
        return manifest.understood(content)
    except ValueError as error:
        raise ValueError(
            f"{manifest.FILE} of {arguments.longer(source.name)} is no manifest of tables, or is damaged: {error}; "
            "give the folder or address that holds what 'sarai exact manifest' wrote"
        ) from error


def _wanted(
    source: str,
    found: Manifest,
    book: Game,
    own: dict[str, Any],
    pairs: list[tuple[int, int]] | None,
    placing: bool | None,
) -> dict[Key, TableFile]:
    """What is to be fetched, in ascending order.

    Raises:
        ValueError: The tables are of another game or of other rules, or some are not there.
    """
    name = arguments.longer(source)
    _check(f"the tables of {name}", found.moving, own)
    files = sorted(found.keyed().items(), key=lambda item: (item[0].layer or -1, item[0][1:]))
    moving = {key: file for key, file in files if key.layer is None}
    before = {key: file for key, file in files if key.layer is not None}
    if not moving:
        raise ValueError(f"{name} has no tables of the moving phase, which the others need")
    if pairs is not None:
        asked = {Key(None, *pair) for pair in pairs}
        if absent := sorted(asked - {*moving}):
            raise ValueError(
                f"{name} lacks {arguments.counted(len(absent), 'table')} of these stones, the first for "
                f"{absent[0].own} against {absent[0].other}: ask for fewer stones"
            )
        moving = {key: file for key, file in moving.items() if key in asked}
    if placing and not before:
        raise ValueError(f"{name} has no tables of the turns before the moving phase: leave out placing")
    if not before or not (pairs is None if placing is None else placing):
        return moving
    # Of these, values depend on more rules; the engine compares the numbering when it opens them.
    of = found.placing or {}
    rules = {rule: _text(book.rules.get(rule)) for rule in of["rules"]}
    _check(
        f"the turns before the moving phase of {name}",
        of,
        {**own, "numbering": of["numbering"], "rules": {**rules, **own["rules"]}},
    )
    return moving | before


def _text(value: object) -> str:
    """The value of a rule as it stands in a table's header."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _check(what: str, of: dict[str, Any], own: dict[str, Any]) -> None:
    """Refuse tables of another game, of other rules or with another numbering of positions.

    Raises:
        ValueError: They are.
    """
    if of["game"] != own["game"]:
        raise ValueError(f"{what} are of {arguments.short(of['game'])}, not of {own['game']}: give that game")
    theirs, ours = of["rules"], own["rules"]
    for rule in sorted({*theirs} | {*ours}):
        if theirs.get(rule) != ours.get(rule):
            named = arguments.short(f"{rule}={theirs.get(rule)}")
            raise ValueError(
                f"{what} are of other rules: {named}, not {ours.get(rule)}; give the game with their rules, or others"
            )
    if of["numbering"] != own["numbering"]:
        raise ValueError(
            f"{what} have numbering {arguments.short(of['numbering'])}, but this version of Sarai reads "
            f"{own['numbering']}: use the version that made them"
        )


def _is_there(path: Path, file: TableFile, count: Count) -> bool:
    """Whether the folder has a file already.

    Raises:
        ValueError: It has another one of this name.
    """
    if not path.exists():
        return False
    if path.is_file() and path.stat().st_size == file.bytes:
        digest = hashlib.sha256()
        with open(path, "rb") as there:
            for piece in count.read(there):
                digest.update(piece)
        if digest.hexdigest() == file.sha256:
            return True
    raise ValueError(
        f"{path} is another file than the one to fetch: move it away if it is damaged, or choose another folder"
    )


def _part(folder: Path, file: TableFile) -> Path:
    """Where a file stands until it is whole; the digest keeps it apart from parts of other files of this name."""
    return folder / f".{file.name}.{file.sha256[:16]}.part"


def _bring(source: Source, file: TableFile, of: dict[str, Any], folder: Path, count: Count) -> None:
    """Fetch a file, check it, and put it into its place.

    Raises:
        OSError: It breaks off; what has arrived stays for the next time.
        ValueError: It is not what the manifest says, and is removed.
    """
    part = _part(folder, file)
    resumed, before = part.exists(), count.done
    right = _receive(source, file, part, count)
    if resumed and not right:
        # A machine that stopped may have left anything in the part.
        part.unlink()
        count.add(before - count.done)
        right = _receive(source, file, part, count)
    if not right or not _is_of(part, of):
        part.unlink()
        problem = (
            "is another table than its manifest says"
            if right
            else "does not have the size and SHA-256 of its manifest"
        )
        raise ValueError(
            f"{file.name} of {arguments.longer(source.name)} {problem}, and was removed: try again, "
            "or ask who published it"
        )
    os.replace(part, folder / file.name)


def _is_of(part: Path, of: dict[str, Any]) -> bool:
    try:
        header = header_of(part)
    except ValueError:
        return False
    return {name: header[name] for name in of} == of


def _receive(source: Source, file: TableFile, part: Path, count: Count) -> bool:
    """Fetch what is missing of a file, and say whether size and digest are right.

    Raises:
        OSError: It breaks off.
        ValueError: The source says that it has another size.
    """
    digest, have = hashlib.sha256(), 0
    if part.exists():
        with open(part, "rb") as there:
            for piece in count.read(there):
                digest.update(piece)
                have += len(piece)
    if have < file.bytes:
        with (
            source.open(file.name, have, file.bytes) as (stream, begin),
            open(part, "ab" if begin else "wb") as sink,
        ):
            if begin < have:
                count.add(-have)
                digest, have = hashlib.sha256(), 0
            for piece in source.pieces(stream):
                have += len(piece)
                if have > file.bytes:
                    return False
                sink.write(piece)
                digest.update(piece)
                count.add(len(piece))
            sink.flush()
            os.fsync(sink.fileno())
        if have < file.bytes:
            raise source.lost(f"after {have:,} of {file.bytes:,} bytes of {file.name}")
    return have == file.bytes and digest.hexdigest() == file.sha256
