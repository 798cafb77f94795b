"""A sequential test of two agents, which ends as soon as it may."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sarai._base import arguments
from sarai._base.progress import ProgressOption, shown
from sarai._base.terminal import printable
from sarai._core import Game, State
from sarai._matches import schedule
from sarai._matches.playing import Games, play_games
from sarai._playout import Run
from sarai._results.summary import few_distinct
from sarai._tables import notebook, text_table
from sarai._tables.estimates import Estimate, texts
from sarai._tables.plain import plain
from sarai.agents import Agent, label
from sarai.intervals import mean_interval

_FIRST_BATCH, _LARGEST_BATCH = 16, 4096
"""Pairs of games that are played in one call: at first, and at most."""

_SCORES = np.linspace(0, 1, 5)
"""What a pair of games can come to, per game."""
_UNSEEN = 1e-3
"""What is counted of a result that has not been seen."""
_HALVINGS = 60

Counts = tuple[int, int, int, int, int]


@dataclass(frozen=True)
class Sprt:
    """The result of a sequential probability ratio test. `print` it or display it in a notebook.

    Attributes:
        game: The game that was played.
        agents: The labels of the two agents.
        elo0: The Elo difference of hypothesis H0.
        elo1: The Elo difference of hypothesis H1.
        alpha: The largest probability of accepting H1 if H0 is true.
        beta: The largest probability of accepting H0 if H1 is true.
        seed: The seed.
        random_plies: The number of random decisions at the beginning of each game.
        max_games: The number of games after which the test would have ended anyway.
        accepted: "H0", "H1", or "undecided".
        llr: The log-likelihood ratio of H1 to H0.
        lower: At or below this ratio H0 is accepted.
        upper: At or above it H1 is accepted.
        counts: The number of pairs of games in which the first agent got 0, 1/2, 1, 3/2 and 2 points; a draw is half a
            point.
        elo: How far the first agent was ahead in Elo, with the 95% interval of a test of fixed length.
        distinct: The number of games that differ in how they ended, if fewer than half of them: nothing can be decided
            then. Otherwise None.
        seconds: How long the call took, in seconds of wall-clock time; not compared by ==.
    """

    game: Game
    agents: tuple[str, str]
    elo0: float
    elo1: float
    alpha: float
    beta: float
    seed: int
    random_plies: int
    max_games: int
    accepted: str
    llr: float
    lower: float
    upper: float
    counts: Counts
    elo: Estimate
    distinct: int | None
    seconds: float = field(compare=False)

    @property
    def num_games(self) -> int:
        """How many games it took: two for each pair."""
        return 2 * sum(self.counts)

    def __str__(self) -> str:
        table = text_table.lines(*self._table(), left=())
        return "\n".join([self._title(), "", *self._lines(), "", *table])

    def _repr_html_(self) -> str:
        return (
            notebook.heading(self._title())
            + "".join(map(notebook.line, self._lines()))
            + notebook.table(*self._table(), text_columns=0)
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain lists, dicts, texts and numbers."""
        return {**plain(self), "num_games": self.num_games}

    def _title(self) -> str:
        one, other = map(printable, self.agents)
        return f"{self.game}: is {one} ahead of {other} by {self.elo0:g} Elo (H0) or by {self.elo1:g} (H1)?"

    def _lines(self) -> list[str]:
        games = f"{self.num_games:,} games"
        if self.accepted != "undecided":
            verdict = f"{self.accepted} is accepted after {games}"
        elif self.distinct is not None:
            verdict = f"undecided: of {games} {self.distinct:,} are distinct; let random_plies begin them differently"
        else:
            verdict = f"undecided after {games}, the most that were allowed"
        ((value, interval),) = texts([self.elo], sign="+")
        return [
            verdict,
            f"log-likelihood ratio {self.llr:+.2f}, bounds {self.lower:+.2f} and {self.upper:+.2f}",
            f"Elo {value}, 95% interval {interval}",
        ]

    def _table(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        return ("points of a pair", "0", "1/2", "1", "3/2", "2"), [("pairs", *map(str, self.counts))]


def sprt(
    game: str | Game | State,
    a: Agent,
    b: Agent,
    *,
    elo0: float = 0,
    elo1: float = 20,
    alpha: float = 0.05,
    beta: float = 0.05,
    max_games: int = 20_000,
    seed: int | None = None,
    random_plies: int = 0,
    num_threads: int | None = None,
    progress: ProgressOption = False,
) -> Sprt:
    """Test whether one agent is ahead of another by `elo0` or by `elo1`, in as few games as possible.

    The agents play pairs of games with the same dice, with sides exchanged. After every pair, a generalised sequential
    probability ratio test on the points of the pairs decides whether to stop. The result does not depend on
    `num_threads`.

    Args:
        game: A game of two sides: its name (`sarai.games()`), a game made by `sarai.make`, or a state from which every
            game starts.
        a: The first agent, as `sarai.rollout` takes agents for a seat. In team games it has all seats of its side.
        b: The second agent.
        elo0: The difference in Elo, a over b, of hypothesis H0; -1,000 to 1,000.
        elo1: That of hypothesis H1; it must be larger.
        alpha: The largest probability of accepting H1 if H0 is true, above 0 and below 0.5.
        beta: The largest probability of accepting H0 if H1 is true, above 0 and below 0.5.
        max_games: The number of games after which the test ends undecided, 2 to 10,000,000.
        seed: 0 to 2**64 - 1; None draws one, which the result has as `seed`.
        random_plies: How many decisions at the beginning of each pair of games are random, 0 to 1,000. Deterministic
            agents in games without chance need some: if fewer than half of the games differ, nothing is decided.
        num_threads: The number of threads; None uses all processors.
        progress: As `sarai.rollout` takes it.

    Raises:
        ValueError: The game has more than two sides, a number is out of range, an agent cannot play this game, or a
            game, preset, option or agent is unknown.
        TypeError: An argument, or a value returned by a policy, has the wrong type.
        IllegalActionError: A policy chose an action that is not legal.
        KeyboardInterrupt: Ctrl-C.

    Examples:
        >>> import sarai
        >>> found = sarai.sprt("shuanglu", "expectimax:1", "greedy", seed=1)
        >>> found.accepted, found.num_games < 1000
        ('H1', True)
        >>> sarai.sprt("sho", "greedy", "random")
        Traceback (most recent call last):
        ...
        ValueError: sprt compares two agents in a game of two sides, but this sho has 3: ...
    """
    plies = arguments.random_plies(random_plies)
    run = Run.of(game, None, 0, seed, num_threads, random_plies=plies)
    book, sides = run.game, tuple(run.game.sides)
    if max(sides) != 1:
        raise ValueError(
            f"sprt compares two agents in a game of two sides, but this {book.name} has {max(sides) + 1}: "
            "choose a preset or options with two sides, or use sarai.arena"
        )
    agents = list(schedule.entrants({"a": a, "b": b}, book).values())
    low, high = check_bounds(elo0, elo1, alpha, beta)
    # Those of numpy would overflow.
    elo0, elo1, alpha, beta = float(elo0), float(elo1), float(alpha), float(beta)
    most = arguments.between("max_games", max_games, 2, schedule.MOST_GAMES)
    begun = time.perf_counter()
    parts: list[NDArray[np.int64]] = []
    kept: list[NDArray[np.uint32]] = []
    counts: NDArray[np.int64] = np.zeros(5, np.int64)
    decided, used = None, 0
    with shown(progress, book.name, most) as report:
        while decided is None and used < most // 2:
            first = used
            batch = min(max(_FIRST_BATCH, first // 2), _LARGEST_BATCH, most // 2 - first)
            played: list[Games] = []
            for order in (np.array([0, 1], np.int16), np.array([1, 0], np.int16)):
                seats = schedule.seats(order, sides, agents)
                done = 2 * first + batch * len(played)
                played.append(play_games(run, seats, batch, first, (), report, done))
            new = points_of(played[0].winner, 0) + points_of(played[1].winner, 1)
            decided = first_decision(new, elo0, elo1, low, high, counts)
            used += batch if decided is None else decided + 1
            counts += np.bincount(new, minlength=5)
            parts.append(new)
            kept.append(np.stack([part.digests for part in played]))
    points, digests = np.concatenate(parts)[:used], np.concatenate(kept, axis=1)[:, :used]
    distinct = _few(digests)
    ratio = float(log_ratios(cumulated(points)[-1:], elo0, elo1)[0])
    verdict = "undecided" if decided is None or distinct is not None else "H1" if ratio > 0 else "H0"
    found = np.bincount(points, minlength=5).tolist()
    return Sprt(
        game=book,
        agents=(label(a), label(b)),
        elo0=elo0,
        elo1=elo1,
        alpha=alpha,
        beta=beta,
        seed=run.seed,
        random_plies=plies,
        max_games=most,
        accepted=verdict,
        llr=ratio,
        lower=low,
        upper=high,
        counts=(found[0], found[1], found[2], found[3], found[4]),
        elo=_elo(points, distinct is not None),
        distinct=distinct,
        seconds=time.perf_counter() - begun,
    )


def check_bounds(elo0: float, elo1: float, alpha: float, beta: float) -> tuple[float, float]:
    """The ratios at which H0 and H1 are accepted.

    Raises:
        TypeError: An argument is no number.
        ValueError: One is out of range.

    >>> low, high = check_bounds(0, 20, 0.05, 0.05)
    >>> round(low, 3), round(high, 3)
    (-2.944, 2.944)
    >>> check_bounds(20, 0, 0.05, 0.05)
    Traceback (most recent call last):
    ...
    ValueError: elo1 got 0; it must be larger than elo0, which is 20
    """
    for name, value, least, most in (
        ("elo0", elo0, -1000, 1000),
        ("elo1", elo1, -1000, 1000),
        ("alpha", alpha, 0, 0.5),
        ("beta", beta, 0, 0.5),
    ):
        given = arguments.number(name, value)
        inside = least <= given <= most if most > 1 else least < given < most
        if not inside:
            between = f"from {least} to {most}" if most > 1 else f"above {least} and below {most}"
            told = arguments.in_words(value) if isinstance(value, int) else value
            raise ValueError(f"{name} got {told}; it takes a number {between}")
    alpha, beta = float(alpha), float(beta)
    if not float(elo0) < float(elo1):
        raise ValueError(f"elo1 got {elo1}; it must be larger than elo0, which is {elo0}")
    return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)


def points_of(winner: NDArray[np.int8], side: int) -> NDArray[np.int64]:
    """Twice the points of a side in each game: 2 for a win, 1 for a draw."""
    return np.where(winner < 0, 1, np.where(winner == side, 2, 0)).astype(np.int64)


def first_decision(
    points: NDArray[np.int64],
    elo0: float,
    elo1: float,
    low: float,
    high: float,
    before: NDArray[np.int64] | int = 0,
) -> int | None:
    """The first of some pairs after which the test is decided; None if it is not.

    Args:
        points: (n,) twice the points of each pair, 0 to 4.
        elo0: The difference of H0.
        elo1: The difference of H1.
        low: The ratio at which H0 is accepted.
        high: The ratio at which H1 is accepted.
        before: (5,) how many pairs of each kind there were before these; 0 for none.

    >>> first_decision(np.full(100, 4), 0, 20, -2.944, 2.944) is None
    False
    >>> first_decision(np.full(10, 2), 0, 20, -2.944, 2.944) is None
    True
    """
    ratios = log_ratios(before + cumulated(points), elo0, elo1)
    over = np.flatnonzero((ratios <= low) | (ratios >= high))
    return int(over[0]) if len(over) else None


def cumulated(points: NDArray[np.int64]) -> NDArray[np.int64]:
    """(n, 5): how many pairs of each kind there were after each pair."""
    return np.asarray((points[:, np.newaxis] == np.arange(5)).cumsum(axis=0))


def log_ratios(counts: NDArray[np.integer[Any]], elo0: float, elo1: float) -> NDArray[np.float64]:
    """The log-likelihood ratio of a difference of `elo1` to one of `elo0`, for each row of (n, 5) counts.

    Of all distributions of the points with a given mean, the likelihood is that of the one that fits best. A kind of
    pair that has not been seen counts as one thousandth of a pair.

    >>> log_ratios(np.array([[0, 0, 10, 0, 0], [0, 10, 10, 20, 10]]), 0, 20).round(2).tolist()
    [-0.59, 2.75]
    """
    seen = np.where(counts == 0, _UNSEEN, counts).astype(np.float64)
    total = seen.sum(axis=1, keepdims=True)
    shares = seen / total
    fits = [_best_fit(shares, 1 / (1 + 10 ** (-elo / 400))) for elo in (elo0, elo1)]
    ratios = total[:, 0] * (shares * (fits[1] - fits[0])).sum(axis=1)
    return np.asarray(ratios)


def _best_fit(shares: NDArray[np.float64], mean: float) -> NDArray[np.float64]:
    """The logarithm of each kind's likelihood to its share, in the likeliest distribution with this mean."""
    away = _SCORES - mean
    # The chances are share / (1 + tilt * away): that their mean is right decides the tilt, and all must be positive.
    low: NDArray[np.float64] = np.full(len(shares), -1 / away[-1])
    high: NDArray[np.float64] = np.full(len(shares), -1 / away[0])
    for _ in range(_HALVINGS):
        tilt = (low + high) / 2
        slope = (shares * away / (1 + tilt[:, np.newaxis] * away)).sum(axis=1)
        low, high = np.where(slope > 0, tilt, low), np.where(slope > 0, high, tilt)
    return np.asarray(-np.log1p((low + high)[:, np.newaxis] / 2 * away))


def _few(digests: NDArray[np.uint32]) -> int | None:
    """How many games differ, where fewer than half do; games with the sides exchanged differ."""
    places = np.arange(2, dtype=np.uint64)[:, np.newaxis] << np.uint64(32)
    return few_distinct((digests + places).reshape(-1))


def _elo(points: NDArray[np.int64], alike: bool) -> Estimate:
    """The Elo difference of the mean score, kept half a pair away from all and nothing."""
    mean, low, high = mean_interval(points / 4, (0, 1))
    edge = 0.5 / (len(points) + 1)
    value, low, high = (
        0.0 - 400 * math.log10(1 / min(max(score, edge), 1 - edge) - 1) for score in (mean, low, high)
    )
    return Estimate(value, low, high) if low < high and not alike else Estimate(value, math.nan, math.nan)
