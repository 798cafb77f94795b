"""`SelfPlayVectorEnv.step` of every game: lane-steps a second, observations and masks included.

The peer in the same run is copying arrays of the same size with numpy, which no step can beat.
"""

from __future__ import annotations

import time

import numpy as np

import sarai

LANES = 4096
STEPS = 300


def lane_steps(env: sarai.SelfPlayVectorEnv, steps: int) -> tuple[float, float]:
    """Lane-steps a second over all steps and in the median step; choosing the actions is not counted."""
    rng = np.random.default_rng(1)
    env.reset()
    times = []
    for _ in range(steps):
        actions = env.sample_legal(rng)
        start = time.perf_counter()
        env.step(actions)
        times.append(time.perf_counter() - start)
    return env.num_envs * steps / sum(times), env.num_envs / float(np.median(times))


def copies(env: sarai.SelfPlayVectorEnv) -> float:
    """Lane-copies a second: observation and mask, memory to memory."""
    observation, _ = env.reset()
    into = {name: np.empty_like(array) for name, array in observation.items()}
    times = []
    for _ in range(200):
        start = time.perf_counter()
        for name, array in observation.items():
            np.copyto(into[name], array)
        times.append(time.perf_counter() - start)
    return env.num_envs / float(np.median(times))


def main() -> None:
    """Print a row a game and setting."""
    print(f"{'game':<10}{'threads':>8}{'copy':>6}{'mean/s':>14}{'median/s':>14}{'of a copy':>10}{'vs 1':>7}")
    for name in sarai.games():
        one = 0.0
        for threads, copy in ((1, True), (2, True), (1, False), (2, False)):
            env = sarai.SelfPlayVectorEnv(name, LANES, seed=1, num_threads=threads, copy=copy)
            mean, median = max((lane_steps(env, STEPS) for _ in range(3)), key=lambda pair: pair[1])
            one = median if threads == 1 else one
            print(
                f"{name:<10}{threads:>8}{copy!s:>6}{mean:>14,.0f}{median:>14,.0f}"
                f"{median / copies(env):>10.2f}{median / one:>7.2f}"
            )
        single = sarai.SelfPlayVectorEnv(name, 1, seed=1)
        _, median = lane_steps(single, 20_000)
        state = sarai.make(name).new_initial_state()
        start = time.perf_counter()
        for _ in range(20_000):
            state.clone()
        clone = (time.perf_counter() - start) / 20_000
        print(
            f"{name:<10}one lane: {1e6 / median:.2f} microseconds a step (a State.clone(): {1e6 * clone:.2f})"
        )


if __name__ == "__main__":
    main()
