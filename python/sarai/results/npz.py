"""Results on disk: a numpy .npz with the arrays and, as JSON text, the metadata. Never a pickle."""

from __future__ import annotations

import errno
import json
import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

import numpy as np
from numpy.typing import DTypeLike, NDArray

from sarai import arguments
from sarai.plain_json import parse
from sarai.results import archive

StrPath = arguments.StrPath

VERSION = 2
"""Of the file layout; a file with another one is refused with a sentence."""

MAX_METADATA = 1_000_000
"""The longest metadata, in characters."""

Layout: TypeAlias = Mapping[str, tuple[DTypeLike, tuple[int, ...]]]
"""The arrays of a file by name: the dtype and shape of each."""


def replace(path: StrPath, fill: Callable[[BinaryIO], object]) -> None:
    """Write a file that is either there as a whole or not at all.

    `fill` writes to a temporary file in the same folder, which takes the place of `path` at the end; on an exception,
    Ctrl-C at any moment included, it is removed and whatever stood at `path` stays. A device or a pipe is written to
    directly.

    Raises:
        OSError: The file cannot be written; `filename` is the path that was given.
        TypeError: The path is neither a str nor a path object.
        Exception: Whatever `fill` raises comes through unchanged.
    """
    path = arguments.path(path)
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with open(target, "wb") as file:
            fill(file)
        return
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
    temporary = str(target.with_name(f".{secrets.token_hex(16)}.tmp"))
    # A plain function, and not a context manager: between its lines there is no other's code for Ctrl-C to come into.
    try:
        with open(temporary, "xb") as file:
            fill(file)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            # Who may read the old file may read the new one, and nobody else.
            shutil.copymode(target, temporary)
        os.replace(temporary, target)
    except BaseException as error:
        # One call into the system: in suppress(), which is Python, a second Ctrl-C could come before it.
        try:  # noqa: SIM105
            os.unlink(temporary)
        except FileNotFoundError:
            pass  # it has taken its place, or could not be made
        if isinstance(error, OSError) and error.filename == temporary:
            error.filename = path
        raise


def write(path: StrPath, kind: str, metadata: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a result to exactly this path (no ".npz" is added).

    Raises:
        OSError: The file cannot be written.
        ValueError: The metadata is too long to be read again.
    """
    header = json.dumps({"format": f"sarai.{kind}", "version": VERSION, **metadata}, allow_nan=False)
    if len(header) > MAX_METADATA:
        raise ValueError(
            f"what is to be written of rules and agents has {len(header):,} characters, a file takes "
            f"{MAX_METADATA:,}: give the agents shorter names"
        )
    members = {"metadata": np.array(header), **arrays}
    replace(path, lambda file: archive.write(file, members))


class File:
    """A result on disk whose metadata has been read; what it holds is read and checked piece by piece."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._members = archive.members(file)
        if "metadata.npy" not in self._members:
            raise ValueError("it has no metadata")
        text = archive.text(file, self._members.pop("metadata.npy"), MAX_METADATA)
        metadata = parse(text, "metadata")
        if not isinstance(metadata, dict):
            raise ValueError("its metadata is no JSON object")
        found, version = metadata.pop("format", None), metadata.pop("version", None)
        if not isinstance(found, str) or not found.startswith("sarai."):
            raise ValueError("its metadata does not say what it is")
        if type(version) is not int or version != VERSION:
            raise ValueError(
                f"it has layout version {arguments.short(version)}, this Sarai reads {VERSION}: "
                "read it with the Sarai that wrote it"
            )
        self.kind = found.removeprefix("sarai.")
        self._metadata = metadata

    def fields(self, **kinds: type | tuple[type, ...]) -> dict[str, Any]:
        """The metadata, which has exactly these names, each with a value of this type.

        Raises:
            ValueError: A name is missing or unknown, or a value is of another type.
        """
        for name in self._metadata:
            if name not in kinds:
                raise ValueError(f"its metadata has {name[:80]!r}, which no {self.kind} has")
        for name, kind in kinds.items():
            # By its very type: True is no integer here.
            if type(self._metadata.get(name)) not in (kind if isinstance(kind, tuple) else (kind,)):
                raise ValueError(f"its metadata has no proper {name!r}")
        return dict(self._metadata)

    def arrays(self, layout: Layout) -> dict[str, Any]:
        """The arrays, which are exactly these.

        Raises:
            ValueError: One is missing or unknown, of another dtype or shape, or damaged.
        """
        for name in self._members:
            if name.removesuffix(".npy") not in layout or not name.endswith(".npy"):
                raise ValueError(f"it has {name[:80]!r}, which no {self.kind} like this has")
        for name in layout:
            if f"{name}.npy" not in self._members:
                raise ValueError(f"it has no array {name!r}")
        return {
            name: archive.array(self._file, self._members[f"{name}.npy"], dtype, shape)
            for name, (dtype, shape) in layout.items()
        }


@contextmanager
def told_of(path: str) -> Iterator[None]:
    """Let every refusal of what a file holds name the file.

    Raises:
        ValueError: With the path, and what is wrong.
    """
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{path!r} was not written by Sarai, or is damaged: {error}") from error


@contextmanager
def reading(path: StrPath, kind: str) -> Iterator[File]:
    """A file of this kind.

    Raises:
        OSError: It cannot be read.
        TypeError: The path is neither a str nor a path object.
        ValueError: It is of another kind, or whatever is read of it is wrong.
    """
    path = arguments.path(path)
    with open(path, "rb") as file, told_of(path):
        opened = File(file)
        if opened.kind != kind:
            raise ValueError(
                f"it holds sarai.{opened.kind[:80]}, not sarai.{kind}; sarai.load reads every kind"
            )
        yield opened
