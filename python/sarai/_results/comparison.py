"""Variants of a game, agents or seats compared: means, differences, and whether these may be chance."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sarai._base import arguments
from sarai._base.arguments import counted
from sarai._base.progress import ProgressOption, Report, shown
from sarai._base.terminal import printable
from sarai._core import MAX_GAMES, Game, check_agents
from sarai._game import as_game, make, returns_bounds
from sarai._results import differences, medians
from sarai._results.rollout import Rollout, rollout
from sarai._results.summary import few_distinct
from sarai._tables import notebook, text_table
from sarai._tables.columns import Table, of_rows
from sarai._tables.equality import EqualByValues
from sarai._tables.estimates import COUNTS, Estimate, texts
from sarai._tables.plain import plain
from sarai._tables.tabular import Tabular
from sarai.agents import Agents, label, one_agent_a_seat

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MAX_VARIANTS = 100
CORRECTION = "Holm"
_HEADER = ("by", "variant", "mean", "95% interval", "difference", "95% interval", "p", "p (Holm)", "effect")

# Of a rollout and a seat, a number for each game.
_QUANTITIES: dict[str, Callable[[Rollout, int], NDArray[Any]]] = {
    "turns": lambda played, seat: played.turns,
    "decisions": lambda played, seat: played.lengths,
    "win_share": lambda played, seat: played.winner == played.sides[seat],
    "draw_share": lambda played, seat: played.winner == -1,
    "return": lambda played, seat: played.returns[:, seat],
}
_SHARES = ("win_share", "draw_share")
_MEDIAN = "_median"


def compare(
    game: str | Game,
    variants: Mapping[str, Mapping[str, Any] | str | Game],
    num_games: int = 10_000,
    *,
    agents: Agents = "random",
    by: str | Iterable[str] = ("turns", "win_share"),
    reference: str | None = None,
    seed: int | None = None,
    num_threads: int | None = None,
    progress: ProgressOption = False,
    random_plies: int = 0,
) -> Comparison:
    """Compare variants of a game, agents, or seats with a reference, by default the first.

    A variant is a dict of what differs: `"preset"` and options of the game, such as `"players"`, or `"game"`, a game
    with all its rules; `"agents"`; or `"seat"`, the seat of the wins, returns and statistics. Variants with the same
    rules and agents share their games, and are compared game by game (paired); all others play separate games, so they
    are independent samples.

    Intervals and p-values are SciPy's: Welch's t-test for means, the chi-squared test or, for small counts, Fisher's
    exact test for shares, and for the same games the paired t-test and McNemar's exact test. Medians are compared by
    bootstrap and permutation. Each row of the result names its method. `p_holm` is corrected for the number of
    comparisons; intervals are not.

    Args:
        game: A game, or its name as `sarai.make` takes it.
        variants: 2 to 100 variants by name, each a dict of what differs; {} is the game as given. A game, or its name,
            is short for a dict with that "game".
        num_games: The number of games of each variant, 2 or more; at most 100,000,000 in all.
        agents: The agents of variants that do not name their own, as in `sarai.rollout`.
        by: The quantities to compare: "turns", "decisions", "win_share" and "return" (of the variant's seat, by default
            seat 0; a draw is no win), "draw_share", and the statistics of the game (of the variant's seat, by default
            of all seats). With the suffix "_median", as in "turns_median", the median instead of the mean; not for
            shares.
        reference: The variant with which the others are compared; None is the first.
        seed: 0 to 2**64 - 1; None draws one, which the result has as `seed`.
        num_threads: The number of threads; None uses all processors. The result does not depend on it.
        progress: True shows a progress bar in a terminal or notebook; a callable is called with the number of games
            finished.
        random_plies: The number of random decisions at the beginning of each game, 0 to 1,000.

    Returns:
        A table with a row for each variant and quantity.

    Raises:
        ValueError: A number is out of range; there are too few variants; a variant, option, preset, agent or quantity
            is unknown; or as for `sarai.rollout`.
        TypeError: An argument has the wrong type.
        ImportError: scipy is not installed (`pip install "sarai[stats]"`).
        KeyboardInterrupt: Ctrl-C.

    Examples:
        >>> import sarai
        >>> variants = {"basic": {}, "lhasa": {"preset": "lhasa"}}
        >>> c = sarai.compare("sho", variants, 500, by=["turns", "kills"], seed=0)
        >>> [(row.variant, row.by, row.difference is None) for row in c]
        [('basic', 'turns', True), ('lhasa', 'turns', False), ('basic', 'kills', True), ('lhasa', 'kills', False)]
        >>> c["lhasa", "turns"].difference.high < 0  # games are shorter
        True
        >>> seats = {f"seat {seat}": {"seat": seat} for seat in range(3)}
        >>> sarai.compare("sho", seats, 500, by="win_share", seed=0)["seat 1", "win_share"].method
        "McNemar's exact test, interval of paired differences; Cohen's h"

        >>> sarai.compare("sho", {"basic": {}})
        Traceback (most recent call last):
        ...
        ValueError: variants has 1 entry; comparing takes 2 to 100
    """
    if not isinstance(variants, Mapping):
        raise TypeError(f"variants must be a dict of what differs, not {type(variants).__name__}")
    if not 2 <= len(variants) <= MAX_VARIANTS:
        raise ValueError(
            f"variants has {counted(len(variants), 'entry', 'entries')}; comparing takes 2 to {MAX_VARIANTS}"
        )
    most = MAX_GAMES // len(variants)
    num_games = arguments.between("num_games", num_games, 2, most, f"with {len(variants)} variants ")
    seed = arguments.seed(seed)
    random_plies = arguments.random_plies(random_plies)
    if isinstance(agents, Iterator) and not callable(agents):
        # All variants have the same ones; no game has so many seats.
        agents = list(islice(agents, 100))
    book = as_game(game)
    entries = [_entry(book, name, variant, agents) for name, variant in variants.items()]
    quantities = _quantities(by, entries)
    names = [entry.name for entry in entries]
    if reference is not None and reference not in names:
        raise ValueError(
            f"reference got {arguments.short(reference)}; the variants are {arguments.longer(', '.join(names))}"
        )
    chosen = 0 if reference is None else names.index(reference)
    differences.check_scipy()
    begun = time.perf_counter()
    different = _different(entries)
    with shown(progress, entries[0].game.name, num_games * len(different)) as report:
        played = [
            rollout(
                entry.game,
                entry.agents,
                num_games,
                seed=seed,
                first_game=place * num_games,
                num_threads=num_threads,
                progress=_after(report, place * num_games),
                random_plies=random_plies,
            )
            for place, entry in enumerate(different)
        ]
    rows = [
        row
        for quantity in quantities
        for row in _rows(quantity, entries, [played[different.index(entry)] for entry in entries], chosen)
    ]
    corrected = differences.holm([row.p for row in rows])
    return Comparison(
        game=book,
        variants={entry.name: entry.told() for entry in entries},
        reference=names[chosen],
        seed=seed,
        num_games=num_games,
        random_plies=random_plies,
        seconds=time.perf_counter() - begun,
        rows=tuple(replace(row, p_holm=p) for row, p in zip(rows, corrected, strict=True)),
    )


def games_needed(
    game: str | Game,
    variants: Mapping[str, Mapping[str, Any] | str | Game],
    num_games: int,
    *,
    agents: Agents = "random",
) -> int:
    """How many games `compare` would play: variants that differ in the seat alone share theirs.

    Raises:
        ValueError, TypeError: As in `compare`.

    >>> games_needed("sho", {"first": {"seat": 0}, "last": {"seat": 2}, "lhasa": {"game": "sho(preset=lhasa)"}}, 10)
    20
    """
    book = as_game(game)
    return num_games * len(_different([_entry(book, *variant, agents) for variant in variants.items()]))


@dataclass(frozen=True, eq=False)
class Row(EqualByValues):
    """One variant by one quantity.

    Attributes:
        by: The quantity.
        variant: The variant's name.
        n: The number of games.
        mean: The mean, or of a quantity such as "turns_median" the median, with its 95% interval.
        difference: How far it is above the reference, with its 95% interval; None for the reference itself.
        p: The p-value of no difference, two-sided; nan for the reference, and where there is no test.
        p_holm: The p-value, corrected for the number of comparisons in the table (Holm 1979).
        effect: The effect size: Cohen's d of means, Cohen's h of shares, Cliff's delta of medians.
        method: The test, interval and effect size used; "" for the reference.
    """

    by: str
    variant: str
    n: int
    mean: Estimate
    difference: Estimate | None
    p: float
    p_holm: float
    effect: float
    method: str


@dataclass(frozen=True, eq=False)
class _Entry:
    """A variant, ready to be played. Two are equal if they are the same games."""

    name: str
    game: Game
    agents: list[Any]
    seat: int | None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Entry):
            return NotImplemented
        return self.game == other.game and all(
            mine is theirs or (isinstance(mine, str) and mine == theirs)
            for mine, theirs in zip(self.agents, other.agents, strict=True)
        )

    def told(self) -> dict[str, Any]:
        return {
            "game": str(self.game),
            "agents": [label(agent) for agent in self.agents],
            "seat": self.seat,
        }


def _entry(game: Game, name: object, variant: object, agents: Agents) -> _Entry:
    """A variant from what was given.

    Raises:
        TypeError: The name is no text, or what differs no dict.
        ValueError: Something in it is unknown.
    """
    if not isinstance(name, str):
        raise TypeError(f"a variant's name must be a str, not {type(name).__name__}")
    if isinstance(variant, str | Game):
        variant = {"game": variant}
    if not isinstance(variant, Mapping):
        raise TypeError(
            f"variant {arguments.short(name)} must be a dict, a game or its name, not {type(variant).__name__}"
        )
    given = dict(variant)
    try:
        seat, own = given.pop("seat", None), given.pop("agents", agents)
        book = _book(game, given)
        if book.name != game.name:
            raise ValueError(f"game got {book.name!r}, but all variants are of {game.name!r}")
        seats = one_agent_a_seat(own, book.num_players)
        check_agents(book, seats)
    except ValueError as error:
        raise ValueError(f"variant {arguments.short(name)}: {error}") from error
    if seat is not None:
        seat = arguments.from_zero("seat", seat, book.num_players - 1)
    return _Entry(name, book, seats, seat)


def _book(game: Game, differs: dict[str, Any]) -> Game:
    """The game of a variant: one of its own, or the one given with other rules.

    Raises:
        ValueError: An option is unknown or does not take the value, or there is a game and options as well.
    """
    if "game" in differs:
        if len(differs) > 1:
            raise ValueError("a variant's game has its own rules: give it, or a preset and options")
        return as_game(differs["game"])
    if not differs:
        return game
    usual = {} if "preset" in differs else game.rules
    options = {name: value for name, value in differs.items() if name != "preset"}
    return make(game.name, preset=differs.get("preset"), rules={**usual, **options})


def _different(entries: list[_Entry]) -> list[_Entry]:
    """Those that are games of their own."""
    return [entry for place, entry in enumerate(entries) if entry not in entries[:place]]


def _quantities(by: object, entries: list[_Entry]) -> list[str]:
    """What is compared.

    Raises:
        TypeError: It is no list of texts.
        ValueError: One is unknown, twice there, or there are none.
    """
    means = [*_QUANTITIES, *entries[0].game.statistics]
    known = [*means, *(name + _MEDIAN for name in means if name not in _SHARES)]
    given = [by] if isinstance(by, str) or not isinstance(by, Iterable) else by
    # One more than there are is enough to be refused, and an endless iterator ends.
    names = list(islice(given, len(known) + 1))
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"by must be a name or a list of names, not of {type(name).__name__}")
        if name not in known:
            raise ValueError(
                f"by got {arguments.short(name)}{arguments.suggestion(name, known)}; there are {', '.join(means)}, "
                f"and medians such as 'turns_median'"
            )
    if not names or len({*names}) < len(names):
        raise ValueError("by takes at least one name, and each only once")
    return [str(name) for name in names]


def _after(report: Report | None, before: int) -> ProgressOption:
    """The progress of one rollout as part of all."""
    return False if report is None else lambda done: report(before + done)


def _values(quantity: str, entry: _Entry, played: Rollout) -> NDArray[Any]:
    """A number for each game."""
    quantity = quantity.removesuffix(_MEDIAN)
    if quantity in _QUANTITIES:
        return _QUANTITIES[quantity](played, entry.seat or 0)
    if entry.seat is None:
        return played.stats[quantity]
    return played.stats_by_seat[quantity][:, entry.seat]


def _rows(quantity: str, entries: list[_Entry], played: list[Rollout], reference: int) -> Iterable[Row]:
    """A row for each variant, p-values not yet corrected."""
    share, median = quantity in _SHARES, quantity.endswith(_MEDIAN)
    usual = played[reference]
    first = _values(quantity, entries[reference], usual)
    nan = math.nan
    for entry, games in zip(entries, played, strict=True):
        values = _values(quantity, entry, games)
        alike = few_distinct(games.digests) is not None
        if share:
            mean = Estimate.of_share(int(np.count_nonzero(values)), len(values), alike)
        elif median:
            low, high = (nan, nan) if alike else medians.interval(values)
            mean = Estimate(float(np.median(values)), low, high)
        else:
            bounds = returns_bounds(entry.game) if quantity == "return" else COUNTS
            mean = Estimate.of_mean(values, bounds, alike)
        row = Row(quantity, entry.name, len(values), mean, None, p=nan, p_holm=nan, effect=nan, method="")
        if entry is not entries[reference]:
            found = differences.difference(
                first,
                values,
                share=share,
                paired=games is usual,
                alike=alike or few_distinct(usual.digests) is not None,
                median=median,
            )
            row = replace(row, difference=found.estimate, p=found.p, effect=found.effect, method=found.method)
        yield row


@dataclass(frozen=True)
class Comparison(Tabular, by=("row",)):
    """Variants compared with one of them, the reference. `print` it or display it in a notebook; iterate over its rows.

    `c["lhasa", "turns"]` is the `Row` of a variant and a quantity. As a table (`to_pandas`, `to_arrow`, `to_parquet`)
    it has its rows; see docs/data.md.

    Attributes:
        game: The game of which the variants are.
        variants: For each variant, its "game" as text, its "agents" and its "seat".
        reference: The variant with which the others are compared.
        seed: The seed.
        num_games: The number of games of each variant.
        random_plies: The number of random decisions at the beginning of each game.
        seconds: How long the call took, in seconds of wall-clock time; not compared by ==.
        rows: The rows, quantity by quantity.
    """

    game: Game
    variants: dict[str, dict[str, Any]]
    reference: str
    seed: int
    num_games: int
    random_plies: int
    seconds: float = field(compare=False)
    rows: tuple[Row, ...]

    def __iter__(self) -> Any:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, key: tuple[str, str]) -> Row:
        for row in self.rows:
            if (row.variant, row.by) == key:
                return row
        known = ", ".join(self.variants), ", ".join(dict.fromkeys(row.by for row in self.rows))
        raise KeyError(
            f"{arguments.short(key)}: give a variant ({known[0]:.1000}) and a quantity ({known[1]})"
        )

    def __repr__(self) -> str:
        names = ", ".join(map(repr, self.variants))
        return f"Comparison({str(self.game)!r}, {names}, {counted(self.num_games, 'game')} each)"

    def __str__(self) -> str:
        table = text_table.lines(_HEADER, self._cells(), left=(0, 1))
        return "\n".join([self.title(), "", *table, *self._notes()])

    def _repr_html_(self) -> str:
        table = notebook.table(_HEADER, self._cells(), text_columns=2)
        return notebook.heading(self.title()) + table + "".join(map(notebook.line, self._notes()))

    def to_dict(self) -> dict[str, Any]:
        """Plain lists, dicts, texts and numbers; None in place of nan."""
        told: dict[str, Any] = plain(self)
        return told

    def _table(self, by: str) -> Table:
        nan = math.nan
        rows = [
            {
                "game": str(self.game),
                "by": row.by,
                "variant": row.variant,
                "n": row.n,
                **row.mean.to_columns("mean"),
                **(row.difference or Estimate(nan, nan, nan)).to_columns("difference"),
                **{name: getattr(row, name) for name in ("p", "p_holm", "effect", "method")},
            }
            for row in self.rows
        ]
        return of_rows(
            "comparison", rows, {"variants": self.variants, "reference": self.reference, "seed": self.seed}
        )

    def plot(
        self,
        path: arguments.StrPath | None = None,
        *,
        ax: Axes | None = None,
        panel: str | None = None,
    ) -> Figure:
        """Draw the differences from the reference with their intervals, a panel for each quantity.

        Args:
            path: A file to write, in any format of Matplotlib, such as .svg, .png or .pdf.
            ax: Axes on which to draw one panel instead of making a figure, in their figure's style.
            panel: Which one: the name of a quantity; the first without.

        Returns:
            A `matplotlib.figure.Figure`, which a notebook displays at the end of a cell.

        Raises:
            ImportError: Matplotlib is not installed.
            ValueError: `path` has another suffix.
            OSError: The file cannot be written.
        """
        from sarai._results.comparison_plot import plot_comparison

        return plot_comparison(self, path, ax, panel)

    def title(self) -> str:
        """What the table and the figure are headed by."""
        reference = printable(self.reference)
        return (
            f"{self.game.name}: {self.num_games:,} games each, seed {self.seed}; differences from {reference}"
        )

    def setting(self) -> list[str]:
        """The agents and the seat, where they are the same in all variants: what neither names nor quantities say."""
        told = list(self.variants.values())
        found = []
        # Variants with other numbers of seats may have the same agent for all.
        agents = {tuple(dict.fromkeys(one["agents"])) for one in told}
        if len(agents) == 1:
            found.append(f"agents: {printable(', '.join(*agents))}")
        seat = told[0]["seat"]
        ours = [
            row.by
            for row in self.rows
            if seat is not None or row.by in ("win_share", "return", "return_median")
        ]
        if ours and all(one["seat"] == seat for one in told):
            found.append(f"{', '.join(dict.fromkeys(ours))} of seat {seat or 0}")
        return found

    def _cells(self) -> list[tuple[str, ...]]:
        cells = []
        for row in self.rows:
            share = row.by in _SHARES
            scale, unit = (100, "%") if share else (1, "")
            mean = texts([row.mean], scale, unit)[0]
            apart = ("", "")
            if row.difference is not None:
                # A difference of shares is in percentage points.
                apart = texts([row.difference], scale, " pp" if share else "", sign="+")[0]
            numbers = [_p(row.p), _p(row.p_holm), "" if math.isnan(row.effect) else f"{row.effect:+.3f}"]
            cells.append((row.by, printable(row.variant), *mean, *apart, *numbers))
        return cells

    def _notes(self) -> list[str]:
        methods: dict[str, list[str]] = {}
        for row in self.rows:
            if row.method and row.by not in methods.setdefault(row.method, []):
                methods[row.method].append(row.by)
        tests = sum(not math.isnan(row.p) for row in self.rows)
        notes = ["; ".join(self.setting())] if self.setting() else []
        notes += [f"{', '.join(names)}: {method}" for method, names in methods.items()]
        if tests > 1:
            notes.append(f"p ({CORRECTION}) is corrected for {tests} comparisons; intervals are not.")
        return notes


def _p(p: float) -> str:
    return "" if math.isnan(p) else "< 0.0001" if p < 0.0001 else f"{p:.4f}"
