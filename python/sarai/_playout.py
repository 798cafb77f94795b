"""A run of many games, declared once for all calls that play some, and how they ask the engine for it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, SupportsIndex

from sarai import _core
from sarai._base import arguments
from sarai._base.progress import ProgressOption, shown
from sarai._core import Game, State
from sarai._game import game_and_start
from sarai.agents import Agent, Agents, label, one_agent_a_seat


@dataclass(frozen=True)
class Run:
    """Who plays how many games, or series, of which rules. The engine reads it, and says which numbers are in range.

    Attributes:
        game: The game.
        agents: Who plays, one a seat.
        num: How many games, or series.
        seed: The seed, drawn where none was given.
        num_threads: The number of threads; None uses all processors.
        progress: As `sarai.rollout` takes it.
        first: The number of the first.
        random_plies: How many decisions at the beginning of each game are random.
        start: The states in which games begin, and how many in each; None is where the rules begin.
        unit: "game" or "series".
        start_text: The one state in which all games begin, as text.
    """

    game: Game
    agents: list[Agent]
    num: SupportsIndex
    seed: int
    num_threads: SupportsIndex | None = None
    progress: ProgressOption = False
    first: SupportsIndex = 0
    random_plies: SupportsIndex = 0
    start: tuple[_core.States, int] | None = None
    unit: Literal["game", "series"] = "game"
    start_text: str | None = None

    @classmethod
    def of(
        cls,
        game: str | Game | State,
        agents: Agents,
        num: SupportsIndex,
        seed: int | None,
        *others: Any,
        **more: Any,
    ) -> Run:
        """A run from what a user has given, in the order of the fields.

        Raises:
            TypeError: The game or an agent is none, or the seed is no integer.
            ValueError: There is no such game, or the seed is out of range.
        """
        book, start = game_and_start(game)
        if start is not None:
            more |= {"start": (_core.States.of(book, [start]), _core.MAX_GAMES), "start_text": str(start)}
        seats = one_agent_a_seat(agents, book.num_players)
        return cls(book, seats, num, arguments.seed(seed), *others, **more)

    @property
    def labels(self) -> tuple[str, ...]:
        """One label per seat."""
        return tuple(label(agent) for agent in self.agents)

    @property
    def told(self) -> dict[str, Any]:
        """What a result says of how its games were played, by the names of its fields."""
        told = {"game": self.game, "agents": self.labels, "seed": self.seed, f"first_{self.unit}": self.first}
        return {**told, "random_plies": self.random_plies}

    def ask(self, question: Callable[..., dict[str, Any]], **more: Any) -> tuple[dict[str, Any], float]:
        """What the engine answers, with progress shown, and how many seconds it took."""
        unit = "series" if self.unit == "series" else "games"
        # A number that is none is for the engine to refuse, before the display opens.
        with shown(self.progress, self.game.name, self.num, unit) as reported:  # type: ignore[arg-type]
            begun = time.perf_counter()
            return question(self, reported, **more), time.perf_counter() - begun
