"""sarai.intervals: known values, the ends, and input that is no sample."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.refusals import refused
from sarai.intervals import Z95, mean_interval, wilson


def test_wilson_agrees_with_published_values() -> None:
    # Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(15, 148) == pytest.approx((0.0624, 0.1605), abs=5e-5)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert wilson(1, 29) == pytest.approx((0.0061, 0.1718), abs=5e-5)


@settings(max_examples=40)
@given(st.integers(1, 10**8).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_the_share_and_is_symmetric(sample: tuple[int, int]) -> None:
    successes, n = sample
    low, high = wilson(successes, n)
    assert 0 <= low <= successes / n <= high <= 1
    assert high > low
    assert wilson(n - successes, n) == pytest.approx((1 - high, 1 - low), abs=1e-12)


def test_wilson_refuses_what_is_no_count() -> None:
    refused(lambda n: wilson(0, n), {"n": [0, -3]}, {"n": ["10"]})
    refused(lambda successes: wilson(successes, 5), {"successes": [-1, 6]}, {"successes": [0.5, True]})


def test_wilson_of_numbers_that_no_float_holds() -> None:
    assert wilson(10**400 // 4, 10**400) == (0.25, 0.25)
    assert wilson(0, 10**400) == (0.0, pytest.approx(0, abs=1e-300))
    assert wilson(10**400, 10**400)[1] == 1.0
    with pytest.raises(ValueError, match="successes must be from 0 to n = a number of 1329 bits, got -1"):
        wilson(-1, 10**400)


def test_mean_interval_of_known_values() -> None:
    # Standard deviation 2 (divisor n - 1) and 16 values: half a unit of standard error.
    values = np.repeat([8, 12], 8) * math.sqrt(15 / 16)
    mean, low, high = mean_interval(values)
    assert mean == pytest.approx(10 * math.sqrt(15 / 16))
    assert (high - mean, mean - low) == pytest.approx((Z95 * 0.5, Z95 * 0.5))


def test_mean_interval_does_not_overflow_small_integers() -> None:
    assert mean_interval(np.full(1000, 2**31 - 1, np.int32)) == (2**31 - 1,) * 3
    assert mean_interval(np.full(1000, 127, np.int8))[0] == 127


def test_mean_interval_refuses_what_is_no_sample() -> None:
    samples: list[Any] = [[], [[1, 2]], [1.0, math.nan], [1e308] * 3, [1e200, -1e200], [10**400, 1], ["a"]]
    refused(lambda values: mean_interval(np.asarray(values)), {"values": samples})


@st.composite
def bounded(draw: st.DrawFn) -> tuple[list[float], tuple[float, float]]:
    low = draw(st.sampled_from([0.0, -1.0, -1e-37, -1e37, 0.1]))
    high = low + draw(st.sampled_from([1.0, 3.0, 2.5e-37, 3e37])) * (1 + abs(low))
    inside = st.floats(0, 1).map(lambda part: min(max(low + part * (high - low), low), high))
    return draw(st.lists(inside | st.sampled_from([low, high]), min_size=1, max_size=30)), (low, high)


@settings(max_examples=200)
@given(bounded().filter(lambda drawn: drawn[1][0] < drawn[1][1]))
def test_intervals_of_bounded_means_lie_inside_the_bounds_and_have_a_width(
    drawn: tuple[list[float], tuple[float, float]],
) -> None:
    values, (least, most) = drawn
    mean, low, high = mean_interval(values, (least, most))
    assert least <= low <= mean <= high <= most
    assert low < high


@settings(max_examples=40)
@given(st.integers(1, 2000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_of_a_bounded_mean_is_that_of_wilson_for_shares(sample: tuple[int, int]) -> None:
    successes, n = sample
    values = np.repeat([1.0, 0.0], [successes, n - successes])
    assert mean_interval(values, (0, 1))[1:] == pytest.approx(wilson(successes, n), abs=1e-12)
    _, low, high = mean_interval(3 * values - 1, (-1, 2))
    assert ((low + 1) / 3, (high + 1) / 3) == pytest.approx(wilson(successes, n), abs=1e-12)


def test_what_was_always_the_same_may_still_be_otherwise() -> None:
    # As likely as Wilson's interval of none of 40 allows, an outcome at either bound was only not seen.
    unseen = wilson(0, 40)[1]
    assert mean_interval([0.0] * 40, (-1, 2))[1:] == pytest.approx((-unseen, 2 * unseen))
    # And a speck of spread changes next to nothing.
    nearly = [1e-9, -1e-9] * 20
    assert mean_interval(nearly, (-1, 2))[1:] == pytest.approx((-unseen, 2 * unseen), abs=1e-6)


def test_intervals_end_where_values_do() -> None:
    _, low, high = mean_interval([0, 0, 0, 9], (0, math.inf))
    assert (low, high) == (0, pytest.approx(2.25 + Z95 * 2.25))
    assert all(map(math.isnan, mean_interval([4], (0, math.inf))[1:]))


def test_mean_interval_refuses_bounds_that_are_none_of_the_values() -> None:
    wrong = [(1, 0), (2, 2), (math.nan, 1), (0, 2), (4, 9)]
    refused(lambda bounds: mean_interval([1, 2, 3], bounds), {"bounds": wrong})


def coverage(n: int, weights: list[float]) -> float:
    """How often the interval holds the mean of returns of -1, 0 and 2 that have these weights."""
    random = np.random.default_rng(n)
    outcomes = np.array([-1.0, 0.0, 2.0])
    truth = float(outcomes @ weights)
    held = [
        low <= truth <= high
        for values in random.choice(outcomes, (1000, n), p=weights)
        for _, low, high in [mean_interval(values, (-1, 2))]
    ]
    return float(np.mean(held))


def test_intervals_of_returns_hold_the_truth_95_times_in_100() -> None:
    assert 0.93 < coverage(40, [0.6, 0.1, 0.3]) < 0.97


@pytest.mark.nightly
@pytest.mark.parametrize("n", [10, 40, 400])
@pytest.mark.parametrize("weights", [[2 / 3, 0, 1 / 3], [0.9, 0, 0.1], [0.1, 0.8, 0.1], [0.02, 0.97, 0.01]])
def test_intervals_of_returns_hold_the_truth_whatever_the_returns(n: int, weights: list[float]) -> None:
    # Of few values, few means are possible, so that no interval comes nearer to 95%.
    assert coverage(n, weights) > (0.93 if n > 10 else 0.9)
