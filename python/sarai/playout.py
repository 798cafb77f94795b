"""The one way from Python into the engine's playing of whole games.

`sarai.rollout` and `sarai.trajectories` differ in what they keep of the games; how the progress is shown and how the
time is taken is the same and stands here.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sarai import _core, arguments
from sarai._core import Game, State
from sarai.agents import Agent, label, one_agent_a_seat
from sarai.progress import ProgressOption, shown


@dataclass(frozen=True)
class Played:
    """What came back from the engine, and what it was asked for."""

    game: Game
    agents: tuple[str, ...]
    seed: int
    first_game: int
    columns: dict[str, Any]
    seconds: float
    start: State | None
    random_plies: int

    @property
    def origin(self) -> dict[str, Any]:
        """What says which games these are, by the names that results give it."""
        return {
            "game": self.game,
            "agents": self.agents,
            "seed": self.seed,
            "first_game": self.first_game,
            "start": None if self.start is None else str(self.start),
            "random_plies": self.random_plies,
        }


def play(
    game: Game,
    num_games: int,
    seats: list[Agent],
    *,
    seed: int | None,
    first_game: int,
    max_decisions: int,
    num_threads: int | None = None,
    progress: ProgressOption = False,
    record: bool = False,
    keep: Iterable[int] = (),
    start: State | None = None,
    random_plies: int = 0,
) -> Played:
    """Play games to their ends; whether a number is in range is said by the engine."""
    seed = arguments.seed(seed)
    num_games = arguments.whole("num_games", num_games)
    first_game = arguments.whole("first_game", first_game)
    max_decisions = arguments.whole("max_decisions", max_decisions)
    random_plies = arguments.random_plies(random_plies)
    num_threads = None if num_threads is None else arguments.whole("num_threads", num_threads)
    seats = one_agent_a_seat(seats, game.num_players)
    labels = tuple(label(agent) for agent in seats)
    with shown(progress, game.name, num_games) as report:
        begun = time.perf_counter()
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
            start=None if start is None else (_core.States.of(game, [start]), _core.MAX_GAMES),
            random_plies=random_plies,
        )
        seconds = time.perf_counter() - begun
    return Played(game, labels, seed, first_game, columns, seconds, start, random_plies)
