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
from helpers.saved import ARCHIVES, RESULTS
from sarai._results.differences import Difference
from sarai._results.metric_values import Curve
from sarai._training.run import CurvePoint, Training
from sarai.results import Estimate

BARE = Estimate(0.5, math.nan, math.nan)
# Times, what follows from other fields, and which object a policy was.
NOT_COMPARED = {"seconds", "milliseconds", "games_per_second", "decisions_per_second", "policies"}


@cache
def others() -> list[Any]:
    """One of each class that declares no columns; nothing is left to chance in most of these games."""
    how: dict[str, Any] = {"num_games": 4, "num_threads": 1, "seed": 1}
    greedy = "greedy"
    compared = sarai.compare(
        "shah", {"one": {}, "two": {"agents": "alphabeta:1"}}, agents=greedy, by="turns", **how
    )
    measured = sarai.metrics("shah", greedy, board_games=4, **how)
    # Two simulations see two of the moves.
    analysed = sarai.analyse(sarai.make("shah").new_initial_state(), "mcts:2", seed=0)
    arena = sarai.arena("shah", [greedy, "alphabeta:1"], 12, seed=1, num_threads=1)
    point = CurvePoint(5, 1.5, arena.pairings[0])
    return [
        sarai.series("sho", num_series=1, target=1, max_games=3, seed=1)[0],
        BARE,
        sarai.rollout("shah", agents=greedy, **how).summary(),
        arena.pairings[0],
        arena.standings[0],
        sarai.sprt("shah", greedy, "alphabeta:1", max_games=4, seed=1, num_threads=1),
        compared.rows[0],
        compared,
        Difference(BARE, math.nan, math.nan, ""),
        Curve("games", (1.0,), (0.5,), (math.nan,), (math.nan,)),
        measured["duration_turns"],
        measured,
        measured.places,
        analysed.moves[-1],
        dataclasses.replace(analysed, value=(math.nan, math.nan)),
        point,
        Training(sarai.nets.load("sho_two_players"), (point,), 5, 1.5),
    ]


def changed(one: Any, name: str) -> Any:
    """The result with something else in this field, which nobody checks."""
    twin, value = copy.deepcopy(one), getattr(one, name)
    found = getattr(twin, name)
    last = [*found.values()][-1] if isinstance(found, dict) and found else found
    if isinstance(last, np.ndarray):
        last.flat[-1] = last.flat[-1] == 0
    elif isinstance(value, sarai.Game):
        object.__setattr__(twin, name, sarai.make(value.name, rules={**value.rules, "max_turns": 19}))
    elif name != "records" or value:
        object.__setattr__(twin, name, "something else")
    return twin


HASHED = ("Estimate", "Pairing", "Row", "Difference", "Curve", "Metric", "MoveAnalysis")
UNHASHABLE = ("Series", "Analysis", "Comparison", "Metrics", "PlaceCounts", "Summary")


def test_results_are_equal_if_their_values_are() -> None:
    for one in [*others(), *(RESULTS[name] for name in ARCHIVES)]:
        kind = type(one).__name__
        assert one != kind
        # Pickle makes other objects of the same numbers.
        again = pickle.loads(pickle.dumps(one))
        assert one == again == copy.copy(one) == copy.deepcopy(one)
        for field in dataclasses.fields(one):
            alike = field.name in NOT_COMPARED or (field.name == "records" and not one.records)
            assert (changed(one, field.name) == one) == alike, (kind, field.name)
        if kind in HASHED:
            assert "nan" in repr(one)
            assert hash(one) == hash(again)
        if kind in UNHASHABLE or one not in others():
            with pytest.raises(TypeError, match="unhashable"):
                hash(one)


@pytest.mark.parametrize("nan", [float("nan"), np.float32("nan"), np.float64("nan")])
def test_every_nan_is_alike(nan: float) -> None:
    assert len({Estimate(0.5, nan, nan), BARE}) == 1
    assert Estimate(0.5, 0.25, nan) != BARE


def test_equal_values_of_another_class_are_not_equal() -> None:
    class Other(Estimate):
        pass

    assert Estimate(0.5, 0.25, 0.75) != Other(0.5, 0.25, 0.75)
    assert Estimate(0.5, 0.25, 0.75) != (0.5, 0.25, 0.75)
