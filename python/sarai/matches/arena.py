"""Many agents against one another, and how strong each is."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sarai import arguments
from sarai._core import Game, State
from sarai.agents import Agent, label
from sarai.arguments import counted
from sarai.game import game_and_start
from sarai.matches import arena_file, arena_table, arena_text, schedule
from sarai.matches.playing import Setting, milliseconds, play_games
from sarai.matches.ratings import Fit, fit, fit_sides, interval
from sarai.matches.standings import Pairing, Results, Standing
from sarai.progress import ProgressOption, shown
from sarai.records.record import Record
from sarai.results import npz, rollout_records, validation
from sarai.results.columns import Table
from sarai.results.summary import Estimate
from sarai.results.tabular import Tabular

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MOST_RECORDS = 10_000


def arena(
    game: str | Game | State,
    agents: Mapping[str, Agent] | Iterable[Agent],
    num_games: int = 1000,
    *,
    seed: int | None = None,
    dice: str = "shared",
    schedule: str = "round_robin",
    random_plies: int = 0,
    num_threads: int | None = None,
    progress: ProgressOption = False,
    keep: Iterable[int] = (),
) -> Arena:
    """Let agents play one another in all seat orders, and rate them.

    Each table (two agents in a game of two sides, more in one of more) plays every seat order equally often. The result
    does not depend on `num_threads`. In team games, all seats of a side have the same agent. With fewer agents than
    sides, some agent has several sides of a table.

    Args:
        game: A game, its name as `sarai.make` takes it, or a state from which every game starts.
        agents: 2 to 100 agents by name, or a list of agents, which are then called by their labels. An agent is
            whatever `sarai.rollout` takes for a seat.
        num_games: The least number of games of each table; it is rounded up to whole rounds of seat orders. All tables
            together have at most 10,000,000 games.
        seed: 0 to 2**64 - 1; None draws one, which the result has as `seed`.
        dice: "shared": game i of every seating has the same dice, so luck cancels out; "own": every game has its own.
        schedule: "round_robin": every table of different agents; "gauntlet": the first agent against each of the
            others, which takes all the other sides.
        random_plies: How many decisions at the beginning of each game are random, 0 to 1,000. With shared dice all
            games of a number begin in the same position. Games without chance between agents without randomness need
            some: they would all be the same.
        num_threads: The number of threads; None uses all processors.
        progress: As `sarai.rollout` takes it, for all games together.
        keep: Numbers of games that are kept whole in `Arena.records` for every seating; at most 10,000 records.

    Raises:
        ValueError: A number is out of range; there are too few agents, two have the same name, or one cannot play this
            game; or a game, preset, option, schedule or agent is unknown.
        TypeError: An argument, or a value returned by a policy, has the wrong type.
        IllegalActionError: A policy chose an action that is not legal.
        KeyboardInterrupt: Ctrl-C.
        Exception: Exceptions raised by a policy are passed on unchanged.

    Examples:
        >>> import sarai
        >>> a = sarai.arena("shuanglu", {"one ply": "expectimax:1", "rules": "greedy", "luck": "random"}, 100, seed=1)
        >>> [standing.name for standing in a.standings]
        ['one ply', 'rules', 'luck']
        >>> a.difference("rules", "luck").low > 0
        True
        >>> sarai.arena("shuanglu", ["greedy"])
        Traceback (most recent call last):
        ...
        ValueError: agents has 1 entry; it takes 2 to 100
    """
    book, start = game_and_start(game)
    found = _entrants(agents, book)
    return play_arena(
        Setting.of(book, start, seed, random_plies, num_threads),
        found,
        num_games,
        dice=dice,
        plan=schedule,
        progress=progress,
        keep=keep,
    )


def _entrants(agents: Mapping[str, Agent] | Iterable[Agent], book: Game) -> dict[str, Agent]:
    return schedule.entrants(agents, book)


def play_arena(
    setting: Setting,
    agents: Mapping[str, Agent],
    games: object,
    *,
    dice: str,
    plan: str,
    progress: ProgressOption,
    keep: Iterable[int] = (),
) -> Arena:
    """See `arena`; the agents are known to be able to play."""
    plan = schedule.one_of("schedule", plan, schedule.SCHEDULES)
    dice = schedule.one_of("dice", dice, schedule.DICE)
    orders = schedule.seatings(len(agents), setting.num_sides, plan)
    number = schedule.games_a_seating(games, orders)
    rows = rollout_records.rows(keep, number)
    if len(rows) * len(orders) > _MOST_RECORDS:
        raise ValueError(
            f"keep has {len(rows)} games of each of {len(orders)} seatings, which is more than {_MOST_RECORDS:,} "
            "records: keep fewer"
        )
    begun = time.perf_counter()
    played = []
    with shown(progress, setting.game.name, number * len(orders)) as report:
        for place, order in enumerate(orders):
            seats = schedule.seats(order, setting.sides, list(agents.values()))
            if rows:
                rollout_records.check_labels(setting.game, seats)
            first = 0 if dice == "shared" else place * number
            played.append(play_games(setting, seats, number, first, rows, report, place * number))
    seconds = time.perf_counter() - begun
    return Arena(
        game=setting.game.name,
        rules=setting.game.rules,
        names=tuple(agents),
        agents=tuple(label(agent) for agent in agents.values()),
        sides=setting.sides,
        schedule=plan,
        dice=dice,
        seed=setting.seed,
        random_plies=setting.random_plies,
        start=None if setting.start is None else str(setting.start),
        orders=orders,
        returns=np.stack([part.returns for part in played]),
        winner=np.stack([part.winner for part in played]),
        lengths=np.stack([part.lengths for part in played]),
        digests=np.stack([part.digests for part in played]),
        milliseconds=tuple(milliseconds(setting, agent) for agent in agents.values()),
        seconds=seconds,
        records={
            (place, row): record for place, part in enumerate(played) for row, record in part.records.items()
        },
    )


@dataclass(frozen=True, eq=False, repr=False)
class Arena(Tabular, by=("agent", "game")):
    """The games of N agents: S seatings of K sides, with G games each. `print` it or display it in a notebook.

    Seatings with the same agents are the seat orders of one table. As a table for other tools (`to_pandas`, `to_arrow`,
    `to_parquet`) it has a row for each agent, best first, or with by="game" for each game. Two results are equal if all
    their arrays are equal and they were played in the same way; times are not compared.

    Attributes:
        game: The game's name.
        rules: Every option of the game that was played.
        names: The names of the agents, in the order in which they were given.
        agents: Their labels, as in `sarai.results.Rollout`.
        sides: The side of each seat; partners share one.
        schedule: "round_robin" or "gauntlet".
        dice: "shared" or "own".
        seed: The seed.
        random_plies: The number of random decisions at the beginning of each game.
        start: The state from which every game started, as `str(state)` writes it; None for the usual start.
        orders: (S, K) int16, the agent on each side, as an index of `names`.
        returns: (S, G, K) float32, the final score of each side.
        winner: (S, G) int8, the side that won, -1 for a draw.
        lengths: (S, G) int32, decisions taken by all seats together.
        digests: (S, G) uint32, what tells the games of a seating apart, as in `sarai.results.Rollout`.
        milliseconds: For each agent, processor time of a decision, in ms; it was measured on one thread, after the
            games, in some more games of the agent with itself.
        seconds: How long the games took, in seconds of wall-clock time.
        records: The games that were kept, by seating and number.

    Raises:
        TypeError: A value does not have its documented type.
        ValueError: An array does not have its documented dtype and shape, or a value is out of range.

    Examples:
        >>> import sarai
        >>> a = sarai.arena("sho", ["greedy", "random"], 20, seed=1)
        >>> a
        Arena('sho', 2 agents, 42 games, seed=1)
        >>> a.orders.tolist()
        [[0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]]
        >>> a.difference("greedy", "gready")
        Traceback (most recent call last):
        ...
        ValueError: there is no agent 'gready' (did you mean 'greedy'?); the agents are greedy, random
    """

    game: str
    rules: dict[str, Any]
    names: tuple[str, ...]
    agents: tuple[str, ...]
    sides: tuple[int, ...]
    schedule: str
    dice: str
    seed: int
    random_plies: int
    start: str | None
    orders: NDArray[np.int16]
    returns: NDArray[np.float32]
    winner: NDArray[np.int8]
    lengths: NDArray[np.int32]
    digests: NDArray[np.uint32]
    milliseconds: tuple[float, ...]
    seconds: float
    records: dict[tuple[int, int], Record] = field(default_factory=dict)

    __hash__ = None  # type: ignore[assignment]  # arrays can change

    def __post_init__(self) -> None:
        arena_file.check_shapes(self)
        # JSON takes no numbers of numpy's.
        for name in ("seed", "random_plies"):
            object.__setattr__(self, name, int(getattr(self, name)))
        object.__setattr__(self, "seconds", float(self.seconds))
        object.__setattr__(self, "milliseconds", tuple(map(float, self.milliseconds)))

    @property
    def num_games(self) -> int:
        """S * G, the number of games."""
        return int(self.winner.size)

    @property
    def bounded(self) -> bool:
        """Whether every agent has both won and lost against the rest.

        If not, no rating is too high or too low to explain the results. Each pairing was then given a won and a lost
        game more, so that there are ratings, which say no more than that the difference is large.
        """
        return self._fit.bounded

    @cached_property
    def ratings(self) -> dict[str, Estimate]:
        """Elo by name, with 95% intervals; the mean of all agents is 0.

        A difference of d Elo means that one wins 10^(d / 400) times as often as the other, over all seat orders. The
        intervals are those of a Bayesian bootstrap over the groups of games that share dice, and nan where a pairing
        has fewer than half of its games distinct.
        """
        every = self._estimates(self._fit.ratings, self._fit.samples)
        return dict(zip(self.names, every, strict=True))

    @cached_property
    def seat_advantage(self) -> tuple[Estimate, ...]:
        """What each side is worth in Elo, with 95% intervals; the mean of all sides is 0."""
        shared = self.dice == "shared"
        found = fit_sides(self.orders, self._results.scores, len(self.names), self.seed, shared)
        return tuple(self._estimates(*found))

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """How each agent has done, best first."""
        results, found = self._results, []
        for place, name in enumerate(self.names):
            met = results.met(place)
            found.append(
                Standing(
                    name=name,
                    agent=self.agents[place],
                    rating=self.ratings[name],
                    games=int(self.winner[met].size),
                    wins=results.wins(place, met),
                    draws=int(np.count_nonzero(self.winner[met] < 0)),
                    score=results.score(place, met),
                    mean_return=results.mean_return(place, met, results.distinct(met) is not None),
                    milliseconds=self.milliseconds[place],
                )
            )
        return tuple(sorted(found, key=lambda standing: -standing.rating.value))

    @cached_property
    def pairings(self) -> tuple[Pairing, ...]:
        """What came of the games of each two agents that have met, in the order of their names."""
        pairs = [(one, other) for other in range(len(self.names)) for one in range(other)]
        found = [self._results.pairing(one, other, self.names) for one, other in sorted(pairs)]
        return tuple(pairing for pairing in found if pairing is not None)

    @property
    def crosstable(self) -> NDArray[np.float64]:
        """(N, N) float64: how often the agent of the row beats that of the column, 0 to 1, in the order of `names`.

        It is the share among the games that one of the two has won; a draw counts as half. NaN on the diagonal, and
        where two have not met.
        """
        return self._results.crosstable(len(self.names))

    def difference(self, one: str, other: str) -> Estimate:
        """By how many Elo one agent is ahead of another, with the 95% interval of the difference itself.

        Raises:
            ValueError: There is no agent of this name.
        """
        for name in (one, other):
            if name not in self.names:
                hint = arguments.suggestion(str(name), self.names)
                known = ", ".join(self.names)
                raise ValueError(
                    f"there is no agent {arguments.short(name)}{hint}; the agents are {known:.1000}"
                )
        first, second = self.names.index(one), self.names.index(other)
        ahead = self._fit.ratings[first] - self._fit.ratings[second]
        samples = self._fit.samples[:, first] - self._fit.samples[:, second]
        return self._estimates(np.array([ahead]), samples[:, np.newaxis])[0]

    @cached_property
    def _results(self) -> Results:
        return Results(self.orders, self.returns, self.winner, self.digests)

    @cached_property
    def _fit(self) -> Fit:
        shared = self.dice == "shared"
        return fit(self.orders, self._results.scores, len(self.names), self.seed, shared)

    def _estimates(self, values: NDArray[np.float64], samples: NDArray[np.float64]) -> list[Estimate]:
        every = np.ones(len(self.orders), bool)
        if self.winner.shape[1] < 2 or self._results.distinct(every) is not None:
            return [Estimate(value, np.nan, np.nan) for value in values.tolist()]
        low, high = interval(values, samples, self.winner.shape[1])
        return [Estimate(*ends) for ends in zip(values.tolist(), low.tolist(), high.tolist(), strict=True)]

    def __repr__(self) -> str:
        return f"Arena({self.game!r}, {len(self.names)} agents, {counted(self.num_games, 'game')}, seed={self.seed})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Arena):
            return NotImplemented
        return bool(
            arena_file.played_as(self) == arena_file.played_as(other)
            and self.records == other.records
            and validation.same_arrays(arena_file.arrays(self), arena_file.arrays(other))
        )

    def __str__(self) -> str:
        return arena_text.text(self._told())

    def _repr_html_(self) -> str:
        return arena_text.html(self._told())

    def _told(self) -> arena_text.Told:
        return arena_text.Told(
            game=self.game,
            num_games=self.num_games,
            seed=self.seed,
            random_plies=self.random_plies,
            names=self.names,
            standings=self.standings,
            pairings=self.pairings,
            crosstable=self.crosstable,
            seat_advantage=self.seat_advantage,
            bounded=self.bounded,
            seconds=self.seconds,
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain lists, dicts, texts and numbers, as `sarai arena --json` prints them."""
        return {
            **arena_file.played_as(self),
            "num_games": self.num_games,
            "bounded": self.bounded,
            "standings": [standing.to_dict() for standing in self.standings],
            "pairings": [pairing.to_dict() for pairing in self.pairings],
            "seat_advantage": [estimate.to_dict() for estimate in self.seat_advantage],
            "seconds": self.seconds,
        }

    def _table(self, by: str) -> Table:
        return arena_table.games(self) if by == "game" else arena_table.standings(self, self.standings)

    def plot(
        self,
        path: npz.StrPath | None = None,
        *,
        ax: Axes | None = None,
        panel: str | None = None,
    ) -> Figure:
        """Draw the ratings with their intervals, and the crosstable. If a path is given, also write the picture.

        Args:
            path: A file to write, in any format that matplotlib writes, such as .svg, .png or .pdf.
            ax: Axes on which one panel is drawn instead of a figure of its own, in their figure's style.
            panel: Which one: "ratings", as without, or "crosstable".

        Raises:
            ImportError: matplotlib is not installed (`pip install "sarai[plot]"`).
            ValueError: The path has another suffix.
            OSError: The picture cannot be written.
        """
        from sarai.matches.arena_plot import plot_arena

        return plot_arena(self._told(), path, ax, panel)

    def save(self, path: npz.StrPath) -> None:
        """Write a compressed numpy .npz to exactly this path.

        The file is written either completely or not at all.

        Raises:
            OSError: The file cannot be written; an existing file is left as it was.
            TypeError: The path is neither a str nor a path object.
            ValueError: The arrays have been changed so that they contradict the rules, and could not be loaded again.
        """
        arena_file.check(self)
        arena_file.write(self, path)

    @staticmethod
    def load(path: npz.StrPath) -> Arena:
        """Read what `save` wrote. Nothing in the file is ever executed.

        Raises:
            OSError: The file cannot be read; if it does not exist, this is a FileNotFoundError.
            TypeError: The path is neither a str nor a path object.
            ValueError: The file does not hold an arena, is damaged, or contradicts the rules.

        Examples:
            >>> import sarai, tempfile, os
            >>> a = sarai.arena("sho", ["greedy", "random"], 20, seed=1)
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     path = os.path.join(folder, "arena.npz")
            ...     a.save(path)
            ...     sarai.matches.Arena.load(path) == a == sarai.load(path)
            True

            >>> sarai.matches.Arena.load("no_such_file.npz")
            Traceback (most recent call last):
            ...
            FileNotFoundError: [Errno 2] No such file or directory: 'no_such_file.npz'
        """
        with npz.reading(path, "arena") as file:
            return Arena._read(file)

    @staticmethod
    def _read(file: npz.File) -> Arena:
        """What `save` wrote, checked."""
        found = Arena(**arena_file.read(file))
        arena_file.check(found)
        return found
