"""`SingleAgentVectorEnv`: what its arrays hold, what becomes of ended lanes, illegal actions."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import sarai
from helpers.lanes import (
    IDS,
    a_game_for_every_mode,
    act,
    every_game,
    same,
    settled,
    some_books,
    two_games,
)
from helpers.learner_games import agree, end, lowest, told_by_all_seats, told_by_one_seat, view

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


def first_rewards(env: Any) -> np.ndarray[Any, Any]:
    """The reward of the first game of each lane."""
    rewards = np.full(env.num_envs, np.nan, np.float32)
    observation, _ = env.reset()
    while np.isnan(rewards).any():
        observation, given, terminated, _, _ = env.step(act(observation))
        first = terminated & np.isnan(rewards)
        rewards[first] = given[first]
    return rewards


@every_game
@pytest.mark.parametrize(("at", "opponents"), [(0, "random"), (-1, "greedy"), (-1, settled)])
def test_first_games_are_the_rollouts(name: str, at: int, opponents: Any) -> None:
    game = sarai.make(name, preset=[*sarai.presets(name)][at])
    lanes, seats = 4, game.num_players
    rewards = np.zeros((lanes, seats), np.float32)
    for seat in range(seats):
        agents = [opponents] * seats
        agents[seat] = settled
        played = sarai.rollout(game, lanes, agents, seed=17)
        rewards[:, seat] = first_rewards(Env(game, lanes, seat=seat, opponents=opponents, seed=17))
        assert np.array_equal(rewards[:, seat], played.returns[:, seat])
    assert rewards.any()
    if opponents is settled:
        # Here every seat has learned in the same games.
        assert np.allclose(rewards.sum(axis=1), 0, atol=1e-5)
        for seat, side in enumerate(game.sides):
            assert np.array_equal(rewards[:, seat], rewards[:, game.sides.index(side)])


@two_games
def test_single_environments_are_the_lanes(name: str) -> None:
    seeds = [3, 2**64 - 1, 3, 0]
    for opponents in ("random", lowest):
        env = Env(name, 4, seat=1, opponents=opponents)
        observation, _ = env.reset(seed=seeds)
        told = told_by_one_seat_from(env, observation, 120)
        for lane, seed in enumerate(seeds):
            alone = gymnasium.make(IDS[name], seat=1, opponents=opponents)
            row, _ = alone.reset(seed=seed)
            events = [view(row["observation"], row["action_mask"])]
            while len(events) < len(told[lane]):
                action = act({key: array[None] for key, array in row.items()})[0]
                row, reward, terminated, truncated, _ = alone.step(action)
                if terminated:
                    events.append(end(row["observation"], reward, terminated, truncated))
                    row, _ = alone.reset()
                events.append(view(row["observation"], row["action_mask"]))
            assert events[: len(told[lane])] == told[lane]
        assert told[0] == told[2]
        assert told[0] != told[3] or opponents is lowest, "where there are no dice, all are the same"
        assert sum(event[0] == "end" for lane in told for event in lane) > 0


def told_by_one_seat_from(env: Any, observation: Any, rounds: int) -> list[list[Any]]:
    """The lanes' stories under NEXT_STEP, from a reset that has just been made."""
    told = [
        [view(*rows)] for rows in zip(observation["observation"], observation["action_mask"], strict=True)
    ]
    for _ in range(rounds):
        observation, rewards, terminated, truncated, _ = env.step(act(observation))
        for lane in range(env.num_envs):
            row = observation["observation"][lane]
            if terminated[lane] or truncated[lane]:
                told[lane].append(end(row, rewards[lane], terminated[lane], truncated[lane]))
            else:
                told[lane].append(view(row, observation["action_mask"][lane]))
    return told


# --- Autoreset and truncation -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "limit", "opponents"),
    [("sho", 5, settled), ("sho", None, "greedy"), ("shah", None, settled), ("shah", 5, "random")],
)
def test_the_modes_tell_the_same_games(name: str, limit: int | None, opponents: Any) -> None:
    game = sarai.make(name)
    seat = game.num_players - 1
    reference = None
    rounds = 4 * limit if limit else 300
    if opponents is settled:
        others = {player: settled for player in range(game.num_players) if player != seat}
        reference = told_by_all_seats(game, seat, others, lanes=4, seed=5, games=2, limit=limit)
        rounds = max(map(len, reference))
    for mode in AutoresetMode:
        env = Env(
            game,
            4,
            seat=seat,
            opponents=opponents,
            seed=5,
            autoreset_mode=mode,
            max_episode_steps=limit,
        )
        told = told_by_one_seat(env, rounds)
        reference = told if reference is None else reference
        assert agree(reference, told) >= 2, "too few games ended for the test to mean anything"
    if limit:
        assert any(event[0] == "end" and event[-1] for lane in reference for event in lane)


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


@two_games
def test_final_info_under_same_step(name: str) -> None:
    env = Env(name, 5, seed=2, autoreset_mode="SameStep", max_episode_steps=12, illegal_action="terminate")
    observation, info = env.reset()
    assert "illegal_action" not in info or not info["illegal_action"].any()
    ends = 0
    for round_ in range(40):
        actions = act(observation)
        if round_ % 7 == 3:
            actions[2] = -1
        observation, rewards, terminated, truncated, info = env.step(actions)
        over = terminated | truncated
        if not over.any():
            assert not {"final_obs", "final_info"} & info.keys()
            continue
        ends += over.sum()
        assert [last is not None for last in info["final_obs"]] == over.tolist()
        final = info["final_info"]
        assert {key for key in final if not key.startswith("_")} == {"action_mask", "side", "illegal_action"}
        # A game that is over leaves nothing to do; in one that was cut off the learner could have gone on.
        assert np.array_equal(final["action_mask"].any(axis=1), truncated)
        assert np.array_equal(info["illegal_action"], rewards == -1) or not (rewards == -1).any()
        assert final["illegal_action"][2] == (round_ % 7 == 3)
        assert observation["action_mask"].any(axis=1).all(), "the new games wait for the learner"
    assert ends > 10


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
    for mask, kind in [
        (np.zeros(3, bool), ValueError),
        (np.ones(2, bool), ValueError),
        (np.ma.array([True] * 3, mask=[0, 0, 1]), ValueError),
        (np.ones(3, int), TypeError),
        ([True] * 3, TypeError),
    ]:
        with pytest.raises(kind, match="reset_mask"):
            env.reset(options={"reset_mask": mask})
    with pytest.raises(TypeError, match="options"):
        env.reset(options=[1])
    assert env._batch.snapshot() == before
    rows = env.reset(options={"reset_mask": terminated})[0]
    for key in rows:
        assert np.array_equal(rows[key][[0, 2]], observation[key][[0, 2]])
    assert rows["action_mask"][1].any()
    env.step(act(rows))


# --- Illegal actions ----------------------------------------------------------------------------------------


@a_game_for_every_mode
@pytest.mark.parametrize("opponents", ["greedy", lowest], ids=["name", "policy"])
def test_illegal_actions(name: str, mode: AutoresetMode, opponents: Any) -> None:
    def made(policy: str) -> Any:
        env = Env(name, 4, seat=1, opponents=opponents, seed=6, autoreset_mode=mode, illegal_action=policy)
        observation, _ = env.reset()
        return env, observation

    raising, observation = made("raise")
    legal = act(observation)
    wrong = legal.copy()
    wrong[[1, 3]] = [observation["action_mask"][1].argmin(), 2**40]
    before = raising._batch.snapshot()
    with pytest.raises(sarai.IllegalActionError, match=f"lane 1: action {wrong[1]} "):
        raising.step(wrong)
    assert raising._batch.snapshot() == before
    expected = raising.step(legal)
    assert "illegal_action" not in expected[4]
    for policy, reward in (("terminate", -1.0), ("random", 0.0)):
        env, _ = made(policy)
        observation, rewards, terminated, truncated, info = env.step(wrong)
        assert info["illegal_action"].tolist() == [False, True, False, True]
        assert rewards.tolist() == [0, reward, 0, reward]
        assert terminated.tolist() == [False, policy == "terminate"] * 2
        assert not truncated.any()
        for lane in (0, 2):
            for key in observation:
                assert np.array_equal(observation[key][lane], expected[0][key][lane]), "others go on as ever"
        if mode == AutoresetMode.DISABLED and terminated.any():
            observation, info = env.reset(options={"reset_mask": terminated})
        else:
            observation, _, _, _, info = env.step(act(observation))
            assert not info["illegal_action"].any()
