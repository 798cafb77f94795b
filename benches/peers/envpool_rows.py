"""The vector environment with opponents beside EnvPool's backgammon, one thread each."""

from __future__ import annotations

import time
from importlib.metadata import version

import envpool
import gymnasium
import numpy as np

from table import Measure, Row

NOTES = [
    "EnvPool's Backgammon-v1 asks for both players' actions, its 1,024 lanes on one thread; ours plays the random "
    "opponent and the dice inside the step, so that a step of ours holds about twice the decisions.",
    "Timed is step alone.",
]
STEPS = 200
THEIR_LANES = 1_024
OUR_LANES = 4_096


def theirs() -> Measure:
    """EnvPool's lane-steps a second: all lanes stepped at once, with actions that are legal."""
    env = envpool.make(
        "Backgammon-v1", env_type="gymnasium", num_envs=THEIR_LANES, batch_size=THEIR_LANES, num_threads=1
    )
    _, info = env.reset()

    def measure(seed: int) -> float:
        nonlocal info
        rng = np.random.default_rng(seed)
        seconds = 0.0
        for _ in range(STEPS):
            masks = info["legal_action_mask"]
            actions = (rng.random(masks.shape, np.float32) * (masks != 0)).argmax(axis=1).astype(np.int32)
            # Rows come in the order in which they are done: who they are stands in env_id.
            lanes = info["env_id"].astype(np.int32)
            start = time.perf_counter()
            *_, info = env.step(actions, lanes)
            seconds += time.perf_counter() - start
        return STEPS * THEIR_LANES / seconds

    return measure


def ours() -> Measure:
    """Our lane-steps a second, with the same timing."""
    env = gymnasium.make_vec(
        "sarai/Shuanglu-v0", OUR_LANES, preset="backgammon", opponents="random", seed=1, num_threads=1
    )
    env.reset()

    def measure(seed: int) -> float:
        rng = np.random.default_rng(seed)
        seconds = 0.0
        for _ in range(STEPS):
            actions = env.unwrapped.sample_legal(rng)
            start = time.perf_counter()
            env.step(actions)
            seconds += time.perf_counter() - start
        return STEPS * OUR_LANES / seconds

    return measure


def rows() -> list[Row]:
    """Backgammon, which both have."""
    peer = f"EnvPool {version('envpool')}"
    return [Row("backgammon, make_vec with a random opponent", "lane-steps/s", ours(), peer, theirs())]
