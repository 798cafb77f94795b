"""What a rollout costs in memory, and that it is one and the same however it is cut up."""

from __future__ import annotations

import subprocess
import sys

import pytest

import sarai

# The games are short, so that a million of them are played in a second or two.
PROGRAM = """
import pathlib, re, resource, sys, sarai

def peak():
    status = pathlib.Path("/proc/self/status")
    if status.exists():
        # On Linux getrusage would go on from the peak of the process that started this one.
        return int(re.search(r"VmHWM:\\s+(\\d+) kB", status.read_text())[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

game = sarai.make("sho", num_shells=16, coins=1)
sarai.rollout(game, 10)
before = peak()
r = sarai.rollout(game, num_games=1_000_000, seed=1)
after = peak()
arrays = [r.returns, r.winner, r.lengths, r.turns, *r.stats.values(), *r.stats_by_seat.values()]
assert len(r.winner) == 1_000_000
print(after - before, sum(array.nbytes for array in arrays))
"""


def test_a_million_games_take_the_arrays_and_little_else() -> None:
    pytest.importorskip("resource", reason="peak memory is asked of POSIX")
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    grown, returned = map(int, done.stdout.split())
    assert grown < returned + 100_000_000, f"{grown / 1e6:.0f} MB for {returned / 1e6:.0f} MB of arrays"
    assert grown > returned / 2, "the measure does not measure"


@pytest.mark.parametrize("name", sarai.games())
def test_threads_and_halves_give_one_result(name: str) -> None:
    whole = sarai.rollout(name, num_games=20_000, seed=1)
    assert whole == sarai.rollout(name, num_games=20_000, seed=1, num_threads=1)
    assert whole == sarai.rollout(name, num_games=20_000, seed=1, num_threads=2)
    halves = [sarai.rollout(name, num_games=10_000, seed=1, first_game=first) for first in (0, 10_000)]
    assert whole == sarai.Rollout.concatenate(halves)
    assert whole != sarai.rollout(name, num_games=20_000, seed=2)
