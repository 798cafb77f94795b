"""Faults of the system: no memory, no threads, a fork while another thread plays."""

from __future__ import annotations

import copy
import ctypes
import gc
import json
import os
import pickle
import random
import resource
import subprocess
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from gymnasium.error import ResetNeeded

import sarai
from attack import worlds
from attack.calls import SHORT
from attack.driven import LANES, Setting, go_on, lowest, twins
from attack.scratch import folder
from attack.trial import FoundError, Trial, shown

_NOBODY = 65534


def prepare() -> None:
    """Do everything once: whatever is imported when it is used must be there before nothing can be read."""
    warm = Trial(random.Random(1))
    for name in WORK:
        WORK[name](warm.rng)
    sarai.rollout("sho", 50, num_threads=1)


def attack(trial: Trial) -> None:
    """One case, in a child: its memory is such as nobody has used before, and it may end as it likes."""
    cases = (no_memory, no_memory, no_memory, no_threads, no_threads, forks, crowds, crowds, processes)
    case = trial.rng.choice(cases)
    reading, writing = os.pipe()
    with tempfile.TemporaryFile() as errors:
        child = fork()
        if child == 0:
            os.dup2(errors.fileno(), 2)
            _in_child(trial, case, writing)
        os.close(writing)
        with open(reading) as file:
            told = file.read()
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        errors.seek(0)
        said = errors.read().decode(errors="replace")
    ended = f"{case.__name__}: status {status}: {shown(said[:400])}"
    trial.hold(status == 0, ended, "the process goes on")
    trial.hold("panicked" not in said, ended, "no panic")
    heard = json.loads(told)
    trial.met.update(heard["met"])
    trial.hold("came" not in heard, str(heard.get("came")), str(heard.get("due")))


def fork() -> int:
    """What `os.fork` does, which newer Pythons warn of where there are threads."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def _in_child(trial: Trial, case: Callable[[Trial], None], writing: int) -> None:
    """What a child does; it never returns."""
    status = 1
    try:
        told: dict[str, Any] = {}
        try:
            case(trial)
        except FoundError as error:
            told = {"came": error.came, "due": error.due}
        except BaseException as error:
            told = {"came": f"in between: {error!r:.300}", "due": "no error outside of what is tried"}
        with open(writing, "w") as file:
            json.dump({"met": trial.met, **told}, file)
        status = 0
    finally:
        os._exit(status)


def _rollout(rng: random.Random, **given: Any) -> Any:
    agents: Any = rng.choice(["random", "greedy", "mcts:2", lowest])
    return sarai.rollout(rng.choice(worlds.GAMES), rng.choice([1, 40, 400]), agents, seed=7, **given)


def _trajectories(rng: random.Random) -> Any:
    name = rng.choice(worlds.GAMES)
    return sarai.trajectories(name, rng.choice([1, 40]), seed=7, num_threads=1, rules=SHORT[name])


def _lanes(rng: random.Random) -> Any:
    env = sarai.SelfPlayVectorEnv(
        rng.choice(worlds.GAMES), rng.choice([1, 64, 20_000]), seed=1, num_threads=1
    )
    env.reset(seed=2)
    return env.step(env.sample_legal())


WORK: dict[str, Callable[[random.Random], Any]] = {
    "rollout": lambda rng: _rollout(rng, num_threads=1),
    "keep": lambda rng: sarai.rollout("tshupu", 30, keep=range(30), num_threads=1),
    "trajectories": _trajectories,
    "series": lambda rng: sarai.rollout_series("sho", 40, target=2, rules=SHORT["sho"], num_threads=1),
    "lanes": _lanes,
    "search": lambda rng: sarai.choose(
        sarai.make("shah").new_initial_state(), rng.choice(["mcts:10", "mcts:3000"])
    ),
    "perft": lambda rng: sarai.perft(sarai.make("shah").new_initial_state(), 2),
    "clones": lambda rng: [worlds.walk(0, 0)[0].clone() for _ in range(rng.choice([10, 200_000]))],
    "pickles": lambda rng: [pickle.loads(pickle.dumps(worlds.walk(1, 0)[3])) for _ in range(2000)],
    "json": lambda rng: [state.to_dict() for state in worlds.walk(1, 0) for _ in range(20)],
    "picture": lambda rng: worlds.walk(2, 0)[5]._repr_svg_(),
    "record": lambda rng: sarai.Record.from_json(sarai.Record.play("sho", seed=1).to_json()),
    "views": lambda rng: [
        state.observation_tensor(0) for state in worlds.walk(0, 0) for _ in range(100) if state
    ],
    "html": lambda rng: sarai.make(rng.choice(worlds.GAMES))._repr_html_(),
}
"""What is tried while something is refused."""

HUNGRY: dict[str, Callable[[random.Random], Any]] = {
    "arrays": lambda rng: sarai.rollout("sho", 5_000_000, num_threads=1),
    "decisions": lambda rng: sarai.trajectories(rng.choice(worlds.GAMES), 3000, num_threads=1),
    "many lanes": lambda rng: sarai.SelfPlayVectorEnv(
        rng.choice(worlds.GAMES), 400_000, seed=1, num_threads=1
    ),
    "learner's lanes": lambda rng: sarai.SingleAgentVectorEnv("sho", 400_000, seed=1, num_threads=1),
    "long search": lambda rng: sarai.choose(worlds.game(6).new_initial_state(), "mcts:100000"),
    "many clones": lambda rng: [worlds.walk(0, 0)[0].clone() for _ in range(10_000_000)],
    "many series": lambda rng: sarai.rollout_series("shah", 100_000, max_games=1000, target=1, num_threads=1),
    "many kept": lambda rng: sarai.rollout("tshupu", 1000, keep=range(1000), num_threads=1),
    "many dicts": lambda rng: [state.to_dict() for _ in range(10_000) for state in worlds.walk(1, 0)],
    "many texts": lambda rng: [worlds.walk(1, 0)[3]._repr_svg_() + str(place) for place in range(100_000)],
    "many environments": lambda rng: [
        sarai.SelfPlayVectorEnv("sho", 500, seed=1, num_threads=1) for _ in range(500)
    ],
}
"""What takes more than is ever left."""

ROOMS = tuple(megabytes << 20 for megabytes in (1, 2, 3, 5, 8, 16))
"""How many bytes are left. With less than a megabyte no library can promise to go on: the engine asks for room before
whatever is large, but Rust ends the process where the text of a few bytes finds none, and so does CPython where there
is none for the error itself.
"""


def _say(words: str) -> None:
    """Tell what comes next, where the process may end in it."""
    os.write(2, words.encode())


@contextmanager
def refused(limit: int, soft: int) -> Iterator[None]:
    """A lower limit for a while."""
    before = resource.getrlimit(limit)
    resource.setrlimit(limit, (soft, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(limit, before)


def no_memory(trial: Trial) -> None:
    """Memory that ends somewhere within a call: a MemoryError or the result, and life goes on."""
    rng = trial.rng
    if rng.random() < 0.5:
        works = {**WORK, **HUNGRY}
        name = rng.choice(list(works))
        seed, room = rng.random(), rng.choice(ROOMS)
        trimmed()
        _say(f"{name}, {room} bytes left: ")
        with refused(resource.RLIMIT_AS, used() + room):
            trial.call(works[name], random.Random(seed), also=(MemoryError,))
    else:
        name = within_an_environment(trial)
    gc.collect()
    state = worlds.walk(1, 0)[2].clone()
    trial.hold(state == worlds.walk(1, 0)[2], f"a state after {name}", "an equal one")
    expected = expected_rollout()
    trial.hold(
        sarai.rollout("sho", 20, seed=3, num_threads=1) == expected,
        f"a rollout after {name}",
        "the same games",
    )


@cache
def expected_rollout() -> sarai.Rollout:
    """What this rollout is where nothing is refused."""
    return sarai.rollout("sho", 20, seed=3, num_threads=1)


def used() -> int:
    """Bytes of address space in use."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def trimmed() -> None:
    """Give back what the allocator keeps for later: it would go on for a long time with that."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)


def within_an_environment(trial: Trial) -> str:
    """A step, a reset or a copy without memory: done or not, and the environment goes on as its twin does."""
    rng = trial.rng
    setting = Setting.any(rng)
    env, twin = twins(trial, setting)
    action = twin.chosen(rng)
    kinds: dict[str, Callable[[Any], Any]] = {
        "step": lambda driven: driven.env.step(action),
        "reset": lambda driven: driven.env.reset(seed=4),
        "deepcopy": lambda driven: [copy.deepcopy(driven.env) for _ in range(30)],
        "look": lambda driven: [driven.stands() for _ in range(30)],
    }
    name = rng.choice(list(kinds))
    if "policy" in setting.kind and name == "deepcopy":
        name = "look"
    before = twin.stands()
    room = rng.choice(ROOMS)
    trimmed()
    _say(f"{setting}, {name}, {room} bytes left: ")
    with refused(resource.RLIMIT_AS, used() + room):
        met = trial.call(kinds[name], env, also=(MemoryError,))
    words = f"{setting}: {name} without memory"
    if met.error is None or env.stands() != before:
        kinds[name](twin)
        trial.hold(env.stands() == twin.stands(), words, "all of it or nothing")
    go_on(trial, env, twin, 3, words)
    return words


def no_threads(trial: Trial) -> None:
    """No thread to be had: one thread does the work, or a RuntimeError says what to do."""
    rng = trial.rng
    works: list[Callable[[random.Random], Any]] = [
        *(WORK.values()),
        lambda rng: _rollout(rng, num_threads=rng.choice([None, 2, 3, 7])),
        lambda rng: sarai.SelfPlayVectorEnv("sho", 4096, seed=1, num_threads=rng.choice([None, 3, 9])).reset(
            seed=1
        ),
        lambda rng: sarai.rollout_series("sho", 300, target=1, num_threads=5, rules=SHORT["sho"]),
        lambda rng: sarai.trajectories("sho", 300, num_threads=4, rules=SHORT["sho"]),
    ]
    work = rng.choice(works)
    seed = rng.random()
    with nobody(), refused(resource.RLIMIT_NPROC, 0):
        met = trial.call(work, random.Random(seed), also=(RuntimeError,))
    if isinstance(met.error, RuntimeError):
        trial.hold("thread" in str(met.error), f"{shown(str(met.error))}", "a sentence about threads")
    again = trial.call(work, random.Random(seed))
    trial.hold(again.error is None, lambda: f"with threads once more: {again.error!r}", "the work done")


@contextmanager
def nobody() -> Iterator[None]:
    """Somebody for whom the limit of threads holds: it does not for root."""
    if os.geteuid() != 0:
        yield
        return
    os.setresuid(_NOBODY, _NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


def forks(trial: Trial) -> None:
    """A child that is forked while another thread plays, plays the same games."""
    rng = trial.rng
    threads = rng.choice([1, 2, 3])
    going, ended = threading.Event(), threading.Event()

    def play() -> None:
        count = rng.choice([2, 3])
        while not ended.is_set():
            sarai.rollout("sho", 200, "random", num_threads=count, rules=SHORT["sho"])
            sarai.SelfPlayVectorEnv("sho", 4096, num_threads=count, seed=1).reset(seed=1)
            going.set()

    expected = sarai.rollout("sho", 300, seed=5, num_threads=1, rules=SHORT["sho"])
    player = threading.Thread(target=play)
    player.start()
    going.wait()
    trial.met["forks"] += 3
    statuses = []
    try:
        for _ in range(3):
            child = fork()
            if child == 0:
                code = 1
                try:
                    same = (
                        sarai.rollout("sho", 300, seed=5, num_threads=threads, rules=SHORT["sho"]) == expected
                    )
                    code = 0 if same else 3
                finally:
                    os._exit(code)
            statuses.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    finally:
        ended.set()
        player.join()
    trial.hold(statuses == [0, 0, 0], f"children of a fork ended with {statuses}", "0 and the same games")


def crowds(trial: Trial) -> None:
    """Several threads at one environment and one state: each call is done or refused, and nothing is torn."""
    rng = trial.rng
    setting = Setting.any(rng)
    (env,) = twins(trial, setting, 1)
    state = worlds.walk(0, 0)[0].clone()
    wrong: list[FoundError] = []

    def work(own: random.Random) -> None:
        try:
            for _ in range(30):
                seen = trial.call(env.masks, also=(RuntimeError,)).value if setting.kind != "turns" else None
                action = 0 if seen is None else int(seen[0].argmax())
                calls: list[tuple[Any, ...]] = [
                    (env.env.step, [action] * LANES if setting.lanes else action),
                    (env.env.reset,),
                    (env.env._repr_svg_,),
                    (env.env.observe, "player_0") if setting.kind == "turns" else (env.env.sample_legal,),
                    (state.apply_action, own.choice(worlds.choices(state) or [0])),
                    (worlds.print_of, state),
                ]
                trial.call(*own.choice(calls), also=(RuntimeError, ResetNeeded))
        except FoundError as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(random.Random(rng.random()),)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for found in wrong:
        raise found
    written = state.get_game().state_from_dict(state.to_dict())
    trial.hold(written == state, f"a state in the hands of three threads: {state}", "a position")
    twin = setting.make(5)
    env.reset(5)
    go_on(trial, env, twin, 4, "after three threads were at it")


def processes(trial: Trial) -> None:
    """The command in a process of its own, in surroundings that are set before Python begins."""
    rng = trial.rng
    if rng.random() < 0.7:
        return no_memory(trial)
    around: dict[str, str] = rng.choice(
        [
            *({"MPLBACKEND": "nothing"}, {"MPLBACKEND": "Qt5Agg"}, {"MPLBACKEND": "\u0301"}),
            {"MPLCONFIGDIR": "/nowhere"},
            *({"PYTHONIOENCODING": "ascii"}, {"COLUMNS": "0"}, {"TERM": "dumb"}, {"RAYON_NUM_THREADS": "x"}),
        ]
    )
    flags = rng.choice([[], ["-OO"], ["-W", "error"], ["-X", "dev"]])
    picture = str(folder() / "chart.svg")
    words = rng.choice(
        [["rollout", "sho", "--games", "3", "--picture", picture], ["--help"], ["rollout", "--help"]]
    )
    done = subprocess.run(
        [sys.executable, *flags, "-m", "sarai", *words],
        env={**os.environ, **around},
        capture_output=True,
        text=True,
        errors="replace",
        stdin=subprocess.DEVNULL,
    )
    trial.met["processes"] += 1
    what = f"python {' '.join(flags)} -m sarai {' '.join(words)} with {around}"
    trial.hold(done.returncode in (0, 1, 2), f"{what}: status {done.returncode}", "0, 1 or 2")
    trial.hold("Traceback" not in done.stderr, f"{what}: {shown(done.stderr[-300:])}", "no traceback")
    if words[-1] == "--help":
        trial.hold("Example" in done.stdout, f"{what}: no examples", "the whole help")
    return None
