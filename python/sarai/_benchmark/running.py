"""`sarai.benchmark`: an agent against exact values and fixed opponents."""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple, TypeVar

import numpy as np

from sarai import _core
from sarai._base import arguments
from sarai._base.progress import ProgressOption, Report, shown
from sarai._benchmark import suite as suites
from sarai._benchmark.asking import actions, lacks_tables
from sarai._benchmark.card import Actions, GameScore, ScoreCard
from sarai._benchmark.suite import Suite, SuiteGame
from sarai._core import VERSION
from sarai._matches.arena import arena
from sarai._matches.ratings import fit_one
from sarai._tables.estimates import Estimate
from sarai.agents import Agent, label, one_agent_a_seat, parse

T = TypeVar("T")

MOST_BUDGETS = 20
UNITS = "decisions and games"
_NAME = "the agent"


def benchmark(
    agent: Agent,
    suite: str = "sarai-1",
    games: str | Iterable[str] | None = None,
    *,
    budget: float | Iterable[float] | None = None,
    num_games: int = 100,
    seed: int | None = None,
    num_threads: int | None = None,
    progress: ProgressOption = False,
) -> ScoreCard:
    """Measure how far an agent is from exact play, and how strong it is against fixed opponents.

    In each position of the suite, the agent chooses an action; its regret is the value of the best action minus that of
    the chosen one, in points, with perfect play afterwards. Then it plays the anchors of the suite in every seat, on
    the same dice. docs/benchmark.md describes the suite.

    Args:
        agent: An agent, as `sarai.rollout` takes it for a seat.
        suite: The name of the suite.
        games: The games of the suite, a name or a list; None takes all that a named agent can play. Other agents, such
            as policies and models, must be given the games that they play.
        budget: Measure the regret with so many milliseconds for each decision instead, a number or a list, such as
            [1, 10, 100]; for agents whose `analyse` takes `seconds`, which may be set to search for longer. The result
            depends on the machine, and no games are rated, since they take no limit of time.
        num_games: The games against each anchor, 4 or more; rounded up to an even number. 0 plays none.
        seed: 0 to 2**64 - 1; None draws one, which the card has as `seed`. The same seed gives the same card, times
            and budgets aside.
        num_threads: The number of threads of the rated games; None uses all processors. Positions use one.
        progress: As `sarai.rollout` takes it, for all decisions and rated games.

    Raises:
        ValueError: A suite, game or agent is unknown, the agent cannot play a game, or a number is out of range.
        TypeError: An argument, or a value returned by a policy, has the wrong type.
        IllegalActionError: A policy chose an action that is not legal.
        KeyboardInterrupt: Ctrl-C.

    Examples:
        >>> import sarai
        >>> card = sarai.benchmark("greedy", games="tshupu", num_games=0, seed=1)
        >>> regret = card.regret("tshupu")
        >>> 0 < regret.low < regret.value < regret.high < 0.2
        True
        >>> sarai.matches.ScoreCard.from_json(card.to_json()) == card
        True
        >>> sarai.benchmark(lambda observations, masks: masks.argmax(axis=1))
        Traceback (most recent call last):
        ...
        ValueError: games must name the games that this agent plays: shah, ...
    """
    asked = plan(agent, suite, games, budget, num_games)
    seed = arguments.seed(seed)
    begun = time.perf_counter()
    with shown(progress, asked.suite.name, asked.total, UNITS) as report:
        counter = _Counter(report)
        scores = {game.name: _score(game, asked, seed, num_threads, counter) for game in asked.games}
    return ScoreCard(
        agent=label(asked.player),
        suite=asked.suite.name,
        digest=asked.suite.digest,
        seed=seed,
        num_games=asked.rated,
        games=scores,
        sarai=VERSION,
        machine=machine(),
        seconds=time.perf_counter() - begun,
    )


class Plan(NamedTuple):
    """What a call is to do."""

    player: Agent
    suite: Suite
    games: list[SuiteGame]
    budgets: list[float]
    rated: int

    @property
    def total(self) -> int:
        """The decisions and rated games."""
        decisions = sum(len(game.positions) for game in self.games) * max(len(self.budgets), 1)
        anchors = sum(len(game.anchors) for game in self.games)
        return decisions + (self.rated + self.rated % 2) * anchors


def plan(
    agent: Agent,
    suite: str,
    games: str | Iterable[str] | None,
    budget: float | Iterable[float] | None,
    num_games: int,
) -> Plan:
    """What `benchmark` is to do, with its arguments checked.

    Raises:
        ValueError, TypeError: As `benchmark`.
    """
    loaded = suites.load(suite)
    player = _player(agent)
    chosen = [loaded.games[name] for name in _names(games, loaded, player)]
    rated = arguments.from_zero("num_games", num_games, 1_000_000)
    if 0 < rated < 4:
        raise ValueError(f"num_games got {rated}; it takes 0, or 4 or more")
    budgets = _budgets(budget)
    return Plan(player, loaded, chosen, budgets, 0 if budgets else rated)


def machine() -> str:
    """This machine in words."""
    return (
        f"{sys.platform} {platform.machine()}, {arguments.counted(os.cpu_count() or 1, 'processor')}, "
        f"Python {platform.python_version()}"
    )


class _Counter:
    """Counts what is done, and reports it."""

    def __init__(self, report: Report | None) -> None:
        self._report = report
        self._before = 0

    def told(self, done: int) -> None:
        """So much of this part is done."""
        if self._report is not None:
            self._report(self._before + done)

    def add(self, number: int) -> None:
        """A part is done."""
        self.told(number)
        self._before += number


def _player(agent: Agent) -> Agent:
    """The agent; what a name means is read once."""
    if isinstance(agent, str):
        return parse(agent)
    label(agent)
    return agent


def _names(games: str | Iterable[str] | None, suite: Suite, player: Agent) -> list[str]:
    known = tuple(suite.games)
    if games is not None:
        given = [games] if isinstance(games, str) else _few("games", games, len(known))
        names = [arguments.one_of("games", name, known) for name in given]
        if not names or len({*names}) < len(names):
            raise ValueError("games takes at least one name, and each only once")
        for name in names:
            _check(player, suite.games[name])
        return names
    if not isinstance(player, str):
        raise ValueError(f"games must name the games that this agent plays: {', '.join(known)}")
    names = [name for name in known if _can_play(player, suite.games[name])]
    if not names:
        _check(player, suite.games[known[0]])
    return names


def _few(name: str, given: Iterable[T], most: int) -> list[T]:
    if not isinstance(given, Iterable):
        raise TypeError(f"{name} must be one or a list of some, not {type(given).__name__}")
    # One more than there may be is enough to be refused, and an endless iterator ends.
    found = list(islice(given, most + 1))
    if len(found) > most:
        raise ValueError(f"{name} has more than {most} entries")
    return found


def _check(player: Agent, game: SuiteGame) -> None:
    _core.check_agents(game.game, one_agent_a_seat(player, game.game.num_players))


def _can_play(player: Agent, game: SuiteGame) -> bool:
    try:
        _check(player, game)
    except ValueError:
        return False
    return True


def _budgets(budget: float | Iterable[float] | None) -> list[float]:
    if budget is None:
        return []
    given: list[float]
    given = [budget] if arguments.is_number(budget) else _few("budget", budget, MOST_BUDGETS)  # type: ignore[arg-type]
    found = [arguments.number("budget", each) for each in given]
    if any(not 0 < each <= 1e6 for each in found) or len({*found}) < len(found):
        raise ValueError(
            f"budget got {arguments.short(budget)}; it takes different numbers of milliseconds above 0"
        )
    return found


def _score(game: SuiteGame, asked: Plan, seed: int, num_threads: int | None, counter: _Counter) -> GameScore:
    player, rated = asked.player, asked.rated
    states = [position.state for position in game.positions]
    chosen: Actions = (None,) * len(states)
    limited: dict[float, Actions] = {}
    seconds = 0.0
    for budget in asked.budgets:
        limited[budget] = actions(player, states, seed, budget)
        counter.add(len(states))
    if not limited:
        begun = time.perf_counter()
        chosen = actions(player, states, seed)
        seconds = time.perf_counter() - begun
        counter.add(len(states))
    rating: Estimate | None = None
    against: dict[str, tuple[int, int, int]] = {}
    if rated:
        try:
            rating, against = _rate(game, player, rated, seed, num_threads, counter)
        except ValueError as error:
            # It plays where its tables have the whole game.
            if not lacks_tables(player, error):
                raise
    return GameScore(game.name, chosen, rating, against, len(states) / seconds if seconds else 0.0, limited)


def _rate(
    game: SuiteGame, player: Agent, rated: int, seed: int, num_threads: int | None, counter: _Counter
) -> tuple[Estimate, dict[str, tuple[int, int, int]]]:
    """The rating, and the games won, drawn and lost against each anchor."""
    found = arena(
        game.game,
        {_NAME: player, **{anchor: anchor for anchor in game.anchors}},
        rated,
        seed=seed,
        schedule="gauntlet",
        random_plies=game.random_plies,
        num_threads=num_threads,
        progress=counter.told,
    )
    counter.add(found.num_games)
    side = (found.orders == 0).argmax(axis=1)[:, np.newaxis]
    scores = np.where(found.winner < 0, 0.5, found.winner == side)
    # Games of a number share their dice, so that both seats together are one observation.
    shares = np.stack([scores[place : place + 2].mean(axis=0) for place in range(0, len(scores), 2)], axis=1)
    value, low, high = fit_one(shares, np.array([*game.anchors.values()]), seed)
    if any(pairing.distinct is not None for pairing in found.pairings):
        low = high = np.nan
    against = {}
    for place, anchor in enumerate(game.anchors):
        games = scores[2 * place : 2 * place + 2]
        wins, draws = int((games == 1).sum()), int((games == 0.5).sum())
        against[anchor] = (wins, draws, games.size - wins - draws)
    return Estimate(value, low, high), against
