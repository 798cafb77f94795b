"""Series of games: the winner of a game begins the next, and a side that wins enough of them wins the series."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sarai import _core, arguments, notebook
from sarai._core import Game
from sarai.agents import Agents, label, one_agent_a_seat
from sarai.game import as_game
from sarai.progress import ProgressOption, shown
from sarai.results import npz, validation
from sarai.results.columns import Table
from sarai.results.series import Series, aim, check_winners
from sarai.results.summary import Estimate, few_distinct, texts
from sarai.results.tables import series_table
from sarai.results.tabular import Tabular

DEFAULT_MAX_GAMES = 1000
"""A series without a winner ends after so many games: where most games are drawn it might never end."""

_MOST_WINS, _MOST_GAMES = 1000, 100_000
"""The most that `target` and `max_games` may be; the engine holds to it."""


def series(
    game: str | Game,
    agents: Agents = "random",
    num_series: int = 1000,
    *,
    target: int = 5,
    consecutive: bool = True,
    seed: int | None = None,
    max_games: int = DEFAULT_MAX_GAMES,
    num_threads: int | None = None,
    progress: ProgressOption = False,
    first_series: int = 0,
    random_plies: int = 0,
) -> SeriesRollout:
    """Play series: in each, game after game until a side has won `target` games, in a row if `consecutive`.

    The winner of a game begins the next. A loss ends the loser's streak; a draw changes neither the streaks nor who
    begins. In team games, the next game is begun by the first seat of the winning team, counting from the seat that
    began the last one. The option `first_player` decides who begins the first game; if a game has no such option
    because a throw decides who begins, the throw decides it in every game. (This is rule 9 of Shah, generalised to any
    game.)

    Series i of a seed is always the same series. The result does not depend on `num_threads`, and you can split it with
    `first_series`. The series are played in Rust with the GIL released. Ctrl-C stops the call within a second.

    Args:
        game: A game, or its name as `sarai.make` takes it.
        agents: As `sarai.rollout` takes them.
        num_series: The number of series, 1 to 1,000,000; num_series * max_games is at most 100,000,000.
        target: The number of games that a side has to win, 1 to 1,000.
        consecutive: Whether it has to win them in a row, or just be the first to win that many.
        seed: 0 to 2**64 - 1; None draws one, which the result has as `seed`.
        max_games: The number of games after which a series without a winner ends, 1 to 100,000.
        num_threads: The number of threads; None uses all processors.
        progress: True shows a progress bar; a callable is called with the number of series finished.
        first_series: The number of the first series.
        random_plies: How many decisions at the beginning of each game are random, 0 to 1,000, as for `sarai.rollout`.

    Raises:
        ValueError: A number is out of range; a game or an agent is unknown; or a list of agents does not have one entry
            per seat.
        TypeError: An argument, or a value returned by a policy, has the wrong type.
        IllegalActionError: A policy chose an action that is not legal.
        KeyboardInterrupt: Ctrl-C.

    Examples:
        >>> import sarai
        >>> many = sarai.series("sho", ["greedy", "random", "random"], 50, target=2, seed=1)
        >>> many.winner.shape, many.num_games.shape, many.returns.shape == (many.num_games.sum(), 3)
        ((50,), (50,), True)
        >>> one = many[49]
        >>> one.winner == int(many.winner[49]), int(one.streaks[-1].max())
        (True, 2)
        >>> bool((one.starters[1:] == one.winners[:-1]).all())
        True

        >>> sarai.series("sho", num_series=1_000_000)
        Traceback (most recent call last):
        ...
        ValueError: 1000000 series of up to max_games=1000 games may come to more than 100000000 games; ...
    """
    book = as_game(game)
    seats = one_agent_a_seat(agents, book.num_players)
    labels = tuple(label(agent) for agent in seats)
    consecutive = arguments.flag("consecutive", consecutive)
    seed = arguments.seed(seed)
    num_series = arguments.whole("num_series", num_series)
    target = arguments.whole("target", target)
    max_games = arguments.whole("max_games", max_games)
    first_series = arguments.whole("first_series", first_series)
    random_plies = arguments.random_plies(random_plies)
    num_threads = None if num_threads is None else arguments.whole("num_threads", num_threads)
    with shown(progress, book.name, num_series, "series") as report:
        start = time.perf_counter()
        columns = _core.series(
            book,
            num_series,
            seats,
            target=target,
            consecutive=consecutive,
            max_games=max_games,
            seed=seed,
            first_series=first_series,
            num_threads=num_threads,
            progress=report,
            random_plies=random_plies,
        )
        seconds = time.perf_counter() - start
    return SeriesRollout(
        game=book.name,
        rules=book.rules,
        agents=labels,
        sides=tuple(book.sides),
        target=target,
        consecutive=consecutive,
        max_games=max_games,
        seed=seed,
        first_series=first_series,
        random_plies=random_plies,
        winner=columns["series_winner"],
        offsets=columns["offsets"],
        starters=columns["starter"],
        returns=columns["returns"],
        winners=columns["winner"],
        lengths=columns["lengths"],
        turns=columns["turns"],
        stats_by_seat=columns["stats"],
        digests=columns["digests"],
        seconds=seconds,
    )


@dataclass(frozen=True, eq=False, repr=False)
class SeriesRollout(Tabular, by=("game", "series")):
    """S series with P seats and T games in all. The games of series i are rows offsets[i] to offsets[i + 1].

    Indexing gives one `Series`; iterating gives all of them in order. As a table (`to_pandas`, `to_arrow`,
    `to_parquet`) it has a row for each game, or with by="series" for each series.

    Attributes:
        game: The game's name.
        rules: Every option of the game; `first_player` applied only to the first game of each series.
        agents: One label per seat.
        sides: The side of each seat.
        target: The number of games that a side had to win.
        consecutive: Whether it had to win them in a row.
        max_games: The number of games after which a series without a winner ended.
        seed: The seed.
        first_series: The number of the first series.
        winner: (S,) int8, the side that won the series, -1 if none did.
        offsets: (S + 1,) int64, where the games of each series begin, and where the last end.
        starters: (T,) int8, the seat that began the game; -1 if it was over before the first decision.
        winners: (T,) int8, the side that won the game, -1 for a draw.
        returns: (T, P) float32, the final score of each seat.
        lengths: (T,) int32, decisions.
        turns: (T,) int32, turns played.
        stats_by_seat: The game's statistics by name; each is (T, P) int32.
        seconds: How long the call took, in seconds of wall-clock time.
        random_plies: The number of random decisions at the beginning of each game.
        digests: (S,) uint32, what tells series apart, as in `sarai.results.Rollout`; None if it is not known.

    Raises:
        ValueError: An array does not have its documented dtype and shape, or a number is out of range.

    Examples:
        >>> import sarai
        >>> many = sarai.series("sho", num_series=10, target=2, seed=3)
        >>> len(many), sum(len(series) for series in many) == len(many.winners)
        (10, True)

        >>> many[10]
        Traceback (most recent call last):
        ...
        IndexError: there is no series 10; there are 10, counted from 0
    """

    game: str
    rules: dict[str, Any]
    agents: tuple[str, ...]
    sides: tuple[int, ...]
    target: int
    consecutive: bool
    max_games: int
    seed: int
    first_series: int
    winner: NDArray[np.int8]
    offsets: NDArray[np.int64]
    starters: NDArray[np.int8]
    winners: NDArray[np.int8]
    returns: NDArray[np.float32]
    lengths: NDArray[np.int32]
    turns: NDArray[np.int32]
    stats_by_seat: dict[str, NDArray[np.int32]]
    seconds: float
    random_plies: int = 0
    digests: NDArray[np.uint32] | None = None

    __hash__ = None  # type: ignore[assignment]  # arrays can change

    def __post_init__(self) -> None:
        seats = validation.check_origin(self.game, self.rules, self.agents, self.sides)
        for name in ("target", "max_games", "seed", "first_series"):
            object.__setattr__(self, name, arguments.from_zero(name, getattr(self, name)))
        object.__setattr__(self, "random_plies", arguments.random_plies(self.random_plies))
        object.__setattr__(self, "consecutive", arguments.flag("consecutive", self.consecutive))
        object.__setattr__(self, "seconds", validation.time_taken("seconds", self.seconds))
        validation.check_array("winner", self.winner, np.int8, (None,))
        validation.check_numbers(self.seed, self.first_series, len(self))
        validation.check_array("winners", self.winners, np.int8, (None,))
        if self.digests is not None:
            validation.check_array("digests", self.digests, np.uint32, (len(self.winner),))
        games = len(self.winners)
        validation.check_array("starters", self.starters, np.int8, (games,))
        for name in ("winner", "winners"):
            validation.check_range(name, getattr(self, name), -1, max(self.sides))
        validation.check_range("starters", self.starters, -1, seats - 1)
        validation.check_array("returns", self.returns, np.float32, (games, seats))
        validation.check_counts("lengths", self.lengths, (games,))
        validation.check_counts("turns", self.turns, (games,))
        validation.check_statistics(self.stats_by_seat, (games, seats))
        validation.check_array("offsets", self.offsets, np.int64, (len(self.winner) + 1,))
        validation.check_offsets("offsets", self.offsets, games, "games", least=1)

    def _table(self, by: str) -> Table:
        return series_table(self, by, self._metadata())

    @property
    def num_games(self) -> NDArray[np.int64]:
        """(S,) int64, how many games each series took."""
        return np.diff(self.offsets)

    def __len__(self) -> int:
        """How many series there are."""
        return len(self.winner)

    def __getitem__(self, index: int) -> Series:
        number = arguments.whole("the index", index)
        place = number + len(self) if number < 0 else number
        if not 0 <= place < len(self):
            raise IndexError(
                f"there is no series {arguments.in_words(number)}; there are {len(self)}, counted from 0"
            )
        games = slice(int(self.offsets[place]), int(self.offsets[place + 1]))
        return Series(
            game=self.game,
            rules=dict(self.rules),
            agents=self.agents,
            sides=self.sides,
            target=self.target,
            consecutive=self.consecutive,
            winner=int(self.winner[place]),
            starters=self.starters[games],
            winners=self.winners[games],
            returns=self.returns[games],
            lengths=self.lengths[games],
            turns=self.turns[games],
            stats_by_seat={name: values[games] for name, values in self.stats_by_seat.items()},
        )

    def __iter__(self) -> Iterator[Series]:
        return (self[place] for place in range(len(self)))

    def __repr__(self) -> str:
        return (
            f"SeriesRollout({self.game!r}, {len(self)} series, agents={self.agents}, seed={self.seed}, "
            f"first_series={self.first_series})"
        )

    def _repr_html_(self) -> str:
        """How many series and games each side has won, for notebooks."""
        title = notebook.heading(
            f"{aim(self.game, self.target, self.consecutive)}: {len(self):,} series, seed {self.seed}"
        )
        total = len(self)
        if total == 0:
            return title
        sides = range(max(self.sides) + 1)
        distinct = few_distinct(self.digests)
        wins = [int(np.count_nonzero(self.winner == side)) for side in sides]
        won = [Estimate.of_share(count, total, distinct is not None) for count in wins]
        rows = []
        for side, (share, interval) in zip(sides, texts(won, 100, "%"), strict=True):
            seats = [(seat, self.agents[seat]) for seat in range(len(self.sides)) if self.sides[seat] == side]
            players = ", ".join(f"{seat}: {agent}" for seat, agent in seats)
            games = int(np.count_nonzero(self.winners == side))
            rows.append((str(side), players, share, interval, f"{games:,}"))
        table = notebook.table(
            ("side", "seats", "series won", "95% interval", "games won"), rows, text_columns=2
        )
        ((mean, interval),) = texts([Estimate.of_mean(self.num_games)])
        drawn = int(np.count_nonzero(self.winners < 0))
        undecided = int(np.count_nonzero(self.winner < 0))
        return (
            title
            + table
            + notebook.line(
                f"Games a series: {mean} (95% interval {interval}); {drawn:,} games drawn in all."
            )
            + (notebook.line(f"{undecided:,} series without a winner.") if undecided else "")
            + (
                ""
                if distinct is None
                else notebook.line(f"Distinct series: {distinct:,} of {total:,}, so there are no intervals.")
            )
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SeriesRollout):
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
            "seconds": self.seconds,
            "digests": self.digests is not None,
            "series": len(self),
            "games": len(self.winners),
        }
        npz.write(path, "series", metadata, self._arrays())

    @staticmethod
    def load(path: npz.StrPath) -> SeriesRollout:
        """Read series that `save` wrote. Nothing in the file is ever executed.

        Raises:
            OSError: The file cannot be read; if it does not exist, this is a FileNotFoundError.
            TypeError: The path is neither a str nor a path object.
            ValueError: The file holds no series, is damaged, or contradicts the rules.

        Examples:
            >>> import sarai, tempfile, os
            >>> many = sarai.series("sho", num_series=10, target=2, seed=3)
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     path = os.path.join(folder, "series.npz")
            ...     many.save(path)
            ...     sarai.results.SeriesRollout.load(path) == many
            True

            >>> sarai.results.SeriesRollout.load("no_such_file.npz")
            Traceback (most recent call last):
            ...
            FileNotFoundError: [Errno 2] No such file or directory: 'no_such_file.npz'
        """
        with npz.reading(path, "series") as file:
            return SeriesRollout._read(file)

    @staticmethod
    def _read(file: npz.File) -> SeriesRollout:
        """What `save` wrote, checked."""
        fields = file.fields(
            **validation.ORIGIN,
            target=int,
            consecutive=bool,
            max_games=int,
            first_series=int,
            random_plies=int,
            digests=bool,
            seconds=(int, float),
            series=int,
            games=int,
        )
        series, games, digests = (fields.pop(name) for name in ("series", "games", "digests"))
        for name in ("agents", "sides"):
            fields[name] = tuple(fields[name])
        game = validation.game_of(fields["game"], fields["rules"], fields["agents"], fields["sides"])
        fields["rules"] = game.rules
        arrays = file.arrays(
            {
                "winner": (np.int8, (series,)),
                "offsets": (np.int64, (series + 1,)),
                "starters": (np.int8, (games,)),
                "winners": (np.int8, (games,)),
                **validation.game_layout(game, games),
                **({"digests": (np.uint32, (series,))} if digests else {}),
            }
        )
        statistics = {name: arrays.pop(f"stats_by_seat.{name}") for name in game.statistics}
        many = SeriesRollout(**fields, **arrays, stats_by_seat=statistics)
        many._check()
        return many

    def _check(self) -> None:
        """Hold everything against the rules of the game.

        Raises:
            ValueError: They contradict it.
        """
        game = validation.complete_game_of(self.game, self.rules, self.agents, self.sides)
        if not 1 <= self.target <= _MOST_WINS or not 1 <= self.max_games <= _MOST_GAMES:
            raise ValueError(
                f"target is from 1 to {_MOST_WINS} and max_games from 1 to {_MOST_GAMES}, "
                f"not {self.target} and {self.max_games}"
            )
        validation.check_games(game, self.winners, self.returns, self.lengths, self.turns, self.stats_by_seat)
        goal = (self.target, self.consecutive, self.max_games)
        check_winners(self.winner, self.winners, self.offsets, max(self.sides) + 1, *goal)

    def _metadata(self) -> dict[str, Any]:
        played = ("game", "rules", "agents", "sides", "target", "consecutive", "max_games")
        return {name: getattr(self, name) for name in (*played, "seed", "first_series", "random_plies")}

    def _arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays by the names that they have in a file."""
        names = ("winner", "offsets", "starters", "winners", "returns", "lengths", "turns")
        statistics = {f"stats_by_seat.{name}": values for name, values in self.stats_by_seat.items()}
        known = {} if self.digests is None else {"digests": self.digests}
        return {**{name: getattr(self, name) for name in names}, **statistics, **known}
