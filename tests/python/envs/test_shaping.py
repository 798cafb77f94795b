"""`shaping=`: rewards on the way, which add up to the return and the first potential."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sarai
from helpers.lanes import same


def opinion(observations: NDArray[np.int8]) -> NDArray[np.float64]:
    return np.sin(observations @ np.arange(1, observations.shape[1] + 1)) / 2


@pytest.mark.parametrize(
    ("game", "mode", "discount"),
    [
        ("sho", "NextStep", 0.9),
        ("shah", "SameStep", 1.0),
        ("sho", "SameStep", 0.9),
        ("tshupu", "Disabled", 0.9),
    ],
)
def test_what_a_step_pays(game: str, mode: str, discount: float) -> None:
    settings: dict[str, Any] = {"autoreset_mode": mode, "max_episode_steps": 9, "seed": 4}
    settings["illegal_action"] = "terminate"
    plain = sarai.SingleAgentVectorEnv(game, 3, **settings)
    shaped = sarai.SingleAgentVectorEnv(game, 3, shaping=opinion, discount=discount, **settings)
    seen, _ = plain.reset()
    shaped.reset()
    ended = np.zeros(3, bool)
    cuts = ends = 0
    for step in range(30):
        if step == 12:
            shaped = pickle.loads(pickle.dumps(copy.deepcopy(shaped)))
        if mode == "Disabled" and ended.any():
            seen, _ = plain.reset(options={"reset_mask": ended})
            shaped.reset(options={"reset_mask": ended})
            ended[:] = False
        before = opinion(seen["observation"])
        actions = plain.sample_legal()
        if step % 5 == 4:
            actions[0] = -1
        seen, rewards, terminated, truncated, info = plain.step(actions)
        after = opinion(seen["observation"])
        if "final_obs" in info:
            for lane in np.flatnonzero(truncated):
                after[lane] = opinion(info["final_obs"][lane]["observation"][None])[0]
        due = rewards + discount * np.where(terminated, 0, after) - before
        due[ended & (mode == "NextStep")] = 0
        got = shaped.step(actions)
        assert got[1].dtype == np.float32
        assert np.allclose(got[1], due, atol=1e-6)
        assert np.array_equal(got[0]["observation"], seen["observation"])
        ended = terminated | truncated
        cuts += truncated.sum()
        ends += terminated.sum()
    assert cuts
    assert ends


def test_one_game_is_shaped_like_a_lane() -> None:
    vector = sarai.SingleAgentVectorEnv("tshupu", 1, shaping=opinion, discount=0.9, autoreset_mode="Disabled")
    env = sarai.SingleAgentEnv("tshupu", shaping=opinion, discount=0.9)
    # The second game begins where another opinion is due than at the usual start.
    state = next(
        state
        for state in sarai.make("tshupu").sample_states(num_games=50, seed=1)
        if state.current_player() == 0
    )
    for options in ({}, {"state": state}):
        seen, _ = env.reset(seed=3, options=options)
        vector.reset(seed=3, options=options)
        over, paid = False, []
        while not over:
            action = int(seen["action_mask"].argmax())
            seen, reward, over, *_ = env.step(action)
            paid.append(vector.step([action])[1][0])
            assert reward == pytest.approx(float(paid[-1]), abs=1e-6)
        assert len({round(float(each), 6) for each in paid}) > 5


def test_a_partial_reset_leaves_the_others() -> None:
    env = sarai.SingleAgentVectorEnv("sho", 2, shaping=opinion, max_episode_steps=1, seed=1)
    env.reset()
    env.step(env.sample_legal())
    # Lane 1 still only begins a game in the next step, lane 0 plays one.
    seen, _ = env.reset(options={"reset_mask": np.array([True, False])})
    before = opinion(seen["observation"])
    seen, rewards, *_ = env.step(env.sample_legal())
    assert rewards[1] == 0
    assert rewards[0] == pytest.approx(opinion(seen["observation"])[0] - before[0], abs=1e-6)


def test_networks_and_what_is_refused() -> None:
    net = sarai.nets.load("shuanglu")
    env = sarai.SingleAgentVectorEnv("shuanglu", 4, shaping=net, seed=1)
    before = net(env.reset()[0]["observation"])[:, 0]
    seen, rewards, *_ = env.step(env.sample_legal())
    assert np.allclose(rewards, net(seen["observation"])[:, 0] - before, atol=1e-6)
    for given, error, name in [
        ({"shaping": "greedy"}, TypeError, "shaping"),
        ({"shaping": opinion, "discount": 1.5}, ValueError, "discount"),
        ({"shaping": opinion, "discount": -0.1}, ValueError, "discount"),
        ({"shaping": opinion, "discount": "1"}, TypeError, "discount"),
    ]:
        with pytest.raises(error, match=name):
            sarai.SingleAgentVectorEnv("shuanglu", 2, **given)


def test_a_function_may_reuse_its_array_and_write_into_what_it_is_given() -> None:
    buffer = np.zeros(2, np.float32)

    def reuses(observations: NDArray[np.int8]) -> NDArray[np.float32]:
        buffer[:] = observations.sum(axis=1)
        observations.fill(99)
        return buffer

    env, due = (
        sarai.SingleAgentVectorEnv("shah", 2, shaping=shaping, seed=1)
        for shaping in (reuses, lambda observations: observations.sum(axis=1))
    )
    for each in (env, due):
        each.reset()
    for _ in range(3):
        actions = env.sample_legal()
        shown, rewards, *_ = env.step(actions)
        expected, paid, *_ = due.step(actions)
        assert rewards.any()
        assert np.array_equal(rewards, paid)
        assert np.array_equal(shown["observation"], expected["observation"])


@pytest.mark.parametrize(
    ("error", "words", "answer"),
    [
        (ValueError, r"shape \(3,\)", np.zeros(3)),
        (ValueError, "NaN", np.full(2, np.nan)),
        (ValueError, "NaN", np.full(2, 1e300)),
        (TypeError, "numbers", np.zeros(2, complex)),
        (TypeError, "numbers", {}),
        (ValueError, "different lengths", [[1.0], [1.0, 2.0]]),
        (ValueError, "masked", np.ma.array([1.0, 2.0], mask=[False, True])),
    ],
)
def test_answers_that_are_no_numbers_are_refused(error: type[Exception], words: str, answer: Any) -> None:
    env = sarai.SingleAgentVectorEnv("shuanglu", 2, shaping=lambda cells: answer, seed=1)
    with pytest.raises(error, match=words):
        env.reset()
    with pytest.raises(RuntimeError, match=r"call reset\(\)"):
        env.step([0, 0])


@pytest.mark.parametrize("lanes", [True, False])
def test_answers_too_far_apart_are_refused(lanes: bool) -> None:
    sign = 1.0

    def jumps(observations: NDArray[np.int8]) -> NDArray[np.float64]:
        return np.full(len(observations), sign * 3e38)

    env: Any = (
        sarai.SingleAgentVectorEnv("shah", 2, shaping=jumps)
        if lanes
        else sarai.SingleAgentEnv("shah", shaping=jumps)
    )
    shown = env.reset(seed=1)
    action, sign = env.sample_legal(), -1.0
    with pytest.raises(ValueError, match="far apart"):
        env.step(action)
    with pytest.raises(RuntimeError, match=r"call reset\(\)"):
        env.step(action)
    assert same(env.reset(seed=1), shown)
