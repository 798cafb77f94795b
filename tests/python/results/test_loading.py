"""Files of results: written whole or not at all; and whatever is in one, `sarai.load` gives what was saved, or raises a
ValueError, and needs little memory for it."""

from __future__ import annotations

import errno
import io
import json
import os
import pickle
import struct
import tracemalloc
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pytest

import sarai
from helpers.saved import RESULTS, SAVED, metadata, npy, packed, parts
from sarai._base import files


@contextmanager
def in_memory(most: int) -> Iterator[None]:
    """What is done here needs no more than so many bytes."""
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] - before < most
    finally:
        tracemalloc.stop()


def test_where_no_file_can_be_written(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        RESULTS["rollout"].save(tmp_path)
    if Path("/dev/full").exists():
        with pytest.raises(OSError, match="No space left"):
            RESULTS["rollout"].save("/dev/full")
        assert not Path("/dev/full").is_file()
    with pytest.raises(ValueError, match="use to_parquet"):
        RESULTS["rollout"].save(tmp_path / "games.CSV")
    wordy = replace(RESULTS["rollout"], agents=("x" * 400_000,) * 3)
    with pytest.raises(ValueError, match="give the agents shorter names"):
        wordy.save(tmp_path / "kept")
    assert list(tmp_path.iterdir()) == []


def test_whatever_goes_wrong_the_old_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    path.write_text("old")

    def breaks(file: BinaryIO) -> None:
        file.write(b"half of it")
        raise ZeroDivisionError("its own")

    with pytest.raises(ZeroDivisionError, match="its own"):
        files.replace(path, breaks)
    assert path.read_text() == "old"


def test_a_file_system_that_is_read_only_names_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: str, *_: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), path)

    # It refuses to remove what there is not in the same words.
    monkeypatch.setattr(files, "open", refuse, raising=False)
    monkeypatch.setattr("os.unlink", refuse)
    with pytest.raises(OSError, match="Read-only file system") as caught:
        RESULTS["rollout"].save(tmp_path / "games")
    assert caught.value.filename == os.fspath(tmp_path / "games")


def test_what_numpy_writes_is_read(tmp_path: Path) -> None:
    with np.load(io.BytesIO(SAVED["rollout"])) as file:
        arrays = {name: file[name] for name in file.files}
    with (tmp_path / "again").open("wb") as stream:
        np.savez(stream, **arrays)
    assert sarai.load(tmp_path / "again") == RESULTS["rollout"]


def refused(data: bytes, path: Path) -> str:
    """The sentence with which the file is refused."""
    path.write_bytes(data)
    with pytest.raises(ValueError, match=path.name) as caught:
        sarai.load(path)
    return str(caught.value)


def headed(header: bytes, data: bytes) -> bytes:
    """A `.npy` with this header."""
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header + data


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


@pytest.mark.parametrize("name", ["records", "series"])
def test_every_member_is_needed_and_no_other_is_read(name: str, tmp_path: Path) -> None:
    members = parts(name)
    for member in members:
        rest = {other: data for other, data in members.items() if other != member}
        missing = f"array {member.removesuffix('.npy')!r}" if member != "metadata.npy" else "metadata"
        assert f"it has no {missing}" in refused(packed(rest), tmp_path / "kept")
    # Nor is a gigabyte unpacked that nobody asked for.
    bomb = npy(np.zeros(1))[:-8] + bytes(2**23)
    for more in ("more.npy", "stats_by_seat.more.npy", "../../etc/passwd", "a.txt"):
        data = packed([*members.items(), (more, bomb)])
        with in_memory(2**21):
            assert f"it has {more!r}" in refused(data, tmp_path / "kept")


@pytest.mark.parametrize("member", parts("records"))
def test_a_member_cannot_come_to_more_than_it_says(member: str, tmp_path: Path) -> None:
    members = parts("records")
    huge = packed({**members, member: members[member] + bytes(2**23)})
    for claimed in (len(members[member]), len(members[member]) + 1, 2**31, 2**32 - 2):
        archived = bytearray(huge)
        # The directory says that it is small, or larger than its bytes can come to.
        entry = archived.index(member.encode(), archived.index(b"PK\1\2")) - 46
        struct.pack_into("<L", archived, entry + 24, claimed)
        with in_memory(2**22):
            refused(bytes(archived), tmp_path / "kept")


@pytest.mark.parametrize("games", [7, 2**31, 2**62, 10**30])
def test_a_shape_that_the_bytes_do_not_make_is_never_allocated(games: int, tmp_path: Path) -> None:
    told = metadata("rollout")
    told["rows"]["game"] = games
    turns = headed(described("'<i4'", f"({games},)"), bytes(24))
    data = packed({**parts("rollout"), "metadata.npy": npy(json.dumps(told)), "turns.npy": turns})
    with in_memory(2**22):
        refused(data, tmp_path / "kept")


def test_metadata_is_one_json_object(tmp_path: Path) -> None:
    texts = ["", "null", "[]", "{", "[" * 900_000, '{"format": "sarai.rollout", "format": "sarai.rollout"}']
    arrays = [*map(npy, [*texts, [1], 1, ["a", "b"], "x" * 1_000_001, "\udcff"]), b"{}"]
    for array in arrays:
        refused(packed({**parts("rollout"), "metadata.npy": array}), tmp_path / "kept")


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
    yield "no member", packed({})
    yield "one end alone", b"PK\5\6" + bytes(18)
    yield "an end and a locator", b"PK\6\7" + bytes(16) + b"PK\5\6" + bytes(18)
    yield "15,000 members", packed({f"{number}": b"" for number in range(15_000)})


def test_archives_that_sarai_does_not_write(tmp_path: Path) -> None:
    for what, data in archive_tricks("rollout"):
        (tmp_path / what).write_bytes(data)
        with in_memory(2**24):
            try:
                found = sarai.load(tmp_path / what)
            except ValueError:
                continue
        assert found == RESULTS["rollout"], what


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
