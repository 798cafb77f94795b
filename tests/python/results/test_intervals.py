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


def test_wilson_bounds_are_roots_of_the_score_equation() -> None:
    for bound in wilson(37, 120):
        assert abs(37 / 120 - bound) == pytest.approx(Z95 * math.sqrt(bound * (1 - bound) / 120))


def test_wilson_takes_numpy_integers() -> None:
    assert wilson(np.int32(3), np.int64(10)) == wilson(3, 10)


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


def test_mean_interval_covers_the_truth_about_95_times_in_100() -> None:
    random = np.random.default_rng(5)
    inside = 0
    for _ in range(1000):
        _, low, high = mean_interval(random.poisson(7, 200))
        inside += low <= 7 <= high
    assert 0.93 < inside / 1000 < 0.97


def test_mean_interval_does_not_overflow_small_integers() -> None:
    assert mean_interval(np.full(1000, 2**31 - 1, np.int32)) == (2**31 - 1,) * 3
    assert mean_interval(np.full(1000, 127, np.int8))[0] == 127


def test_mean_interval_of_one_value_has_no_ends() -> None:
    mean, low, high = mean_interval([4])
    assert mean == 4
    assert math.isnan(low)
    assert math.isnan(high)


def test_mean_interval_refuses_what_is_no_sample() -> None:
    samples: list[Any] = [[], [[1, 2]], [1.0, math.nan], [1e308] * 3, [1e200, -1e200], [10**400, 1], ["a"]]
    refused(lambda values: mean_interval(np.asarray(values)), {"values": samples})
