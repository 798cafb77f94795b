"""`SingleAgentVectorEnv`: what its arrays hold, what becomes of ended lanes, pictures and Ctrl-C."""

from __future__ import annotations

import os
import threading
from typing import Any
from xml.etree import ElementTree

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import sarai
from helpers.ctrl_c import interrupted
from helpers.lanes import (
    IDS,
    a_game_for_every_mode,
    act,
    every_game,
    looks_like_a_picture,
    same,
    settled,
    some_books,
)
from helpers.learner_games import first_rewards, lowest

Env = sarai.SingleAgentVectorEnv


# --- What is returned ---------------------------------------------------------------------------------------


@some_books
def test_arrays_and_rows(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    length, ids, lanes = game.observation_shape[0], game.num_actions, 4
    shapes = {"observation": (lanes, length), "action_mask": (lanes, ids)}
    for seat in range(game.num_players):
        env = Env(game, lanes, seat=seat, seed=seat, opponents="greedy", autoreset_mode="Disabled")
        observation, info = env.reset()
        ends = 0
        while ends < 4:
            assert {key: array.shape for key, array in observation.items()} == shapes
            assert observation in env.observation_space
            assert {key: array[1] for key, array in observation.items()} in env.single_observation_space
            assert info["action_mask"] is observation["action_mask"]
            assert info["side"].dtype == np.int8
            assert info["side"].tolist() == [game.sides[seat]] * lanes
            assert np.array_equal(env.action_masks(), observation["action_mask"] == 1)
            for lane in range(lanes):
                state = env.state(lane)
                assert state.current_player() == seat
                assert np.array_equal(observation["observation"][lane], state.observation_tensor(seat))
                assert np.array_equal(observation["action_mask"][lane], state.legal_actions_mask())
            actions = env.sample_legal()
            assert actions in env.action_space
            assert observation["action_mask"][np.arange(lanes), actions].all()
            observation, rewards, terminated, truncated, info = env.step(actions)
            assert (rewards.shape, rewards.dtype) == ((lanes,), np.float32)
            for flags in (terminated, truncated):
                assert (flags.shape, flags.dtype) == ((lanes,), np.bool_)
            assert "illegal_action" not in info
            assert not truncated.any()
            assert not rewards[~terminated].any()
            for lane in np.flatnonzero(terminated):
                state = env.state(lane)
                assert rewards[lane] == pytest.approx(state.returns()[seat])
                assert np.array_equal(observation["observation"][lane], state.observation_tensor(seat))
                ends += 1
            if terminated.any():
                observation, info = env.reset(options={"reset_mask": terminated})


@every_game
@pytest.mark.parametrize(("at", "opponents"), [(0, "random"), (-1, "greedy"), (-1, settled)])
def test_first_games_are_the_rollouts(name: str, at: int, opponents: Any) -> None:
    game = sarai.make(name, preset=[*sarai.presets(name)][at])
    lanes, seats = 4, game.num_players
    rewards = np.zeros((lanes, seats), np.float32)
    for seat in range(seats):
        agents = [opponents] * seats
        agents[seat] = settled
        played = sarai.rollout(game, agents, lanes, seed=17)
        rewards[:, seat] = first_rewards(Env(game, lanes, seat=seat, opponents=opponents, seed=17))
        assert np.array_equal(rewards[:, seat], played.returns[:, seat])
    assert rewards.any()
    if opponents is settled:
        # Here every seat has learned in the same games.
        assert np.allclose(rewards.sum(axis=1), 0, atol=1e-5)
        for seat, side in enumerate(game.sides):
            assert np.array_equal(rewards[:, seat], rewards[:, game.sides.index(side)])


# --- Autoreset and truncation -------------------------------------------------------------------------------


@a_game_for_every_mode
@pytest.mark.parametrize("opponents", ["greedy", lowest], ids=["name", "policy"])
def test_truncation_shows_what_could_have_been_played(name: str, mode: AutoresetMode, opponents: Any) -> None:
    limit, seat = 3, 1
    env = gymnasium.make_vec(
        IDS[name], 6, seat=seat, opponents=opponents, max_episode_steps=limit, autoreset_mode=mode, seed=3
    )
    twin = Env(name, 6, seat=seat, opponents=opponents, autoreset_mode="Disabled", seed=3)
    observation, expected = env.reset()[0], twin.reset()[0]
    for step in range(limit):
        assert same(observation, expected)
        observation, rewards, terminated, truncated, info = env.step(act(observation))
        expected, _, ended, _, _ = twin.step(act(expected))
        assert not ended.any()
        assert not terminated.any()
        assert not rewards.any()
        assert (truncated == (step == limit - 1)).all()
    if mode == AutoresetMode.SAME_STEP:
        for lane in range(6):
            last = info["final_obs"][lane]
            assert same(last, {key: array[lane] for key, array in expected.items()})
            assert last["action_mask"].any()
            assert last in env.single_observation_space
            assert np.array_equal(info["final_info"]["action_mask"][lane], last["action_mask"])
    else:
        assert np.array_equal(observation["observation"], expected["observation"])
        assert (observation["action_mask"] == (mode == AutoresetMode.NEXT_STEP)).all()


@pytest.mark.parametrize(("name", "opponents"), [("sho", "greedy"), ("shah", lowest)])
def test_a_lane_that_waits_is_not_stepped(name: str, opponents: Any) -> None:
    env = Env(name, 3, seed=1, opponents=opponents, autoreset_mode="Disabled", illegal_action="terminate")
    observation, _ = env.reset()
    actions = act(observation)
    actions[1] = -1
    observation, _rewards, terminated, _, _ = env.step(actions)
    assert terminated.tolist() == [False, True, False]
    before = env._batch.snapshot()
    for action in (act(observation), actions):
        with pytest.raises(ValueError, match=r"lane 1.*reset_mask"):
            env.step(action)
    assert env._batch.snapshot() == before
    rows = env.reset(options={"reset_mask": terminated})[0]
    for key in rows:
        assert np.array_equal(rows[key][[0, 2]], observation[key][[0, 2]])
    assert rows["action_mask"][1].any()
    env.step(act(rows))


# --- Pictures, Ctrl-C ---------------------------------------------------------------------------------------


def test_pictures() -> None:
    for mode in ("ansi", "svg", "rgb_array"):
        env = gymnasium.make_vec("sarai/Sho-v0", 2, render_mode=mode, seed=1)
        env.reset()
        for _ in range(3):
            env.step(env.sample_legal())
        frames = env.render()
        assert isinstance(frames, tuple)
        assert not np.array_equal(*frames), "each lane shows its own game"
        for lane, frame in enumerate(frames):
            if mode == "ansi":
                assert frame == str(env.state(lane))
            elif mode == "svg":
                assert ElementTree.fromstring(frame).tag.endswith("svg")
            else:
                assert looks_like_a_picture(frame)
    env = Env("sho", 2)
    env.reset()
    assert env.render() == (None, None)
    with pytest.raises(ValueError, match="render_mode"):
        Env("sho", 2, render_mode="human")


@pytest.mark.skipif(os.name == "nt", reason="Windows sends Ctrl-C to the whole console")
@pytest.mark.parametrize("asks", [False, True], ids=["engine", "policy"])
def test_ctrl_c_leaves_an_environment_that_asks_for_a_reset(asks: bool) -> None:
    events: list[threading.Event] = []

    def waits(observations: Any, masks: Any) -> Any:
        events[-1].set()
        while True:
            # One long wait would sleep through a signal that comes just before it.
            threading.Event().wait(0.01)

    # The learner begins, and after that others would think for minutes.
    opponents = waits if asks else "mcts:100000"
    env = Env("shah", 6, opponents=opponents, seed=1, num_threads=1)
    observation, _ = env.reset()

    def step(begun: threading.Event) -> None:
        events.append(begun)
        if not asks:
            begun.set()
        env.step(act(observation))

    # Ctrl-C may come before the step has begun; then nothing has happened, and it is tried again.
    for _ in range(20):
        interrupted(step)
        try:
            env.state(0)
        except RuntimeError:
            break
    for look in (lambda: env.step(act(observation)), env.action_masks, lambda: env.state(0)):
        with pytest.raises(RuntimeError, match=r"interrupted: call reset\(\)"):
            look()
    assert same(env.reset(seed=1)[0], observation)
