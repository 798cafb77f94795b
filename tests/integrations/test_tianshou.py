"""Tianshou over the lanes of a `SingleAgentVectorEnv`, as examples/tianshou_lanes.py shows it."""

# ruff: noqa: E402
from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tianshou")

from tianshou.algorithm import DQN, PPO
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.trainer import OffPolicyTrainerParams, OnPolicyTrainerParams

import sarai

pytestmark = [pytest.mark.heavy, pytest.mark.nightly]
LANES, STEPS = 16, 200
every_game = pytest.mark.parametrize("name", sarai.games())


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[2] / "examples"))
    torch.manual_seed(1)
    np.random.seed(1)  # noqa: NPY002  (Tianshou draws from it)
    return importlib.import_module("tianshou_lanes")


def assert_legal(buffer: Any, rows: int) -> None:
    """Every action was legal where it was played, and the masks are those of games."""
    found = buffer[:]
    assert len(found) == rows
    assert (found.obs.mask[np.arange(rows), found.act] == 1).all()
    assert 0 < found.obs.mask.mean() < 0.5
    over = found.terminated
    assert over.any()
    assert not found.obs_next.mask[over].any()
    assert found.rew[~over].any() == 0
    assert set(found.rew[over].tolist()) <= {-1.0, 0.0, 1.0}


@every_game
def test_ppo_learns_and_plays_only_legal_actions(example: Any, name: str) -> None:
    lanes = example.Lanes(f"{name}(max_turns=60)", LANES, opponents="random", seed=1)
    network = example.Network(lanes.lanes.game)
    before = network.policy.weight.detach().clone()
    algorithm = PPO(
        policy=DiscreteActorPolicy(actor=example.Actor(network), action_space=lanes.action_space[0]),
        critic=example.Critic(network),
        optim=AdamOptimizerFactory(lr=1e-3),
    )
    buffer = VectorReplayBuffer(LANES * STEPS, LANES)
    # An illegal action is an error.
    result = algorithm.run_training(
        OnPolicyTrainerParams(
            training_collector=Collector(algorithm, lanes, buffer),
            test_collector=Collector(algorithm, example.Lanes(name, 4, max_episode_steps=9, seed=2)),
            max_epochs=2,
            epoch_num_steps=LANES * STEPS,
            collection_step_num_env_steps=LANES * STEPS,
            test_step_num_episodes=10,
            batch_size=256,
            verbose=False,
            show_progress=False,
        )
    )
    assert result.train_step == 2 * LANES * STEPS
    assert not torch.equal(network.policy.weight, before)


@every_game
def test_what_is_collected_is_what_the_environment_plays(example: Any, name: str) -> None:
    game = f"{name}(max_turns=60)"
    lanes = example.Lanes(game, LANES, opponents="random", seed=1)
    actor = example.Actor(example.Network(lanes.lanes.game))
    policy = DiscreteActorPolicy(actor=actor, action_space=lanes.action_space[0])
    buffer = VectorReplayBuffer(LANES * STEPS, LANES)
    collector = Collector(policy, lanes, buffer)
    collector.reset()
    collector.collect(n_step=LANES * STEPS)
    assert_legal(buffer, LANES * STEPS)
    found = buffer[:]
    rows = found.obs.obs.reshape(LANES, STEPS, -1), found.act.reshape(LANES, STEPS)
    paid, over = found.rew.reshape(LANES, STEPS), found.done.reshape(LANES, STEPS)
    plain = sarai.SingleAgentVectorEnv(game, LANES, opponents="random", seed=1, autoreset_mode="SameStep")
    view, _ = plain.reset()
    for step in range(STEPS):
        assert np.array_equal(view["observation"], rows[0][:, step])
        view, rewards, terminated, truncated, _ = plain.step(rows[1][:, step])
        assert np.array_equal(rewards, paid[:, step])
        assert np.array_equal(terminated | truncated, over[:, step])


def test_whole_episodes_are_collected(example: Any) -> None:
    lanes = example.Lanes("shuanglu", LANES, opponents="random", max_episode_steps=40, seed=1)
    actor = example.Actor(example.Network(lanes.lanes.game))
    policy = DiscreteActorPolicy(actor=actor, action_space=lanes.action_space[0])
    collector = Collector(policy, lanes, VectorReplayBuffer(LANES * 400, LANES))
    for episodes in (LANES, 3 * LANES + 5, 40):
        collector.reset()
        stats = collector.collect(n_episode=episodes)
        assert stats.n_collected_episodes == episodes
        assert stats.lens.max() <= 40
        found = collector.buffer[:]
        assert len(found) == stats.lens.sum()
        assert (found.obs.mask[np.arange(len(found)), found.act] == 1).all()
        assert found.done.sum() == episodes
        # A game that was cut off is no loss, and its last view has actions.
        assert found.obs_next.mask[found.truncated].any(axis=1).all()
        assert not found.rew[found.truncated].any()


def test_dqn_finds_the_masks_by_itself(example: Any) -> None:
    lanes = example.Lanes("shuanglu", LANES, opponents="random", seed=1)
    network = example.Network(lanes.lanes.game)

    class Values(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.network = network

        def forward(self, rows: Any, state: Any = None, info: Any = None) -> Any:
            cells = torch.as_tensor(rows)
            return self.network(cells, torch.ones(len(cells), 1))[0], state

    algorithm = DQN(
        policy=DiscreteQLearningPolicy(
            model=Values(), action_space=lanes.action_space[0], eps_training=0.3, eps_inference=0.3
        ),
        optim=AdamOptimizerFactory(lr=1e-3),
        target_update_freq=10,
    )
    buffer = VectorReplayBuffer(LANES * STEPS, LANES)
    result = algorithm.run_training(
        OffPolicyTrainerParams(
            training_collector=Collector(algorithm, lanes, buffer, exploration_noise=True),
            max_epochs=1,
            epoch_num_steps=LANES * STEPS,
            collection_step_num_env_steps=LANES * 10,
            update_step_num_gradient_steps_per_sample=0.01,
            batch_size=64,
            verbose=False,
            show_progress=False,
        )
    )
    assert result.train_step == LANES * STEPS
    assert_legal(buffer, LANES * STEPS)


def test_lanes_are_seeded_and_reset_by_number(example: Any) -> None:
    lanes, other = (example.Lanes("shuanglu", 4, seed=seed) for seed in (1, 2))
    assert lanes.seed(9) == other.seed(9) == [9] * 4
    (rows, infos), (same, _) = lanes.reset(), other.reset()
    assert np.array_equal(rows.obs, same.obs)
    assert infos.tolist() == [{}] * 4
    played, *_ = lanes.step(rows.mask.argmax(axis=1))
    begun, _ = lanes.reset([2])
    assert begun.obs.shape == (1, 65)
    again, *_ = lanes.step(begun.mask.argmax(axis=1), [2])
    assert again.obs.shape == (1, 65)
    assert not np.array_equal(begun.obs[0], played.obs[2])
    lanes.close()
