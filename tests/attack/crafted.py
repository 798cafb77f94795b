"""Files of Sarai's and what somebody may make of them."""

from __future__ import annotations

import io
import json
import random
import struct
import warnings
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attack import values

Members = dict[str, bytes]


def members_of(data: bytes) -> Members:
    """The members of an archive by their names."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {info.filename: archive.read(info) for info in archive.infolist()}


def archive_of(members: Members | list[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """An archive of these members."""
    written = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(written, "w", method) as archive:
        warnings.simplefilter("ignore")  # of names that come twice
        for name, data in members.items() if isinstance(members, dict) else members:
            archive.writestr(zipfile.ZipInfo(name), data, compress_type=method)
    return written.getvalue()


def array_of(data: bytes) -> NDArray[Any]:
    """The array in a member."""
    return np.asarray(np.lib.format.read_array(io.BytesIO(data), allow_pickle=False))


def member_of(array: Any) -> bytes:
    """An array as a member."""
    written = io.BytesIO()
    np.lib.format.write_array(written, np.asarray(array), allow_pickle=False)
    return written.getvalue()


def with_header(header: str, rest: bytes, version: tuple[int, int] = (1, 0)) -> bytes:
    """A member with this text as its header."""
    text = header.encode("latin1", "replace") + b"\n"
    length = struct.pack("<H", min(len(text), 65535)) if version == (1, 0) else struct.pack("<I", len(text))
    return b"\x93NUMPY" + bytes(version) + length + text + rest


def flipped(rng: random.Random, data: bytes) -> bytes:
    """A few bytes of it changed, taken out or put in, or its end cut off."""
    wrong = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 8])):
        place = rng.choice([rng.randrange(len(wrong)), rng.randrange(max(1, len(wrong) - 200), len(wrong))])
        kind = rng.randrange(5)
        if kind < 3:
            wrong[place] = rng.choice([wrong[place] ^ (1 << rng.randrange(8)), 0, 255, rng.randrange(256)])
        elif kind == 3:
            del wrong[place : place + rng.choice([1, 4, 50])]
        else:
            wrong[place:place] = bytes(rng.randrange(256) for _ in range(rng.choice([1, 4])))
        if len(wrong) < 4:
            break
    if rng.random() < 0.15:
        del wrong[rng.randrange(len(wrong) + 1) :]
    return bytes(wrong)


_HEADERS = (
    "{'descr': '<i4', 'fortran_order': False, 'shape': (10000000000,), }",
    "{'descr': '<i4', 'fortran_order': False, 'shape': (-1,), }",
    "{'descr': '<i4', 'fortran_order': False, 'shape': (99999999999999999999999,), }",
    "{'descr': '<i4', 'fortran_order': False, 'shape': (2**40,), }",
    "{'descr': '|O', 'fortran_order': False, 'shape': (5,), }",
    "{'descr': [('a', '<i4'), ('a', '<i4')], 'fortran_order': False, 'shape': (5,), }",
    "{'descr': '<U99999999', 'fortran_order': False, 'shape': (999,), }",
    "{'descr': '<V2147483647', 'fortran_order': False, 'shape': (1,), }",
    "{'descr': '<i4', 'fortran_order': True, 'shape': (5,), }",
    "{'descr': '<i4', 'fortran_order': False, 'shape': 5, }",
    "{'descr': '<i4', 'fortran_order': False, 'shape': (5L,), }",
    "{'descr': '<i4', 'fortran_order': False, 'shape': (True,), }",
    "{'descr': '<i4', 'shape': (5,), }",
    "{'descr': 'nonsense', 'fortran_order': False, 'shape': (5,), }",
    "__import__('os').system('true')",
    "  {'descr'",
    "{" * 500,
    "(" * 9000,
    "'" + "x" * 70_000,
    "\0",
    "[" + "1," * 4000 + "]",
    "{'descr': '<i4', 'fortran_order': False, 'shape': (" + "1," * 200 + "), }",
)


def headed(rng: random.Random, data: bytes) -> bytes:
    """A member whose header says something else."""
    whole = array_of(data)
    rest = data[-whole.nbytes :] if whole.nbytes else b""
    version = rng.choice([(1, 0), (1, 0), (2, 0), (3, 0), (4, 0), (0, 0)])
    if rng.random() < 0.3:
        swapped = whole.dtype.newbyteorder().str if whole.dtype.itemsize > 1 else "|b1"
        header = {"descr": swapped, "fortran_order": whole.ndim > 1, "shape": whole.shape[::-1]}
        return with_header(repr(header), rest, version)
    return with_header(rng.choice(_HEADERS), rest, version)


def bomb(names: list[str], size: int, shown: bool) -> Callable[[Members], bytes]:
    """A small archive that would be large: zeros in a member of this name, as an array or as nothing."""

    def make(members: Members) -> bytes:
        header = with_header(f"{{'descr': '|i1', 'fortran_order': False, 'shape': ({size},), }}", b"")
        written = io.BytesIO()
        with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for name, data in members.items():
                if name not in names:
                    archive.writestr(name, data)
            for name in names:
                with archive.open(name, "w", force_zip64=True) as member:
                    member.write(header if shown else b"")
                    for _ in range(size >> 20):
                        member.write(bytes(1 << 20))
        return written.getvalue()

    return make


def told_otherwise(rng: random.Random, members: Members) -> Members:
    """Metadata that says something else, in a way that no file of Sarai's says it."""
    name = "metadata.npy"
    told: Any = json.loads(str(array_of(members[name])))
    kind = rng.randrange(4)
    key = rng.choice(sorted(told))
    if kind == 0:
        del told[key]
    elif kind == 1:
        told[key] = impossible(rng, key)
    elif kind == 2:
        told = rng.choice([[], None, 5, "x", [told], {"format": told["format"]}])
    text = json.dumps(told)
    if kind == 3:
        text = rng.choice(
            [text[:-1], text + "}", text.replace(":", ": NaN,", 1), text + text, '{"a":' * 5000, ""]
        )
    array: Any = np.array(text)
    if rng.random() < 0.1:
        array = rng.choice(
            [np.array([text, text]), np.array(text.encode()), np.zeros(3), np.array(json.dumps(told)[::-1])]
        )
        return {**members, name: member_of(array)}
    return {**members, name: member_of(array)}


def impossible(rng: random.Random, key: str) -> Any:
    """A value that this entry of the metadata never has."""
    if key in ("seed", "first_game", "first_series"):
        return rng.choice([-1, 2**64, 2**64 + 5, 10**400, 1.5, "7", None, True, [1]])
    if key == "game":
        return rng.choice(["chess", "", None, 3, ["sho"], "Sho", "sho\0"])
    if key == "rules":
        return rng.choice([[], None, {"nothing": 1}, {"max_turns": -5}, {"max_turns": "many"}, "rules"])
    if key == "agents":
        return rng.choice(
            [[], None, "random", [1, 2], [None] * 4, ["random"] * 9, {"a": 1}, [["random"]] * 2]
        )
    if key == "sides":
        return rng.choice(
            [[], None, [5, 5], [-1, 0], [0.5, 1], [True, False], [0] * 9, ["0", "1"], [10**30, 0]]
        )
    if key == "seconds":
        return rng.choice([None, "1", [1], True])
    if key == "statistics":
        return rng.choice([None, ["nothing"], "kills", [1], {"kills": 1}, [["kills"]]])
    if key == "format":
        return rng.choice(["sarai.nothing", "", None, 1, "sarai.rollou", ["sarai.rollout"]])
    if key == "version":
        return rng.choice([0, 2, "1", None, 1.5, 10**400, [1]])
    return (
        rng.choice([None, -1, "x", values.nested, [[]]])
        if key == "?"
        else rng.choice([None, -1, "x", [[]], 1.5])
    )


def impossible_array(rng: random.Random, members: Members) -> Members | None:
    """An array with a value that no game gives; None where there is none to spoil."""
    wrongs: dict[str, list[float]] = {
        "returns.npy": [np.nan, np.inf, -np.inf],
        "rewards.npy": [np.nan, np.inf],
        "winner.npy": [-2, 9, 127, -128],
        "winners.npy": [-2, 9, 127],
        "lengths.npy": [-1, -(2**31)],
        "turns.npy": [-1, -(2**31)],
        "players.npy": [-1, 9, 127],
        "starters.npy": [-2, 9],
        "actions.npy": [-1, 2**31 - 1, 10_000],
        "masks.npy": [-1, 2, 127],
        "offsets.npy": [-1, 2**62, -(2**63)],
        "records.rows.npy": [-1, 2**62, 999],
        "records.offsets.npy": [-1, 2**62],
        "records.steps.npy": [-1, 2**31 - 1, 10_000],
    }
    names = sorted(set(wrongs) & set(members))
    name = rng.choice(names)
    array = array_of(members[name]).copy()
    if not array.size:
        return None
    array[tuple(rng.randrange(length) for length in array.shape)] = rng.choice(wrongs[name])
    return {**members, name: member_of(array)}


def moved(rng: random.Random, members: Members, others: Members) -> tuple[list[tuple[str, bytes]], bool]:
    """Members missing, twice, under another name, of another kind, or of another file; and whether it can be told.

    Arrays of one shape that have changed places make a file like any other.
    """
    entries = list(members.items())
    place, other = rng.randrange(len(entries)), rng.randrange(len(entries))
    name, data = entries[place]
    kind = rng.randrange(8)
    if kind == 0:
        del entries[place]
    elif kind == 1:
        # Which of the two is read is anybody's guess.
        entries.append((name, entries[other][1]))
    elif kind == 2:
        entries[place] = (
            values.near(rng, name).replace("\0", "").encode("ascii", "replace").decode() or "x",
            data,
        )
    elif kind == 3:
        entries[place], entries[other] = (name, entries[other][1]), (entries[other][0], data)
    elif kind == 4:
        entries.append(
            (rng.choice(["more.npy", "../x.npy", "x/y.npy", "metadata", "pickle.pkl", "a.txt"]), b"more")
        )
    elif kind == 5:
        entries[place] = (
            name,
            rng.choice([b"", b"\x80\x04N.", b"PK", data[: len(data) // 2], data + b"more", b"\0" * 200]),
        )
    elif kind == 6:
        entries[place] = (name, others.get(name, b""))
    else:
        entries = [(each, data) for each, _ in entries]
    return entries, kind not in (3, 6)
