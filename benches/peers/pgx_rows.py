"""Self-play lanes beside pgx's backgammon on the processor, one thread each."""

from __future__ import annotations

import os
import time
from importlib.metadata import version

# Read when JAX is imported: one thread, no accelerator.
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np
import pgx
from pgx.experimental import auto_reset

import sarai
from table import Measure, Row

NOTES = [
    "pgx's step is compiled, vmapped over 1,024 lanes, with its automatic reset; XLA is told to use one thread. "
    "Actions are drawn among the legal ones outside the timing, as ours are.",
]
STEPS = 60
THEIR_LANES = 1_024
OUR_LANES = 4_096


def theirs() -> Measure:
    """The lane-steps a second of pgx."""
    env = pgx.make("backgammon")
    begin = jax.jit(jax.vmap(env.init))
    step = jax.jit(jax.vmap(auto_reset(env.step, env.init)))
    draw = jax.jit(lambda key, masks: jax.random.categorical(key, jnp.where(masks, 0.0, -jnp.inf), axis=-1))
    state = begin(jax.random.split(jax.random.PRNGKey(0), THEIR_LANES))

    def measure(seed: int) -> float:
        nonlocal state
        key = jax.random.PRNGKey(seed)
        seconds = 0.0
        for _ in range(STEPS):
            key, of_actions, of_dice = jax.random.split(key, 3)
            actions = draw(of_actions, state.legal_action_mask)
            keys = jax.block_until_ready((actions, jax.random.split(of_dice, THEIR_LANES)))[1]
            start = time.perf_counter()
            state = jax.block_until_ready(step(state, actions, keys))
            seconds += time.perf_counter() - start
        return STEPS * THEIR_LANES / seconds

    return measure


def ours() -> Measure:
    """Our lane-steps a second, with the same timing."""
    env = sarai.SelfPlayVectorEnv("shuanglu", OUR_LANES, preset="backgammon", seed=1, num_threads=1)
    env.reset()

    def measure(seed: int) -> float:
        rng = np.random.default_rng(seed)
        seconds = 0.0
        for _ in range(STEPS):
            actions = env.sample_legal(rng)
            start = time.perf_counter()
            env.step(actions)
            seconds += time.perf_counter() - start
        return STEPS * OUR_LANES / seconds

    return measure


def rows() -> list[Row]:
    """Backgammon, which both have."""
    return [
        Row(
            "backgammon, self-play lanes",
            "lane-steps/s",
            ours(),
            f"pgx {version('pgx')} on the CPU",
            theirs(),
        )
    ]
