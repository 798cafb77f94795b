"""`observation_dtype` and `mask_dtype`: the same games, shown in another dtype, in every environment."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import sarai
from helpers.lanes import some_books

FORMS: Any = {"observation_dtype": "float32", "mask_dtype": "bool"}


def same(game: sarai.Game, plain: Any, formed: Any) -> None:
    """Two observations, or arrays of infos, that differ in their dtypes alone."""
    assert plain["observation"].dtype == plain["action_mask"].dtype == np.int8
    assert (formed["observation"].dtype, formed["action_mask"].dtype) == (np.float32, np.bool_)
    cells = plain["observation"]
    scaled = sarai.nets.encode(np.atleast_2d(cells), game, "scaled").reshape(cells.shape)
    assert np.array_equal(scaled, formed["observation"])
    assert np.array_equal(plain["action_mask"] == 1, formed["action_mask"])


@some_books
@pytest.mark.parametrize("kind", [sarai.SelfPlayVectorEnv, sarai.SingleAgentVectorEnv])
def test_vector_environments(book: tuple[str, str], kind: Any) -> None:
    game = sarai.make(book[0], preset=book[1])
    settings = {"autoreset_mode": "SameStep", "max_episode_steps": 12, "seed": 3}
    plain, formed = kind(game, 3, **settings), kind(game, 3, **settings, **FORMS)
    seen = plain.reset()[0], formed.reset()[0]
    ends = 0
    for step in range(40):
        same(game, *seen)
        assert formed.observation_space.contains(seen[1])
        if step == 20:
            formed = copy.deepcopy(formed)
        actions = plain.sample_legal()
        one, two = plain.step(actions), formed.step(actions)
        for left, right in zip(one[1:4], two[1:4], strict=True):
            assert np.array_equal(left, right)
        assert two[4]["action_mask"].dtype == np.bool_
        assert np.array_equal(one[4]["action_mask"] == 1, two[4]["action_mask"])
        if "final_obs" in one[4]:
            for lane, (left, right) in enumerate(zip(one[4]["final_obs"], two[4]["final_obs"], strict=True)):
                arrays = two[4]["final_obs_arrays"]
                if left is not None:
                    same(game, left, right)
                    ends += 1
                for key in ("observation", "action_mask"):
                    assert arrays[key].dtype == two[0][key].dtype
                    assert np.array_equal(
                        arrays[key][lane], 0 * arrays[key][lane] if right is None else right[key]
                    )
            assert two[4]["final_info"]["action_mask"].dtype == np.bool_
        seen = one[0], two[0]
    assert ends


def test_single_environments() -> None:
    numpys: Any = {"observation_dtype": np.float32, "mask_dtype": np.dtype(bool)}
    plain, formed = sarai.SingleAgentEnv("tshupu"), sarai.SingleAgentEnv("tshupu", **numpys)
    seen = plain.reset(seed=5), formed.reset(seed=5)
    turns = sarai.aec_env("sho"), sarai.aec_env("sho", **FORMS)
    for env in turns:
        env.reset(seed=2)
    for _ in range(30):
        same(plain.game, seen[0][0], seen[1][0])
        assert formed.observation_space.contains(seen[1][0])
        assert seen[1][1]["action_mask"].dtype == np.bool_
        action = plain.sample_legal()
        (first, *_, told), (second, *_, known) = plain.step(action), formed.step(action)
        seen = (first, told), (second, known)
        one, two = (env.observe(env.agent_selection) for env in turns)
        same(turns[0].game, one, two)
        assert turns[1].observation_space("player_1").contains(two)
        for env in turns:
            env.step(int(one["action_mask"].argmax()))
