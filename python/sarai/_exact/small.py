"""Small rule books, solved whole: every position that can be reached, and what it is worth."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from sarai import _core
from sarai._core import Game, State
from sarai._exact.shown import Shown
from sarai._exact.solving import free_memory
from sarai._game import as_game
from sarai._states import States, checked_states
from sarai._tables.columns import Table, of_rows
from sarai._tables.tabular import Tabular


class SmallValue(NamedTuple):
    """The value of a state under optimal play by both sides."""

    returns: tuple[float, ...]
    """What each player may expect, in the units of `State.returns`."""
    turns: int | None
    """The turns to the end, this one counted, where no chance is left and one side wins; otherwise None."""


class SmallMove(NamedTuple):
    """A legal action and its value for the player to act."""

    action: int
    """Its id."""
    value: float
    """What the player may expect after it."""
    turns: int | None
    """The turns to the end, this one counted, where no chance is left and one side wins; otherwise None."""


class _Found(NamedTuple):
    """The fields of a summary."""

    positions: int
    """All positions, throws and ends among them."""
    decisions: int
    """Those in which a player acts."""
    ahead: int
    """Decisions in which who acts may expect more than nothing; where no chance is left, who acts wins."""
    behind: int
    """Decisions in which who acts may expect less than nothing; where no chance is left, who acts loses."""
    even: int
    """The other decisions: draws, where no chance is left."""
    longest: int | None
    """The most turns that a win takes which needs no luck; None where there is no such win."""
    returns: tuple[float, ...]
    """What each player may expect from the (first) state from which the game was solved."""
    error: float
    """How far any value may be from the true one, at most."""
    game: Game
    """The game."""


class SmallSummary(Shown, _Found, Tabular, by=("solution",)):
    """What a solution holds. Shown as a table; `to_pandas`, `to_arrow` and `to_parquet` make it one for other tools.

    As a table it has one row, so you can concatenate those of several rule books.
    """

    def _table(self, by: str) -> Table:
        counts = dict(zip(self._fields[:6], self[:6], strict=True))
        values = {f"value_{seat}": score for seat, score in enumerate(self.returns)}
        rows = [{"game": str(self.game), **counts, **values, "error": self.error}]
        return of_rows("small", rows, {"game": str(self.game)})

    def cells(self) -> list[list[str]]:
        """The header and the row, as texts."""
        header = ["positions", "decisions", "ahead", "behind", "even", "longest win"]
        row = ["-" if count is None else f"{count:,}" for count in self[:6]]
        header += [f"player {seat}" for seat in range(len(self.returns))]
        return [[*header, "error"], [*row, *(f"{score:.6f}" for score in self.returns), f"{self.error:.0e}"]]


class Solution:
    """Every position of a small rule book, with its value. Made by `solve_small`."""

    def __init__(self, game: Game, solution: _core.SmallSolution, start: State) -> None:
        self._solution = solution
        self.game = game
        self.start = start
        """Where it was solved from; the first, if from several states."""

    def __len__(self) -> int:
        """How many positions there are."""
        return self.summary().positions

    def __repr__(self) -> str:
        return f"<solution of {self.game!r}: {len(self):,} positions>"

    def value(self, state: State) -> SmallValue:
        """The value of a state for each player.

        Raises:
            ValueError: The state cannot be reached, or is of other rules, limits of turns aside.
        """
        returns, turns = self._solution.value(state)
        return SmallValue(tuple(returns), turns)

    def values(self, states: States) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        """The same for each row: returns of shape (N, P) for P players, and turns of shape (N,), -1 for none.

        Raises:
            ValueError: One of the states cannot be reached, or they are of other rules, limits of turns aside.
            TypeError: They are no `sarai.States`.
        """
        return self._solution.values(checked_states(states)._rows)

    def moves(self, state: State) -> list[SmallMove]:
        """Each legal action with its value for the player to act, best first, then by id.

        Quick wins come before slow ones, and slow losses before quick ones.

        Raises:
            ValueError: The state cannot be reached, is of other rules, or no player acts in it.
        """
        return [SmallMove(*move) for move in self._solution.moves(state)]

    def summary(self) -> SmallSummary:
        """The size of the solution, and the value of the start."""
        found = json.loads(self._solution.summary_json())
        returns = self.value(self.start).returns
        return SmallSummary(**found, returns=returns, game=self.game)


def solve_small(
    game: str | Game,
    max_positions: SupportsIndex = 20_000_000,
    *,
    states: State | States | Iterable[State] | None = None,
) -> Solution:
    """Solve a rule book for two sides: every reachable position, with or without dice.

    Values ignore the move limits (`max_turns`, and Shah's `no_capture_limit`): positions that differ only in their
    clock count as one, and play that never ends is worth 0. Without dice, values are exact: what each side can force,
    and in how many turns. With dice, they are expected returns under optimal play by both sides, and
    `Solution.summary().error` bounds their distance from the true values, rounding included.

    It uses one thread and about 200 to 350 bytes a position; values are the same, to the last bit, on every machine.

    Args:
        game: A game's name, or a game of two players or two teams.
        max_positions: The largest number of positions, 1 to 1,000,000,000; throws, each step of a turn and ends count.
        states: Where to begin, such as an ending; None for the start of the game.

    Raises:
        ValueError: The game has more than two sides or more positions, or the states are of other rules.
        MemoryError: The positions do not fit in the memory that is free.

    One coin each and four shells; seat 0 begins:

    >>> import sarai
    >>> game = sarai.make("sho", players=2, num_shells=4, coins=1, first_player=0)
    >>> solution = sarai.exact.solve_small(game)
    >>> print(solution.summary())
    positions  decisions  ahead  behind  even  longest win  player 0   player 1  error
        9,241      9,049  8,891     158     0            1  0.888889  -0.888889  5e-15
    >>> state = game.new_initial_state()
    >>> state.apply_action(2)
    >>> solution.moves(state)
    [SmallMove(action=0, value=..., turns=...)]

    >>> sarai.exact.solve_small("sho")
    Traceback (most recent call last):
    ...
    ValueError: this rule book of sho has 3 sides; what can be solved has two sides: with more there is no one value
    """
    book = as_game(game)
    if isinstance(states, State):
        states = [states]
    if states is not None and not isinstance(states, States):
        states = States.from_states(states)
    solved = _core.solve_small(
        book,
        states=None if states is None else states._rows,
        max_positions=max_positions,
        max_bytes=free_memory(),
    )
    return Solution(book, solved, book.new_initial_state() if states is None else states[0])
