"""What the vector environments have in common."""

from __future__ import annotations

import operator
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from gymnasium.spaces import Dict, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, DTypeLike, NDArray

from sarai._base.arguments import flag
from sarai._core import Game, State
from sarai._envs.arguments import known_options, reset_mask, seeds, start_states
from sarai._envs.batch_holder import Arrays, HoldsBatch, Stepped
from sarai._envs.display import MOST_LANES, RENDER_MODES, Frame, ShownInNotebooks, check_mode, frame
from sarai._envs.spaces import View

Observation: TypeAlias = dict[str, NDArray[Any]]
Info: TypeAlias = dict[str, Any]


class BatchVectorEnv(ShownInNotebooks, HoldsBatch, VectorEnv[Observation, ArrayLike, NDArray[Any]]):
    """Many games of one rule book, stepped together in one call. Row i of every array always belongs to lane i.

    The subclass decides what a row contains.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        autoreset_mode: AutoresetMode,
        seed: int | None,
        render_mode: str | None,
        observation_dtype: DTypeLike,
        mask_dtype: DTypeLike,
        stats: bool,
    ) -> None:
        self._view = View(game, observation_dtype, mask_dtype)
        self.game = game
        """The game with its rules."""
        self.autoreset_mode = autoreset_mode
        self.render_mode = check_mode(render_mode)
        # Each environment's own: the class's dict must not say what one of them does.
        self.metadata = {
            "autoreset_mode": autoreset_mode,
            "render_modes": list(RENDER_MODES),
            "render_fps": 1,
        }
        self._counts = flag("stats", stats)
        self.num_envs = num_envs
        seed = self._begin(seed)
        # What is sampled here comes from the seed as well.
        super().reset(seed=operator.index(seed))
        self.num_envs = self._batch.num_envs
        self._everywhere = np.ones(self.num_envs, np.bool_)
        self.single_observation_space: Dict = self._view.space
        self.single_action_space = Discrete(game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    @abstractmethod
    def _info(
        self, players: NDArray[np.int8], masks: NDArray[Any], where: NDArray[np.bool_], *, last: bool = False
    ) -> Info:
        """What every info holds: arrays with a row a lane; with `last` of the game before.

        Beside each key stands, as Gymnasium has it, "_" + key with a copy of `where`, the lanes that it tells about.
        """

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, Info]:
        """Begin a new game in every lane, or in some.

        Args:
            seed: An int (lane i plays game i of it, and then that game's further episodes), one int per lane (each lane
                plays game 0 of its own seed), or None (each lane plays the next episode of its seed). An entry of a
                list may be None too.
            options: {"reset_mask": bool (N,)} begins new games only in the lanes where it is True; at least one must
                be. {"state": State or States} begins the games there instead of at their usual start: one state for
                all lanes, or `States` with a row for each. Later episodes begin as usual, or where `set_starts` says.

        Returns:
            The observation of all lanes, and the info, as `step` returns them.

        Raises:
            ValueError: A seed is out of range, a list has the wrong length, a mask has the wrong shape or is all False,
                states are of another game or over already, or an option is unknown. Nothing has changed then.
            TypeError: A seed is not an integer, or a mask is not a bool array. Nothing has changed then.
            RuntimeError: There is a mask, and no game has begun in the other lanes or an earlier step or reset was
                interrupted; a reset of all lanes mends that. Or another thread is stepping this environment, or one of
                its own callables made this call.
        """
        known = known_options(options, "state", "reset_mask")
        starts = start_states(known, self.game, self.num_envs)
        seed = seeds(seed, self.num_envs)
        mask = None
        if "reset_mask" in known:
            mask = reset_mask(known["reset_mask"], self.num_envs).tolist()
        cells, masks, player = self._batch.reset(seed, mask, starts, self._ask)
        if isinstance(seed, int):
            super().reset(seed=seed)
        elif seed is not None:
            self.np_random = np.random.default_rng([0 if each is None else each for each in seed])
        self._begun(cells, mask)
        observation = self._shown(cells, masks)
        info = self._info(player, observation["action_mask"], self._everywhere)
        self._batch.finish()
        return observation, info

    def step(
        self, actions: ArrayLike
    ) -> tuple[Observation, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], Info]:
        """Play an action in every lane.

        Args:
            actions: Integers of shape (N,): an array of any integer dtype, contiguous or not, or a list.

        Returns:
            observation, rewards, terminated, truncated, info; see the class docstring.

        Raises:
            IllegalActionError: With illegal_action="raise", an action is illegal in its lane; the message names the
                first such lane. Nothing has changed then, nor after the next two.
            ValueError: The actions have the wrong shape, or a lane is waiting for a reset (DISABLED).
            TypeError: The actions are not integers.
            RuntimeError: No game has begun, or an earlier step or reset was interrupted: by Ctrl-C, or by a callable
                that raised or chose an illegal action. `reset` is the only thing to do. Or another thread is stepping
                this environment, or one of its own callables made this call.
        """
        before = self._before()
        stepped = self._batch.step(actions, self._ask)
        cells, masks, player, _, terminated, truncated, illegal, last = stepped
        observation = self._shown(cells, masks)
        info = self._info(player, observation["action_mask"], self._everywhere)
        if illegal is not None:
            info["illegal_action"], info["_illegal_action"] = illegal, self._everywhere.copy()
        if last is not None or self._counts:
            self._add_last(info, terminated | truncated, last, illegal)
        rewards = self._paid(stepped, info, before)
        self._batch.finish()
        return observation, rewards, terminated, truncated, info

    def _before(self) -> Any:
        """What `_paid` has to know of the lanes as they were before a step."""

    @abstractmethod
    def _paid(self, stepped: Stepped, info: Info, before: Any) -> NDArray[np.float32]:
        """The rewards that a step returns, from those of all seats; what else there is to say goes into the info."""

    def _begun(self, cells: NDArray[np.int8], where: list[bool] | None) -> None:
        """What else there is to do when games have begun, in all lanes or some; the lanes are shown like this now."""

    def _shown(self, cells: NDArray[np.int8], masks: NDArray[np.int8]) -> Observation:
        return {"observation": self._view.cells(cells), "action_mask": self._view.mask(masks)}

    def sample_legal(self, rng: np.random.Generator | None = None) -> NDArray[np.int64]:
        """One legal action for each lane, chosen uniformly: int64 (N,).

        Args:
            rng: The generator to use; None means `self.np_random`.

        A lane that waits for a reset (DISABLED) has no legal action; its row is 0.

        Raises:
            TypeError: `rng` is not a numpy generator.
        """
        if rng is not None and not isinstance(rng, np.random.Generator):
            raise TypeError(f"rng must be a numpy.random.Generator or None, not {type(rng).__name__}")
        mask = self._batch.masks()
        rng = self.np_random if rng is None else rng
        chances = rng.random(mask.shape, dtype=np.float32)
        chances += 1.0
        chances *= mask
        chosen: NDArray[np.int64] = chances.argmax(axis=1)
        return chosen

    def render(self) -> tuple[Frame | None, ...]:  # type: ignore[override]
        """Every lane in the form given by `render_mode`: text, SVG text, or pixels, uint8 (height, width, 3)."""
        return tuple(frame(self.state(lane), self.render_mode) for lane in range(self.num_envs))

    @property
    def num_threads(self) -> int:
        """How many threads step the lanes: at most the argument, and fewer where the work would not pay for them."""
        return self._batch.num_threads

    def state(self, lane: int) -> State:
        """A copy of the state of a lane's game, to inspect or to play on separately.

        Raises:
            ValueError: The lane does not exist.
            RuntimeError: No game has begun, or a step was interrupted.
        """
        return self._batch.state(lane)

    def action_masks(self) -> NDArray[np.bool_]:
        """The current legal actions of every lane, bool (N, A), as sb3-contrib's MaskablePPO expects them."""
        return self._batch.masks().astype(np.bool_)

    def _lanes_shown(self) -> list[State]:
        if not self._batch.is_ready:
            return []
        return [self.state(lane) for lane in range(min(self.num_envs, MOST_LANES))]

    def _caption(self) -> str:
        return repr(self)

    def _add_last(
        self, info: Info, ended: NDArray[np.bool_], last: Arrays | None, illegal: NDArray[np.bool_] | None
    ) -> None:
        """Add what is told only about the lanes that ended: their statistics, and what SAME_STEP tells."""
        if last is None:
            if self._counts and ended.any():
                self._add_stats(info, ended)
            return
        for rows in last:
            rows[~ended] = 0
        cells, masks, players = last
        arrays = self._shown(cells, masks)
        shown = np.full(self.num_envs, None, dtype=object)
        for lane in np.flatnonzero(ended):
            shown[lane] = {name: rows[lane].copy() for name, rows in arrays.items()}
        final = self._info(players, arrays["action_mask"].copy(), ended, last=True)
        if self._counts:
            self._add_stats(final, ended, last=True)
        if illegal is not None:
            final["illegal_action"], final["_illegal_action"] = illegal.copy(), ended.copy()
        info["final_obs"], info["_final_obs"] = shown, ended.copy()
        told = {f"_{name}": ended.copy() for name in arrays}
        info["final_obs_arrays"], info["_final_obs_arrays"] = {**arrays, **told}, ended.copy()
        info["final_info"], info["_final_info"] = final, ended

    def _add_stats(self, info: Info, ended: NDArray[np.bool_], *, last: bool = False) -> None:
        """Add what happened in the games that ended; zero in the other rows."""
        told: Info = {}
        for name, counts in self._stats(last).items():
            counts[~ended] = 0
            told[name], told[f"_{name}"] = counts, ended.copy()
        info["stats"], info["_stats"] = told, ended.copy()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.game.name!r}, num_envs={self.num_envs})"
