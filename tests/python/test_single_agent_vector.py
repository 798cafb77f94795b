"""`SingleAgentVectorEnv` and `gymnasium.make_vec`: many games at once, from one seat."""

from __future__ import annotations

import copy
import os
import pickle
import signal
import threading
import time
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import vector as wrappers

import sarai
from learner_games import act, agree, end, lowest, told_by_all_seats, told_by_one_seat, view
from test_self_play import digest, every_book, every_game, every_mode, same, settled
from test_single_agent import IDS, looks_like_a_picture

Env = sarai.SingleAgentVectorEnv


def go_on(env: Any, steps: int, choose: Callable[[dict[str, Any]], Any] = act) -> list[Any]:
    """Reset and play on; what each call returned."""
    seen: list[Any] = [env.reset()]
    disabled = env.metadata["autoreset_mode"] == AutoresetMode.DISABLED
    for _ in range(steps):
        seen.append(env.step(choose(seen[-1][0])))
        over = seen[-1][2] | seen[-1][3]
        if disabled and over.any():
            seen.append(env.reset(options={"reset_mask": over}))
    return seen


# --- What is returned ---------------------------------------------------------------------------------------


@every_book
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


@every_book
@pytest.mark.parametrize("opponents", ["random", "greedy", settled], ids=["random", "greedy", "policy"])
def test_first_games_are_the_rollouts_and_rewards_sum_to_zero(book: tuple[str, str], opponents: Any) -> None:
    game = sarai.make(book[0], preset=book[1])
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


@every_game
def test_single_environments_are_the_lanes(name: str) -> None:
    seeds = [3, 2**64 - 1, 3, 0]
    for opponents in ("random", lowest):
        env = Env(name, 4, seat=1, opponents=opponents)
        observation, _ = env.reset(seed=seeds)
        told = told_by_one_seat_from(env, observation, 250)
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


@every_game
@pytest.mark.parametrize("limit", [None, 5])
@pytest.mark.parametrize("opponents", [settled, "random", "greedy"], ids=["policy", "random", "greedy"])
def test_the_modes_tell_the_same_games(name: str, limit: int | None, opponents: Any) -> None:
    game = sarai.make(name)
    seat = game.num_players - 1
    reference = None
    rounds = 4 * limit if limit else 400
    if opponents is settled:
        others = {player: settled for player in range(game.num_players) if player != seat}
        reference = told_by_all_seats(game, seat, others, lanes=4, seed=5, games=3, limit=limit)
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


@every_game
@every_mode
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


@every_game
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
        keys = {"final_obs", "_final_obs", "final_info", "_final_info"}
        if not over.any():
            assert not keys & info.keys()
            continue
        assert keys <= info.keys()
        ends += over.sum()
        assert np.array_equal(info["_final_obs"], over)
        assert np.array_equal(info["_final_info"], over)
        assert [last is not None for last in info["final_obs"]] == over.tolist()
        final = info["final_info"]
        assert {key for key in final if not key.startswith("_")} == {"action_mask", "side", "illegal_action"}
        assert all(np.array_equal(final["_" + key], over) for key in final if not key.startswith("_"))
        # A game that is over leaves nothing to do; in one that was cut off the learner could have gone on.
        assert np.array_equal(final["action_mask"].any(axis=1), truncated)
        assert np.array_equal(info["illegal_action"], rewards == -1) or not (rewards == -1).any()
        assert final["illegal_action"][2] == (round_ % 7 == 3)
        assert observation["action_mask"].any(axis=1).all(), "the new games wait for the learner"
    assert ends > 10


@every_game
@pytest.mark.parametrize("opponents", ["greedy", lowest], ids=["name", "policy"])
def test_a_lane_that_waits_is_not_stepped(name: str, opponents: Any) -> None:
    env = Env(name, 3, seed=1, opponents=opponents, autoreset_mode="Disabled", illegal_action="terminate")
    observation, _ = env.reset()
    actions = act(observation)
    actions[1] = -1
    observation, _rewards, terminated, _, _ = env.step(actions)
    assert terminated.tolist() == [False, True, False]
    before = env._batch.snapshot()
    for action in (act(observation), actions):
        with pytest.raises(ValueError, match=r"lane 1.*begin a new one with reset.*reset_mask"):
            env.step(action)
    for mask, kind in [
        (np.zeros(3, bool), ValueError),
        (np.ones(2, bool), ValueError),
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


@every_game
@every_mode
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
    with pytest.raises(sarai.IllegalActionError, match=f"lane 1: action {wrong[1]} is not legal here; legal"):
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


# --- Seeds, threads, lanes ----------------------------------------------------------------------------------


@every_game
@every_mode
def test_threads_do_not_change_anything(name: str, mode: AutoresetMode) -> None:
    def played(threads: int | None) -> list[Any]:
        env = Env(name, 600, seed=3, autoreset_mode=mode, num_threads=threads, max_episode_steps=5)
        return [digest(step) for step in go_on(env, 12)]

    one = played(1)
    assert played(2) == one
    assert played(4) == one
    assert played(None) == one


@every_game
def test_a_lane_does_not_depend_on_the_others(name: str) -> None:
    for opponents in ("random", settled):
        few, many = (Env(name, lanes, seed=8, opponents=opponents) for lanes in (3, 40))
        for small, large in zip(go_on(few, 40), go_on(many, 40), strict=True):
            for key in small[0]:
                assert np.array_equal(small[0][key], large[0][key][:3])
            for place in range(1, len(small) - 1):
                assert np.array_equal(small[place], large[place][:3])


@every_game
def test_seeds(name: str) -> None:
    def first(env: Any, **reset: Any) -> list[Any]:
        return [env.reset(**reset), *(env.step(env.sample_legal()) for _ in range(30))]

    seeded = first(Env(name, 4, seed=8))
    assert same(first(Env(name, 4, seed=1), seed=8), seeded), "a reset's seed is the constructor's"
    assert not same(first(Env(name, 4, seed=9)), seeded)
    env = gymnasium.make_vec(IDS[name], 4)
    assert not same(first(env), first(gymnasium.make_vec(IDS[name], 4))), "None takes a seed from the system"
    assert same(first(env, seed=8), seeded), "whatever was played before"
    assert env.np_random_seed == 8
    assert same(first(env, seed=np.int64(8)), seeded)
    assert not same(first(env), seeded), "without a seed the streams go on"
    listed = first(env, seed=[8, 7, 7, 8])
    assert not same(listed, seeded)
    assert same(first(env, seed=np.array([8, 7, 7, 8])), listed)
    assert same(first(env, seed=(8, 7, 7, 8)), listed)
    rows = listed[0][0]["observation"]
    assert np.array_equal(rows[1], rows[2])


@every_game
def test_only_a_first_reset_shows_the_games_that_stand_there(name: str) -> None:
    def views(env: Any) -> list[str]:
        return [state.to_json() for state in map(env.state, range(env.num_envs))]

    # Where there are no dice, the random opponents who begin make the difference.
    made = {"seed": 1, "opponents": "random", "seat": 1}
    env = Env(name, 20, **made)
    standing = views(env)
    env.reset()
    assert views(env) == standing
    env.reset()
    assert views(env) != standing, "a second one begins new games"
    env = Env(name, 20, **made)
    env.step(env.sample_legal())
    stepped = views(env)
    env.reset()
    assert views(env) not in (stepped, standing)


@every_game
@pytest.mark.parametrize("opponents", ["random", lowest], ids=["name", "policy"])
def test_bad_seeds_are_refused_and_nothing_has_changed(name: str, opponents: Any) -> None:
    env = Env(name, 4, seed=3, opponents=opponents)
    go_on(env, 3)
    before, chance = env._batch.snapshot(), env.np_random.bit_generator.state
    for seed in (iter([1, 2, 3, 4]), {1, 2, 3, 4}, 1.5, "1234", [1.5] * 4):
        with pytest.raises(TypeError, match="seed"):
            env.reset(seed=seed)
    for seed in ([1, 2, 3], [1, 2, 3, -4], [2**64] * 4, -1, 2**64):
        with pytest.raises(ValueError, match="seed"):
            env.reset(seed=seed)
    assert env._batch.snapshot() == before
    assert env.np_random.bit_generator.state == chance
    assert env.np_random_seed == 3


@every_game
@every_mode
def test_fresh_arrays_or_the_same(name: str, mode: AutoresetMode) -> None:
    made = {"seed": 6, "max_episode_steps": 4, "autoreset_mode": mode, "illegal_action": "random"}
    fresh, shared = (gymnasium.make_vec(IDS[name], 20, copy=copied, **made) for copied in (True, False))
    told = [told_by_one_seat(env, 25) for env in (fresh, shared)]
    assert told[0] == told[1], "the numbers are the same"

    def arrays(step: Any) -> list[Any]:
        return [*step[0].values(), *step[1:4], step[4]["illegal_action"]]

    def two_steps(env: Any) -> tuple[list[Any], list[Any]]:
        observation, _ = env.reset(seed=1)
        one = env.step(act(observation))
        return arrays(one), arrays(env.step(act(one[0])))

    one, two = two_steps(shared)
    # The rewards are the learner's column, which is an array of its own in any case.
    reused = [np.shares_memory(*pair) for pair in zip(one, two, strict=True)]
    assert reused == [True, True, False, True, True, True]
    kept = []
    observation, _ = fresh.reset(seed=1)
    for _ in range(12):
        step = fresh.step(act(observation))
        observation = step[0]
        for array in arrays(step):
            assert not any(np.shares_memory(array, old) for old, _ in kept)
            kept.append((array, array.tobytes()))
        if mode == AutoresetMode.DISABLED and (step[2] | step[3]).any():
            observation, _ = fresh.reset(options={"reset_mask": step[2] | step[3]})
    assert all(array.tobytes() == then for array, then in kept)


# --- make_vec and stock wrappers ----------------------------------------------------------------------------


@every_game
@every_mode
def test_make_vec_passes_everything_on(name: str, mode: AutoresetMode) -> None:
    preset = list(sarai.presets(name))[-1]
    game = sarai.make(name, preset=preset)
    given = {
        "seat": 1,
        "opponents": ["random"] * (game.num_players - 1),
        "rules": game.rules,
        "preset": preset,
        "seed": 4,
        "autoreset_mode": mode,
        "max_episode_steps": 6,
        "illegal_action": "random",
        "render_mode": "ansi",
        "copy": False,
        "num_threads": 2,
    }
    env = gymnasium.make_vec(IDS[name], num_envs=7, **given)
    assert isinstance(env, Env)
    assert env.game == game
    assert env.metadata["autoreset_mode"] is env.autoreset_mode is mode
    assert env.spec.id == IDS[name]
    assert (env.num_envs, env.render_mode) == (7, "ansi")
    alike = Env(name, 7, **given)
    assert [digest(step) for step in go_on(env, 20)] == [digest(step) for step in go_on(alike, 20)]
    for key, other in [("seat", 0), ("opponents", "greedy"), ("seed", 5), ("max_episode_steps", 5)]:
        changed = gymnasium.make_vec(IDS[name], num_envs=7, **{**given, key: other})
        assert not same(go_on(changed, 20), go_on(Env(name, 7, **given), 20)), f"{key} does nothing"
    named = gymnasium.make_vec(IDS[name], num_envs=2, autoreset_mode=mode.value)
    assert named.autoreset_mode is mode
    assert gymnasium.make_vec(IDS[name]).autoreset_mode is AutoresetMode.NEXT_STEP
    assert gymnasium.make_vec(IDS[name]).num_envs == 1


@every_game
def test_gymnasiums_own_vector_of_single_environments(name: str) -> None:
    seeds = [3, 4, 5]
    theirs = gymnasium.make_vec(
        IDS[name], num_envs=3, vectorization_mode="sync", opponents="greedy", max_episode_steps=15
    )
    ours = Env(name, 3, opponents="greedy", illegal_action="terminate", max_episode_steps=15)
    one, two = theirs.reset(seed=seeds)[0], ours.reset(seed=seeds)[0]
    ends = 0
    over = np.zeros(3, bool)
    for _ in range(40):
        # At an end theirs shows the mask of the game that is over, ours that any action will do.
        assert np.array_equal(one["observation"], two["observation"])
        assert np.array_equal(one["action_mask"][~over], two["action_mask"][~over])
        one, *left, _ = theirs.step(act(two))
        two, *right, _ = ours.step(act(two))
        for each, other in zip(left, right, strict=True):
            assert np.array_equal(each, other)
        over = right[1] | right[2]
        ends += over.sum()
    assert ends > 2
    theirs.close()


@every_game
@every_mode
def test_record_episode_statistics(name: str, mode: AutoresetMode) -> None:
    # Twelve decisions end few games, and thirty many.
    for limit in (12, None):
        env = gymnasium.make_vec(IDS[name], 6, seed=2, autoreset_mode=mode, max_episode_steps=limit)
        wrapped = wrappers.RecordEpisodeStatistics(env, buffer_length=1000)
        lengths, returns = np.zeros(6, int), []
        counted = []
        observation, _ = wrapped.reset()
        begins = np.zeros(6, bool)
        while len(returns) < 14:
            observation, rewards, terminated, truncated, info = wrapped.step(act(observation))
            over = terminated | truncated
            lengths += ~begins
            for lane in np.flatnonzero(over):
                returns.append(rewards[lane])
                counted.append(lengths[lane])
                assert info["episode"]["l"][lane] == lengths[lane]
                assert info["episode"]["r"][lane] == rewards[lane]
                lengths[lane] = 0
            if over.any():
                assert np.array_equal(info["_episode"], over)
            begins = over if mode == AutoresetMode.NEXT_STEP else np.zeros(6, bool)
            if mode == AutoresetMode.DISABLED and over.any():
                observation, _ = wrapped.reset(options={"reset_mask": over.copy()})
        assert list(wrapped.return_queue) == returns
        assert list(wrapped.length_queue) == counted
        assert (set(counted) == {12}) == (limit == 12)


@every_game
@every_mode
def test_dict_info_to_list(name: str, mode: AutoresetMode) -> None:
    env = Env(name, 3, seed=1, max_episode_steps=3, autoreset_mode=mode, illegal_action="random", seat=1)
    wrapped = wrappers.DictInfoToList(wrappers.RecordEpisodeStatistics(env))
    observation, infos = wrapped.reset()
    finals = 0
    for _ in range(9):
        actions = act(observation)
        actions[1] = -1
        ignored = mode == AutoresetMode.NEXT_STEP and bool(observation["action_mask"][1].all())
        observation, _, terminated, truncated, infos = wrapped.step(actions)
        over = terminated | truncated
        assert len(infos) == 3
        for lane, info in enumerate(infos):
            assert np.array_equal(info["action_mask"], observation["action_mask"][lane])
            assert info["side"] == env.game.sides[1]
            assert bool(info["illegal_action"]) == (lane == 1 and not ignored)
            assert ("episode" in info) == over[lane]
            assert ("final_info" in info) == (over[lane] and mode == AutoresetMode.SAME_STEP)
            if "final_info" in info:
                finals += 1
                assert set(info["final_info"]) == {"action_mask", "side", "illegal_action"}
                assert bool(info["final_info"]["illegal_action"]) == (lane == 1)
                assert info["final_obs"] in env.single_observation_space
        if mode == AutoresetMode.DISABLED and over.any():
            observation, infos = wrapped.reset(options={"reset_mask": over})
    assert finals == (9 if mode == AutoresetMode.SAME_STEP else 0)
    wrapped.close()


@every_game
@every_mode
def test_stock_wrappers(name: str, mode: AutoresetMode) -> None:
    def made() -> Any:
        return gymnasium.make_vec(IDS[name], 5, seed=2, autoreset_mode=mode, max_episode_steps=6)

    plain = [step for step in go_on(made(), 15) if len(step) == 5]

    def wrapped_steps(env: Any, choose: Callable[[Any], Any] = act) -> list[Any]:
        return [step for step in go_on(env, 15, choose) if len(step) == 5]

    doubled = wrapped_steps(wrappers.TransformReward(made(), lambda reward: 2 * reward))
    clipped = wrapped_steps(wrappers.ClipReward(made(), min_reward=-0.25, max_reward=0.25))
    normal = wrapped_steps(wrappers.NormalizeReward(made()))
    for twice, cut, scaled, step in zip(doubled, clipped, normal, plain, strict=True):
        assert same(twice[0], step[0])
        assert np.array_equal(twice[1], 2 * step[1])
        assert np.array_equal(cut[1], step[1].clip(-0.25, 0.25))
        assert np.isfinite(scaled[1]).all()
        assert np.array_equal(np.sign(scaled[1]), np.sign(step[1]))

    chosen = wrappers.TransformAction(made(), lambda actions: actions - 1)
    assert same(wrapped_steps(chosen, lambda rows: act(rows) + 1), plain)
    if mode == AutoresetMode.SAME_STEP:
        # Gymnasium's wrappers of observations do not know what to do with those in the info.
        with pytest.raises(ValueError, match="SAME_STEP"):
            wrappers.FlattenObservation(made())
        return
    env = wrappers.FlattenObservation(made())
    length = env.unwrapped.game.observation_shape[0]
    assert env.single_observation_space.shape == (length + env.unwrapped.game.num_actions,)

    def act_flat(rows: Any) -> Any:
        return settled(rows[:, :length], rows[:, length:])

    for flat, step in zip(wrapped_steps(env, act_flat), plain, strict=True):
        assert np.array_equal(flat[0], np.hstack([step[0]["observation"], step[0]["action_mask"]]))
        assert flat[0] in env.observation_space
    halves = wrappers.TransformObservation(
        made(), lambda rows: {"observation": rows["observation"] / 2, "action_mask": rows["action_mask"]}
    )
    seen = wrapped_steps(
        halves, lambda rows: settled((rows["observation"] * 2).astype(np.int8), rows["action_mask"])
    )
    assert same([step[1:4] for step in seen], [step[1:4] for step in plain])


# --- Copies, pictures, Ctrl-C -------------------------------------------------------------------------------


@every_game
@every_mode
@pytest.mark.parametrize("opponents", ["random", lowest], ids=["name", "policy"])
def test_copies_go_on_alike_and_apart(name: str, mode: AutoresetMode, opponents: Any) -> None:
    def played(env: Any, steps: int) -> list[Any]:
        seen: list[Any] = []
        for _ in range(steps):
            seen.append(digest(step := env.step(env.sample_legal())))
            if mode == AutoresetMode.DISABLED and (step[2] | step[3]).any():
                env.reset(options={"reset_mask": step[2] | step[3]})
        return seen

    preset = list(sarai.presets(name))[-1]
    made = {
        "preset": preset,
        "seat": 1,
        "opponents": opponents,
        "autoreset_mode": mode,
        "copy": False,
        "max_episode_steps": 6,
    }
    for duplicate in (copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))):
        env = gymnasium.make_vec(IDS[name], 5, **made)
        witness = Env(name, 5, **made)
        for one in (env, witness):
            one.reset(seed=13)
            played(one, 9)
        twin = duplicate(env)
        expected = played(witness, 14)
        assert played(env, 14) == expected
        assert played(twin, 14) == expected, "the copy's games and its sampling are its own"
        assert (twin.game, twin.num_envs, twin.autoreset_mode) == (env.game, 5, mode)
        assert twin.metadata["autoreset_mode"] is mode
        assert twin.observation_space == env.observation_space
        fresh = Env(name, 5, seed=7, **made)
        assert same(duplicate(fresh).reset(), fresh.reset()), "a copy of a new environment is new"


@every_game
def test_pictures(name: str) -> None:
    for mode in ("ansi", "svg", "rgb_array"):
        env = gymnasium.make_vec(IDS[name], 2, render_mode=mode, seed=1)
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
    assert Env(name, 2).render() == (None, None)
    with pytest.raises(ValueError, match="render_mode got"):
        Env(name, 2, render_mode="human")


def sleeps(observations: Any, masks: Any) -> Any:
    """A policy that takes its time."""
    time.sleep(60)


@pytest.mark.skipif(os.name == "nt", reason="Windows sends Ctrl-C to the whole console")
@every_game
@pytest.mark.parametrize("with_policy", [False, True], ids=["names", "policy"])
def test_interrupts_change_nothing(name: str, with_policy: bool) -> None:
    game = sarai.make(name)
    opponents: list[Any] = ["mcts:100000"] * (game.num_players - 1)
    if with_policy:
        opponents[0] = lowest if game.num_players > 2 else sleeps

    def begins(seed: int) -> bool:
        """Whether the learner has the first decision; others would think before there is anything to stop."""
        info = sarai.SelfPlayVectorEnv(game, 2, seed=seed).reset()[1]
        return bool((info["current_player"] == 0).all())

    seed = next(seed for seed in range(1000) if begins(seed))
    env = Env(game, 2, opponents=opponents, seed=seed, num_threads=1)
    observation, _ = env.reset()
    before = ""
    sent: list[float] = []

    def send() -> None:
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    # A shell that starts the tests in the background has them ignore Ctrl-C.
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.25, send)
    timer.start()
    try:
        # The learner may have some decisions before anybody else has one.
        while not sent:
            before = env._batch.snapshot()
            observation = env.step(act(observation))[0]
        raise AssertionError("nobody took any time")
    except KeyboardInterrupt:
        # About a second, on a machine that has other things to do; the step would take a minute.
        assert time.monotonic() - sent[0] < 2.0
    finally:
        timer.join()
        signal.signal(signal.SIGINT, handler)
    assert env._batch.snapshot() == before
    rows, masks, _ = env._batch.observe()
    assert same({"observation": rows, "action_mask": masks}, observation)


@every_game
def test_bad_arguments(name: str) -> None:
    wrong: list[tuple[type[Exception], str, dict[str, Any]]] = [
        (ValueError, "num_envs got", {"num_envs": 0}),
        (TypeError, "num_envs", {"num_envs": 1.5}),
        (ValueError, "num_threads got", {"num_threads": 0}),
        (ValueError, "max_episode_steps got", {"max_episode_steps": 0}),
        (ValueError, "autoreset_mode got", {"autoreset_mode": "sometimes"}),
        (TypeError, "copy must be", {"copy": 1}),
        (ValueError, "seed got", {"seed": -1}),
        (TypeError, "seed must be", {"seed": 1.5}),
        (ValueError, "seat got", {"seat": 9}),
        (ValueError, "unknown agent", {"opponents": "clever"}),
        (ValueError, "illegal_action got", {"illegal_action": "ignore"}),
    ]
    for opponents in ("random", lowest):
        for kind, sentence, arguments in wrong:
            with pytest.raises(kind, match=sentence):
                gymnasium.make_vec(IDS[name], **{"opponents": opponents, **arguments})
    env = Env(name, 2, seed=1)
    env.reset()
    before = env._batch.snapshot()
    for actions, kind in [
        ([0], ValueError),
        ([0.0, 0.0], TypeError),
        (0, ValueError),
        (None, (TypeError, ValueError)),
    ]:
        with pytest.raises(kind, match="actions must"):
            env.step(actions)
    assert env._batch.snapshot() == before
