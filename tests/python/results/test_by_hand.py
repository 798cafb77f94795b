"""Results that are made from their fields, as by whoever reads them from files of their own."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sarai

RULES = {"max_turns": 20}


def results() -> dict[str, Any]:
    """One of each kind."""
    how: dict[str, Any] = {"rules": RULES, "seed": 3, "num_threads": 1}
    series = sarai.rollout_series("sho", 4, target=1, max_games=3, **how)
    return {
        "Rollout": sarai.rollout("sho", 5, **how),
        "Trajectories": sarai.trajectories("sho", 3, **how),
        "SeriesRollout": series,
        "Series": series[0],
        "Arena": sarai.arena("sho", ["greedy", "random"], 4, **how),
    }


@pytest.mark.parametrize("value", [-128, -5, 100])
@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("Rollout", "winner"),
        ("Trajectories", "players"),
        ("SeriesRollout", "winner"),
        ("SeriesRollout", "winners"),
        ("SeriesRollout", "starters"),
        ("Series", "winners"),
        ("Series", "starters"),
        ("Arena", "winner"),
    ],
)
def test_nobody_sits_where_there_is_no_seat(kind: str, name: str, value: int) -> None:
    """Tables and summaries look agents up by these numbers."""
    made = results()[kind]
    wrong = getattr(made, name).copy()
    wrong.flat[0] = value
    with pytest.raises(ValueError, match=f"{name} has values from"):
        dataclasses.replace(made, **{name: wrong})
    assert np.array_equal(getattr(dataclasses.replace(made), name), getattr(made, name))


@pytest.mark.parametrize("kind", ["Rollout", "SeriesRollout", "Arena"])
@pytest.mark.parametrize(
    ("seconds", "error", "message"),
    [
        pytest.param(10**400, ValueError, "too large", id="huge"),
        (-1, ValueError, "from 0 up"),
        (float("nan"), ValueError, "from 0 up"),
        ("1", TypeError, "must be a number"),
    ],
)
def test_seconds_are_a_time(kind: str, seconds: Any, error: type[Exception], message: str) -> None:
    """Summaries divide by them."""
    with pytest.raises(error, match=message):
        dataclasses.replace(results()[kind], seconds=seconds)


def some(result: Any, name: str, value: float) -> Any:
    """An array of the result, with this as its first number."""
    array = getattr(result, name).copy()
    array.flat[0] = value
    return array


@pytest.mark.parametrize(
    ("kind", "change", "error", "message"),
    [
        (
            "Rollout",
            {"policies": "abc"},
            ValueError,
            "policies must be a tuple with one mark or None per seat",
        ),
        ("Rollout", {"policies": dict.fromkeys("abc")}, ValueError, "policies must be a tuple"),
        ("Rollout", {"policies": 5}, ValueError, "policies must be a tuple"),
        ("Rollout", {"policies": 0}, ValueError, "policies must be a tuple"),
        ("SeriesRollout", {"consecutive": 1}, TypeError, "consecutive must be True or False, not int"),
        ("SeriesRollout", {"consecutive": "x"}, TypeError, "consecutive must be True or False, not str"),
        ("Series", {"consecutive": 1}, TypeError, "consecutive must be True or False, not int"),
        ("Rollout", {"first_game": 2**64 - 1}, ValueError, "the number after the last one got 184467"),
        ("Trajectories", {"first_game": 2**64 - 1}, ValueError, "the number after the last one got 184467"),
        (
            "SeriesRollout",
            {"first_series": 2**64 - 1},
            ValueError,
            "the number after the last one got 184467",
        ),
        ("Arena", {"records": {1: 2}}, ValueError, r"records\[1\] is not of that game: it is 2"),
        ("Arena", {"names": ("a", "\udc80")}, ValueError, "names has half of a surrogate pair"),
        ("Arena", {"agents": ("a", "\udc80")}, ValueError, "agents has half of a surrogate pair"),
        ("Rollout", {"agents": ("a", "b", "\udc80")}, ValueError, "agents has half of a surrogate pair"),
        ("Arena", {"sides": 3}, ValueError, "sides must be a tuple with one side for each seat, not 3"),
    ],
)
def test_what_no_file_could_give_back_is_refused(
    kind: str, change: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        dataclasses.replace(results()[kind], **change)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("returns", np.nan, "returns has values that are no finite numbers"),
        ("returns", np.inf, "returns has values that are no finite numbers"),
        ("lengths", -1, "lengths has values from -1 to"),
        ("turns", -1, "turns has values from -1 to"),
    ],
)
def test_what_no_game_comes_to_is_refused(name: str, value: float, message: str) -> None:
    for kind, made in results().items():
        if hasattr(made, name):
            with pytest.raises(ValueError, match=message):
                dataclasses.replace(made, **{name: some(made, name, value)})
        elif (kind, name) == ("Trajectories", "returns"):
            with pytest.raises(ValueError, match="rewards has values that are no finite"):
                dataclasses.replace(made, rewards=some(made, "rewards", value))


@pytest.mark.parametrize("kind", results())
def test_an_array_has_no_mask_and_rules_and_statistics_are_plain(kind: str) -> None:
    made = results()[kind]
    for field in dataclasses.fields(made):
        value = getattr(made, field.name)
        if field.init and isinstance(value, np.ndarray):
            with pytest.raises(
                ValueError, match=f"{field.name} must be a numpy array of .*, not MaskedArray"
            ):
                dataclasses.replace(made, **{field.name: np.ma.masked_array(value)})
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    for rules in (
        {"x": deep},
        {"x": object()},
        {"players": np.zeros(3)},
        {1: 2},
        {"x": float("nan")},
        {"x": (1, 2)},
    ):
        with pytest.raises(ValueError, match="rules must be plain data by name"):
            dataclasses.replace(made, rules=rules)
    if hasattr(made, "stats_by_seat"):
        values = next(iter(made.stats_by_seat.values()))
        with pytest.raises(TypeError, match="stats_by_seat has names, not int"):
            dataclasses.replace(made, stats_by_seat={1: values})
        with pytest.raises(ValueError, match=r"stats_by_seat\['kills'\] has values from -3 to -3"):
            dataclasses.replace(made, stats_by_seat={"kills": np.full_like(values, -3)})


@pytest.mark.parametrize("kind", ["Rollout", "Trajectories", "SeriesRollout", "Arena"])
@pytest.mark.parametrize("rules", [{}, RULES])
def test_only_what_has_every_option_is_saved(kind: str, rules: dict[str, Any], tmp_path: Path) -> None:
    """What is loaded has every option, and would be another result."""
    made = results()[kind]
    with pytest.raises(ValueError, match="rules must have every option of this sho"):
        dataclasses.replace(made, rules=rules).save(tmp_path / "kept")
    assert not list(tmp_path.iterdir())
    made.save(tmp_path / "kept")
    assert sarai.load(tmp_path / "kept") == made


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("Rollout", {"seconds": np.float32(1)}),
        ("Rollout", {"seconds": np.int64(1)}),
        ("SeriesRollout", {"seconds": np.float32(1)}),
        ("SeriesRollout", {"consecutive": np.True_}),
        ("Arena", {"seconds": np.float32(1)}),
        ("Arena", {"seed": np.uint64(3)}),
        ("Arena", {"random_plies": np.int8(3)}),
        ("Arena", {"milliseconds": (np.float32(1), np.int64(2))}),
    ],
)
def test_numbers_may_be_those_of_numpy(kind: str, change: dict[str, Any], tmp_path: Path) -> None:
    made = dataclasses.replace(results()[kind], **change)
    made.save(tmp_path / "kept")
    assert sarai.load(tmp_path / "kept") == made
    if kind == "Arena":
        json.dumps(made.to_dict())
