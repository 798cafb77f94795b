"""A network that learns by playing against itself."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sarai import _core
from sarai._base import arguments
from sarai._base.arguments import counted
from sarai._base.files import check_writable
from sarai._base.progress import ProgressOption, check_callback, shown
from sarai._core import Game
from sarai._game import as_game
from sarai._matches.arena import arena
from sarai._matches.standings import Pairing
from sarai._results.figures import check_matplotlib, target_of
from sarai._training.curve_plot import plot_curve
from sarai.agents import Agent, AlphaBeta, Network
from sarai.nets import Net, baselines, load

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_OPPONENT = "greedy"
_RANDOM_PLIES = 6
"""So many decisions are random at the beginning of an evaluation's games, where no dice tell them apart."""
_LONGEST = 60 * 24 * 365
"""Minutes."""


@dataclass(frozen=True)
class CurvePoint:
    """The strength of a network at one point of its training.

    Attributes:
        num_games: The number of games played so far, including those before a `resume`.
        seconds: The time that this call has trained it so far, in seconds of wall-clock time, without evaluations; not
            compared by ==.
        score: Its results against "greedy" over all sides.
        baseline: The same against the network of the package for these rules; None if there is none.
    """

    num_games: int
    seconds: float = field(compare=False)
    score: Pairing
    baseline: Pairing | None = None

    def __str__(self) -> str:
        told = []
        for score in (self.score, self.baseline):
            if score is not None:
                mean = score.mean_returns[0]
                alike = math.isnan(mean.low)
                interval = (
                    "games too alike for an interval" if alike else f"{mean.low:+.3f} to {mean.high:+.3f}"
                )
                told.append(f"{mean.value:+.3f} a game against {score.names[1]} ({interval})")
        return f"{counted(self.num_games, 'game')} in {self.seconds:,.0f} s: {', '.join(told)}"


@dataclass(frozen=True)
class Training:
    """The result of training.

    Attributes:
        net: The network.
        curve: Its strength during training and at the end.
        num_games: The number of games that this call played.
        seconds: The time that this took, in seconds of wall-clock time, without evaluations; not compared by ==.
    """

    net: Net
    curve: tuple[CurvePoint, ...]
    num_games: int
    seconds: float = field(compare=False)

    @property
    def seed(self) -> int:
        """The seed, which with the same number of games gives the same network again."""
        return int((self.net.training or {})["seed"])

    def plot(self, path: arguments.StrPath | None = None, *, ax: Axes | None = None) -> Figure:
        """Draw the learning curve: the mean return against "greedy" with its 95% interval, over the games played.

        Args:
            path: A file to write, in any format of Matplotlib, such as .svg, .png or .pdf.
            ax: Axes on which it is drawn instead of a figure of its own, in their figure's style.

        Raises:
            ImportError: Matplotlib is not installed.
            ValueError: The path has another suffix, or there is no point to draw.
            OSError: The file cannot be written.
        """
        if not self.curve:
            raise ValueError("there is no curve to draw: train with evaluations=1 or more")
        points = [(point.num_games, point.score.mean_returns[0]) for point in self.curve]
        return plot_curve(self.net.game.name, points, path, ax)

    def __str__(self) -> str:
        lines = [
            f"{counted(self.num_games, 'game')} in {self.seconds:,.1f} s: {self.net!r}",
            *map(str, self.curve),
        ]
        return "\n".join(lines)


def train(
    game: str | Game,
    *,
    num_games: int | None = None,
    minutes: float | None = None,
    hidden: int | None = None,
    seed: int | None = None,
    lambda_: float | None = None,
    rate: float | None = None,
    epsilon: float | None = None,
    ahead: int | None = None,
    tables: bool | None = None,
    resume: Net | arguments.StrPath | None = None,
    out: arguments.StrPath | None = None,
    evaluations: int = 10,
    evaluation_games: int = 400,
    plot: arguments.StrPath | None = None,
    progress: ProgressOption = True,
    report: Callable[[CurvePoint], object] | None = None,
) -> Training:
    """Train a network by self-play, by TD(lambda) on the positions at the ends of turns, on one thread.

    It takes a minute or less to beat "greedy" (docs/networks.md). Without dice, play by `agents.AlphaBeta` with the
    network.

    Args:
        game: A `Game`, or the name of one.
        num_games: The number of games to play. The same seed and number give the same network on every machine.
        minutes: The time to train, including evaluations except the last. The number of games, and so the network,
            depends on the machine. With both, training ends with whichever comes first.
        hidden: The units of the hidden layer, 1 to 1,024; None is 40.
        seed: 0 to 2**64 - 1, for dice, exploration and the initial weights; None draws one.
        lambda_: The λ of TD(λ): the share of a later position's target in that of an earlier one, 0 to 1; None is 0.7.
        rate: The initial learning rate, above 0, 1 at most; None is 0.08. It falls slowly with the number of games.
        epsilon: The probability of a random turn instead of the one that the network values most, 0 to 1, to four
            decimals; None is 0 in games with dice and 0.1 without.
        ahead: The turns of lookahead for targets, and without dice for choices; None is 1. In games of two players
            without dice up to 6; with dice 1, or 2, which takes the luck of the throws out of the targets: slower, and
            better to finish with, by `resume`.
        tables: Whether positions with few stones have the values of the exact tables in the package; a win counts a
            thousandth less for each turn that it takes. Only for rules that have such tables.
        resume: A network, or its file, whose weights training begins with; `hidden` is that of the network. If `train`
            made it for these rules and no setting from `seed` to `tables` is given, training continues as if it had not
            stopped: `num_games` and `minutes` count from there. With any of these settings, or with any other network
            of this game with as many seats, such as one of `nets.make`, a new training begins. The network has any
            encoding, one hidden layer, and one of outputs: sigmoids and the fixed last layer that `train` adds, or
            values that may be negative, which learn by their squared error.
        out: The file of the network, replaced atomically at each evaluation, at the end, and on Ctrl-C.
        evaluations: The number of evaluations against "greedy" and the baseline of these rules, if the package has one
            (`sarai.nets.baselines`), evenly spaced, the last at the end; 0 for none. There are fewer if `minutes`
            leaves no time for a game in between. Without dice, networks trained with `ahead` are evaluated with
            alpha-beta of the same depth.
        evaluation_games: The minimum number of games of each evaluation.
        plot: A file for the picture of the learning curve, in a format of Matplotlib, such as `.svg`; needs Matplotlib.
        progress: As `sarai.rollout` takes it: True shows a bar in a terminal or a notebook; a callable is called with
            the number of games, or of seconds if only `minutes` is given.
        report: Called with each `CurvePoint` after the network is written; an exception in it ends the training.

    Raises:
        ValueError: Neither num_games nor minutes is given, a number is out of range, or `resume` has other layers or is
            for another game or number of seats; or its weights are no longer finite, because the rate was too high.
        TypeError: An argument has the wrong type.
        OSError: The network cannot be written.
        ImportError: A plot is asked for, and Matplotlib is not installed.
        KeyboardInterrupt: Ctrl-C. `out` has the network so far.

    >>> import sarai
    >>> trained = sarai.train("shuanglu", num_games=20, evaluations=0, progress=False)
    >>> again = sarai.train("shuanglu", num_games=20, evaluations=0, seed=trained.seed, progress=False)
    >>> trained.num_games, trained.net == again.net
    (20, True)
    >>> sarai.train("shuanglu", num_games=-1)
    Traceback (most recent call last):
    ...
    ValueError: num_games got -1; it takes 0 to 100000000
    """
    book = as_game(game)
    most, limit = bounds(num_games, minutes)
    evaluations = arguments.from_zero("evaluations", evaluations, 1000)
    evaluation_games = arguments.from_zero("evaluation_games", evaluation_games, 1_000_000)
    check_callback("report", report)
    if plot is not None:
        check_matplotlib()
        target_of(plot)
        if not evaluations or not evaluation_games:
            raise ValueError("a plot shows evaluations: give evaluations and evaluation_games above 0")
    begun = resume if resume is None or isinstance(resume, Net) else load(resume)
    trainer = _trainer(book, begun, hidden, seed, lambda_, rate, epsilon, ahead, tables)
    for path in (out, plot):
        if path is not None:
            check_writable(Path(path), new_folder=False)
    run = _Run(book, trainer, "" if begun is None else begun.card, out)
    points: list[CurvePoint] = []
    total, unit = (most, "games") if num_games is not None else (int(limit or 0), "seconds")
    with shown(progress, f"{book.name}: training", total, unit) as bar:

        def told(done: int) -> None:
            if bar is not None:
                bar(min(done, total) if num_games is not None else min(int(run.elapsed()), total))

        try:
            for part in range(1, max(evaluations, 1) + 1):
                share = part / max(evaluations, 1)
                due = None if limit is None else limit * share
                run.play(round(most * share) if num_games is not None else most, due, told)
                # Evaluations take of the minutes, so the next one may be due before another game was played.
                new = bool(evaluations and evaluation_games) and run.evaluated != run.played
                if new:
                    points.append(run.point(evaluation_games))
                last = run.played >= most or (limit is not None and run.elapsed() >= limit)
                # What stands in the file is not replaced before something is learnt.
                if last or run.played:
                    run.save()
                if new and report is not None:
                    report(points[-1])
                if last:
                    break
        except KeyboardInterrupt:
            run.save()
            raise
    done = Training(net=run.net(), curve=tuple(points), num_games=run.played, seconds=run.trained)
    if plot is not None:
        done.plot(plot)
    return done


class _Run:
    """A training under way."""

    def __init__(self, book: Game, trainer: _core.Trainer, card: str, out: arguments.StrPath | None) -> None:
        self.book = book
        self.trainer = trainer
        self.card = card
        self.out = out
        self.baseline = baseline_of(book)
        self.before = self._games()
        self.trained = 0.0
        self.evaluated = -1
        self.begun = time.monotonic()

    def _told(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(self.trainer.training_json())
        return told

    def _games(self) -> int:
        return int(self._told()["games"])

    @property
    def played(self) -> int:
        return self._games() - self.before

    def elapsed(self) -> float:
        return time.monotonic() - self.begun

    def play(self, until: int, due: float | None, told: Callable[[int], None]) -> None:
        """Play until so many games are played, or so many seconds have passed since the beginning."""
        played = self.played
        seconds = None if due is None else max(due - self.elapsed(), 0.0)
        begun = time.monotonic()
        try:
            self.trainer.play(until - played, seconds=seconds, progress=lambda done: told(played + done))
        finally:
            self.trained += time.monotonic() - begun
        told(self.played)

    def point(self, games: int) -> CurvePoint:
        plies = 0 if self.trainer.has_dice() else _RANDOM_PLIES
        # Not on the dice of the games by which it learns.
        seed = arguments.MAX_NUMBER ^ int(self._told()["seed"])
        players: dict[str, Agent] = {"network": self._player(self.net()), _OPPONENT: _OPPONENT}
        if self.baseline is not None:
            name, net = self.baseline
            players[f"net:{name}"] = self._player(net)
        found = arena(self.book, players, games, schedule="gauntlet", random_plies=plies, seed=seed)
        self.evaluated = self.played
        return CurvePoint(self._games(), self.trained, *found.pairings)

    def _player(self, net: Net) -> Agent:
        """Without dice, a network looks as far ahead as the one that learns."""
        ahead = int(self._told().get("ahead", 1))
        return Network(net) if ahead == 1 or self.trainer.has_dice() else AlphaBeta(ahead, net)

    def net(self) -> Net:
        return Net._of(self.trainer.net(self.card))

    def save(self) -> None:
        if self.out is not None:
            self.net().save(self.out)


def baseline_of(book: Game) -> tuple[str, Net] | None:
    """The network that comes with the package for these rules, and its name."""
    known = ((name, load(name)) for name in baselines())
    return next(((name, net) for name, net in known if net.game == book), None)


def bounds(games: object, minutes: object) -> tuple[int, float | None]:
    """How many games a training takes at most, and how many seconds.

    Raises:
        ValueError: Neither is given, or a number is out of range.
        TypeError: One has the wrong type.
    """
    if games is None and minutes is None:
        raise ValueError("give num_games or minutes: how long to train")
    most = _core.MAX_GAMES if games is None else arguments.from_zero("num_games", games, _core.MAX_GAMES)
    if minutes is None:
        return most, None
    limit = arguments.number("minutes", minutes)
    if not 0 <= limit <= _LONGEST:
        raise ValueError(f"minutes got {arguments.short(minutes)}; it takes 0 to {_LONGEST}")
    return most, 60.0 * limit


def _trainer(
    book: Game,
    resume: Net | None,
    hidden: int | None,
    seed: int | None,
    lambda_: float | None,
    rate: float | None,
    epsilon: float | None,
    ahead: int | None,
    tables: bool | None,
) -> _core.Trainer:
    if resume is not None:
        if hidden is not None:
            raise ValueError("resume takes hidden from the network: leave it out")
        is_new = any(given is not None for given in (seed, lambda_, rate, epsilon, ahead, tables))
        if not is_new and resume.training is not None and resume.game == book:
            return _core.Trainer.resumed(book, resume._net)
    if tables and _core.exact_shipped(book) is None:
        raise ValueError(f"no exact tables of {book!r} come with the package; leave out tables")
    return _core.Trainer(
        book,
        begin=resume._net
        if resume is not None
        else 40
        if hidden is None
        else arguments.whole("hidden", hidden),
        seed=arguments.seed(seed),
        lambda_=None if lambda_ is None else arguments.number("lambda_", lambda_),
        rate=None if rate is None else arguments.number("rate", rate),
        epsilon=None if epsilon is None else arguments.number("epsilon", epsilon),
        ahead=1 if ahead is None else arguments.whole("ahead", ahead),
        tables=False if tables is None else tables,
    )
