"""Results and records in the hands of somebody careless: their methods, made by hand, damaged files of them."""

from __future__ import annotations

import copy
import dataclasses
import gc
import json
import os
import pickle
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sarai
from attack import values
from attack.interrupting import interrupted
from attack.oracle import books, call, game, short, tries
from attack.values import anything, listed, numbers, some, texts
from helpers.saved import ARCHIVES, RESULTS, SAVED, metadata, npy, packed, parts
from sarai.intervals import mean_interval, wilson

SAMPLES = [RESULTS[name] for name in ARCHIVES]
CUT = [sample for sample in SAMPLES if hasattr(sample, "__iter__")]


def pick(data: Any, many: Any) -> Any:
    """One of them, which hypothesis need not compare."""
    return many[data.draw(st.integers(0, len(many) - 1))]


def spoiled(data: Any, value: Any) -> Any:
    """A value with something wrong."""
    if isinstance(value, np.ndarray) and value.size and data.draw(st.booleans()):
        wrong = value.copy()
        cell = data.draw(st.sampled_from([0, 1, -1, 100, 127, -128, -5, 2**31 - 1, -(2**31)]))
        wrong[tuple(data.draw(st.integers(0, length - 1)) for length in wrong.shape)] = np.int64(cell).astype(
            wrong.dtype
        )
        return wrong
    if isinstance(value, dict) and value and data.draw(st.booleans()):
        key = data.draw(st.sampled_from(list(value)))
        return {**value, key: spoiled(data, value[key])}
    if isinstance(value, tuple) and value and data.draw(st.booleans()):
        return (*value[:-1], data.draw(anything))
    return data.draw(anything)


@tries(80)
@given(data=st.data())
def test_results_made_by_hand(data: Any) -> None:
    made = pick(data, SAMPLES)
    fields = {field.name: getattr(made, field.name) for field in dataclasses.fields(made) if field.init}
    field = data.draw(st.sampled_from(list(fields)))
    met = call(type(made), **{**fields, field: spoiled(data, fields[field])})
    if met.error is None:
        for way in ("summary", "_repr_html_", "__repr__", "__str__", "to_pandas"):
            call(getattr(met.value, way, str))
        call(copy.deepcopy, met.value, also=(RecursionError,))
    del fields[field]
    call(type(made), **fields)


@tries(40)
@given(data=st.data())
def test_indices_of_results(data: Any) -> None:
    many = pick(data, CUT)
    index = data.draw(some(len(many), -len(many) - 1) | numbers)
    met = call(lambda: many[index], also=(IndexError,))
    if met.error is None and isinstance(index, slice):
        assert met.value == many[: len(many[index])]
    elif met.error is None:
        assert not isinstance(index, bool)
        assert -len(many) <= index.__index__() < len(many)
    assert pickle.loads(pickle.dumps(many)) == many == copy.deepcopy(many)
    other = data.draw(anything)
    if not isinstance(other, np.ndarray | np.generic):
        assert call(lambda: many == other).value in (None, False)


@tries(40)
@given(some(3, 10), some(3, 10), anything | listed(anything))
def test_intervals(one: Any, other: Any, numbers: Any) -> None:
    met = call(wilson, one, other)
    assert met.error is not None or 0 <= met.value[0] <= met.value[1] <= 1
    met = call(mean_interval, numbers)
    assert met.error is not None or np.isfinite(met.value[0])


@tries(40)
@given(data=st.data(), index=books, odd=anything)
def test_records_of_steps_that_are_none(data: Any, index: int, odd: Any) -> None:
    record = sarai.Record.play(short(game(index).name), seed=index)
    ids: list[Any] = [step.id for step in record.steps]
    at = data.draw(st.integers(0, len(ids) - 1))
    forms = [
        *([*ids[:at], odd, *ids[at + 1 :]], [*ids, 0], ids[:at], ids[at:], ids[::-1], odd, iter(ids)),
        *(np.array(ids), [float(step) for step in ids], (True for _ in ids), ids),
    ]
    seats = record.game.num_players
    labels = data.draw(st.lists(texts, min_size=seats, max_size=seats))
    more = pick(
        data, [{}, {"seed": data.draw(numbers)}, {"number": odd}, {"agents": odd}, {"agents": labels}]
    )
    made = call(sarai.Record.from_steps, record.game, pick(data, forms), **more).value
    if made is not None:
        for write, read in (("to_json", sarai.Record.from_json), ("to_text", sarai.Record.from_text)):
            written = call(getattr(made, write))
            assert written.error is not None or call(read, written.value).value == made
        call(made._repr_svg_)
        repr(made).encode("utf-8", "backslashreplace")
    call(sarai.Record.from_steps, odd, ids)
    call(sarai.Record.from_json, odd)
    call(sarai.Record.from_text, odd)
    call(record.animate, by_turn=odd)


# --- files --------------------------------------------------------------------------------------------------


@st.composite
def damaged(draw: Any, data: bytes) -> bytes:
    """A few bytes of it changed, taken out or put in, or its end cut off."""
    wrong = bytearray(data)
    for _ in range(draw(st.sampled_from([1, 1, 2, 8]))):
        place = (
            draw(st.integers(0, len(wrong)))
            if draw(st.booleans())
            else len(wrong) - draw(st.integers(1, 200))
        )
        cells = draw(st.binary(max_size=4))
        wrong[max(0, place) : max(0, place) + draw(st.sampled_from([0, 1, 1, 1, 4, 50]))] = cells
    return bytes(wrong[: draw(st.sampled_from([len(wrong)] * 6 + [len(wrong) // 2]))])


@st.composite
def archives(draw: Any, name: str) -> tuple[bytes, bool]:
    """A damaged archive, and whether it must be refused unless it says what it said."""
    kind = draw(st.integers(0, 3))
    if kind == 0:
        return draw(damaged(SAVED[name])), True
    members = parts(name)
    member, other = draw(st.sampled_from(list(members))), draw(st.sampled_from(list(members)))
    data = members[member]
    if kind == 1:
        return packed({**members, member: draw(damaged(data[:128])) + data[128:]}), True
    if kind == 2:
        told = metadata(name)
        text = values.written(draw(values.changed(told)))
        return packed({**members, "metadata.npy": npy(text)}), False
    return packed({**members, member: members[other], other: data}), False


@tries(150)
@given(data=st.data(), name=st.sampled_from([*ARCHIVES, "json", "json", "json", "text", "text"]))
def test_damaged_files(data: Any, name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.getbasetemp()
    if name in ARCHIVES:
        wrong, must = data.draw(archives(name))
    else:
        text = SAVED[name].decode()
        if name == "json" and data.draw(st.integers(0, 3)):
            changed = values.written(data.draw(values.changed(json.loads(text))))
        else:
            changed = data.draw(values.changed_text(text))
        wrong, must = changed.encode("utf-8", "surrogatepass"), False
    path = folder / "damaged"
    path.write_bytes(wrong)
    before = open_files()
    for read in (sarai.load, type(RESULTS[name]).load):
        met = call(read, path)
        if met.error is None:
            assert not must or met.value == RESULTS[name]
            met.value.save(path)
            assert sarai.load(path) == met.value
            path.write_bytes(wrong)
    assert open_files() == before


def open_files() -> int:
    """How many files this process has open, where the system tells."""
    return len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0


@tries(40)
@given(
    odd=st.sampled_from(
        ["", "\0", "a\0b", "x" * 5000, "/dev/null", "/nowhere/x.npz", "/proc/self/mem", "\ud800.json"]
    )
    | anything.filter(lambda odd: not isinstance(odd, str))
    | st.none()
)
def test_paths_that_are_none(odd: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # some are relative, and can be written to
    reading, writing = os.pipe()
    os.close(writing)
    odd = reading if odd is None else odd
    for use in (
        *(sarai.load, sarai.results.Trajectories.load, sarai.Record.load),
        RESULTS["rollout"].save,
        RESULTS["json"].save,
    ):
        if odd not in ("/proc/self/mem", "/dev/null") if isinstance(odd, str) else True:
            call(use, odd, also=(OSError,))
    os.close(reading)  # a number would have been taken for an open file, and closed
    assert not [each for each in os.listdir() if each.endswith(".tmp")]


@cache
def places(name: str, folder: str) -> int:
    """At how many places a save can be interrupted."""
    return interrupted(lambda: RESULTS[name].save(f"{folder}/counted"), None).count


@tries(10)
@given(name=st.sampled_from(list(RESULTS)), at=st.integers(0, 2**16), there=st.booleans())
def test_ctrl_c_in_a_save_leaves_the_old_file_or_the_new_one(
    name: str, at: int, there: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("save")
    path = folder / "kept"
    if there:
        path.write_bytes(b"old")
    done = interrupted(
        lambda: RESULTS[name].save(path), at % places(name, str(tmp_path_factory.getbasetemp()))
    )
    assert done.instead is None, f"{done.said}: {done.instead!r}"
    # Between open() and the line that would close it nothing in Python can: that file is closed by its end.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()
    assert {each.name for each in folder.iterdir()} <= {"kept"}, done.said
    if not there or path.read_bytes() != b"old":
        assert not path.exists() or sarai.load(path) == RESULTS[name], done.said
        assert path.exists() or not there, done.said
