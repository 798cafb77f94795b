"""Results on disk: a numpy .npz with the arrays and, as JSON text, the metadata. Never a pickle.

What is read is what `write` writes, and the same arrays written by `numpy.savez`: a member that was not asked for is
refused, and so is one whose dtype and shape are not those that were asked for, before anything of it is unpacked.
"""

from __future__ import annotations

import errno
import json
import os
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from math import prod
from typing import Any, BinaryIO, TypeAlias

import numpy as np
from numpy.typing import DTypeLike, NDArray

from sarai._base import arguments, files
from sarai._base.json_input import parse

StrPath = arguments.StrPath

VERSION = 3
"""Of the file layout; a file with another one is refused with a sentence."""

MAX_METADATA = 1_000_000
"""The longest metadata, in characters."""

MAX_ROWS = 2**48
"""More than any file has of anything."""

_OTHER_FORMATS = (".csv", ".tsv", ".parquet", ".arrow", ".feather", ".xlsx")

_STEP = 2**20
"""Bytes that are unpacked at a time."""

_MOST_PACKED = 1032
"""Bytes that one byte of a deflated member can come to."""

Layout: TypeAlias = Mapping[str, tuple[DTypeLike, tuple[int, ...]]]
"""The arrays of a file by name: the dtype and shape of each."""


def write(path: StrPath, kind: str, metadata: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a result to exactly this path (no ".npz" is added).

    Raises:
        OSError: The file cannot be written.
        ValueError: The path ends as that of another format, or the metadata is too long to be read again.
    """
    if os.fspath(path).lower().endswith(_OTHER_FORMATS):
        raise ValueError(
            f"save() writes an .npz file, but {arguments.short(path)} names another format: "
            "use to_parquet(path) or to_pandas().to_csv(path) for tables"
        )
    header = json.dumps({"format": f"sarai.{kind}", "version": VERSION, **metadata}, allow_nan=False)
    if len(header) > MAX_METADATA:
        raise ValueError(
            f"the rules and the names of the agents take {len(header):,} characters, and a file holds "
            f"{MAX_METADATA:,}: give the agents shorter names"
        )
    # The same bytes on every machine.
    members: dict[str, Any] = {
        name: np.asarray(array, array.dtype.newbyteorder("<"), order="C")
        for name, array in {"metadata": np.array(header), **arrays}.items()
    }
    files.replace(path, lambda file: _fill(file, members))


def _fill(file: BinaryIO, members: dict[str, Any]) -> None:
    try:
        np.savez_compressed(file, **members)
    except ValueError as error:
        # zipfile, closed by Ctrl-C between two lines of its own, complains of that instead.
        cause = error.__context__
        while cause is not None and not isinstance(cause, KeyboardInterrupt):
            cause = cause.__context__
        if cause is None:
            raise
        raise cause from None


class File:
    """A result on disk whose metadata has been read; what it holds is read and checked piece by piece."""

    def __init__(self, file: BinaryIO) -> None:
        with _of_the_file():
            self._archive = zipfile.ZipFile(file)
            members = self._archive.infolist()
        self._members = {member.filename: member for member in members}
        if len(self._members) < len(members):
            raise ValueError("it has a member twice")
        if "metadata.npy" not in self._members:
            raise ValueError("it has no metadata")
        metadata = parse(self._text(self._members.pop("metadata.npy")), "metadata")
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

    def fields(self, names: Iterable[str]) -> dict[str, Any]:
        """The metadata, which has exactly these names.

        Raises:
            ValueError: A name is missing or unknown.
        """
        names = list(names)
        for name in self._metadata:
            if name not in names:
                raise ValueError(f"its metadata has {name[:80]!r}, which no {self.kind} has")
        for name in names:
            if name not in self._metadata:
                raise ValueError(f"its metadata has no {name!r}")
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
            name: self._array(self._members[f"{name}.npy"], np.dtype(dtype), shape)
            for name, (dtype, shape) in layout.items()
        }

    def _text(self, member: zipfile.ZipInfo) -> str:
        with self._opened(member) as stream:
            shape, dtype = _header(stream)
            if shape != () or dtype.kind != "U" or dtype.itemsize > 4 * MAX_METADATA:
                raise ValueError(f"its metadata is not text, or has more than {MAX_METADATA:,} characters")
            return str(_filled(stream, member, shape, dtype))

    def _array(self, member: zipfile.ZipInfo, dtype: np.dtype[Any], shape: tuple[int, ...]) -> NDArray[Any]:
        with self._opened(member) as stream:
            found, kind = _header(stream)
            if found != shape or kind.newbyteorder("=") != dtype:
                name, lengths = member.filename.removesuffix(".npy"), ", ".join(map(str, shape))
                raise ValueError(f"{name} must be {dtype} of shape ({lengths}), not {kind} of shape {found}")
            return _filled(stream, member, shape, kind).astype(dtype, copy=False)

    @contextmanager
    def _opened(self, member: zipfile.ZipInfo) -> Iterator[Any]:
        with _of_the_file():
            if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise ValueError(f"{member.filename[:80]!r} is packed as Sarai never does")
            if member.file_size > _MOST_PACKED * member.compress_size:
                raise ValueError(f"{member.filename[:80]!r} cannot be as large as the archive says")
            with self._archive.open(member) as stream:
                yield stream


@contextmanager
def _of_the_file() -> Iterator[None]:
    """Let whatever zipfile raises for a file that is damaged, or made to break it, be a ValueError."""
    try:
        yield
    except (ValueError, MemoryError):
        raise
    except Exception as error:
        # To a place that no file has, nobody can go: that is not the disk's fault.
        if isinstance(error, OSError) and error.errno != errno.EINVAL:
            raise
        raise ValueError(f"it is not an archive of NumPy arrays, or is damaged: {error}") from error


def _header(stream: Any) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """The shape and the dtype of the array that follows.

    Raises:
        ValueError: It is no `.npy`, or one of another form than numpy writes for plain arrays.
    """
    try:
        if np.lib.format.read_magic(stream) != (1, 0):
            raise ValueError("not version 1.0")
        shape, fortran, dtype = np.lib.format.read_array_header_1_0(stream)
    # numpy evaluates a header, and what a made-up one lets it raise is anybody's guess.
    except Exception as error:
        raise ValueError(f"a member is not a plain NumPy array: {error}") from error
    if fortran or dtype.hasobject:
        raise ValueError("a member is not a plain NumPy array in C order")
    return shape, dtype


def _filled(
    stream: Any, member: zipfile.ZipInfo, shape: tuple[int, ...], dtype: np.dtype[Any]
) -> NDArray[Any]:
    """The array that follows its header, which is all that is left of the member."""
    if prod(shape) * dtype.itemsize >= member.file_size:
        raise ValueError(f"{member.filename!r} does not have as many bytes as its shape and dtype say")
    found = np.empty(shape, dtype)
    view = found.reshape(-1).view(np.uint8).data if found.nbytes else memoryview(b"")
    while view:
        read = stream.readinto(view[:_STEP])
        if not read:
            raise ValueError(f"{member.filename!r} is truncated")
        view = view[read:]
    if stream.read(1):
        raise ValueError(f"{member.filename!r} has more bytes than its shape and dtype say")
    return found


@contextmanager
def told_of(path: str) -> Iterator[None]:
    """Let every refusal of what a file holds name the file.

    Raises:
        ValueError: With the path, and what is wrong.
    """
    try:
        yield
    except (ValueError, TypeError) as error:
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
