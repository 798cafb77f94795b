"""Rule books, and positions of every kind of them."""

from __future__ import annotations

import numpy as np
import pytest

import sarai

BOOKS = [(name, preset) for name in sarai.games() for preset in sarai.presets(name)]
every_book = pytest.mark.parametrize("book", BOOKS, ids=["-".join(book) for book in BOOKS])


def mixed(game: sarai.Game, seed: int = 1, games: int = 6) -> list[sarai.State]:
    """Positions of every kind, shuffled: starts, throws, decisions and ends."""
    rng = np.random.default_rng(seed)
    found = [game.new_initial_state()]
    for number in range(games):
        states = sarai.Record.play(game, "random", seed=seed, number=number).states()
        found += [states[place] for place in rng.integers(0, len(states), 12)] + states[-2:]
    rng.shuffle(found)  # type: ignore[arg-type]
    return [state.clone() for state in found]
