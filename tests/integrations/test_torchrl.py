"""TorchRL over the PettingZoo environment."""

from __future__ import annotations

import pytest
import torch
from torchrl.envs.utils import check_env_specs, step_mdp

import sarai
from sarai.adapters.torchrl import torchrl_env

every_game = pytest.mark.parametrize("name", sarai.games())


@every_game
def test_torchrls_own_check(name: str) -> None:
    check_env_specs(torchrl_env(name, seed=1))


@every_game
def test_a_rollout_respects_the_masks(name: str) -> None:
    env = torchrl_env(name, seed=3)
    games = 0
    for _ in range(3):
        steps = env.rollout(2000)
        games += int(steps["next", "done"].sum())
        for agent in env.possible_agents:
            acts = steps[agent, "mask"].squeeze(-1)
            masks = steps[agent, "action_mask"].squeeze(-2)
            actions = steps[agent, "action"]
            chosen = masks.gather(-1, actions.view(len(steps), 1)).squeeze(-1)
            assert chosen[acts].all(), "an agent that has to act plays what is legal"
    assert games >= 1


@every_game
def test_rewards_are_the_returns(name: str) -> None:
    env = torchrl_env(name, seed=3)
    steps = env.rollout(5000)
    last = steps[-1]["next"]
    rewards = torch.stack([last[agent, "reward"].squeeze() for agent in env.possible_agents])
    assert rewards.sum() == pytest.approx(0.0)
    assert rewards.abs().max() <= max(map(abs, sarai.make(name).returns_range))


def test_the_same_seed_gives_the_same_game() -> None:
    def views(seed: int) -> torch.Tensor:
        env = torchrl_env("shuanglu", seed=seed)
        tensordict = env.reset()
        seen = []
        for _ in range(40):
            seen.append(tensordict["player_0", "observation", "observation"])
            for agent in env.possible_agents:
                tensordict[agent, "action"] = tensordict[agent, "action_mask"].int().argmax(-1)
            tensordict = step_mdp(env.step(tensordict))
        return torch.stack(seen)

    assert torch.equal(views(1), views(1))
    assert not torch.equal(views(1), views(2))


def test_settings_are_those_of_the_aec_environment() -> None:
    env = torchrl_env("sho", rules={"players": 2}, max_cycles=5, seed=1)
    assert env.possible_agents == ["player_0", "player_1"]
    assert env.rollout(100).shape[0] <= 11
    with pytest.raises(ValueError, match="unknown game"):
        torchrl_env("chess")
