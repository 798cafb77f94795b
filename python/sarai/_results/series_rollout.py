"""Series of games: the winner of a game begins the next, and a side that wins enough of them wins the series."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import overload

import numpy as np
from numpy.typing import NDArray

from sarai import _core
from sarai._base import arguments
from sarai._base.progress import ProgressOption
from sarai._core import Game
from sarai._game import as_game
from sarai._playout import Run
from sarai._results import result as of
from sarai._results import validation
from sarai._results.result import (
    RANDOM_PLIES,
    SECONDS,
    STATISTICS,
    TURNS,
    ArrayResult,
    attribute,
    column,
    first,
)
from sarai._results.series import Series, aim, check_winners
from sarai._results.summary import few_distinct
from sarai._tables import notebook
from sarai._tables.columns import Column
from sarai._tables.estimates import COUNTS, Estimate, texts
from sarai.agents import Agents

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
        random_plies: The number of random decisions at the beginning of each game, 0 to 1,000, as for `sarai.rollout`.

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
    numbers = (num_series, seed, num_threads, progress, first_series, random_plies)
    run = Run.of(as_game(game), agents, *numbers, unit="series")
    consecutive = arguments.flag("consecutive", consecutive)
    columns, seconds = run.ask(_core.series, target=target, consecutive=consecutive, max_games=max_games)
    return SeriesRollout(
        **run.told,
        target=target,
        consecutive=consecutive,
        max_games=max_games,
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
class SeriesRollout(
    ArrayResult, kind="series", rows={"game": ("game",), "series": ("series",)}, along="series"
):
    """S series with P seats and T games in all. The games of series i are rows offsets[i] to offsets[i + 1].

    Indexing gives one `Series`, or with a slice some of them; iterating gives all of them in order. The option
    `first_player` applied only to the first game of each series. As a table (`to_pandas`, `to_arrow`,
    `to_parquet`) it has a row for each game, or with by="series" for each series.

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

    target: int = field(
        metadata=attribute(
            "the number of games that a side had to win",
            lambda name, value, game: arguments.from_zero(name, value, _MOST_WINS),
        )
    )
    consecutive: bool = field(
        metadata=attribute(
            "whether it had to win them in a row", lambda name, value, game: arguments.flag(name, value)
        )
    )
    max_games: int = field(
        metadata=attribute(
            "the number of games after which a series without a winner ended",
            lambda name, value, game: arguments.from_zero(name, value, _MOST_GAMES),
        )
    )
    first_series: int = field(metadata=first("series"))
    winner: NDArray[np.int8] = field(
        metadata=of.winner("series", about="the side that won the series, -1 if none did")
    )
    offsets: NDArray[np.int64] = field(
        metadata=column(
            np.int64,
            "series",
            about="where the games of each series begin, and where the last end",
            into="game",
            least=1,
        )
    )
    starters: NDArray[np.int8] = field(
        metadata=column(
            np.int8,
            "game",
            about="the seat that began the game; -1 if it was over before the first decision",
            within=lambda game: (-1, game.num_players - 1),
            label="starter",
        )
    )
    winners: NDArray[np.int8] = field(
        metadata=of.winner("game", about="the side that won the game, -1 for a draw")
    )
    lengths: NDArray[np.int32] = field(metadata=of.lengths("game"))
    turns: NDArray[np.int32] = field(metadata=TURNS)
    returns: NDArray[np.float32] = field(metadata=of.returns("game", "seat"))
    stats_by_seat: dict[str, NDArray[np.int32]] = field(metadata=STATISTICS)
    digests: NDArray[np.uint32] = field(
        metadata=of.digests("series", about="equal for series that went alike, as in `sarai.results.Rollout`")
    )
    seconds: float = field(compare=False, metadata=SECONDS)
    random_plies: int = field(default=0, metadata=RANDOM_PLIES)

    @property
    def num_games(self) -> NDArray[np.int64]:
        """(S,) int64, how many games each series took."""
        return np.diff(self.offsets)

    @overload
    def __getitem__(self, index: int) -> Series: ...
    @overload
    def __getitem__(self, index: slice) -> SeriesRollout: ...
    def __getitem__(self, index: int | slice) -> Series | SeriesRollout:
        """One series, or those that follow one another; a negative index counts from the end.

        Raises:
            IndexError: The series does not exist.
            TypeError: The index is no whole number.
            ValueError: A slice leaves out series in between, or goes backwards.
        """
        if isinstance(index, slice):
            return self._cut(index)
        place = arguments.place("series", index, len(self))
        games = slice(int(self.offsets[place]), int(self.offsets[place + 1]))
        return Series(
            game=self.game,
            agents=self.agents,
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
        ((mean, interval),) = texts([Estimate.of_mean(self.num_games, COUNTS)])
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

    def _places(self, by: str) -> dict[str, Column]:
        lengths = self.num_games
        if by == "series":
            return {"series": self._numbers(), **self._agents_of(len(self)), "games": lengths}
        rows = len(self.winners)
        return {
            "series": self._numbers(lengths),
            "game_of_series": (np.arange(rows) - np.repeat(self.offsets[:-1], lengths)).astype(np.int32),
            **self._agents_of(rows),
        }

    def _check_rules(self) -> None:
        if not self.target or not self.max_games:
            raise ValueError("target and max_games are from 1 up, and one is 0")
        validation.check_outcomes(self.game, self.winners, self.returns)
        goal = (self.target, self.consecutive, self.max_games)
        check_winners(self.winner, self.winners, self.offsets, max(self.sides) + 1, *goal)
