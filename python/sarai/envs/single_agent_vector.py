"""`SingleAgentVectorEnv`: many games at once, all seen from one seat; the other seats are played by agents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import ArrayLike, NDArray

from sarai._core import Game
from sarai.agents import Agents
from sarai.envs import opponents as others
from sarai.envs.arguments import autoreset_mode as as_autoreset_mode
from sarai.envs.batch_env import BatchVectorEnv, Info, Observation
from sarai.envs.policy_batch import Lanes
from sarai.envs.single_agent import lanes
from sarai.envs.transaction import whole
from sarai.game import as_game


class SingleAgentVectorEnv(BatchVectorEnv):
    """Many games of one rule book, stepped together: the learner has the same seat in all, agents have the others.

    A step plays the learner's action in every lane, and then dice and opponents up to the learner's next decision: one
    call into the engine, unless an opponent is a callable. Row i of every array is lane i, always.

    With N lanes, L observation cells and A actions, `step(actions)` takes integers of shape (N,) and returns

    - observation: a dict of "observation", int8 (N, L), the learner's view, and "action_mask", int8 (N, A), 1 where the
      lane takes the action;
    - rewards: float32 (N,): 0 until the game is over, then the learner's return;
    - terminated, truncated: bool (N,): the game is over; it was cut off by `max_episode_steps`, which counts the
      learner's decisions;
    - info: a dict with "action_mask", the same array as in the observation, "side", int8 (N,), the number of the
      learner's side, and unless illegal actions raise, "illegal_action", bool (N,), whether the lane's was not legal.
      Each has its "_" + key, bool (N,), as Gymnasium's infos have, here True everywhere.

    What happens to a lane whose game has ended is `autoreset_mode`'s to say, in Gymnasium's terms:

    - NEXT_STEP (default): its row shows the end. The next step ignores its action (the mask is all ones: any will do)
      and begins a new game, with a reward of zero.
    - SAME_STEP: the step begins the new game at once. info["final_obs"] is an object array (N,) with the last
      observation of each lane that ended and None elsewhere, info["final_info"] the last info; info["_final_obs"] and
      info["_final_info"], bool (N,), say which lanes they are for. The keys are there only when a lane has ended.
    - DISABLED: the lane waits, its mask all zeros, for `reset(options={"reset_mask": mask})`; a step before that is a
      ValueError.

    The same seed gives the same games on any number of threads: lane i of seed s is one fixed stream, and a new game
    goes on in it. With a list of seeds, lane i plays what a `SingleAgentEnv` plays with the seed of lane i.

    Args:
        game: A game's name, or a `Game`.
        num_envs: How many lanes, 1 to 1,048,576.
        seat: The learner's seat, 0 to num_players - 1.
        opponents: An agent for all other seats, or a list with one for each of them in the order of the seats: a name
            ("random", "greedy", "mcts:200"), played in the engine, or a callable
            `policy(observations (n, L), masks (n, A)) -> actions (n,)`, asked for all lanes at once.
        rules: Options on top of the preset, with a game's name only.
        preset: A named rule book, with a game's name only.
        seed: 0 to 2**64 - 1; None takes one from the system.
        autoreset_mode: A `gymnasium.vector.AutoresetMode` or its value.
        max_episode_steps: A game is truncated after so many decisions of the learner; None: never.
        illegal_action: What an action that is not legal does. "raise": an IllegalActionError, and no lane has changed.
            "terminate": the lane's game is over, with the reward -1. "random": a legal action is played instead.
        render_mode: "ansi", "svg", "rgb_array" (needs `pip install "sarai[render]"`), or None.
        copy: False reuses the same arrays in every step, which is a little faster: a row that you keep must be copied.
            After a step or reset that raised, observation and mask show where the lanes stand, as ever; what the arrays
            of flags then hold means nothing.
        num_threads: Worker threads, 1 to 256; None for as many as the machine has processors.
        **options: Options of the rules as keywords, on top of `rules`, with a game's name only.

    Raises:
        ValueError: A number out of range, an unknown game, preset, option, agent or mode.
        TypeError: A value of the wrong type.

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
    sarai.IllegalActionError: lane 0: action 129 is not legal here; legal are ...
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        *,
        seat: int = 0,
        opponents: Agents = "random",
        rules: Mapping[str, Any] | None = None,
        preset: str | None = None,
        seed: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        illegal_action: str = "raise",
        render_mode: str | None = None,
        copy: bool = True,
        num_threads: int | None = None,
        **options: Any,
    ) -> None:
        game = as_game(game, rules, preset, options)
        self.seats = others.seats(game, seat, opponents)
        mode = as_autoreset_mode(autoreset_mode)
        self._settings = (illegal_action, max_episode_steps, num_threads, bool(copy))
        super().__init__(game, num_envs, mode, seed, copy, render_mode)
        self._side = np.full(self.num_envs, game.sides[self.seats.learner], np.int8)

    def _make_batch(self, seed: int, snapshot: str | None = None) -> Lanes:
        mode = self.autoreset_mode.value
        return lanes(self.game, self.num_envs, seed, mode, self.seats, *self._settings, snapshot=snapshot)

    @whole
    def step(
        self, actions: ArrayLike
    ) -> tuple[Observation, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], Info]:
        """Play the learner's action in every lane, and everything up to the learner's next decision; all or nothing.

        Args:
            actions: Integers of shape (N,): an array of any integer dtype, contiguous or not, or a list.

        Returns:
            observation, rewards, terminated, truncated, info; see the class.

        Raises:
            IllegalActionError: With illegal_action="raise", an action that its lane does not take; or a callable chose
                one. It names the lane. Whatever is raised, no lane has changed.
            ValueError: Another shape, or a lane under DISABLED that waits for a reset.
            TypeError: Actions that are no integers.
            RuntimeError: Another thread is stepping this environment, or it is one of its own callables that calls.
        """
        stepped = self._batch.step(actions)
        observation, mask, player, rewards, terminated, truncated, illegal, last = stepped
        self._fresh = False
        info = self._info(player, mask, self._everywhere)
        if illegal is not None:
            info["illegal_action"], info["_illegal_action"] = illegal, self._everywhere.copy()
        if last is not None:
            self._add_last(info, terminated | truncated, last, illegal)
        mine = rewards[:, self.seats.learner].copy()
        return {"observation": observation, "action_mask": mask}, mine, terminated, truncated, info

    def _info(self, players: NDArray[np.int8], masks: NDArray[np.int8], where: NDArray[np.bool_]) -> Info:
        return {
            "action_mask": masks,
            "_action_mask": where.copy(),
            "side": self._side.copy(),
            "_side": where.copy(),
        }
