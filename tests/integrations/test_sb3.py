"""Stable-Baselines3 and sb3-contrib over the vector environment."""

# ruff: noqa: E402
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.logger import KVWriter, Logger
from stable_baselines3.common.vec_env import VecMonitor, VecNormalize

import sarai
from sarai.adapters.sb3 import EvaluationCallback, SaraiVecEnv, ScaledFeatures

every_game = pytest.mark.parametrize(
    "name",
    ["sho", *(pytest.param(name, marks=pytest.mark.nightly) for name in sarai.games() if name != "sho")],
)
pytestmark = pytest.mark.heavy


def legal(env: SaraiVecEnv, rng: np.random.Generator) -> Any:
    return (rng.random(env.action_masks().shape) * env.action_masks()).argmax(axis=1)


@every_game
def test_lanes_are_those_of_the_vector_environment(name: str) -> None:
    env = SaraiVecEnv(name, 8, opponents="greedy", max_episode_steps=30, seed=5)
    vector = sarai.SingleAgentVectorEnv(
        name, 8, opponents="greedy", max_episode_steps=30, seed=5, autoreset_mode="SameStep"
    )
    shown, info = vector.reset()
    assert np.array_equal(env.reset(), shown["observation"])
    rng = np.random.default_rng(1)
    scores, ended = np.zeros(8), 0
    for _ in range(100):
        assert np.array_equal(env.action_masks(), info["action_mask"] == 1)
        actions = legal(env, rng)
        observations, rewards, dones, infos = env.step(actions)
        shown, expected, terminated, truncated, info = vector.step(actions)
        assert np.array_equal(observations, shown["observation"])
        assert np.array_equal(rewards, expected)
        assert np.array_equal(dones, terminated | truncated)
        scores += rewards
        for lane in range(8):
            assert infos[lane]["TimeLimit.truncated"] == truncated[lane]
            assert ("terminal_observation" in infos[lane]) == dones[lane]
            if dones[lane]:
                last = info["final_obs"][lane]["observation"]
                assert np.array_equal(infos[lane]["terminal_observation"], last)
                assert infos[lane]["episode"]["r"] == scores[lane]
                assert infos[lane]["episode"]["l"] <= 30
                scores[lane] = 0
                ended += 1
    assert ended >= 8


def test_seed_and_reset() -> None:
    def views(env: SaraiVecEnv) -> Any:
        rng = np.random.default_rng(1)
        return [env.reset(), *(env.step(legal(env, rng))[0] for _ in range(20))]

    env = SaraiVecEnv("shuanglu", 4, seed=1)
    first, second = views(env), views(env)
    assert env.seed(1) == [1] * 4
    assert np.array_equal(views(env), first)
    assert not np.array_equal(first, second)


def test_no_seed_is_one_of_the_systems() -> None:
    env, other = (SaraiVecEnv("shuanglu", 16, seed=1) for _ in range(2))
    assert np.array_equal(env.reset(), other.reset())
    (drawn,) = set(env.seed())
    assert drawn is not None
    assert not np.array_equal(first := env.reset(), other.reset())
    other.seed(drawn)
    assert np.array_equal(other.reset(), first)
    for wrong, error in ((-1, ValueError), (2**64, ValueError), ("1", TypeError)):
        with pytest.raises(error, match="seed"):
            env.seed(wrong)


def test_rules_are_keywords() -> None:
    assert SaraiVecEnv("sho", 2, players=2, rules={"coins": 5}).game.num_players == 2
    with pytest.raises(TypeError, match="'player'"):
        SaraiVecEnv("sho", 2, player=2)


def test_returned_masks_are_the_callers() -> None:
    env = SaraiVecEnv("shah", 2, seed=1)
    env.reset()
    env.action_masks()[:] = False
    assert env.action_masks().any()


def test_what_would_be_ignored_is_refused() -> None:
    with pytest.raises(TypeError, match="copy"):
        SaraiVecEnv("shah", 2, copy=False)
    with pytest.raises(TypeError, match="autoreset_mode"):
        SaraiVecEnv("shah", 2, autoreset_mode="Disabled")
    env = SaraiVecEnv("shah", 2)
    env.set_options()
    env.set_options([{}, {}])
    for options in ({"state": 1}, [{}, {"state": 1}], 5, {"state": "x" * 5000}):
        with pytest.raises(ValueError, match="options got") as refused:
            env.set_options(options)
        assert len(str(refused.value)) < 200


def test_masks_are_found_by_sb3_contrib() -> None:
    env = SaraiVecEnv("shah", 3, seed=1)
    env.reset()
    assert is_masking_supported(env)
    assert np.array_equal(get_action_masks(env), env.action_masks())
    assert np.array_equal(get_action_masks(VecMonitor(env)), env.action_masks())
    assert len(env.env_method("action_masks", indices=[0, 2])) == 2
    with pytest.raises(NotImplementedError, match="step_back"):
        env.env_method("step_back")
    with pytest.raises(NotImplementedError, match="attributes"):
        env.set_attr("seat", 1)
    assert env.get_attr("num_envs", 0) == [3]


@every_game
def test_maskable_ppo_learns_and_is_evaluated(name: str) -> None:
    env = SaraiVecEnv(name, 8, opponents="random", seed=1)
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=64, n_epochs=1, seed=1, device="cpu")
    model.learn(8 * 32 * 2)
    assert model.num_timesteps == 512
    mean, _ = evaluate_policy(model, SaraiVecEnv(name, 4, seed=2), n_eval_episodes=8, warn=False)
    low, high = env.game.returns_range
    assert low <= mean <= high


@pytest.mark.nightly
def test_stock_wrappers_run() -> None:
    env = VecNormalize(VecMonitor(SaraiVecEnv("shuanglu", 4, seed=1)), norm_obs=True)
    model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=32, n_epochs=1, device="cpu")
    model.learn(64)


@pytest.mark.nightly
def test_pictures() -> None:
    env = SaraiVecEnv("shah", 2, seed=1, render_mode="rgb_array")
    env.reset()
    assert [frame.shape[2] for frame in env.get_images()] == [3, 3]


@every_game
def test_scaled_features_lie_within_one(name: str) -> None:
    env = SaraiVecEnv(name, 64, opponents="greedy", seed=3)
    scaled = ScaledFeatures(env.observation_space)
    rng = np.random.default_rng(1)
    seen = [env.reset(), *(env.step(legal(env, rng))[0] for _ in range(30))]
    views = torch.as_tensor(np.concatenate(seen)).float()
    features = scaled(views)
    assert features.shape == views.shape
    assert features.abs().max() == 1
    # Nothing is lost.
    high = torch.as_tensor(np.maximum(np.abs(env.observation_space.high), 1)).float()
    assert torch.equal((features * high).round(), views)


@pytest.mark.nightly
def test_a_model_is_evaluated_while_it_learns() -> None:
    told: list[int] = []
    watch = EvaluationCallback(
        100, ["random"], num_games=10, seed=4, report=lambda decisions, _: told.append(decisions)
    )
    env = SaraiVecEnv("shuanglu", 4, seed=1)
    model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=32, n_epochs=1, device="cpu", seed=1)
    players = {"model": sarai.agents.from_sb3(model), "random": "random"}
    first = sarai.arena("shuanglu", players, 10, seed=4, schedule="gauntlet")
    model.learn(256, callback=watch)
    # A rollout of the model is 64 decisions: the first after at least 100 more, and the end.
    assert told == [decisions for decisions, _ in watch.history] == [0, 128, 256]
    assert watch.history[0][1] == first
    model.learn(64, callback=watch)
    assert told == [0, 128, 256, 0, 64]
    model.learn(64, callback=watch, reset_num_timesteps=False)
    assert told == [0, 128, 256, 0, 64, 128]
    for wrong, error in ((0, ValueError), (-1, ValueError), (1.5, TypeError), (True, TypeError)):
        with pytest.raises(error, match="every"):
            EvaluationCallback(wrong)
    with pytest.raises(ValueError, match='an opponent is called "model"'):
        model.learn(64, callback=EvaluationCallback(100, {"model": "random"}))


class Kept(KVWriter):
    """What was logged, by step."""

    def __init__(self) -> None:
        self.logged: dict[int, dict[str, Any]] = {}

    def write(self, key_values: dict[str, Any], key_excluded: dict[str, Any], step: int = 0) -> None:
        self.logged.setdefault(step, {}).update(key_values)

    def close(self) -> None:
        pass


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["shuanglu", "tshupu"])
def test_curves_have_the_names_of_stable_baselines3(name: str) -> None:
    env = SaraiVecEnv(name, 64, opponents="random", seed=1, max_episode_steps=1000)
    model = MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=4096, n_epochs=1, device="cpu", seed=1)
    kept = Kept()
    model.set_logger(Logger(None, [kept]))
    watch = EvaluationCallback(64 * 64, ["random", "greedy"], num_games=100, seed=4)
    model.learn(64 * 64 * 2, callback=watch)
    # An evaluation stands at the step at which it was made; that at the end is not lost.
    assert [step for step, names in kept.logged.items() if "eval/mean_reward" in names] == [0, 4096, 8192]
    for step, found in watch.history:
        names = kept.logged[step]
        means = []
        for opponent in ("random", "greedy"):
            pairing = found.pairing("model", opponent)
            means.append(pairing.mean_returns[0].value)
            assert names[f"eval/mean_reward_against_{opponent}"] == means[-1]
            assert names[f"eval/win_rate_against_{opponent}"] == pairing.win_shares[0].value
        assert names["eval/mean_reward"] == pytest.approx(np.mean(means))
        # A length counts the decisions of one seat, as in rollouts, not those of all players.
        share = names["eval/mean_ep_length"] / found.lengths.mean()
        assert share == pytest.approx(1 / env.game.num_players, rel=0.2)
    last = kept.logged[8192]
    assert {"rollout/ep_rew_mean", "rollout/ep_len_mean", "train/loss"} <= last.keys()
    assert last["eval/mean_ep_length"] == pytest.approx(last["rollout/ep_len_mean"], rel=0.4)


@pytest.mark.nightly
def test_a_model_may_see_floats() -> None:
    plain = SaraiVecEnv("shuanglu", 4, seed=1)
    env = SaraiVecEnv("shuanglu", 4, seed=1, observation_dtype="float32")
    shown, floats = plain.reset(), env.reset()
    assert floats.dtype == env.observation_space.dtype == np.float32
    assert np.array_equal(sarai.nets.encode(shown, "shuanglu", "scaled"), floats)
    model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=32, n_epochs=1, device="cpu", seed=1)
    watch = EvaluationCallback(64, ["random"], num_games=4, seed=4)
    model.learn(64, callback=watch)
    # The agent plays what the model would.
    agent = sarai.agents.from_sb3(model, game="shuanglu")
    floats, masks = env.reset(), env.action_masks()
    chosen = agent(
        np.asarray([env.get_attr("state")[0](lane).observation_tensor(0) for lane in range(4)]), masks
    )
    assert np.array_equal(chosen, model.predict(floats, action_masks=masks, deterministic=True)[0])
    with pytest.raises(ValueError, match="observation_dtype='float32'"):
        sarai.agents.from_sb3(model)
    with pytest.raises(TypeError, match="mask"):
        SaraiVecEnv("shuanglu", 4, mask_dtype="bool")


@pytest.mark.nightly
def test_opponents_and_seats_are_drawn_and_told_and_change() -> None:
    pool = sarai.agents.Pool(["greedy", "random"])
    given: Any = {"opponents": pool, "seat": "random", "stats": True, "max_episode_steps": 9, "seed": 5}
    env = SaraiVecEnv("sho", 8, **given)
    vector = sarai.SingleAgentVectorEnv("sho", 8, autoreset_mode="SameStep", **given)
    env.reset()
    _, info = vector.reset()
    for lane in range(8):
        assert env.reset_infos[lane] == {"opponent": info["opponent"][lane], "seat": int(info["seat"][lane])}
    rng = np.random.default_rng(1)
    wrapped, ended = VecMonitor(env, info_keywords=("opponent", "seat")), 0
    for step in range(60):
        actions = legal(env, rng)
        _, _, dones, infos = wrapped.step(actions)
        *_, info = vector.step(actions)
        for lane in np.flatnonzero(dones):
            last = info["final_info"]
            assert infos[lane]["opponent"] == last["opponent"][lane] == infos[lane]["episode"]["opponent"]
            assert infos[lane]["seat"] == last["seat"][lane]
            assert infos[lane]["stats"].keys() == set(env.game.statistics)
            for name, counts in infos[lane]["stats"].items():
                assert np.array_equal(counts, last["stats"][name][lane])
            ended += 1
        assert all("stats" not in infos[lane] for lane in np.flatnonzero(~dones))
        if step == 30:
            later = sarai.agents.Pool(["greedy"], names=["later"])
            assert wrapped.env_method("set_opponents", later) == [None] * 8
            vector.set_opponents(later)
    assert ended >= 16
    assert {infos[lane]["opponent"] for lane in np.flatnonzero(dones)} <= {"later"}
    starts = sarai.make("sho").sample_states(num_games=50, seed=1)
    starts = starts[starts.turns_passed() > 2]
    env.set_starts(starts)
    vector.set_starts(starts)
    assert np.array_equal(env.reset(), vector.reset()[0]["observation"])
    with pytest.raises(ValueError, match="indices"):
        env.env_method("set_opponents", pool, indices=[0])
    with pytest.raises(ValueError, match="clever"):
        env.set_opponents("clever")
