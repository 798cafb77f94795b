"""Ratings are those of maximum likelihood, their intervals cover the truth, and whatever is bad is said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from matches.likelihood import ELO, by_steps, made_up
from sarai._matches.ratings import fit, fit_sides, interval
from sarai._matches.schedule import seatings

SCHEDULES = [(6, 2, "round_robin"), (5, 2, "gauntlet"), (4, 3, "round_robin"), (2, 3, "round_robin")]
SCHEDULES += [(3, 4, "round_robin"), (5, 4, "round_robin"), (3, 4, "gauntlet")]


@pytest.mark.parametrize(("agents", "sides", "schedule"), SCHEDULES)
def test_ratings_are_those_of_maximum_likelihood(agents: int, sides: int, schedule: str) -> None:
    draws = 0.3 * (agents % 2)
    orders = seatings(agents, sides, schedule)
    planted = np.linspace(-200, 200, agents)
    scores = made_up(orders, planted, np.zeros(sides), 60, seed=agents * sides, draws=draws)
    found = fit(orders, scores, agents, seed=1, resamples=0)
    assert found.bounded
    assert found.ratings == pytest.approx(by_steps(orders, scores, agents), abs=1e-4)
    assert abs(found.ratings.sum()) < 1e-4


def of_wins(wins: Any, draws: Any) -> tuple[NDArray[np.int16], NDArray[np.float64]]:
    """Seatings and scores of so many wins of the row over the column; all games are of one group."""
    count = len(wins)
    orders = seatings(count, 2, "round_robin")
    scores = np.zeros((1, len(orders), 2))
    for place, (one, other) in enumerate(orders):
        if one < other:
            scores[0, place] = [wins[one][other], wins[other][one]]
            scores[0, place] += draws[one][other] / 2
    return orders, scores


@pytest.mark.parametrize("lead", [1, 1e3, 1e6])
def test_far_differences_are_found(lead: float) -> None:
    orders, scores = of_wins([[0, lead, lead], [1, 0, lead], [1, 1, 0]], np.zeros((3, 3)))
    found = fit(orders, scores, 3, seed=1, resamples=50)
    assert np.isfinite(found.samples).all()
    # At the maximum, everybody is expected to win as often as it did.
    chances = np.exp(found.ratings[orders] / ELO)
    chances /= chances.sum(axis=1, keepdims=True)
    expected = chances * scores[0].sum(axis=1, keepdims=True)
    for agent in range(3):
        won = scores[0][orders == agent].sum()
        assert expected[orders == agent].sum() == pytest.approx(won, rel=1e-6)


@pytest.mark.parametrize(("agents", "sides", "schedule"), SCHEDULES[1:4:2])
def test_who_won_everything_has_a_finite_rating_that_is_called_unbounded(
    agents: int, sides: int, schedule: str
) -> None:
    orders = seatings(agents, sides, schedule)
    planted = np.zeros(agents)
    planted[0] = 1e6
    scores = made_up(orders, planted, np.zeros(sides), 50, seed=3)
    found = fit(orders, scores, agents, seed=1, resamples=200)
    assert not found.bounded
    assert np.isfinite(found.ratings).all()
    assert np.isfinite(found.samples).all()
    assert found.ratings.argmax() == 0
    low, high = interval(found.ratings, found.samples, 50)
    assert (low <= found.ratings).all()
    assert (found.ratings <= high).all()
    # More games make the lead larger.
    longer = fit(orders, np.concatenate([scores] * 10), agents, seed=1, resamples=0)
    assert longer.ratings[0] > found.ratings[0] + 50


def test_who_lost_nothing_in_n_games_is_ahead_by_what_n_games_say() -> None:
    # With 95% confidence (97.5% one-sided) fewer than 3.69 of 200 games would be lost.
    orders = seatings(2, 2, "round_robin")
    scores = made_up(orders, [1e6, 0], [0, 0], 200, seed=1)
    found = fit(orders, scores, 2, seed=1, resamples=4000)
    ahead = found.samples[:, :1] - found.samples[:, 1:]
    low, _ = interval(found.ratings[:1] - found.ratings[1:], ahead, 200)
    lost = 1 / (1 + 10 ** (low[0] / 400))
    assert 3.69 / 400 * 0.8 < lost < 3.69 / 400 * 1.2


def test_what_nothing_compares_is_an_error() -> None:
    orders = np.array([[0, 1], [1, 0], [2, 3], [3, 2]])
    scores = made_up(orders, np.zeros(4), [0, 0], 10, seed=1)
    with pytest.raises(ValueError, match="nothing compares agent 2 with agent 0"):
        fit(orders, scores, 4, seed=1)


@pytest.mark.parametrize(
    ("agents", "sides", "schedule"), [(4, 2, "round_robin"), (3, 3, "round_robin"), (2, 4, "gauntlet")]
)
def test_the_advantage_of_a_seat_is_recovered(agents: int, sides: int, schedule: str) -> None:
    orders = seatings(agents, sides, schedule)
    planted = np.linspace(60, -60, sides)
    scores = made_up(orders, np.linspace(-150, 150, agents), planted, 6000, seed=5)
    values, samples = fit_sides(orders, scores, agents, seed=1, resamples=200)
    low, high = interval(values, samples, 6000)
    assert values == pytest.approx(planted, abs=15)
    assert ((low - 5 < planted) & (planted < high + 5)).all()
    assert (high - low < 40).all()


@pytest.mark.parametrize(("lead", "least"), [(500, 51), (700, 54)])
def test_where_hardly_a_game_is_lost_little_is_known_of_the_sides(lead: int, least: int) -> None:
    orders = seatings(2, 2, "round_robin")
    covered = 0
    for seed in range(60):
        scores = made_up(orders, [lead, 0], [0, 0], 50, seed=seed)
        low, high = interval(*fit_sides(orders, scores, 2, seed=seed, resamples=200), 50)
        covered += int(low[0] <= 0 <= high[0])
    assert covered >= least
    widths = []
    for games in (50, 1000):
        scores = made_up(orders, [1e6, 0], [0, 0], games, seed=1)
        low, high = interval(*fit_sides(orders, scores, 2, seed=1, resamples=200), games)
        widths.append(high[0] - low[0])
    assert min(widths) > 200


@pytest.mark.parametrize("luck", [0.0, 0.8])
@pytest.mark.parametrize(("tests", "least"), [(60, 51), pytest.param(200, 180, marks=pytest.mark.nightly)])
def test_intervals_cover_the_truth(luck: float, tests: int, least: int) -> None:
    """95% of them should; fewer than 90%, or 85% of few, would hardly ever."""
    orders = seatings(3, 2, "round_robin")
    planted = np.array([120.0, 0.0, -120.0])
    covered = np.zeros(3)
    for seed in range(tests):
        scores = made_up(orders, planted, [40, -40], 80, seed=seed, draws=0.1, luck=luck)
        # Draws bring ratings together: the truth is what endless games would say.
        truth = by_steps(orders, TRUTH, 3)
        found = fit(orders, scores, 3, seed=seed, resamples=200)
        low, high = interval(found.ratings, found.samples, 80)
        covered += (low <= truth) & (truth <= high)
    assert (covered >= least).all(), covered
    assert (covered < tests).any(), covered


def _truth() -> NDArray[np.float64]:
    """The expected scores of what the test above plays."""
    orders = seatings(3, 2, "round_robin")
    power = (np.array([120.0, 0.0, -120.0])[orders] + np.array([40, -40])) / ELO
    chances = np.exp(power) / np.exp(power).sum(axis=1, keepdims=True)
    return np.asarray(0.9 * chances + 0.1 / 2)[np.newaxis]


TRUTH = _truth()


def test_dice_that_are_shared_are_weighed_together() -> None:
    """Where the games of a group go the same way, groups count, and not games."""
    orders = seatings(2, 2, "gauntlet")
    rng = np.random.default_rng(2)
    won = rng.random(100) < 0.5
    # Agent 0 wins both games of a group or none.
    scores = np.zeros((100, 2, 2))
    scores[won, 0] = scores[~won, 1] = [1, 0]
    scores[~won, 0] = scores[won, 1] = [0, 1]
    wide, narrow = (
        fit(orders, scores, 2, seed=1, shared=shared, resamples=2000).samples[:, 0].std()
        for shared in (True, False)
    )
    assert wide / narrow == pytest.approx(2**0.5, rel=0.1)
