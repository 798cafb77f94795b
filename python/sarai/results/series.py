"""Series of games: the winner of a game begins the next, and who wins enough of them wins the series."""

from __future__ import annotations

import operator
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sarai import _core, notebook
from sarai._core import Game
from sarai.play import Agents, as_game, label, one_agent_a_seat
from sarai.progress import ProgressOption, shown
from sarai.results import checks
from sarai.results.summary import Estimate, texts

DEFAULT_MAX_GAMES = 1000
"""A series without a winner ends after so many games: where most games are drawn it might never end."""

_SHOWN_GAMES = 20
"""How many games of a long series a notebook shows from its beginning, and from its end."""


def play_series(
    game: str | Game,
    agents: Agents = "random",
    target: int = 5,
    consecutive: bool = True,
    seed: int = 0,
    rules: dict[str, Any] | None = None,
    preset: str | None = None,
    max_games: int = DEFAULT_MAX_GAMES,
) -> Series:
    """Play one series: game after game until a side has won `target` of them, in a row if `consecutive`.

    The winner of a game begins the next. A loss ends the loser's streak; a draw leaves the streaks and who
    begins as they are. With teams the next game is begun by the seat of the winning team that comes first from
    the seat that began this one on. Who begins the first game is the game's option `first_player`; a game
    without it, where a throw decides who begins, decides every game so. (Shah, rule 9; here over any game.)

    Args:
        game: A game's name (`sarai.games()`), or a game made by `sarai.make`.
        agents: One agent for every seat, or a list with one a seat, as `sarai.rollout` takes them.
        target: How many games a side has to win, 1 to 1,000.
        consecutive: Whether it has to win them in a row, or just before any other side does.
        seed: 0 to 2**64 - 1. The series is number 0 of `sarai.rollout_series` with this seed.
        rules: Options of the game by name, on top of the preset; only with a game's name.
        preset: A named set of options (`sarai.presets(game)`); only with a game's name.
        max_games: A series without a winner ends after so many games, 1 to 100,000.

    Raises:
        ValueError: A number out of range, an unknown game, preset, option or agent name, or a list of agents
            that is not as long as there are seats.
        TypeError: An argument, or what a policy returned, is of a wrong type.
        IllegalActionError: A policy chose an action that is not legal.
        KeyboardInterrupt: Ctrl-C.

    Examples:
        >>> import sarai
        >>> series = sarai.play_series("sho", ["greedy", "random", "random"], target=3, seed=1)
        >>> series.winner, int(series.streaks[-1].max())
        (0, 3)
        >>> bool((series.starters[1:] == series.winners[:-1]).all())
        True

        >>> sarai.play_series("sho", target=0)
        Traceback (most recent call last):
        ...
        ValueError: target got 0; it takes 1 to 1000
    """
    many = rollout_series(
        game, 1, agents, target, consecutive, seed, rules, preset, max_games, num_threads=1, progress=False
    )
    return many[0]


def rollout_series(
    game: str | Game,
    num_series: int,
    agents: Agents = "random",
    target: int = 5,
    consecutive: bool = True,
    seed: int = 0,
    rules: dict[str, Any] | None = None,
    preset: str | None = None,
    max_games: int = DEFAULT_MAX_GAMES,
    num_threads: int | None = None,
    progress: ProgressOption = False,
    first_series: int = 0,
) -> SeriesRollout:
    """Play many series (see `play_series`) and return all of them as arrays.

    Series i of a seed is one fixed series: the result does not depend on `num_threads`, and can be split by
    `first_series`. They are played in Rust with the GIL released. Ctrl-C stops it within a second.

    Args:
        game: A game's name (`sarai.games()`), or a game made by `sarai.make`.
        num_series: How many series, 1 to 1,000,000; num_series * max_games is at most 100,000,000.
        agents: As `sarai.rollout` takes them.
        target: How many games a side has to win, 1 to 1,000.
        consecutive: Whether it has to win them in a row.
        seed: 0 to 2**64 - 1.
        rules: Options of the game by name, on top of the preset; only with a game's name.
        preset: A named set of options; only with a game's name.
        max_games: A series without a winner ends after so many games, 1 to 100,000.
        num_threads: Threads to play on; None takes all processors.
        progress: True shows a bar; a callable is called with the number of series done.
        first_series: The number of the first series.

    Raises:
        ValueError: A number out of range, an unknown game, preset, option or agent name, or a list of agents
            that is not as long as there are seats.
        TypeError: An argument, or what a policy returned, is of a wrong type.
        IllegalActionError: A policy chose an action that is not legal.
        KeyboardInterrupt: Ctrl-C.

    Examples:
        >>> import sarai
        >>> many = sarai.rollout_series("sho", 50, ["greedy", "random", "random"], target=2, seed=1)
        >>> many.winner.shape, many.num_games.shape, many.returns.shape == (many.num_games.sum(), 3)
        ((50,), (50,), True)
        >>> many[49].winner == int(many.winner[49])
        True

        >>> sarai.rollout_series("sho", 1_000_000)
        Traceback (most recent call last):
        ...
        ValueError: 1000000 series of up to max_games=1000 games may come to more than 100000000 games; ...
    """
    book = as_game(game, rules, preset)
    seats = one_agent_a_seat(agents, book.num_players)
    labels = tuple(label(agent) for agent in seats)
    if not isinstance(consecutive, (bool, np.bool_)):
        raise TypeError(f"consecutive must be True or False, not {type(consecutive).__name__}")
    with shown(progress, book.name, num_series, "series") as report:
        start = time.perf_counter()
        columns = _core.series(
            book,
            num_series,
            seats,
            target=target,
            consecutive=bool(consecutive),
            max_games=max_games,
            seed=seed,
            first_series=first_series,
            num_threads=num_threads,
            progress=report,
        )
        seconds = time.perf_counter() - start
    return SeriesRollout(
        game=book.name,
        rules=book.rules,
        agents=labels,
        sides=tuple(book.sides),
        target=int(target),
        consecutive=bool(consecutive),
        seed=int(seed),
        first_series=int(first_series),
        winner=columns["series_winner"],
        offsets=columns["offsets"],
        starters=columns["starter"],
        returns=columns["returns"],
        winners=columns["winner"],
        lengths=columns["lengths"],
        turns=columns["turns"],
        stats_by_seat=columns["stats"],
        seconds=seconds,
    )


@dataclass(frozen=True, eq=False, repr=False)
class Series:
    """One series of n games with P seats and K sides. Row i of every array is its i-th game.

    Attributes:
        game: The game's name.
        rules: Every option of the game; `first_player` began the first game only.
        agents: One label a seat.
        sides: The side of each seat.
        target: How many games a side had to win.
        consecutive: Whether in a row.
        winner: The side that won the series; None if the games ended (`max_games`) before one had.
        starters: (n,) int8, the seat that began; -1 if a game was over before anybody chose.
        winners: (n,) int8, the side that won, -1 for a draw.
        returns: (n, P) float32, the final score of each seat.
        lengths: (n,) int32, decisions.
        turns: (n,) int32, turns played.
        stats_by_seat: The game's statistics by name, each (n, P) int32.
        streaks: (n, K) int32, what each side had after that game: its games won in a row, or all it had won.

    Examples:
        >>> import sarai
        >>> series = sarai.play_series("sho", "greedy", target=2, consecutive=False, seed=3)
        >>> len(series) == len(series.winners), int(series.streaks[-1, series.winner])
        (True, 2)

        >>> series.streaks[len(series)]
        Traceback (most recent call last):
        ...
        IndexError: index ... is out of bounds for axis 0 with size ...
    """

    game: str
    rules: dict[str, Any]
    agents: tuple[str, ...]
    sides: tuple[int, ...]
    target: int
    consecutive: bool
    winner: int | None
    starters: NDArray[np.int8]
    winners: NDArray[np.int8]
    returns: NDArray[np.float32]
    lengths: NDArray[np.int32]
    turns: NDArray[np.int32]
    stats_by_seat: dict[str, NDArray[np.int32]]
    streaks: NDArray[np.int32] = field(init=False)

    __hash__ = None  # type: ignore[assignment]  # arrays can change

    def __post_init__(self) -> None:
        object.__setattr__(self, "streaks", _streaks(self.winners, max(self.sides) + 1, self.consecutive))

    @property
    def stats(self) -> dict[str, NDArray[np.int32]]:
        """The game's statistics by name, each (n,) int32: totals over the seats."""
        return {name: values.sum(axis=1, dtype=np.int32) for name, values in self.stats_by_seat.items()}

    def __len__(self) -> int:
        """How many games were played."""
        return len(self.winners)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Series):
            return NotImplemented
        names = ("game", "rules", "agents", "sides", "target", "consecutive", "winner")
        return all(getattr(self, name) == getattr(other, name) for name in names) and checks.same_arrays(
            self._arrays(), other._arrays()
        )

    def __repr__(self) -> str:
        won = "no winner" if self.winner is None else f"winner={self.winner}"
        return f"Series({self.game!r}, {len(self)} games, {won}, agents={self.agents})"

    def __str__(self) -> str:
        """A line a game: who began, who won, and what each side had then."""
        lines = ["game  began  won   " + "  ".join(self._sides())]
        for number in range(len(self)):
            began, won, *score = self._row(number)
            counted = "  ".join(f"{games:>6}" for games in score)
            lines.append(f"{number:>4}  {began:>5}  {won:>4}  {counted}".rstrip())
        return "\n".join([self._title(), "", *lines, "", self._end()])

    def _repr_html_(self) -> str:
        """The same for notebooks; of a long series the first and the last games."""
        numbers = list(range(len(self)))
        rows = [(str(number), *self._row(number)) for number in numbers]
        if len(rows) > 2 * _SHOWN_GAMES:
            left_out = f"{len(rows) - 2 * _SHOWN_GAMES:,} more"
            rows = [*rows[:_SHOWN_GAMES], ("...", left_out), *rows[-_SHOWN_GAMES:]]
        table = notebook.table(("game", "began", "won", *self._sides()), rows, text_columns=0)
        return notebook.heading(self._title()) + table + notebook.line(f"{self._end()}.".capitalize())

    def _title(self) -> str:
        return f"{_aim(self)}, {' against '.join(self.agents)}"

    def _sides(self) -> list[str]:
        return [f"side {side}" for side in range(self.streaks.shape[1])]

    def _row(self, number: int) -> tuple[str, ...]:
        """Who began, who won, and what each side had then."""
        starter, winner = self.starters[number], self.winners[number]
        began, won = ("-" if starter < 0 else str(starter)), ("draw" if winner < 0 else str(winner))
        return began, won, *map(str, self.streaks[number])

    def _end(self) -> str:
        return (
            "nobody has won the series" if self.winner is None else f"side {self.winner} has won the series"
        )

    def _arrays(self) -> dict[str, NDArray[Any]]:
        plain = {name: getattr(self, name) for name in ("starters", "winners", "returns", "lengths", "turns")}
        return {**plain, **self.stats_by_seat}


@dataclass(frozen=True, eq=False, repr=False)
class SeriesRollout:
    """S series with P seats and T games in all. The games of series i are rows offsets[i] to offsets[i + 1].

    Indexing gives one `Series`; iterating gives all of them in order.

    Attributes:
        game: The game's name.
        rules: Every option of the game; `first_player` began the first game of each series only.
        agents: One label a seat.
        sides: The side of each seat.
        target: How many games a side had to win.
        consecutive: Whether in a row.
        seed: The seed.
        first_series: The number of the first series.
        winner: (S,) int8, the side that won the series, -1 for none.
        offsets: (S + 1,) int64, where the games of each series begin, and where the last end.
        starters: (T,) int8, the seat that began the game; -1 if it was over before anybody chose.
        winners: (T,) int8, the side that won the game, -1 for a draw.
        returns: (T, P) float32, the final score of each seat.
        lengths: (T,) int32, decisions.
        turns: (T,) int32, turns played.
        stats_by_seat: The game's statistics by name, each (T, P) int32.
        seconds: How long the call took, on the wall clock.

    Examples:
        >>> import sarai
        >>> many = sarai.rollout_series("sho", 10, target=2, seed=3)
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

    __hash__ = None  # type: ignore[assignment]  # arrays can change

    @property
    def num_games(self) -> NDArray[np.int64]:
        """(S,) int64, how many games each series took."""
        return np.diff(self.offsets)

    def __len__(self) -> int:
        """How many series there are."""
        return len(self.winner)

    def __getitem__(self, index: int) -> Series:
        number = operator.index(index)
        place = number + len(self) if number < 0 else number
        if not 0 <= place < len(self):
            raise IndexError(f"there is no series {number}; there are {len(self)}, counted from 0")
        games = slice(int(self.offsets[place]), int(self.offsets[place + 1]))
        winner = int(self.winner[place])
        return Series(
            game=self.game,
            rules=dict(self.rules),
            agents=self.agents,
            sides=self.sides,
            target=self.target,
            consecutive=self.consecutive,
            winner=None if winner < 0 else winner,
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
        title = notebook.heading(f"{_aim(self)}: {len(self):,} series, seed {self.seed}")
        total = len(self)
        if total == 0:
            return title
        sides = range(max(self.sides) + 1)
        won = [Estimate.of_share(int(np.count_nonzero(self.winner == side)), total) for side in sides]
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
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SeriesRollout):
            return NotImplemented
        names = ("game", "rules", "agents", "sides", "target", "consecutive", "seed", "first_series")
        arrays = ("winner", "offsets", "starters", "winners", "returns", "lengths", "turns")

        def of(many: SeriesRollout) -> dict[str, NDArray[Any]]:
            return {**{name: getattr(many, name) for name in arrays}, **many.stats_by_seat}

        return all(getattr(self, name) == getattr(other, name) for name in names) and checks.same_arrays(
            of(self), of(other)
        )


def _aim(played: Series | SeriesRollout) -> str:
    row = "a row" if played.consecutive else "all"
    return f"{played.game}: first to win {played.target} games in {row}"


def _streaks(winners: NDArray[np.int8], num_sides: int, consecutive: bool) -> NDArray[np.int32]:
    """What each side has after each game; a draw changes nothing, and in a row a loss takes everything.

    Example:
        >>> _streaks(np.array([0, 0, -1, 0, 1, 0], np.int8), 2, consecutive=True)[:, 0].tolist()
        [1, 2, 2, 3, 0, 1]
        >>> _streaks(np.array([0, 0, -1, 0, 1, 0], np.int8), 2, consecutive=False)[:, 0].tolist()
        [1, 2, 2, 3, 3, 4]
    """
    won = winners[:, np.newaxis] == np.arange(num_sides)
    total: NDArray[np.int32] = won.cumsum(axis=0, dtype=np.int32)
    if not consecutive:
        return total
    lost = (winners[:, np.newaxis] >= 0) & ~won
    # What had been won by the latest loss is what no longer counts.
    gone: NDArray[np.int32] = np.maximum.accumulate(np.where(lost, total, 0), axis=0).astype(np.int32)
    streaks: NDArray[np.int32] = total - gone
    return streaks
