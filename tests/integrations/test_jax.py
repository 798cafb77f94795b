"""JAX over the lanes of an environment: a loop over NumPy arrays, and `lax.scan` with `io_callback`."""

# ruff: noqa: E402
from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")

import sarai

pytestmark = pytest.mark.heavy
LANES, STEPS = 64, 150


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[2] / "examples"))
    return importlib.import_module("jax_lanes")


def played(example: Any, loop: Any, name: str) -> Any:
    envs = sarai.SelfPlayVectorEnv(name, LANES, autoreset_mode="SameStep", seed=3)
    weights = example.network(envs.game, jax.random.key(1))
    view, _ = envs.reset()
    view, rows = loop(envs)(weights, view, jax.random.split(jax.random.key(2), STEPS))
    return [np.asarray(values) for values in (view["observation"], view["action_mask"], *rows)]


@pytest.mark.parametrize("name", sarai.games())
def test_both_loops_play_the_same_games(example: Any, name: str) -> None:
    stepped, scanned = (played(example, loop, name) for loop in (example.stepped, example.scanned))
    assert [values.shape for values in stepped] == [values.shape for values in scanned]
    *_, actions, rewards = stepped
    # Sums of floats come in another order in a larger program, so that a draw may fall otherwise, very rarely.
    same = (actions == scanned[2]).all(axis=0)
    assert same.mean() > 0.9
    assert np.array_equal(rewards[:, same], scanned[3][:, same])
    assert np.array_equal(stepped[0][same], scanned[0][same])
    # They are those that the environment plays; it raises an error at an illegal action.
    envs = sarai.SelfPlayVectorEnv(name, LANES, autoreset_mode="SameStep", seed=3)
    envs.reset()
    for step in range(STEPS):
        view, paid, *_ = envs.step(actions[step])
        assert np.array_equal(paid, rewards[step])
    assert np.array_equal(view["observation"], stepped[0])
    assert np.array_equal(view["action_mask"], stepped[1])
    assert len(np.unique(actions)) > 10


def test_a_whole_rollout_may_be_part_of_a_larger_program(example: Any) -> None:
    envs = sarai.SelfPlayVectorEnv("shuanglu", LANES, autoreset_mode="SameStep", seed=3)
    run = example.scanned(envs)

    @jax.jit
    def loss(weights: Any, view: Any, keys: Any) -> Any:
        _, (_, rewards) = run(weights, view, keys)
        return (rewards**2).sum()

    weights = example.network(envs.game, jax.random.key(1))
    view, _ = envs.reset()
    ended = float(loss(weights, view, jax.random.split(jax.random.key(2), 400)))
    # Both seats of a game that has ended are paid 1 or -1.
    assert ended > 0
    assert ended % 2 == 0


def test_memory_is_shared_only_where_it_is_aligned() -> None:
    envs = sarai.SelfPlayVectorEnv("shuanglu", 1024, seed=1)
    view, _ = envs.reset()
    cells = view["observation"]
    taken = jax.dlpack.from_dlpack(cells)
    assert np.array_equal(taken, cells)
    if cells.ctypes.data % 64:
        assert not np.shares_memory(np.asarray(taken), cells)
        with pytest.raises(ValueError, match="64"):
            jax.dlpack.from_dlpack(cells, copy=False)
