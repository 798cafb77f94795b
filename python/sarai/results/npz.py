"""Results on disk: a numpy .npz with the arrays and, as JSON text, the metadata. Never a pickle."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, BinaryIO, TypeAlias

import numpy as np
from numpy.typing import DTypeLike, NDArray

from sarai import arguments, files
from sarai.json_input import parse
from sarai.results import archive

StrPath = arguments.StrPath

VERSION = 2
"""Of the file layout; a file with another one is refused with a sentence."""

MAX_METADATA = 1_000_000
"""The longest metadata, in characters."""

Layout: TypeAlias = Mapping[str, tuple[DTypeLike, tuple[int, ...]]]
"""The arrays of a file by name: the dtype and shape of each."""


def write(path: StrPath, kind: str, metadata: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a result to exactly this path (no ".npz" is added).

    Raises:
        OSError: The file cannot be written.
        ValueError: The metadata is too long to be read again.
    """
    header = json.dumps({"format": f"sarai.{kind}", "version": VERSION, **metadata}, allow_nan=False)
    if len(header) > MAX_METADATA:
        raise ValueError(
            f"the rules and the names of the agents take {len(header):,} characters, and a file holds "
            f"{MAX_METADATA:,}: give the agents shorter names"
        )
    members = {"metadata": np.array(header), **arrays}
    files.replace(path, lambda file: archive.write(file, members))


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
            raise ValueError("its metadata is not a JSON object")
        found, version = metadata.pop("format", None), metadata.pop("version", None)
        if not isinstance(found, str) or not found.startswith("sarai."):
            raise ValueError("its metadata does not say what it is")
        if type(version) is not int or version != VERSION:
            raise ValueError(
                f"it has layout version {arguments.short(version)}, but this version of Sarai reads {VERSION}: "
                "read it with the version that wrote it"
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
            kinds_known = kind if isinstance(kind, tuple) else (kind,)
            if name not in self._metadata or type(self._metadata[name]) not in kinds_known:
                raise ValueError(f"its metadata has no valid {name!r}")
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
