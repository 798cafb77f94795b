"""Numpy arrays in a zip archive, read so strictly that a damaged or made-up file cannot do harm.

What is read is what `write` and `numpy.savez` write, and nothing else: one archive from the first byte to the last,
members that are stored or deflated, each a `.npy` of plain numbers or text. `zipfile` and `numpy` read more, and what
they raise for a file that was made to break them is anybody's guess. Here it is a ValueError, and no member takes more
memory than its compressed bytes can come to. Nor does `zipfile` write: it turns Ctrl-C into errors of its own.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from struct import Struct, pack
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import DTypeLike, NDArray

MAX_DIRECTORY = 2**16
"""The largest directory of an archive, in bytes; one of ours has some dozens of entries of about 100."""

_STORED, _DEFLATED = 0, 8
_MOST_PACKED = 1032
"""Bytes that one byte of a deflated stream can come to."""
_STEP = 2**20
"""Bytes that are unpacked at a time."""

_LOCAL = Struct("<4s5H3L2H")
_BEHIND = Struct("<4sL2Q")
_ENTRY = Struct("<4s6H3L5H2L")
_END = Struct("<4s4H2LH")
_END_64 = Struct("<4sQ2H2L4Q")
_LOCATOR_64 = Struct("<4sLQL")
_FULL = 2**32 - 1
"""Stands where a number is in the extra field."""
_MOST = 2**31 - 1
"""Larger numbers are written there; many a reader takes the bit above for a sign."""
_LATER = 0x0008
"""The flag of members whose sizes stand behind them, so that a pipe can be written as well."""
_NEEDS = 45
"""The version of the format that knows numbers of 64 bits."""
_HOW = (_LATER, _DEFLATED, 0, 0x21)
"""Flags, method, time and day of every member. The day is the first there is: the same result is the same bytes."""
_SECRET = 0x0061
"""The flags of encrypted and of patched members."""

_NPY = Struct("<6s2BH")
_HEADER = re.compile(
    rb"\{'descr': '([<>|](?:[biuf][1248]|U[0-9]{1,8}))', 'fortran_order': (True|False), "
    rb"'shape': \((|[0-9]{1,18},|[0-9]{1,18}(?:, [0-9]{1,18}){1,3})\), \} *\n"
)
"""As numpy writes it; no parser of Python is needed."""


@dataclass(frozen=True)
class Member:
    """Where a member of an archive lies, and what the archive says of it."""

    name: str
    method: int
    crc: int
    packed: int
    size: int
    offset: int


class _Packing:
    """Where a member is written to: it is deflated, counted and summed up on its way into the file."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._deflate = zlib.compressobj(zlib.Z_DEFAULT_COMPRESSION, zlib.DEFLATED, -zlib.MAX_WBITS)
        self.crc = self.packed = self.size = 0

    def write(self, data: bytes) -> None:
        self.crc = zlib.crc32(data, self.crc)
        self.size += len(data)
        self._put(self._deflate.compress(data))

    def end(self) -> None:
        self._put(self._deflate.flush())

    def _put(self, data: bytes) -> None:
        self.packed += len(data)
        self._file.write(data)


def write(file: BinaryIO, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write an archive of these arrays, each as the member `<name>.npy`, from wherever the file stands to its end."""
    found = []
    at = 0
    for name, array in arrays.items():
        title = f"{name}.npy".encode("ascii")
        extra = pack("<2H2Q", 1, 16, 0, 0)
        file.write(_LOCAL.pack(b"PK\3\4", _NEEDS, *_HOW, 0, _FULL, _FULL, len(title), len(extra)))
        file.write(title + extra)
        packing = _Packing(file)
        little = array.astype(array.dtype.newbyteorder("<"), order="C", copy=False)
        np.lib.format.write_array(packing, little, version=(1, 0), allow_pickle=False)
        packing.end()
        file.write(_BEHIND.pack(b"PK\7\x08", packing.crc, packing.packed, packing.size))
        found.append((title, packing, at))
        at += _LOCAL.size + len(title) + len(extra) + packing.packed + _BEHIND.size
    entries = b"".join(_written_entry(*one) for one in found)
    file.write(entries)
    end, count = at + len(entries), len(found)
    if end > _MOST:
        file.write(
            _END_64.pack(b"PK\6\6", _END_64.size - 12, _NEEDS, _NEEDS, 0, 0, count, count, len(entries), at)
        )
        file.write(_LOCATOR_64.pack(b"PK\6\7", 0, end, 1))
    file.write(_END.pack(b"PK\5\6", 0, 0, count, count, len(entries), min(at, _FULL), 0))


def _written_entry(title: bytes, packing: _Packing, at: int) -> bytes:
    """What the directory says of a member."""
    numbers = (packing.size, packing.packed, at)
    large = [number for number in numbers if number > _MOST]
    size, packed, offset = (_FULL if number > _MOST else number for number in numbers)
    extra = pack(f"<2H{len(large)}Q", 1, 8 * len(large), *large) if large else b""
    sums = (packing.crc, packed, size, len(title), len(extra))
    return _ENTRY.pack(b"PK\1\2", _NEEDS, _NEEDS, *_HOW, *sums, 0, 0, 0, 0, offset) + title + extra


def members(file: BinaryIO) -> dict[str, Member]:
    """The members of an archive by name.

    Raises:
        ValueError: The file is no archive, or none that is read here.
    """
    size = file.seek(0, 2)
    if size < _END.size + _LOCATOR_64.size:
        raise ValueError("it is not an archive of numpy arrays")
    end = size - _END.size
    signature, *disks, here, count, length, start, comment = _END.unpack(_at(file, end, _END.size))
    if signature != b"PK\5\6" or any(disks) or here != count or comment:
        raise ValueError("it is not an archive of numpy arrays, or is truncated")
    locator = _LOCATOR_64.unpack(_at(file, end - _LOCATOR_64.size, _LOCATOR_64.size))
    if locator[0] == b"PK\6\7":
        end -= _LOCATOR_64.size + _END_64.size
        signature, _, _, _, *disks, here, count, length, start = _END_64.unpack(_at(file, end, _END_64.size))
        if signature != b"PK\6\6" or any(disks) or here != count or locator[1:3] != (0, end):
            raise ValueError("the end of the archive is damaged")
    if length > MAX_DIRECTORY or start + length != end:
        raise ValueError("the archive's directory is damaged, or was not written by Sarai")
    found: dict[str, Member] = {}
    rest = _at(file, start, length)
    while rest:
        member, rest = _entry(rest)
        if member.name in found:
            raise ValueError(f"it has {member.name!r} twice")
        if member.offset + _LOCAL.size + len(member.name) + member.packed > start:
            raise ValueError(f"{member.name!r} does not lie within the file")
        found[member.name] = member
    if len(found) != count:
        raise ValueError("the archive's directory is damaged")
    return found


def _entry(rest: bytes) -> tuple[Member, bytes]:
    """The first entry of a directory, and what follows it."""
    if len(rest) < _ENTRY.size:
        raise ValueError("the archive's directory is damaged")
    signature, _, _, flags, method, _, _, crc, packed, size, *more = _ENTRY.unpack(rest[: _ENTRY.size])
    named, extra, comment, _, _, _, offset = more
    stop = _ENTRY.size + named + extra + comment
    if signature != b"PK\1\2" or flags & _SECRET or method not in (_STORED, _DEFLATED) or stop > len(rest):
        raise ValueError("the archive's directory is damaged, or a member is packed as Sarai never does")
    name = rest[_ENTRY.size : _ENTRY.size + named].decode("ascii")
    large = _large(rest[_ENTRY.size + named : stop - comment])
    size, packed, offset = (next(large) if number == _FULL else number for number in (size, packed, offset))
    # What is stored is as long as it is, and what is deflated cannot come to more.
    if size > (packed if method == _STORED else _MOST_PACKED * packed):
        raise ValueError(f"{name!r} cannot be as large as the archive says")
    return Member(name, method, crc, packed, size, offset), rest[stop:]


def _large(extra: bytes) -> Iterator[int]:
    """The numbers of more than 32 bits in an extra field."""
    while len(extra) >= 4:
        kind, length = int.from_bytes(extra[:2], "little"), int.from_bytes(extra[2:4], "little")
        if kind == 1:
            for place in range(4, min(length, len(extra) - 4) - 3, 8):
                yield int.from_bytes(extra[place : place + 8], "little")
        extra = extra[4 + length :]
    raise ValueError("the archive's directory is damaged: a size is missing")


def _at(file: BinaryIO, start: int, length: int) -> bytes:
    """These bytes of the file."""
    if not 0 <= start < 2**63:
        raise ValueError("it is truncated")
    file.seek(start)
    data = file.read(length)
    if len(data) < length:
        raise ValueError("it is truncated")
    return data


@dataclass(frozen=True)
class Header:
    """What a `.npy` says of its array."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    fortran: bool

    @property
    def nbytes(self) -> int:
        """The bytes of the array."""
        return self.dtype.itemsize * prod(self.shape)


class Unpacking:
    """The bytes of one member, from its beginning on."""

    def __init__(self, file: BinaryIO, member: Member) -> None:
        signature, _, flags, method, *_, named, extra = _LOCAL.unpack(_at(file, member.offset, _LOCAL.size))
        start = member.offset + _LOCAL.size
        name = _at(file, start, named)
        if signature != b"PK\3\4" or flags & _SECRET or method != member.method:
            raise ValueError(f"{member.name!r} is not where the archive's directory says")
        if name != member.name.encode("ascii"):
            raise ValueError(f"{member.name!r} has different names in different places of the archive")
        self._file, self._member = file, member
        self._at, self._packed = start + named + extra, member.packed
        self._left, self._crc = member.size, 0
        self._inflate = zlib.decompressobj(-zlib.MAX_WBITS) if member.method == _DEFLATED else None

    def header(self) -> Header:
        """Read the header of a `.npy`; the array follows.

        Raises:
            ValueError: It is no `.npy`, or one of another form than numpy writes for plain arrays.
        """
        magic, major, minor, length = _NPY.unpack(self.take(_NPY.size))
        if magic != b"\x93NUMPY" or (major, minor) != (1, 0):
            raise ValueError(f"{self._member.name!r} is not a numpy array")
        found = _HEADER.fullmatch(self.take(length))
        if not found:
            raise ValueError(f"{self._member.name!r} is not a plain numpy array")
        kind, fortran, lengths = found.groups()
        try:
            dtype = np.dtype(kind.decode("ascii"))
        except TypeError:
            raise ValueError(f"{self._member.name!r} has an unknown dtype") from None
        shape = tuple(int(length) for length in lengths.split(b",") if length)
        header = Header(dtype, shape, fortran == b"True")
        if header.nbytes != self._left:
            raise ValueError(f"{self._member.name!r} does not have as many bytes as its shape and dtype say")
        return header

    def take(self, length: int) -> bytes:
        """The next bytes.

        Raises:
            ValueError: There are not so many, or they are damaged.
        """
        data = bytearray(min(length, self._left))
        if len(data) < length:
            raise ValueError(f"{self._member.name!r} is truncated")
        self.fill(memoryview(data))
        return bytes(data)

    def fill(self, view: memoryview) -> None:
        """Put the next bytes there, as many as there is room.

        Raises:
            ValueError: There are not so many, or they are damaged.
        """
        while view:
            data = self._some(min(len(view), _STEP, self._left)) if self._left else b""
            if not data:
                raise ValueError(f"{self._member.name!r} is truncated")
            self._crc = zlib.crc32(data, self._crc)
            self._left -= len(data)
            view[: len(data)] = data
            view = view[len(data) :]

    def end(self) -> None:
        """What was read is all there is, and as it was written.

        Raises:
            ValueError: It is not.
        """
        more = self._left or self._some(1) or self._packed
        if more or (self._inflate and not self._inflate.eof) or self._crc != self._member.crc:
            raise ValueError(f"{self._member.name!r} is damaged")

    def _some(self, most: int) -> bytes:
        """At least one of the next bytes and at most so many; none at the end."""
        if self._inflate is None:
            return self._next(most)
        while not self._inflate.eof:
            waiting = self._inflate.unconsumed_tail
            packed = waiting or self._next(_STEP // 16)
            try:
                data = self._inflate.decompress(packed, most)
            except zlib.error as error:
                raise ValueError(f"{self._member.name!r} is damaged: {error}") from None
            if data or not packed:
                return data
        if self._inflate.unused_data:
            raise ValueError(f"{self._member.name!r} is damaged: something follows it")
        return b""

    def _next(self, most: int) -> bytes:
        """The next bytes of the file that belong to the member."""
        data = _at(self._file, self._at, min(most, self._packed))
        self._at += len(data)
        self._packed -= len(data)
        return data


def text(file: BinaryIO, member: Member, most: int) -> str:
    """A member that is an array of one text of at most so many characters.

    Raises:
        ValueError: It is none, or damaged.
    """
    unpacking = Unpacking(file, member)
    header = unpacking.header()
    if header.shape != () or header.dtype.kind != "U" or header.nbytes > 4 * most:
        raise ValueError(f"{member.name!r} is not text, or has more than {most:,} characters")
    data = unpacking.take(header.nbytes)
    unpacking.end()
    return data.decode("utf-32-le" if header.dtype.str[0] == "<" else "utf-32-be").rstrip("\0")


def array(file: BinaryIO, member: Member, dtype: DTypeLike, shape: tuple[int, ...]) -> NDArray[Any]:
    """A member that is an array of this dtype and shape.

    Raises:
        ValueError: It is none, or damaged; nothing larger than expected is ever in memory.
    """
    unpacking = Unpacking(file, member)
    header = unpacking.header()
    name, wanted = member.name.removesuffix(".npy"), np.dtype(dtype)
    if header.shape != shape or header.dtype.newbyteorder("=") != wanted:
        lengths = ", ".join(map(str, shape))
        raise ValueError(
            f"{name} must be {wanted} of shape ({lengths}), not {header.dtype} of shape {header.shape}"
        )
    found = np.empty(shape[::-1] if header.fortran else shape, header.dtype)
    unpacking.fill(found.reshape(-1).view(np.uint8).data)
    unpacking.end()
    return (found.T if header.fortran else found).astype(wanted, copy=False)
