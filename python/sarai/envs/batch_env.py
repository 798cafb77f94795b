"""What the vector environments have in common."""

from __future__ import annotations

import operator
import secrets
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from sarai._core import Game, State
from sarai.envs.common import observation_space, reset_mask, seeds
from sarai.envs.display import MOST_LANES, ShownInNotebooks
from sarai.envs.pickled import PickledBatch
from sarai.envs.policy_batch import Arrays

Observation: TypeAlias = dict[str, NDArray[np.int8]]
Info: TypeAlias = dict[str, Any]


class BatchVectorEnv(ShownInNotebooks, PickledBatch, VectorEnv[Observation, ArrayLike, NDArray[Any]]):
    """Many games of one rule book, stepped together in one call: row i of every array is lane i, always.

    What stands in a row is the subclass's to say.
    """

    def __init__(
        self, game: Game, autoreset_mode: AutoresetMode, seed: int | None, copy: bool, render_modes: list[str]
    ) -> None:
        if not isinstance(copy, bool):
            raise TypeError(f"copy must be a bool, not {type(copy).__name__}")
        self.game = game
        self.autoreset_mode = autoreset_mode
        # Each environment's own: the class's dict must not say what one of them does.
        self.metadata = {
            "autoreset_mode": autoreset_mode,
            "render_modes": list(render_modes),
            "render_fps": 1,
        }
        seed = secrets.randbits(64) if seed is None else seed
        self._batch = self._make_batch(seed)
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

    @abstractmethod
    def _info(self, players: NDArray[np.int8], masks: NDArray[np.int8]) -> Info:
        """What every info holds: arrays with a row a lane."""

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

    def sample_legal(self, rng: np.random.Generator | None = None) -> NDArray[np.int64]:
        """One legal action a lane, each equally likely, for where the lanes stand: int64 (N,).

        Args:
            rng: Where the choice comes from; None is `self.np_random`.

        A lane under DISABLED that waits for a reset has no legal action; its row is 0.
        """
        mask = self._current_mask()
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

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions of every lane as they stand, bool (N, A): what sb3-contrib's MaskablePPO asks for."""
        return self._current_mask().astype(np.bool_)

    def _lanes_shown(self) -> list[State]:
        if self._fresh:
            return []
        return [self.state(lane) for lane in range(min(self.num_envs, MOST_LANES))]

    def _caption(self) -> str:
        return repr(self)

    def _current_mask(self) -> NDArray[np.int8]:
        return self._mask if self._mask is not None else self._batch.observe()[1]

    def _shown(
        self, observation: NDArray[np.int8], mask: NDArray[np.int8], player: NDArray[np.int8]
    ) -> tuple[Observation, Info]:
        self._mask = mask
        return {"observation": observation, "action_mask": mask}, self._info(player, mask)

    def _add_last(self, info: Info, ended: NDArray[np.bool_], last: Arrays, **more: NDArray[Any]) -> None:
        """Add what SAME_STEP tells about the lanes that ended; `more` are entries of their infos."""
        observations, masks, players = last
        shown = np.full(self.num_envs, None, dtype=object)
        for lane in np.flatnonzero(ended):
            shown[lane] = {"observation": observations[lane].copy(), "action_mask": masks[lane].copy()}
        masks[~ended] = 0
        players[~ended] = 0
        final = {**self._info(players, masks), **more}
        info["final_obs"] = shown
        info["_final_obs"] = ended
        info["final_info"] = final | {f"_{key}": ended for key in final}
        info["_final_info"] = ended

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.game.name!r}, num_envs={self.num_envs})"
