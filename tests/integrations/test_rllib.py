"""RLlib over the vector environment, and over that of many agents."""

# ruff: noqa: E402
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

ray = pytest.importorskip("ray")
pytest.importorskip("torch")

from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.single_agent_env_runner import SingleAgentEnvRunner
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.rllib.utils.pre_checks.env import check_multiagent_environments

import sarai
from sarai.adapters.rllib import SaraiMultiAgentEnv, SaraiVectorEnv

every_kind = pytest.mark.parametrize(
    "kind", [SaraiMultiAgentEnv, lambda config: SaraiVectorEnv({"num_envs": 2, **config})]
)
every_game = pytest.mark.parametrize(
    "name",
    ["sho", *(pytest.param(name, marks=pytest.mark.nightly) for name in sarai.games() if name != "sho")],
)
pytestmark = pytest.mark.heavy


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    for attempt in range(5):
        try:
            ray.init(num_cpus=3, include_dashboard=False, log_to_driver=False)
            break
        except Exception as error:
            # Ray gives its processes half a minute to start, which is not enough where others keep the machine busy.
            if "timed out during startup" not in str(error) or attempt == 4:
                raise
            ray.shutdown()
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
    assert [infos[agent]["side"] for agent in env.possible_agents] == sarai.make(name).sides


def test_bad_input_is_told() -> None:
    env = SaraiMultiAgentEnv({"game": "shah", "illegal_action": "raise"})
    env.reset(seed=1)
    with pytest.raises(ValueError, match="player_0"):
        env.step({"player_1": 0})
    with pytest.raises(TypeError, match="actions"):
        env.step(None)
    with pytest.raises(sarai.IllegalActionError, match="135"):
        env.step({"player_0": 135})
    # Nothing has changed, and a game that is over takes no step.
    env.step({"player_0": 0})


def test_steps_outside_a_game_are_told() -> None:
    env = SaraiMultiAgentEnv({"game": "shah"})
    for _ in range(2):
        with pytest.raises(ValueError, match="under way"):
            env.step({"player_0": 0})
        env.reset(seed=1)
        _, rewards, terminated, _, infos = env.step({"player_0": 135})
        assert (rewards, terminated) == ({"player_0": -1.0, "player_1": 0.0}, {"__all__": True})
        assert infos["__common__"] == {"illegal_action": True}


@every_kind
def test_rules_are_keywords(kind: Any) -> None:
    env = kind({"game": "sho", "players": 2, "rules": {"coins": 5}})
    assert env._vector.game.rules == sarai.make("sho", players=2, coins=5).rules
    with pytest.raises(ValueError, match="'player'"):
        kind({"game": "sho", "player": 2})


@pytest.mark.parametrize("kind", [SaraiMultiAgentEnv, SaraiVectorEnv])
def test_an_env_config_is_a_dict(kind: Any) -> None:
    with pytest.raises(TypeError, match="env_config"):
        kind(5)


@every_kind
def test_what_env_config_does_not_take_is_told(kind: Any) -> None:
    with pytest.raises(ValueError, match="env_config"):
        kind({})
    for name, value in (("copy", False), ("autoreset_mode", "SameStep")):
        with pytest.raises(TypeError, match=name):
            kind({"game": "sho", name: value})
    with pytest.raises(ValueError, match="seed"):
        kind({"game": "sho", "seed": 1})


def test_truncation() -> None:
    env = SaraiMultiAgentEnv({"game": "shah", "max_episode_steps": 4})
    views, _ = env.reset(seed=1)
    for count in range(4):
        (agent,) = views
        views, _, terminated, truncated, _ = env.step({agent: count})
    assert truncated["__all__"]
    assert not terminated["__all__"]


MASKING = RLModuleSpec(module_class=ActionMaskingTorchRLModule)


def on_lanes(config: PPOConfig, **env_config: Any) -> PPOConfig:
    """A learner of Shuanglu with eight games in every env runner."""
    return (
        config.environment(
            SaraiVectorEnv, env_config={"game": "shuanglu", "opponents": "greedy", **env_config}
        )
        .env_runners(num_envs_per_env_runner=8, gym_env_vectorize_mode="vector_entry_point")
        .rl_module(rl_module_spec=MASKING)
    )


@every_game
def test_lanes_are_those_of_the_vector_environment(name: str) -> None:
    settings: dict[str, Any] = {"opponents": "greedy", "max_episode_steps": 30}
    env = SaraiVectorEnv({"game": name, "num_envs": 6, **settings})
    vector = sarai.SingleAgentVectorEnv(name, 6, **settings)
    views, shown = env.reset(seed=5)[0], vector.reset(seed=5)[0]
    ended = 0
    for _ in range(100):
        assert views in env.observation_space
        assert np.array_equal(views["observations"], shown["observation"])
        assert np.array_equal(views["action_mask"], shown["action_mask"])
        actions = vector.sample_legal()
        views, *results, infos = env.step(actions)
        shown, *expected, _ = vector.step(actions)
        assert infos == {}
        assert all(map(np.array_equal, results, expected))
        ended += int(results[1].sum() + results[2].sum())
    assert ended >= 6


def test_illegal_actions_end_games_unless_told_otherwise() -> None:
    def stepped(**settings: Any) -> Any:
        env = SaraiVectorEnv({"game": "shah", "num_envs": 2, **settings})
        env.reset(seed=1)
        return env.step([0, 135])

    _, rewards, terminated, _, infos = stepped()
    assert (rewards.tolist(), terminated.tolist()) == ([0.0, -1.0], [False, True])
    assert infos["_illegal_action"].tolist() == infos["illegal_action"].tolist() == [False, True]
    assert not stepped(illegal_action="random")[2].any()
    with pytest.raises(sarai.IllegalActionError, match="lane 1"):
        stepped(illegal_action="raise")


@pytest.mark.nightly
def test_an_env_runner_plays_what_is_legal() -> None:
    runner = SingleAgentEnvRunner(config=on_lanes(PPOConfig()))
    assert runner.env.unwrapped.num_envs == 8
    decisions = ended = 0
    for episode in runner.sample(num_timesteps=2000):
        seen = episode.get_observations()
        for moment, action in enumerate(episode.get_actions()):
            assert seen["action_mask"][moment][action] == 1
        rewards = episode.get_rewards()
        assert not rewards[:-1].any()
        assert abs(rewards[-1]) == episode.is_terminated
        decisions += len(rewards)
        ended += episode.is_terminated
    assert decisions >= 2000
    assert ended >= 8


def test_a_vector_environment_must_be_asked_for() -> None:
    with pytest.raises(ValueError, match="vector_entry_point"):
        SaraiVectorEnv({"game": "sho"})


@pytest.mark.nightly
@pytest.mark.usefixtures("cluster")
def test_ppo_trains_on_lanes_of_two_env_runners() -> None:
    config = on_lanes(PPOConfig()).env_runners(num_env_runners=2).debugging(seed=1)
    algorithm = config.training(
        train_batch_size_per_learner=1600, minibatch_size=400, num_epochs=1
    ).build_algo()
    try:
        first = algorithm.env_runner_group.foreach_env_runner(
            lambda runner: runner.env.reset(seed=runner._seed)[0]["observations"], local_env_runner=False
        )
        result = algorithm.train()["env_runners"]
    finally:
        algorithm.stop()
    assert len(first) == 2
    # Each env runner has a seed of its own.
    assert not np.array_equal(*first)
    assert result["num_env_steps_sampled_lifetime"] >= 1600
    assert result["num_episodes"] >= 1
    assert -1 <= result["episode_return_mean"] <= 1


@pytest.mark.nightly
@pytest.mark.usefixtures("cluster")
def test_ppo_trains_every_seat_on_two_env_runners() -> None:
    config = (
        PPOConfig()
        .environment(SaraiMultiAgentEnv, env_config={"game": "shuanglu"})
        .env_runners(num_env_runners=2, num_envs_per_env_runner=2)
        .debugging(seed=1)
        .multi_agent(policies={"both"}, policy_mapping_fn=lambda agent, *_, **__: "both")
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"both": MASKING}))
        .training(train_batch_size_per_learner=1200, minibatch_size=400, num_epochs=1)
    )
    algorithm = config.build_algo()
    try:
        result = algorithm.train()["env_runners"]
    finally:
        algorithm.stop()
    assert result["num_env_steps_sampled_lifetime"] >= 1200
    assert result["num_episodes"] >= 1
    # Illegal actions would end games with -1 for one and nothing for the other; returns add up to zero.
    assert result["episode_return_mean"] == pytest.approx(0.0)
