"""Exact tables: asked about what they do not have, loaded from what are none."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import sarai
from attack import values, worlds
from attack.trial import Trial
from attack.verbs import index_of
from sarai import exact


@cache
def tables() -> Any:
    """Those that come with the package."""
    return exact.load("shah", check=False)


@cache
def covered() -> sarai.States:
    """Positions that they have."""
    found = []
    for seed in range(60):
        found += [
            state
            for state in sarai.Record.play("shah", "random", seed=seed).states()
            if tables().covers(state)
        ]
        if len(found) >= 12:
            break
    return sarai.States.from_states(found)


def prepare() -> None:
    """Find the positions once."""
    covered()


def attack(trial: Trial) -> None:
    """One case."""
    rng = trial.rng
    odd, state = values.anything(rng), worlds.some_state(rng)
    at = rng.randrange(len(covered()))
    known = covered()[at]
    other = sarai.States.from_states([state])
    threads = rng.choice([None, 1, values.numbers(rng), odd])
    if (index_of(threads) or 0) > 8:
        threads = 257
    pair: Any = rng.choice([odd, (3, 3), (values.numbers(rng), 3), (3,), (3, 3, 3), "33", (0, 0), (99, 99)])
    calls: list[Callable[[], Any]] = [
        *(lambda: tables().value(rng.choice([state, odd])), lambda: tables().moves(rng.choice([state, odd]))),
        lambda: tables().covers(rng.choice([state, odd, known])),
        lambda: tables().values(rng.choice([other, covered(), covered()[:0]]), num_threads=threads),
        lambda: exact.load(rng.choice([*worlds.GAMES, odd, values.text(rng, worlds.GAMES)]), check=False),
        lambda: exact.load("shah", rng.choice(["/nowhere", "", ".", "\0", "a\ud800", odd, __file__])),
        lambda: exact.plan(rng.choice(["shah", "sho", odd]), pair),
    ]
    trial.call(rng.choice(calls), also=(OSError,))
    value, moves = tables().value(known), tables().moves(known)
    trial.same(value.value, moves[0].value, "a position and its best move")
