"""Every kind of environment, made alike, so that what holds for all of them is tested in one place."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import pettingzoo
import pytest

import sarai
from helpers.lanes import IDS, digest
from helpers.learner_games import lowest

LANES = 3
ASKS = {"seat": 1, "opponents": lowest}

KINDS: dict[str, Callable[..., Any]] = {
    "one game": lambda game, **given: sarai.SingleAgentEnv(game, **given),
    "one game, policy": lambda game, **given: sarai.SingleAgentEnv(game, **{**ASKS, **given}),
    "gymnasium.make": lambda game, **given: gymnasium.make(IDS[game], **given),
    "lanes": lambda game, **given: sarai.SingleAgentVectorEnv(game, **{"num_envs": LANES, **given}),
    "lanes, policy": lambda game, **given: sarai.SingleAgentVectorEnv(
        game, **{"num_envs": LANES, **ASKS, **given}
    ),
    "gymnasium.make_vec": lambda game, **given: gymnasium.make_vec(IDS[game], LANES, **given),
    "self-play": lambda game, **given: sarai.SelfPlayVectorEnv(game, **{"num_envs": LANES, **given}),
    "turns": lambda game, **given: sarai.aec_env(game, **given),
    "pettingzoo.make": lambda game, **given: pettingzoo.make("aec", f"sarai/{game}_v0", **given),
}
# A wrapper of Gymnasium's is not ours to copy, nor does it let everything through.
OURS = [kind for kind in KINDS if "." not in kind]
VECTORS = ["lanes", "lanes, policy", "self-play"]
LEARNERS = ["one game", "one game, policy", "lanes", "lanes, policy"]

every_kind = pytest.mark.parametrize("kind", KINDS)
every_kind_of_ours = pytest.mark.parametrize("kind", OURS)
every_vector = pytest.mark.parametrize("kind", VECTORS)

COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}
every_copy = pytest.mark.parametrize("duplicate", COPIES.values(), ids=COPIES)


def played(env: Any, steps: int = 20) -> list[Any]:
    """What an environment tells from where it stands, through new games where one ends."""
    told: list[Any] = []
    for _ in range(steps):
        if hasattr(env, "possible_agents"):
            if not env.agents or any(env.terminations.values()) or any(env.truncations.values()):
                env.reset()
            told.append([digest(env.observe(agent)) for agent in env.agents])
            env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
            continue
        # Games that were over already wait for this.
        waiting = ~env.action_masks().any(axis=-1)
        if waiting.any():
            told.append(digest(env.reset(options={"reset_mask": waiting} if waiting.shape else None)))
        actions = env.sample_legal()
        told.append(digest([actions, env.step(actions)]))
    return told
