"""Stable-Baselines3 and sb3-contrib: a `VecEnv` over the vector environment, with action masks for MaskablePPO.

- `SaraiVecEnv`: the environment.
- `ScaledFeatures`: observations with cells between -1 and 1, for a policy's network.
- `EvaluationCallback`: evaluates a model while it learns.

Below each, `help` lists what it inherits from its library as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, SupportsIndex

import numpy as np
from gymnasium.spaces import Box
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from sarai._base.extras import needed

with needed("sarai.adapters.sb3", "sb3", "stable_baselines3", "torch"):
    import torch
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
    from stable_baselines3.common.vec_env import VecEnv

from sarai._agents.models import ModelAgent
from sarai._agents.policies import Agent, Named, is_one
from sarai._base import arguments
from sarai._core import Game, State
from sarai._envs.opponents import Opponents
from sarai._envs.single_agent_vector import SingleAgentVectorEnv
from sarai._matches.arena import Arena, arena
from sarai._matches.schedule import entrants
from sarai._states import States
from sarai.adapters.settings import refuse
from sarai.agents import Agents, from_sb3

__all__ = ["EvaluationCallback", "SaraiVecEnv", "ScaledFeatures"]


class ScaledFeatures(BaseFeaturesExtractor):  # type: ignore[misc]
    """The observation with each cell divided by its largest possible value.

    Counts can reach 15 or 127, and Stable-Baselines3 does not scale boxes of integers; a network learns much better
    from numbers between -1 and 1.

    Raises:
        TypeError: The observation is not a row of cells like that of a `SaraiVecEnv`.

    >>> import sb3_contrib
    >>> env = SaraiVecEnv("shuanglu", 4, seed=1)
    >>> scaled = {"features_extractor_class": ScaledFeatures}
    >>> model = sb3_contrib.MaskablePPO("MlpPolicy", env, policy_kwargs=scaled, device="cpu")
    >>> features = ScaledFeatures(env.observation_space)(torch.as_tensor(env.reset()))
    >>> features.shape, float(features.max()) <= 1
    (torch.Size([4, 65]), True)
    >>> ScaledFeatures(env.action_space)
    Traceback (most recent call last):
    ...
    TypeError: observation_space must be a Box with one row of cells, not Discrete(150)
    """

    def __init__(self, observation_space: Box) -> None:
        if not isinstance(observation_space, Box) or len(observation_space.shape) != 1:
            raise TypeError(f"observation_space must be a Box with one row of cells, not {observation_space}")
        super().__init__(observation_space, observation_space.shape[0])
        largest = np.maximum(np.abs(observation_space.high), np.abs(observation_space.low.astype(np.int16)))
        self.register_buffer("largest", torch.from_numpy(np.maximum(largest, 1).astype(np.float32)))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """The scaled cells, float (n, L)."""
        return observations / self.largest


class SaraiVecEnv(VecEnv):  # type: ignore[misc]
    """A `SingleAgentVectorEnv` for Stable-Baselines3.

    The observation is only the learner's view, int8 (N, L); `action_masks()` returns the legal actions; MaskablePPO
    calls it by itself. A lane whose game is over begins the next one in the same step, and its info has
    "terminal_observation", the last view, and "TimeLimit.truncated", whether the game was cut off. When a game has
    ended, its info also has "episode", with the return "r" and the number of decisions "l", so no Monitor is needed;
    "opponent" and "seat", if games draw them; and "stats" with `stats=True`, a dict of int32 (P,). Infos of
    `reset_infos` have "opponent" and "seat" as well.

    `set_opponents` and `set_starts` change the opponents and the starts of later games; through wrappers, call
    `env_method("set_opponents", pool)`.

    Args:
        game: A game's name, or a `Game`.
        num_envs: The number of lanes.
        **settings: Arguments of `SingleAgentVectorEnv`, including options of the rules, except "autoreset_mode",
            "copy" and "mask_dtype".

    Raises:
        ValueError, TypeError: As for `SingleAgentVectorEnv`.

    >>> import sb3_contrib
    >>> env = SaraiVecEnv("shuanglu", 8, opponents="greedy", seed=1)
    >>> model = sb3_contrib.MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=64, device="cpu")
    >>> model.learn(128).num_timesteps
    128
    >>> SaraiVecEnv("shuanglu", 8, opponents="clever")
    Traceback (most recent call last):
    ...
    ValueError: unknown agent 'clever'; agents are ...
    """

    def __init__(self, game: str | Game, num_envs: int, **settings: Any) -> None:
        refuse(settings, "autoreset_mode", "copy", "mask_dtype")
        self._vector = SingleAgentVectorEnv(
            game, num_envs, autoreset_mode=AutoresetMode.SAME_STEP, **settings
        )
        space = self._vector.single_observation_space["observation"]
        assert isinstance(space, Box)
        # The base class asks for it.
        self.render_mode = self._vector.render_mode
        super().__init__(num_envs, space, self._vector.single_action_space)
        self._actions: NDArray[Any] = np.zeros(num_envs, np.int64)
        self._seed: int | None = None
        self._scores = np.zeros(num_envs)
        self._lengths = np.zeros(num_envs, np.int64)

    @property
    def game(self) -> Game:
        """The rule book."""
        return self._vector.game

    def seed(self, seed: int | None = None) -> Sequence[int]:
        """Set the seed of the next `reset`: lane i uses stream i of it. None draws one from the operating system.

        Returns:
            The seed, once for each lane.

        Raises:
            TypeError: It is not an integer.
            ValueError: It is out of range.
        """
        self._seed = arguments.seed(seed)
        return [self._seed] * self.num_envs

    def set_options(self, options: list[dict[str, Any]] | dict[str, Any] | None = None) -> None:
        """Raise an error unless there are no options: games take only a seed.

        Raises:
            ValueError: Options were given.
        """
        given = options if isinstance(options, list | tuple) else [options]
        if any(given):
            raise ValueError(
                f"options got {arguments.short(options)}; the games of a SaraiVecEnv take no options"
            )
        super().set_options(options)

    def reset(self) -> NDArray[Any]:
        """Begin a new game in every lane and return the views."""
        observation, info = self._vector.reset(seed=self._seed)
        self._seed = None
        self.reset_infos: list[dict[str, Any]] = [_drawn(info, lane) for lane in range(self.num_envs)]
        self._scores[:] = 0
        self._lengths[:] = 0
        return observation["observation"]

    def step_async(self, actions: NDArray[Any]) -> None:
        """Store the actions for the next `step_wait`."""
        self._actions = actions

    def step_wait(
        self,
    ) -> tuple[NDArray[Any], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Play the actions and return views, rewards, dones and infos."""
        observation, rewards, terminated, truncated, info = self._vector.step(self._actions)
        self._scores += rewards
        self._lengths += 1
        infos: list[dict[str, Any]] = [{"TimeLimit.truncated": False} for _ in range(self.num_envs)]
        done = terminated | truncated
        for lane in np.flatnonzero(done):
            infos[lane] = {
                "terminal_observation": info["final_obs"][lane]["observation"],
                "TimeLimit.truncated": bool(truncated[lane]),
                "episode": {"r": float(self._scores[lane]), "l": int(self._lengths[lane])},
                **_drawn(info["final_info"], int(lane)),
            }
            if "stats" in info["final_info"]:
                stats = info["final_info"]["stats"]
                infos[lane]["stats"] = {name: stats[name][lane].copy() for name in self.game.statistics}
        self._scores[done] = 0
        self._lengths[done] = 0
        return observation["observation"], rewards, done, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions of every lane, bool (N, A)."""
        return self._vector.action_masks()

    def set_opponents(self, opponents: Opponents) -> None:
        """Change the opponents of later games, as `SingleAgentVectorEnv.set_opponents`."""
        self._vector.set_opponents(opponents)

    def set_starts(self, states: State | States | None) -> None:
        """Let later games begin in these states, as `SingleAgentVectorEnv.set_starts`."""
        self._vector.set_starts(states)

    def close(self) -> None:
        """Close the vector environment."""
        self._vector.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute, once for each requested lane; the lanes share all attributes."""
        if attr_name == "action_masks":
            # sb3-contrib asks whether there are masks before the first reset.
            return [lambda lane=lane: self.action_masks()[lane] for lane in self._lanes(indices)]
        return [getattr(self._vector, attr_name)] * len(self._lanes(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Raise an error: the lanes have no attributes of their own."""
        raise NotImplementedError("the lanes of a SaraiVecEnv have no attributes of their own to set")

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]:
        """Call a method of the lanes: "action_masks", "render", or once for all lanes "set_opponents", "set_starts"."""
        lanes = self._lanes(indices)
        if method_name in ("set_opponents", "set_starts"):
            if len(lanes) != self.num_envs:
                raise ValueError(f"{method_name} is for all lanes; leave indices out")
            done = getattr(self, method_name)(*method_args, **method_kwargs)
            return [done] * self.num_envs
        if method_name == "action_masks":
            return list(self.action_masks()[lanes])
        if method_name == "render":
            frames = self._vector.render()
            return [frames[lane] for lane in lanes]
        raise NotImplementedError(
            f'the lanes of a SaraiVecEnv have no method {method_name!r}, only "action_masks", "render", '
            '"set_opponents" and "set_starts"'
        )

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        """Lanes are never wrapped, but episodes are counted as by a Monitor."""
        from stable_baselines3.common.monitor import Monitor

        return [issubclass(Monitor, wrapper_class)] * len(self._lanes(indices))

    def get_images(self) -> Sequence[Any]:
        """Pictures of all lanes, if `render_mode` is "rgb_array"."""
        return self._vector.render()

    def _lanes(self, indices: int | Iterable[int] | None) -> list[int]:
        return list(self._get_indices(indices))


def _drawn(info: Mapping[str, Any], lane: int) -> dict[str, Any]:
    """What a lane's game drew, of the info of all lanes."""
    return {
        key: info[key][lane].item() if key == "seat" else info[key][lane]
        for key in ("opponent", "seat")
        if key in info
    }


class _Counted(Named):
    """An agent whose decisions are counted."""

    def __init__(self, agent: ModelAgent) -> None:
        self.agent, self.decisions = agent, 0

    def __str__(self) -> str:
        return str(self.agent)

    def __call__(self, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        self.decisions += len(masks)
        return self.agent(observations, masks)


class EvaluationCallback(BaseCallback):  # type: ignore[misc]
    """Plays the model in a gauntlet of `sarai.arena` during training, on every side and with the same dice each time.

    Each evaluation goes to the logger under the names of Stable-Baselines3's own `EvalCallback`: "eval/mean_reward",
    the mean return against all opponents, and "eval/mean_ep_length", the mean number of decisions of its seat in a
    game. Beside them are "eval/mean_reward_against_greedy" and "eval/win_rate_against_greedy", for each opponent.
    `history` keeps each `Arena` with the number of decisions before it; the model is called "model" there. The first
    evaluation is before training, the last at the end.

    Args:
        every: The minimum number of decisions of the learner between two evaluations, 1 or more.
        opponents: An agent, a list of agents, or a dict of agents by name, none of them "model".
        num_games: The minimum number of games against each opponent.
        random_plies: The number of random decisions at the beginning of each game, as `sarai.arena` takes it.
        seed: 0 to 2**64 - 1.
        report: Called with the decisions so far and the evaluation, for example to print them.

    Raises:
        ValueError, TypeError: `every` is out of range or no whole number. Errors in the other arguments are raised when
            `learn` begins.

    >>> import sb3_contrib
    >>> model = sb3_contrib.MaskablePPO("MlpPolicy", SaraiVecEnv("shuanglu", 8, seed=1), n_steps=16, device="cpu")
    >>> watch = EvaluationCallback(128, ["random"], num_games=20)
    >>> _ = model.learn(256, callback=watch)
    >>> [(decisions, found.pairing("model", "random").games) for decisions, found in watch.history]
    [(0, 20), (128, 20), (256, 20)]
    >>> EvaluationCallback(0)
    Traceback (most recent call last):
    ...
    ValueError: every got 0; it takes 1 or more
    """

    def __init__(
        self,
        every: SupportsIndex = 100_000,
        opponents: Mapping[str, Any] | Agents = ("random", "greedy"),
        *,
        num_games: SupportsIndex = 400,
        random_plies: SupportsIndex = 0,
        seed: SupportsIndex = 0,
        report: Callable[[int, Arena], object] | None = None,
    ) -> None:
        super().__init__()
        self.every = arguments.whole("every", every)
        if self.every < 1:
            raise ValueError(f"every got {arguments.in_words(self.every)}; it takes 1 or more")
        self.history: list[tuple[int, Arena]] = []
        self._report = report
        self._opponents = opponents
        self._how: dict[str, Any] = {
            "num_games": num_games,
            "random_plies": random_plies,
            "seed": seed,
        }
        self._next = 0

    def _on_training_start(self) -> None:
        # A second `learn` may count its decisions from 0 again.
        self._next = self.num_timesteps

    def _on_rollout_start(self) -> None:
        # Here the model has learnt from all that was played.
        if self.num_timesteps >= self._next and not self._is_evaluated():
            self._evaluate()

    def _on_step(self) -> bool:
        return True

    def _on_training_end(self) -> None:
        if not self._is_evaluated():
            self._evaluate()

    def _is_evaluated(self) -> bool:
        return bool(self.history) and self.history[-1][0] == self.num_timesteps

    def _evaluate(self) -> None:
        self._next = self.num_timesteps + self.every
        game = self.training_env.get_attr("game", 0)[0]
        given = [self._opponents] if is_one(self._opponents) else self._opponents
        opponents = entrants(given, game, least=1)
        if "model" in opponents:
            raise ValueError(
                'an opponent is called "model", which is the name of what learns; give it another'
            )
        model = _Counted(from_sb3(self.model, game=game))
        entered: dict[str, Agent] = {"model": model, **opponents}
        found = arena(game, entered, schedule="gauntlet", **self._how)
        self.history.append((self.num_timesteps, found))
        returns = []
        for pairing in found.pairings:
            opponent = pairing.names[1]
            returns.append(pairing.mean_returns[0].value)
            self.logger.record(f"eval/mean_reward_against_{opponent}", returns[-1])
            self.logger.record(f"eval/win_rate_against_{opponent}", pairing.win_shares[0].value)
        seats = int((found.orders[:, found.sides] == 0).sum()) * found.winner.shape[1]
        self.logger.record("eval/mean_reward", float(np.mean(returns)))
        self.logger.record("eval/mean_ep_length", model.decisions / seats)
        # As EvalCallback does it: what is left for the next rollout would stand at its end, and the last be lost.
        self.logger.record("time/total_timesteps", self.num_timesteps, exclude="tensorboard")
        self.logger.dump(self.num_timesteps)
        if self._report is not None:
            self._report(self.num_timesteps, found)
