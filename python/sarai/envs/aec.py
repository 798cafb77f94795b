"""`aec_env`: a game as a PettingZoo environment of turns (AEC), every seat an agent of it."""

from __future__ import annotations

import copy as copying
import operator
import secrets
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.spaces import Dict, Discrete
from numpy.typing import NDArray

try:
    from pettingzoo import AECEnv
except ModuleNotFoundError as error:
    if error.name != "pettingzoo":
        raise
    raise ModuleNotFoundError(
        'sarai.aec_env needs PettingZoo: pip install "sarai[pettingzoo]"', name="pettingzoo"
    ) from error

from sarai import _core
from sarai._core import TERMINAL, Game, State
from sarai.envs.common import observation_space, one_seed, step_one
from sarai.envs.display import RENDER_MODES, Frame, ShownInNotebooks, check_mode, frame
from sarai.envs.pickled import PickledBatch
from sarai.play import as_game

AEC_RENDER_MODES = [*RENDER_MODES, "human"]
"""PettingZoo's own checks ask every environment for "human"."""


class SaraiAECEnv(ShownInNotebooks, PickledBatch, AECEnv):  # type: ignore[misc]
    """A game as an environment of turns: agents "player_0", "player_1", ... in the order of the seats.

    The observation of an agent is a dict of "observation", int8 (L,), its own view, and "action_mask", int8 (A,), the
    legal actions of the agent whose turn it is, and all zeros for the others. Chance outcomes are drawn inside the
    step. Rewards are zero until the game is over, then everybody's returns; agents of one side get the same. Agents
    need not take turns one by one: who has another decision in a turn is selected again.

    `metadata["teams"]` gives the side of each agent, and so does each info's "side". Copies and pickles of an
    environment go on with the game in progress.
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
    ) -> None:
        super().__init__()
        self.game = as_game(game, rules, preset)
        self.render_mode = check_mode(render_mode, AEC_RENDER_MODES)
        if max_cycles is not None:
            if isinstance(max_cycles, bool) or not hasattr(max_cycles, "__index__"):
                raise TypeError(f"max_cycles must be an int or None, not {type(max_cycles).__name__}")
            if operator.index(max_cycles) < 1:
                raise ValueError(f"max_cycles got {max_cycles}; it takes 1 and more, or None")
        self._max_cycles = max_cycles
        self._illegal_action = illegal_action
        self._batch = self._make_batch(secrets.randbits(64))
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
            agent: observation_space(self.game) for agent in self.possible_agents
        }
        self.action_spaces: dict[str, Discrete] = {
            agent: Discrete(self.game.num_actions) for agent in self.possible_agents
        }
        self.agents: list[str] = []
        self.agent_selection = self.possible_agents[0]
        self.infos: dict[str, dict[str, Any]] = {}
        self._state: State | None = None
        self._mask: NDArray[np.int8] | None = None

    def _make_batch(self, seed: int) -> _core.Batch:
        return _core.Batch(self.game, 1, seed, "Disabled", num_threads=1, illegal_action=self._illegal_action)

    def observation_space(self, agent: str) -> Dict:
        """The observations of an agent: always the same object."""
        return self.observation_spaces[self._known(agent)]

    def action_space(self, agent: str) -> Discrete:
        """The actions of an agent: always the same object."""
        return self.action_spaces[self._known(agent)]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game.

        Args:
            seed: 0 to 2**64 - 1; None goes on in the stream of the games before.
            options: None are known; what is given is ignored.

        Raises:
            ValueError: The seed is out of range.
            TypeError: It is no integer.
        """
        _, masks, players = self._batch.reset(one_seed(seed))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._decisions = dict.fromkeys(self.agents, 0)
        self._skip_agent_selection = None
        self._stand(masks[0], int(players[0]))

    def step(self, action: int | None) -> None:
        """Play an action of the agent whose turn it is; None for an agent whose game is over.

        Raises:
            IllegalActionError: The action is not legal; nothing has changed. (With illegal_action="terminate" the game
                is over and the agent gets -1, with "random" a legal action is played and the info says so.)
            TypeError: The action is no integer.
            ValueError: An action for an agent whose game is over.
            RuntimeError: No game has begun, or all agents have left.
        """
        if not self.agents:
            raise RuntimeError("no game is under way; begin one with reset()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise TypeError(f"{agent} has to act, and None is no action")
        _, masks, players, rewards, terminated, _, illegal, _ = step_one(self._batch, action)
        self._decisions[agent] += 1
        self._cumulative_rewards[agent] = 0.0
        over = bool(terminated[0])
        for player, each in enumerate(self.agents):
            self.rewards[each] = float(rewards[0, player])
            self.terminations[each] = over
        self._stand(masks[0], int(players[0]))
        if illegal is not None:
            self.infos[agent]["illegal_action"] = bool(illegal[0])
        if not over and self._decisions[self.agent_selection] == self._max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, NDArray[np.int8]]:
        """What an agent sees: its own view, and the legal actions where it has to act.

        Raises:
            ValueError: There is no such agent.
            RuntimeError: No game has begun.
        """
        player = self.possible_agents.index(self._known(agent))
        if self._mask is None:
            raise RuntimeError("no game is under way; begin one with reset()")
        if self._state is None:
            self._state = self._batch.state(0)
        mask = self._mask if player == self._to_act else np.zeros_like(self._mask)
        return {"observation": self._state.observation_tensor(player), "action_mask": mask.copy()}

    def game_state(self) -> State:
        """The position, to look at and to play on by itself."""
        return self._batch.state(0)

    def render(self) -> Frame | None:
        """The position as `render_mode` asks for it: text, SVG text, or pixels, uint8 (height, width, 3).

        "human" writes the text to the standard output and returns None.
        """
        if self.render_mode == "human":
            sys.stdout.write(f"{self.game_state()}\n")
            return None
        return frame(self.game_state(), self.render_mode)

    def close(self) -> None:
        """Nothing is held that would have to be given back."""

    def _lanes_shown(self) -> list[State]:
        return [] if self._mask is None else [self.game_state()]

    def _caption(self) -> str:
        return str(self)

    def _known(self, agent: str) -> str:
        if agent not in self._sides:
            raise ValueError(f"there is no agent {agent!r}; the agents are {', '.join(self.possible_agents)}")
        return agent

    def _stand(self, mask: NDArray[np.int8], player: int) -> None:
        """Take up where the game stands."""
        self._mask, self._to_act = mask, player
        self._state = None
        self.agent_selection = self.possible_agents[0 if player == TERMINAL else player]
        nothing = np.zeros_like(mask)
        self.infos = {
            agent: {
                "action_mask": (mask if place == player else nothing).copy(),
                "side": self._sides[agent],
            }
            for place, agent in enumerate(self.agents)
        }

    def _own(self) -> dict[str, Any]:
        # What the game changes in place must not be shared, not even by a shallow copy.
        changed = (key for key, value in self.__dict__.items() if isinstance(value, dict | list))
        return {**{key: copying.copy(self.__dict__[key]) for key in changed}, "_state": None}

    def __str__(self) -> str:
        return str(self.metadata["name"])


def aec_env(
    game: str | Game,
    *,
    rules: Mapping[str, Any] | None = None,
    preset: str | None = None,
    render_mode: str | None = None,
    max_cycles: int | None = None,
    illegal_action: str = "raise",
) -> SaraiAECEnv:
    """A game as a PettingZoo AEC environment; the same as `pettingzoo.make("aec", "sarai/<game>_v0", ...)`.

    Args:
        game: A game's name, or a `Game`.
        rules: Options on top of the preset, with a game's name only.
        preset: A named rule book, with a game's name only.
        render_mode: "ansi", "svg", "rgb_array" (needs `pip install "sarai[render]"`), "human", or None.
        max_cycles: All agents are truncated together when one of them would have to make more decisions than this;
            None: never.
        illegal_action: "raise", "terminate" or "random", see `SaraiAECEnv.step`.

    Raises:
        ModuleNotFoundError: PettingZoo is not installed.
        ValueError: An unknown game, preset, option or mode, a number out of range.
        TypeError: A value of the wrong type.

    >>> import sarai
    >>> env = sarai.aec_env("sho")
    >>> env.reset(seed=7)
    >>> env.agent_selection, env.agents
    ('player_0', ['player_0', 'player_1', 'player_2'])
    >>> env.step(129)
    Traceback (most recent call last):
    ...
    sarai.IllegalActionError: action 129 is not legal here; legal are 0
    """
    return SaraiAECEnv(
        game,
        rules=rules,
        preset=preset,
        render_mode=render_mode,
        max_cycles=max_cycles,
        illegal_action=illegal_action,
    )
