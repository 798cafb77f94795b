"""What `sarai.rollout` returns: the same whatever the threads and the split, in little memory."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sarai

Observations = NDArray[np.int8]
Masks = NDArray[np.int8]


def first_legal(observations: Observations, masks: Masks) -> NDArray[np.intp]:
    """A policy: the lowest legal action of each row."""
    chosen: NDArray[np.intp] = masks.argmax(axis=1)
    return chosen


@pytest.mark.parametrize("name", sarai.games())
def test_every_game_gives_the_documented_arrays(name: str) -> None:
    game = sarai.make(name)
    r = sarai.rollout(name, num_games=40, seed=3)
    assert (r.num_games, r.num_players) == (40, game.num_players)
    assert list(r.stats) == list(game.statistics)
    for statistic, total in r.stats.items():
        assert total.dtype == np.int32
        assert np.array_equal(total, r.stats_by_seat[statistic].sum(axis=1))
    assert (r.game, r.rules, list(r.sides)) == (game, game.rules, list(game.sides))
    assert r.lengths.min() > 0
    assert r.turns.min() > 0
    # Who won, and what each seat got of it, a save holds against the rules.
    r._check_rules()


@pytest.mark.parametrize("name", sarai.games())
@pytest.mark.parametrize("half", [60, pytest.param(10_000, marks=pytest.mark.nightly)])
def test_threads_and_halves_give_one_result(name: str, half: int) -> None:
    whole = sarai.rollout(name, num_games=2 * half, seed=1)
    for threads in (1, 2):
        assert whole == sarai.rollout(name, num_games=2 * half, seed=1, num_threads=threads)
    halves = [sarai.rollout(name, num_games=half, seed=1, first_game=first) for first in (0, half)]
    assert np.array_equal(whole.returns[half:], halves[1].returns)
    assert sarai.results.Rollout.concatenate(halves) == whole
    assert whole != sarai.rollout(name, num_games=2 * half, seed=2)


def test_agents_one_for_all_or_one_a_seat() -> None:
    assert sarai.rollout("sho", "greedy", 20, seed=2) == sarai.rollout("sho", ["greedy"] * 3, 20, seed=2)
    assert sarai.rollout("sho", None, 20, seed=2) == sarai.rollout("sho", num_games=20, seed=2)
    assert sarai.rollout("sho", num_games=20, seed=2).agents == ("random", "random", "random")
    assert sarai.rollout("sho", ("greedy", first_legal, "random"), 20, seed=0).agents == (
        "greedy",
        "first_legal",
        "random",
    )


def test_a_policy_is_called_on_batches_of_views() -> None:
    game = sarai.make("sho")
    sizes = []

    def policy(observations: Observations, masks: Masks) -> NDArray[np.int64]:
        assert observations.dtype == masks.dtype == np.int8
        assert observations.shape == (len(masks), *game.observation_shape)
        assert masks.shape == (len(observations), game.num_actions)
        assert masks.any(axis=1).all()
        sizes.append(len(masks))
        return np.array([np.flatnonzero(row)[-1] for row in masks])

    r = sarai.rollout(game, [policy, "random", "random"], 50, seed=4)
    assert sum(sizes) <= r.lengths.sum()
    assert max(sizes) > 1
    assert r.agents[0].endswith("policy")


@pytest.mark.parametrize(
    ("error", "answer"),
    [
        (ZeroDivisionError, lambda masks: 1 / 0),
        (ValueError, lambda masks: masks.argmax(axis=1)[:-1]),
        (ValueError, lambda masks: masks.argmax(axis=1)[:, None]),
        (TypeError, lambda masks: masks.argmax(axis=1).astype(np.float64)),
        (sarai.IllegalActionError, lambda masks: masks.argmin(axis=1)),
        (sarai.IllegalActionError, lambda masks: masks.argmax(axis=1) - 1000),
        (sarai.IllegalActionError, lambda masks: masks.argmax(axis=1) + 2**40),
    ],
)
def test_policies_that_fail(error: type[Exception], answer: Callable[..., Any]) -> None:
    with pytest.raises(error, match=r"\w"):
        sarai.rollout("sho", lambda observations, masks: answer(masks), 10, seed=0)


def test_progress_is_silent_when_nobody_watches(capfd: pytest.CaptureFixture[str]) -> None:
    sarai.rollout("sho", num_games=50, progress=True, seed=0)
    assert capfd.readouterr() == ("", "")


# The games are short, so that a million of them are played in a second or two.
PROGRAM = """
import pathlib, re, resource, sys, sarai

def peak():
    status = pathlib.Path("/proc/self/status")
    if status.exists():
        # On Linux getrusage would go on from the peak of the process that started this one.
        return int(re.search(r"VmHWM:\\s+(\\d+) kB", status.read_text())[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

game, games = sarai.make("sho", num_shells=16, coins=1), int(sys.argv[1])
sarai.rollout(game, num_games=10)
before = peak()
r = sarai.rollout(game, num_games=games, seed=1)
after = peak()
assert len(r.winner) == games
arrays = [r.returns, r.winner, r.lengths, r.turns, *r.stats.values(), *r.stats_by_seat.values()]
print(after - before, sum(array.nbytes for array in arrays))
"""


@pytest.mark.parametrize(
    ("games", "beside"),
    [(200_000, 20_000_000), pytest.param(1_000_000, 100_000_000, marks=pytest.mark.nightly)],
)
def test_many_games_take_the_arrays_and_little_else(games: int, beside: int) -> None:
    pytest.importorskip("resource", reason="peak memory is asked of POSIX")
    words = [sys.executable, "-c", PROGRAM, str(games)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    grown, returned = map(int, done.stdout.split())
    assert grown < returned + beside, f"{grown / 1e6:.0f} MB for {returned / 1e6:.0f} MB of arrays"
    assert grown > returned / 2, "the measure does not measure"
