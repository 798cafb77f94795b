"""Searching many positions at once, one tree each, with one call of the evaluator per round for all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sarai import _core
from sarai._agents.analysis import Analysis, of
from sarai._agents.trees import Evaluator, grow
from sarai._base import arguments
from sarai._base.arguments import counted
from sarai._states import States, checked_states
from sarai._tables import text_table
from sarai._tables.columns import Column, Labels, Table, by_column
from sarai._tables.tabular import Tabular


@dataclass(frozen=True)
class _Kept:
    """What trees told of their roots, for copies, since trees themselves cannot be copied."""

    found: list[dict[str, Any] | None]

    def analysis(self, row: int) -> dict[str, Any] | None:
        """As the trees tell it."""
        return self.found[row]


_PRINTED = 10
"""How many positions a printed result shows."""


@dataclass(frozen=True, eq=False)
class SearchResult(Tabular, by=("position", "move")):
    """The result of a search of N positions. Row i of every array belongs to row i of the positions.

    As a table (`to_pandas`, `to_arrow`, `to_parquet`) it has a row for each position, or with "move" for each legal
    action of each.

    Attributes:
        visits: int32 (N, A): how many simulations took each action; zeros where no player acts. A row sums to the
            number of simulations, or to less if the best action was proven.
        values: float32 (N, P): the expected return of each player; if the game is over, its returns.
        policy: float32 (N, A): the share of the visits of each action; 1 for a proven best action.
        best: int64 (N,): the action that the search would play, -1 where no player acts. The action visited most,
            unless another is proven better.
    """

    visits: NDArray[np.int32]
    values: NDArray[np.float32]
    policy: NDArray[np.float32]
    best: NDArray[np.int64]
    _forest: _core.Forest | _Kept
    _states: States
    _evaluator: str

    def __getstate__(self) -> dict[str, Any]:
        rows = range(len(self.best))
        return {**self.__dict__, "_forest": _Kept([self._forest.analysis(row) for row in rows])}

    def analysis(self, row: int) -> Analysis:
        """The result for one position, as `sarai.analyse` returns it; `seconds` is 0.

        Args:
            row: 0 to N - 1.

        Raises:
            ValueError: There is no such row, or it is nobody's turn in it.
            TypeError: The row is no integer.

        >>> import sarai
        >>> s = sarai.make("shah").sample_states(num_games=3, seed=1)
        >>> sarai.search(s, 50, "heuristic", seed=0).analysis(2).simulations
        50
        """
        if not len(self.best):
            raise ValueError("there are no rows")
        row = arguments.from_zero("row", row, len(self.best) - 1)
        found = self._forest.analysis(row)
        if found is None:
            raise ValueError(f"it is nobody's turn in row {row}, so there is nothing to analyse")
        return of(self._evaluator, self._states[row], found, 0.0)

    def _table(self, by: str) -> Table:
        game = self._states.game
        about = {"game": str(game), "evaluator": self._evaluator, "by": by}
        players = self._states.current_player()
        if by == "move":
            # Where a game is over no action is legal.
            rows, actions = np.nonzero(self._states.legal_actions_mask())
            told: dict[str, Column] = {
                "action": actions.astype(np.int32),
                "visits": self.visits[rows, actions],
                "policy": self.policy[rows, actions],
                "best": self.best[rows] == actions,
            }
        else:
            rows = np.arange(len(self.best))
            told = {
                "best": self.best.astype(np.int32),
                **by_column("value", self.values),
                "simulations": self.visits.sum(axis=1, dtype=np.int32),
            }
        columns: dict[str, Column] = {
            "game": Labels.same(str(game), len(rows)),
            "evaluator": Labels.same(self._evaluator, len(rows)),
            "position": rows,
            "player": players[rows],
            **told,
        }
        return Table("search", columns, about)

    def __repr__(self) -> str:
        return f"<SearchResult of {counted(len(self.best), 'position')}>"

    def __str__(self) -> str:
        values = ["  ".join(f"{value:+.3f}" for value in row) for row in self.values[:_PRINTED]]
        names = [
            "" if action < 0 else self._states[row].action_to_string(int(action))
            for row, action in enumerate(self.best[:_PRINTED])
        ]
        cells = [(str(row), *of_row) for row, of_row in enumerate(zip(names, values, strict=True))]
        more = [f"... ({len(self.best):,} in all)"] if len(self.best) > _PRINTED else []
        return "\n".join([*text_table.lines(("position", "best", "values"), cells, left=(1,)), *more])


def search(
    states: States,
    simulations: int = 100,
    evaluator: Evaluator = "heuristic",
    *,
    priors: bool = True,
    noise: tuple[float, float] | None = None,
    exploration: float = 1.25,
    seed: int | None = None,
    num_threads: int | None = None,
) -> SearchResult:
    """Search many positions at once by PUCT, as AlphaZero does: one tree for each row.

    Each round, every tree selects a new position, and the evaluator is called once with all of these positions. Each
    row has its own stream of dice, so rows do not depend on each other. Proven wins and losses are not searched again.

    Args:
        states: The positions, none at a chance node (`States.sample_chance`). Rows whose game is over stay as they are.
        simulations: The number of simulations for each row, at least 1; at most 20,000,000 for all rows together. The
            trees take some 200 to 1,000 bytes a simulation.
        evaluator: `f(observations, masks)` with int8 arrays of shapes (n, L) and (n, A), each position in the view of
            the player to act. It returns values, or a tuple of logits (n, A) and values. Values are expected returns:
            (n,), of the player to act (the other sides lose what its side wins, in equal parts), or (n, P), one number
            for each seat. A function of one argument gets the observations alone. Or a network (`sarai.nets.Net`, or
            its name as in "net:FILE"), or a name: "heuristic", the game's own evaluation after ten random decisions, or
            "playout" and "playout=greedy", games played to the end; these need no Python, and use all processors.
        priors: Whether to use the logits as priors; otherwise, or without logits, the priors are uniform.
        noise: The parameter of a Dirichlet distribution, above 0, and its share, 0 to 1, in the priors of the roots:
            (0.3, 0.25) for self-play. None for no noise.
        exploration: The exploration constant, in units of the largest value seen.
        seed: 0 to 2**64 - 1, the seed of the dice and the noise; None draws one from the operating system.
        num_threads: The number of threads; None uses all processors. It changes no result.

    Raises:
        ValueError: A row is at a chance node, a number is out of range, or the evaluator returned arrays of the wrong
            shape, NaN or infinity.
        TypeError: An argument, or what the evaluator returned, has the wrong type.
        KeyboardInterrupt: Ctrl-C.

    Exceptions of the evaluator are passed on unchanged.

    Examples:
        >>> import numpy as np, sarai
        >>> s = sarai.make("shuanglu").sample_states(num_games=64, seed=1)
        >>> def evaluator(observations, masks):
        ...     return np.zeros(masks.shape), np.zeros(len(masks))  # logits and values
        >>> found = sarai.search(s, 20, evaluator, seed=0)
        >>> found.values.shape, found.values.dtype, bool((found.visits.sum(1) <= 20).all())
        ((64, 2), dtype('float32'), True)
        >>> s.apply_actions(found.best)
        >>> sarai.search(sarai.States("shah", 1), 10, lambda observations: [0.0, 0.0])
        Traceback (most recent call last):
        ...
        ValueError: the evaluator returned values of shape (2,) for 1 positions; they must be of shape (1,), ...
    """
    priors = arguments.flag("priors", priors)
    simulations = arguments.whole("simulations", simulations)
    roots = checked_states(states).copy()
    forest = grow(
        roots.game,
        roots._rows,
        simulations,
        evaluator,
        priors=priors,
        exploration=exploration,
        noise=noise,
        seed=arguments.seed(seed),
        num_threads=num_threads,
    )
    visits, policy, values, best = forest.found()
    name = (
        evaluator
        if isinstance(evaluator, str)
        else getattr(evaluator, "__qualname__", type(evaluator).__qualname__)
    )
    return SearchResult(visits, values, policy, best, forest, roots, f"search with {name}")
