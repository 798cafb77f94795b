"""Games played to their ends, as arrays with one row per game."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sarai import _core
from sarai._base import arguments
from sarai._base.arguments import StrPath, counted
from sarai._base.progress import ProgressOption
from sarai._core import Game, State
from sarai._playout import Run
from sarai._records.record import Record
from sarai._results import kept, validation
from sarai._results import result as of
from sarai._results.result import RANDOM_PLIES, SECONDS, START, STATISTICS, TURNS, attribute, first
from sarai._results.summary import Summary
from sarai._tables import notebook
from sarai._tables.columns import Column, Labels
from sarai.agents import Agents, mark

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def rollout(
    game: str | Game | State,
    agents: Agents = "random",
    num_games: int = 1000,
    *,
    seed: int | None = None,
    num_threads: int | None = None,
    progress: ProgressOption = False,
    first_game: int = 0,
    keep: Iterable[int] = (),
    random_plies: int = 0,
) -> Rollout:
    """Play games to their ends and return the result of each.

    Game i of a seed is always the same game. The result does not depend on `num_threads`, and you can split a rollout
    with `first_game` (see `Rollout.concatenate`). The games are played in Rust with the GIL released, and need little
    memory beyond the returned arrays. Ctrl-C stops the call within a second (KeyboardInterrupt).

    Args:
        game: A game, its name as `sarai.make` takes it, or a state from which every game starts.
        agents: One agent for all seats, or a list with one per seat. An agent is a name ("random", "greedy",
            "mcts:200", ...) or a policy: a callable that takes observations (n, L) int8 and legal-action masks (n, A)
            int8 and returns n integer actions. A policy is called on whole batches; each row is the view of the seat to
            act. None means "random" for all seats.
        num_games: The number of games, 1 to 100,000,000.
        seed: 0 to 2**64 - 1; None draws one, which the result has as `seed`.
        num_threads: The number of threads; None uses all processors.
        progress: True shows a progress bar in a terminal or notebook; a callable is called with the number of games
            finished, about ten times a second and once at the end.
        first_game: The number of the first game; the games played are first_game, first_game + 1, ...
        keep: Rows of the result, 0 to num_games - 1 and at most 1,000 of them, whose complete games are kept in
            `Rollout.records`, with at most 10,000,000 steps in total.
        random_plies: The number of random decisions at the beginning of each game, 0 to 1,000. They are the same
            whoever plays, so games of one seed and number begin in the same position. They count as decisions of their
            seats.

    Returns:
        The arrays, with one row per game, in the order of the games' numbers.

    Raises:
        ValueError: A number is out of range; a game, preset, option or agent is unknown; a list of agents does not have
            one entry per seat; or a policy returns actions of the wrong shape. Also if a row to keep is out of range or
            given twice, or its game is too long to keep.
        TypeError: An argument, or a value returned by a policy, has the wrong type.
        IllegalActionError: A policy chose an action that is not legal.
        KeyboardInterrupt: Ctrl-C.
        Exception: Exceptions raised by a policy are passed on unchanged.

    Examples:
        >>> import sarai
        >>> r = sarai.rollout("sho", num_games=100, agents=["greedy", "random", "random"], seed=7)
        >>> r.returns.shape, r.winner.dtype
        ((100, 3), dtype('int8'))
        >>> r == sarai.rollout("sho", ["greedy", "random", "random"], 100, seed=7, num_threads=2)
        True
        >>> sarai.rollout("sho", num_games=100, seed=7, first_game=200, keep=[5]).records[5].number
        205
        >>> sarai.rollout("sho(players=2)", num_games=100, seed=0).returns.shape
        (100, 2)

        >>> sarai.rollout("sho", num_games=0)
        Traceback (most recent call last):
        ...
        ValueError: ...
    """
    run = Run.of(game, agents, num_games, seed, num_threads, progress, first_game, random_plies)
    rows = kept.rows(keep, num_games)
    if rows:
        kept.check_labels(run)
    columns, seconds = run.ask(_core.rollout, keep=set(rows))
    return Rollout(
        **run.told,
        returns=columns["returns"],
        winner=columns["winner"],
        lengths=columns["lengths"],
        turns=columns["turns"],
        stats_by_seat=columns["stats"],
        digests=columns["digests"],
        seconds=seconds,
        records=kept.records(run, rows, columns["paths"]),
        policies=tuple(mark(agent) for agent in run.agents),
        start=run.start_text,
    )


@dataclass(frozen=True, eq=False, repr=False)
class Rollout(
    kept.HasRecords, kind="rollout", rows={"game": ("game",), "seat": ("game", "seat")}, along="game"
):
    """The results of G games with P seats. Row i of every array is game number `first_game + i`.

    As a table (`to_pandas`, `to_arrow`, `to_parquet`, or given to polars, DuckDB or pyarrow as it is) it has a row for
    each game, or with by="seat" for each game and seat. `r[i:j]` is the rollout of some of its games.

    Two rollouts are equal if all their arrays are equal and they were played in the same way. The time taken
    (`seconds`) and the identity of the policies (`policies`) are not compared.

    Examples:
        >>> import sarai
        >>> r = sarai.rollout("sho", num_games=10, agents="greedy", seed=3)
        >>> r
        Rollout('sho', 10 games, agents=('greedy', 'greedy', 'greedy'), seed=3, first_game=0)
        >>> sarai.results.Rollout.concatenate([r[:4], r[4:]]) == r
        True

        >>> sarai.results.Rollout.concatenate([r[4:], r[:4]])
        Traceback (most recent call last):
        ...
        ValueError: part 1 begins with game 0, but game 10 is next: give the parts in order, without gaps
    """

    first_game: int = field(metadata=first("game"))
    returns: NDArray[np.float32] = field(metadata=of.returns("game", "seat"))
    winner: NDArray[np.int8] = field(metadata=of.winner("game"))
    lengths: NDArray[np.int32] = field(metadata=of.lengths("game"))
    turns: NDArray[np.int32] = field(metadata=TURNS)
    stats_by_seat: dict[str, NDArray[np.int32]] = field(metadata=STATISTICS)
    digests: NDArray[np.uint32] = field(metadata=of.digests("game"))
    seconds: float = field(compare=False, metadata=SECONDS)
    records: dict[int, Record] = field(
        default_factory=dict,
        metadata={"about": "the games that were kept, by row: record i is game number `first_game + i`"},
    )
    policies: tuple[str | None, ...] = field(
        default=(),
        compare=False,
        metadata=attribute(
            "for each seat, None if one of the engine's agents played, or else a mark that identifies the policy, "
            "whatever its label; `concatenate` compares them",
            lambda name, value, game: _marks(value, game),
            "own",
        ),
    )
    start: str | None = field(default=None, metadata=START)
    random_plies: int = field(default=0, metadata=RANDOM_PLIES)

    @property
    def num_games(self) -> int:
        """G, the number of games."""
        return len(self)

    @cached_property
    def stats(self) -> dict[str, NDArray[np.int32]]:
        """The game's statistics by name, each (G,) int32, totalled over the seats."""
        return {name: values.sum(axis=1, dtype=np.int32) for name, values in self.stats_by_seat.items()}

    def __getitem__(self, games: slice) -> Rollout:
        """The rollout of games that follow one another.

        Raises:
            TypeError: It is no slice.
            ValueError: It leaves out games in between, or goes backwards.
        """
        return self._cut(games)

    def _repr_html_(self) -> str:
        """The summary, for notebooks."""
        if self.num_games == 0:
            return notebook.line(repr(self))
        kept_whole = ""
        if self.records:
            are = "is" if len(self.records) == 1 else "are"
            kept_whole = notebook.line(f"{counted(len(self.records), 'game')} {are} kept whole in records.")
        return self.summary()._repr_html_() + kept_whole

    def summary(self) -> Summary:
        """Win shares, returns and statistics with 95% intervals; prints as a table."""
        return Summary.of(self)

    def plot(
        self,
        path: StrPath | None = None,
        *,
        ax: Axes | None = None,
        panel: str | None = None,
    ) -> Figure:
        """Draw who won and the distributions. If a path is given, also write the picture, in the format of its suffix.

        Args:
            path: A file to write, in any format of Matplotlib, such as .svg, .png or .pdf.
            ax: Axes on which to draw one panel instead of making a figure, in their figure's style.
            panel: Which one: "wins", as without, "turns", "decisions" or the name of a statistic.

        Raises:
            ImportError: Matplotlib is not installed (`pip install "sarai[plot]"`).
            OSError: The picture cannot be written.
        """
        from sarai._results.plots import plot_rollout

        return plot_rollout(self, path, ax, panel)

    @classmethod
    def concatenate(cls, parts: Iterable[Rollout], *, same_policies: bool = False) -> Rollout:
        """Join rollouts of the same game, agents and seed that follow one another.

        The result equals a rollout that plays all the games in one call; its seconds are the sum over the parts.

        Args:
            parts: The rollouts in order.
            same_policies: By default, parts are joined only if their policies were the same objects in the same process
                (`policies`, which files and copies preserve). With True, only the labels are compared, so you can join
                parts that were played by different policy objects or in different processes.

        Raises:
            TypeError: A part is not a rollout.
            ValueError: There are no parts, the parts were played differently, or one does not begin where the previous
                one ends.

        Examples:
            >>> import sarai
            >>> whole = sarai.rollout("sho", num_games=100, seed=1)
            >>> a = sarai.rollout("sho", num_games=60, seed=1)
            >>> b = sarai.rollout("sho", num_games=40, seed=1, first_game=60)
            >>> sarai.results.Rollout.concatenate([a, b]) == whole
            True

            >>> parts = (sarai.rollout("sho", lambda o, m: m.argmax(axis=1), 5, first_game=i, seed=0) for i in (0, 5))
            >>> sarai.results.Rollout.concatenate(parts)
            Traceback (most recent call last):
            ...
            ValueError: seat 0 of part 1 was played by another policy than in part 0, though both are called ...
        """
        parts = Rollout._alike(parts)
        first = parts[0]
        policies = first.policies
        for place, part in enumerate(parts):
            if part.policies != first.policies:
                if not same_policies:
                    raise ValueError(_other_policy(place, part, first))
                # They are told to be the same, but which object that is nobody knows.
                policies = tuple(mark and secrets.token_hex(8) for mark in first.policies)
        return Rollout._joined(parts, policies=policies)

    def _check_rules(self) -> None:
        validation.check_outcomes(self.game, self.winner, self.returns)

    def _places(self, by: str) -> dict[str, Column]:
        if by == "game":
            return {"number": self._numbers(), **self._agents_of(len(self))}
        seats = self.num_players
        seat = np.tile(np.arange(seats, dtype=np.int8), len(self))
        side = np.array(self.sides, np.int8)[seat]
        return {
            "number": self._numbers(seats),
            "seat": seat,
            "side": side,
            "agent": Labels.of(self.agents, seat),
            "won": side == np.repeat(self.winner, seats),
            "drawn": np.repeat(self.winner < 0, seats),
        }

    def _expected(self, row: int) -> kept.Expected:
        return kept.Expected(
            kept.begin(self.game, self.start),
            self.agents,
            self.seed,
            self.first_game + row,
            self.returns[row],
            int(self.winner[row]),
            int(self.lengths[row]),
        )


def _marks(value: object, game: Game) -> tuple[str | None, ...]:
    if (
        not isinstance(value, tuple)
        or len(value) not in (0, game.num_players)
        or not all(mark is None or (isinstance(mark, str) and mark) for mark in value)
    ):
        raise ValueError(
            f"policies must be a tuple with one mark or None per seat, not {arguments.short(value)}"
        )
    return value or (None,) * game.num_players


def _other_policy(place: int, part: Rollout, first: Rollout) -> str:
    """Which seat another policy has played."""
    seat = next(seat for seat, mark in enumerate(first.policies) if part.policies[seat] != mark)
    return (
        f"seat {seat} of part {place} was played by another policy than in part 0, though both are called "
        f"{first.agents[seat][:80]!r}: give the very same object to both calls, or join them with "
        "same_policies=True if they decide alike"
    )
