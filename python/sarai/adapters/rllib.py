"""RLlib: a `MultiAgentEnv` in which every seat is an agent, with the keys of RLlib's own action masking module."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict
from numpy.typing import NDArray

try:
    from ray.rllib.env.multi_agent_env import MultiAgentEnv
except ModuleNotFoundError as error:
    if error.name is None or error.name.split(".")[0] != "ray":
        raise
    raise ModuleNotFoundError(
        'sarai.adapters.rllib needs RLlib: pip install "sarai[rllib]"', name=error.name
    ) from error

from sarai.envs.aec import SaraiAECEnv

Observation = dict[str, NDArray[np.float32]]


class SaraiMultiAgentEnv(MultiAgentEnv):  # type: ignore[misc]
    """A game for RLlib: agents "player_0", "player_1", ...; each step takes the action of the one whose turn it is.

    Observations are dicts of "observations", float32 (L,), the agent's view, and "action_mask", float32 (A,), 1 where
    the action is legal: what `ActionMaskingTorchRLModule` reads. An observation is given to the agent that has to act,
    and to all when the game is over. Rewards are given to all agents: zeros, then everybody's returns.

    Args:
        config: "game", a name; "rules", "preset", "max_cycles" and "illegal_action" as `sarai.aec_env` takes them, but
            "illegal_action" is "terminate" where nothing is said: RLlib tries an environment with actions that it draws
            without the mask.

    Raises:
        ValueError, TypeError: As `sarai.aec_env`, or the config has another key.

    Example:
        config = PPOConfig().environment(SaraiMultiAgentEnv, env_config={"game": "shuanglu"})
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        settings = dict(config or {})
        unknown = settings.keys() - {"game", "rules", "preset", "illegal_action", "max_cycles"}
        if unknown:
            raise ValueError(
                f"env_config got {sorted(unknown)}; it takes game, rules, preset, illegal_action and max_cycles"
            )
        settings.setdefault("illegal_action", "terminate")
        if "game" not in settings:
            raise ValueError('env_config names no game; it takes one as {"game": name}')
        self._env = SaraiAECEnv(settings.pop("game"), **settings)
        view = self._env.observation_space("player_0")["observation"]
        assert isinstance(view, Box)
        actions = self._env.action_space("player_0")
        space = Dict(
            observations=Box(view.low.astype(np.float32), view.high.astype(np.float32), dtype=np.float32),
            action_mask=Box(0.0, 1.0, (int(actions.n),), np.float32),
        )
        self.possible_agents = list(self._env.possible_agents)
        self.agents = list(self.possible_agents)
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = dict.fromkeys(self.possible_agents, actions)
        # One space for all: RLlib looks for these as well.
        self.observation_space, self.action_space = space, actions

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, Any]]:
        """Begin a new game; the agent that has to act is told what it sees."""
        self._env.reset(seed=seed, options=options)
        return self._views([self._env.agent_selection])

    def step(
        self, action_dict: Mapping[str, Any]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Play the action of the agent whose turn it is.

        Raises:
            ValueError: There is not just that agent's action.
            IllegalActionError: The action is not legal, with illegal_action="raise".
        """
        agent = self._env.agent_selection
        if list(action_dict) != [agent]:
            raise ValueError(f"the actions are for {sorted(action_dict)}; it is the turn of {agent} alone")
        self._env.step(action_dict[agent])
        rewards = dict(self._env.rewards)
        terminated = all(self._env.terminations.values())
        truncated = all(self._env.truncations.values())
        over = terminated or truncated
        views, infos = self._views(self.possible_agents if over else [self._env.agent_selection])
        return views, rewards, {"__all__": terminated}, {"__all__": truncated}, infos

    def _views(self, agents: list[str]) -> tuple[dict[str, Observation], dict[str, Any]]:
        views = {}
        for agent in agents:
            seen = self._env.observe(agent)
            views[agent] = {
                "observations": seen["observation"].astype(np.float32),
                "action_mask": seen["action_mask"].astype(np.float32),
            }
        return views, {agent: {"side": self._env.infos[agent]["side"]} for agent in agents}
