"""One series of games, game by game."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sarai._base.arguments import counted
from sarai._core import Game
from sarai._tables import notebook
from sarai._tables.equality import EqualByValues

_SHOWN_GAMES = 20
"""How many games of a long series a notebook shows from its beginning, and from its end."""


@dataclass(frozen=True, eq=False, repr=False)
class Series(EqualByValues):
    """One series of n games with P seats and K sides. Row i of every array is its i-th game.

    Attributes:
        game: The game; its option `first_player` applied to the first game only.
        agents: One label per seat.
        target: The number of games that a side had to win.
        consecutive: Whether it had to win them in a row.
        winner: The side that won the series; -1 if the games ended (`max_games`) before one had.
        starters: (n,) int8, the seat that began; -1 if a game was over before the first decision.
        winners: (n,) int8, the side that won, -1 for a draw.
        returns: (n, P) float32, the final score of each seat.
        lengths: (n,) int32, decisions.
        turns: (n,) int32, turns played.
        stats_by_seat: The game's statistics by name; each is (n, P) int32.

    Examples:
        >>> import sarai
        >>> series = sarai.series("sho", "greedy", target=2, consecutive=False, seed=3, num_series=1)[0]
        >>> len(series) == len(series.winners), int(series.streaks[-1, series.winner])
        (True, 2)

        >>> series.streaks[len(series)]
        Traceback (most recent call last):
        ...
        IndexError: index ... is out of bounds for axis 0 with size ...
    """

    game: Game
    agents: tuple[str, ...]
    target: int
    consecutive: bool
    winner: int
    starters: NDArray[np.int8]
    winners: NDArray[np.int8]
    returns: NDArray[np.float32]
    lengths: NDArray[np.int32]
    turns: NDArray[np.int32]
    stats_by_seat: dict[str, NDArray[np.int32]]

    @property
    def sides(self) -> tuple[int, ...]:
        """The side of each seat; partners share one."""
        return tuple(self.game.sides)

    @cached_property
    def streaks(self) -> NDArray[np.int32]:
        """(n, K) int32, what each side had after each game: its wins in a row, or all its wins."""
        return streaks(self.winners, np.zeros(1, np.int64), max(self.sides) + 1, self.consecutive)

    @property
    def stats(self) -> dict[str, NDArray[np.int32]]:
        """The game's statistics by name, each (n,) int32, totalled over the seats."""
        return {name: values.sum(axis=1, dtype=np.int32) for name, values in self.stats_by_seat.items()}

    def __len__(self) -> int:
        """How many games were played."""
        return len(self.winners)

    def __repr__(self) -> str:
        won = "no winner" if self.winner < 0 else f"winner={self.winner}"
        return f"Series({str(self.game)!r}, {counted(len(self), 'game')}, {won}, agents={self.agents})"

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
        return f"{aim(self.game, self.target, self.consecutive)}, {' against '.join(self.agents)}"

    def _sides(self) -> list[str]:
        return [f"side {side}" for side in range(self.streaks.shape[1])]

    def _row(self, number: int) -> tuple[str, ...]:
        """Who began, who won, and what each side had then."""
        starter, winner = self.starters[number], self.winners[number]
        began, won = ("-" if starter < 0 else str(starter)), ("draw" if winner < 0 else str(winner))
        return began, won, *map(str, self.streaks[number])

    def _end(self) -> str:
        return "nobody has won the series" if self.winner < 0 else f"side {self.winner} has won the series"


def aim(game: Game, target: int, consecutive: bool) -> str:
    """What wins a series, in words.

    >>> import sarai
    >>> aim(sarai.make("shah"), 5, True)
    'shah: first to win 5 games in a row'
    """
    return f"{game}: first to win {target} games in {'a row' if consecutive else 'all'}"


def streaks(
    winners: NDArray[np.int8], begins: NDArray[np.int64], num_sides: int, consecutive: bool
) -> NDArray[np.int32]:
    """What each side has after each game; a draw changes nothing, and in a row a loss takes everything.

    `begins` are the first games of the series, where everybody has nothing.

    Example:
        >>> winners, first = np.array([0, 0, -1, 0, 1, 0], np.int8), np.array([0])
        >>> streaks(winners, first, 2, consecutive=True)[:, 0].tolist()
        [1, 2, 2, 3, 0, 1]
        >>> streaks(winners, first, 2, consecutive=False)[:, 0].tolist()
        [1, 2, 2, 3, 3, 4]
    """
    won = winners[:, np.newaxis] == np.arange(num_sides)
    total: NDArray[np.int32] = won.cumsum(axis=0, dtype=np.int32)
    # What had been won before the series, or by the latest loss, is what does not count.
    gone = np.zeros_like(total)
    gone[begins] = total[begins] - won[begins]
    if consecutive:
        lost = (winners[:, np.newaxis] >= 0) & ~won
        gone[lost] = total[lost]
    left: NDArray[np.int32] = total - np.maximum.accumulate(gone, axis=0)
    return left


def check_winners(
    winner: NDArray[np.int8],
    winners: NDArray[np.int8],
    offsets: NDArray[np.int64],
    num_sides: int,
    target: int,
    consecutive: bool,
    max_games: int,
) -> None:
    """Hold the winners of series against those of their games.

    Raises:
        ValueError: They contradict each other.
    """
    have = streaks(winners, offsets[:-1], num_sides, consecutive)
    # Whoever has enough games has won the series with the last of them, and nobody goes on after that.
    reached = have >= target
    last = offsets[1:] - 1
    won = np.where(reached[last].any(axis=1), reached[last].argmax(axis=1), -1)
    games = np.diff(offsets)
    ended = (games <= max_games) & ((won >= 0) | (games == max_games))
    if (
        np.count_nonzero(reached.any(axis=1)) != np.count_nonzero(won >= 0)
        or not np.array_equal(won, winner)
        or not ended.all()
    ):
        raise ValueError(
            f"the winners of the games do not make the winners of the series, with target={target} and "
            f"max_games={max_games}"
        )
