"""`SingleAgentEnv` and `gymnasium.make`: one game from one seat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

import sarai
from helpers.kinds import COPIES, played
from helpers.lanes import IDS, every_game, looks_like_a_picture, same, settled, some_books, two_games
from helpers.learner_games import act_alone, lowest

Env = sarai.SingleAgentEnv
POLICIES = {"terminate": -1.0, "random": 0.0}


# --- Gymnasium's own checks ---------------------------------------------------------------------------------


@every_game
def test_check_env(name: str) -> None:
    last = sarai.make(name).num_players - 1
    env = gymnasium.make(IDS[name], seat=last, opponents=["greedy"] * last)
    # Pictures take most of the time, and one game draws as the others do.
    check_env(env.unwrapped, skip_render_check=name != "shah")
    env = gymnasium.make(IDS[name], opponents=lowest, illegal_action="random")
    check_env(env.unwrapped, skip_render_check=True)


@two_games
def test_the_default_stack_of_wrappers_has_nothing_to_say(name: str) -> None:
    env = gymnasium.make(IDS[name], seat=1, render_mode="ansi")
    assert isinstance(env, gymnasium.wrappers.OrderEnforcing)
    with pytest.raises(ResetNeeded):
        env.step(0)
    # Warnings are errors here, and the passive checker has many.
    games = 0
    observation, _ = env.reset(seed=3)
    while games < 2:
        observation, reward, terminated, truncated, info = env.step(act_alone(observation))
        assert type(reward) is float
        assert type(terminated) is type(truncated) is bool
        assert not truncated
        assert observation in env.observation_space
        if terminated:
            games += 1
            assert not info["action_mask"].any()
            observation, _ = env.reset()
    assert isinstance(env.render(), str)
    # Unmasked actions end games, and still nobody complains; masked ones are legal.
    env.action_space.seed(1)
    observation, info = env.reset()
    for step in range(30):
        action = env.action_space.sample(mask=info["action_mask"] if step % 2 else None)
        assert observation["action_mask"][action] == 1 or not step % 2
        observation, _, over, _, info = env.step(action)
        assert info["illegal_action"] == (not info["action_mask"].any())
        if over:
            observation, info = env.reset()
    env.close()


# --- What is returned ---------------------------------------------------------------------------------------


@some_books
def test_every_row_is_what_the_state_says(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    for seat in range(game.num_players):
        env = Env(game, seat=seat, opponents="greedy")
        observation, info = env.reset(seed=seat + 1)
        total, over = 0.0, False
        while not over:
            state = env.state()
            assert state.current_player() == seat
            mask = state.legal_actions_mask()
            for shown in (observation["action_mask"], info["action_mask"]):
                assert shown.dtype == np.int8
                assert np.array_equal(shown, mask)
            assert env.action_masks().dtype == np.bool_
            assert np.array_equal(env.action_masks(), mask == 1)
            assert np.flatnonzero(mask).tolist() == state.legal_actions()
            assert observation["observation"].dtype == np.int8
            assert np.array_equal(observation["observation"], state.observation_tensor(seat))
            assert observation in env.observation_space
            assert (info["side"], info["illegal_action"]) == (game.sides[seat], False)
            observation, reward, over, truncated, info = env.step(act_alone(observation))
            assert not truncated
            assert over or reward == 0
            total += reward
        state = env.state()
        assert state.is_terminal()
        assert total == pytest.approx(state.returns()[seat])
        assert sum(state.returns()) == pytest.approx(0)
        assert np.array_equal(observation["observation"], state.observation_tensor(seat))
        assert not observation["action_mask"].any()
        with pytest.raises(ResetNeeded, match="begin one with reset"):
            env.step(0)


@pytest.mark.parametrize(
    ("name", "opponents"),
    [("sho", "mcts:2"), ("shah", "greedy"), ("tshupu", "random"), ("shuanglu", settled)],
    ids=["sho", "shah", "tshupu", "shuanglu"],
)
def test_the_games_of_all_seats_are_one_rollout(name: str, opponents: Any) -> None:
    game = sarai.make(name)
    for seat in range(game.num_players):
        agents = [opponents] * game.num_players
        agents[seat] = settled
        played = sarai.rollout(game, agents, 1, seed=5)
        env = Env(game, seat=seat, opponents=opponents)
        observation, _ = env.reset(seed=5)
        over = False
        while not over:
            observation, reward, over, _, _ = env.step(act_alone(observation))
        assert reward == pytest.approx(played.returns[0, seat])
        assert env.state().returns() == pytest.approx(played.returns[0])


# --- Illegal actions ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "wrong"), [("sho", -1), ("shah", 10**30), ("shah", None)])
def test_illegal_actions_end_the_game_or_play_another(name: str, wrong: int | None) -> None:
    for policy, reward in POLICIES.items():
        env = Env(name, illegal_action=policy, seat=1, opponents="greedy")
        observation, _ = env.reset(seed=4)
        action = int(observation["action_mask"].argmin()) if wrong is None else wrong
        before = env.state()
        shown, given, terminated, truncated, info = env.step(action)
        assert (given, terminated, truncated) == (reward, policy == "terminate", False)
        assert info["illegal_action"] is True
        assert shown["action_mask"].any() == (policy == "random")
        if policy == "terminate":
            assert env.state() == before
            assert env.sample_legal() == 0
            with pytest.raises(ResetNeeded):
                env.step(0)
            env.reset()
        else:
            assert env.state() != before
        observation, info = env.reset()
        assert info["illegal_action"] is False
        assert env.step(act_alone(observation))[4]["illegal_action"] is False


# --- Copies -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("duplicate", [COPIES["deepcopy"], COPIES["pickle"]], ids=["deepcopy", "pickle"])
def test_copies_of_the_wrapped_environment(duplicate: Callable[[Any], Any]) -> None:
    env = gymnasium.make("sarai/Sho-v0", opponents=lowest, max_episode_steps=9)
    observation, _ = env.reset(seed=5)
    for _ in range(2):
        observation = env.step(act_alone(observation))[0]
    twin = duplicate(env)
    for _ in range(7):
        steps = [one.step(act_alone(observation)) for one in (env, twin)]
        assert same(*steps)
        observation = steps[0][0]
    assert steps[0][3] or steps[0][2]


class Counting:
    """A policy with a state of its own, which a copy of the environment must neither use up nor share."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, observations: Any, masks: Any) -> Any:
        self.asked += 1
        return [int(np.flatnonzero(mask)[self.asked % mask.sum()]) for mask in masks]


@pytest.mark.parametrize("duplicate", [COPIES["deepcopy"], COPIES["pickle"]], ids=["deepcopy", "pickle"])
def test_a_copy_asks_no_policy(duplicate: Callable[[Any], Any]) -> None:
    env = Env("sho", seat=2, opponents=Counting())
    (policy,) = env.seats.policies
    assert policy.asked == 0, "nor does making an environment"
    env.reset(seed=1)
    asked = policy.asked
    assert asked > 0
    twin = duplicate(env)
    (copied,) = twin.seats.policies
    assert copied is not policy
    assert (policy.asked, copied.asked) == (asked, asked)
    assert played(env) == played(twin)
    assert policy.asked == copied.asked > asked


# --- Pictures -----------------------------------------------------------------------------------------------


def test_pictures() -> None:
    frames = {}
    for mode in ("ansi", "svg", "rgb_array", None):
        env = gymnasium.make("sarai/Sho-v0", render_mode=mode)
        assert env.render_mode == mode
        env.reset(seed=3)
        # Gymnasium warns of a render without a mode; the environment itself gives nothing.
        frames[mode] = env.unwrapped.render()
        before = env.unwrapped.state()
        env.step(env.unwrapped.sample_legal())
        if mode is not None:
            assert not np.array_equal(env.unwrapped.render(), frames[mode]), "it shows the game, not a game"
    assert frames[None] is None
    assert frames["ansi"] == str(before)
    assert ElementTree.fromstring(frames["svg"]).tag.endswith("svg")
    assert frames["svg"] == before._repr_svg_()
    assert looks_like_a_picture(frames["rgb_array"])
    with pytest.raises(ValueError, match="render_mode"):
        Env("sho", render_mode="human")


@pytest.mark.parametrize("name", sarai.games())
def test_pixels_have_the_sizes_of_video(name: str) -> None:
    env = Env(name, render_mode="rgb_array")
    env.reset(seed=1)
    frame: Any = env.render()
    assert frame.shape[1] == 480
    assert frame.shape[0] % 2 == 0
