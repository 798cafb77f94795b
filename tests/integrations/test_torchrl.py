"""TorchRL over the vector environments."""

# ruff: noqa: E402
from __future__ import annotations

import copy
import pickle
from functools import partial
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("torchrl")

from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torchrl.collectors import Collector, MultiSyncCollector
from torchrl.envs import (
    Compose,
    DTypeCastTransform,
    GymEnv,
    InitTracker,
    PettingZooWrapper,
    SerialEnv,
    StepCounter,
    TransformedEnv,
)
from torchrl.envs.utils import check_env_specs, step_mdp
from torchrl.modules import MaskedCategorical, ProbabilisticActor

import sarai
from sarai.adapters.torchrl import SaraiEnv, SaraiSelfPlayEnv

every_game = pytest.mark.parametrize(
    "name",
    ["sho", *(pytest.param(name, marks=pytest.mark.nightly) for name in sarai.games() if name != "sho")],
)
pytestmark = pytest.mark.heavy
both = pytest.mark.parametrize("kind", [SaraiEnv, SaraiSelfPlayEnv])


def assert_legal(steps: TensorDict) -> None:
    """Every action was legal where it was played."""
    assert steps["action_mask"].gather(-1, steps["action"].unsqueeze(-1)).all()


def drawn(tensordict: TensorDict) -> TensorDict:
    """A policy that reads the mask."""
    mask = tensordict["action_mask"]
    return tensordict.set("action", MaskedCategorical(torch.ones(mask.shape), mask=mask).sample())


def assert_alike(one: TensorDict, other: TensorDict) -> None:
    assert set(one.keys(True, True)) == set(other.keys(True, True))
    assert (one == other).all()


@every_game
@both
def test_torchrls_own_check(kind: type[Any], name: str) -> None:
    env = kind(name, 5, seed=1)
    assert env.batch_size == (5,)
    check_env_specs(env, break_when_any_done="both", seed=3)
    check_env_specs(kind(name, 3, seed=1, max_episode_steps=2))


@pytest.mark.nightly
@pytest.mark.parametrize("illegal_action", ["terminate", "random"])
def test_torchrls_own_check_where_illegal_actions_are_told(illegal_action: str) -> None:
    check_env_specs(SaraiEnv("shah", 3, illegal_action=illegal_action))


@every_game
def test_lanes_are_those_of_the_vector_environment(name: str) -> None:
    settings: dict[str, Any] = {"opponents": "greedy", "max_episode_steps": 25, "seed": 5}
    steps = SaraiEnv(name, 8, **settings).rollout(120, break_when_any_done=False)
    assert_legal(steps)
    assert steps["next", "done"].sum() >= 8
    # The reference begins new games by itself, in the same step.
    vector = sarai.SingleAgentVectorEnv(name, 8, autoreset_mode="SameStep", **settings)
    shown, _ = vector.reset()
    for moment in range(120):
        now = steps[:, moment]
        assert np.array_equal(now["observation"], shown["observation"])
        assert np.array_equal(now["action_mask"], shown["action_mask"])
        shown, rewards, terminated, truncated, info = vector.step(now["action"].numpy())
        after = now["next"]
        assert np.array_equal(after["reward"][:, 0], rewards)
        assert np.array_equal(after["terminated"][:, 0], terminated)
        assert np.array_equal(after["truncated"][:, 0], truncated)
        assert np.array_equal(after["done"][:, 0], terminated | truncated)
        for lane in range(8):
            last = {key: shown[key][lane] for key in shown}
            if after["done"][lane]:
                last = info["final_obs"][lane]
            assert np.array_equal(after["observation"][lane], last["observation"])
            # Nothing can be drawn from no action at all: where a game was decided, all are shown.
            legal = np.ones_like(last["action_mask"]) if terminated[lane] else last["action_mask"]
            assert np.array_equal(after["action_mask"][lane], legal)


@every_game
def test_self_play_is_that_of_the_vector_environment(name: str) -> None:
    steps = SaraiSelfPlayEnv(name, 8, max_episode_steps=70, seed=5).rollout(150, break_when_any_done=False)
    assert_legal(steps)
    assert steps["next", "done"].sum() >= 8
    vector = sarai.SelfPlayVectorEnv(name, 8, max_episode_steps=70, seed=5, autoreset_mode="SameStep")
    shown, info = vector.reset()
    for moment in range(150):
        now = steps[:, moment]
        movers = info["current_player"]
        assert np.array_equal(now["observation"], shown["observation"])
        assert np.array_equal(now["action_mask"], shown["action_mask"])
        assert np.array_equal(now["current_player"][:, 0], movers)
        assert np.array_equal(now["side"][:, 0], info["side"])
        shown, rewards, terminated, truncated, info = vector.step(now["action"].numpy())
        after = now["next"]
        assert np.array_equal(after["rewards"], rewards)
        assert np.array_equal(after["reward"][:, 0], rewards[range(8), movers])
        assert np.array_equal(after["terminated"][:, 0], terminated)
        assert np.array_equal(after["truncated"][:, 0], truncated)


@both
def test_some_lanes_are_reset_and_the_others_go_on(kind: type[Any]) -> None:
    env = kind("tshupu", 6, seed=2)
    now = env.rollout(9)[:, -1]["next"]
    wanted = torch.tensor([True, False, False, True, False, False]).unsqueeze(-1)
    fresh = env.reset(TensorDict({**now, "_reset": wanted}, batch_size=[6]))
    begun, going = wanted[:, 0], ~wanted[:, 0]
    assert_alike(fresh[going].select(*now.keys()), now[going])
    assert not (fresh["observation"][begun] == now["observation"][begun]).all()
    env.rand_step(fresh)
    assert_legal(fresh)


@pytest.mark.nightly
@pytest.mark.parametrize("policy", [None, "masked"])
def test_a_collector_plays_what_is_legal(policy: str | None) -> None:
    torch.manual_seed(1)
    env = SaraiEnv("shuanglu", 16, opponents="greedy", seed=1)
    actor = None
    if policy is not None:
        cells, actions = env.observation_spec["observation"].shape[-1], env.action_spec.n
        network = torch.nn.Sequential(torch.nn.Linear(cells, 16), torch.nn.Linear(16, actions))
        env = TransformedEnv(env, Compose(InitTracker(), DTypeCastTransform(torch.int8, torch.float32)))
        actor = ProbabilisticActor(
            TensorDictModule(network, in_keys=["observation"], out_keys=["logits"]),
            in_keys={"logits": "logits", "mask": "action_mask"},
            out_keys=["action"],
            distribution_class=MaskedCategorical,
            spec=env.action_spec,
        )
    collector = Collector(env, actor, frames_per_batch=16 * 40, total_frames=16 * 40 * 4)
    ended = 0
    for steps in collector:
        assert steps.shape == (16, 40)
        assert_legal(steps)
        ended += int(steps["next", "done"].sum())
    collector.shutdown()
    assert ended >= 16


@pytest.mark.nightly
def test_collectors_in_processes_of_their_own() -> None:
    make = partial(SaraiEnv, "shuanglu", 4, opponents="greedy")
    collector = MultiSyncCollector([make, make], None, frames_per_batch=400, total_frames=400)
    try:
        collector.set_seed(1)
        (steps,) = collector
    finally:
        collector.shutdown()
    assert steps.shape == (2, 4, 50)
    assert_legal(steps)
    # Each has a seed of its own.
    assert not (steps["observation"][0] == steps["observation"][1]).all()


@pytest.mark.nightly
def test_transforms_and_batches_of_environments() -> None:
    env = TransformedEnv(
        SaraiEnv("shah", 4, seed=1), Compose(StepCounter(7), DTypeCastTransform(torch.int8, torch.float32))
    )
    steps = env.rollout(40, break_when_any_done=False)
    assert_legal(steps)
    assert steps["observation"].dtype == torch.float32
    assert steps["next", "truncated"].sum() == 4 * (40 // 7)
    steps = SerialEnv(2, partial(SaraiEnv, "shah", 3)).rollout(150, drawn, break_when_any_done=False)
    assert steps.shape == (2, 3, 150)
    assert steps["next", "done"].any()
    assert_legal(steps)


def test_a_seed_gives_the_same_games() -> None:
    def games(env: Any) -> TensorDict:
        torch.manual_seed(5)
        return env.rollout(60, break_when_any_done=False)

    env = SaraiEnv("shuanglu", 4, seed=1)
    first, second = games(env), games(env)
    env.set_seed(1)
    assert_alike(games(env), first)
    assert not (first["observation"] == second["observation"]).all()
    assert_alike(games(SaraiEnv("shuanglu", 4, seed=1)), first)
    env.set_seed(2)
    other = games(env)
    assert not (first["observation"] == other["observation"]).all()
    # No seed is one of the system's.
    env.set_seed(None)
    one = games(env)
    env.set_seed(None)
    assert not (games(env)["observation"] == one["observation"]).all()


def test_a_seed_waits_for_the_next_reset() -> None:
    env, other = (SaraiEnv("shuanglu", 4, seed=1) for _ in range(2))
    now, then = env.reset(), other.reset()
    env.set_seed(2)
    actions = env.rand_action(now)["action"]
    assert_alike(env.step(now)["next"], other.step(then.set("action", actions))["next"])
    begun = env.reset()
    assert_alike(begun, SaraiEnv("shuanglu", 4, seed=2).reset())
    # The games after that go on in its streams.
    assert not (env.reset()["observation"] == begun["observation"]).all()


@pytest.mark.parametrize(("seed", "error"), [(-1, ValueError), (2**64, ValueError), ("7", TypeError)])
def test_a_wrong_seed_is_told_at_once(seed: Any, error: type[Exception]) -> None:
    env = SaraiEnv("shuanglu", 2, seed=1)
    with pytest.raises(error, match="seed"):
        env._set_seed(seed)


@pytest.mark.nightly
@both
def test_copies_and_pickles_go_on_with_the_games(kind: type[Any]) -> None:
    env = kind("sho", 4, seed=3)
    now = env.rollout(12)[:, -1]["next"].exclude("reward")
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    torch.manual_seed(1)
    steps = env.rollout(50, auto_reset=False, tensordict=now.clone())
    assert_legal(steps)
    for other in copies:
        torch.manual_seed(1)
        assert_alike(other.rollout(50, auto_reset=False, tensordict=now.clone()), steps)


def test_illegal_actions() -> None:
    def stepped(**settings: Any) -> TensorDict:
        env = SaraiEnv("shah", 2, seed=1, **settings)
        return env.step(env.reset().set("action", torch.tensor([0, 135])))["next"]

    with pytest.raises(sarai.IllegalActionError, match="lane 1: action 135"):
        stepped()
    ended = stepped(illegal_action="terminate")
    assert ended["terminated"].tolist() == ended["illegal_action"].tolist() == [[False], [True]]
    assert ended["reward"].tolist() == [[0.0], [-1.0]]
    replaced = stepped(illegal_action="random")
    assert replaced["illegal_action"].tolist() == [[False], [True]]
    assert not replaced["done"].any()


def test_torchrls_own_front_doors() -> None:
    """Its wrappers of Gymnasium's and PettingZoo's environments, without our adapters."""
    env = GymEnv("sarai/Shah-v0")
    check_env_specs(env)
    for categorical in (True, False):
        wrapped = PettingZooWrapper(sarai.aec_env("shah"), use_mask=True, categorical_actions=categorical)
        check_env_specs(wrapped)
        assert wrapped.rollout(5).batch_size == (5,)


def test_a_lane_that_is_over_waits_for_its_reset() -> None:
    env = SaraiEnv("shah", 2, seed=1, max_episode_steps=1)
    over = step_mdp(env.rand_step(env.reset()))
    with pytest.raises(ValueError, match="reset"):
        env.rand_step(over)


def test_a_step_of_some_lanes_is_refused() -> None:
    env = SaraiEnv("shuanglu", 4, seed=1)
    now = env.reset()
    for some in ([True, False, True, True], [False, True, True, True]):
        asked = env.rand_action(now.clone()).set("_step", torch.tensor(some))
        with pytest.raises(ValueError, match="_step"):
            env.step(asked)
    # Nothing has happened, and a step of all is one of all.
    env.step(env.rand_action(now).set("_step", torch.ones(4, 1, dtype=torch.bool)))
    assert_legal(now)


def test_settings_are_those_of_the_vector_environments() -> None:
    env = SaraiEnv("sho", 3, rules={"coins": 5}, players=2, seat=1)
    assert env.vector.game.rules["coins"] == 5
    assert (env.vector.game.num_players, env.vector.seats.learner) == (2, 1)
    assert SaraiSelfPlayEnv("sho", 3, preset="teams").vector.game.num_players == 4
    for kind in (SaraiEnv, SaraiSelfPlayEnv):
        assert kind("sho", 2, players=2).vector.game.num_players == 2
        with pytest.raises(TypeError, match="'player'"):
            kind("sho", 2, player=2)
        with pytest.raises(ValueError, match="chess"):
            kind("chess", 2)
        for name, value in (("copy", False), ("autoreset_mode", "NextStep")):
            with pytest.raises(TypeError, match=name):
                kind("sho", 2, **{name: value})
