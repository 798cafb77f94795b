"""The engine's Gamename against the reference beside this file, node by node."""

from __future__ import annotations

import random
from typing import Any

import pytest

import sarai
from games.gamename.reference import DEFAULTS, PRESETS, Reference
from helpers.lockstep import any_copy, assert_rejects, assert_same

# Nodes compared for a rule book.
NODES = 2500
BOOKS: list[dict[str, Any]] = [{}, {"exact": False}, {"pieces": 1}, {"pieces": 6}, {"max_turns": 9}]


@pytest.mark.parametrize("rules", BOOKS, ids=str)
def test_games_are_those_of_the_reference(rules: dict[str, Any]) -> None:
    rng = random.Random(str(rules))
    game, ref = sarai.make("gamename", **rules), Reference(rules)
    assert game.rules == ref.rules
    compared = games = 0
    while compared < NODES:
        state, d = game.new_initial_state(), ref.initial()
        while choices := assert_same(state, ref, d):
            if rng.random() < 0.1:
                assert_rejects(state, d, choices, rng)
                state = any_copy(state, d, rng)
            action = rng.choice(choices)
            state.apply_action(action)
            d = ref.apply(d, action)
            compared += 1
        games += 1
    assert games > 5


def test_presets_are_those_of_the_reference() -> None:
    assert sarai.presets("gamename") == {name: {**DEFAULTS, **options} for name, options in PRESETS.items()}
