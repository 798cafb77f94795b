"""Many agents against one another, and how strong each is."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sarai._base import arguments
from sarai._base.arguments import StrPath, counted
from sarai._base.progress import ProgressOption, shown
from sarai._core import Game, State
from sarai._game import game_and_start, returns_bounds
from sarai._matches import arena_text
from sarai._matches import schedule as plans
from sarai._matches.playing import play_games
from sarai._matches.ratings import Fit, fit, fit_sides, interval
from sarai._matches.standings import Pairing, Results, Standing
from sarai._playout import Run
from sarai._records.record import Record
from sarai._results import kept, validation
from sarai._results import result as of
from sarai._results.result import RANDOM_PLIES, SECONDS, START, attribute, first
from sarai._tables.columns import Column, Labels, Table, of_rows
from sarai._tables.estimates import Estimate
from sarai.agents import Agent, label

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
    first_game: int = 0,
    keep: Iterable[int] = (),
) -> Arena:
    """Play agents against each other in all seat orders, and rate them.

    Each table (two agents in a game of two sides, more in one of more) plays every seat order equally often. The result
    does not depend on `num_threads`. In team games, all seats of a side have the same agent. With fewer agents than
    sides, some agents have several sides of a table.

    Args:
        game: A game, its name as `sarai.make` takes it, or a state from which every game starts.
        agents: 2 to 100 agents by name, or a list of agents, which are then named by their labels; each as
            `sarai.rollout` takes an agent for a seat.
        num_games: The number of games of each table, rounded up to whole rounds of seat orders. All tables together
            have at most 10,000,000 games.
        seed: 0 to 2**64 - 1; None draws one, which the result has as `seed`.
        dice: "shared": game i of every seating has the same dice, so luck cancels out; "own": every game has its own.
        schedule: "round_robin": every table of different agents; "gauntlet": the first agent, on every side, against
            each of the others, which takes all the other sides.
        random_plies: The number of random decisions at the beginning of each game, 0 to 1,000. With shared dice, games
            with the same number begin in the same position. Without chance and with deterministic agents, all games
            would be the same, so use some.
        num_threads: The number of threads; None uses all processors.
        progress: As `sarai.rollout` takes it, for all games together.
        first_game: The number of the first game of each seating. With shared dice you can split an arena with it
            (`Arena.concatenate`).
        keep: Games, from 0 on, that are kept whole in `Arena.records` for every seating; at most 10,000 records.

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
    found = plans.entrants(agents, game_and_start(game)[0])
    players = list(found.values())
    plies = arguments.random_plies(random_plies)
    first_game = arguments.from_zero("first_game", first_game)
    run = Run.of(game, None, 0, seed, num_threads, first=first_game, random_plies=plies)
    schedule = arguments.one_of("schedule", schedule, plans.SCHEDULES)
    dice = arguments.one_of("dice", dice, plans.DICE)
    sides = tuple(run.game.sides)
    orders = plans.seatings(len(players), max(sides) + 1, schedule)
    number = plans.games_a_seating(num_games, orders)
    rows = kept.rows(keep, number)
    if len(rows) * len(orders) > _MOST_RECORDS:
        raise ValueError(
            f"keep has {len(rows)} games of each of {len(orders)} seatings, which is more than {_MOST_RECORDS:,} "
            "records: keep fewer"
        )
    begun = time.perf_counter()
    played = []
    with shown(progress, run.game.name, number * len(orders)) as report:
        for place, order in enumerate(orders):
            first = first_game + (0 if dice == "shared" else place * number)
            seats = plans.seats(order, sides, players)
            played.append(play_games(run, seats, number, first, rows, report, place * number))
    seconds = time.perf_counter() - begun
    spent = np.zeros((len(players), 2))
    np.add.at(spent, orders, np.stack([part.spent for part in played]))
    return Arena(
        **{**run.told, "agents": tuple(map(label, players))},
        names=tuple(found),
        schedule=schedule,
        dice=dice,
        start=run.start_text,
        returns=np.stack([part.returns for part in played]),
        winner=np.stack([part.winner for part in played]),
        lengths=np.stack([part.lengths for part in played]),
        digests=np.stack([part.digests for part in played]),
        milliseconds=tuple(1000 * taken / number if number else 0.0 for taken, number in spent.tolist()),
        seconds=seconds,
        records={
            (place, row): record for place, part in enumerate(played) for row, record in part.records.items()
        },
    )


def _labels(name: str, value: Any, game: Game) -> tuple[str, ...]:
    return validation.labels(name, value, len(value))


@dataclass(frozen=True, eq=False, repr=False)
class Arena(
    kept.HasRecords,
    kind="arena",
    rows={"agent": (), "pairing": (), "game": ("seating", "game")},
    along="game",
):
    """The games of N agents: S seatings of K sides, with G games each. `print` it or display it in a notebook.

    Seatings with the same agents are the seat orders of one table. As a table for other tools (`to_pandas`, `to_arrow`,
    `to_parquet`) it has a row for each agent, best first; with by="pairing" for each two agents that have met, and for
    each side of the first of them; with by="game" for each game. Two results are equal if all their arrays are equal
    and they were played in the same way; times are not compared.

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

    agents: tuple[str, ...] = field(
        metadata=attribute("the labels of the agents, as in `sarai.results.Rollout`", _labels)
    )
    names: tuple[str, ...] = field(
        metadata=attribute("the names of the agents, in the order in which they were given", _labels)
    )
    schedule: str = field(
        metadata=attribute(
            '"round_robin" or "gauntlet"',
            lambda name, value, game: arguments.one_of(name, value, plans.SCHEDULES),
        )
    )
    dice: str = field(
        metadata=attribute(
            '"shared" or "own"', lambda name, value, game: arguments.one_of(name, value, plans.DICE)
        )
    )
    winner: NDArray[np.int8] = field(metadata=of.winner("seating", "game"))
    lengths: NDArray[np.int32] = field(metadata=of.lengths("seating", "game"))
    returns: NDArray[np.float32] = field(
        metadata=of.returns("seating", "game", "side", about="the final score of each side")
    )
    digests: NDArray[np.uint32] = field(
        metadata=of.digests(
            "seating",
            "game",
            about="equal for games of a seating that ended alike, as in `sarai.results.Rollout`",
        )
    )
    first_game: int = field(metadata=first("game"))
    milliseconds: tuple[float, ...] = field(
        compare=False,
        metadata=attribute(
            "for each agent, how long a decision took on average, in ms by the wall clock, while these games were "
            "played: a policy is timed whenever it is asked, an agent inside the engine in every eighth game; 0 if "
            "there was no such decision; `==` ignores it",
            lambda name, value, game: tuple(
                validation.time_taken(name, each) for each in _tuple(name, value)
            ),
            "own",
        ),
    )
    seconds: float = field(compare=False, metadata=SECONDS)
    random_plies: int = field(default=0, metadata=RANDOM_PLIES)
    start: str | None = field(default=None, metadata=START)
    records: dict[tuple[int, int], Record] = field(
        default_factory=dict, metadata={"about": "the games that were kept, by seating and number"}
    )

    def __post_init__(self) -> None:
        count = len(_tuple("names", self.names))
        if not 2 <= count <= plans.MOST_AGENTS or len(set(self.names)) < count:
            raise ValueError(f"names must be a tuple of different names, not {arguments.short(self.names)}")
        for name in ("agents", "milliseconds"):
            if len(_tuple(name, getattr(self, name))) != count:
                raise ValueError(f"{name} must be a tuple with one value for each of {count} agents")
        super().__post_init__()
        if len(self.winner) != len(self.orders) or not self.winner.shape[1]:
            raise ValueError(
                f"a {self.schedule} of {count} agents has {len(self.orders)} seatings with one game or more each, "
                f"not {self.winner.shape}"
            )

    @cached_property
    def orders(self) -> NDArray[np.int16]:
        """(S, K) int16, the agent on each side in each seating, as an index of `names`."""
        return plans.seatings(len(self.names), max(self.sides) + 1, self.schedule)

    @property
    def num_games(self) -> int:
        """S * G, the number of games."""
        return int(self.winner.size)

    @property
    def bounded(self) -> bool:
        """Whether every agent has both won and lost against the rest.

        If not, the likelihood has no maximum. Each pairing then gets one extra won and one extra lost game, and the
        ratings only show that the difference is large.
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

    def pairing(self, one: str, other: str, side: int | None = None) -> Pairing:
        """The results of the games of two agents: of all, or of those in which the first had a side.

        Raises:
            ValueError: There is no agent of this name or no such side, or the two have not met.
            TypeError: A side is no whole number.

        >>> import sarai
        >>> a = sarai.arena("shuanglu", ["expectimax:1", "greedy", "random"], 200, seed=1, schedule="gauntlet")
        >>> found = a.pairing("expectimax:1", "random", side=0)
        >>> found.games, found.win_shares[0].low > 0.8
        (100, True)
        >>> a.pairing("greedy", "random")
        Traceback (most recent call last):
        ...
        ValueError: 'greedy' and 'random' have not met
        """
        first, second = self._place(one), self._place(other)
        on = None if side is None else arguments.from_zero("side", side, max(self.sides))
        found = None if first == second else self._results.pairing(first, second, self.names, on)
        if found is None:
            raise ValueError(f"{arguments.short(one)} and {arguments.short(other)} have not met")
        return found

    def _place(self, name: str) -> int:
        if name not in self.names:
            hint = arguments.suggestion(str(name), self.names)
            known = ", ".join(self.names)
            raise ValueError(f"there is no agent {arguments.short(name)}{hint}; the agents are {known:.1000}")
        return self.names.index(name)

    def by_side(self) -> list[Pairing]:
        """Each pairing, followed by those on each side of its first agent."""
        found = []
        for pairing in self.pairings:
            one, other = map(self.names.index, pairing.names)
            sides = range(max(self.sides) + 1)
            parts = (self._results.pairing(one, other, self.names, side) for side in sides)
            found += [pairing, *(part for part in parts if part is not None)]
        return found

    @property
    def crosstable(self) -> NDArray[np.float64]:
        """(N, N) float64: how often the agent of the row beats that of the column, 0 to 1, in the order of `names`.

        It is the share among the games that one of the two has won; a draw counts as half. NaN on the diagonal, and
        where two have not met.
        """
        return self._results.crosstable(len(self.names))

    def difference(self, one: str, other: str) -> Estimate:
        """How far one agent is ahead of another in Elo, with the 95% interval of the difference itself.

        Raises:
            ValueError: There is no agent of this name.
        """
        first, second = self._place(one), self._place(other)
        ahead = self._fit.ratings[first] - self._fit.ratings[second]
        samples = self._fit.samples[:, first] - self._fit.samples[:, second]
        return self._estimates(np.array([ahead]), samples[:, np.newaxis])[0]

    @cached_property
    def _results(self) -> Results:
        bounds, shared = returns_bounds(self.game), self.dice == "shared"
        return Results(self.orders, self.returns, self.winner, self.digests, bounds, shared)

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
        games = counted(self.num_games, "game")
        return f"Arena({str(self.game)!r}, {len(self.names)} agents, {games}, seed={self.seed})"

    def __str__(self) -> str:
        return arena_text.text(self)

    def _repr_html_(self) -> str:
        return arena_text.html(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain lists, dicts, texts and numbers, as `sarai arena --json` prints them."""
        return {
            **self._said(),
            "num_games": self.num_games,
            "bounded": self.bounded,
            "standings": [standing.to_dict() for standing in self.standings],
            "pairings": [pairing.to_dict() for pairing in self.pairings],
            "seat_advantage": [estimate.to_dict() for estimate in self.seat_advantage],
            "seconds": self.seconds,
        }

    def _table(self, by: str) -> Table:
        if by == "game":
            return super()._table(by)
        every = self.by_side() if by == "pairing" else self.standings
        rows = [{"game": str(self.game), **one.to_columns()} for one in every]
        return of_rows("arena", rows, {**self._said(), "by": by})

    def _places(self, by: str) -> dict[str, Column]:
        seatings, games = self.winner.shape
        return {
            "seating": np.repeat(np.arange(seatings, dtype=np.int32), games),
            "game_of_seating": np.tile(np.arange(games, dtype=np.int32), seatings),
            **{
                f"agent_{side}": Labels.of(self.names, np.repeat(self.orders[:, side], games))
                for side in range(self.orders.shape[1])
            },
        }

    @classmethod
    def concatenate(cls, parts: Iterable[Arena]) -> Arena:
        """Join arenas of the same game, agents, schedule and seed whose games follow one another (`first_game`).

        The result equals an arena that plays all the games in one call; policies are compared by label, seconds added
        up, and milliseconds averaged over the games.

        Raises:
            TypeError: A part is something else.
            ValueError: There are no parts, the parts were played differently, one does not begin where the previous
                one ends, or every game has dice of its own (`dice="own"`): which these are depends on how many games a
                call plays.

        >>> import sarai
        >>> whole = sarai.arena("shuanglu", ["greedy", "random"], 20, seed=1)
        >>> parts = [sarai.arena("shuanglu", ["greedy", "random"], 10, seed=1, first_game=first) for first in (0, 5)]
        >>> sarai.matches.Arena.concatenate(parts) == whole
        True
        """
        parts = Arena._alike(parts)
        if parts[0].dice == "own":
            raise ValueError('arenas are joined with dice="shared" only: play dice="own" in one call')
        weights = [len(part) for part in parts]
        each = np.average([part.milliseconds for part in parts], axis=0, weights=weights)
        return Arena._joined(parts, milliseconds=tuple(each.tolist()))

    def _check_rules(self) -> None:
        by_seat = self.returns.reshape(-1, self.returns.shape[2])[:, list(self.sides)]
        validation.check_outcomes(self.game, self.winner.reshape(-1), by_seat)

    def _expected(self, row: int) -> kept.Expected:
        seating, game = divmod(row, self.winner.shape[1])
        return kept.Expected(
            kept.begin(self.game, self.start),
            tuple(plans.seats(self.orders[seating], self.sides, list(self.agents))),
            self.seed,
            self.first_game + (game if self.dice == "shared" else row),
            self.returns[seating, game][list(self.sides)],
            int(self.winner[seating, game]),
            int(self.lengths[seating, game]),
        )

    def plot(
        self,
        path: StrPath | None = None,
        *,
        ax: Axes | None = None,
        panel: str | None = None,
    ) -> Figure:
        """Draw the ratings with their intervals, and the crosstable. If a path is given, also write the picture.

        Args:
            path: A file to write, in any format of Matplotlib, such as .svg, .png or .pdf.
            ax: Axes on which to draw one panel instead of making a figure, in their figure's style.
            panel: Which one: "ratings", as without, or "crosstable".

        Raises:
            ImportError: Matplotlib is not installed (`pip install "sarai[plot]"`).
            ValueError: The path has another suffix.
            OSError: The picture cannot be written.
        """
        from sarai._matches.arena_plot import plot_arena

        return plot_arena(self, path, ax, panel)


def _tuple(name: str, value: object) -> tuple[Any, ...]:
    if not isinstance(value, tuple):
        raise ValueError(f"{name} must be a tuple, not {arguments.short(value)}")
    return value
