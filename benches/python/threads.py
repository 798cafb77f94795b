"""How much two threads gain over one, for every kind of work that is shared among threads.

Each round measures one thread and two in turn, and the ratio is the median of the rounds' ratios. The first two rows
are nothing of ours, and threads share nothing in them: hashing, which mostly waits for its own results, and sums of an
array in the cache, which keep a core busy. They show what a second processor of this machine is worth. Where that is
less than 2, something else runs, or the two are halves of one core, and the other rows are less too. On a virtual
machine that can change from one second to the next.

Self-play has a last column. There the same steps are made by two processes with half of the lanes each, which neither
share anything nor wait for each other between steps: as much as threads could gain, measured in the same rounds.

    python benches/python/threads.py [--rounds 61] [--seconds 0.05]
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import multiprocessing
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection

import numpy as np

import sarai

Work = Callable[[], object]
"""What is measured; it gives the seconds that count, as a float, where not all of them do."""


def hashing(pieces: int) -> Callable[[int], Work]:
    """Pieces of work, some milliseconds each, in which the GIL is not held: whichever thread is free takes the next."""
    return each(pieces, lambda: hashlib.pbkdf2_hmac("sha256", b"", b"", 5000))


def sums(pieces: int) -> Callable[[int], Work]:
    """The same, adding up 64 KiB over and over."""
    rows = np.broadcast_to(np.ones(1 << 16, np.uint8), (800, 1 << 16))
    return each(pieces, lambda: rows.sum(axis=0, dtype=np.uint8))


def each(pieces: int, piece: Work) -> Callable[[int], Work]:
    """So many pieces of work, in a pool of threads."""

    def on(threads: int) -> Work:
        pool = ThreadPoolExecutor(threads)
        return lambda: list(pool.map(lambda _: piece(), range(pieces)))

    return on


def rollout(game: str, agents: str, num_games: int) -> Callable[[int], Work]:
    """A whole rollout."""

    def on(threads: int) -> Work:
        return lambda: sarai.rollout(game, agents, num_games, seed=1, num_threads=threads)

    return on


def self_play(game: str, num_envs: int, pause: float = 0) -> Callable[[int], Work]:
    """Steps of every seat by the caller, who always takes the lowest legal action; after a pause in seconds."""

    def on(threads: int) -> Work:
        env = sarai.SelfPlayVectorEnv(game, num_envs, seed=1, num_threads=threads)
        env.reset()
        # Actions for many steps, chosen beforehand: nothing but the step is measured.
        plan = []
        for _ in range(50):
            actions = env.action_masks().argmax(axis=1)
            plan.append(actions)
            env.step(actions)

        def play() -> float:
            env.reset(seed=1)
            if pause:
                time.sleep(pause)
            start = time.perf_counter()
            for actions in plan:
                # Kept until the next is there, as by a caller who chooses by it: so two sets of arrays take turns.
                _stepped = env.step(actions)
            return time.perf_counter() - start

        return play

    return on


def in_processes(game: str, num_envs: int, processes: int) -> Work:
    """The same in processes of one thread each, which divide the lanes among themselves; the time of the slowest."""
    # A fork would copy the locks of the threads and not the threads.
    spawn = multiprocessing.get_context("spawn")
    pipes = []
    for _ in range(processes):
        pipe, end = spawn.Pipe()
        spawn.Process(target=serve, args=(end, game, num_envs // processes), daemon=True).start()
        # Now only the process holds its end: should it die, the next word from it is an error and not awaited for ever.
        end.close()
        pipes.append(pipe)

    def play() -> float:
        for pipe in pipes:
            pipe.send(None)
        slowest: float = max(pipe.recv() for pipe in pipes)
        return slowest

    return play


def serve(pipe: Connection, game: str, num_envs: int) -> None:
    """Play whenever the pipe says so, and say how many seconds it took, until the pipe is closed."""
    play = self_play(game, num_envs)(1)
    with contextlib.suppress(EOFError):
        while True:
            pipe.recv()
            pipe.send(play())


def against(game: str, opponents: str, num_envs: int, steps: int) -> Callable[[int], Work]:
    """Steps of one learner against agents of the engine."""

    def on(threads: int) -> Work:
        env = sarai.SingleAgentVectorEnv(game, num_envs, opponents=opponents, seed=1, num_threads=threads)

        def play() -> None:
            env.reset(seed=1)
            for _ in range(steps):
                env.step(env.action_masks().argmax(axis=1))

        return play

    return on


def resets(game: str, opponents: str, num_envs: int) -> Callable[[int], Work]:
    """New games in all lanes, up to the learner's first decision."""

    def on(threads: int) -> Work:
        env = sarai.SingleAgentVectorEnv(
            game, num_envs, seat=1, opponents=opponents, seed=1, num_threads=threads
        )
        return lambda: env.reset(seed=1)

    return on


KINDS: dict[str, Callable[[int], Work]] = {
    "hashing, which shares nothing": hashing(16),
    "sums, which share nothing": sums(16),
    "rollout of 4,096 random games, sho": rollout("sho", "random", 4096),
    "rollout of 4,096 random games, shah": rollout("shah", "random", 4096),
    "rollout of 1,000 greedy games, shuanglu": rollout("shuanglu", "greedy", 1000),
    "rollout of 40 games of mcts:10, shah": rollout("shah", "mcts:10", 40),
    "self-play of 4,096 lanes, sho": self_play("sho", 4096),
    "self-play of 4,096 lanes, shah": self_play("shah", 4096),
    "self-play of 4,096 lanes, tshupu": self_play("tshupu", 4096),
    "self-play of 4,096 lanes, shuanglu": self_play("shuanglu", 4096),
    "self-play of 1,024 lanes, sho": self_play("sho", 1024),
    "self-play of 1,024 lanes, shah": self_play("shah", 1024),
    "self-play of 1,024 lanes, tshupu": self_play("tshupu", 1024),
    "self-play of 1,024 lanes, shuanglu": self_play("shuanglu", 1024),
    "50 steps of 4,096 lanes, shah, after 20 ms": self_play("shah", 4096, pause=0.02),
    "64 lanes against mcts:50, shuanglu": against("shuanglu", "mcts:50", 64, 1),
    "64 lanes against mcts:50, shah": against("shah", "mcts:50", 64, 1),
    "reset of 64 lanes against mcts:50, sho": resets("sho", "mcts:50", 64),
    "reset of 65,536 lanes against random, sho": resets("sho", "random", 65_536),
}

IN_PROCESSES = {f"self-play of 4,096 lanes, {game}": game for game in sarai.games()}
"""The rows that are measured in processes as well, and their games."""


def seconds(work: Work, at_least: float) -> float:
    """The time of one run, from as many as fill the time given."""
    runs, taken = 0, 0.0
    while True:
        start = time.perf_counter()
        told = work()
        taken += told if isinstance(told, float) else time.perf_counter() - start
        runs += 1
        if taken >= at_least:
            return taken / runs


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=61)
    parser.add_argument("--seconds", type=float, default=0.05)
    arguments = parser.parse_args()
    print(f"{'':45}{'1 thread':>12}{'2 threads':>12}{'ratio':>8}{'processes':>12}")
    for name, kind in KINDS.items():
        works = [kind(1), kind(2)]
        if name in IN_PROCESSES:
            works.append(in_processes(IN_PROCESSES[name], 4096, 2))
        for work in works:
            work()
        times = np.array(
            [[seconds(work, arguments.seconds) for work in works] for _ in range(arguments.rounds)]
        )
        alone, together = np.median(times, axis=0)[:2] * 1000
        ratios = np.median(times[:, :1] / times[:, 1:], axis=0)
        told = "".join(f"{ratio:{width}.2f}" for ratio, width in zip(ratios, (8, 12), strict=False))
        print(f"{name:45}{alone:9.2f} ms{together:9.2f} ms{told}", flush=True)


if __name__ == "__main__":
    main()
