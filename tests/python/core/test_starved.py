"""What happens where the system refuses threads or memory: an error that says so, never the end of the process."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits are set as Linux sets them")

LIMITS = """
import os, resource, sys
import sarai
from sarai._records.record import Record
# Whatever is imported when it is used must be there before nothing can be read any more.
sarai.SelfPlayVectorEnv, sarai.SingleAgentVectorEnv

def no_more_threads():
    # The limit does not hold for root.
    if os.geteuid() == 0:
        os.setresgid(65534, 65534, 65534)
        os.setresuid(65534, 65534, 65534)
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))

def no_more_memory(left):
    with open("/proc/self/statm") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + left, used + left))

def refused(kind, work, *words):
    try:
        work()
    except kind as error:
        # Of memory, numpy has an error of its own.
        assert type(error) is kind or kind is MemoryError, repr(error)
        assert all(word in str(error) for word in words), str(error)
    else:
        raise AssertionError(f"no {kind.__name__}")
"""


def run(code: str) -> str:
    """What a process of its own prints; whatever it says on stderr is an error."""
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", LIMITS + textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, (done.returncode, done.stderr[-2000:])
    assert "panicked" not in done.stderr, done.stderr
    return done.stdout


def test_one_thread_needs_no_other_and_more_that_are_refused_are_an_error() -> None:
    assert "all done" in run("""
        state = sarai.make("shah").new_initial_state()
        expected = sarai.rollout("sho", ["greedy", "random", "mcts:2"], 50, seed=3)
        sarai.rollout("sho", "random", 50, num_threads=1)
        no_more_threads()
        for agent in ("random", "greedy", "mcts:50"):
            assert sarai.choose(state, agent) in state.legal_actions()
        assert state.perft(2) > 0
        assert sarai.rollout("sho", ["greedy", "random", "mcts:2"], 50, seed=3, num_threads=1) == expected
        assert Record.play("shah", "greedy", seed=1).finished
        refused(RuntimeError, lambda: sarai.rollout("sho", num_threads=3), "threads", "num_threads")
        lanes = sarai.SelfPlayVectorEnv("sho", 4096, num_threads=3, seed=1)
        refused(RuntimeError, lanes.reset, "num_threads")
        env = sarai.SingleAgentVectorEnv("shah", 8, opponents="mcts:5", num_threads=1, seed=1)
        env.reset(seed=1)
        env.step(env.sample_legal())
        print("all done")
    """)


@pytest.mark.nightly
def test_threads_do_not_pile_up() -> None:
    # Pools of other sizes end; how soon is the system's business, so this waits for it.
    assert "all done" in run("""
        for threads in range(2, 60):
            sarai.rollout("sho", num_games=200, num_threads=threads)
        while len(os.listdir("/proc/self/task")) > 4 * 60:
            pass
        print("all done")
    """)


HUNGRY = [
    "sarai.rollout('sho', num_games=20_000_000, num_threads=1)",
    "sarai.trajectories('shah', num_games=3_000, num_threads=1)",
    "[copy.deepcopy(env) for _ in range(1000)]",
]


@pytest.mark.parametrize(
    "work",
    [
        "sarai.SelfPlayVectorEnv('sho', 400_000, seed=1, num_threads=1)",
        *(pytest.param(work, marks=pytest.mark.nightly) for work in HUNGRY),
    ],
)
def test_memory_that_is_refused_is_an_error(work: str) -> None:
    assert "all done" in run(f"""
        import copy
        env = sarai.SelfPlayVectorEnv("sho", 4096, seed=1, num_threads=1)
        env.reset(seed=1)
        no_more_memory(24 << 20)
        refused(MemoryError, lambda: {work})
        # Life goes on.
        assert sarai.rollout("sho", num_games=10, num_threads=1).num_games == 10
        print("all done")
    """)
