"""What follows from the columns that a class of results declares: a class added later is added to `helpers.saved`."""

from __future__ import annotations

import copy
import dataclasses
import io
import json
import math
import re
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sarai
from helpers.page import Page
from helpers.saved import ARCHIVES, RESULTS, SAVED, leaves, metadata, npy, packed, parts
from sarai._results.result import Result

every = pytest.mark.parametrize("name", ARCHIVES)
CUT = [name for name in ARCHIVES if hasattr(RESULTS[name], "__getitem__")]
every_that_is_cut = pytest.mark.parametrize("name", CUT)

EVIL = "<img src=x onerror='alert(1)'>&\""


def test_no_class_is_missing() -> None:
    saved = {each for each in leaves(Result) if hasattr(each, "save")}
    assert {type(RESULTS[name]) for name in ARCHIVES} == saved


# --- what no result has ---------------------------------------------------------------------------------------


def refused(words: str, call: Callable[..., object], *args: Any, **given: Any) -> None:
    """In a short sentence with these words."""
    with pytest.raises((TypeError, ValueError), match=words) as caught:
        call(*args, **given)
    assert len(str(caught.value)) < 4000


def refused_in_file(members: dict[str, bytes], path: Path) -> None:
    path.write_bytes(packed(members))
    with pytest.raises(ValueError, match=f"{path.name}.* was not written by Sarai, or is damaged"):
        sarai.load(path)
    path.unlink()


# fmt: off
NEVER: list[Any] = [-1, 1e999, 10**400, "\0", {"a": 1}, [[]]]
"""What no fact may be; and what each may not be besides."""
FIRST = [2**64 - 1, 2**64, 1.5, True, None, "1"]
WRONG: dict[str, list[Any]] = {
    "game": ["", "chess", "Sho", 7, None, ["sho"], "sho" * 1000, "sho(", "sho(wings=1)", "sho(max_turns=0)"],
    "agents": [[], ["random"], ["random"] * 5, "random", None, [None] * 3, [1] * 2, [1] * 3, [1] * 4],
    "seed": [2**64, 1.5, True, None, "1"],
    "first_game": FIRST,
    "first_series": FIRST,
    "first_row": FIRST,
    "seconds": ["1", None, True],
    "start": [3, "", "nowhere", ["start"]],
    "random_plies": [1001, 1.5, True, None, "1"],
    "policies": [[None], ["x"], [1] * 2, [1] * 3, [1] * 4, None, [""] * 2, [""] * 3, [""] * 4, "abc"],
    "names": [[], ["a"], ["a", "a"], ["a", 1], ["a", "\udc80"], ["a", "b", "b"], ["a"] * 1000, None, "ab"],
    "schedule": ["", "swiss", None, 1, ["gauntlet"], "x" * 1000],
    "dice": ["", "fair", None, 1, []],
    "milliseconds": [[], [1.0], [1.0] * 4, [1.0, -1.0], [1.0, 1e999], ["1"] * 2, ["1"] * 3, [True] * 3, None, 1.0],
    "target": [0, 1001, 1.5, True, None],
    "max_games": [0, 100_001, 1.5, True, None],
    "consecutive": [0, 1, None, "true", []],
}
IN_FILES: dict[str, list[Any]] = {
    "rows": [{}, {"more": 1}, None, 1],
    "version": [0, 1, 2, True, 3.0, None, "3", 10**400, []],
    "format": ["sarai.", "sarai.else", "rollout", None, 2, [], "sarai.rollout.", "sarai." + "x" * 10**5],
}
# fmt: on


@every
def test_facts_that_are_impossible(name: str, tmp_path: Path) -> None:
    made, members, told = RESULTS[name], parts(name), metadata(name)
    given = {each.name for each in dataclasses.fields(made)}

    def in_file(**changed: Any) -> None:
        changed = {field: value for field, value in {**told, **changed}.items() if value is not ...}
        refused_in_file({**members, "metadata.npy": npy(json.dumps(changed))}, tmp_path / "kept")

    def in_hand(**changed: Any) -> None:
        dataclasses.replace(made, **changed).save(tmp_path / "kept")

    halves = [["\udc80", *made.agents[1:]]]
    for field in told:
        in_file(**{field: ...})
        for value in [*NEVER, *{**WRONG, **IN_FILES}[field], *(halves if field == "agents" else [])]:
            in_file(**{field: value})
            if field in given:
                by_hand = tuple(value) if isinstance(value, list) else value
                refused(f"{field}|last one|agents", in_hand, **{field: by_hand})
    in_file(more=1)
    for axis, value in product(told["rows"], [-1, 2**62, 2**64, 1.5, True, None, "1", [], ...]):
        in_file(
            rows={other: rows for other, rows in {**told["rows"], axis: value}.items() if rows is not ...}
        )
    refused("game must be a sarai.Game", dataclasses.replace, made, game=str(made.game))
    assert list(tmp_path.iterdir()) == []


SIDES = [(0, value) for value in (-2, -128, 9, 127)]
COUNTS = [(0, -1), (0, -(2**31))]
SCORES = [(-1, 1), *(((-1, ..., 0), value) for value in (math.nan, math.inf, -math.inf, 0.5, 9, -9, 3e38))]
IMPOSSIBLE: dict[str, list[tuple[Any, Any]]] = {
    "winner": SIDES,
    "winners": SIDES,
    "starters": SIDES,
    "players": [(3, value) for value in (-1, 2, 127, -128)],
    "returns": SCORES,
    "rewards": SCORES,
    "lengths": COUNTS,
    "turns": COUNTS,
    "stats_by_seat": COUNTS,
    "digests": [],
    "offsets": [(0, 1), *product((0, 1, -1), (-1, 2**62, -(2**63), 10**9))],
    "observations": [((3, 0), -128), ((3, 0), 127)],
    "final_observations": [((1, 0, 0), -128), ((1, 0, 0), 127)],
    "masks": [(3, 0), *(((3, 0), value) for value in (-1, 2, 127, -128))],
    "actions": [(3, value) for value in (-1, 999, 2**31 - 1, -(2**31))],
    "records.rows": [(0, value) for value in (-1, 99, 2**62)],
    "records.offsets": [*product((0, -1), (-1, 1, 2**62))],
    "records.steps": [(-1, value) for value in (-1, 999, 2**31 - 1, -(2**31))],
}
"""Places of each array and what cannot stand there."""


def impossible(made: Any, title: str, array: Any) -> Iterator[tuple[Any, Any]]:
    """The same, with what is impossible in this result."""
    column = title if title in IMPOSSIBLE else title.partition(".")[0]
    yield from IMPOSSIBLE[column]
    if column in ("winner", "winners"):
        first = (0,) * array.ndim
        yield from ((first, value) for value in {-1, *made.sides} - {array[first]})
    elif column == "actions":
        yield from ((3, value) for value in np.flatnonzero(made.masks[3] == 0))
    elif column == "offsets":
        yield -1, array[-1] - 1
        # Trajectories may have a game without decisions, but there is no series without a game.
        yield from [(1, 0)] * hasattr(made, "starters")
    elif title == "records.rows" and len(array) > 1:
        yield 0, array[1]


@every
def test_arrays_that_are_impossible(name: str, tmp_path: Path) -> None:
    made, members = RESULTS[name], parts(name)

    def put(values: Any, title: str) -> Any:
        column, _, key = title.partition(".")
        return dataclasses.replace(
            made, **{column: {**getattr(made, column), key: values} if key else values}
        )

    for member in set(members) - {"metadata.npy"}:
        title = member.removesuffix(".npy")
        array = np.load(io.BytesIO(members[member]))

        for place, value in impossible(made, title, array) if array.size else ():
            wrong = array.copy()
            wrong[place] = value
            if (wrong == array).all():
                continue
            refused_in_file({**members, member: npy(wrong)}, tmp_path / "kept")
            if not np.isfinite(wrong).all():
                refused("no finite numbers", put, wrong, title)
            if not title.startswith("records."):
                # Arrays can be changed after they have been checked.
                spoiled = copy.deepcopy(made)
                column, _, key = title.partition(".")
                (getattr(spoiled, column)[key] if key else getattr(spoiled, column))[place] = value
                refused(".", spoiled.save, tmp_path / "kept")
        forms = [array[None], array.astype(np.float64), array.astype(">i2"), array.astype(str)]
        for form in [*forms, array[:-1]] if array.size else forms:
            refused_in_file({**members, member: npy(form)}, tmp_path / "kept")
            if not title.startswith("records."):
                refused(r"must (be|ascend)|seatings", put, form, title)
        if not title.startswith("records."):
            refused("must be a NumPy array", put, np.ma.masked_array(array), title)
            refused("must be a NumPy array", put, array.tolist(), title)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", [name for name in ARCHIVES if hasattr(RESULTS[name], "stats_by_seat")])
def test_statistics_are_those_of_the_game(name: str) -> None:
    made = RESULTS[name]
    (_, values), *others = made.stats_by_seat.items()
    for wrong in (7, {}, dict(others), {1: values}, {**made.stats_by_seat, "more": values}):
        refused("stats_by_seat must", dataclasses.replace, made, stats_by_seat=wrong)


@pytest.mark.parametrize("name", [name for name in ARCHIVES if getattr(RESULTS[name], "records", None)])
def test_records_are_of_the_games_in_their_rows(name: str) -> None:
    made = RESULTS[name]
    row, record = next(iter(made.records.items()))
    steps = [step.id for step in record.steps]
    told = {"seed": record.seed, "number": record.number, "agents": record.agents}
    others = [
        sarai.Record.from_steps(record.start or record.game, steps[:end], **{**told, **other})
        for end, other in ((None, {"seed": 99}), (None, {"number": 99}), (None, {"agents": None}), (-1, {}))
    ]
    places = ({99: record}, {(0, 99): record}, {(-1, 0): record}, {True: record})
    for wrong in (7, [], [record], {1: 2}, *places):
        refused("record", dataclasses.replace, made, records=wrong)
    for other in others:
        refused("record", dataclasses.replace, made, records={row: other})
    refused("is not of the game in row", dataclasses.replace, made, lengths=made.lengths + np.int32(1))


# --- files ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RESULTS)
def test_what_is_saved_comes_back_whatever_the_name_of_its_file(name: str, tmp_path: Path) -> None:
    result = RESULTS[name]
    kinds = {type(each) for each in RESULTS.values()}
    for ending in ("", ".npz", ".json", ".txt") if name in ("rollout", "json") else (".bin",):
        path = tmp_path / f"kept{ending}"
        path.write_text("an older file")
        result.save(path)
        assert list(tmp_path.iterdir()) == [path]
        back: Any = sarai.load(path)
        assert back == sarai.load(str(path)) == type(result).load(path) == result
        assert str(back) == str(result)
        if name in ARCHIVES:
            assert path.read_bytes() == SAVED[name], "the same result is the same bytes"
            for field in dataclasses.fields(result):
                assert field.compare or getattr(back, field.name) == getattr(result, field.name)
        for other in kinds - {type(result)}:
            with pytest.raises(ValueError, match="kept"):
                other.load(path)
        path.unlink()
    with pytest.raises(FileNotFoundError) as caught:
        result.save(tmp_path / "missing" / "kept")
    assert caught.value.filename == str(tmp_path / "missing" / "kept")
    with pytest.raises(FileNotFoundError):
        type(result).load(tmp_path / "missing")


@every
def test_numbers_may_be_those_of_numpy_and_arrays_in_any_order(name: str, tmp_path: Path) -> None:
    made = RESULTS[name]
    fields = {each.name: getattr(made, each.name) for each in dataclasses.fields(made)}
    changed = {
        field: np.asfortranarray(value) if isinstance(value, np.ndarray) else np.array(value)[()]
        for field, value in fields.items()
        if isinstance(value, int | float | np.ndarray)
    }
    dataclasses.replace(made, **changed).save(tmp_path / "kept")
    assert (tmp_path / "kept").read_bytes() == SAVED[name]


# --- slices and parts -----------------------------------------------------------------------------------------


@every_that_is_cut
def test_slices_are_parts_and_make_the_whole_again(name: str) -> None:
    made, join = RESULTS[name], type(RESULTS[name]).concatenate
    first = next(each.name for each in dataclasses.fields(made) if each.name.startswith("first_"))
    for begin, end in ((0, 1), (1, 3), (2, 2), (1, None), (-1, None), (5, 2)):
        part = made[begin:end]
        rows = range(len(made))[begin:end]
        assert len(part) == len(rows)
        assert getattr(part, first) == getattr(made, first) + range(len(made))[slice(begin, end)].start
        assert np.shares_memory(part.returns, made.returns) if rows and hasattr(made, "returns") else True
    cut = [made[:1], made[1:1], made[1:-1], made[-1:]]
    for given in (cut, tuple(cut), iter(cut), dict(enumerate(cut)).values()):
        joined = join(given)
        assert joined == made
        for field in {"seconds"} & set(vars(made)):
            assert getattr(joined, field) == pytest.approx(sum(getattr(part, field) for part in cut))
    for step in (2, -1, 10**5000):
        with pytest.raises(ValueError, match="got a step of"):
            made[::step]


@every_that_is_cut
def test_parts_that_do_not_belong_together(name: str) -> None:
    made, join = RESULTS[name], type(RESULTS[name]).concatenate
    one, other = made[:1], made[1:]
    for wrong in ([], [made, made], [other, one], [one, made[2:]]):
        with pytest.raises(ValueError, match=r"nothing to join|part 1 begins with"):
            join(wrong)
    another = next(result for result in RESULTS.values() if type(result) is not type(made))
    for wrong in (None, 3, "ab", made, [one, None], [another], [one, another]):
        with pytest.raises(TypeError, match=r"parts must be a list|part [01] must be a"):
            join(wrong)
    alike = {"game", "agents", "seed", "start", "random_plies", "target", "max_games", "consecutive"}
    for field in alike & set(vars(made)):
        part = copy.copy(other)
        object.__setattr__(part, field, "another" * 20_000)
        with pytest.raises(ValueError, match=f"part 1 has {field}") as caught:
            join([one, part])
        assert len(str(caught.value)) < 4000


# --- what is shown --------------------------------------------------------------------------------------------


@every
def test_words_and_pages_tell_what_was_played(name: str) -> None:
    made = RESULTS[name]
    assert repr(made).startswith(f"{type(made).__name__}('{made.game}', ")
    assert f"seed={made.seed}" in repr(made)
    assert not {"seconds", "policies", "milliseconds"} & {*re.findall(r"(\w+)=", repr(made))}
    page = Page(made._repr_html_())
    assert any(str(made.game) in line for line in page.said)
    evil = dataclasses.replace(
        made, agents=(EVIL, *made.agents[1:]), **{"records": {}} if hasattr(made, "records") else {}
    )
    names = {"names": (EVIL, *made.names[1:])} if hasattr(made, "names") else {}
    page = Page(dataclasses.replace(evil, **names)._repr_html_())
    assert any(EVIL in cell for cell in [*page.said, *(cell for row in page.rows for cell in row)])
    assert page.images == []


@pytest.mark.parametrize(("name", "by"), [(name, by) for name in ARCHIVES for by in RESULTS[name]._ROWS])
def test_tables_hold_the_columns(name: str, by: str) -> None:
    pytest.importorskip("pandas")
    made = RESULTS[name]
    axes = type(made)._ROWS[by]
    if not axes:
        return  # a table of the class's own
    frame = made.to_pandas(by)
    assert set(frame["game"]) == {str(made.game)}
    assert set(frame["seed"]) == {made.seed}
    columns = [(each, getattr(made, field)) for field, each in type(made)._arrays().items()]
    told: dict[str, list[Any]] = {}
    for row in np.ndindex(*(made._lengths[axis] for axis in axes)):
        at = dict(zip(axes, row, strict=True))
        for declared, values in columns:
            for label, array in values.items() if declared.each else [(declared.label, values)]:
                if not label or declared.axes[0] not in at:
                    continue
                cell = array[tuple(at[axis] for axis in declared.axes if axis in at)].tolist()
                if declared.axes[-1] in ("seat", "side") and isinstance(cell, list):
                    for seat, each in enumerate(cell):
                        told.setdefault(f"{label}_{seat}", []).append(each)
                    cell = sum(cell)
                if declared.each or declared.axes[-1] not in ("seat", "side") or declared.axes[-1] in at:
                    told.setdefault(label, []).append(cell)
    assert len(told) > 1
    for label, cells in told.items():
        assert [cell.tolist() if isinstance(cell, np.ndarray) else cell for cell in frame[label]] == cells, (
            label
        )
