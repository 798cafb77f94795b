"""Score cards: how far an agent is from exact play, and how it does against fixed opponents."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sarai._base import arguments, files
from sarai._base.json_input import parse
from sarai._base.terminal import printable
from sarai._benchmark import suite as suites
from sarai._benchmark.suite import BLUNDER, Suite, SuiteGame
from sarai._results import validation
from sarai._tables import notebook, text_table
from sarai._tables.columns import Table, of_rows
from sarai._tables.equality import EqualByValues
from sarai._tables.estimates import Estimate, texts
from sarai._tables.tabular import Tabular

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMAT, VERSION = "sarai.benchmark", 1

_MAX_LENGTH = 2**22
_HEADER = ("game", "regret", "95% interval", "blunders", "positions", "Elo", "95% interval", "decisions/s")
_STRATA = ("game", "stratum", "regret", "95% interval", "blunders", "positions")
_BUDGETS = ("game", "ms/decision", "regret", "95% interval", "blunders")

Actions = tuple["int | None", ...]


@dataclass(frozen=True, eq=False)
class GameScore(EqualByValues):
    """What an agent did in one game of a suite."""

    game: str
    """The name of the game in the suite."""
    actions: Actions
    """The action that the agent chose in each position; None where it knows no answer or had a limit of time."""
    rating: Estimate | None
    """Its Elo against the anchors, that of "random" being 0, with its 95% interval; None if it played no games."""
    against: Mapping[str, tuple[int, int, int]]
    """For each anchor, the games won, drawn and lost."""
    decisions_per_second: float = field(compare=False)
    """How many decisions it made a second, on one thread; 0 with a limit of time."""
    budgets: Mapping[float, Actions] = field(compare=False)
    """The actions that it chose in so many milliseconds each, which depend on the machine."""


@dataclass(frozen=True, eq=False, repr=False)
class ScoreCard(EqualByValues, Tabular, by=("game", "stratum")):
    """How an agent did in a suite. `print` it or display it in a notebook; made by `sarai.benchmark`.

    As a table for other tools (`to_pandas`, `to_arrow`, `to_parquet`) it has a row for each game, or with by="stratum"
    for each stratum. Two cards are equal if the agent played the same; times, and what depends on them, are not
    compared.

    Attributes:
        agent: The label of the agent.
        suite: The name of the suite.
        digest: The SHA-256 of the suite's content.
        seed: The seed.
        num_games: The games against each anchor.
        games: The scores by game.
        sarai: The version of the package; not compared by ==.
        machine: The machine; not compared by ==.
        seconds: How long the call took; not compared by ==.
    """

    agent: str
    suite: str
    digest: str
    seed: int
    num_games: int
    games: Mapping[str, GameScore]
    sarai: str = field(compare=False)
    machine: str = field(compare=False)
    seconds: float = field(compare=False)

    def regrets(self, game: str, budget: float | None = None) -> NDArray[np.float64]:
        """How many points the agent gave away in each position of a game; nan where it knows no answer.

        Args:
            game: The name of the game in the suite.
            budget: Of the actions chosen in so many milliseconds; None is without a limit.

        Raises:
            ValueError: The card does not have this game or budget.
        """
        score = self._score(game)
        if budget is None:
            return self._of(game).regrets(score.actions)
        if budget not in score.budgets:
            known = ", ".join(f"{each:g}" for each in score.budgets) or "none"
            raise ValueError(f"budget got {arguments.short(budget)}; the card has {known}")
        return self._of(game).regrets(score.budgets[budget])

    def regret(self, game: str, stratum: str | None = None, budget: float | None = None) -> Estimate:
        """The mean regret of a decision in points, with its 95% interval; nan if the agent knows no answer.

        Args:
            game: The name of the game in the suite.
            stratum: Of the positions of this stratum alone.
            budget: As for `regrets`.

        Raises:
            ValueError: The card does not have this game, stratum or budget.
        """
        values = self._answered(game, stratum, budget)
        if not len(values):
            return Estimate(math.nan, math.nan, math.nan)
        return Estimate.of_mean(values, self._of(game).bounds)

    def blunders(self, game: str, stratum: str | None = None, budget: float | None = None) -> Estimate:
        """The share of decisions that give away 0.1 points or more; the arguments are those of `regret`.

        Without dice, these are the decisions that give away a win or a draw.

        Raises:
            ValueError: As `regret`.
        """
        values = self._answered(game, stratum, budget)
        if not len(values):
            return Estimate(math.nan, math.nan, math.nan)
        return Estimate.of_share(int(np.count_nonzero(values >= BLUNDER)), len(values))

    def difference(self, other: ScoreCard, game: str) -> Estimate:
        """How much more regret this agent has than another, position by position, with its 95% interval.

        Raises:
            ValueError: The cards are of different suites, a card does not have this game, or there is no position that
                both answered.
            TypeError: The other is no score card.
        """
        if not isinstance(other, ScoreCard):
            raise TypeError(f"other must be a score card, not {type(other).__name__}")
        if other.digest != self.digest:
            raise ValueError(f"other is of suite {other.suite}, this card of {self.suite}")
        found = self.regrets(game) - other.regrets(game)
        found = found[~np.isnan(found)]
        if not len(found):
            raise ValueError(f"other has answered none of the positions of {game} that this card has")
        most = self._of(game).bounds[1]
        return Estimate.of_mean(found, (-most, most))

    def strata(self, game: str) -> tuple[str, ...]:
        """The strata of a game."""
        return tuple(dict.fromkeys(position.stratum for position in self._of(game).positions))

    def __repr__(self) -> str:
        return f"ScoreCard({self.agent!r}, {self.suite!r}, {', '.join(self.games)}, seed={self.seed})"

    def __str__(self) -> str:
        parts = [[self._title()]]
        parts += [text_table.lines(header, rows, left=range(texts)) for header, rows, texts in self._tables()]
        return "\n\n".join("\n".join(part) for part in [*parts, [*self._notes()]] if part)

    def _repr_html_(self) -> str:
        tables = (notebook.table(header, rows, texts) for header, rows, texts in self._tables())
        return notebook.heading(self._title()) + "".join([*tables, *map(notebook.line, self._notes())])

    def _title(self) -> str:
        return f"{printable(self.agent)}: {self.suite}, seed {self.seed}, Sarai {printable(self.sarai)}"

    def _notes(self) -> Iterator[str]:
        elo = (
            f"; Elo above random over {self.num_games:,} games against each anchor" if self.num_games else ""
        )
        yield f"regret in points a decision{elo}"
        yield f"{self.seconds:.0f} s on {printable(self.machine)}"

    def _tables(self) -> Iterator[tuple[tuple[str, ...], list[tuple[str, ...]], int]]:
        budgets = [(name, budget) for name, score in self.games.items() for budget in score.budgets]
        if budgets:
            yield (
                _BUDGETS,
                [(name, f"{budget:g}", *self._cells(name, None, budget)) for name, budget in budgets],
                1,
            )
            return
        yield _HEADER, [self._row(name) for name in self.games], 1
        strata = [(name, stratum) for name in self.games for stratum in self.strata(name)]
        yield _STRATA, [(*each, *self._cells(*each), self._count(*each)) for each in strata], 2

    def _row(self, name: str) -> tuple[str, ...]:
        score = self.games[name]
        ((elo, interval),) = [("-", "-")] if score.rating is None else texts([score.rating], sign="+")
        speed = f"{score.decisions_per_second:,.0f}"
        return (name, *self._cells(name), self._count(name), elo, interval, speed)

    def _cells(
        self, game: str, stratum: str | None = None, budget: float | None = None
    ) -> tuple[str, str, str]:
        regret, blunders = self.regret(game, stratum, budget), self.blunders(game, stratum, budget)
        if math.isnan(regret.value):
            return "-", "-", "-"
        return (*texts([regret])[0], f"{blunders.value:.1%}")

    def _count(self, game: str, stratum: str | None = None) -> str:
        every = [stratum in (None, position.stratum) for position in self._of(game).positions]
        answered = len(self._answered(game, stratum, None))
        return f"{answered:,}" if answered == sum(every) else f"{answered:,} of {sum(every):,}"

    def to_dict(self) -> dict[str, Any]:
        """Plain lists, dicts, texts and numbers, as `to_json` writes them."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "agent": self.agent,
            "suite": self.suite,
            "digest": self.digest,
            "seed": self.seed,
            "num_games": self.num_games,
            "sarai": self.sarai,
            "machine": self.machine,
            "seconds": self.seconds,
            "games": {
                name: {
                    "regret": _rounded(self.regret(name)),
                    "blunders": _rounded(self.blunders(name)),
                    "rating": None if score.rating is None else score.rating.to_dict(),
                    "against": {anchor: [*counts] for anchor, counts in score.against.items()},
                    "decisions_per_second": score.decisions_per_second,
                    "actions": [*score.actions],
                    "budgets": {
                        repr(budget): {
                            "regret": _rounded(self.regret(name, budget=budget)),
                            "actions": [*chosen],
                        }
                        for budget, chosen in score.budgets.items()
                    },
                }
                for name, score in self.games.items()
            },
        }

    def to_json(self) -> str:
        """The card as JSON in one line, as docs/benchmark.md describes it."""
        return json.dumps(self.to_dict(), allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> ScoreCard:
        """Read a card that `to_json` wrote.

        Regrets are computed from the actions again, and must be those of the card.

        Raises:
            ValueError: The text is no card, the card is of another suite, or its numbers do not fit together.
            TypeError: It is no text.

        >>> ScoreCard.from_json("{}")
        Traceback (most recent call last):
        ...
        ValueError: this is no sound score card: ...
        """
        if not isinstance(text, str):
            raise TypeError(f"a score card is read from text, not from {type(text).__name__}")
        if len(text) > _MAX_LENGTH:
            raise ValueError(
                f"the text has {len(text):,} characters; a score card has at most {_MAX_LENGTH:,}"
            )
        told = parse(text, "a score card")
        try:
            card = _card(told)
            # What was read as another type, or left over, is written differently.
            if json.dumps(card.to_dict(), sort_keys=True) != json.dumps(told, sort_keys=True):
                raise ValueError(
                    "its numbers do not follow from its actions, or it has more than belongs there"
                )
        except (ValueError, LookupError, TypeError, AttributeError, OverflowError) as error:
            missing = " is missing or unknown" if isinstance(error, KeyError) else ""
            raise ValueError(f"this is no sound score card: {str(error)[:1000]}{missing}") from error
        return card

    def save(self, path: arguments.StrPath) -> None:
        """Write the card as JSON to exactly this path, either completely or not at all.

        Raises:
            OSError: The file cannot be written; an existing file is left as it was.
            TypeError: The path is neither a str nor a path object.
        """
        files.replace(path, lambda file: file.write(f"{self.to_json()}\n".encode()))

    @classmethod
    def load(cls, path: arguments.StrPath) -> ScoreCard:
        """Read a file that `save` wrote.

        Raises:
            OSError: The file cannot be read; if it does not exist, this is a FileNotFoundError.
            TypeError: The path is neither a str nor a path object.
            ValueError: It has no sound score card; the message names the file.
        """
        path = arguments.path(path)
        with open(path, "rb") as file:
            content = file.read(_MAX_LENGTH + 1)
        try:
            return cls.from_json(content.decode())
        except ValueError as error:
            raise ValueError(f"{path!r} cannot be read: {error}") from error

    def plot(
        self,
        path: arguments.StrPath | None = None,
        *,
        ax: Axes | None = None,
        panel: str | None = None,
    ) -> Figure:
        """Draw regrets and ratings by game, with their intervals.

        Args:
            path: A file to write, in any format of Matplotlib, such as .svg, .png or .pdf.
            ax: Axes on which to draw one panel instead of making a figure, in their figure's style.
            panel: Which one: "regret", as without, or "rating".

        Returns:
            A `matplotlib.figure.Figure`, which a notebook displays at the end of a cell.

        Raises:
            ImportError: Matplotlib is not installed.
            ValueError: `path` has another suffix, or there is no such panel.
            OSError: The file cannot be written.
        """
        from sarai._benchmark.card_plot import plot_card

        return plot_card(self, path, ax, panel)

    def _table(self, by: str) -> Table:
        about = {
            name: getattr(self, name) for name in ("agent", "suite", "digest", "seed", "num_games", "machine")
        }
        rows = []
        for name, score in self.games.items():
            for stratum in (None,) if by == "game" else self.strata(name):
                row: dict[str, Any] = {"agent": self.agent, "game": name}
                if stratum is not None:
                    row["stratum"] = stratum
                row["positions"] = len(self._answered(name, stratum, None))
                row |= self.regret(name, stratum).to_columns("regret")
                row |= self.blunders(name, stratum).to_columns("blunders")
                if stratum is None:
                    rating = score.rating or Estimate(math.nan, math.nan, math.nan)
                    row |= rating.to_columns("rating")
                    row["decisions_per_second"] = score.decisions_per_second
                rows.append(row)
        return of_rows("benchmark", rows, about | {"by": by})

    def _score(self, game: str) -> GameScore:
        if game not in self.games:
            hint = arguments.suggestion(str(game), self.games)
            raise ValueError(f"game got {arguments.short(game)}{hint}; the card has {', '.join(self.games)}")
        return self.games[game]

    def _of(self, game: str) -> SuiteGame:
        self._score(game)
        return suites.load(self.suite).games[game]

    def _answered(self, game: str, stratum: str | None, budget: float | None) -> NDArray[np.float64]:
        """The regrets of the positions that were answered."""
        values = self.regrets(game, budget)
        if stratum is not None:
            arguments.one_of("stratum", stratum, self.strata(game))
            values = values[[position.stratum == stratum for position in self._of(game).positions]]
        return values[~np.isnan(values)]


def _rounded(found: Estimate) -> dict[str, float | None]:
    """Without the digits that machines differ in: whoever reads the card computes it again."""
    return {name: None if value is None else round(value, 12) for name, value in found.to_dict().items()}


def _card(told: dict[str, Any]) -> ScoreCard:
    """A card as anybody may have written it; what is wrong in other ways is seen when it is written again."""
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        raise ValueError("it does not say that it is one")
    if told["version"] != VERSION:
        raise ValueError(f"it has version {told['version']}, but this version of Sarai reads {VERSION}")
    suite = suites.load(told["suite"])
    if told["digest"] != suite.digest:
        raise ValueError(f"it is of another {suite.name}")
    validation.labels("texts", (told["agent"], told["sarai"], told["machine"]), 3)
    if max(map(len, (told["agent"], told["sarai"], told["machine"]))) > 1000:
        raise ValueError("a text of it is too long")
    return ScoreCard(
        agent=told["agent"],
        suite=suite.name,
        digest=suite.digest,
        seed=arguments.seed(told["seed"]),
        num_games=arguments.from_zero("num_games", told["num_games"]),
        games={name: _score(suite, name, score, told["num_games"]) for name, score in told["games"].items()},
        sarai=told["sarai"],
        machine=told["machine"],
        seconds=validation.time_taken("seconds", told["seconds"]),
    )


def _score(suite: Suite, name: str, told: dict[str, Any], num_games: int) -> GameScore:
    of = suite.games[name]
    rating = told["rating"]
    against = {anchor: _counts(counts) for anchor, counts in told["against"].items()}
    if [*against] != ([] if rating is None else [*of.anchors]):
        raise ValueError("it has games against other anchors")
    if any(not num_games <= sum(counts) <= num_games + 1 for counts in against.values()):
        raise ValueError("it has more games, or fewer, than it says")
    return GameScore(
        game=name,
        actions=_actions(told["actions"]),
        rating=None if rating is None else _estimate(**rating),
        against=against,
        decisions_per_second=validation.time_taken("decisions_per_second", told["decisions_per_second"]),
        budgets={float(budget): _actions(chosen["actions"]) for budget, chosen in told["budgets"].items()},
    )


def _actions(told: list[Any]) -> Actions:
    return tuple(None if action is None else int(action) for action in told)


def _counts(told: list[Any]) -> tuple[int, int, int]:
    wins, draws, losses = (arguments.from_zero("games", count) for count in told)
    return wins, draws, losses


def _estimate(value: float, low: float | None, high: float | None) -> Estimate:
    ends = (float(value), *(math.nan if end is None else float(end) for end in (low, high)))
    if not math.isfinite(ends[0]) or (low is None) != (high is None):
        raise ValueError("its rating is no number")
    if low is not None and not (math.isfinite(ends[1] - ends[2]) and ends[1] <= ends[0] <= ends[2]):
        raise ValueError("its rating is not within its interval")
    return Estimate(*ends)


def read(folder: Path) -> list[ScoreCard]:
    """The cards in a folder, in the order of their names."""
    return [ScoreCard.load(path) for path in sorted(folder.glob("*.json"))]
