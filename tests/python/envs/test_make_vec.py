"""`gymnasium.make_vec`, and Gymnasium's own wrappers around what it makes."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import vector as wrappers

import sarai
from helpers.lanes import IDS, a_game_for_every_mode, act, digest, same, skip_where_gymnasium_miscounts
from helpers.learner_games import go_on, lowest

Env = sarai.SingleAgentVectorEnv


@a_game_for_every_mode
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


@pytest.mark.parametrize(("name", "opponents"), [("sho", lowest), ("shah", "random"), ("shuanglu", "greedy")])
def test_gymnasiums_own_vector_of_single_environments(name: str, opponents: Any) -> None:
    seeds = [3, 4, 5]
    theirs = gymnasium.make_vec(
        IDS[name], num_envs=3, vectorization_mode="sync", opponents=opponents, max_episode_steps=15
    )
    ours = Env(name, 3, opponents=opponents, illegal_action="terminate", max_episode_steps=15)
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


@a_game_for_every_mode
def test_record_episode_statistics(name: str, mode: AutoresetMode) -> None:
    skip_where_gymnasium_miscounts(mode)
    made: Any = {"seed": 2, "autoreset_mode": mode}
    for env in (
        gymnasium.make_vec(IDS[name], 6, **made),
        gymnasium.make_vec(IDS[name], 6, max_episode_steps=12, **made),
        sarai.SelfPlayVectorEnv(name, 6, max_episode_steps=12, reward_of="actor", **made),
    ):
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
        assert max(counted) >= 12
