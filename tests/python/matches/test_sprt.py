"""The sequential test errs as seldom as it promises, and ends as soon as it may."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sarai
from helpers.refusals import refused
from sarai._matches import sprt
from sarai._matches.sprt import check_bounds, cumulated, first_decision, log_ratios
from sarai.intervals import mean_interval

LOW, HIGH = check_bounds(0, 20, 0.05, 0.05)


def llr_by_search(counts: list[float], elo0: float, elo1: float) -> float:
    """The same ratio by a plain search for the distribution of each mean, over the other coordinate of its simplex."""
    counts = [count or 1e-3 for count in counts]
    points = [0, 0.25, 0.5, 0.75, 1]

    def best(elo: float) -> float:
        mean = 1 / (1 + 10 ** (-elo / 400))
        # Lagrange: p_i = n_i / (a + b x_i), with sum p = 1 and sum p x = mean, so that a + b mean = n.
        total = sum(counts)
        low, high = -total / (1 - mean), total / mean
        for _ in range(300):
            b = (low + high) / 2
            chances = [n / (total + b * (x - mean)) for n, x in zip(counts, points, strict=True)]
            if sum(p * (x - mean) for p, x in zip(chances, points, strict=True)) > 0:
                low = b
            else:
                high = b
        return sum(n * math.log(p) for n, p in zip(counts, chances, strict=True))

    return best(elo1) - best(elo0)


COUNTS = [[3, 10, 20, 12, 5], [0, 0, 50, 0, 0], [100, 0, 0, 0, 3], [1, 2, 3, 4, 1000], [0, 0, 0, 0, 7]]


@pytest.mark.parametrize(("elo0", "elo1"), [(0, 20), (-5, 5), (100, 400)])
def test_the_ratio_is_that_of_the_likeliest_distributions(elo0: float, elo1: float) -> None:
    for counts in COUNTS:
        found = log_ratios(np.array([counts]), elo0, elo1)[0]
        assert found == pytest.approx(llr_by_search([*map(float, counts)], elo0, elo1), abs=1e-6)


def pairs(elo: float, number: int, seed: int, draws: float = 0.2, luck: float = 0.5) -> Any:
    """Points of pairs of games between agents with this difference, which share some of their luck."""
    rng = np.random.default_rng(seed)
    share = 1 / (1 + 10 ** (-elo / 400))
    won = rng.random((number, 2)) < share
    # What one side wins by luck, the other agent wins with the sides exchanged.
    lucky = rng.random(number) < luck
    won[lucky, 1] = np.where(rng.random(np.count_nonzero(lucky)) < 2 * share - 1, True, ~won[lucky, 0])
    points = 2 * won
    points[rng.random((number, 2)) < draws] = 1
    return points.sum(axis=1)


@pytest.mark.parametrize("right", ["H0", "H1"])
@pytest.mark.parametrize("tests", [25, pytest.param(200, marks=pytest.mark.nightly)])
def test_it_errs_as_seldom_as_it_promises(right: str, tests: int) -> None:
    elo0, elo1 = 0.0, 60.0
    low, high = check_bounds(elo0, elo1, 0.05, 0.05)
    wrong, lengths = 0, []
    for seed in range(tests):
        points = pairs(elo0 if right == "H0" else elo1, 3000, seed, draws=0.0, luck=0.0)
        decided = first_decision(points, elo0, elo1, low, high)
        assert decided is not None
        ratio = log_ratios(cumulated(points[: decided + 1])[-1:], elo0, elo1)[0]
        wrong += (ratio > 0) != (right == "H1")
        lengths.append(decided + 1)
    # One in twenty would be wrong; more than two, or four of the few, are hardly ever.
    assert wrong <= {25: 4, 200: 20}[tests]
    # A test of fixed length would take some 180 pairs.
    assert 10 < np.mean(lengths) < 180


@pytest.mark.parametrize("batch", [1, 7, 64])
def test_batches_decide_as_all_pairs_at_once_do(batch: int) -> None:
    for seed in range(12):
        points = pairs(20 * (seed % 4), 600, seed)
        before, decided = np.zeros(5, np.int64), None
        for first in range(0, len(points), batch):
            new = points[first : first + batch]
            found = first_decision(new, 0, 40, LOW, HIGH, before)
            if found is not None:
                decided = first + found
                break
            before += np.bincount(new, minlength=5)
        assert decided == first_decision(points, 0, 40, LOW, HIGH)


def test_no_pair_is_looked_at_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []

    def counting(points: NDArray[np.int64], *rest: Any) -> int | None:
        looked.append(len(points))
        return first_decision(points, *rest)

    monkeypatch.setattr(sprt, "first_decision", counting)
    found = sarai.sprt("shuanglu", "greedy", "greedy", elo0=-5, elo1=5, seed=1, max_games=400)
    assert len(looked) > 2
    assert found.accepted == "undecided"
    assert sum(looked) == found.num_games // 2


def test_it_stops_after_the_pair_that_decides() -> None:
    found = sarai.sprt("shuanglu", "expectimax:1", "greedy", seed=3)
    assert found.accepted == "H1"
    assert found.llr >= found.upper
    games = found.num_games // 2
    points = np.zeros(games, np.int64)
    for agents, place in ((["expectimax:1", "greedy"], 0), (["greedy", "expectimax:1"], 1)):
        r = sarai.rollout("shuanglu", agents, games, seed=3)
        points += np.where(r.winner < 0, 1, np.where(r.winner == place, 2, 0))
    assert np.bincount(points, minlength=5).tolist() == list(found.counts)
    assert first_decision(points, 0, 20, found.lower, found.upper) == games - 1
    # With less to tell apart it takes less.
    assert (
        sarai.sprt("shuanglu", "expectimax:1", "random", elo0=0, elo1=200, seed=3).num_games < found.num_games
    )


def test_threads_change_nothing() -> None:
    one, two = (sarai.sprt("tshupu", "expectimax:1", "greedy", seed=5, num_threads=n) for n in (1, 2))
    plain = [
        {key: value for key, value in found.to_dict().items() if key != "seconds"} for found in (one, two)
    ]
    assert plain[0] == plain[1]
    assert json.loads(json.dumps(plain[0], allow_nan=False)) == plain[0]


def test_both_hypotheses_can_be_accepted_and_neither() -> None:
    assert sarai.sprt("shuanglu", "greedy", "expectimax:1", seed=1).accepted == "H0"
    told: list[int] = []
    short = sarai.sprt(
        "shuanglu", "greedy", "greedy", elo0=-5, elo1=5, seed=1, max_games=51, progress=told.append
    )
    # Both games of a pair are counted.
    assert told == sorted(told)
    assert told[-1] == 50
    assert (short.accepted, short.num_games) == ("undecided", 50)
    assert "undecided after 50 games" in str(short)
    same = sarai.sprt("sho(players=2)", "greedy", "greedy", seed=1)
    assert same.accepted == "H0"


def test_repeated_games_decide_nothing() -> None:
    found = sarai.sprt("shah", "alphabeta:2", "greedy", seed=1)
    assert (found.accepted, found.distinct) == ("undecided", 2)
    assert math.isnan(found.elo.low)
    for shown in (str(found), found._repr_html_()):
        assert "2 are distinct" in shown
    assert sarai.sprt("shah", "alphabeta:3", "greedy", seed=1, random_plies=6).accepted == "H1"


def test_it_is_shown_with_the_interval_of_pairs() -> None:
    found = sarai.sprt("shuanglu", "expectimax:1", "greedy", seed=3)
    assert str(found).startswith("shuanglu: is expectimax:1 ahead of greedy by 0 Elo (H0) or by 20 (H1)?")
    assert "H1 is accepted" in str(found)
    assert "<table>" in found._repr_html_()
    assert found.elo.low <= found.elo.value <= found.elo.high
    points = np.repeat(np.arange(5) / 4, found.counts)
    ends = [400 * math.log10(score / (1 - score)) for score in mean_interval(points, (0, 1))]
    assert (found.elo.value, found.elo.low, found.elo.high) == pytest.approx(ends)


def test_bad_input_is_refused() -> None:
    def call(**given: Any) -> None:
        sarai.sprt(**{"game": "shuanglu", "a": "greedy", "b": "random", **given})

    values = {
        "game": ["sho"], "a": ["gready"], "elo0": [-1001, 10**5000], "elo1": [0, math.nan, 10**300],
        "alpha": [0], "beta": [0.5], "max_games": [1], "random_plies": [-1], "seed": [2**64],
    }  # fmt: skip
    types = {"b": [3], "elo1": ["20"], "alpha": [True], "max_games": [2.0]}
    refused(call, values, types)


def test_the_two_kinds_of_error_have_their_own_bounds() -> None:
    low, high = check_bounds(0, 20, 0.01, 0.2)
    assert (low, high) == pytest.approx((math.log(0.2 / 0.99), math.log(0.8 / 0.01)))


def test_tiny_chances_of_error_may_be_those_of_numpy() -> None:
    for chance in (np.float16(6e-8), np.float32(1e-39)):
        found = sarai.sprt("shuanglu", "greedy", "random", alpha=chance, beta=chance, max_games=2, seed=0)
        assert (found.alpha, found.upper) == (float(chance), -found.lower)
        assert found.upper == pytest.approx(-math.log(float(chance)))
