"""Games and positions to attack: every game, every preset, every kind of node."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

import sarai

GAMES = tuple(sarai.games())
RULES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    *((name, preset, {}) for name in GAMES for preset in sarai.presets(name)),
    ("sho", "basic", {"players": 2, "coins": 2, "num_shells": 8, "first_player": "random"}),
    ("shah", "shah", {"first_player": "random", "flying": True, "max_turns": 60}),
    ("tshupu", "tshupu", {"pieces": 1, "max_turns": 300}),
    ("shuanglu", "backgammon", {"max_turns": 40}),
)
"""Rule books: every preset, then options that make games short. A new game is here without a line of its own."""


@cache
def game(index: int) -> sarai.Game:
    """The game of a rule book."""
    name, preset, options = RULES[index]
    return sarai.make(name, preset=preset, **options)


def some_game(rng: random.Random) -> sarai.Game:
    """Any rule book's game."""
    return game(rng.randrange(len(RULES)))


@cache
def walk(index: int, seed: int) -> tuple[sarai.State, ...]:
    """The positions of a whole game, with those near its end and not too many between."""
    record = sarai.Record.play(game(index), "random", seed=seed)
    states = record.states()
    kept = {*range(0, len(states), max(1, len(states) // 60)), *range(max(0, len(states) - 8), len(states))}
    return tuple(states[place] for place in sorted(kept))


def some_state(rng: random.Random) -> sarai.State:
    """A position of any rule book: a decision, a throw, or an end."""
    states = walk(rng.randrange(len(RULES)), rng.randrange(2))
    place = rng.choice([0, len(states) - 1, *[rng.randrange(len(states))] * 4])
    return states[place].clone()


def choices(state: sarai.State) -> list[int]:
    """What `apply_action` takes here."""
    return [outcome for outcome, _ in state.chance_outcomes()] or state.legal_actions()


def print_of(state: sarai.State) -> tuple[Any, ...]:
    """Everything that a state says of itself."""
    return (
        *(state.to_json(), str(state), hash(state), state.current_player(), tuple(choices(state))),
        *(tuple(state.returns()), tuple(state.rewards()), state.turns_passed, state.winner),
    )


def plain(value: Any) -> Any:
    """Whatever an environment tells, so that it can be compared."""
    if isinstance(value, sarai.State):
        return value.to_json()
    if isinstance(value, Mapping):
        return {key: plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    if isinstance(value, np.ndarray):
        if value.dtype.kind == "O":
            return ["objects", *map(plain, value.tolist())]
        return str(value.dtype), value.shape, value.tobytes()
    return type(value).__name__, repr(value)
