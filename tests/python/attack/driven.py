"""Every kind of environment behind one face, so that two of them can be driven side by side and compared."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

import sarai
from attack.oracle import GAMES, SHORT, lowest, plain

LANES = 3
MAKERS: dict[str, Any] = {
    "one": sarai.SingleAgentEnv,
    "one, policy": sarai.SingleAgentEnv,
    "turns": sarai.aec_env,
    "lanes": sarai.SingleAgentVectorEnv,
    "lanes, policy": sarai.SingleAgentVectorEnv,
    "self-play": sarai.SelfPlayVectorEnv,
}


@dataclass(frozen=True)
class Setting:
    """What an environment is made with."""

    kind: str
    game: str
    given: dict[str, Any]

    @property
    def lanes(self) -> bool:
        """Whether it has several."""
        return self.kind in ("lanes", "lanes, policy", "self-play")

    @property
    def policy(self) -> bool:
        """Whether a policy of Python's plays in it."""
        return self.kind.endswith("policy")

    def begun(self, seed: int, **more: Any) -> Driven:
        """The environment, after its reset."""
        made = MAKERS[self.kind](self.game, *([LANES] if self.lanes else []), **{**self.given, **more})
        driven = Driven(self, made)
        driven.env.reset(seed=seed)
        return driven


@st.composite
def settings_of(draw: Any, kinds: tuple[str, ...] = tuple(MAKERS)) -> Setting:
    """Any of them."""
    kind, game = draw(st.sampled_from(kinds)), draw(st.sampled_from(GAMES))
    given: dict[str, Any] = {"rules": SHORT[game]}
    given["observation_dtype"] = draw(st.sampled_from(["int8", "int8", "float32"]))
    if "lanes" in kind or kind == "self-play":
        given["autoreset_mode"] = draw(st.sampled_from(["NextStep", "SameStep", "Disabled"]))
        given |= {"copy": draw(st.integers(0, 4)) > 0, "num_threads": 1}
        given["max_episode_steps"] = draw(st.sampled_from([None, None, 5]))
    given["illegal_action"] = draw(st.sampled_from(["raise", "raise", "terminate", "random"]))
    if kind == "self-play":
        given["illegal_action"] = "raise"
    elif kind == "turns":
        given["max_cycles"] = draw(st.sampled_from([None, None, 4]))
    else:
        given["seat"] = draw(st.integers(0, 1))
        rest = lowest if kind.endswith("policy") else draw(st.sampled_from(["random", "greedy", "mcts:2"]))
        given["opponents"] = rest
    return Setting(kind, game, given)


class Driven:
    """An environment, and what it can be asked whatever its kind is."""

    def __init__(self, setting: Setting, env: Any) -> None:
        self.setting = setting
        self.env = env

    def masks(self) -> NDArray[np.int8]:
        """What may be done, (lanes, A)."""
        if self.setting.kind == "turns":
            if not self.env.agents:
                return np.zeros((1, self.env.game.num_actions), np.int8)
            return np.array(self.env.observe(self.env.agent_selection)["action_mask"])[np.newaxis]
        masks = np.array(self.env.action_masks()).astype(np.int8)
        return masks if self.setting.lanes else masks[np.newaxis]

    def over(self) -> bool:
        """Whether nothing can be done before a reset."""
        if self.setting.kind == "turns":
            return not self.env.agents
        return not self.masks().any()

    def chosen(self, seed: int) -> Any:
        """What may be done next: an action, one a lane, or None for who leaves a game of turns."""
        if self.setting.kind == "turns":
            agent = self.env.agent_selection
            if self.env.terminations[agent] or self.env.truncations[agent]:
                return None
        rng = random.Random(seed)
        legal = [np.flatnonzero(row) for row in self.masks()]
        actions = np.array([rng.choice(row.tolist()) if len(row) else 0 for row in legal])
        return actions if self.setting.lanes else int(actions[0])

    def ready(self) -> None:
        """Begin new games where something waits for that."""
        if not self.setting.lanes:
            if self.over():
                self.env.reset()
            return
        waits = self.masks().max(axis=1) == 0
        if waits.any():
            self.env.reset(options={"reset_mask": waits})

    def step(self, action: Any) -> Any:
        """Do it, and say everything that comes of it."""
        return [plain(self.env.step(action)), self.stands()]

    def stands(self) -> Any:
        """Where it stands: positions, masks, and what else it says of itself."""
        env = self.env
        if self.setting.kind == "turns":
            told = (env.rewards, env.terminations, env.truncations, env.infos, env._cumulative_rewards)
            agents = [env.observe(agent) for agent in env.agents]
            return plain([agents, told, env.agents, env.agent_selection, env.game_state()])
        states = [env.state(lane) for lane in range(LANES)] if self.setting.lanes else [env.state()]
        return plain([states, self.masks(), env.np_random.bit_generator.state])
