"""A summary of a rollout: shares and means, each with its 95% confidence interval."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from io import StringIO
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sarai._base.arguments import counted
from sarai._base.terminal import printable
from sarai._core import Game
from sarai._game import returns_bounds
from sarai._tables import notebook
from sarai._tables.columns import Table, of_rows
from sarai._tables.estimates import COUNTS, Estimate, texts
from sarai._tables.plain import plain
from sarai._tables.tabular import Tabular

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

    from sarai._results.rollout import Rollout

_SEAT_HEADER = ("seat", "agent", "wins", "95% interval", "mean return", "95% interval")
_GAME_HEADER = ("a game", "mean", "95% interval")


def few_distinct(digests: NDArray[np.uint32]) -> int | None:
    """How many games differ, where fewer than half of them do; None where more do.

    Where nothing is left to chance, a game comes again and again, and a thousand of them tell as much as one.

    >>> few_distinct(np.array([5, 5, 5, 7], np.uint32)), few_distinct(np.array([5, 5, 6, 7], np.uint32))
    (None, None)
    >>> few_distinct(np.array([5, 5, 5, 5, 7], np.uint32))
    2
    """
    distinct = len(np.unique(digests))
    return distinct if 2 * distinct < len(digests) else None


@dataclass(frozen=True)
class SeatSummary:
    """The results of one seat: its agent, its side, the games that its side won, and the mean of its returns."""

    seat: int
    """The seat, from 0."""
    agent: str
    """The label of the agent that had it."""
    side: int
    """Its side; partners share one."""
    wins: int
    """The number of games that its side won."""
    win_share: Estimate
    """Their share of all games, 0 to 1."""
    mean_return: Estimate
    """The mean of its returns."""


@dataclass(frozen=True)
class Summary(Tabular, by=("seat", "statistic")):
    """The summary of a rollout. `print` it or display it in a notebook; `to_dict` is for programs.

    As a table (`to_pandas`, `to_arrow`, `to_parquet`) it has a row for each seat, or with `by="statistic"` for turns,
    decisions, draws and each of the game's statistics.

    Intervals are at 95%: Wilson's for shares, and those of `sarai.intervals.mean_interval` for means. That of a mean
    return is a score interval within the range of returns, even for one game. Counts, such as turns, have no upper
    bound; theirs are the normal approximation, cut off at 0, and missing if all values are the same.

    Attributes:
        game: The game that was played.
        seed: The seed.
        first_game: The number of the first game.
        num_games: The number of games.
        seats: One `SeatSummary` per seat.
        draws: The number of drawn games.
        draw_share: Their share.
        turns: Turns per game.
        decisions: Decisions per game, of all seats together.
        statistics: Each of the game's own statistics, per game, over all seats.
        seconds: How long playing took. Neither this nor the next two are compared by ==.
        games_per_second: None if no time was measured.
        decisions_per_second: None if no time was measured.
        distinct: The number of games that differ in how they ended (`Rollout.digests`), if fewer than half of them;
            otherwise None. There are no intervals then: deterministic agents without chance repeat the same games.
            `random_plies` varies how they begin.

    Examples:
        >>> import sarai
        >>> s = sarai.rollout("sho", num_games=100, seed=1).summary()
        >>> [seat.agent for seat in s.seats]
        ['random', 'random', 'random']
        >>> s.draws + sum(seat.wins for seat in s.seats)
        100

        >>> s.seats[3]
        Traceback (most recent call last):
        ...
        IndexError: tuple index out of range
    """

    game: Game
    seed: int
    first_game: int
    num_games: int
    seats: tuple[SeatSummary, ...]
    draws: int
    draw_share: Estimate
    turns: Estimate
    decisions: Estimate
    statistics: dict[str, Estimate]
    seconds: float = field(compare=False)
    games_per_second: float | None = field(compare=False)
    decisions_per_second: float | None = field(compare=False)
    distinct: int | None

    def _means(self) -> dict[str, Estimate]:
        return {"turns": self.turns, "decisions": self.decisions, **self.statistics}

    def _table(self, by: str) -> Table:
        rows: list[dict[str, Any]]
        if by == "seat":
            rows = [
                {
                    "game": str(self.game),
                    "seat": seat.seat,
                    "side": seat.side,
                    "agent": seat.agent,
                    "games": self.num_games,
                    "wins": seat.wins,
                    **seat.win_share.to_columns("win_share"),
                    **seat.mean_return.to_columns("mean_return"),
                }
                for seat in self.seats
            ]
        else:
            rows = [
                {
                    "game": str(self.game),
                    "statistic": name,
                    "games": self.num_games,
                    **mean.to_columns("mean"),
                }
                for name, mean in {**self._means(), "draws": self.draw_share}.items()
            ]
        names = ("seed", "first_game", "num_games")
        return of_rows(
            "summary", rows, {"game": str(self.game), **{name: getattr(self, name) for name in names}}
        )

    @staticmethod
    def of(rollout: Rollout) -> Summary:
        """Summarise a rollout of at least one game.

        Raises:
            ValueError: The rollout holds no games.
            TypeError: It is no rollout.
        """
        if not hasattr(rollout, "digests"):
            raise TypeError(f"a summary is made of a rollout, not of {type(rollout).__name__}")
        total, seconds = rollout.num_games, rollout.seconds
        if total == 0:
            raise ValueError("there is nothing to summarise: the rollout holds no games")
        draws = int(np.count_nonzero(rollout.winner == -1))
        distinct = few_distinct(rollout.digests)
        alike = distinct is not None
        return Summary(
            game=rollout.game,
            seed=rollout.seed,
            first_game=rollout.first_game,
            num_games=total,
            seats=tuple(_sum_up_seat(rollout, seat, alike) for seat in range(rollout.num_players)),
            draws=draws,
            draw_share=Estimate.of_share(draws, total, alike),
            turns=Estimate.of_mean(rollout.turns, COUNTS, alike),
            decisions=Estimate.of_mean(rollout.lengths, COUNTS, alike),
            statistics={
                name: Estimate.of_mean(values, COUNTS, alike) for name, values in rollout.stats.items()
            },
            seconds=seconds,
            games_per_second=total / seconds if seconds > 0 else None,
            decisions_per_second=int(rollout.lengths.sum(dtype=np.int64)) / seconds if seconds > 0 else None,
            distinct=distinct,
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain lists, dicts, texts and numbers, as `sarai rollout --json` prints them."""
        told: dict[str, Any] = plain(self)
        return told

    def __str__(self) -> str:
        from rich.console import Console

        text = StringIO()
        console = Console(file=text, width=80, color_system=None, force_terminal=False, force_jupyter=False)
        console.print(self, end="")
        return "\n".join(line.rstrip() for line in text.getvalue().splitlines())

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.table import Table
        from rich.text import Text

        yield Text(self._title(), style="bold")
        yield Text()
        # No box: plain ASCII prints the same on every terminal, in every log and in every encoding.
        seats = Table(box=None, pad_edge=False)
        for place, name in enumerate(_SEAT_HEADER):
            if name == "agent":
                seats.add_column(name, overflow="fold")
            else:
                seats.add_column(name, justify="left" if place == 0 else "right", no_wrap=True)
        for row in self._seat_rows():
            seats.add_row(*(Text(cell) for cell in row))
        yield seats
        yield Text()
        games = Table(box=None, pad_edge=False)
        for place, name in enumerate(_GAME_HEADER):
            games.add_column(
                name, justify="left" if place == 0 else "right", no_wrap=place > 0, overflow="fold"
            )
        for row in self._game_rows():
            games.add_row(*(Text(cell) for cell in row))
        yield games
        yield Text()
        yield Text(self._speed())

    def _repr_html_(self) -> str:
        return (
            notebook.heading(self._title())
            + notebook.table(_SEAT_HEADER, self._seat_rows(), text_columns=2)
            + notebook.table(_GAME_HEADER, self._game_rows(), text_columns=1)
            + notebook.line(self._speed())
        )

    def _title(self) -> str:
        since = f" from game {self.first_game:,} on" if self.first_game else ""
        few = "" if self.distinct is None else f"; distinct: {self.distinct:,}, so there are no intervals"
        return f"{self.game}: {counted(self.num_games, 'game')}{since}, seed {self.seed}{few}"

    def _seat_rows(self) -> Iterable[tuple[str, ...]]:
        teams = any(seat.side != seat.seat for seat in self.seats)
        shares = texts([seat.win_share for seat in self.seats], 100, "%")
        means = texts([seat.mean_return for seat in self.seats], sign="+")
        for seat, share, mean in zip(self.seats, shares, means, strict=True):
            name = f"{seat.seat} (side {seat.side})" if teams else str(seat.seat)
            yield (name, printable(seat.agent), *share, *mean)

    def _game_rows(self) -> Iterable[tuple[str, ...]]:
        for name, estimate in self._means().items():
            yield (printable(name), *texts([estimate])[0])
        yield ("draws", *texts([self.draw_share], 100, "%")[0])

    def _speed(self) -> str:
        if self.games_per_second is None or self.decisions_per_second is None:
            return f"played in {self.seconds:.2f} s"
        return (
            f"{self.games_per_second:,.0f} games/s, {self.decisions_per_second:,.0f} decisions/s "
            f"({self.seconds:.2f} s)"
        )


def _sum_up_seat(rollout: Rollout, seat: int, alike: bool) -> SeatSummary:
    side = rollout.sides[seat]
    wins = int(np.count_nonzero(rollout.winner == side))
    return SeatSummary(
        seat=seat,
        agent=rollout.agents[seat],
        side=side,
        wins=wins,
        win_share=Estimate.of_share(wins, rollout.num_games, alike),
        mean_return=Estimate.of_mean(rollout.returns[:, seat], returns_bounds(rollout.game), alike),
    )
