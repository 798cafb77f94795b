"""What infos tell of the events of a game: the same that rollouts count."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

import sarai
from helpers.lanes import a_game_for_every_mode, same, some_books
from helpers.learner_games import lowest

LANES = 4


def act(observation: dict[str, NDArray[Any]]) -> NDArray[np.intp]:
    return lowest(observation["observation"], observation["action_mask"])


def expected(game: sarai.Game, agents: Any) -> dict[str, NDArray[np.int32]]:
    return sarai.rollout(game, agents, LANES, seed=9).stats_by_seat


def first_ends(env: Any) -> dict[str, NDArray[np.int32]]:
    """The statistics of the first game of each lane."""
    found = {name: np.full((LANES, env.game.num_players), -1, np.int32) for name in env.game.statistics}
    missing = np.ones(LANES, bool)
    observation, info = env.reset(seed=9)
    assert "stats" not in info
    while missing.any():
        observation, _, terminated, truncated, info = env.step(act(observation))
        over = terminated | truncated
        told = info.get("final_info", info)
        assert ("stats" in told) == over.any() == ("_stats" in told)
        if not over.any():
            continue
        assert np.array_equal(told["_stats"], over)
        for name, counts in found.items():
            assert told["stats"][name].dtype == np.int32
            assert np.array_equal(told["stats"][f"_{name}"], over)
            assert not told["stats"][name][~over].any()
            counts[over & missing] = told["stats"][name][over & missing]
        missing &= ~over
        if env.autoreset_mode == AutoresetMode.DISABLED:
            observation, _ = env.reset(options={"reset_mask": over})
    return found


@a_game_for_every_mode
def test_lanes_count_what_rollouts_count(name: str, mode: AutoresetMode) -> None:
    game = sarai.make(name)
    one = expected(game, [lowest, *["greedy"] * (game.num_players - 1)])
    assert any(counts.any() for counts in one.values())
    given: Any = {"autoreset_mode": mode, "stats": True}
    assert same(first_ends(sarai.SingleAgentVectorEnv(game, LANES, opponents="greedy", **given)), one)
    every = expected(game, lowest)
    assert same(first_ends(sarai.SingleAgentVectorEnv(game, LANES, opponents=lowest, **given)), every)
    assert same(first_ends(sarai.SelfPlayVectorEnv(game, LANES, **given)), every)


@some_books
def test_one_game_counts_as_it_goes_on(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    every = expected(game, lowest)
    env = sarai.SingleAgentEnv(game, opponents=lowest, stats=True)
    observation, info = env.reset(seed=9)
    before, over = info["stats"], False
    while not over:
        observation, _, over, _, info = env.step(int(observation["action_mask"].argmax()))
        assert all((info["stats"][name] >= before[name]).all() for name in before)
        before = info["stats"]
    assert same(before, {name: counts[0] for name, counts in every.items()})
    turns = sarai.aec_env(game, stats=True)
    turns.reset(seed=9)
    while not any(turns.terminations.values()):
        turns.step(int(turns.observe(turns.agent_selection)["action_mask"].argmax()))
    for seat, agent in enumerate(turns.agents):
        assert turns.infos[agent]["stats"] == {name: int(counts[0, seat]) for name, counts in every.items()}


def test_a_copy_goes_on_counting_and_a_failure_counts_nothing() -> None:
    env = sarai.SelfPlayVectorEnv("shuanglu", LANES, stats=True, seed=9)
    observation, _ = env.reset()
    for _ in range(60):
        observation, *_ = env.step(act(observation))
    with pytest.raises(sarai.IllegalActionError):
        env.step([149] * LANES)
    twin = pickle.loads(pickle.dumps(env))
    assert np.array_equal(env._batch.counts(), twin._batch.counts())
    assert env._batch.counts().any()
    env.step(act(observation)), twin.step(act(observation))
    assert np.array_equal(env._batch.counts(), twin._batch.counts())
    plain = sarai.SelfPlayVectorEnv("shuanglu", LANES, seed=9)
    assert plain._batch.counts().shape == (LANES, 0, 2)
    numpys: Any = np.True_
    made = sarai.SingleAgentVectorEnv("shuanglu", LANES, stats=numpys, copy=numpys)
    assert made._batch.counts().shape[1]


@some_books
def test_rewards_of_sides(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    env = sarai.SelfPlayVectorEnv(game, 8, reward_of="side", seed=1)
    players = sarai.SelfPlayVectorEnv(game, 8, seed=1)
    observation, _ = env.reset()
    players.reset()
    ended = False
    for _ in range(4000):
        actions = act(observation)
        observation, rewards, over, _, info = env.step(actions)
        _, expected, *_ = players.step(actions)
        assert rewards.dtype == np.float32
        assert rewards.shape == (8, len(set(game.sides)))
        assert np.array_equal(rewards[:, game.sides], expected)
        assert np.array_equal(info["rewards"], expected)
        ended |= bool(over.any())
        if ended:
            break
    assert ended
