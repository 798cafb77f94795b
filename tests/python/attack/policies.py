"""Policies and evaluators that misbehave."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
from hypothesis import strategies as st

from attack.oracle import lowest
from attack.values import OwnError, Strategy, anything, bools, fresh, listed

Answer = Callable[..., Any]

errors: Strategy = st.sampled_from(
    [
        OwnError,
        KeyboardInterrupt,
        SystemExit,
        StopIteration,
        MemoryError,
        AttributeError,
        RecursionError,
        *(OverflowError, GeneratorExit, Warning, ValueError),
    ]
).map(lambda kind: kind("of the policy's own")) | st.just(("utf-8", b"x", 0, 1, "no")).map(
    lambda words: UnicodeDecodeError(*words)
)


def raising(error: BaseException) -> Answer:
    """Raises it, whatever is asked."""

    def answer(*_: Any) -> Any:
        raise error

    return answer


def late(answer: Answer, after: int, good: Answer = lowest) -> Answer:
    """Answers well so many times, and then so."""
    calls = 0

    @wraps(good)
    def policy(*asked: Any) -> Any:
        nonlocal calls
        calls += 1
        return good(*asked) if calls <= after else answer(*asked)

    return policy


answers: Strategy = fresh(
    lambda: [
        *(lambda o, m: m.argmin(axis=1), lambda o, m: m, lambda o, m: o),
        *(lambda o, m: m.argmax(axis=1)[:-1], lambda o, m: m.argmax(axis=1) * 1.0),
        *(lambda o, m: np.full(len(m), np.nan), lambda o, m: iter(m)),
        *(lambda o, m: m.argmax(axis=1)[:, None], lambda o, m: int(m.argmax()), lambda o, m: None),
        *(lambda o, m: m.argmax(axis=1) - 2**40, lambda o, m: ["0"] * len(m)),
        lambda o, m: bools(2) * len(m),
        lambda o, m: m.argmax(axis=1).astype(np.uint64) + np.uint64(2**63),
        *(lambda o, m: np.zeros((len(m), 10**4)), lambda o, m: [10**400] * len(m)),
        *(lambda o, m: {"actions": 0}, lambda o, m: m.argmax(axis=1).astype("M8[s]")),
        lambda o, m: m.argmax(axis=1).astype(complex),
        lambda o, m: np.broadcast_to(np.int8(0), (len(m), 2**40)),
    ]
) | st.one_of(
    anything.map(lambda odd: lambda o, m: odd),
    anything.map(lambda odd: lambda o, m: [odd] * len(m)),
    listed(anything).map(lambda odd: lambda o, m: odd),
)
"""What a policy may come up with instead of actions."""

values_of_no_position: Strategy = fresh(
    lambda: [
        *(lambda o: np.full(len(o), np.nan), lambda o: np.zeros((len(o), 9))),
        *(lambda o: np.zeros(len(o) + 1), lambda o: np.full((len(o), 1), -np.inf)),
        *(lambda o: ["a"] * len(o), lambda o: np.zeros(len(o), complex), lambda o: None),
        *(lambda o: np.zeros((len(o), 1)) > 0, lambda: None, lambda a, b, c: None),
    ]
) | st.one_of(anything.map(lambda odd: lambda o: odd), anything.map(lambda odd: lambda o: [odd] * len(o)))
"""What an evaluator may come up with instead of values."""

priors_of_no_position: Strategy = fresh(
    lambda: [
        *(lambda o, m: np.full(len(o), np.nan), lambda o, m: (np.full(m.shape, np.inf), np.zeros(len(o)))),
        *(lambda o, m: (np.where(m, np.nan, 0.0), np.zeros(len(o))), lambda o, m: (m, m, m)),
        *(lambda o, m: np.zeros(len(o)) + 1e30, lambda o, m: [["a"]] * len(o)),
    ]
) | st.one_of(
    anything.map(lambda odd: lambda o, m: (odd, np.zeros(len(o)))),
    anything.map(lambda odd: lambda o, m: (np.zeros(m.shape), odd)),
)
"""What an evaluator that gives priors too may come up with instead."""
