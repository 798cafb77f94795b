"""Games played to their ends with every decision kept: observations, masks, actions and rewards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from sarai import arguments, notebook
from sarai._core import Game
from sarai.arguments import counted
from sarai.results import joining, npz, validation
from sarai.results.columns import Table
from sarai.results.tables import trajectories_table
from sarai.results.tabular import Tabular

DEFAULT_MAX_DECISIONS = 4_000_000
"""Decisions that `trajectories` keeps at most unless told otherwise: some gigabytes of arrays."""

_MEANINGS = {
    "observations": "what the seat that acted saw",
    "masks": "1 where an action was legal",
    "actions": "what was chosen",
    "players": "the seat that acted",
    "rewards": "what each seat earned up to the next decision",
    "offsets": "where each game begins, and where the last ends",
}


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
    """

    observations: NDArray[np.int8]
    masks: NDArray[np.int8]
    actions: NDArray[np.int32]
    players: NDArray[np.int8]
    rewards: NDArray[np.float32]

    def __len__(self) -> int:
        """The number of decisions."""
        return len(self.actions)


@dataclass(frozen=True, eq=False, repr=False)
class Trajectories(Tabular, by=("decision",)):
    """The T decisions of G games with P seats, in order, one game after another.

    `len(t)` is the number of games. `t[i]` is the `Trajectory` of game number `first_game + i`, which has the rows
    `offsets[i]` to `offsets[i + 1]`; `t[i:j]` are the `Trajectories` of several games, as views. As a table
    (`to_pandas`, `to_arrow`, `to_parquet`) they have a row for each decision. Two objects are equal if all their arrays
    are equal and they were played in the same way.

    Attributes:
        game: The game's name.
        rules: Every option of the game that was played.
        agents: One label per seat: an agent's name, or a policy's `__qualname__`.
        seed: The seed.
        first_game: The number of the first game.
        sides: The side of each seat; partners share one.
        observations: (T, L) int8, what the seat that acted saw, relative to itself (`Game.observation_spec`).
        masks: (T, A) int8, 1 where an action was legal.
        actions: (T,) int32, the action that was chosen.
        players: (T,) int8, the seat that acted.
        rewards: (T, P) float32, what each seat earned from this decision up to the next one.
        offsets: (G + 1,) int64, where each game begins, and T at the end.
        start: The state from which every game started, as `str(state)` writes it; None for the usual start.
        random_plies: The number of random decisions at the beginning of each game.

    Raises:
        TypeError: Another value does not have its documented type.
        ValueError: An array does not have its documented dtype and shape, or a number is out of range.

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
        IndexError: there is no game 3 among 3
    """

    game: str
    rules: dict[str, Any]
    agents: tuple[str, ...]
    seed: int
    first_game: int
    sides: tuple[int, ...]
    observations: NDArray[np.int8]
    masks: NDArray[np.int8]
    actions: NDArray[np.int32]
    players: NDArray[np.int8]
    rewards: NDArray[np.float32]
    offsets: NDArray[np.int64]
    start: str | None = None
    random_plies: int = 0

    __hash__ = None  # type: ignore[assignment]  # arrays can change

    def __post_init__(self) -> None:
        seats = validation.check_origin(self.game, self.rules, self.agents, self.sides)
        for name in ("seed", "first_game"):
            object.__setattr__(self, name, arguments.from_zero(name, getattr(self, name)))
        object.__setattr__(self, "random_plies", arguments.random_plies(self.random_plies))
        validation.check_start(self.start)
        validation.check_array("actions", self.actions, np.int32, (None,))
        steps = len(self.actions)
        validation.check_array("observations", self.observations, np.int8, (steps, None))
        validation.check_array("masks", self.masks, np.int8, (steps, None))
        validation.check_array("players", self.players, np.int8, (steps,))
        validation.check_range("players", self.players, 0, seats - 1)
        validation.check_array("rewards", self.rewards, np.float32, (steps, seats))
        validation.check_array("offsets", self.offsets, np.int64, (None,))
        validation.check_offsets("offsets", self.offsets, steps, "decisions")
        validation.check_numbers(self.seed, self.first_game, self.num_games)

    @property
    def num_games(self) -> int:
        """G, the number of games."""
        return len(self.offsets) - 1

    @property
    def num_players(self) -> int:
        """P, the number of seats."""
        return len(self.agents)

    @property
    def num_decisions(self) -> int:
        """T, the number of decisions of all games together."""
        return len(self.actions)

    def __len__(self) -> int:
        """The number of games."""
        return self.num_games

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
            return self._games(index)
        place = arguments.whole("the index", index)
        if not -self.num_games <= place < self.num_games:
            raise IndexError(f"there is no game {arguments.in_words(place)} among {self.num_games}")
        place %= self.num_games
        rows = slice(int(self.offsets[place]), int(self.offsets[place + 1]))
        return Trajectory(
            observations=self.observations[rows],
            masks=self.masks[rows],
            actions=self.actions[rows],
            players=self.players[rows],
            rewards=self.rewards[rows],
        )

    def _games(self, games: slice) -> Trajectories:
        begin, end, step = games.indices(self.num_games)
        if step != 1:
            raise ValueError(
                "a slice of trajectories has games that follow one another, so no step of "
                f"{arguments.in_words(step)}"
            )
        end = max(begin, end)
        rows = slice(int(self.offsets[begin]), int(self.offsets[end]))
        arrays: dict[str, Any] = {
            name: array[rows] for name, array in self._arrays().items() if name != "offsets"
        }
        first, offsets = self.first_game + begin, self.offsets[begin : end + 1] - self.offsets[begin]
        return Trajectories(**{**self._metadata(), "first_game": first}, **arrays, offsets=offsets)

    @staticmethod
    def concatenate(parts: Iterable[Trajectories]) -> Trajectories:
        """Join trajectories of the same game, rules, agents and seed that follow one another; the arrays are copied.

        Policies are compared by their labels only.

        Raises:
            TypeError: A part is something else.
            ValueError: There are no parts, the parts were played differently, or one does not begin where the previous
                one ends.
        """
        if isinstance(parts, Trajectories) or not isinstance(parts, Iterable):
            raise TypeError(f"parts must be a list of trajectories, not {type(parts).__name__}")
        parts = list(parts)
        joining.check_alike(parts, Trajectories, "Trajectories", "trajectories")
        ends = np.cumsum([0, *(part.num_decisions for part in parts)])
        offsets = [
            parts[0].offsets[:1],
            *(part.offsets[1:] + end for part, end in zip(parts, ends, strict=False)),
        ]
        arrays: dict[str, Any] = {
            name: np.concatenate([part._arrays()[name] for part in parts])
            for name in parts[0]._arrays()
            if name != "offsets"
        }
        return Trajectories(**parts[0]._metadata(), **arrays, offsets=np.concatenate(offsets))

    def _table(self, by: str) -> Table:
        return trajectories_table(self, self.played_as())

    def __iter__(self) -> Iterator[Trajectory]:
        return (self[index] for index in range(self.num_games))

    def __repr__(self) -> str:
        return (
            f"Trajectories({self.game!r}, {counted(self.num_games, 'game')}, "
            f"{counted(self.num_decisions, 'decision')}, "
            f"agents={self.agents}, seed={self.seed}, first_game={self.first_game})"
        )

    def _repr_html_(self) -> str:
        """What the arrays are, for notebooks."""
        rows = [
            (name, " x ".join(f"{length:,}" for length in array.shape), str(array.dtype), _MEANINGS[name])
            for name, array in self._arrays().items()
        ]
        games, decisions = (
            counted(self.num_games, "game"),
            counted(self.num_decisions, "decision"),
        )
        return (
            notebook.heading(
                f"{self.game}: {games}, {decisions}, seed {self.seed}, from game {self.first_game:,} on"
            )
            + notebook.table(("array", "shape", "dtype", "holds"), rows, text_columns=4)
            + notebook.line(
                "agents: " + ", ".join(f"{seat}: {agent}" for seat, agent in enumerate(self.agents))
            )
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Trajectories):
            return NotImplemented
        return self._metadata() == other._metadata() and validation.same_arrays(
            self._arrays(), other._arrays()
        )

    def save(self, path: npz.StrPath) -> None:
        """Write a compressed numpy .npz to exactly this path.

        The file is written either completely or not at all.

        Raises:
            OSError: The file cannot be written; an existing file is left as it was.
            TypeError: The path is neither a str nor a path object.
            ValueError: The arrays have been changed so that they contradict the rules, and could not be loaded again.
        """
        self._check()
        metadata = {
            **self._metadata(),
            "games": self.num_games,
            "decisions": self.num_decisions,
        }
        npz.write(path, "trajectories", metadata, self._arrays())

    @staticmethod
    def load(path: npz.StrPath) -> Trajectories:
        """Read trajectories that `save` wrote. Nothing in the file is ever executed.

        Raises:
            OSError: The file cannot be read; if it does not exist, this is a FileNotFoundError.
            TypeError: The path is neither a str nor a path object.
            ValueError: The file does not hold trajectories, is damaged, or contradicts the rules.
        """
        with npz.reading(path, "trajectories") as file:
            return Trajectories._read(file)

    @staticmethod
    def _read(file: npz.File) -> Trajectories:
        """What `save` wrote, checked."""
        fields = file.fields(
            **validation.ORIGIN,
            first_game=int,
            start=(str, type(None)),
            random_plies=int,
            games=int,
            decisions=int,
        )
        games, steps = fields.pop("games"), fields.pop("decisions")
        for name in ("agents", "sides"):
            fields[name] = tuple(fields[name])
        game = validation.game_of(fields["game"], fields["rules"], fields["agents"], fields["sides"])
        fields["rules"] = game.rules
        layout: npz.Layout = {
            "observations": (np.int8, (steps, *game.observation_shape)),
            "masks": (np.int8, (steps, game.num_actions)),
            "actions": (np.int32, (steps,)),
            "players": (np.int8, (steps,)),
            "rewards": (np.float32, (steps, game.num_players)),
            "offsets": (np.int64, (games + 1,)),
        }
        found = Trajectories(**fields, **file.arrays(layout))
        found._check()
        return found

    def _check(self) -> None:
        """Hold everything against the rules of the game.

        Raises:
            ValueError: They contradict it.
        """
        game = validation.complete_game_of(self.game, self.rules, self.agents, self.sides)
        if self.start is not None:
            validation.start_of(game, self.start)
        cells, actions = self.observations.shape[1], self.masks.shape[1]
        if (cells, actions) != (*game.observation_shape, game.num_actions):
            raise ValueError(
                f"{self.game} has observations of {game.observation_shape[0]} cells and {game.num_actions} actions, "
                f"not {cells} and {actions}"
            )
        for part in game.observation_spec:
            name = f"observations, {part['name']!r},"
            validation.check_range(name, self.observations[:, part["slice"]], *part["range"])
        validation.check_range("masks", self.masks, 0, 1)
        validation.check_range("actions", self.actions, 0, actions - 1)
        allowed = self.masks[np.arange(len(self.actions)), self.actions]
        if not allowed.all():
            row = int(allowed.argmin())
            raise ValueError(f"actions[{row}] is {self.actions[row]}, which masks[{row}] forbids")
        self._check_rewards(game)

    def _check_rewards(self, game: Game) -> None:
        """Hold the rewards against the rules: there are none before a game's last decision.

        Raises:
            ValueError: They contradict it.
        """
        played = np.diff(self.offsets) > 0
        last = self.offsets[1:][played] - 1
        scores = self.rewards[last]
        if np.count_nonzero(self.rewards) != np.count_nonzero(scores):
            raise ValueError("rewards has values before the last decision of a game")
        sides = np.array(game.sides, np.int8)
        winner = np.where(scores.any(axis=1), sides[scores.argmax(axis=1)], np.int8(-1))
        validation.check_outcomes(game, winner, scores)

    def played_as(self) -> dict[str, Any]:
        """What two parts of the same trajectories have in common."""
        names = ("game", "rules", "agents", "seed", "sides", "start", "random_plies")
        return {name: getattr(self, name) for name in names}

    def _metadata(self) -> dict[str, Any]:
        return {**self.played_as(), "first_game": self.first_game}

    def _arrays(self) -> dict[str, NDArray[Any]]:
        return {
            "observations": self.observations,
            "masks": self.masks,
            "actions": self.actions,
            "players": self.players,
            "rewards": self.rewards,
            "offsets": self.offsets,
        }
