"""Results that are made from their fields, as by whoever reads them from files of their own."""

from __future__ import annotations

import dataclasses
import functools
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sarai
from helpers.refusals import refused

GAME = sarai.make("sho", max_turns=20)

HALF = "\udc80"
NO_TIMES = [10**400, -1, math.nan]
NO_POLICIES = [
    "abc",
    "abcd",
    dict.fromkeys("abc"),
    5,
    0,
    ("a",),
    ("a", None, None, "b"),
    ("", None, None),
    (1, 2, 3),
]
VALUES: dict[str, dict[str, list[Any]]] = {
    "Rollout": {
        "seconds": NO_TIMES,
        "policies": NO_POLICIES,
        "agents": [("a", "b", HALF), ("a",)],
    },
    "Trajectories": {},
    "StatesRollout": {"seconds": NO_TIMES},
    "SeriesRollout": {"seconds": NO_TIMES},
    "Arena": {
        "seconds": NO_TIMES,
        "records": [{1: 2}],
        "names": [("a", HALF), ("a", "a")],
        "agents": [("a", HALF), ("a",)],
        "milliseconds": [(1.0, math.inf)],
        "winner": [np.zeros((2, 5), np.int32)],
        "returns": [np.zeros((2, 4, 2), np.float32)],
        "schedule": ["swiss"],
    },
}
TYPES: dict[str, dict[str, list[Any]]] = {
    "Rollout": {"seconds": ["1"], "stats_by_seat": [7], "records": [[]]},
    "Trajectories": {},
    "StatesRollout": {"seconds": ["1"]},
    "SeriesRollout": {"seconds": ["1"], "consecutive": [1, "x"]},
    "Arena": {"seconds": ["1"]},
}
OUTSIDE: dict[str, tuple[float, ...]] = {
    # Tables and summaries look agents up by the first of them.
    **dict.fromkeys(("winner", "winners", "starters", "players"), (-128, -5, 100)),
    **dict.fromkeys(("returns", "rewards"), (math.nan, math.inf)),
    **dict.fromkeys(("lengths", "turns"), (-1,)),
}


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    how: dict[str, Any] = {"seed": 3, "num_threads": 1}
    return {
        "Rollout": sarai.rollout(GAME, num_games=5, **how),
        "Trajectories": sarai.trajectories(GAME, num_games=3, **how),
        "SeriesRollout": sarai.series(GAME, num_series=4, target=1, max_games=3, **how),
        "StatesRollout": GAME.sample_states(num_games=3, **how).rollout("random", 2, **how),
        "Arena": sarai.arena(GAME, ["greedy", "random"], 4, **how),
    }


def test_fields_that_no_result_has_are_refused(results: dict[str, Any]) -> None:
    for kind, made in results.items():
        change = functools.partial(dataclasses.replace, made)
        refused(change, VALUES[kind], TYPES[kind])
        refused(change, {}, {"game": [3, "sho"]})
        if hasattr(made, "stats_by_seat"):
            values = next(iter(made.stats_by_seat.values()))
            wrong = {**made.stats_by_seat, "kills": np.full_like(values, -3)}
            with pytest.raises(ValueError, match=r"kills.* has values from -3"):
                change(stats_by_seat=wrong)
            refused(change, {"stats_by_seat": [{1: values}, {}]})
        for first in ("first_game", "first_series", "first_row"):
            if hasattr(made, first):
                with pytest.raises(ValueError, match="the number after the last one"):
                    change(**{first: 2**64 - 1})


def test_offsets_ascend_to_the_number_of_rows(results: dict[str, Any]) -> None:
    for kind in ("Trajectories", "SeriesRollout"):
        made = results[kind]
        last, second = int(made.offsets[-1]), int(made.offsets[2])
        changes: list[dict[int, int]] = [{0: 1}, {-1: last - 1}, {1: second + 1}, {1: 2**63 - 1, 2: -2}]
        # Trajectories may have a game without decisions, but there is no series without a game.
        for change in changes + [{1: 0}] * (kind == "SeriesRollout"):
            wrong = made.offsets.copy()
            for place, value in change.items():
                wrong[place] = value
            with pytest.raises(ValueError, match="offsets must ascend"):
                dataclasses.replace(made, offsets=wrong)
    with pytest.raises(ValueError, match="offsets must ascend"):
        dataclasses.replace(results["Trajectories"], offsets=np.array([], np.int64))


def test_arrays_that_no_result_has_are_refused(results: dict[str, Any]) -> None:
    for made in results.values():
        seen = 0
        for field in dataclasses.fields(made):
            array = getattr(made, field.name)
            if not field.init or not isinstance(array, np.ndarray):
                continue
            seen += 1
            with pytest.raises(ValueError, match=f"{field.name} must be a numpy array"):
                dataclasses.replace(made, **{field.name: np.ma.masked_array(array)})
            for value in OUTSIDE.get(field.name, ()):
                wrong = array.copy()
                wrong.flat[0] = value
                with pytest.raises(ValueError, match=f"{field.name} has values"):
                    dataclasses.replace(made, **{field.name: wrong})
        assert seen > 2


def test_numbers_may_be_those_of_numpy(results: dict[str, Any], tmp_path: Path) -> None:
    for kind, change in (
        ("Rollout", {"seconds": np.float32(1)}),
        ("Rollout", {"seconds": np.int64(1)}),
        ("SeriesRollout", {"seconds": np.float32(1), "consecutive": np.True_}),
        ("Arena", {"seconds": np.float32(1), "seed": np.uint64(3), "random_plies": np.int8(3)}),
        ("Arena", {"milliseconds": (np.float32(1), np.int64(2))}),
    ):
        made = dataclasses.replace(results[kind], **change)
        made.save(tmp_path / "kept")
        assert sarai.load(tmp_path / "kept") == made
        if kind == "Arena":
            json.dumps(made.to_dict())
