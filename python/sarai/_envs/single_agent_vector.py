"""`SingleAgentVectorEnv`: many games at once, all seen from one seat, with agents in the other seats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import DTypeLike, NDArray

from sarai import _core
from sarai._base.arguments import flag
from sarai._core import Game
from sarai._envs.arguments import autoreset_mode as as_autoreset_mode
from sarai._envs.batch_env import BatchVectorEnv, Info
from sarai._envs.batch_holder import Arrays, Stepped
from sarai._envs.learner import OneLearner
from sarai._envs.opponents import Opponents, Seat
from sarai._envs.shaping import Evaluator, Shaping
from sarai._game import with_rules


class SingleAgentVectorEnv(OneLearner, BatchVectorEnv):
    """Many games of one rule book, stepped together: the learner has one seat in each, and agents have the others.

    A step plays the learner's action in every lane, and then the dice and opponents until the learner's next decision.
    This is one call into the engine, unless an opponent is a callable. Row i of every array always belongs to lane i.

    With N lanes, L observation cells and A actions, `step(actions)` takes integers of shape (N,) and returns

    - observation: a dict of "observation", int8 (N, L), the learner's view, and "action_mask", int8 (N, A), 1 where the
      action is legal;
    - rewards: float32 (N,): 0 until the game is over, then the learner's return;
    - terminated, truncated: bool (N,): whether the game is over, and whether it was cut off by `max_episode_steps`,
      which counts the learner's decisions;
    - info: a dict with "action_mask", the same array as in the observation, "side", int8 (N,), the number of the
      learner's side, and, unless illegal actions raise, "illegal_action", bool (N,), whether the lane's action was
      illegal. If opponents are drawn for each game, "opponent", an object array (N,), holds their names; if the
      learner's seat is drawn, "seat", int8 (N,), is that seat. As in all of Gymnasium's vector infos, each key has a
      companion "_" + key, bool (N,), which is True everywhere here.

    `autoreset_mode` decides what happens to a lane whose game has ended. Its values are Gymnasium's:

    - NEXT_STEP (default): the row shows the end of the game. The next step ignores the lane's action (the mask is all
      ones, so any action will do) and begins a new game, with a reward of zero.
    - SAME_STEP: the same step begins a new game. info["final_obs"] is an object array (N,) with the last observation of
      each lane whose game ended and None elsewhere, and info["final_obs_arrays"] a dict of the same as arrays of all
      lanes, zeros elsewhere. info["final_info"] holds the last info; info["_final_obs"], info["_final_obs_arrays"] and
      info["_final_info"], bool (N,), mark these lanes. The keys are present only if a game has ended.
    - DISABLED: the lane waits, with a mask of zeros, for `reset(options={"reset_mask": mask})`; a step before that
      raises a ValueError.

    The same seed gives the same games with any number of threads. Lane i of seed s has a fixed stream of random
    numbers; each later game in the lane has a stream of its own, whatever was played before. With a list of seeds,
    lane i plays the games that a `SingleAgentEnv` plays with the seed of lane i.

    Args:
        game: A game's name, or a `Game`.
        num_envs: The number of lanes, 1 to 1,048,576.
        seat: The learner's seat, 0 to num_players - 1, or "random" to draw one for each game.
        opponents: One agent for all other seats, or a list with one for each of them in seat order. An agent is a name
            ("random", "greedy", "mcts:200"), which plays inside the engine, or a callable `policy(observations (n, L),
            masks (n, A)) -> actions (n,)`, which is called once for all lanes. A `sarai.agents.Pool` of these draws the
            opponents of each game; `set_opponents` changes them.
        rules: Options that override the preset; only allowed with a game's name.
        preset: The name of a preset; only allowed with a game's name.
        seed: 0 to 2**64 - 1; None draws one from the operating system.
        autoreset_mode: A `gymnasium.vector.AutoresetMode` or its value.
        max_episode_steps: The number of the learner's decisions after which a game is truncated; None means never.
        illegal_action: What an illegal action does. "raise": raises an IllegalActionError, and changes no lane.
            "terminate": the lane's game ends with a reward of -1. "random": a legal action is played instead.
        stats: Whether the last info of a game has its statistics: info["stats"] is a dict of the game's statistics
            (`game.statistics`), each int32 (N, P), with a row for each lane and a column for each seat. info["_stats"]
            marks the lanes whose game has ended; the key is present only if one has. Under SAME_STEP it is in
            info["final_info"].
        shaping: The potential for reward shaping: a `sarai.nets.Net`, or a function of the learner's observations, int8
            (n, L), that returns its expected return, (n,). Each step then also pays discount * potential after it -
            potential before it, with a potential of 0 at the end of a game (but not where it is truncated). The optimal
            policy stays the same (Ng, Harada and Russell 1999).
        discount: The factor by which the learner discounts, 0 to 1, for `shaping`.
        observation_dtype: np.int8, or np.float32, with each cell divided by its largest possible magnitude (-1 to 1).
        mask_dtype: `np.int8` or `np.bool_`: the dtype of the masks, in observations and infos.
        render_mode: "ansi", "svg", "rgb_array" (needs `pip install "sarai[render]"`), or None.
        copy: If False, every step reuses the same arrays, as far as no dtype is changed, which is a little faster, but
            you must copy any row that you want to keep. Illegal actions leave the arrays as they are; after a step or
            reset that was interrupted they hold meaningless values.
        num_threads: The most worker threads, 1 to 256; None for one per processor. The attribute says how many work.
        **options: Options of the rules as keywords, which override `rules`; only allowed with a game's name.

    Raises:
        ValueError: A number is out of range, or a game, preset, option, agent or mode is unknown.
        TypeError: A value has the wrong type.

    >>> import gymnasium, sarai
    >>> envs = gymnasium.make_vec("sarai/Sho-v0", num_envs=4, opponents="greedy")
    >>> observation, info = envs.reset(seed=1)
    >>> observation["action_mask"].shape
    (4, 130)
    >>> observation, rewards, terminated, truncated, info = envs.step(envs.sample_legal())
    >>> rewards.shape
    (4,)
    >>> envs.step([129, 129, 129, 129])
    Traceback (most recent call last):
    ...
    sarai.IllegalActionError: lane 0: action 129 is not legal here; the legal ones are ...
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        *,
        seat: Seat = 0,
        opponents: Opponents = "random",
        rules: Mapping[str, Any] | None = None,
        preset: str | None = None,
        seed: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        illegal_action: str = "raise",
        stats: bool = False,
        shaping: Evaluator | None = None,
        discount: float = 1.0,
        observation_dtype: DTypeLike = "int8",
        mask_dtype: DTypeLike = "int8",
        render_mode: str | None = None,
        copy: bool = True,
        num_threads: int | None = None,
        **options: Any,
    ) -> None:
        game = with_rules(SingleAgentVectorEnv, game, preset, rules, options)
        self._seated(game, seat, opponents)
        mode = as_autoreset_mode(autoreset_mode)
        self._shaping = None if shaping is None else Shaping(shaping, discount)
        self._settings = (illegal_action, max_episode_steps, num_threads, flag("copy", copy))
        super().__init__(game, num_envs, mode, seed, render_mode, observation_dtype, mask_dtype, stats)
        self._sides = np.array(game.sides, np.int8)
        # Where a seat is drawn, nobody looks at it.
        self._side = np.full(self.num_envs, self._sides[self.seats.lineups[0].learner], np.int8)

    def _make_batch(self, seed: int, snapshot: str | None = None) -> _core.Batch:
        mode = self.autoreset_mode.value
        return self._lanes_of(self.num_envs, seed, mode, *self._settings, snapshot=snapshot)

    _potential: NDArray[np.float32]
    """Where there is shaping: that of each lane now."""
    _begins: NDArray[np.bool_]
    """Lanes in which the next step only begins a game."""

    def _begun(self, cells: NDArray[np.int8], where: list[bool] | None) -> None:
        if self._shaping is not None:
            self._potential = self._shaping.potential(cells)
            nowhere = np.zeros(self.num_envs, np.bool_)
            self._begins = nowhere if where is None else self._begins & ~np.array(where)

    def _paid(self, stepped: Stepped, info: Info, before: Any) -> NDArray[np.float32]:
        """The learner's rewards in the games that a step played, although others may have begun."""
        cells, _, _, rewards, terminated, truncated, _, last = stepped
        learners = self.seats.learners
        if not self.seats.drawn_seat:
            mine = rewards[:, learners[0]].copy()
        else:
            seats = learners[self._batch.lineups()]
            if last is not None:
                seats = np.where(terminated | truncated, learners[self._batch.lineups(True)], seats)
            mine = rewards[np.arange(self.num_envs), seats]
        if self._shaping is not None:
            mine += self._shaped(self._shaping, cells, terminated, truncated, last)
        return mine

    def _shaped(
        self,
        shaping: Shaping,
        cells: NDArray[np.int8],
        terminated: NDArray[np.bool_],
        truncated: NDArray[np.bool_],
        last: Arrays | None,
    ) -> NDArray[np.float32]:
        """What shaping adds to the rewards of a step."""
        after = shaping.potential(cells)
        there = after.copy()
        if last is not None and truncated.any():
            # The row shows the next game already.
            there[truncated] = shaping.potential(last[0][truncated])
        more = shaping.rewards(self._potential, there, terminated)
        # Such a step has only begun a game.
        more[self._begins] = 0
        next_step = self.autoreset_mode == AutoresetMode.NEXT_STEP
        self._potential, self._begins = after, (terminated | truncated) & next_step
        return more

    def _info(
        self, players: NDArray[np.int8], masks: NDArray[Any], where: NDArray[np.bool_], *, last: bool = False
    ) -> Info:
        info: Info = {"action_mask": masks, "_action_mask": where.copy()}
        if not self.seats.drawn:
            info["side"] = self._side.copy()
        else:
            lineups = self._batch.lineups(last)
            for key, told in self._opponents(lineups).items():
                told[~where] = None if told.dtype == object else 0
                info[key], info[f"_{key}"] = told, where.copy()
            info["side"] = self._sides[self.seats.learners[lineups]]
        info["_side"] = where.copy()
        return info
