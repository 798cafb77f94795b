"""`SingleAgentEnv`: one game, seen from one seat, with agents in the other seats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Dict, Discrete
from numpy.typing import DTypeLike, NDArray

from sarai import _core
from sarai._base.arguments import flag
from sarai._core import Game, State
from sarai._envs.arguments import known_options, one_seed, start_states
from sarai._envs.batch_env import Info, Observation
from sarai._envs.display import RENDER_MODES, Frame, ShownInNotebooks, check_mode, frame
from sarai._envs.learner import OneLearner
from sarai._envs.opponents import Opponents, Seat
from sarai._envs.shaping import Evaluator, Shaping
from sarai._envs.spaces import View
from sarai._game import with_rules


class SingleAgentEnv(ShownInNotebooks, OneLearner, gymnasium.Env[Observation, np.int64]):
    """One game as a Gymnasium environment: the learner has one seat, and agents have the others.

    A step plays the learner's action, and then the dice and opponents until the learner's next decision. With L
    observation cells and A actions,

    - the observation is a dict of "observation", int8 (L,), the learner's view, and "action_mask", int8 (A,), 1 where
      the action is legal, and all zeros when the game is over;
    - the reward is 0.0 until the game is over, and then the learner's return;
    - terminated says whether the game is over; the environment itself never truncates, but `max_episode_steps=` of
      `gymnasium.make` does;
    - info holds "action_mask" again, "side", the number of the learner's side, and "illegal_action", whether the action
      was illegal. If opponents are drawn for each game, "opponent" is their name; if the learner's seat is drawn,
      "seat" is that seat.

    The same seed gives the same game: the episodes after `reset(seed=s)` are those of lane 0 of a
    `SingleAgentVectorEnv` after `reset(seed=s)`.

    Args:
        game: A game's name, or a `Game`.
        seat: The learner's seat, 0 to num_players - 1, or "random" to draw one for each game.
        opponents: One agent for all other seats, or a list with one for each of them in seat order. An agent is a name
            ("random", "greedy", "mcts:200") or a callable `policy(observations (n, L), masks (n, A)) -> actions (n,)`.
            A `sarai.agents.Pool` of these draws the opponents of each game; `set_opponents` changes them.
        rules: Options that override the preset; only allowed with a game's name.
        preset: The name of a preset; only allowed with a game's name.
        illegal_action: What happens after an illegal action. "terminate": the episode ends with a reward of -1.
            "random": a legal action is played instead. "raise": an IllegalActionError is raised, and nothing has
            changed.
        stats: Whether infos have the statistics of the game so far: info["stats"] is a dict of the game's statistics
            (`game.statistics`), each int32 (P,), with a column for each seat.
        shaping: Rewards on the way, as in `SingleAgentVectorEnv`.
        discount: The factor by which the learner discounts, 0 to 1, for `shaping`.
        observation_dtype: np.int8, or np.float32, with each cell divided by its largest possible magnitude (-1 to 1).
        mask_dtype: `np.int8` or `np.bool_`: the dtype of the masks, in observations and infos.
        render_mode: "ansi", "svg", "rgb_array" (needs `pip install "sarai[render]"`), or None.
        **options: Options of the rules as keywords, which override `rules`; only allowed with a game's name.

    Raises:
        ValueError: A game, preset, option, agent or mode is unknown, or the seat does not exist.
        TypeError: A value has the wrong type.

    >>> import gymnasium, sarai
    >>> env = gymnasium.make("sarai/Sho-v0", seat=1, opponents="greedy")
    >>> observation, info = env.reset(seed=7)
    >>> int(info["action_mask"].sum()) > 0
    True
    >>> observation, reward, terminated, truncated, info = env.step(env.unwrapped.sample_legal())
    >>> reward, terminated, info["illegal_action"]
    (0.0, False, False)
    >>> gymnasium.make("sarai/Sho-v0", opponents="clever")
    Traceback (most recent call last):
    ...
    ValueError: unknown agent 'clever'; agents are ...
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: str | Game,
        *,
        seat: Seat = 0,
        opponents: Opponents = "random",
        rules: Mapping[str, Any] | None = None,
        preset: str | None = None,
        illegal_action: str = "terminate",
        stats: bool = False,
        shaping: Evaluator | None = None,
        discount: float = 1.0,
        observation_dtype: DTypeLike = "int8",
        mask_dtype: DTypeLike = "int8",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.game = with_rules(SingleAgentEnv, game, preset, rules, options)
        """The game with its rules."""
        self._seated(self.game, seat, opponents)
        self._sides = self.game.sides
        self._counts = flag("stats", stats)
        self._view = View(self.game, observation_dtype, mask_dtype)
        self._shaping = None if shaping is None else Shaping(shaping, discount)
        self.render_mode = check_mode(render_mode)
        self._illegal_action = illegal_action
        # Nobody is stepped before the first reset.
        self._over = True
        # What is sampled here comes from the same seed as the games, and `np_random_seed` says which it was.
        super().reset(seed=self._begin(None))
        self.observation_space: Dict = self._view.space  # type: ignore[assignment]
        self.action_space = Discrete(self.game.num_actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        """Begin a new game, up to the learner's first decision.

        Args:
            seed: 0 to 2**64 - 1; None plays the next game of the seed before. If no seed was ever given, it was
                drawn from the operating system; `np_random_seed` holds it.
            options: {"state": State} begins the game there instead of at its usual start.

        Raises:
            ValueError: The seed is out of range, an option is unknown, or the state is of another game or already over.
                The current game continues then.
            TypeError: The seed is not an integer. The current game continues then.
            RuntimeError: Another thread is stepping this environment, or one of its own callables made this call.
        """
        starts = start_states(known_options(options, "state"), self.game, 1)
        seed = one_seed(seed)
        cells, masks, _ = self._batch.reset(seed, None, starts, self._ask)
        super().reset(seed=seed)
        self._over = False
        if self._shaping is not None:
            self._potential = self._shaping.potential(cells)
        shown = self._shown(cells[0], masks[0], illegal=False)
        self._batch.finish()
        return shown

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, Info]:
        """Play the learner's action, and everything up to the learner's next decision.

        Args:
            action: An integer; `illegal_action` decides what happens if it is not legal.

        Raises:
            ResetNeeded: The game is over, or none has begun.
            IllegalActionError: With illegal_action="raise", the action is illegal. Nothing has changed then.
            TypeError: The action is not an integer. Nothing has changed then.
            RuntimeError: An earlier step or reset was interrupted: by Ctrl-C, or by a callable that raised or chose an
                illegal action. `reset` is the only thing to do. Or another thread is stepping this environment, or one
                of its own callables made this call.
        """
        if self._over:
            raise ResetNeeded("no game is under way; begin one with reset()")
        cells, mask, _, rewards, over, illegal = self._batch.step_one(action, self._ask)
        self._over = over
        observation, info = self._shown(cells, mask, illegal=bool(illegal))
        reward = rewards[self._learner()]
        if self._shaping is not None:
            after = self._shaping.potential(cells[np.newaxis])
            reward += float(self._shaping.rewards(self._potential, after, np.array([over]))[0])
            self._potential = after
        self._batch.finish()
        return observation, reward, over, False, info

    def render(self) -> Frame | None:
        """The position in the form given by `render_mode`: text, SVG text, or pixels, uint8 (height, width, 3)."""
        return frame(self.state(), self.render_mode)

    def state(self) -> State:
        """A copy of the position, to inspect or to play on separately."""
        return self._batch.state(0)

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, bool (A,), as sb3-contrib's MaskablePPO expects them."""
        legal: NDArray[np.bool_] = self._batch.masks()[0].astype(np.bool_)
        return legal

    def sample_legal(self) -> int:
        """A legal action, chosen uniformly with `np_random`; 0 when the game is over."""
        legal = np.flatnonzero(self._batch.masks()[0])
        return int(self.np_random.choice(legal)) if len(legal) else 0

    def _lanes_shown(self) -> list[State]:
        return [self.state()] if self._batch.is_ready else []

    def _caption(self) -> str:
        return str(self)

    def _shown(
        self, cells: NDArray[np.int8], mask: NDArray[np.int8], *, illegal: bool
    ) -> tuple[Observation, Info]:
        mask = self._view.mask(mask)
        info: Info = {"action_mask": mask.copy(), "side": self._sides[self._learner()]}
        if self.seats.drawn:
            told = self._opponents(self._batch.lineups())
            info.update({key: value.tolist()[0] for key, value in told.items()})
        info["illegal_action"] = illegal
        if self._counts:
            info["stats"] = {name: counts[0] for name, counts in self._stats().items()}
        return {"observation": self._view.cells(cells), "action_mask": mask}, info

    def _learner(self) -> int:
        """The learner's seat in the game under way."""
        if self.seats.learner is not None:
            return self.seats.learner
        return int(self.seats.learners[self._batch.lineups()[0]])

    def _make_batch(self, seed: int, snapshot: str | None = None) -> _core.Batch:
        return self._lanes_of(1, seed, "Disabled", self._illegal_action, snapshot=snapshot)

    def __str__(self) -> str:
        seat = "random" if self.seats.learner is None else self.seats.learner
        return f"{type(self).__name__}({self.game.name!r}, seat={seat!r})"
