"""The bear-off: how many turns the last pieces take, and who wins where both sides bring theirs off."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import islice
from typing import SupportsIndex, TypeVar

import numpy as np
from numpy.typing import NDArray

from sarai import _core
from sarai._core import Game, State
from sarai._exact.small import SmallMove
from sarai._game import as_game

T = TypeVar("T")


class BearOff:
    """The bear-off of one rule book. Made by `solve_bear_off`.

    A placing is the number of pieces on points 1 to 6, such as (2, 0, 0, 0, 0, 1): two on point 1 and one on 6.
    """

    def __init__(self, game: Game, solved: _core.BearOff) -> None:
        self._solved = solved
        self.game = game

    def __repr__(self) -> str:
        return f"<bear-off of {self.game!r}>"

    @cached_property
    def placings(self) -> NDArray[np.uint8]:
        """Every placing of up to 15 pieces, uint8 (54264, 6); the first is empty."""
        return self._solved.placings()

    @cached_property
    def all_turns(self) -> NDArray[np.float64]:
        """How many turns each of `placings` takes on average, float64 (54264,), played for the least."""
        return self._solved.all_turns()

    def turns(self, pieces: Iterable[SupportsIndex]) -> float:
        """The average number of turns that a placing takes, when played to minimise it.

        Raises:
            ValueError: There are not six counts, or more than 15 pieces.
        """
        return _known(self._solved.turns(pieces := _counts(pieces)), pieces)

    def distribution(self, pieces: Iterable[SupportsIndex]) -> NDArray[np.float64]:
        """The share of games in which a placing takes 0, 1, 2, ... turns, when played to minimise their average.

        If dice must be exact, any number of turns is possible; at most 1e-12 is cut off.

        Raises:
            ValueError: There are not six counts, or more than 15 pieces.
        """
        return _known(self._solved.distribution(pieces := _counts(pieces)), pieces)

    def covers(self, state: State) -> bool:
        """Whether `value` covers the state: both sides are home and have few pieces left."""
        return self._solved.value(state) is not None

    def value(self, state: State) -> float:
        """The expected return of the player to throw or to play when both sides play to win, with 1 for a win.

        With so few pieces left, no win counts more, whatever the scoring.

        Raises:
            ValueError: A side is not home or has too many pieces left, the game is over, or of other rules.
        """
        found = self._solved.value(state)
        if found is None:
            raise ValueError(f"the bear-off does not have this state: {state}")
        return found

    def moves(self, state: State) -> list[SmallMove]:
        """Each legal action with its value for the player to act, best first, then by id.

        Raises:
            ValueError: As `value`, or it is nobody's turn.
        """
        self.value(state)
        player = state.current_player()
        if player < 0:
            raise ValueError("no player acts here, so there are no moves")
        moves = []
        for action in state.legal_actions():
            after = state.child(action)
            if after.is_terminal():
                value = float(after.returns()[player])
            else:
                value = self.value(after) * (1 if after.current_player() == player else -1)
            moves.append(SmallMove(action, value, None))
        return sorted(moves, key=lambda move: (-round(move.value, 12), move.action))


def _counts(pieces: Iterable[SupportsIndex]) -> tuple[SupportsIndex, ...]:
    # One more than there are points is enough to be refused, and an endless iterator ends.
    return tuple(islice(pieces, 7))


def _known(found: T | None, pieces: tuple[SupportsIndex, ...]) -> T:
    if found is None:
        raise ValueError(f"{pieces} are too many pieces")
    return found


def solve_bear_off(
    game: str | Game,
    pieces: SupportsIndex = 6,
) -> BearOff:
    """Solve the bear-off of Shuanglu or backgammon, in a few seconds.

    One side alone: the least average number of turns for each placing of up to 15 pieces, and their distribution. Two
    sides against each other, with few pieces: the expected return of the player to throw.

    Args:
        game: A game's name, or a game.
        pieces: The largest number of pieces of each side to solve against each other, 0 to 9: 0.9 million positions
            with 6, 25 million in 0.2 GB with 9.

    Raises:
        ValueError: The game has no bear-off, or the number of pieces is out of range.
        MemoryError: There is not enough memory for so many pieces.

    In backgammon 27 throws of 36 bear a piece off from point 6:

    >>> import sarai
    >>> bear_off = sarai.exact.solve_bear_off("shuanglu(preset=backgammon)")
    >>> bear_off.turns((0, 0, 0, 0, 0, 1)), bear_off.distribution((0, 0, 0, 0, 0, 1))
    (1.25, array([0.  , 0.75, 0.25]))
    >>> sarai.exact.solve_bear_off("shah")
    Traceback (most recent call last):
    ...
    ValueError: there is no bear-off for 'shah', only for shuanglu
    """
    book = as_game(game)
    return BearOff(book, _core.solve_bear_off(book, pieces=pieces))
