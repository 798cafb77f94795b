"""The end of the interpreter, while a daemon thread is inside a call: the exit status stays, and nothing crashes."""

from __future__ import annotations

import subprocess
import sys

import pytest

CALLS = {
    "rollout": 'sarai.rollout("shah", "greedy", 30_000_000, random_plies=4)',
    "policy": 'sarai.rollout("shah", lambda observations, masks: masks.argmax(1), 3_000_000)',
    "progress": 'sarai.rollout("sho", num_games=30_000_000, progress=lambda done: None)',
    "steps": "steps()",
}
# The C library waits a second after the interpreter has gone, so that a thread that is still there shows.
SCRIPT = """
import ctypes, sys, threading, time, sarai

def steps():
    env = sarai.SelfPlayVectorEnv("sho", 4096)
    _, info = env.reset(seed=1)
    while True:
        *_, info = env.step(info["action_mask"].argmax(1))

def call():
    begun.set()
    {call}

begun = threading.Event()
threading.Thread(target=call, daemon=True).start()
begun.wait()
time.sleep(0.3)
if sys.platform == "linux":
    libc = ctypes.CDLL(None)
    libc.on_exit(ctypes.cast(libc.sleep, ctypes.c_void_p), None)
sys.exit(7)
"""


@pytest.mark.parametrize(
    ("call", "times"),
    [
        *((call, 1) for call in ("rollout", "policy")),
        *(pytest.param(call, 50, marks=pytest.mark.nightly) for call in CALLS),
    ],
)
def test_the_exit_status_stays(call: str, times: int) -> None:
    script = SCRIPT.replace("{call}", CALLS[call])
    for _ in range(times):
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
        assert (done.returncode, done.stderr) == (7, "")


def test_a_hook_at_the_exit_may_still_play() -> None:
    # It was registered first, so it runs last.
    script = "import atexit; atexit.register(lambda: print(sarai.rollout('sho', num_games=9).num_games)); import sarai"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "9\n", "")
