"""`SelfPlayVectorEnv.step` of every game: lane-steps a second, observations and masks included.

The settings take turns, step by step, so that a machine whose speed drifts slows all of them alike; choosing the
actions is not counted. The peer in the same run is numpy copying arrays of the same size, which no step can beat.
"""

from __future__ import annotations

import itertools
import time

import numpy as np

import sarai

LANES = 4096
STEPS = 1500


def timed(envs: dict[tuple[int, bool], sarai.SelfPlayVectorEnv]) -> dict[tuple[int, bool], float]:
    """The median time of a step in each environment, in seconds."""
    rng = np.random.default_rng(1)
    times: dict[tuple[int, bool], list[float]] = {setting: [] for setting in envs}
    for env in envs.values():
        env.reset()
    for _ in range(STEPS):
        for setting, env in envs.items():
            actions = env.sample_legal(rng)
            start = time.perf_counter()
            env.step(actions)
            times[setting].append(time.perf_counter() - start)
    return {setting: float(np.median(values)) for setting, values in times.items()}


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


def one_lane(name: str) -> float:
    """The median time of a step of a single lane, in seconds."""
    env = sarai.SelfPlayVectorEnv(name, 1, seed=1)
    return timed({(1, True): env})[1, True]


def main() -> None:
    """Print a row a game and setting."""
    print(f"{'game':<10}{'threads':>8}{'copy':>7}{'lane-steps/s':>14}{'vs 1 thread':>13}{'vs a copy':>11}")
    for name in sarai.games():
        settings = list(itertools.product((1, 2), (True, False)))
        envs = {
            (threads, copy): sarai.SelfPlayVectorEnv(name, LANES, seed=1, num_threads=threads, copy=copy)
            for threads, copy in settings
        }
        times = timed(envs)
        copied = copying(envs[1, True])
        for threads, copy in settings:
            mine = times[threads, copy]
            print(
                f"{name:<10}{threads:>8}{copy!s:>7}{LANES / mine:>14,.0f}"
                f"{times[1, copy] / mine:>13.2f}{copied / mine:>11.2f}"
            )
        print(f"{name:<10}a step of one lane: {1e6 * one_lane(name):.2f} microseconds")


if __name__ == "__main__":
    main()
