"""Which results are equal: those with the same values, nan like any other value, whatever time they took."""

from __future__ import annotations

import copy
import dataclasses
import math
import pickle
from functools import cache
from typing import Any

import numpy as np
import pytest

import sarai
from sarai._results.differences import Difference
from sarai._results.metric_values import Curve
from sarai._training.run import CurvePoint, Training
from sarai.results import Estimate

BARE = Estimate(0.5, math.nan, math.nan)
TIMES = {"seconds", "milliseconds", "games_per_second", "decisions_per_second"}
# What follows from other fields, and which object a policy was.
NOT_COMPARED = TIMES | {"stats", "streaks", "orders", "policies"}


@cache
def results() -> dict[str, Any]:
    """One of each. Nothing is left to chance in most of these games: they are alike, and there is no interval."""
    how: dict[str, Any] = {"num_games": 4, "num_threads": 1, "seed": 1}
    greedy = "greedy"
    state = sarai.make("shah").new_initial_state()
    compared = sarai.compare(
        "shah", {"one": {}, "two": {"agents": "alphabeta:1"}}, agents=greedy, by="turns", **how
    )
    measured = sarai.metrics("shah", greedy, board_games=4, **how)
    # Two simulations see two of the moves.
    analysed = sarai.analyse(state, "mcts:2", seed=0)
    arena = sarai.arena("shah", [greedy, "alphabeta:1"], 12, seed=1, num_threads=1)
    tested = sarai.sprt("shah", greedy, "alphabeta:1", max_games=4, seed=1, num_threads=1)
    point = CurvePoint(5, 1.5, arena.pairings[0])
    series: dict[str, Any] = {"target": 1, "max_games": 3, "seed": 1}
    return {
        "Rollout": sarai.rollout("sho", random_plies=2, **how),
        "Trajectories": sarai.trajectories("shah(max_turns=12)", **how),
        "SeriesRollout": sarai.series("sho", num_series=3, **series),
        "Series": sarai.series("sho", **series, num_series=1)[0],
        "Arena": arena,
        "StatesRollout": sarai.make("shah").sample_states(num_games=2, seed=1).rollout("random", 2, seed=2),
        "Estimate": BARE,
        "Summary": sarai.rollout("shah", agents=greedy, **how).summary(),
        "Pairing": arena.pairings[0],
        "Standing": arena.standings[0],
        "Sprt": tested,
        "Row": compared.rows[0],
        "Comparison": compared,
        "Difference": Difference(BARE, math.nan, math.nan, ""),
        "Curve": Curve("games", (1.0,), (0.5,), (math.nan,), (math.nan,)),
        "Metric": measured["duration_turns"],
        "Metrics": measured,
        "PlaceCounts": measured.places,
        "MoveAnalysis": analysed.moves[-1],
        "Analysis": dataclasses.replace(analysed, value=(math.nan, math.nan)),
        "CurvePoint": point,
        "Training": Training(sarai.nets.load("sho_two_players"), (point,), 5, 1.5),
    }


def other(name: str, value: Any) -> Any:
    """Another value that the field may have, or nearly."""
    if name in ("schedule", "dice"):
        return {"schedule": "gauntlet", "dice": "own"}[name]
    if isinstance(value, sarai.Game):
        # Of as many players and sides, so that nothing else has to change.
        return sarai.make(value.name, rules={**value.rules, "max_turns": 19})
    if value is None:
        return "somewhere"
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return value + "x"
    if isinstance(value, tuple):
        return (*value[:-1], other("", value[-1])) if value else (1,)
    if isinstance(value, dict):
        return {**value, "another": BARE}
    if isinstance(value, np.ndarray):
        return np.where(np.arange(value.size).reshape(value.shape) == value.size - 1, value + 1, value)
    if isinstance(value, sarai.State):
        return value.child(value.legal_actions()[0])
    if isinstance(value, sarai.nets.Net):
        return sarai.nets.load("sho")
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        first = next(field.name for field in dataclasses.fields(value) if field.compare)
        return dataclasses.replace(value, **{first: other(first, getattr(value, first))})
    return (value - 1 if value > 0 else 1) if isinstance(value, int) else 7.25


def changed(one: Any, name: str) -> Any:
    """The result with another value in this field, wherever its values are numbers of arrays."""
    value = getattr(one, name)
    if name == "start":
        game = one.game if isinstance(one.game, sarai.Game) else sarai.make(one.game)
        return dataclasses.replace(one, start=str(game.new_initial_state()))
    arrays = (
        [value] if isinstance(value, np.ndarray) else [*value.values()] if isinstance(value, dict) else []
    )
    if type(one).__name__ in ARRAYS and arrays and isinstance(arrays[-1], np.ndarray):
        # In place: by hand it could not be made, if the rules do not have it.
        again = copy.deepcopy(one)
        found = getattr(again, name)
        (found if isinstance(found, np.ndarray) else [*found.values()][-1]).flat[-1] += 1
        return again
    return dataclasses.replace(one, **{name: other(name, value)})


ARRAYS = ("Rollout", "Trajectories", "SeriesRollout", "Series", "Arena", "StatesRollout")
HASHED = ("Estimate", "Pairing", "Row", "Difference", "Curve", "Metric", "MoveAnalysis")
UNHASHABLE = (*ARRAYS, "Analysis", "Comparison", "Metrics", "PlaceCounts", "Summary")


def test_results_are_equal_if_their_values_are() -> None:
    for kind, one in results().items():
        assert type(one).__name__ == kind
        assert one != kind
        # Pickle makes other objects of the same numbers.
        again = pickle.loads(pickle.dumps(one))
        assert one == again == copy.copy(one) == copy.deepcopy(one)
        for field in dataclasses.fields(one):
            if field.name == "records":
                continue
            twin = changed(one, field.name)
            assert (twin == one) == (field.name in NOT_COMPARED), field.name
        if kind in HASHED:
            assert "nan" in repr(one)
            assert hash(one) == hash(again)
        if kind in UNHASHABLE:
            with pytest.raises(TypeError, match="unhashable"):
                hash(one)


def test_kept_records_are_compared() -> None:
    for one in (
        sarai.rollout("sho", num_games=2, seed=1, keep=[1]),
        sarai.arena("sho", ["greedy", "random"], 6, seed=1, keep=[0]),
    ):
        assert dataclasses.replace(one, records=dict(one.records)) == one
        assert dataclasses.replace(one, records={}) != one


def test_the_same_call_gives_equal_results() -> None:
    first = results()
    results.cache_clear()
    assert first == results()


@pytest.mark.parametrize("nan", [float("nan"), np.float32("nan"), np.float64("nan")])
def test_every_nan_is_alike(nan: float) -> None:
    assert len({Estimate(0.5, nan, nan), BARE}) == 1
    assert Estimate(0.5, 0.25, nan) != BARE


def test_equal_values_of_another_class_are_not_equal() -> None:
    class Other(Estimate):
        pass

    assert Estimate(0.5, 0.25, 0.75) != Other(0.5, 0.25, 0.75)
    assert Estimate(0.5, 0.25, 0.75) != (0.5, 0.25, 0.75)
