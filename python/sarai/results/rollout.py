"""Games played to their ends, as arrays with one row per game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sarai import arguments, notebook
from sarai._core import Game, State
from sarai.agents import Agents, mark, one_agent_a_seat
from sarai.arguments import counted
from sarai.game import game_and_start
from sarai.playout import play
from sarai.progress import ProgressOption
from sarai.records.record import Record
from sarai.results import joining, npz, rollout_records, validation
from sarai.results.columns import Table
from sarai.results.summary import Summary
from sarai.results.tables import rollout_table
from sarai.results.tabular import Tabular
from sarai.results.trajectories import DEFAULT_MAX_DECISIONS

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
        random_plies: How many decisions at the beginning of each game are random, 0 to 1,000. They are the same whoever
            plays, so games of one seed and number begin in the same position. They count as decisions of their seats.

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
    game, start = game_and_start(game)
    seats = one_agent_a_seat(agents, game.num_players)
    rows = rollout_records.rows(keep, num_games)
    if rows:
        rollout_records.check_labels(game, seats)
    played = play(
        game,
        num_games,
        seats,
        seed=seed,
        first_game=first_game,
        max_decisions=DEFAULT_MAX_DECISIONS,  # bounds what is recorded, and nothing is
        num_threads=num_threads,
        progress=progress,
        keep=rows,
        start=start,
        random_plies=random_plies,
    )
    columns = played.columns
    return Rollout(
        **played.origin,
        returns=columns["returns"],
        winner=columns["winner"],
        lengths=columns["lengths"],
        turns=columns["turns"],
        stats_by_seat=columns["stats"],
        digests=columns["digests"],
        seconds=played.seconds,
        records=rollout_records.records(played, rows),
        policies=tuple(mark(agent) for agent in seats),
    )


@dataclass(frozen=True, eq=False, repr=False)
class Rollout(Tabular, by=("game", "seat")):
    """The results of G games with P seats. Row i of every array is game number `first_game + i`.

    As a table (`to_pandas`, `to_arrow`, `to_parquet`, or given to polars, DuckDB or pyarrow as it is) it has a row for
    each game, or with by="seat" for each game and seat.

    Two rollouts are equal if all their arrays are equal and they were played in the same way. The time taken
    (`seconds`) and the identity of the policies (`policies`) are not compared.

    Attributes:
        game: The game's name.
        rules: Every option of the game that was played.
        agents: One label per seat: an agent's name, or a policy's `__qualname__`, followed by "()" if it is the same as
            an agent's name.
        seed: The seed.
        first_game: The number of the game in row 0.
        sides: The side of each seat; partners share one.
        returns: (G, P) float32, the final score of each seat.
        winner: (G,) int8, the side that won, -1 for a draw.
        lengths: (G,) int32, decisions taken by all seats together.
        turns: (G,) int32, turns played.
        stats_by_seat: The game's statistics by name; each is (G, P) int32.
        stats: The same, each (G,) int32, totalled over the seats.
        seconds: How long the call took, in seconds of wall-clock time.
        records: The games that were kept, by row: record i is game number `first_game + i`.
        start: The state from which every game started, as `str(state)` writes it; None for the usual start. Lengths,
            turns and statistics count from there.
        policies: For each seat, None if one of the engine's agents played, or else a mark that identifies the policy,
            whatever its label; `concatenate` compares them.
        random_plies: The number of random decisions at the beginning of each game.
        digests: (G,) uint32, equal for games that ended in the same position after as many decisions and turns with the
            same statistics; None if it is not known.

    Raises:
        TypeError: Another value does not have its documented type.
        ValueError: An array does not have its documented dtype and shape, or a record does not belong to these games.

    Examples:
        >>> import sarai
        >>> sarai.rollout("sho", num_games=10, agents="greedy", seed=3)
        Rollout('sho', 10 games, agents=('greedy', 'greedy', 'greedy'), seed=3, first_game=0)

        >>> a, b = (sarai.rollout("sho", num_games=10, seed=3, first_game=i) for i in (0, 10))
        >>> sarai.results.Rollout.concatenate([b, a])
        Traceback (most recent call last):
        ...
        ValueError: part 1 begins with game 0, but game 20 is next: give the parts in order, without gaps
    """

    game: str
    rules: dict[str, Any]
    agents: tuple[str, ...]
    seed: int
    first_game: int
    sides: tuple[int, ...]
    returns: NDArray[np.float32]
    winner: NDArray[np.int8]
    lengths: NDArray[np.int32]
    turns: NDArray[np.int32]
    stats_by_seat: dict[str, NDArray[np.int32]]
    seconds: float
    records: dict[int, Record] = field(default_factory=dict)
    policies: tuple[str | None, ...] = ()
    start: str | None = None
    random_plies: int = 0
    digests: NDArray[np.uint32] | None = None
    stats: dict[str, NDArray[np.int32]] = field(init=False)

    __hash__ = None  # type: ignore[assignment]  # arrays can change

    def __post_init__(self) -> None:
        seats = validation.check_origin(self.game, self.rules, self.agents, self.sides)
        for name in ("seed", "first_game"):
            object.__setattr__(self, name, arguments.from_zero(name, getattr(self, name)))
        object.__setattr__(self, "random_plies", arguments.random_plies(self.random_plies))
        validation.check_start(self.start)
        object.__setattr__(self, "seconds", validation.time_taken("seconds", self.seconds))
        validation.check_array("returns", self.returns, np.float32, (None, seats))
        games = len(self.returns)
        validation.check_numbers(self.seed, self.first_game, games)
        validation.check_array("winner", self.winner, np.int8, (games,))
        validation.check_range("winner", self.winner, -1, max(self.sides))
        validation.check_counts("lengths", self.lengths, (games,))
        validation.check_counts("turns", self.turns, (games,))
        validation.check_statistics(self.stats_by_seat, (games, seats))
        if self.digests is not None:
            validation.check_array("digests", self.digests, np.uint32, (games,))
        marks = self.policies
        if (
            not isinstance(marks, tuple)
            or len(marks) not in (0, seats)
            or not all(mark is None or (isinstance(mark, str) and mark) for mark in marks)
        ):
            raise ValueError(
                f"policies must be a tuple with one mark or None per seat, not {arguments.short(marks)}"
            )
        object.__setattr__(self, "policies", marks or (None,) * seats)
        rollout_records.check(self.records, self, self.start)
        totals = {name: values.sum(axis=1, dtype=np.int32) for name, values in self.stats_by_seat.items()}
        object.__setattr__(self, "stats", totals)

    @property
    def num_games(self) -> int:
        """G, the number of games."""
        return len(self.winner)

    @property
    def num_players(self) -> int:
        """P, the number of seats."""
        return len(self.agents)

    def __repr__(self) -> str:
        return (
            f"Rollout({self.game!r}, {counted(self.num_games, 'game')}, agents={self.agents}, "
            f"seed={self.seed}, first_game={self.first_game}{'' if self.start is None else f', start={self.start!r}'}"
            f"{f', random_plies={self.random_plies}' if self.random_plies else ''})"
        )

    def _repr_html_(self) -> str:
        """The summary, for notebooks."""
        if self.num_games == 0:
            return notebook.line(repr(self))
        kept_whole = ""
        if self.records:
            are = "is" if len(self.records) == 1 else "are"
            kept_whole = notebook.line(f"{counted(len(self.records), 'game')} {are} kept whole in records.")
        return self.summary()._repr_html_() + kept_whole

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rollout):
            return NotImplemented
        return (
            self.played_as() == other.played_as()
            and self.first_game == other.first_game
            and self.records == other.records
            and validation.same_arrays(self._arrays(), other._arrays())
        )

    def summary(self) -> Summary:
        """Win shares, returns and statistics with 95% intervals; prints as a table."""
        return Summary.of(self)

    def _table(self, by: str) -> Table:
        return rollout_table(self, by, self.played_as())

    def save(self, path: npz.StrPath) -> None:
        """Write the rollout as a compressed numpy .npz to exactly this path.

        The file is written either completely or not at all.
        Besides the arrays, the file holds "metadata", a JSON text. Both `sarai.load` and `numpy.load` can read it.

        Raises:
            OSError: The file cannot be written; an existing file is left as it was.
            TypeError: The path is neither a str nor a path object.
            ValueError: The arrays have been changed so that they contradict the rules, and could not be loaded again.
        """
        self._check()
        metadata = {
            **self.played_as(),
            "first_game": self.first_game,
            "policies": self.policies,
            "seconds": self.seconds,
            "games": self.num_games,
            "digests": self.digests is not None,
            "records": len(self.records),
            "steps": sum(map(len, self.records.values())),
        }
        npz.write(path, "rollout", metadata, {**self._arrays(), **rollout_records.packed(self.records)})

    @staticmethod
    def load(path: npz.StrPath) -> Rollout:
        """Read a rollout that `save` or `sarai rollout --out` wrote. Nothing in the file is ever executed.

        Raises:
            OSError: The file cannot be read; if it does not exist, this is a FileNotFoundError.
            TypeError: The path is neither a str nor a path object.
            ValueError: The file does not hold a rollout, is damaged, or contradicts the rules.

        Examples:
            >>> import sarai
            >>> sarai.results.Rollout.load("no_such_file.npz")
            Traceback (most recent call last):
            ...
            FileNotFoundError: [Errno 2] No such file or directory: 'no_such_file.npz'
        """
        with npz.reading(path, "rollout") as file:
            return Rollout._read(file)

    @staticmethod
    def _read(file: npz.File) -> Rollout:
        """What `save` wrote, checked."""
        fields = file.fields(
            **validation.ORIGIN,
            first_game=int,
            policies=list,
            start=(str, type(None)),
            random_plies=int,
            digests=bool,
            seconds=(int, float),
            games=int,
            records=int,
            steps=int,
        )
        names = ("games", "records", "steps", "digests")
        games, records, steps, digests = (fields.pop(name) for name in names)
        for name in ("agents", "sides", "policies"):
            fields[name] = tuple(fields[name])
        game = validation.game_of(fields["game"], fields["rules"], fields["agents"], fields["sides"])
        if len(fields["policies"]) != game.num_players:
            raise ValueError("its metadata must have a policy or null for each seat")
        fields["rules"] = game.rules
        arrays = file.arrays(
            {
                "winner": (np.int8, (games,)),
                **validation.game_layout(game, games),
                **({"digests": (np.uint32, (games,))} if digests else {}),
                **rollout_records.layout(records, steps),
            }
        )
        rollout = Rollout(
            **fields,
            returns=arrays["returns"],
            winner=arrays["winner"],
            lengths=arrays["lengths"],
            turns=arrays["turns"],
            stats_by_seat={name: arrays[f"stats_by_seat.{name}"] for name in game.statistics},
            digests=arrays.get("digests"),
            records=rollout_records.unpacked(
                arrays,
                game if fields["start"] is None else validation.start_of(game, fields["start"]),
                fields["seed"],
                lambda row: (fields["agents"], fields["first_game"] + row),
            ),
        )
        rollout._check()
        return rollout

    def _check(self) -> None:
        """Hold everything against the rules of the game.

        Raises:
            ValueError: They contradict it.
        """
        game = validation.complete_game_of(self.game, self.rules, self.agents, self.sides)
        if self.start is not None:
            validation.start_of(game, self.start)
        validation.check_games(game, self.winner, self.returns, self.lengths, self.turns, self.stats_by_seat)
        rollout_records.check(self.records, self, self.start)

    def plot(
        self,
        path: npz.StrPath | None = None,
        *,
        ax: Axes | None = None,
        panel: str | None = None,
    ) -> Figure:
        """Draw who won and the distributions. If a path is given, also write the picture, in the format of its suffix.

        Args:
            path: A file to write, in any format that matplotlib writes, such as .svg, .png or .pdf.
            ax: Axes on which one panel is drawn instead of a figure of its own, in their figure's style.
            panel: Which one: "wins", as without, "turns", "decisions" or the name of a statistic.

        Raises:
            ImportError: matplotlib is not installed (`pip install "sarai[plot]"`).
            OSError: The picture cannot be written.
        """
        from sarai.results.plots import plot_rollout

        return plot_rollout(self, path, ax, panel)

    @staticmethod
    def concatenate(parts: Iterable[Rollout], *, same_policies: bool = False) -> Rollout:
        """Join rollouts of the same games, rules, agents and seed that follow one another.

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
        if isinstance(parts, Rollout) or not isinstance(parts, Iterable):
            raise TypeError(f"parts must be a list of rollouts, not {type(parts).__name__}")
        parts = list(parts)
        joining.check_alike(parts, Rollout, "a Rollout", "rollouts")
        policies = joining.check_policies(parts, same_policies)
        first = parts[0]
        return Rollout(
            **first.played_as(),
            first_game=first.first_game,
            returns=np.concatenate([part.returns for part in parts]),
            winner=np.concatenate([part.winner for part in parts]),
            lengths=np.concatenate([part.lengths for part in parts]),
            turns=np.concatenate([part.turns for part in parts]),
            stats_by_seat={
                name: np.concatenate([part.stats_by_seat[name] for part in parts])
                for name in first.stats_by_seat
            },
            digests=joining.join_known([part.digests for part in parts]),
            seconds=sum(part.seconds for part in parts),
            records={
                part.first_game + row - first.first_game: record
                for part in parts
                for row, record in part.records.items()
            },
            policies=policies,
        )

    def played_as(self) -> dict[str, Any]:
        """What two parts of one rollout have in common."""
        return {
            "game": self.game,
            "rules": self.rules,
            "agents": self.agents,
            "seed": self.seed,
            "sides": self.sides,
            "start": self.start,
            "random_plies": self.random_plies,
        }

    def _arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays by the names that they have in a file."""
        arrays: dict[str, NDArray[Any]] = {
            "returns": self.returns,
            "winner": self.winner,
            "lengths": self.lengths,
            "turns": self.turns,
        }
        for name, values in self.stats_by_seat.items():
            arrays[f"stats_by_seat.{name}"] = values
        return arrays if self.digests is None else {**arrays, "digests": self.digests}
