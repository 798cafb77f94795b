"""`SelfPlayVectorEnv`: many games at once, each step seen by whoever is to act."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import ArrayLike, NDArray

from sarai import _core
from sarai._core import TERMINAL, Game
from sarai.envs.arguments import autoreset_mode as as_autoreset_mode
from sarai.envs.arguments import one_seat
from sarai.envs.batch_env import BatchVectorEnv, Info, Observation
from sarai.envs.transaction import whole
from sarai.game import as_game


class SelfPlayVectorEnv(BatchVectorEnv):
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
      over), "side", int8 (N,), the side of that seat (-4 likewise), "action_mask", the same array as in the
      observation, and unless illegal actions raise, "illegal_action", bool (N,), whether the lane's was not legal. Each
      has its "_" + key, bool (N,), as Gymnasium's infos have, here True everywhere.

    Gymnasium's wrappers that add rewards up (`RecordEpisodeStatistics`, `NormalizeReward`) know one reward a lane. With
    `reward_of` the rewards are float32 (N,), and everybody's stand in info["rewards"], float32 (N, P):

    - a seat: its rewards, so that an episode's sum is its return;
    - "actor": each step's are those of the seat that acted in it, so that an episode's sum is the return of whoever
      made the last decision. What the game brought the others is in info["rewards"] of that step.

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
        reward_of: Whose rewards `step` returns: a seat's, 0 to num_players - 1, "actor", or everybody's for None.
        illegal_action: What an action that is not legal does. "raise": an IllegalActionError, and no lane has changed.
            "terminate": the lane's game is over, with the reward -1 for who chose it. "random": a legal action is
            played instead.
        render_mode: "ansi", "svg", "rgb_array" (needs `pip install "sarai[render]"`), or None.
        copy: False reuses the same arrays in every step, which is a little faster: a row that you keep must be copied.
            After a step or reset that raised, observation and mask show where the lanes stand, as ever; what the arrays
            of rewards and flags then hold means nothing.
        num_threads: Worker threads, 1 to 256; None for as many as the machine has processors.
        **options: Options of the rules as keywords, on top of `rules`, with a game's name only.

    Raises:
        ValueError: A number out of range, an unknown game, preset, option or mode.
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
        reward_of: int | Literal["actor"] | None = None,
        illegal_action: str = "raise",
        render_mode: str | None = None,
        copy: bool = True,
        num_threads: int | None = None,
        **options: Any,
    ) -> None:
        game = as_game(game, rules, preset, options)
        mode = as_autoreset_mode(autoreset_mode)
        self._reward_of = reward_of
        if reward_of is not None and reward_of != "actor":
            self._reward_of = one_seat(reward_of, game, "reward_of", 'a seat, "actor" or None')
        self._settings = (mode.value, max_episode_steps, num_threads, bool(copy))
        self._illegal_action = illegal_action
        # By seat; TERMINAL counts from the end. None where each seat is a side: the seats then are the sides.
        self._sides = None
        if game.sides != list(range(game.num_players)):
            self._sides = np.array([*game.sides, *[TERMINAL] * -TERMINAL], np.int8)
        super().__init__(game, num_envs, mode, seed, copy, render_mode)

    def _make_batch(self, seed: int, snapshot: str | None = None) -> _core.Batch:
        return _core.Batch(
            self.game,
            self.num_envs,
            seed,
            *self._settings,
            illegal_action=self._illegal_action,
            snapshot=snapshot,
        )

    @whole
    def step(
        self, actions: ArrayLike
    ) -> tuple[Observation, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], Info]:
        """Play one action in every lane; all or nothing.

        Args:
            actions: Integers of shape (N,): an array of any integer dtype, contiguous or not, or a list.

        Returns:
            observation, rewards, terminated, truncated, info; see the class.

        Raises:
            IllegalActionError: With illegal_action="raise", an action that its lane does not take; the first such lane
                is named. Whatever is raised, no lane has changed.
            ValueError: Another shape, or a lane under DISABLED that waits for a reset.
            TypeError: Actions that are no integers.
            RuntimeError: Another thread is stepping this environment.
        """
        whose: Any = self._reward_of
        if whose == "actor":
            # Where nobody acts, a game is over: the step begins a new one, with rewards of zero.
            whose = np.maximum(self._batch.observe()[2], 0)
        observation, mask, player, rewards, terminated, truncated, illegal, last = self._batch.step(actions)
        self._fresh = False
        info = self._info(player, mask, self._everywhere)
        if illegal is not None:
            info["illegal_action"], info["_illegal_action"] = illegal, self._everywhere.copy()
        if whose is not None:
            info["rewards"], info["_rewards"] = rewards, self._everywhere.copy()
            rewards = rewards[np.arange(self.num_envs), whose]
        if last is not None:
            self._add_last(info, terminated | truncated, last, illegal)
        return {"observation": observation, "action_mask": mask}, rewards, terminated, truncated, info

    def _info(self, players: NDArray[np.int8], masks: NDArray[np.int8], where: NDArray[np.bool_]) -> Info:
        return {
            "current_player": players,
            "_current_player": where.copy(),
            "side": players.copy() if self._sides is None else self._sides.take(players),
            "_side": where.copy(),
            "action_mask": masks,
            "_action_mask": where.copy(),
        }
