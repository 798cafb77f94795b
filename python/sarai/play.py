"""The one way from Python into the engine's playing of whole games.

`sarai.rollout` and `sarai.trajectories` differ in what they keep of the games; how the arguments are
understood, how the progress is shown and how the time is taken is the same and stands here.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Mapping, Sized
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sarai import _core
from sarai._core import Game
from sarai.game import make
from sarai.progress import ProgressOption, shown

Policy: TypeAlias = Callable[[NDArray[np.int8], NDArray[np.int8]], NDArray[np.integer[Any]]]
"""Decides for a batch: `policy(observations (n, L) int8, masks (n, A) int8) -> actions (n,)`, integers."""

Agent: TypeAlias = str | Policy
"""An agent's name ("random", "greedy", "mcts:200") or a policy."""

Agents: TypeAlias = Agent | Iterable[Agent] | None
"""One agent for every seat, or one a seat in the order of the seats; None is "random" everywhere."""


@dataclass(frozen=True)
class Played:
    """What came back from the engine, and what it was asked for."""

    game: Game
    agents: tuple[str, ...]
    seed: int
    first_game: int
    columns: dict[str, Any]
    seconds: float

    @property
    def origin(self) -> dict[str, Any]:
        """What says which games these are, by the names that results give it."""
        return {
            "game": self.game.name,
            "rules": self.game.rules,
            "agents": self.agents,
            "seed": self.seed,
            "first_game": self.first_game,
            "sides": tuple(self.game.sides),
        }


def play(
    game: str | Game,
    num_games: int,
    agents: Agents,
    seed: int,
    rules: Mapping[str, Any] | None,
    preset: str | None,
    num_threads: int | None,
    progress: ProgressOption,
    first_game: int,
    record: bool,
    max_decisions: int,
    keep: Iterable[int] = (),
) -> Played:
    """Play games to their ends; the engine checks every number it is given and says what it takes."""
    game = as_game(game, rules, preset)
    seats = one_agent_a_seat(agents, game.num_players)
    labels = tuple(label(agent) for agent in seats)
    with shown(progress, game.name, num_games) as report:
        start = time.perf_counter()
        columns = _core.rollout(
            game,
            num_games,
            seats,
            seed=seed,
            first_game=first_game,
            num_threads=num_threads,
            progress=report,
            record=record,
            max_decisions=max_decisions,
            keep=set(keep),
        )
        seconds = time.perf_counter() - start
    # The engine has accepted both as whole numbers, so int() only turns numpy's into Python's.
    return Played(game, labels, int(seed), int(first_game), columns, seconds)


def as_game(
    game: str | Game,
    rules: Mapping[str, Any] | None,
    preset: str | None,
    options: Mapping[str, Any] | None = None,
) -> Game:
    """The game object for a name with its rules, or the one that was given.

    `options` are rule options that a caller gave as keywords; they come on top of `rules`.
    """
    if isinstance(game, str):
        return make(game, preset=preset, rules=rules, **(options or {}))
    if not isinstance(game, Game):
        raise TypeError(
            f"game must be a name (one of sarai.games()) or a sarai.Game, not {type(game).__name__}"
        )
    if rules is not None or preset is not None or options:
        given = ", ".join(options or ["rules" if rules is not None else "preset"])
        raise ValueError(
            f"{given} got a value, but a Game object has its rules already: leave it out, or give the game's name"
        )
    return game


def one_agent_a_seat(agents: Agents, num_players: int) -> list[Agent]:
    """Spread a single agent over all seats; a list is taken as it is, its length is the engine's to check."""
    if agents is None:
        agents = "random"
    # A policy may well be both callable and iterable (a torch.nn.Sequential is), so callable comes first.
    if isinstance(agents, str) or callable(agents):
        return [agents] * num_players
    if not isinstance(agents, Iterable):
        raise TypeError(
            "agents must be an agent's name, a policy, or a list with one of them a seat, "
            f"not {type(agents).__name__}"
        )
    if isinstance(agents, Sized):
        return list(agents)
    # One more than there are seats is enough to be refused, and an endless iterator ends.
    return list(itertools.islice(agents, num_players + 1))


def label(agent: Agent) -> str:
    """How an agent is called in results: its name, or the policy's qualified name."""
    if isinstance(agent, str):
        return str(agent)
    if not callable(agent):
        raise TypeError(f"an agent must be a name or a policy (a callable), not {type(agent).__name__}")
    name = getattr(agent, "__qualname__", None)
    known = name if isinstance(name, str) else type(agent).__qualname__
    # A name may hold what no file and no terminal takes.
    return known.encode("utf-8", "backslashreplace").decode()
