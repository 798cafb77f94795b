"""Bad input that no strategy of tests/python/attack comes to: callbacks that raise, Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import Any

import pytest

import sarai
from helpers.learner_games import lowest


def test_the_last_game_that_can_be_numbered_is_one() -> None:
    last = 2**64 - 2
    assert sarai.rollout("sho", num_games=1, seed=2**64 - 1, first_game=last).first_game == last
    with pytest.raises(ValueError, match="first_game"):
        sarai.rollout("sho", num_games=2, first_game=last, seed=0)


# --- agents -------------------------------------------------------------------------------------------------


class TroubleError(Exception):
    pass


@pytest.mark.parametrize("place", ["policy", "progress"])
@pytest.mark.parametrize("kind", [TroubleError, StopIteration, KeyboardInterrupt, SystemExit])
def test_what_a_callback_raises_comes_through(place: str, kind: type[BaseException]) -> None:
    raised = kind("the very one")
    calls = 0

    def trouble(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        if place == "progress" or calls == 3:
            raise raised
        return lowest(*arguments)

    how: dict[str, Any] = {"agents": trouble} if place == "policy" else {"progress": trouble}
    with pytest.raises(kind) as caught:
        sarai.rollout("sho", num_games=5, seed=1, **how)
    assert caught.value is raised
    assert calls == (3 if place == "policy" else 1), "nothing is asked of it afterwards"


# --- Ctrl-C -------------------------------------------------------------------------------------------------

# None of these ends within a day, however fast the machine is: the searches are long, or the policy falls asleep.
ENDLESS = {
    "threads": "sarai.rollout(name, 'mcts:100000', num_threads=2, progress=begun)",
    "one thread": "sarai.rollout(name, 'mcts:100000', num_threads=1, progress=begun)",
    "progress": "begun(), sarai.rollout(name, 'mcts:100000', progress=True)",
    "trajectories": "sarai.trajectories(name, 'mcts:100000', num_threads=1, progress=begun)",
    "series": "sarai.series(name, 'mcts:100000', 1000, num_threads=1, progress=begun)",
    "policy": "sarai.rollout(name, policy, 50_000)",
    "slow policy": "sarai.rollout(name, lambda o, m: (begun(), time.sleep(10**6)), 20)",
    "policy and mcts": (
        "sarai.rollout(name, [policy] + ['mcts:500'] * (sarai.make(name).num_players - 1), 20)"
    ),
}

INTERRUPTED = """
import sys, time, sarai
name, calls = sys.argv[1], 0

def begun(done=0):
    global calls
    calls += 1
    if calls == 1:
        print("begun", flush=True)

def policy(observations, masks):
    begun()
    if calls > 50:
        time.sleep(10**6)
    return masks.argmax(axis=1)

try:
    {call}
except KeyboardInterrupt:
    assert sarai.rollout(name, num_games=50, seed=1) == sarai.rollout(name, num_games=50, seed=1)
    print("interrupted", flush=True)
"""


QUICK = {"threads": "sho", "slow policy": "shah", "trajectories": "tshupu"}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
@pytest.mark.parametrize(
    ("call", "name"),
    [
        pytest.param(call, name, marks=() if QUICK.get(call) == name else pytest.mark.nightly)
        for call in ENDLESS
        for name in sarai.games()
    ],
)
def test_interrupts(call: str, name: str) -> None:
    program = INTERRUPTED.replace("{call}", ENDLESS[call])
    with subprocess.Popen(
        [sys.executable, "-W", "error", "-c", program, name],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "begun\n"
            process.send_signal(signal.SIGINT)
            answer, errors = process.communicate()
        finally:
            process.kill()
    assert answer == "interrupted\n", errors
    assert process.returncode == 0, errors
