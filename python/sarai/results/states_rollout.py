"""Games from each of many positions."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sarai import _core, arguments
from sarai.agents import Agents, label, one_agent_a_seat
from sarai.progress import ProgressOption, shown
from sarai.results import validation
from sarai.results.columns import Table
from sarai.results.tables import states_table
from sarai.results.tabular import Tabular


@dataclass(frozen=True, eq=False, repr=False)
class StatesRollout(Tabular, by=("game",)):
    """The results of G games from each of N positions, with P seats.

    As a table (`to_pandas`, `to_arrow`, `to_parquet`) it has a row for each game.

    Two results are equal if all their arrays are equal and they were played in the same way; the time taken is not
    compared.

    Attributes:
        game: The game's name.
        rules: Every option of the game that was played.
        agents: One label per seat, as in `sarai.results.Rollout`.
        seed: The seed.
        sides: The side of each seat; partners share one.
        returns: (N, G, P) float32, the final score of each seat.
        winner: (N, G) int8, the side that won, -1 for a draw.
        lengths: (N, G) int32, decisions taken from the position on, by all seats together.
        seconds: How long the call took, in seconds of wall-clock time.
    """

    game: str
    rules: dict[str, Any]
    agents: tuple[str, ...]
    seed: int
    sides: tuple[int, ...]
    returns: NDArray[np.float32]
    winner: NDArray[np.int8]
    lengths: NDArray[np.int32]
    seconds: float

    __hash__ = None  # type: ignore[assignment]  # arrays can change

    def _table(self, by: str) -> Table:
        return states_table(self)

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

    def __repr__(self) -> str:
        positions, games, _ = self.returns.shape
        return (
            f"StatesRollout({self.game!r}, {games:,} games from each of {positions:,} positions, "
            f"agents={self.agents}, seed={self.seed})"
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StatesRollout):
            return NotImplemented
        names = ("game", "rules", "agents", "seed", "sides")
        arrays = ("returns", "winner", "lengths")
        return all(getattr(self, name) == getattr(other, name) for name in names) and validation.same_arrays(
            {name: getattr(self, name) for name in arrays}, {name: getattr(other, name) for name in arrays}
        )


def rollout_states(
    states: _core.States,
    num_games: int,
    agents: Agents,
    seed: int | None,
    num_threads: int | None,
    progress: ProgressOption,
) -> StatesRollout:
    """See `sarai.States.rollout`."""
    game = states.game
    seed = arguments.seed(seed)
    games = arguments.whole("num_games", num_games)
    rows, players = len(states), game.num_players
    most = _core.MAX_GAMES // max(rows, 1)
    if not 1 <= games <= most:
        raise ValueError(
            f"num_games got {arguments.in_words(games)}; from each of {rows:,} positions it takes 1 to {most}"
        )
    seats = one_agent_a_seat(agents, players)
    labels = tuple(label(agent) for agent in seats)
    columns: dict[str, Any] = {
        "returns": np.empty((0, players), np.float32),
        "winner": np.empty(0, np.int8),
        "lengths": np.empty(0, np.int32),
    }
    start = time.perf_counter()
    if rows:
        with shown(progress, game.name, rows * games) as report:
            columns = _core.rollout(
                game,
                rows * games,
                seats,
                seed=seed,
                first_game=0,
                num_threads=num_threads,
                progress=report,
                record=False,
                max_decisions=1,  # bounds what is recorded, and nothing is
                keep=set(),
                start=(states, games),
                random_plies=0,
            )
    return StatesRollout(
        game=game.name,
        rules=game.rules,
        agents=labels,
        seed=seed,
        sides=tuple(game.sides),
        returns=columns["returns"].reshape(rows, games, players),
        winner=columns["winner"].reshape(rows, games),
        lengths=columns["lengths"].reshape(rows, games),
        seconds=time.perf_counter() - start,
    )
