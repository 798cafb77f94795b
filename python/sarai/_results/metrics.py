"""Metrics of a game, added up by the engine while games are played."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sarai import _core
from sarai._base import arguments
from sarai._base.arguments import counted
from sarai._base.progress import ProgressOption
from sarai._base.terminal import printable
from sarai._core import Game, State
from sarai._nets.net import Net
from sarai._playout import Run
from sarai._render.svg import Svg
from sarai._results import metric_values, sketches, skill
from sarai._results.measures import BY_NAME
from sarai._results.metric_values import Metric
from sarai._results.place_counts import KINDS, PlaceCounts
from sarai._results.result import RANDOM_PLIES, SECONDS, START, Result, attribute, first
from sarai._tables import notebook, text_table
from sarai._tables.columns import Labels, Table, of_rows
from sarai._tables.estimates import Estimate, texts
from sarai._tables.plain import plain
from sarai.agents import Agents

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_HEADER = ("metric", "unit", "value", "95% interval", "std", "median", "min", "max")

# log10 of what has this logarithm to the base of 2.
_DECADES = math.log10(2)


def metrics(
    game: str | Game | State,
    agents: Agents = "random",
    num_games: int = 10_000,
    *,
    seed: int | None = None,
    evaluator: str | Net | None = None,
    num_threads: int | None = None,
    progress: ProgressOption = False,
    first_game: int = 0,
    random_plies: int = 0,
    board_games: int = 500,
    skill_levels: int = 0,
    skill_games: int = 200,
    per_game: bool = False,
) -> Metrics:
    """Measure a game: its length, its options, its balance, and the other metrics of docs/metrics.md.

    The games are those that `sarai.rollout` plays for the same arguments. They are measured in Rust while they are
    played; memory does not grow with them. The result does not depend on `num_threads`. Ctrl-C stops the call within a
    second (KeyboardInterrupt).

    Args:
        game: A game, its name as `sarai.make` takes it, or a state from which every game starts.
        agents: One agent for all seats, or a list with one per seat, as in `sarai.rollout`.
        num_games: The number of games, 1 to 100,000,000.
        seed: 0 to 2**64 - 1; None draws one, which the result has as `seed`.
        evaluator: The evaluator of positions, for the metrics that need one: "heuristic", the game's own evaluation;
            "playout:N", the mean of N random games from there, N from 1 to 10,000; "playout=greedy", a greedy
            game; or a network (`sarai.nets.Net`, or
            its name as in "net:FILE"). It evaluates every position in which a player decides, and every option there.
            None omits these metrics.
        num_threads: The number of threads; None uses all processors.
        progress: True shows a progress bar in a terminal or notebook; a callable is called with the number of games
            finished, about ten times a second and once at the end.
        first_game: The number of the first game.
        random_plies: The number of random decisions at the beginning of each game, 0 to 1,000.
        board_games: The number of games, from the first on, in which to count different positions ("state_space") and
            where pieces stand and are taken (`Metrics.heat_map`), 0 to 100,000,000; these games take two to four times
            as long.
        skill_levels: The number of doublings of effort in the skill trace, 0 to 12; 0 omits it. It plays separate games
            with its own agents: "mcts:2" against "mcts:1", "mcts:4" against "mcts:2" and so on, from the usual start.
        skill_games: The games of each level, from the number of sides to 1,000,000.
        per_game: Whether to keep the values of each game: `to_pandas("game")` has them.

    Returns:
        The metrics by name, each with its 95% interval.

    Raises:
        ValueError: A number is out of range; a game, preset, option, agent or evaluator is unknown; an evaluator does
            not fit the game; or as for `sarai.rollout`.
        TypeError: An argument, or a value returned by a policy, has the wrong type.
        IllegalActionError: A policy chose an action that is not legal.
        KeyboardInterrupt: Ctrl-C.
        Exception: Exceptions raised by a policy are passed on unchanged.

    Examples:
        >>> import sarai
        >>> m = sarai.metrics("sho", num_games=200, seed=7)
        >>> m["duration_turns"].mean == float(sarai.rollout("sho", num_games=200, seed=7).turns.mean())
        True
        >>> m["completion"].interval[1], m["branching_factor"].curve.label
        (1.0, 'part of the game')
        >>> judged = sarai.metrics("shah", num_games=20, evaluator="heuristic", seed=0)
        >>> judged.evaluator, "drama" in judged, "drama" in m
        ('heuristic', True, False)

        The most dramatic of them, to look at:

        >>> judged = sarai.metrics("shah", num_games=20, evaluator="heuristic", per_game=True, seed=0)
        >>> best = judged.to_pandas("game").nlargest(1, "drama")
        >>> sarai.Record.play("shah", seed=0, number=int(best.number.iloc[0])).finished
        True

        >>> sarai.metrics("sho", evaluator="clever")
        Traceback (most recent call last):
        ...
        ValueError: unknown evaluator 'clever'; there are "heuristic", ...
    """
    run = Run.of(game, agents, num_games, seed, num_threads, progress, first_game, random_plies)
    levels = arguments.whole("skill_levels", skill_levels)
    each = arguments.whole("skill_games", skill_games)
    if levels:
        skill.check(run.game, levels, each)
    begun = time.perf_counter()
    found, _ = run.ask(
        _core.metrics,
        board_games=board_games,
        evaluator=_evaluator(evaluator),
        per_game=arguments.flag("per_game", per_game),
    )
    measured = _metrics(run.game, found, min(int(board_games), found["games"]))
    if levels:
        measured.append(skill.skill_trace(run.game, levels, each, run.seed, num_threads))
    return Metrics(
        **run.told,
        evaluator=found["evaluator"],
        num_games=found["games"],
        start=run.start_text,
        distinct=_distinct(found),
        seconds=time.perf_counter() - begun,
        by_name={one.name: one for one in measured},
        games=None if found["per_game"] is None else _games(found),
        places=PlaceCounts.of(found, len(set(run.game.sides))),
    )


def _evaluator(evaluator: object) -> str | None:
    """The name of an evaluator.

    Raises:
        TypeError: It is none.
    """
    if evaluator is None or isinstance(evaluator, str):
        return evaluator
    if isinstance(evaluator, Net):
        return f"net:{evaluator._net.name()}"
    raise TypeError(
        f"evaluator must be a name, a sarai.nets.Net or None, not {type(evaluator).__name__}; "
        'there are "heuristic", "playout:N", "playout=greedy" and "net:FILE"'
    )


def _distinct(found: dict[str, Any]) -> int | None:
    """How many games differ, where fewer than half of them do: a thousand that are all alike tell as much as one."""
    distinct = round(sketches.estimate(found["ends"]))
    return distinct if 2 * distinct < found["games"] else None


def _metrics(game: Game, found: dict[str, Any], board_games: int) -> list[Metric]:
    """Every metric, from the sums."""
    games = found["games"]
    alike = _distinct(found) is not None
    spreads = found["spreads"]
    sides = len(set(game.sides))
    wins = found["wins"][:sides]
    draws, timeouts = found["draws"], found["timeouts"]

    def share(name: str, part: int, of: int = games) -> Metric:
        return metric_values.from_values(name, {1.0: part, 0.0: of - part}, alike)

    def spread(name: str, factor: float = 1.0) -> Metric:
        return metric_values.from_spread(name, spreads[name], alike, factor)

    registers = found["boards"].reshape(-1, 1 << 14)
    measured = [
        spread("duration_turns"),
        spread("duration_decisions"),
        *metric_values.branching(found, alike),
        spread("game_tree_complexity", _DECADES),
        metric_values.state_space(registers, board_games),
        spread("decision_moves"),
        share("completion", sum(wins)),
        share("drawishness", draws),
        share("timeouts", timeouts),
        metric_values.balance(wins, games, alike),
    ]
    for seat, side in enumerate(game.sides):
        nobody = draws + timeouts
        values = {1 - 1 / sides: wins[side], -1 / sides: games - nobody - wins[side], 0.0: nobody}
        measured.append(metric_values.from_values(f"advantage_{seat}", values, alike))
    measured.append(metric_values.uniformity(found["returns"][: game.num_players], games, alike))
    if found["evaluator"] is not None:
        behind, decided = found["comebacks"]
        judged = [name for name in spreads if BY_NAME[name].judged]
        measured += [spread(name) for name in judged]
        measured.append(share("comeback_probability", behind, decided))
    return measured


def _games(found: dict[str, Any]) -> dict[str, NDArray[np.float64]]:
    """The values of each game, of the metrics that were measured."""
    values, judged = found["per_game"], found["evaluator"] is not None
    columns = {name: values[:, place].copy() for place, name in enumerate(found["spreads"])}
    columns["game_tree_complexity"] *= _DECADES
    return {name: column for name, column in columns.items() if judged or not BY_NAME[name].judged}


@dataclass(frozen=True, eq=False, repr=False)
class Metrics(Result, Mapping[str, Metric], by=("metric", "place", "game")):
    """Metrics of a game by name: `m["drama"]`, `m.items()`. `print` it or display it in a notebook.

    As a table (`to_pandas`, `to_arrow`, `to_parquet`) it has a row for each metric; with "place" for each side and
    place of the board; or with "game" for each game, if measured with `per_game=True`; see docs/data.md.

    Two are equal if all their metrics are equal and were measured in the same way; the time taken is not compared.

    Examples:
        >>> import sarai
        >>> sarai.metrics("sho", "greedy", 50, seed=0)
        Metrics('sho', 50 games, agents=('greedy', 'greedy', 'greedy'), seed=0, evaluator=None)

        >>> sarai.metrics("sho", "greedy", 50, seed=0)["charm"]
        Traceback (most recent call last):
        ...
        KeyError: ...
    """

    evaluator: str | None = field(metadata=attribute("the name of the evaluator; None without one"))
    first_game: int = field(metadata=first("game"))
    num_games: int = field(metadata=attribute("the number of games"))
    random_plies: int = field(metadata=RANDOM_PLIES)
    start: str | None = field(metadata=START)
    distinct: int | None = field(
        metadata=attribute(
            "about how many games differ in how they ended, where fewer than half of them do; otherwise None. Nothing "
            "has an interval then, as in `sarai.results.Summary`"
        )
    )
    seconds: float = field(compare=False, metadata=SECONDS)
    by_name: dict[str, Metric] = field(metadata={"about": "the metrics"})
    games: dict[str, NDArray[np.float64]] | None = field(
        metadata={
            "about": "the value of each game, by metric, NaN where it has none; None without `per_game=True`"
        }
    )
    places: PlaceCounts | None = field(
        metadata={"about": "where pieces stood and were taken; None with `board_games=0`"}
    )

    def __getitem__(self, name: str) -> Metric:
        if name in self:
            return self.by_name[name]
        judged = isinstance(name, str) and name in BY_NAME and BY_NAME[name].judged
        why = "needs an evaluator" if judged else "is not a metric"
        raise KeyError(f"{arguments.short(name)} {why}; there are {', '.join(self.by_name)}")

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_name)

    def __len__(self) -> int:
        return len(self.by_name)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self.by_name

    def __repr__(self) -> str:
        return (
            f"Metrics({str(self.game)!r}, {counted(self.num_games, 'game')}, agents={self.agents}, seed={self.seed}, "
            f"evaluator={self.evaluator!r})"
        )

    def __str__(self) -> str:
        return "\n".join([self._title(), "", *text_table.lines(_HEADER, self._rows(), left=(0, 1))])

    def _repr_html_(self) -> str:
        return notebook.heading(self._title()) + notebook.table(_HEADER, self._rows(), text_columns=2)

    def to_dict(self) -> dict[str, Any]:
        """Plain lists, dicts, texts and numbers, as `sarai metrics --json` prints them; None in place of nan."""
        return {**self._said(), "seconds": self.seconds, "metrics": plain(self.by_name)}

    def _table(self, by: str) -> Table:
        about = {**self._said(), "by": by}
        if by == "place":
            counts = self._places()
            about |= {"games": counts.games, "positions": counts.positions}
            return of_rows("metrics", [{"game": str(self.game), **row} for row in counts.rows()], about)
        if by == "game":
            return self._games_table(about)
        rows = [
            {
                "game": str(self.game),
                "evaluator": self.evaluator or "",
                "metric": one.name,
                "unit": one.unit,
                "mean": one.mean,
                "low": one.interval[0],
                "high": one.interval[1],
                "std": one.std,
                "median": one.median,
                "min": one.min,
                "max": one.max,
                "n": one.n,
            }
            for one in self.by_name.values()
        ]
        return of_rows("metrics", rows, about)

    def _games_table(self, about: dict[str, Any]) -> Table:
        if self.games is None:
            raise ValueError("the values of each game were not kept: measure with per_game=True")
        numbers = self.first_game + np.arange(self.num_games)
        game, seed = (
            Labels.same(str(self.game), self.num_games),
            np.full(self.num_games, self.seed, np.uint64),
        )
        return Table("metrics", {"game": game, "seed": seed, "number": numbers, **self.games}, about)

    def _places(self) -> PlaceCounts:
        """Where pieces stood.

        Raises:
            ValueError: Nobody looked.
        """
        if self.places is None:
            raise ValueError("nobody looked where pieces stand: board_games was 0, give the number of games")
        return self.places

    def heat_map(
        self, kind: str = "standing", side: int | None = None, *, theme: str | None = None, **options: Any
    ) -> Svg:
        """Draw where pieces stand, or where they are taken, as discs on the empty board of the game.

        What stands beside the board (in hand, on a bar, off) is written below it.

        Args:
            kind: "standing", how many pieces stand at a place, the mean over all positions in which a player decides;
                or "taken", how many are taken there in a game: captured, hit or killed.
            side: Whose pieces, by side; None for all.
            theme: "light" or "dark"; None takes that of `sarai.render.set_theme`.
            **options: As `sarai.render.draw` takes them for this game, such as `size`.

        Raises:
            ValueError: There is no such kind or side, `board_games` was 0, or an option is out of range.
            TypeError: The game's drawing has no such option.

        >>> import sarai
        >>> m = sarai.metrics("shah", num_games=50, seed=0)
        >>> m.heat_map("taken").startswith("<svg"), m.places.by_name("taken")["d6"] > 0
        (True, True)
        >>> m.heat_map("eaten")
        Traceback (most recent call last):
        ...
        ValueError: kind got 'eaten'; it takes 'standing' or 'taken'
        """
        from sarai import render

        counts = self._places()
        values = counts.by_name(kind, side)
        beside = {name: values.pop(name) for name in counts.beside}
        whose = "" if side is None else f" of side {side}"
        agents = ", ".join(dict.fromkeys(map(printable, self.agents)))
        title = f"{self.game}, {agents}{whose}: {KINDS[kind]}"
        return render.heat_map(self.game, values, beside=beside, title=title, theme=theme, **options)

    def plot(
        self,
        path: arguments.StrPath | None = None,
        *,
        ax: Axes | None = None,
        panel: str | None = None,
    ) -> Figure:
        """Draw the shares with their intervals, and the curves of branching, of positions and of skill.

        Args:
            path: A file to write, in any format of Matplotlib, such as .svg, .png or .pdf.
            ax: Axes on which to draw one panel instead of making a figure, in their figure's style.
            panel: Which one: "shares", as without, or the name of a metric that has a curve.

        Returns:
            A `matplotlib.figure.Figure`, which a notebook displays at the end of a cell.

        Raises:
            ImportError: Matplotlib is not installed.
            ValueError: `path` has another suffix.
            OSError: The file cannot be written.
        """
        from sarai._results.metrics_plot import plot_metrics

        return plot_metrics(self, self._title(), path, ax, panel)

    def _title(self) -> str:
        judged = "" if self.evaluator is None else f", judged by {self.evaluator}"
        few = "" if self.distinct is None else f"; distinct: {self.distinct:,}, so there are no intervals"
        agents = ", ".join(dict.fromkeys(map(printable, self.agents)))
        return f"{self.game}: {counted(self.num_games, 'game')} of {agents}, seed {self.seed}{judged}{few}"

    def _rows(self) -> list[tuple[str, ...]]:
        return [(one.name, one.unit, *_cells(one)) for one in self.by_name.values()]


def _cells(one: Metric) -> tuple[str, ...]:
    """The numbers of a row, with as many decimals as the interval gives meaning to."""
    ((value, interval),) = texts([Estimate(one.mean, *one.interval)])
    if math.isnan(one.mean):
        value = "-"
    elif interval == "-":
        value = f"{one.mean:.4g}"
    others = (one.std, one.median, one.min, one.max)
    return (value, interval, *("-" if math.isnan(number) else f"{number:,.4g}" for number in others))
