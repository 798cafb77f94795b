"""`SelfPlayVectorEnv`: many games at once, each seen by the player to act: all of them, or those of one side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import DTypeLike, NDArray

from sarai import _core
from sarai._base.arguments import flag
from sarai._core import TERMINAL, Game
from sarai._envs.arguments import autoreset_mode as as_autoreset_mode
from sarai._envs.arguments import one_seat
from sarai._envs.batch_env import BatchVectorEnv, Info
from sarai._envs.batch_holder import Stepped
from sarai._envs.learner import HasOpponents
from sarai._envs.opponents import SELF, Opponents, Seats, sides
from sarai._game import with_rules


class SelfPlayVectorEnv(HasOpponents, BatchVectorEnv):
    """Many games of one rule book, stepped together in one call into the engine.

    Every lane has the view of the player to act, and the action for the lane is that player's. Row i of every array
    always belongs to lane i. Chance outcomes are drawn inside the step, so each row is a decision.

    With N lanes, L observation cells, A actions and P players, `step(actions)` takes integers of shape (N,) and returns

    - observation: a dict of "observation", int8 (N, L), and "action_mask", int8 (N, A), 1 where the action is legal;
    - rewards: float32 (N, P), one for each player: zero until the game is over, then the returns;
    - terminated, truncated: bool (N,): whether the game was won or drawn in this step, and whether it was cut off by
      `max_episode_steps`;
    - info: a dict with "current_player", int8 (N,), the seat to act (`sarai.TERMINAL`, -4, in a lane whose game is
      over), "side", int8 (N,), the side of that seat (also -4 there), "action_mask", the same array as in the
      observation, and, unless illegal actions raise, "illegal_action", bool (N,), whether the lane's action was
      illegal. As in all of Gymnasium's vector infos, each key has a companion "_" + key, bool (N,), which is True
      everywhere here.

    With `opponents`, the learner does not play every seat of every game: an agent of the engine, or one that each game
    draws from a `sarai.agents.Pool`, plays all sides but one, which is drawn, and the lane shows that side's decisions
    only. The member "self" of a pool stands for self-play, so one environment has lanes of both kinds. With a pool,
    info["opponent"], an object array (N,), holds the name of who plays in each lane.

    Gymnasium's wrappers that add up rewards (`RecordEpisodeStatistics`, `NormalizeReward`) expect one reward per lane.
    With `reward_of`, the rewards are float32 (N,) unless it is "side", and the rewards of all players are in
    info["rewards"], float32 (N, P):

    - a seat: the rewards of that seat, so their sum over an episode is its return;
    - "actor": in each step, the reward of the seat that acted, so the sum over an episode is the return of the player
      who made the last decision. The returns of the others are in info["rewards"] of that step;
    - "side": those of each side, float32 (N, S) with S sides: in a team game the reward that all its seats share.

    `autoreset_mode` decides what happens to a lane whose game has ended. Its values are Gymnasium's:

    - NEXT_STEP (default): the row shows the end of the game, as seen by the seat that acted last or, if the game was
      truncated, by the seat to act; "current_player" names that seat. The next step ignores the lane's action (the mask
      is all ones, so any action will do) and begins a new game, with rewards of zero.
    - SAME_STEP: the same step begins a new game. info["final_obs"] is an object array (N,) with the last observation of
      each lane whose game ended and None elsewhere, and info["final_obs_arrays"] a dict of the same as arrays of all
      lanes, zeros elsewhere. info["final_info"] holds the last info; info["_final_obs"], info["_final_obs_arrays"] and
      info["_final_info"], bool (N,), mark these lanes. The keys are present only if a game has ended.
    - DISABLED: the lane waits, with a mask of zeros, for `reset(options={"reset_mask": mask})`; a step before that
      raises a ValueError.

    The same seed gives the same games with any number of threads. Lane i of seed s has a fixed stream of random
    numbers, which is that of game i of `sarai.rollout(seed=s)`; each later game in the
    lane has a stream of its own, whatever was played before.

    Args:
        game: A game's name, or a `Game`.
        num_envs: The number of lanes, 1 to 1,048,576.
        opponents: "self" for self-play in every lane; an agent that plays inside the engine (a name, or an object of
            `sarai.agents`) for all other sides; a list with one for each seat of the other sides, in seat order; or a
            `sarai.agents.Pool` of these. `set_opponents` changes them.
        rules: Options that override the preset; only allowed with a game's name.
        preset: The name of a preset; only allowed with a game's name.
        seed: 0 to 2**64 - 1; None draws one from the operating system.
        autoreset_mode: A `gymnasium.vector.AutoresetMode` or its value.
        max_episode_steps: The number of decisions after which a game is truncated; None means never.
        reward_of: Whose rewards `step` returns: those of a seat, 0 to num_players - 1; "actor"; "side"; or None for the
            rewards of all players.
        illegal_action: What an illegal action does. "raise": raises an IllegalActionError, and changes no lane.
            "terminate": the lane's game ends, with a reward of -1 for the player who chose the action. "random": a
            legal action is played instead.
        stats: Whether the last info of a game has its statistics: info["stats"] is a dict of the game's statistics
            (`game.statistics`), each int32 (N, P), with a row for each lane and a column for each seat. info["_stats"]
            marks the lanes whose game has ended; the key is present only if one has. Under SAME_STEP it is in
            info["final_info"].
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
        TypeError: An argument has the wrong type, or an opponent does not play inside the engine.

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
    sarai.IllegalActionError: lane 0: action 129 is not legal here; the legal ones are 0

    Half of the games against itself, half against others:

    >>> pool = sarai.agents.Pool({"self": 0.5, "greedy": 0.3, "random": 0.2})
    >>> env = sarai.SelfPlayVectorEnv("shah", num_envs=6, opponents=pool, seed=1)
    >>> env.reset()[1]["opponent"].tolist()
    ['greedy', 'self', 'random', 'greedy', 'self', 'random']
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int,
        *,
        opponents: Opponents = SELF,
        rules: Mapping[str, Any] | None = None,
        preset: str | None = None,
        seed: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        reward_of: int | Literal["actor", "side"] | None = None,
        illegal_action: str = "raise",
        stats: bool = False,
        observation_dtype: DTypeLike = "int8",
        mask_dtype: DTypeLike = "int8",
        render_mode: str | None = None,
        copy: bool = True,
        num_threads: int | None = None,
        **options: Any,
    ) -> None:
        game = with_rules(SelfPlayVectorEnv, game, preset, rules, options)
        self.game = game
        self.seats = self._seats_of(opponents)
        mode = as_autoreset_mode(autoreset_mode)
        self._reward_of = reward_of
        if reward_of is not None and not (isinstance(reward_of, str) and reward_of in ("actor", "side")):
            self._reward_of = one_seat(reward_of, game, "reward_of", 'a seat, "actor", "side" or None')
        # All seats of a side have the same rewards.
        self._first_of = [game.sides.index(side) for side in sorted(set(game.sides))]
        self._settings = (illegal_action, max_episode_steps, num_threads, flag("copy", copy))
        # By seat; TERMINAL counts from the end. None where each seat is a side: the seats then are the sides.
        self._sides = None
        if game.sides != list(range(game.num_players)):
            self._sides = np.array([*game.sides, *[TERMINAL] * -TERMINAL], np.int8)
        super().__init__(game, num_envs, mode, seed, render_mode, observation_dtype, mask_dtype, stats)

    def _seats_of(self, opponents: Opponents) -> Seats:
        return sides(self.game, opponents)

    def _make_batch(self, seed: int, snapshot: str | None = None) -> _core.Batch:
        mode = self.autoreset_mode.value
        return self._lanes_of(self.num_envs, seed, mode, *self._settings, snapshot=snapshot)

    def _before(self) -> NDArray[np.int8] | None:
        # Where nobody acts, a game is over: the step begins a new one, with rewards of zero.
        return np.maximum(self._batch.observe()[2], 0) if self._reward_of == "actor" else None

    def _paid(self, stepped: Stepped, info: Info, before: Any) -> NDArray[np.float32]:
        rewards = stepped[3]
        if self._reward_of is None:
            return rewards
        info["rewards"], info["_rewards"] = rewards, self._everywhere.copy()
        if self._reward_of == "side":
            return rewards[:, self._first_of]
        whose: Any = self._reward_of if before is None else before
        paid: NDArray[np.float32] = rewards[np.arange(self.num_envs), whose]
        return paid

    def _info(
        self, players: NDArray[np.int8], masks: NDArray[Any], where: NDArray[np.bool_], *, last: bool = False
    ) -> Info:
        info = {
            "current_player": players,
            "_current_player": where.copy(),
            "side": players.copy() if self._sides is None else self._sides.take(players),
            "_side": where.copy(),
            "action_mask": masks,
            "_action_mask": where.copy(),
        }
        if self.seats.drawn_opponents:
            names = self.seats.names[self._batch.lineups(last)]
            names[~where] = None
            info["opponent"], info["_opponent"] = names, where.copy()
        return info
