"""`SelfPlayVectorEnv`: many games at once, each step seen by whoever is to act."""

from __future__ import annotations

import copy as copying
import operator
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from sarai import _core
from sarai._core import Game, State
from sarai.envs.common import autoreset_mode as as_autoreset_mode
from sarai.envs.common import observation_space, reset_mask, seeds
from sarai.game import make

Observation: TypeAlias = dict[str, NDArray[np.int8]]
Info: TypeAlias = dict[str, Any]


class SelfPlayVectorEnv(VectorEnv[Observation, ArrayLike, NDArray[Any]]):
    """Many games of one rule book, stepped together in one call into the engine.

    Every lane shows the view of the player who is to act in it, and the action given for the lane is that player's. Row
    i of every array is lane i, always. Chance outcomes are drawn inside the step, so each row asks for a decision.

    With N lanes, L observation cells, A actions and P players, `step(actions)` takes integers of shape (N,) and returns

    - observation: a dict of "observation", int8 (N, L), and "action_mask", int8 (N, A), 1 where the lane takes the
      action;
    - rewards: float32 (N, P), each player's: zeros until the game is over, then the returns;
    - terminated, truncated: bool (N,): the game was decided or drawn in this step; it was cut off by
      `max_episode_steps`;
    - info: a dict with "current_player", int8 (N,), the seat to act (`sarai.TERMINAL`, -4, in a lane whose game is
      over), and "action_mask", the same array as in the observation.

    What happens to a lane whose game has ended is `autoreset_mode`'s to say, in Gymnasium's terms:

    - NEXT_STEP (default): its row shows the end, from the seat that acted last, or where the game was cut off from the
      seat to act, which "current_player" names. The next step ignores its action (the
      mask is all ones: any will do) and begins a new game, with rewards of zero.
    - SAME_STEP: the step begins the new game at once. info["final_obs"] is an object array (N,) with the last
      observation of each lane that ended and None elsewhere, info["final_info"] the last info; info["_final_obs"] and
      info["_final_info"], bool (N,), say which lanes they are for. The keys are there only when a lane has ended.
    - DISABLED: the lane waits, its mask all zeros, for `reset(options={"reset_mask": mask})`; a step before that is a
      ValueError.

    The same seed gives the same games on any number of threads: lane i of seed s is one fixed stream, the same as that
    of game i of `sarai.rollout(seed=s)`, and a new game goes on in it.

    Args:
        game: A game's name, or a `Game`.
        num_envs: How many lanes, 1 to 1,048,576.
        rules: Options on top of the preset, with a game's name only.
        preset: A named rule book, with a game's name only.
        seed: 0 to 2**64 - 1; None takes one from the system.
        autoreset_mode: A `gymnasium.vector.AutoresetMode` or its value.
        max_episode_steps: A game is truncated after so many decisions; None: never.
        copy: False reuses the same arrays in every step, which is a little faster: a row that you keep must be copied.
        num_threads: Worker threads, 1 to 256; None for as many as the machine has processors.

    Raises:
        ValueError: A number out of range, an unknown game, preset or option.
        TypeError: Something that is no number where one is due.

    >>> import sarai
    >>> env = sarai.SelfPlayVectorEnv("sho", num_envs=4, seed=1)
    >>> observation, info = env.reset()
    >>> observation["observation"].shape, info["current_player"].tolist()
    ((4, 287), [0, 0, 0, 0])
    >>> observation, rewards, terminated, truncated, info = env.step(env.sample_legal())
    >>> rewards.shape
    (4, 3)
    >>> env.step([129, 129, 129, 129])
    Traceback (most recent call last):
    ...
    sarai.IllegalActionError: lane 0: action 129 is not legal here; legal are 0
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int,
        *,
        rules: Mapping[str, Any] | None = None,
        preset: str | None = None,
        seed: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        copy: bool = True,
        num_threads: int | None = None,
    ) -> None:
        if isinstance(game, str):
            game = make(game, preset=preset, rules=rules)
        elif not isinstance(game, Game):
            raise TypeError(f"game must be a name or a sarai.Game, not {type(game).__name__}")
        elif rules is not None or preset is not None:
            raise ValueError("rules and preset belong to a game's name; a Game object has its rules already")
        self.game = game
        self.autoreset_mode = as_autoreset_mode(autoreset_mode)
        # Each environment's own: the class's dict must not say what one of them does.
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": []}
        self._settings = (self.autoreset_mode.value, max_episode_steps, num_threads, bool(copy))
        if not isinstance(copy, bool):
            raise TypeError(f"copy must be a bool, not {type(copy).__name__}")
        seed = secrets.randbits(64) if seed is None else seed
        self._batch = _core.Batch(game, num_envs, seed, *self._settings)
        # What is sampled here comes from the seed as well.
        super().reset(seed=operator.index(seed))
        self.num_envs = self._batch.num_envs
        # Nothing has been played: a first reset without a seed shows the games that stand there already.
        self._fresh = True
        self._mask: NDArray[np.int8] | None = None
        self.single_observation_space = observation_space(game)
        self.single_action_space = Discrete(game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(
        self,
        *,
        seed: int | Sequence[int] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, Info]:
        """Begin a new game in every lane, or in some.

        Args:
            seed: An int (lane i takes stream i of it), one int a lane (each lane takes stream 0 of its own), or None:
                the lanes go on in their streams.
            options: {"reset_mask": bool (N,)} begins new games only where it is True; at least one is.

        Returns:
            The observation of all lanes, and the info, as `step` returns them.

        Raises:
            ValueError: A seed out of range, a list of the wrong length, a mask of the wrong shape or all False.
            TypeError: A seed that is no integer, a mask that is no bool array.
        """
        if options is not None and not isinstance(options, Mapping):
            raise TypeError(f"options must be a dict, not {type(options).__name__}")
        seed = seeds(seed, self.num_envs)
        mask = None
        if options is not None and "reset_mask" in options:
            mask = reset_mask(options["reset_mask"], self.num_envs)
        if seed is None and mask is None and self._fresh:
            arrays = self._batch.observe()
        else:
            arrays = self._batch.reset(seed, None if mask is None else mask.tolist())
        if isinstance(seed, int):
            super().reset(seed=seed)
        elif seed is not None:
            self.np_random = np.random.default_rng(seed)
        self._fresh = False
        return self._shown(*arrays)

    def step(
        self, actions: ArrayLike
    ) -> tuple[Observation, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], Info]:
        """Play one action in every lane; all or nothing.

        Args:
            actions: Integers of shape (N,): an array of any integer dtype, contiguous or not, or a list.

        Returns:
            observation, rewards, terminated, truncated, info; see the class.

        Raises:
            IllegalActionError: An action that its lane does not take. It names the lane, and no lane has changed.
            ValueError: Another shape, or a lane under DISABLED that waits for a reset.
            TypeError: Actions that are no integers.
            RuntimeError: Another thread is stepping this environment.
        """
        observation, mask, player, rewards, terminated, truncated, _, last = self._batch.step(actions)
        self._fresh = False
        shown, info = self._shown(observation, mask, player)
        if last is not None:
            self._add_last(info, terminated | truncated, *last)
        return shown, rewards, terminated, truncated, info

    def sample_legal(self, rng: np.random.Generator | None = None) -> NDArray[np.int64]:
        """One legal action a lane, each equally likely, for where the lanes stand: int64 (N,).

        Args:
            rng: Where the choice comes from; None is `self.np_random`.

        A lane under DISABLED that waits for a reset has no legal action; its row is 0.
        """
        mask = self._mask if self._mask is not None else self._batch.observe()[1]
        rng = self.np_random if rng is None else rng
        chances = rng.random(mask.shape, dtype=np.float32)
        chances += 1.0
        chances *= mask
        chosen: NDArray[np.int64] = chances.argmax(axis=1)
        return chosen

    def state(self, lane: int) -> State:
        """The state of a lane's game, to look at and to play on by itself.

        Raises:
            ValueError: There is no such lane.
        """
        return self._batch.state(lane)

    def _shown(
        self, observation: NDArray[np.int8], mask: NDArray[np.int8], player: NDArray[np.int8]
    ) -> tuple[Observation, Info]:
        self._mask = mask
        return (
            {"observation": observation, "action_mask": mask},
            {"current_player": player, "action_mask": mask},
        )

    def _add_last(
        self,
        info: Info,
        ended: NDArray[np.bool_],
        observations: NDArray[np.int8],
        masks: NDArray[np.int8],
        players: NDArray[np.int8],
    ) -> None:
        last = np.full(self.num_envs, None, dtype=object)
        for lane in np.flatnonzero(ended):
            last[lane] = {"observation": observations[lane].copy(), "action_mask": masks[lane].copy()}
        masks[~ended] = 0
        players[~ended] = 0
        info["final_obs"] = last
        info["_final_obs"] = ended
        info["final_info"] = {
            "current_player": players,
            "_current_player": ended,
            "action_mask": masks,
            "_action_mask": ended,
        }
        info["_final_info"] = ended

    def __getstate__(self) -> dict[str, Any]:
        # The compiled batch is written as plain data; everything else about the environment pickles by itself.
        own = {
            "_batch": self._batch.snapshot(),
            "_mask": None,
            "_np_random": copying.deepcopy(self._np_random),
        }
        return {**self.__dict__, **own}

    def __setstate__(self, state: dict[str, Any]) -> None:
        snapshot = state.pop("_batch")
        self.__dict__.update(state)
        self._batch = _core.Batch(self.game, self.num_envs, 0, *self._settings)
        self._batch.restore(snapshot)

    def __repr__(self) -> str:
        return f"SelfPlayVectorEnv({self.game.name!r}, num_envs={self.num_envs})"
