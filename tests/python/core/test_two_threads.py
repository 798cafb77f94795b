"""Two threads at one object: none waits for ever, and what one reads is whole."""

from __future__ import annotations

import threading

import numpy as np

import sarai
from sarai import _core


def test_a_forest_tells_of_a_row_while_it_grows() -> None:
    game = sarai.make("shah")
    forest = _core.Forest(
        _core.States.of(game, list(game.sample_states(num_games=64, seed=1))),
        20_000,
        exploration=1.0,
        noise=None,
        evaluator="random",
        seed=0,
        streams=np.empty(0, np.uint64),
        num_threads=1,
    )
    growing = threading.Thread(target=forest.grow, args=(3.0,), daemon=True)
    growing.start()
    told: list[object] = []
    while growing.is_alive() and not told:
        reading = threading.Thread(target=lambda: told.append(forest.analysis(0)), daemon=True)
        reading.start()
        reading.join(60)
        assert not reading.is_alive(), "each waits for the other"
    growing.join(60)
    assert not growing.is_alive()
    assert told != [None]
