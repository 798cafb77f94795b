"""Results that are made from their fields, as by whoever reads them from files of their own."""

from __future__ import annotations

import dataclasses
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
