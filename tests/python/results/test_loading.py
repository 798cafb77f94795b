"""Whatever is in a file: `sarai.load` gives what was saved, or raises a ValueError, and needs little memory for it."""

from __future__ import annotations

import io
import itertools
import json
import math
import pickle
import struct
import tracemalloc
import warnings
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sarai
from helpers.saved import ARCHIVES, RESULTS, SAVED, metadata, npy, packed, parts


def refused(data: bytes, path: Path) -> str:
    """The sentence with which the file is refused."""
    path.write_bytes(data)
    with pytest.raises(ValueError, match=path.name) as caught:
        sarai.load(path)
    return str(caught.value)


# In `make test` the faults are dealt out among the archives; in `make nightly` each archive has them all.
whole = pytest.mark.parametrize(
    "whole", [False, pytest.param(True, marks=pytest.mark.nightly)], ids=["dealt", "whole"]
)


def headed(header: bytes, data: bytes, version: bytes = b"\1\0") -> bytes:
    """A `.npy` with this header."""
    return b"\x93NUMPY" + version + struct.pack("<H", len(header)) + header + data


def described(descr: str, shape: str, fortran: str = "False") -> bytes:
    return f"{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {shape}, }}\n".encode()


HEADERS = [
    described("'<i4'", "(6,)")[:-3],  # not closed: numpy raises a TokenError
    described("'<i4'", "(4611686018427387904,)"),  # MemoryError
    described("'<i4'", "(99999999999999999999999,)"),  # OverflowError
    *(described("'<i4'", shape) for shape in ("(6, 0)", "(-6,)", "(6)", "()", "(True, 6)")),
    described("'<i4'", "(6,)", "0"),
    *(described(f"'{descr}'", "(6,)") for descr in ("<f4", "<u4", "<i3", "|O", "<U99999999")),
    described("'<i8'", "(3,)"),
    described("[('', '|V4')]", "(6,)"),  # SystemError, once
    described("'<i4'", "(" * 5001),  # RecursionError, MemoryError
    b"[]\n",
    b"",
    b"\x00" * 100,
    b"{" + b"9" * 60000 + b"}\n",
]


def test_headers_that_numpy_never_wrote(tmp_path: Path) -> None:
    members = parts("rollout")
    data = members["turns.npy"][-24:]
    for header in HEADERS:
        said = refused(packed({**members, "turns.npy": headed(header, data)}), tmp_path / "kept")
        assert "was not written by Sarai, or is damaged" in said


def refused_or_equal(name: str, data: bytes, path: Path) -> None:
    """Nothing else may come of a file."""
    path.write_bytes(data)
    try:
        found = sarai.load(path)
    except ValueError:
        return
    assert found == RESULTS[name]


def test_files_of_others(tmp_path: Path) -> None:
    for data in (
        b"",
        b"games: 100",
        pickle.dumps({"returns": [1]}),
        npy(np.arange(3)),
        SAVED["rollout"][:-200],
    ):
        said = refused(data, tmp_path / "kept")
        assert "was not written by Sarai, or is damaged" in said
        # numpy's advice for a file that it takes for a pickle.
        assert "allow_pickle" not in said


@whole
def test_every_member_is_needed_and_no_other_is_read(whole: bool, tmp_path: Path) -> None:
    for name in ARCHIVES:
        members = parts(name)
        for member in members:
            rest = {other: data for other, data in members.items() if other != member}
            assert re_named(member) in refused(packed(rest), tmp_path / "kept")
        # Nor is a gigabyte unpacked that nobody asked for.
        bomb = npy(np.zeros(1))[:-8] + bytes(2**23)
        tracemalloc.start()
        others = ["more.npy", "records.steps.npy", "stats_by_seat.kills.npy", "../../etc/passwd", "a.txt"]
        for more in others if whole else others[ARCHIVES.index(name) :: len(ARCHIVES)]:
            if more not in members:
                data = packed([*members.items(), (more, bomb)])
                tracemalloc.reset_peak()
                before = tracemalloc.get_traced_memory()[0]
                assert f"it has {more!r}" in refused(data, tmp_path / "kept")
                assert tracemalloc.get_traced_memory()[1] - before < 2**21
        tracemalloc.stop()


def re_named(member: str) -> str:
    name = member.removesuffix(".npy")
    return "it has no metadata" if name == "metadata" else f"it has no array {name!r}"


def test_kept_records_do_not_vanish(tmp_path: Path) -> None:
    members = parts("records")
    without = {name: data for name, data in members.items() if not name.startswith("records.")}
    assert "it has no array 'records.rows'" in refused(packed(without), tmp_path / "kept")
    told = metadata("records")
    told["rows"]["record"] = 1
    assert "records.rows must be int64 of shape (1)" in refused(
        packed({**members, "metadata.npy": npy(json.dumps(told))}), tmp_path / "kept"
    )


@whole
def test_a_member_cannot_come_to_more_than_it_says(whole: bool, tmp_path: Path) -> None:
    for number, name in enumerate(ARCHIVES):
        for member, data in list(parts(name).items())[:: 1 if whole else number + 3]:
            huge = packed({**parts(name), member: data + bytes(2**23)})
            tracemalloc.start()
            for claimed in (len(data), len(data) + 1, 2**31, 2**32 - 2)[
                None if whole else number % 2 :: 2 - whole
            ]:
                archived = bytearray(huge)
                # The directory says that it is small, or larger than its bytes can come to.
                entry = archived.index(member.encode(), archived.index(b"PK\1\2")) - 46
                struct.pack_into("<L", archived, entry + 24, claimed)
                tracemalloc.reset_peak()
                before = tracemalloc.get_traced_memory()[0]
                refused(bytes(archived), tmp_path / "kept")
                assert tracemalloc.get_traced_memory()[1] - before < 2**22
            tracemalloc.stop()


def test_a_shape_that_the_bytes_do_not_make_is_never_allocated(tmp_path: Path) -> None:
    members = parts("rollout")
    for games in (7, 2**31, 2**62, 10**30):
        rows = {**metadata("rollout")["rows"], "game": games}
        told = npy(json.dumps({**metadata("rollout"), "rows": rows}))
        header = b"{'descr': '<i4', 'fortran_order': False, 'shape': (%d,), }\n" % games
        tracemalloc.start()
        refused(
            packed({**members, "metadata.npy": told, "turns.npy": headed(header, bytes(24))}),
            tmp_path / "kept",
        )
        assert tracemalloc.get_traced_memory()[1] < 2**22
        tracemalloc.stop()


def archive_tricks(name: str) -> Iterator[tuple[str, bytes]]:
    """Archives with the right members that Sarai does not write."""
    members, data = parts(name), SAVED[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # zipfile's, of a name that is there twice
        twice = packed([*members.items(), ("metadata.npy", members["metadata.npy"])])
    yield "twice", twice
    yield "in another order of case", packed({member.upper(): part for member, part in members.items()})
    for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        yield f"method {method}", packed(members, method)
    yield "a prefix", b"MZ" + data
    yield "bytes behind", data + b"\0"
    yield "a comment", data[:-2] + b"\5\0hello"
    yield "two archives", data + data
    directory = data.index(b"PK\1\2")
    places = {8: "flags", 10: "method", 16: "crc", 20: "packed", 24: "size", 28: "name"}
    for place, what in places.items():
        changed = bytearray(data)
        changed[directory + place] ^= 1
        yield what, bytes(changed)
    second = data.index(b"PK\1\2", directory + 4)
    numbers = {"offset": second + 42, "directory at": len(data) - 6, "directory of": len(data) - 10}
    for (what, place), number in itertools.product(numbers.items(), (0, 1, 2**31, 2**32 - 2, 2**32 - 1)):
        changed = bytearray(data)
        struct.pack_into("<L", changed, place, number)
        yield f"{what} {number}", bytes(changed)
    yield "no member", packed({})
    yield "one end alone", b"PK\5\6" + bytes(18)
    yield "an end and a locator", b"PK\6\7" + bytes(16) + b"PK\5\6" + bytes(18)
    yield "15,000 members", packed({f"{number}": b"" for number in range(15_000)})


@pytest.mark.parametrize("name", ["rollout", pytest.param("series", marks=pytest.mark.nightly)])
def test_archives_that_sarai_does_not_write(name: str, tmp_path: Path) -> None:
    for what, data in archive_tricks(name):
        tracemalloc.start()
        refused_or_equal(name, data, tmp_path / "kept")
        assert tracemalloc.get_traced_memory()[1] < 2**24, what
        tracemalloc.stop()


NO_COUNTS = [-1, 2**64, 10**400, 1.5, 1e999, True, None, "1", [], {}]
# fmt: off
WRONG: dict[str, list[Any]] = {
    "game": ["", "chess", "Sho", "\0", 7, None, ["sho"], "sho" * 1000, "sho(", "sho(wings=1)", "sho(max_turns=0)"],
    "agents": [[], ["random"], ["random"] * 5, [1, 2, 3], "random", None, [None] * 3, [["random"]] * 3],
    "seed": NO_COUNTS,
    "first_game": [*NO_COUNTS, 2**64 - 1],
    "first_row": [*NO_COUNTS, 2**64 - 1],
    "first_series": [*NO_COUNTS, 2**64 - 1],
    "seconds": [-1.0, 1e999, -1e999, "1", None, True, []],
    "rows": [*NO_COUNTS, {"game": 6, "more": 1}, {"game": None}],
    "start": [3, [], "", "nowhere", ["start"]],
    "random_plies": [*NO_COUNTS, 1001],
    "policies": [[None], ["x"], [1, 2, 3], None, ["", "", ""], [[]] * 3, "abc"],
    "names": [[], ["a"], ["a", "a"], ["a", 1], ["a", "b", "c"], ["a"] * 1000, None, "ab", {}],
    "schedule": ["", "swiss", None, 1, ["gauntlet"], "x" * 1000],
    "dice": ["", "fair", None, 1, [], "own\0"],
    "milliseconds": [[], [1.0], [1.0] * 3, [1.0, -1.0], [1.0, 1e999], ["1", "1"], [True, 1.0], None, 1.0],
    "target": [*NO_COUNTS, 0, 1, 3, 1001],
    "max_games": [*NO_COUNTS, 0, 1, 100_001],
    "consecutive": [0, 1, None, "true", []],
    "version": [0, 1, 2, True, 3.0, None, "3", 10**400, []],
    "format": ["sarai.", "sarai.else", "rollout", None, 2, [], "sarai.rollout.", "sarai." + "x" * 10**5],
    "more": [1],
}
# fmt: on


def dealt(name: str, field: str) -> list[Any]:
    """The wrong values of a field that fall to this archive, of those that have the field."""
    having = [other for other in ARCHIVES if field in metadata(other) or field == "more"]
    return WRONG[field][having.index(name) :: len(having)]


@whole
def test_metadata_that_is_impossible(whole: bool, tmp_path: Path) -> None:
    for name in ARCHIVES:
        members, told = parts(name), metadata(name)
        assert set(told) <= set(WRONG)
        for field in [*told, "more"]:
            for value in WRONG[field] if whole else dealt(name, field):
                if value == told.get(field) and type(value) is type(told[field]):
                    continue
                changed = npy(json.dumps({**told, field: value}))
                assert refused(packed({**members, "metadata.npy": changed}), tmp_path / "kept"), (
                    field,
                    value,
                )
            for axis in told["rows"] if field == "rows" else ():
                for value in [*NO_COUNTS, 2**62]:
                    rows = {**told["rows"], axis: value}
                    changed = npy(json.dumps({**told, "rows": rows}))
                    assert refused(packed({**members, "metadata.npy": changed}), tmp_path / "kept"), rows
            missing = npy(json.dumps({other: value for other, value in told.items() if other != field}))
            if field != "more":
                assert refused(packed({**members, "metadata.npy": missing}), tmp_path / "kept"), field
        if not (whole or name == "rollout"):
            continue
        for text in (
            "",
            "null",
            "[]",
            "{",
            "[" * 900_000,
            '{"format": "sarai.rollout", "format": "sarai.rollout"}',
        ):
            assert refused(packed({**members, "metadata.npy": npy(text)}), tmp_path / "kept")
        for other in (npy([1]), npy(1), npy(["a", "b"]), npy("x" * 1_000_001), npy("\udcff"), b"{}"):
            assert refused(packed({**members, "metadata.npy": other}), tmp_path / "kept")


def impossible(name: str, array: str) -> Iterator[tuple[object, Any]]:
    """Places of an array and what cannot stand there."""
    result: Any = RESULTS[name]
    if array in ("winner", "winners"):
        winner = getattr(result, array)
        first = (0,) * winner.ndim
        yield from ((first, value) for value in (-2, -128, 9, 127))
        yield from ((first, value) for value in {-1, *result.sides} - {winner[first]})
    elif array in ("returns", "rewards"):
        yield from (((-1, 0), value) for value in (math.nan, math.inf, -math.inf, 1e-46, 0.5, 9, -9, 3e38))
        yield (-1, slice(None)), 1
    elif array in ("lengths", "turns") or array.startswith("stats_by_seat"):
        yield from ((0, value) for value in (-1, -(2**31)))
    elif array == "digests":
        pass  # any number may be one
    elif array == "starters":
        yield from ((0, value) for value in (-2, 9, 127, -128))
    elif array == "records.offsets" and not result.records:
        yield from ((0, value) for value in (-1, 1, 2**62))
    elif array in ("offsets", "records.offsets"):
        yield from ((place, value) for place in (0, 1, -1) for value in (-1, 2**62, -(2**63), 10**9))
        yield 0, 1
    elif array == "masks":
        yield from (((3, 0), value) for value in (-1, 2, 127, -128))
        yield (3, slice(None)), 0
    elif array == "actions":
        yield from ((3, value) for value in (-1, 999, 2**31 - 1, -(2**31)))
        yield from ((3, value) for value in np.flatnonzero(result.masks[3] == 0))
    elif array == "players":
        yield from ((3, value) for value in (-1, 2, 127, -128))
    elif array == "observations":
        yield from (((3, 0), value) for value in (-128, 127))
    elif array == "records.rows":
        yield from ((0, value) for value in (-1, 5, 4, 0, 2**62, -(2**63)))
    elif array == "records.steps":
        yield from ((5, value) for value in (-1, 999, 2**31 - 1, -(2**31)))
    else:
        raise AssertionError(f"nothing is known of {array}")


def test_arrays_that_are_impossible(tmp_path: Path) -> None:
    for name in ARCHIVES:
        members = parts(name)
        for member in members:
            if member == "metadata.npy":
                continue
            array = np.load(io.BytesIO(members[member]))
            if not array.size:
                continue  # no records were kept
            for place, value in impossible(name, member.removesuffix(".npy")):
                changed = array.copy()
                changed[place] = value
                if (changed == array).all():
                    continue
                where = (member, place, value)
                assert refused(packed({**members, member: npy(changed)}), tmp_path / "kept"), where
            others = (
                array[:-1],
                array[None],
                array.astype(np.float64),
                array.astype(">i2"),
                array.astype(str),
            )
            for other in others:
                assert refused(packed({**members, member: npy(other)}), tmp_path / "kept"), member


def test_series_that_go_on_after_they_are_won(tmp_path: Path) -> None:
    s = sarai.series("sho", num_series=40, target=1, seed=5, max_games=3)
    change = {"offsets": s.offsets[[0, 2, *range(3, 41)]], "winner": s.winner[1:], "digests": s.digests[1:]}
    with pytest.raises(ValueError, match="do not make the winners of the series"):
        replace(s, **change).save(tmp_path / "kept")


def test_the_seats_of_a_side_have_won_the_same(tmp_path: Path) -> None:
    r = sarai.rollout("tshupu", num_games=3, seed=1)
    # Signs and sums are as they should be.
    r.returns[1, 2:] /= 2
    with pytest.raises(ValueError, match="returns must be the same for all seats of side 0"):
        r.save(tmp_path / "games.npz")
