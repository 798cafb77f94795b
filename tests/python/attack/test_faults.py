"""Faults of the system, each in a child of its own: no memory, no threads, forks, crowds of threads.

The child may end as it likes; that it ends, or panics, is what is found.
"""

from __future__ import annotations

import copy
import ctypes
import gc
import os
import pickle
import random
import subprocess
import sys
import tempfile
import threading
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from gymnasium.error import ResetNeeded
from hypothesis import given
from hypothesis import strategies as st

import sarai
from attack import test_command_line as command_line
from attack.driven import LANES, Driven, Setting, settings_of
from attack.oracle import call, choices, games, lowest, short, tries, walk

resource = pytest.importorskip("resource")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits are set as Linux sets them")

one: dict[str, Any] = {"num_threads": 1}
WORK: dict[str, Callable[[], Any]] = {
    "rollout": lambda: sarai.rollout("sho", "greedy", 400, seed=7, **one),
    "search in games": lambda: sarai.rollout(short("shah"), "mcts:2", 2, seed=7, **one),
    "policy": lambda: sarai.rollout(short("tshupu"), lowest, 40, seed=7, **one),
    "keep": lambda: sarai.rollout("tshupu", num_games=30, keep=range(30), seed=7, **one),
    "trajectories": lambda: sarai.trajectories(short("sho"), num_games=40, seed=7, **one),
    "series": lambda: sarai.series(short("sho"), num_series=40, target=2, seed=7, **one),
    "lanes": lambda: sarai.SelfPlayVectorEnv("shah", 20_000, seed=1, **one).reset(seed=2),
    "search": lambda: sarai.choose(sarai.make("shah").new_initial_state(), "mcts:300", seed=0),
    "perft": lambda: sarai.make("shah").new_initial_state().perft(2),
    "clones": lambda: [walk(0)[0].clone() for _ in range(20_000)],
    "pickles": lambda: [pickle.loads(pickle.dumps(walk(1)[3])) for _ in range(2000)],
    "json": lambda: [state.to_dict() for state in walk(1) for _ in range(20)],
    "picture": lambda: walk(2)[5]._repr_svg_(),
    "record": lambda: sarai.Record.from_json(sarai.Record.play("sho", seed=1).to_json()),
    "views": lambda: [state.observation_tensor(0) for state in walk(0) for _ in range(100)],
    "html": lambda: sarai.make("shuanglu")._repr_html_(),
}
"""What is tried while something is refused."""

ARRAYS: dict[str, Callable[[], Any]] = {
    "games": lambda: sarai.rollout("sho", num_games=60_000_000, seed=7, **one),
    "lanes": lambda: sarai.SelfPlayVectorEnv("shuanglu", 1_000_000, seed=1, **one),
    "learner's lanes": lambda: sarai.SingleAgentVectorEnv("sho", 1_000_000, seed=1, **one),
}
"""What takes more than is left, for arrays whose size the user gives."""

rooms = st.sampled_from([megabytes << 20 for megabytes in (2, 3, 5, 8, 16)])
"""How many bytes are left."""


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    """Do everything once: whatever is imported when it is used must be there before nothing can be read."""
    for work in WORK.values():
        work()
    expected()


@cache
def expected() -> sarai.results.Rollout:
    """What this rollout is where nothing is refused."""
    return sarai.rollout("sho", num_games=20, seed=3, num_threads=1)


def fork() -> int:
    """What `os.fork` does, which newer Pythons warn of where there are threads."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def in_child(work: Callable[[], Any]) -> None:
    """Do it in a child: its memory is such as nobody has used before."""
    with tempfile.TemporaryFile() as errors:
        child = fork()
        if child == 0:
            status = 1
            try:
                os.dup2(errors.fileno(), 2)
                work()
                status = 0
            except BaseException:
                os.write(2, traceback.format_exc()[-3000:].encode(errors="replace"))
            finally:
                os._exit(status)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        errors.seek(0)
        said = errors.read().decode(errors="replace")
    assert status == 0, f"status {status}: {said}"
    assert "panicked" not in said, said


@contextmanager
def limited(limit: int, soft: int) -> Iterator[None]:
    """A lower limit for a while."""
    before = resource.getrlimit(limit)
    resource.setrlimit(limit, (soft, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(limit, before)


@contextmanager
def memory_left(room: int) -> Iterator[None]:
    """So many bytes and no more; what the allocator keeps for later is given back first."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    with limited(resource.RLIMIT_AS, used + room):
        yield


@contextmanager
def no_threads_left() -> Iterator[None]:
    """As somebody for whom the limit holds: it does not for root."""
    root = os.geteuid() == 0
    if root:
        os.setresuid(65534, 65534, 0)
    with limited(resource.RLIMIT_NPROC, 0):
        yield
    if root:
        os.setresuid(0, 0, 0)


@tries(6)
@given(st.sampled_from(list(ARRAYS)), rooms)
def test_arrays_that_do_not_fit_are_an_error(name: str, room: int) -> None:
    def work() -> None:
        with memory_left(room):
            assert isinstance(call(ARRAYS[name], also=(MemoryError,)).error, MemoryError)
        gc.collect()
        assert walk(1)[2].clone() == walk(1)[2]
        assert sarai.rollout("sho", num_games=20, seed=3, num_threads=1) == expected()

    in_child(work)


OPERATIONS: dict[str, Callable[[Driven, Any], Any]] = {
    "step": lambda driven, action: driven.env.step(action),
    "reset": lambda driven, _: driven.env.reset(seed=4),
    "deepcopy": lambda driven, _: [copy.deepcopy(driven.env) for _ in range(30)],
    "look": lambda driven, _: [driven.stands() for _ in range(30)],
}


@tries(6)
@given(settings_of(), st.sampled_from(list(OPERATIONS)), rooms, st.integers(0, 99))
def test_memory_that_ends_within_an_environment(setting: Setting, name: str, room: int, seed: int) -> None:
    env, twin = setting.begun(seed), setting.begun(seed)
    action = twin.chosen(seed)

    def work() -> None:
        before = twin.stands()
        with memory_left(room):
            met = call(OPERATIONS[name], env, action, also=(MemoryError,))
        if met.error is None or env.stands() != before:
            OPERATIONS[name](twin, action)
        assert env.stands() == twin.stands(), "neither all of it nor nothing"
        goes_on(env, twin, seed)

    in_child(work)


def goes_on(env: Driven, twin: Driven, seed: int) -> None:
    """Both tell the same for a while."""
    for _ in range(3):
        for each in (env, twin):
            each.ready()
        following = twin.chosen(seed)
        assert env.step(following) == twin.step(following)


THREADS: dict[str, Callable[[int | None], Any]] = {
    **{name: lambda _, work=work: work() for name, work in WORK.items()},  # type: ignore[misc]
    "threads of a rollout": lambda threads: sarai.rollout("sho", num_games=400, num_threads=threads, seed=0),
    "threads of lanes": lambda threads: sarai.SelfPlayVectorEnv("sho", 4096, num_threads=threads).reset(),
    "threads of series": lambda threads: sarai.series(
        "sho", num_series=300, target=1, num_threads=threads, seed=0
    ),
    "threads of trajectories": lambda threads: sarai.trajectories(
        "sho", num_games=300, num_threads=threads, seed=0
    ),
}


@tries(6)
@given(st.sampled_from(list(THREADS)), st.sampled_from([None, 2, 3, 9]))
def test_threads_that_are_refused(name: str, threads: int | None) -> None:
    def work() -> None:
        with no_threads_left():
            met = call(THREADS[name], threads, also=(RuntimeError,))
        assert met.error is None or "thread" in str(met.error)
        THREADS[name](threads)

    in_child(work)


@tries(6)
@given(settings_of(), st.integers(0, 99))
def test_crowds_of_threads(setting: Setting, seed: int) -> None:
    def work() -> None:
        env, twin = setting.begun(seed), setting.begun(5)
        state = walk(0)[0].clone()
        wrong: list[BaseException] = []
        ask = (lambda: env.env.observe("player_0")) if setting.kind == "turns" else env.env.sample_legal

        def meddle(rng: random.Random) -> None:
            try:
                for _ in range(30):
                    actions = [rng.randrange(20)] * LANES
                    calls: list[Callable[[], Any]] = [
                        lambda: env.env.step(actions if setting.lanes else actions[0]),  # noqa: B023
                        *(env.env.reset, env.env._repr_svg_, ask, lambda: str(state)),
                        lambda: state.apply_action(rng.choice(choices(state) or [0])),
                    ]
                    call(rng.choice(calls), also=(RuntimeError, ResetNeeded))
            except BaseException as error:
                wrong.append(error)

        threads = [threading.Thread(target=meddle, args=(random.Random(seed + each),)) for each in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if wrong:
            raise wrong[0]
        assert state.get_game().state_from_dict(state.to_dict()) == state
        env.env.reset(seed=5)
        goes_on(env, twin, seed)

    in_child(work)


@pytest.mark.nightly
@tries(5)
@given(st.sampled_from([1, 2, 3]), st.sampled_from([2, 3]))
def test_children_that_are_forked_while_another_thread_plays(threads: int, others: int) -> None:
    def work() -> None:
        going, ended = threading.Event(), threading.Event()

        def play() -> None:
            while not ended.is_set():
                sarai.rollout(short("sho"), "random", 200, num_threads=others, seed=0)
                going.set()

        due = sarai.rollout(short("sho"), num_games=300, seed=5, num_threads=1)
        player = threading.Thread(target=play)
        player.start()
        going.wait()
        try:
            for _ in range(3):
                child = fork()
                if child == 0:
                    again = sarai.rollout(short("sho"), num_games=300, seed=5, num_threads=threads)
                    os._exit(0 if again == due else 3)
                assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        finally:
            ended.set()
            player.join()

    in_child(work)


@pytest.mark.nightly
@tries(10)
@given(command_line.commands(), command_line.typing, st.sampled_from(["COLUMNS", "LINES"]))
def test_a_screen_that_takes_all_memory(words: list[str], typed: bytes | None, name: str) -> None:
    def work() -> None:
        with memory_left(1 << 30):
            command_line.judged(words, typed, {name: "99999999"}, "utf-8", "kept", None)

    with tempfile.TemporaryDirectory() as folder:
        before = Path.cwd()
        os.chdir(folder)
        in_child(work)
        os.chdir(before)


AROUND = [
    {"MPLBACKEND": "nothing"},
    {"MPLBACKEND": "Qt5Agg"},
    {"MPLBACKEND": "\u0301"},
    {"MPLCONFIGDIR": "/nowhere"},
    *({"PYTHONIOENCODING": "ascii"}, {"COLUMNS": "0"}, {"TERM": "dumb"}, {"RAYON_NUM_THREADS": "x"}),
]


@pytest.mark.nightly
@tries(2)
@given(
    st.sampled_from(AROUND),
    st.sampled_from([[], ["-OO"], ["-W", "error"], ["-X", "dev"]]),
    games,
    st.booleans(),
)
def test_surroundings_set_before_python_begins(
    around: dict[str, str], flags: list[str], name: str, helps: bool
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        words = (
            ["rollout", "--help"]
            if helps
            else ["rollout", name, "--games", "3", "--picture", f"{folder}/x.svg"]
        )
        done = subprocess.run(
            [sys.executable, *flags, "-m", "sarai", *words],
            env={**os.environ, **around},
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
        )
    assert done.returncode in (0, 1, 2), done.stderr
    assert "Traceback" not in done.stderr
    assert not helps or "Example" in done.stdout
