"""Games from each of many positions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sarai import _core
from sarai._base import arguments
from sarai._base.progress import ProgressOption
from sarai._core import Game  # noqa: F401  (in the hints of inherited fields)
from sarai._playout import Run
from sarai._results import result as of
from sarai._results import validation
from sarai._results.result import SECONDS, ArrayResult, first
from sarai._states import States
from sarai._tables.columns import Column
from sarai.agents import Agents


@dataclass(frozen=True, eq=False, repr=False)
class StatesRollout(
    ArrayResult, kind="states_rollout", rows={"game": ("position", "game")}, along="position"
):
    """The results of G games from each of N positions, with P seats.

    As a table (`to_pandas`, `to_arrow`, `to_parquet`) it has a row for each game. `r[i:j]` has the games from some of
    the positions.

    Two results are equal if all their arrays are equal and they were played in the same way; the time taken is not
    compared.

    Examples:
        >>> import sarai
        >>> states = sarai.make("shah").sample_states(num_games=4, seed=1)
        >>> r = states.rollout("greedy", 10, seed=2)
        >>> r
        StatesRollout('shah', 4 positions, 10 games, agents=('greedy', 'greedy'), seed=2, first_row=0)
        >>> states[2:].rollout("greedy", 10, seed=2, first_row=2) == r[2:]
        True
    """

    first_row: int = field(metadata=first("position"))
    returns: NDArray[np.float32] = field(metadata=of.returns("position", "game", "seat"))
    winner: NDArray[np.int8] = field(metadata=of.winner("position", "game"))
    lengths: NDArray[np.int32] = field(
        metadata=of.lengths(
            "position", "game", about="decisions taken from the position on, by all seats together"
        )
    )
    seconds: float = field(compare=False, metadata=SECONDS)

    @property
    def mean(self) -> NDArray[np.float64]:
        """(N, P) float64: the mean return of each seat over the games from each position."""
        return np.asarray(self.returns.mean(axis=1, dtype=np.float64))

    @property
    def standard_error(self) -> NDArray[np.float64]:
        """(N, P) float64: the standard error of `mean`, s / sqrt(G); NaN if there is only one game per position."""
        games = self.returns.shape[1]
        if games < 2:
            return np.full(self.mean.shape, np.nan)
        spread = self.returns.std(axis=1, dtype=np.float64, ddof=1)
        return np.asarray(spread / np.sqrt(games))

    def __getitem__(self, positions: slice) -> StatesRollout:
        """The games from positions that follow one another.

        Raises:
            TypeError: It is no slice.
            ValueError: It leaves out positions in between, or goes backwards.
        """
        return self._cut(positions)

    @classmethod
    def _alike(cls, parts: Iterable[StatesRollout]) -> list[StatesRollout]:
        parts = super()._alike(parts)
        if len({part.winner.shape[1] for part in parts}) > 1:
            raise ValueError("the parts have different numbers of games from each position")
        return parts

    def _check_rules(self) -> None:
        validation.check_outcomes(
            self.game, self.winner.reshape(-1), self.returns.reshape(-1, self.num_players)
        )

    def _places(self, by: str) -> dict[str, Column]:
        positions, games = self.winner.shape
        number = self.first_row * games + np.arange(positions * games, dtype=np.uint64)
        return {
            "position": self._numbers(games).astype(np.int64),
            "number": number,
            **self._agents_of(positions * games),
        }


def _rollout(  # noqa: D417  (self is no argument)
    self: States,
    agents: Agents = "random",
    num_games: int = 1,
    *,
    seed: int | None = None,
    num_threads: int | None = None,
    progress: ProgressOption = False,
    first_row: int = 0,
) -> StatesRollout:
    """Play games from each row to their ends.

    Game j from row i is played with the random numbers of game `(first_row + i) * num_games + j` of the seed. The
    result does not depend on `num_threads`, and you can split it with `first_row` (`StatesRollout.concatenate`).

    Args:
        num_games: G, the number of games from each row; at most 100,000,000 games in all.
        agents: As `sarai.rollout` takes them.
        seed: 0 to 2**64 - 1; None draws one, which the result has as `seed`.
        num_threads: The number of threads; None uses all processors.
        progress: As `sarai.rollout` takes it.
        first_row: The number of the first row.

    Raises:
        ValueError: A number is out of range, or an agent is unknown.
        TypeError: An argument has the wrong type.
        IllegalActionError: A policy chose an action that is not legal.
        KeyboardInterrupt: Ctrl-C.

    >>> import sarai
    >>> s = sarai.make("shuanglu").sample_states(num_games=5, seed=1)
    >>> r = s.rollout("greedy", 20, seed=2)
    >>> r.returns.shape, r.winner.dtype, r.mean.shape
    ((5, 20, 2), dtype('int8'), (5, 2))
    """
    states = self._rows
    game = states.game
    rows, players = len(states), game.num_players
    most = _core.MAX_GAMES // max(rows, 1)
    games = arguments.between("num_games", num_games, 1, most, f"from each of {rows:,} positions ")
    first_row = arguments.from_zero("first_row", first_row, arguments.MAX_NUMBER // games - rows)
    numbers = (rows * games, seed, num_threads, progress, first_row * games)
    run = Run.of(game, agents, *numbers, start=(states, games))
    if rows:
        columns, seconds = run.ask(_core.rollout)
    else:
        none = np.empty((0, players), np.float32), np.empty(0, np.int8), np.empty(0, np.int32)
        columns, seconds = dict(zip(("returns", "winner", "lengths"), none, strict=True)), 0.0
    return StatesRollout(
        game=game,
        agents=run.labels,
        seed=run.seed,
        first_row=first_row,
        returns=columns["returns"].reshape(rows, games, players),
        winner=columns["winner"].reshape(rows, games),
        lengths=columns["lengths"].reshape(rows, games),
        seconds=seconds,
    )


States.rollout = _rollout  # type: ignore[method-assign]
