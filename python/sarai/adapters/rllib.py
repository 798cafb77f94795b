"""RLlib: a vector environment for one learner, and a `MultiAgentEnv` in which every seat is an agent.

- `SaraiVectorEnv`: the vector environment.
- `SaraiMultiAgentEnv`: the `MultiAgentEnv`.

Both give the keys of RLlib's own action masking module, `ActionMaskingTorchRLModule`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from gymnasium.spaces import Box, Dict
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from sarai._base.extras import needed

with needed("sarai.adapters.rllib", "rllib", "ray"):
    from ray.rllib.env.multi_agent_env import MultiAgentEnv

from sarai._base.arguments import short
from sarai._core import Game
from sarai._envs.self_play import SelfPlayVectorEnv
from sarai._envs.single_agent_vector import SingleAgentVectorEnv
from sarai._envs.spaces import View
from sarai.adapters.settings import refuse

__all__ = ["SaraiMultiAgentEnv", "SaraiVectorEnv"]

Observation: TypeAlias = dict[str, NDArray[np.float32]]

ObservationsAndInfos: TypeAlias = tuple[dict[str, Observation], dict[str, Any]]
"""Of the agents."""


def _settings(config: Mapping[str, Any] | None, *own: str) -> tuple[str | Game, dict[str, Any]]:
    """The game and the other settings of an env_config; `own` are not to be among them.

    RLlib tries environments with actions that it draws without the mask, so what is not legal ends the game, unless
    something else is said.
    """
    if config is not None and not isinstance(config, Mapping):
        raise TypeError(f"env_config must be a dict, not {type(config).__name__}")
    settings = {"illegal_action": "terminate", **(config or {})}
    if "game" not in settings:
        raise ValueError('env_config does not name a game; give one as {"game": name}')
    refuse(settings, "autoreset_mode", "copy", "observation_dtype", "mask_dtype", *own)
    if "seed" in settings:
        raise ValueError(
            "env_config got a seed, with which all env runners would play the same games; "
            "config.debugging(seed=...) gives each of them its own"
        )
    return settings.pop("game"), settings


def _space(game: Game) -> Dict:
    view = View(game).space["observation"]
    assert isinstance(view, Box)
    return Dict(
        observations=Box(view.low.astype(np.float32), view.high.astype(np.float32), dtype=np.float32),
        action_mask=Box(0.0, 1.0, (game.num_actions,), np.float32),
    )


def _view(observation: Mapping[str, NDArray[np.int8]]) -> Observation:
    return {
        "observations": observation["observation"].astype(np.float32),
        "action_mask": observation["action_mask"].astype(np.float32),
    }


class SaraiVectorEnv(VectorEnv[Observation, ArrayLike, NDArray[Any]]):
    """A `SingleAgentVectorEnv` for RLlib's env runners: one learner against the agents of the engine.

    An env runner makes one such environment for all of its games if you configure it like this:

        config = (
            PPOConfig()
            .environment(SaraiVectorEnv, env_config={"game": "shuanglu", "opponents": "greedy"})
            .env_runners(num_envs_per_env_runner=64, gym_env_vectorize_mode="vector_entry_point")
            .rl_module(rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule))
        )

    With N games, L observation cells and A actions, observations are dicts of "observations", float32 (N, L), the
    learner's view, and "action_mask", float32 (N, A), 1 where the action is legal; rewards are float32 (N,), zero until
    the game is over and then the learner's return. When a game is over, the next step ignores its action and begins a
    new one. Infos only say where an action was illegal, because RLlib splits them game by game.

    If `config.debugging(seed=...)` sets a seed, RLlib gives each env runner a different one.

    Args:
        config: "game", a name, and "num_envs", which RLlib adds. Otherwise the arguments of `SingleAgentVectorEnv`,
            including options of the rules, except "autoreset_mode", "copy", "observation_dtype", "mask_dtype" and
            "seed". "illegal_action" is "terminate" by default.

    Raises:
        ValueError, TypeError: As for `SingleAgentVectorEnv`, or no game is named.

    >>> env = SaraiVectorEnv({"game": "shuanglu", "opponents": "greedy", "num_envs": 4})
    >>> observation, info = env.reset(seed=1)
    >>> observation["observations"].shape, observation["action_mask"].shape
    ((4, 65), (4, 150))
    >>> SaraiVectorEnv({"game": "shuanglu", "opponents": "clever", "num_envs": 4})
    Traceback (most recent call last):
    ...
    ValueError: unknown agent 'clever'; agents are ...
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        game, settings = _settings(config)
        if "num_envs" not in settings:
            raise ValueError(
                "this is a vector environment, and there is no num_envs; tell RLlib so: "
                'config.env_runners(gym_env_vectorize_mode="vector_entry_point")'
            )
        self._vector = SingleAgentVectorEnv(game, autoreset_mode=AutoresetMode.NEXT_STEP, **settings)
        self.num_envs = self._vector.num_envs
        self.metadata = self._vector.metadata
        self.render_mode = self._vector.render_mode
        self.single_observation_space = _space(self._vector.game)
        self.single_action_space = self._vector.single_action_space
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = self._vector.action_space

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin new games, as `SingleAgentVectorEnv.reset` does."""
        observation, _ = self._vector.reset(seed=seed, options=options)
        return _view(observation), {}

    def step(
        self, actions: ArrayLike
    ) -> tuple[Observation, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play the learner's action in every game, as `SingleAgentVectorEnv.step` does."""
        observation, rewards, terminated, truncated, info = self._vector.step(actions)
        illegal = info.get("illegal_action", np.zeros(0, np.bool_))
        said = {"illegal_action": illegal, "_illegal_action": illegal} if illegal.any() else {}
        return _view(observation), rewards, terminated, truncated, said

    def render(self) -> Any:
        """Every game in the form given by "render_mode"."""
        return self._vector.render()


class SaraiMultiAgentEnv(MultiAgentEnv):  # type: ignore[misc]
    """A game for RLlib, with agents "player_0", "player_1", ...; each step takes the action of the agent to act.

    Observations are dicts of "observations", float32 (L,), the agent's view, and "action_mask", float32 (A,), 1 where
    the action is legal. Only the agent to act gets an observation; all of them do when the game is over. All agents get
    rewards: zero until the game is over, and then their returns. The info of each agent gives its "side", and the info
    of "__common__" says if the action was illegal.

    RLlib steps the games of a `MultiAgentEnv` one by one; with `config.env_runners(num_envs_per_env_runner=16)` it
    computes the actions of sixteen games at once. `SaraiVectorEnv`, which plays against the engine's agents, is several
    times as fast.

    If `config.debugging(seed=...)` sets a seed, RLlib gives each env runner a different one.

    Args:
        config: "game", a name. Otherwise the arguments of `SelfPlayVectorEnv` for one lane, including options of the
            rules, except "autoreset_mode", "copy", "observation_dtype", "mask_dtype", "reward_of" and "seed".
            "illegal_action" is "terminate" by default.

    Raises:
        ValueError, TypeError: As for `SelfPlayVectorEnv`, or no game is named.

    >>> env = SaraiMultiAgentEnv({"game": "shuanglu", "max_episode_steps": 200})
    >>> observations, infos = env.reset(seed=1)
    >>> [agent] = observations
    >>> action = int(observations[agent]["action_mask"].argmax())
    >>> observations, rewards, terminated, truncated, infos = env.step({agent: action})
    >>> rewards
    {'player_0': 0.0, 'player_1': 0.0}
    >>> SaraiMultiAgentEnv({"players": 2})
    Traceback (most recent call last):
    ...
    ValueError: env_config does not name a game; give one as {"game": name}
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        game, settings = _settings(config, "num_envs", "num_threads", "reward_of")
        self._vector = SelfPlayVectorEnv(
            game, 1, autoreset_mode=AutoresetMode.DISABLED, num_threads=1, **settings
        )
        self.render_mode = self._vector.render_mode
        # One space for all: RLlib looks for these as well.
        self.observation_space = _space(self._vector.game)
        self.action_space = self._vector.single_action_space
        self.possible_agents = [f"player_{seat}" for seat in range(self._vector.game.num_players)]
        self.agents = list(self.possible_agents)
        self.observation_spaces = dict.fromkeys(self.possible_agents, self.observation_space)
        self.action_spaces = dict.fromkeys(self.possible_agents, self.action_space)
        self._to_act: str | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, Any]]:
        """Begin a new game, and return the observation of the agent to act."""
        observation, info = self._vector.reset(seed=seed, options=options)
        return self._acting(observation, info)

    def step(
        self, action_dict: Mapping[str, Any]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Play the action of the agent whose turn it is.

        Raises:
            ValueError: There is more or less than that agent's action, or no game is under way.
            IllegalActionError: The action is not legal, with illegal_action="raise".
            TypeError: It is not an integer, or not in a dict.
        """
        if self._to_act is None:
            raise ValueError("no game is under way; begin one with reset()")
        if not isinstance(action_dict, Mapping):
            raise TypeError(f"the actions must be a dict with the agent's, not {type(action_dict).__name__}")
        if list(action_dict) != [self._to_act]:
            raise ValueError(
                f"the actions are for {short(list(action_dict))}; it is the turn of {self._to_act} alone"
            )
        observation, rewards, terminated, truncated, info = self._vector.step([action_dict[self._to_act]])
        over = bool(terminated[0] or truncated[0])
        views, infos = self._ended() if over else self._acting(observation, info)
        if "illegal_action" in info and info["illegal_action"][0]:
            infos["__common__"] = {"illegal_action": True}
        return (
            views,
            dict(zip(self.possible_agents, map(float, rewards[0]), strict=True)),
            {"__all__": bool(terminated[0])},
            {"__all__": bool(truncated[0])},
            infos,
        )

    def render(self) -> Any:
        """The game in the form given by "render_mode"."""
        return self._vector.render()[0]

    def _acting(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> ObservationsAndInfos:
        self._to_act = self.possible_agents[int(info["current_player"][0])]
        view = _view({key: rows[0] for key, rows in observation.items()})
        return {self._to_act: view}, {self._to_act: {"side": int(info["side"][0])}}

    def _ended(self) -> ObservationsAndInfos:
        self._to_act = None
        state = self._vector.state(0)
        nothing = np.zeros(self._vector.game.num_actions, np.int8)
        views = {
            agent: _view({"observation": state.observation_tensor(seat), "action_mask": nothing})
            for seat, agent in enumerate(self.possible_agents)
        }
        sides = zip(self.possible_agents, self._vector.game.sides, strict=True)
        return views, {agent: {"side": side} for agent, side in sides}
