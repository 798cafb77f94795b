"""Results on disk: a numpy .npz with the arrays and, as JSON text, the metadata. Never a pickle."""

from __future__ import annotations

import errno
import json
import os
import secrets
import shutil
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

import numpy as np
from numpy.typing import NDArray

StrPath: TypeAlias = str | os.PathLike[str]

VERSION = 1
"""Of the file layout; a file with another one is refused with a sentence."""

READERS = {"rollout": "sarai.load", "trajectories": "sarai.Trajectories.load"}

# What numpy and zipfile raise for bytes that are no .npz, a cut one, or one with members that are missing.
_BROKEN = (ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error, RuntimeError)


@contextmanager
def replacing(path: StrPath) -> Iterator[BinaryIO]:
    """Write a file that is either there as a whole or not at all.

    The bytes go to a temporary file in the same folder, which takes the place of `path` at the end; on an
    exception it is removed and whatever stood at `path` stays. A device or a pipe is written to directly.

    Raises:
        OSError: The file cannot be written; `filename` is the path that was given.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with open(target, "wb") as file:
            yield file
        return
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))
    temporary = target.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        file = open(temporary, "xb")
    except OSError as error:
        error.filename = os.fspath(path)
        raise
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            # Who may read the old file may read the new one, and nobody else.
            shutil.copymode(target, temporary)
        os.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write(path: StrPath, kind: str, metadata: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a result to exactly this path (no ".npz" is added)."""
    header = {"format": f"sarai.{kind}", "version": VERSION, **metadata}
    members = {"metadata": np.array(json.dumps(header)), **arrays}
    # Member by member, not by numpy.savez_compressed: its keywords would clash with the arrays' names, and
    # it pickles what is no plain array.
    with replacing(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in members.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, array, allow_pickle=False)


def read(path: StrPath, kind: str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Read a result: its metadata and its arrays by name.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: The file is no result of this kind.
    """
    try:
        # Opened here: a file that begins like an archive and is none would be left open by numpy.
        with open(path, "rb") as file:
            # What is neither an archive nor an array numpy takes for a pickle, and tells how to load that.
            if file.read(2) != b"PK":
                raise ValueError("it is no archive of numpy arrays")
            file.seek(0)
            loaded = np.load(file, allow_pickle=False)
            with loaded:
                header = json.loads(str(loaded["metadata"]))
                arrays = {name: loaded[name] for name in loaded.files if name != "metadata"}
        if not isinstance(header, dict):
            raise ValueError("its metadata is no JSON object")
    except _BROKEN as error:
        raise ValueError(
            f"{os.fspath(path)!r} was not written by Sarai, or is damaged: "
            f"give a file made by save() or by `sarai rollout --out` ({error})"
        ) from error
    found, version = header.get("format"), header.get("version")
    if found != f"sarai.{kind}":
        reader = {f"sarai.{other}": reader for other, reader in READERS.items()}.get(str(found))
        advice = f"read it with {reader}(path)" if reader else "give a file made by save()"
        raise ValueError(f"{os.fspath(path)!r} is no sarai.{kind} but {found!r}: {advice}")
    if version != VERSION:
        raise ValueError(
            f"{os.fspath(path)!r} has layout version {version!r}, this Sarai reads {VERSION}: "
            "read it with the Sarai that wrote it"
        )
    return header, arrays
