"""What every way of playing many games has in common: seeds, threads, parts, policies, progress, and bad arguments."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sarai
from helpers.learner_games import lowest
from helpers.refusals import refused

STATES = sarai.make("sho").sample_states(num_games=12, seed=5)


RUNS: dict[str, tuple[Callable[..., Any], str, str]] = {
    "rollout": (sarai.rollout, "num_games", "first_game"),
    "trajectories": (sarai.trajectories, "num_games", "first_game"),
    "series": (partial(sarai.series, target=1, max_games=4), "num_series", "first_series"),
    "positions": (STATES.rollout, "num_games", "first_row"),
}
every_run = pytest.mark.parametrize("kind", RUNS)


def run(kind: str, num: int = 12, first: int = 0, **how: Any) -> Any:
    play, number, begin = RUNS[kind]
    given: dict[str, Any] = {"agents": ["greedy", lowest, "random"], "seed": 5, **how}
    if kind == "positions":
        return STATES[first : first + num].rollout(num_games=2, first_row=first, **given)
    return play(**{"game": "sho", "random_plies": 3, number: num, begin: first, **given})


@every_run
def test_threads_and_parts_give_one_result(kind: str) -> None:
    whole = run(kind)
    assert whole == run(kind, num_threads=1) == run(kind, num_threads=2)
    parts = [run(kind, 5), run(kind, 7, 5)]
    assert parts == [whole[:5], whole[5:]]
    assert type(whole).concatenate(parts) == whole
    assert whole.agents == ("greedy", "lowest", "random")
    others = [{"seed": 6}, {"agents": "greedy"}]
    for other in others if kind == "positions" else [*others, {"random_plies": 0}, {"game": "sho(coins=3)"}]:
        assert run(kind, **other) != whole
    if kind != "positions":
        assert run(kind, game=sarai.make("sho", coins=3)) == run(kind, game="sho(coins=3)")


@every_run
def test_progress_is_told_to_a_callable(kind: str) -> None:
    told: list[int] = []
    run(kind, progress=told.append)
    assert told[-1] == (24 if kind == "positions" else 12)
    assert told == sorted(told)
    assert run(kind, progress=np.False_) == run(kind)


@every_run
def test_bad_arguments(kind: str) -> None:
    play, number, first = RUNS[kind]

    def call(**given: Any) -> None:
        play(**given if kind == "positions" else {"game": "sho", number: 2, **given})

    values: dict[str, list[Any]] = {
        number: [0, -1, 2**63, 2**64, 100_000_001], first: [-1, 2**64 - 1],
        "agents": [["random"], ["random"] * 4, [], "clairvoyant"], "seed": [-1, 2**64], "num_threads": [0, -1],
    }  # fmt: skip
    types: dict[str, list[Any]] = {
        "agents": [5, ["random", 5, "random"]], "progress": [3], number: ["many", 2.5],
    }  # fmt: skip
    if kind != "positions":
        values |= {"game": ["chess"], "random_plies": [-1, 1001, 10**30]}
        types |= {"game": [5], "random_plies": [1.0]}
    refused(call, values, types)


PEAK = """
import pathlib, re, sys, sarai

def peak():
    return int(re.search(r"VmHWM:\\s+(\\d+) kB", pathlib.Path("/proc/self/status").read_text())[1]) * 1024

def size(result):
    return sum(array.nbytes for array in result._members().values())
"""
# The games are short, so that a million of them are played in a second or two.
ROLLOUT = """
game = sarai.make("sho", num_shells=16, coins=1)
sarai.rollout(game, num_games=10)
before = peak()
r = sarai.rollout(game, num_games=int(sys.argv[1]), seed=1)
print(peak() - before, size(r))
"""
STREAM = """
largest = 0
parts = sarai.trajectories("shah", num_games=int(sys.argv[1]), seed=1, stream=True, chunk_games=300)
for place, part in enumerate(parts):
    largest = max(largest, size(part))
    if place == 2:
        before = peak()
    del part
print(peak() - before, largest)
"""


# Of a stream five parts more have come and gone, or seventeen.
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peak memory is asked of Linux")
@pytest.mark.parametrize(
    ("program", "games", "most"),
    [
        (ROLLOUT, 200_000, lambda held: held + 20_000_000),
        pytest.param(ROLLOUT, 1_000_000, lambda held: held + 100_000_000, marks=pytest.mark.nightly),
        (STREAM, 2400, lambda held: 2 * held),
        pytest.param(STREAM, 6000, lambda held: 2 * held, marks=pytest.mark.nightly),
    ],
)
def test_memory_holds_what_is_returned_and_little_else(
    program: str, games: int, most: Callable[[int], int]
) -> None:
    done = subprocess.run([sys.executable, "-c", PEAK + program, str(games)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    grown, held = map(int, done.stdout.split())
    assert held > 5_000_000
    assert grown < most(held), f"{grown / 1e6:.0f} MB for {held / 1e6:.0f} MB of arrays"
    assert program is STREAM or grown > held / 2, "the measure does not measure"
