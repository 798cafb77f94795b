"""Rule books, and positions of every kind of them."""

from __future__ import annotations

import random

import numpy as np
import pytest

import sarai

BOOKS = [(name, preset) for name in sarai.games() for preset in sarai.presets(name)]
# Every time the first rule book of each game, one with teams, and those that others know; the rest at night.
_OFTEN = {(name, next(iter(sarai.presets(name)))) for name in sarai.games()}
_OFTEN |= {("sho", "teams"), ("shah", "nine_mens_morris"), ("shuanglu", "backgammon")}
every_book = pytest.mark.parametrize(
    "book",
    [
        pytest.param(book, id="-".join(book), marks=[] if book in _OFTEN else pytest.mark.nightly)
        for book in BOOKS
    ],
)


def any_step(state: sarai.State, rng: random.Random) -> int:
    """A step at random: an outcome by its probability, or a legal action.

    Always the same outcome would not do: it may be a throw that passes, and go on passing until the game is a draw.
    """
    if state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        return int(rng.choices(outcomes, chances)[0])
    return rng.choice(state.legal_actions())


def to_a_decision(state: sarai.State) -> sarai.State:
    """Let chance decide, at random, until a player is to choose."""
    rng = random.Random(1)
    while state.is_chance_node():
        state.apply_action(any_step(state, rng))
    return state


def mixed(game: sarai.Game, seed: int = 1, games: int = 6) -> list[sarai.State]:
    """Positions of every kind, shuffled: starts, throws, decisions and ends."""
    rng = np.random.default_rng(seed)
    found = [game.new_initial_state()]
    for number in range(games):
        states = sarai.Record.play(game, "random", seed=seed, number=number).states()
        found += [states[place] for place in rng.integers(0, len(states), 12)] + states[-2:]
    rng.shuffle(found)  # type: ignore[arg-type]
    return [state.clone() for state in found]
