"""Which results are equal: those with the same values, nan like any other value, whatever time they took."""

from __future__ import annotations

import dataclasses
import math
import pickle
from functools import cache
from typing import Any

import numpy as np
import pytest

import sarai
from sarai.results.differences import Difference
from sarai.results.metric_values import Curve
from sarai.results.summary import Estimate
from sarai.training.run import CurvePoint, Training

BARE = Estimate(0.5, math.nan, math.nan)
TIMES = {"seconds", "milliseconds", "games_per_second", "decisions_per_second"}


@cache
def results() -> dict[str, Any]:
    """One of each. Nothing is left to chance in these games, so that they are alike, and there is no interval."""
    how: dict[str, Any] = {"num_games": 4, "num_threads": 1, "seed": 1}
    greedy = "greedy"
    state = sarai.make("shah").new_initial_state()
    evaluated = sarai.evaluate(greedy, "alphabeta:1", game="shah", **how)
    compared = sarai.compare(
        "shah", {"one": {}, "two": {"agents": "alphabeta:1"}}, agents=greedy, by="turns", **how
    )
    measured = sarai.metrics("shah", greedy, board_games=4, **how)
    # Two simulations see two of the moves.
    analysed = sarai.analyse(state, "mcts:2")
    arena = sarai.arena("shah", [greedy, "alphabeta:1"], 4, seed=1, num_threads=1)
    tested = sarai.sprt("shah", greedy, "alphabeta:1", max_games=4, seed=1, num_threads=1)
    point = CurvePoint(5, 1.5, evaluated.scores[0])
    return {
        "Estimate": BARE,
        "Summary": sarai.rollout("shah", agents=greedy, **how).summary(),
        "Score": evaluated.scores[0],
        "Evaluation": evaluated,
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
        "MoveValues": sarai.evaluate_moves(state, greedy, num_games=2, seed=1, num_threads=1),
        "CurvePoint": point,
        "Training": Training(sarai.nets.load("sho_two_players"), (point,), 5, 1.5),
    }


def other(value: Any) -> Any:
    """Another value of the same kind, or nearly."""
    if isinstance(value, str):
        return value + "x"
    if isinstance(value, tuple):
        return (*value[:-1], other(value[-1])) if value else (1,)
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
        return dataclasses.replace(value, **{first: other(getattr(value, first))})
    return 7.25


@pytest.mark.parametrize("kind", list(results()))
def test_results_are_equal_if_their_values_are(kind: str) -> None:
    one = results()[kind]
    assert type(one).__name__ == kind
    # Pickle makes other objects of the same numbers.
    again = pickle.loads(pickle.dumps(one))
    assert one == again
    for field in dataclasses.fields(one):
        changed = dataclasses.replace(one, **{field.name: other(getattr(one, field.name))})
        assert (changed == one) == (field.name in TIMES), field.name


@pytest.mark.parametrize(
    "kind", ["Estimate", "Score", "Row", "Difference", "Curve", "Metric", "MoveAnalysis"]
)
def test_what_is_equal_has_the_same_hash(kind: str) -> None:
    one = results()[kind]
    assert "nan" in repr(one)
    assert hash(one) == hash(pickle.loads(pickle.dumps(one)))


@pytest.mark.parametrize(
    "kind", ["Analysis", "Comparison", "Evaluation", "Metrics", "PlaceCounts", "Summary"]
)
def test_what_can_change_has_no_hash(kind: str) -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(results()[kind])


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
