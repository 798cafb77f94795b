"""Two threads at one object: none waits for ever, and what one reads is whole."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import sarai
from sarai import _core


def test_a_forest_tells_of_a_row_while_it_grows() -> None:
    game = sarai.make("shah")
    forest = _core.Forest(
        _core.States.of(game, list(game.sample_states(num_games=64, seed=1))),
        20_000,
        priors=True,
        exploration=1.0,
        noise=None,
        evaluator="playout:1",
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


@pytest.mark.skipif(sys.platform != "linux", reason="counts the threads of /proc")
@pytest.mark.parametrize(("wanted", "started"), [("1", 1), ("3", 3)])
def test_a_variable_says_how_many_threads_there_are(wanted: str, started: int) -> None:
    script = """if True:
        import os, numpy, sarai
        before = len(os.listdir("/proc/self/task"))
        sarai.rollout("sho", num_games=3000, seed=1)
        print(len(os.listdir("/proc/self/task")) - before)
    """
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "RAYON_NUM_THREADS": wanted},
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(done.stdout) in (started, started - 1), "the calling thread may be one of them"
