"""Games played to their ends with every decision kept: observations, masks, actions and rewards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import overload

import numpy as np
from numpy.typing import NDArray

from sarai._base import arguments
from sarai._core import Game  # noqa: F401  (in the hints of inherited fields)
from sarai._results import validation
from sarai._results.result import RANDOM_PLIES, START, ArrayResult, a_seat, column, first
from sarai._tables.columns import Column, Labels, Table

DEFAULT_MAX_DECISIONS = 4_000_000
"""Decisions that `trajectories` keeps at most unless told otherwise: some gigabytes of arrays."""


@dataclass(frozen=True, eq=False)
class Trajectory:
    """The n decisions of one game with P seats, in order. The arrays are views of those of all the games.

    Attributes:
        observations: (n, L) int8, what the seat that acted saw, relative to itself (`Game.observation_spec`).
        masks: (n, A) int8, 1 where an action was legal.
        actions: (n,) int32, the action that was chosen.
        players: (n,) int8, the seat that acted.
        rewards: (n, P) float32, what each seat earned from this decision up to the next one; the sum is the game's
            returns.
        final_observations: (P, L) int8, what each seat sees when the game is over.
    """

    observations: NDArray[np.int8]
    masks: NDArray[np.int8]
    actions: NDArray[np.int32]
    players: NDArray[np.int8]
    rewards: NDArray[np.float32]
    final_observations: NDArray[np.int8]

    def __len__(self) -> int:
        """The number of decisions."""
        return len(self.actions)


@dataclass(frozen=True, eq=False, repr=False)
class Trajectories(ArrayResult, kind="trajectories", rows={"decision": ("decision",)}, along="game"):
    """The T decisions of G games with P seats, in order, one game after another.

    `len(t)` is the number of games. `t[i]` is the `Trajectory` of game number `first_game + i`, which has the rows
    `offsets[i]` to `offsets[i + 1]`; `t[i:j]` are the `Trajectories` of several games, as views. As a table
    (`to_pandas`, `to_arrow`, `to_parquet`) they have a row for each decision. Two objects are equal if all their arrays
    are equal and they were played in the same way.

    Examples:
        >>> import sarai
        >>> t = sarai.trajectories("sho", num_games=3, seed=1)
        >>> t
        Trajectories('sho', 3 games, ... decisions, agents=('random', ...), seed=1, first_game=0)
        >>> [len(game) for game in t] == sarai.rollout("sho", num_games=3, seed=1).lengths.tolist()
        True

        >>> sarai.results.Trajectories.concatenate([t[:1], t[1:]]) == t
        True

        >>> t[3]
        Traceback (most recent call last):
        ...
        IndexError: there is no game 3; there are 3, counted from 0
    """

    first_game: int = field(metadata=first("game"))
    observations: NDArray[np.int8] = field(
        metadata=column(
            np.int8,
            "decision",
            "cell",
            about="what the seat that acted saw, relative to itself (`Game.observation_spec`)",
            label="observation",
        )
    )
    masks: NDArray[np.int8] = field(
        metadata=column(np.int8, "decision", "action", about="1 where an action was legal", label="mask")
    )
    actions: NDArray[np.int32] = field(
        metadata=column(np.int32, "decision", about="the action that was chosen", label="action")
    )
    players: NDArray[np.int8] = field(
        metadata=column(np.int8, "decision", about="the seat that acted", within=a_seat)
    )
    rewards: NDArray[np.float32] = field(
        metadata=column(
            np.float32,
            "decision",
            "seat",
            about="what each seat earned from this decision up to the next one",
            label="reward",
        )
    )
    final_observations: NDArray[np.int8] = field(
        metadata=column(
            np.int8,
            "game",
            "seat",
            "cell",
            about="what each seat sees when the game is over, relative to itself",
        )
    )
    offsets: NDArray[np.int64] = field(
        metadata=column(
            np.int64, "game", about="where each game begins, and where the last ends", into="decision"
        )
    )
    start: str | None = field(default=None, metadata=START)
    random_plies: int = field(default=0, metadata=RANDOM_PLIES)

    @property
    def num_games(self) -> int:
        """G, the number of games."""
        return len(self)

    @property
    def num_decisions(self) -> int:
        """T, the number of decisions of all games together."""
        return len(self.actions)

    @overload
    def __getitem__(self, index: int) -> Trajectory: ...
    @overload
    def __getitem__(self, index: slice) -> Trajectories: ...
    def __getitem__(self, index: int | slice) -> Trajectory | Trajectories:
        """One game's decisions, or those of several games; a negative index counts from the end.

        Raises:
            IndexError: The game does not exist.
            TypeError: The index is no whole number.
            ValueError: A slice leaves out games in between, or goes backwards.
        """
        if isinstance(index, slice):
            return self._cut(index)
        place = arguments.place("game", index, len(self))
        rows = slice(int(self.offsets[place]), int(self.offsets[place + 1]))
        return Trajectory(
            observations=self.observations[rows],
            masks=self.masks[rows],
            actions=self.actions[rows],
            players=self.players[rows],
            rewards=self.rewards[rows],
            final_observations=self.final_observations[place],
        )

    def __iter__(self) -> Iterator[Trajectory]:
        return (self[index] for index in range(len(self)))

    def _places(self, by: str) -> dict[str, Column]:
        lengths = np.diff(self.offsets)
        begins = np.repeat(self.offsets[:-1], lengths)
        return {
            "number": self._numbers(lengths),
            "decision": (np.arange(self.num_decisions) - begins).astype(np.int32),
            "seat": self.players,
            "agent": Labels.of(self.agents, self.players),
        }

    def _table(self, by: str) -> Table:
        table = super()._table(by)
        lengths = np.diff(self.offsets)
        games = np.repeat(np.arange(len(self)), lengths)
        ends = self.offsets[1:][games] - 1
        last_of_game = np.arange(self.num_decisions) == ends
        # Backwards, the first row of each game and seat is the last decision of that seat.
        _, back = np.unique((games * self.num_players + self.players)[::-1], return_index=True)
        lasts = self.num_decisions - 1 - back
        last_of_seat = np.zeros(self.num_decisions, np.bool_)
        last_of_seat[lasts] = True
        finals = np.zeros_like(self.observations)
        finals[lasts] = self.final_observations[games[lasts], self.players[lasts]]
        more: dict[str, Column] = {
            "return": self.rewards[ends, self.players],
            "last_of_seat": last_of_seat,
            "last_of_game": last_of_game,
            "final_observation": finals,
        }
        return replace(table, columns={**table.columns, **more})

    def _check_rules(self) -> None:
        for part in self.game.observation_spec:
            for name, views in (
                ("observations", self.observations),
                ("final_observations", self.final_observations),
            ):
                validation.check_range(
                    f"{name}, {part['name']!r},", views[..., part["slice"]], *part["range"]
                )
        validation.check_range("masks", self.masks, 0, 1)
        validation.check_range("actions", self.actions, 0, self.game.num_actions - 1)
        allowed = self.masks[np.arange(len(self.actions)), self.actions]
        if not allowed.all():
            row = int(allowed.argmin())
            raise ValueError(f"actions[{row}] is {self.actions[row]}, which masks[{row}] forbids")
        self._check_rewards()

    def _check_rewards(self) -> None:
        """Hold the rewards against the rules: there are none before a game's last decision.

        Raises:
            ValueError: They contradict it.
        """
        played = np.diff(self.offsets) > 0
        last = self.offsets[1:][played] - 1
        scores = self.rewards[last]
        if np.count_nonzero(self.rewards) != np.count_nonzero(scores):
            raise ValueError("rewards has values before the last decision of a game")
        sides = np.array(self.game.sides, np.int8)
        winner = np.where(scores.any(axis=1), sides[scores.argmax(axis=1)], np.int8(-1))
        validation.check_outcomes(self.game, winner, scores)
