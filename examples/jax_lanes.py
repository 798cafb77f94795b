"""A policy of JAX over thousands of games, in two loops, and how fast they are.

    pip install "sarai" jax
    python examples/jax_lanes.py shuanglu --lanes 1024

`stepped` is a loop in Python around a jitted policy and the environment. `scanned` is one compiled program: `lax.scan`
calls the environment through `io_callback`, so a whole rollout can be part of a larger jitted function. Both play the
same games.

JAX copies the arrays that it takes. `jax.dlpack.from_dlpack` copies them too, because XLA needs memory aligned to 64
bytes and NumPy aligns to 16; with `copy=False`, that is an error.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import io_callback

import sarai


def network(game: sarai.Game, key: jax.Array, width: int = 64) -> list[jax.Array]:
    """Random weights of a small network."""
    sizes = [game.observation_shape[0], width, game.num_actions]
    keys = jax.random.split(key, 2)
    return [jax.random.normal(keys[i], sizes[i : i + 2]) / sizes[i] ** 0.5 for i in range(2)]


def policy(weights: list[jax.Array], view: dict[str, Any], key: jax.Array) -> jax.Array:
    """A legal action for each lane, drawn by the probabilities of the network."""
    hidden = jnp.tanh(view["observation"].astype(jnp.float32) @ weights[0])
    return jax.random.categorical(key, jnp.where(view["action_mask"] == 1, hidden @ weights[1], -jnp.inf))


def stepped(envs: sarai.SelfPlayVectorEnv) -> Callable[..., Any]:
    """A loop: (weights, view, keys) -> the next view, and actions and rewards with a row for each step."""
    choose = jax.jit(policy)

    def run(weights: list[jax.Array], view: dict[str, Any], keys: jax.Array) -> Any:
        rows = []
        for key in keys:
            actions = np.asarray(choose(weights, view, key))
            view, rewards, *_ = envs.step(actions)
            rows.append((actions, rewards))
        return view, tuple(map(np.stack, zip(*rows, strict=True)))

    return run


def scanned(envs: sarai.SelfPlayVectorEnv) -> Callable[..., Any]:
    """The same as one compiled program."""
    spaces = envs.observation_space.spaces
    shapes = {name: jax.ShapeDtypeStruct(space.shape, space.dtype) for name, space in spaces.items()}
    paid = jax.ShapeDtypeStruct((envs.num_envs, envs.game.num_players), np.float32)

    def step(actions: jax.Array) -> tuple[dict[str, Any], np.ndarray]:
        view, rewards, *_ = envs.step(np.asarray(actions))
        return view, rewards

    def body(carry: tuple[Any, dict[str, Any]], key: jax.Array) -> Any:
        weights, view = carry
        actions = policy(weights, view, key)
        # Ordered: a step must not be moved, left out, or taken twice.
        view, rewards = io_callback(step, (shapes, paid), actions, ordered=True)
        return (weights, view), (actions, rewards)

    @jax.jit
    def run(weights: list[jax.Array], view: dict[str, Any], keys: jax.Array) -> Any:
        (_, view), rows = jax.lax.scan(body, (weights, view), keys)
        return view, rows

    return run


def main() -> None:
    parser = argparse.ArgumentParser(description="Play with a random network in JAX, and measure the speed.")
    parser.add_argument("game", nargs="?", default="shuanglu")
    parser.add_argument("--lanes", type=int, default=1024)
    parser.add_argument("--steps", type=int, default=200, help="steps of each loop in a round")
    parser.add_argument("--rounds", type=int, default=5, help="rounds; the fastest counts")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error(f"--rounds got {options.rounds}; it takes 1 or more")
    for loop in (stepped, scanned):
        envs = sarai.SelfPlayVectorEnv(options.game, options.lanes, autoreset_mode="SameStep", seed=1)
        weights, (view, _), run = network(envs.game, jax.random.key(1)), envs.reset(), loop(envs)
        keys = jax.random.split(jax.random.key(2), options.steps)
        seconds = []
        # The first round compiles.
        for _ in range(options.rounds + 1):
            start = time.perf_counter()
            view, _ = jax.block_until_ready(run(weights, view, keys))
            seconds.append(time.perf_counter() - start)
        speed = options.lanes * options.steps / min(seconds[1:])
        print(f"{loop.__name__}: {speed:,.0f} steps a second, {options.lanes:,} lanes of {envs.game}")


if __name__ == "__main__":
    main()
