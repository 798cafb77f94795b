"""`SelfPlayVectorEnv.step` of every game: lane-steps a second, observations and masks included.

The same legal actions, chosen beforehand, are played again and again from the same seed, so that nothing but `step`
runs while the clock does. The settings take turns, so that a machine whose speed drifts slows all of them alike. The
peer in the same run is numpy copying arrays of the same size, which no step can beat.
"""

from __future__ import annotations

import itertools
import time

import numpy as np
from numpy.typing import NDArray

import sarai

LANES = 4096
STEPS = 300
ROUNDS = 9
SEED = 1


def some_actions(name: str, lanes: int, steps: int) -> list[NDArray[np.int64]]:
    """Legal actions for so many steps of the games of the seed."""
    env = sarai.SelfPlayVectorEnv(name, lanes, seed=SEED)
    env.reset()
    actions = []
    for _ in range(steps):
        actions.append(env.sample_legal())
        env.step(actions[-1])
    return actions


def timed(env: sarai.SelfPlayVectorEnv, actions: list[NDArray[np.int64]]) -> float:
    """The mean time of a step, in seconds."""
    env.reset(seed=SEED)
    start = time.perf_counter()
    for chosen in actions:
        env.step(chosen)
    return (time.perf_counter() - start) / len(actions)


def copying(env: sarai.SelfPlayVectorEnv) -> float:
    """The median time of copying a step's observations and masks, in seconds."""
    observation, _ = env.reset()
    into = {name: np.empty_like(array) for name, array in observation.items()}
    times = []
    for _ in range(200):
        start = time.perf_counter()
        for name, array in observation.items():
            np.copyto(into[name], array)
        times.append(time.perf_counter() - start)
    return float(np.median(times))


def main() -> None:
    """Print a row a game and setting."""
    print(f"{'game':<10}{'threads':>8}{'copy':>7}{'lane-steps/s':>14}{'vs 1 thread':>13}{'vs a copy':>11}")
    for name in sarai.games():
        settings = list(itertools.product((True, False), (1, 2)))
        envs = [
            sarai.SelfPlayVectorEnv(name, LANES, seed=SEED, num_threads=threads, copy=copy)
            for copy, threads in settings
        ]
        actions = some_actions(name, LANES, STEPS)
        rounds = np.array([[timed(env, actions) for env in envs] for _ in range(ROUNDS)])
        copied = copying(envs[0])
        for i, (copy, threads) in enumerate(settings):
            mine = float(np.median(rounds[:, i]))
            ratio = float(np.median(rounds[:, settings.index((copy, 1))] / rounds[:, i]))
            print(
                f"{name:<10}{threads:>8}{copy!s:>7}{LANES / mine:>14,.0f}{ratio:>13.2f}{copied / mine:>11.2f}"
            )
        single = sarai.SelfPlayVectorEnv(name, 1, seed=SEED)
        one_lane = some_actions(name, 1, 20_000)
        least = min(timed(single, one_lane) for _ in range(3))
        print(f"{name:<10}a step of one lane: {1e6 * least:.2f} microseconds")


if __name__ == "__main__":
    main()
