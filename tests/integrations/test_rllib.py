"""RLlib over the multi-agent environment."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.rllib.utils.pre_checks.env import check_multiagent_environments

import sarai
from sarai.adapters.rllib import SaraiMultiAgentEnv

every_game = pytest.mark.parametrize("name", sarai.games())


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    ray.init(num_cpus=3, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


@every_game
def test_rllibs_own_check(name: str) -> None:
    check_multiagent_environments(SaraiMultiAgentEnv({"game": name}))


@every_game
def test_a_game_is_that_of_the_aec_environment(name: str) -> None:
    env, aec = SaraiMultiAgentEnv({"game": name}), sarai.aec_env(name)
    views, _ = env.reset(seed=3)
    aec.reset(seed=3)
    rng = np.random.default_rng(1)
    over = False
    while not over:
        (agent,) = views
        seen = aec.observe(agent)
        assert agent == aec.agent_selection
        assert views[agent] in env.observation_spaces[agent]
        assert np.array_equal(views[agent]["observations"], seen["observation"])
        assert np.array_equal(views[agent]["action_mask"], seen["action_mask"])
        action = int(rng.choice(np.flatnonzero(seen["action_mask"])))
        views, rewards, terminated, truncated, infos = env.step({agent: action})
        aec.step(action)
        assert rewards == aec.rewards
        assert not truncated["__all__"]
        over = terminated["__all__"]
        assert over == all(aec.terminations.values())
    assert sorted(views) == env.possible_agents
    assert [infos[agent]["side"] for agent in env.possible_agents] == env._env.game.sides


def test_bad_input_is_told() -> None:
    with pytest.raises(ValueError, match="env_config got"):
        SaraiMultiAgentEnv({"games": "sho"})
    with pytest.raises(ValueError, match="env_config names no game"):
        SaraiMultiAgentEnv({})
    env = SaraiMultiAgentEnv({"game": "shah", "illegal_action": "raise"})
    env.reset(seed=1)
    with pytest.raises(ValueError, match="it is the turn of player_0 alone"):
        env.step({"player_1": 0})
    with pytest.raises(sarai.IllegalActionError):
        env.step({"player_0": 135})


def test_truncation() -> None:
    env = SaraiMultiAgentEnv({"game": "shah", "max_cycles": 2})
    views, _ = env.reset(seed=1)
    for count in range(4):
        (agent,) = views
        views, _, terminated, truncated, _ = env.step({agent: count})
    assert truncated["__all__"]
    assert not terminated["__all__"]


@pytest.mark.usefixtures("cluster")
@pytest.mark.parametrize("name", ["shah", "shuanglu"])
def test_ppo_trains_on_two_env_runners(name: str) -> None:
    config = (
        PPOConfig()
        .environment(SaraiMultiAgentEnv, env_config={"game": name})
        .env_runners(num_env_runners=2)
        .multi_agent(policies={"both"}, policy_mapping_fn=lambda agent, *_, **__: "both")
        .rl_module(
            rl_module_spec=MultiRLModuleSpec(
                rl_module_specs={"both": RLModuleSpec(module_class=ActionMaskingTorchRLModule)}
            )
        )
        .training(train_batch_size_per_learner=600, minibatch_size=200, num_epochs=1)
    )
    algorithm = config.build_algo()
    try:
        result = algorithm.train()["env_runners"]
    finally:
        algorithm.stop()
    assert result["num_env_steps_sampled_lifetime"] >= 600
    # Illegal actions would end games with -1 for one and nothing for the other; returns add up to zero.
    assert result["num_episodes"] == 0 or result["episode_return_mean"] == pytest.approx(0.0)
