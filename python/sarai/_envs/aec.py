"""`aec_env`: a game as a turn-based PettingZoo environment (AEC) in which every seat is an agent."""

from __future__ import annotations

import copy as copying
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.spaces import Dict, Discrete
from numpy.typing import DTypeLike, NDArray

try:
    from pettingzoo import AECEnv
except ModuleNotFoundError as error:
    if error.name != "pettingzoo":
        raise
    raise ModuleNotFoundError(
        'sarai.aec_env needs PettingZoo: pip install "sarai[pettingzoo]"', name="pettingzoo"
    ) from error

from sarai import _core
from sarai._base.arguments import between, flag, short
from sarai._core import TERMINAL, Game, State
from sarai._envs.arguments import known_options, one_seed, start_states
from sarai._envs.batch_holder import HoldsBatch
from sarai._envs.display import RENDER_MODES, Frame, ShownInNotebooks, check_mode, frame
from sarai._envs.spaces import View
from sarai._game import with_rules

AEC_RENDER_MODES = (*RENDER_MODES, "human")
"""PettingZoo's own checks ask every environment for "human"."""


class SaraiAECEnv(ShownInNotebooks, HoldsBatch, AECEnv):  # type: ignore[misc]
    """A game as a turn-based environment, with the agents "player_0", "player_1", ... in seat order.

    The observation of an agent is a dict of "observation", int8 (L,), its own view, and "action_mask", int8 (A,), the
    legal actions of the agent whose turn it is, and all zeros for the others; as in PettingZoo's own games, the infos
    do not repeat it. Chance outcomes are drawn inside the step. Rewards are zero until the game is over, and then
    they are the returns of all agents; agents on the same side get the same reward. Agents do not always alternate:
    one that has another decision in the same turn is selected again.

    `metadata["teams"]` gives the side of each agent, and so does each info's "side". Copies and pickles of an
    environment continue the game in progress. `np_random_seed` is the seed of the games: the one last given to `reset`
    or, if none was ever given, the one drawn from the operating system.
    """

    def __init__(
        self,
        game: str | Game,
        *,
        rules: Mapping[str, Any] | None = None,
        preset: str | None = None,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        illegal_action: str = "raise",
        stats: bool = False,
        observation_dtype: DTypeLike = "int8",
        mask_dtype: DTypeLike = "int8",
        **options: Any,
    ) -> None:
        super().__init__()
        self.game = with_rules(SaraiAECEnv, game, preset, rules, options)
        """The game with its rules."""
        self._view = View(self.game, observation_dtype, mask_dtype)
        self.render_mode = check_mode(render_mode, AEC_RENDER_MODES)
        if max_cycles is not None:
            max_cycles = between("max_cycles", max_cycles, 1, 2**63 - 1)
        self._max_cycles = max_cycles
        self._illegal_action = illegal_action
        self._counts = flag("stats", stats)
        self.np_random_seed = self._begin(None)
        self.possible_agents = [f"player_{player}" for player in range(self.game.num_players)]
        self._sides = dict(zip(self.possible_agents, self.game.sides, strict=True))
        # Each environment's own: the class's dict must not say what one of them does.
        self.metadata = {
            "name": f"sarai_{self.game.name}_v0",
            "render_modes": list(AEC_RENDER_MODES),
            "render_fps": 1,
            "is_parallelizable": False,
            "teams": dict(self._sides),
        }
        self.observation_spaces: dict[str, Dict] = {
            agent: View(self.game, observation_dtype, mask_dtype).space for agent in self.possible_agents
        }
        self.action_spaces: dict[str, Discrete] = {
            agent: Discrete(self.game.num_actions) for agent in self.possible_agents
        }
        self.agents: list[str] = []
        self.agent_selection = self.possible_agents[0]
        self.rewards: dict[str, float] = {}
        self._cumulative_rewards: dict[str, float] = {}
        self.terminations: dict[str, bool] = {}
        self.truncations: dict[str, bool] = {}
        self.infos: dict[str, dict[str, Any]] = {}
        self._decisions: dict[str, int] = {}
        self._skip_agent_selection: str | None = None

    def _make_batch(self, seed: int, snapshot: str | None = None) -> _core.Batch:
        return _core.Batch(
            self.game,
            1,
            seed,
            "Disabled",
            num_threads=1,
            illegal_action=self._illegal_action,
            counts=self._counts,
            snapshot=snapshot,
        )

    def observation_space(self, agent: str) -> Dict:
        """The observation space of an agent; always the same object."""
        return self.observation_spaces[self._known(agent)]

    def action_space(self, agent: str) -> Discrete:
        """The action space of an agent; always the same object."""
        return self.action_spaces[self._known(agent)]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game.

        Args:
            seed: 0 to 2**64 - 1; None plays the next game of the seed before.
            options: {"state": State} begins the game there instead of at its usual start.

        Raises:
            ValueError: The seed is out of range, an option is unknown, or the state is of another game or already over.
                The current game continues then.
            TypeError: The seed is not an integer. The current game continues then.
            RuntimeError: Another thread is stepping this environment.
        """
        given = None if _asks_whether_there_are(options) else options
        starts = start_states(known_options(given, "state"), self.game, 1)
        seed = one_seed(seed)
        _, _, players = self._batch.reset(seed, None, starts)
        if seed is not None:
            self.np_random_seed = seed
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._decisions = dict.fromkeys(self.agents, 0)
        self._skip_agent_selection = None
        self._stand(int(players[0]))
        self._batch.finish()

    def step(self, action: int | None) -> None:
        """Play an action of the agent whose turn it is; the action is None for an agent whose game is over.

        Raises:
            IllegalActionError: The action is not legal. Nothing has changed then, nor after the next two. (With
                illegal_action="terminate", the game ends and the agent gets -1; with "random", a legal action is played
                and the info says so.)
            TypeError: The action is not an integer.
            ValueError: An action was given for an agent whose game is over.
            RuntimeError: No game has begun, all agents have left, an earlier step or reset was interrupted by Ctrl-C,
                after which `reset` is the only thing to do, or another thread is stepping this environment.
        """
        self._batch.check()
        if not self.agents:
            raise RuntimeError("no game is under way; begin one with reset()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._leave(action)
            self._batch.finish()
            return
        if action is None:
            raise TypeError(f"{agent} has to act, and None is not an action")
        _, _, player, rewards, over, illegal = self._batch.step_one(action)
        self._decisions = {**self._decisions, agent: self._decisions[agent] + 1}
        self._cumulative_rewards = {**self._cumulative_rewards, agent: 0.0}
        self.rewards = dict(zip(self.agents, rewards, strict=True))
        self.terminations = dict.fromkeys(self.agents, over)
        self._stand(player)
        if illegal is not None:
            self.infos[agent]["illegal_action"] = illegal
        if not over and self._decisions[self.agent_selection] == self._max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        self._accumulate_rewards()
        self._batch.finish()

    def _was_dead_step(self, action: int | None) -> None:
        """Let the agent whose turn it is leave a game that is over; a wrapper of PettingZoo's calls it past `step`."""
        self._leave(action)
        self._batch.finish()

    def _leave(self, action: int | None) -> None:
        if action is not None:
            raise ValueError(f"the game of {self.agent_selection} is over, so the only action is None")
        self._batch.begin()
        super()._was_dead_step(action)

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """What an agent sees: its own view, and the legal actions if it is its turn.

        Raises:
            ValueError: The agent does not exist.
            RuntimeError: No game has begun, or a step was interrupted.
        """
        player = self.possible_agents.index(self._known(agent))
        state = self._batch.state(0)
        # A game that an illegal action has ended still says whose turn it was, but takes nothing.
        acts = player == state.current_player()
        mask = self._batch.masks()[0] if acts else np.zeros(self.game.num_actions, np.int8)
        return {
            "observation": self._view.cells(state.observation_tensor(player)),
            "action_mask": self._view.mask(mask),
        }

    def game_state(self) -> State:
        """A copy of the position, to inspect or to play on separately."""
        return self._batch.state(0)

    def render(self) -> Frame | None:
        """The position in the form given by `render_mode`: text, SVG text, or pixels, uint8 (height, width, 3).

        "human" writes the text to the standard output and returns None.
        """
        if self.render_mode == "human":
            sys.stdout.write(f"{self.game_state()}\n")
            return None
        return frame(self.game_state(), self.render_mode)

    def close(self) -> None:
        """Does nothing: there are no resources to release."""

    def _lanes_shown(self) -> list[State]:
        return [self.game_state()] if self._batch.is_ready else []

    def _caption(self) -> str:
        return str(self)

    def _known(self, agent: str) -> str:
        if not isinstance(agent, str) or agent not in self._sides:
            raise ValueError(
                f"there is no agent {short(agent)}; the agents are {', '.join(self.possible_agents)}"
            )
        return agent

    def _stand(self, player: int) -> None:
        """Say whose turn it is, and what is known of each agent."""
        self.agent_selection = self.possible_agents[0 if player == TERMINAL else player]
        self.infos = {agent: {"side": self._sides[agent]} for agent in self.agents}
        if self._counts:
            stats = self._stats()
            for place, agent in enumerate(self.agents):
                self.infos[agent]["stats"] = {name: int(counts[0, place]) for name, counts in stats.items()}

    def _own(self) -> dict[str, Any]:
        # What the game changes in place must not be shared, not even by a shallow copy.
        return {
            key: copying.copy(value) for key, value in self.__dict__.items() if isinstance(value, dict | list)
        }

    def __str__(self) -> str:
        return str(self.metadata["name"])


def _asks_whether_there_are(options: object) -> bool:
    """Whether these are the options of PettingZoo's own api_test, {"options": 1}: it gives them to everybody."""
    return isinstance(options, dict) and list(options) == ["options"] and type(options["options"]) is int


def aec_env(
    game: str | Game,
    *,
    rules: Mapping[str, Any] | None = None,
    preset: str | None = None,
    render_mode: str | None = None,
    max_cycles: int | None = None,
    illegal_action: str = "raise",
    stats: bool = False,
    observation_dtype: DTypeLike = "int8",
    mask_dtype: DTypeLike = "int8",
    **options: Any,
) -> SaraiAECEnv:
    """A game as a PettingZoo AEC environment; the same as `pettingzoo.make("aec", "sarai/<game>_v0", ...)`.

    Args:
        game: A game's name, or a `Game`.
        rules: Options that override the preset; only allowed with a game's name.
        preset: The name of a preset; only allowed with a game's name.
        render_mode: "ansi", "svg", "rgb_array" (needs `pip install "sarai[render]"`), "human", or None.
        max_cycles: All agents are truncated together when one of them would make more decisions than this; None: never.
        illegal_action: "raise", "terminate" or "random", see `SaraiAECEnv.step`.
        stats: Whether infos have the statistics of the game so far: the info of an agent has "stats", a dict of the
            game's statistics (`game.statistics`) with the agent's own numbers.
        observation_dtype: np.int8, or np.float32, with each cell divided by its largest possible magnitude (-1 to 1).
        mask_dtype: `np.int8` or `np.bool_`: the dtype of the masks.
        **options: Options of the rules as keywords, which override `rules`; only allowed with a game's name.

    Raises:
        ModuleNotFoundError: PettingZoo is not installed.
        ValueError: A game, preset, option or mode is unknown, or a number is out of range.
        TypeError: A value has the wrong type.

    >>> import sarai
    >>> env = sarai.aec_env("sho")
    >>> env.reset(seed=7)
    >>> env.agent_selection, env.agents
    ('player_0', ['player_0', 'player_1', 'player_2'])
    >>> env.step(129)
    Traceback (most recent call last):
    ...
    sarai.IllegalActionError: action 129 is not legal here; the legal ones are 0
    """
    return SaraiAECEnv(
        game,
        rules=rules,
        preset=preset,
        render_mode=render_mode,
        max_cycles=max_cycles,
        illegal_action=illegal_action,
        stats=stats,
        observation_dtype=observation_dtype,
        mask_dtype=mask_dtype,
        **options,
    )
