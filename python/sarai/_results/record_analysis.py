"""What the moves of a recorded game have lost, and what luck its throws have brought."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from sarai import _core
from sarai._agents.analysis import Analysis, MoveAnalysis, ask
from sarai._base import arguments, files
from sarai._base.arguments import counted
from sarai._base.progress import ProgressOption, shown
from sarai._core import Game, State
from sarai._records import picture
from sarai._records.model import RecordedGame
from sarai._records.record import Record
from sarai._states import States
from sarai._tables import notebook, text_table
from sarai._tables.columns import Table, of_rows
from sarai._tables.equality import EqualByValues
from sarai._tables.tabular import Tabular

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


MARKS = ("?!", "?", "??")
"""The marks of a doubtful move, a mistake and a blunder, as in chess."""

WITH_DICE, WITHOUT_DICE = (0.03, 0.06, 0.12), (0.1, 0.2, 0.3)
"""The smallest loss for each mark: as in GNU Backgammon for games with dice, as in lichess for others."""

T = TypeVar("T")

_HEADER = ("player", "agent", "choices", "lost", "a turn", *MARKS, "luck")
_MARKED_HEADER = ("turn", "player", "played", "best", "lost", "")


class DecisionAnalysis(NamedTuple):
    """One decision of a recorded game.

    Attributes:
        step: The number of the step in the record, from 0.
        turn: The number of the turn, from 0.
        player: The player who decided.
        name: The name of the action played.
        best: The name of the action with the largest value; the one played if no other has a larger one.
        best_turn: The names of `best` and of the best actions after it up to the end of the turn, with spaces between;
            of a decision without a mark `best` alone.
        value: The expected return of the player after the action played; NaN if the agent did not evaluate it.
        best_value: The same after the best action.
        loss: `best_value - value`, 0 or more.
        kind: How far `value` can be trusted: "exact", "bound" or "judged", as `MoveAnalysis.kind`.
        mark: "?!", "?" or "??" from the thresholds on, or "".
        choices: The number of legal actions; with 1 the action was forced.
        expected: The expected return of each player before the decision.
    """

    step: int
    turn: int
    player: int
    name: str
    best: str
    best_turn: str
    value: float
    best_value: float
    loss: float
    kind: str
    mark: str
    choices: int
    expected: tuple[float, ...]


class ThrowAnalysis(NamedTuple):
    """One throw of a recorded game.

    Attributes:
        step: The number of the step in the record, from 0.
        turn: The number of the turn, from 0.
        player: The player who threw.
        name: The name of the outcome.
        luck: The expected return of the player after the throw minus its mean over all outcomes.
    """

    step: int
    turn: int
    player: int
    name: str
    luck: float


class PlayerAnalysis(NamedTuple):
    """How one player played.

    Attributes:
        player: The seat.
        agent: Its label in the record, or None.
        choices: The number of decisions with more than one legal action.
        turns: The number of turns that could have ended in more than one position.
        loss: The sum of the losses.
        error_rate: `loss / turns`; NaN without such turns.
        doubtful: The number of decisions marked "?!".
        mistakes: The number of decisions marked "?".
        blunders: The number of decisions marked "??".
        luck: The sum of the luck of the player's throws; NaN if it was not measured.
    """

    player: int
    agent: str | None
    choices: int
    turns: int
    loss: float
    error_rate: float
    doubtful: int
    mistakes: int
    blunders: int
    luck: float


@dataclass(frozen=True, eq=False, repr=False)
class RecordAnalysis(EqualByValues, Tabular, by=("decision", "turn", "throw", "player")):
    """The mistakes and the luck of a recorded game, made by `Record.analyse`.

    `print` it or display it in a notebook; `plot` draws the expected returns, and `page` writes a page to step through.
    As a table (`to_pandas`, `to_arrow`, `to_parquet`) it has a row for each decision; with `by="turn"`, `"throw"` or
    `"player"`, for each of these.

    Attributes:
        record: The game.
        agent: The name of the agent that evaluated the decisions.
        luck_agent: The name of the agent that evaluated the throws; None if they were not.
        seed: The seed of the agent's random numbers.
        thresholds: The smallest losses that are marked "?!", "?" and "??".
        decisions: One `DecisionAnalysis` per decision, in order.
        throws: One `ThrowAnalysis` per throw, in order; empty if luck was not measured.
    """

    record: Record
    agent: str
    luck_agent: str | None
    seed: int
    thresholds: tuple[float, float, float]
    decisions: tuple[DecisionAnalysis, ...]
    throws: tuple[ThrowAnalysis, ...]
    # For the first decision of each turn, who decides, and in how many positions the turn can end.
    _turn_ends: dict[int, tuple[int, int]]
    _analyses: tuple[Analysis, ...] = field(compare=False)

    def analysis(self, step: int) -> Analysis:
        """The whole analysis of a decision, with every legal action.

        Args:
            step: The number of the step in the record, from 0.

        Raises:
            ValueError: The step is not a decision.
        """
        number = arguments.whole("step", step)
        for decision, analysis in zip(self.decisions, self._analyses, strict=True):
            if decision.step == number:
                return analysis
        raise ValueError(
            f"step {number} is not a decision; record.decisions and .decisions[i].step list them"
        )

    @property
    def players(self) -> tuple[PlayerAnalysis, ...]:
        """One `PlayerAnalysis` per seat."""
        return tuple(map(self._player, range(self.record.game.num_players)))

    def _player(self, player: int) -> PlayerAnalysis:
        free = [one for one in self.decisions if one.player == player and one.choices > 1]
        turns = sum(of == player for of, ends in self._turn_ends.values() if ends > 1)
        loss = math.fsum(one.loss for one in free if not math.isnan(one.loss))
        marks = [one.mark for one in free]
        luck = math.fsum(one.luck for one in self.throws if one.player == player)
        return PlayerAnalysis(
            player,
            None if self.record.agents is None else self.record.agents[player],
            len(free),
            turns,
            loss,
            loss / turns if turns else math.nan,
            marks.count(MARKS[0]),
            marks.count(MARKS[1]),
            marks.count(MARKS[2]),
            math.nan if self.luck_agent is None else luck,
        )

    def _turns(self) -> list[dict[str, Any]]:
        """A row for each turn of a player."""
        parts: list[DecisionAnalysis | ThrowAnalysis] = sorted(
            [*self.decisions, *self.throws], key=lambda one: one.step
        )
        rows = []
        for (turn, player), group in groupby(parts, lambda one: (one.turn, one.player)):
            steps = list(group)
            decisions = [one for one in steps if isinstance(one, DecisionAnalysis)]
            loss = math.fsum(one.loss for one in decisions)
            throws = [one for one in steps if isinstance(one, ThrowAnalysis)]
            rows.append(
                {
                    "turn": turn,
                    "player": player,
                    "first_step": steps[0].step,
                    "throw": " ".join(one.name for one in throws),
                    "move": " ".join(one.name for one in decisions),
                    "choices": sum(one.choices > 1 for one in decisions),
                    "loss": loss,
                    "mark": mark_of(loss, self.thresholds),
                    "luck": math.fsum(one.luck for one in throws) if self.luck_agent else math.nan,
                }
            )
        return rows

    def _table(self, by: str) -> Table:
        if by == "turn":
            rows = self._turns()
        else:
            every: dict[str, tuple[Any, ...]] = {
                "decision": self.decisions,
                "throw": self.throws,
                "player": self.players,
            }
            named = every[by]
            if not named:
                raise ValueError(f"there is no {by} in this analysis, so there is no table of them")
            rows = [one._asdict() for one in named]
            for row in rows:
                row.update((name, "") for name in ("agent",) if row.get(name, "") is None)
        about = {"game": str(self.record.game), "thresholds": list(self.thresholds)}
        names = ("agent", "luck_agent", "seed")
        return of_rows("record_analysis", rows, about | {name: getattr(self, name) for name in names})

    def __repr__(self) -> str:
        loss = math.fsum(one.loss for one in self.players)
        decisions = counted(len(self.decisions), "decision")
        return f"<RecordAnalysis of {self.record.game} by {self.agent}: {decisions}, {loss:.3f} lost>"

    def __str__(self) -> str:
        parts = [self._title(), "", *text_table.lines(self._header(), self._rows(), left=(1,))]
        if marked := self._marked():
            parts += ["", *text_table.lines(_MARKED_HEADER, marked, left=(2, 3, 5))]
        return "\n".join(parts)

    def _repr_html_(self) -> str:
        parts = [
            notebook.heading(self._title()),
            notebook.table(self._header(), self._rows(), text_columns=2),
        ]
        if marked := self._marked():
            parts.append(notebook.table(_MARKED_HEADER, marked, text_columns=4))
        return "".join(parts)

    def _title(self) -> str:
        luck = "" if self.luck_agent is None else f", luck by {self.luck_agent}"
        game, decisions = self.record.game, counted(len(self.decisions), "decision")
        return f"{game}: {decisions} analysed by {self.agent}{luck}; in expected returns"

    def _header(self) -> tuple[str, ...]:
        return _HEADER if self.throws else _HEADER[:-1]

    def _rows(self) -> list[tuple[str, ...]]:
        rows = []
        for one in self.players:
            marks = map(str, (one.doubtful, one.mistakes, one.blunders))
            numbers = (f"{one.choices:,}", f"{one.loss:.3f}", _number(one.error_rate, ".4f"))
            row = (str(one.player), one.agent or "", *numbers, *marks, _number(one.luck, "+.3f"))
            rows.append(row[: len(self._header())])
        return rows

    def _marked(self) -> list[tuple[str, ...]]:
        return [
            (str(one.turn), str(one.player), one.name, one.best_turn, f"{one.loss:.3f}", one.mark)
            for one in self.decisions
            if one.mark
        ]

    def page(self, path: arguments.StrPath, *, by_turn: bool = False, **options: Any) -> None:
        """Write the game as an HTML page to step through, which shows what each move lost and what was best.

        Below the board is a list of the mistakes, each a button that jumps to its position.

        Args:
            path: The file; replaced when the page is complete.
            by_turn: As `Record.animate` takes it.
            **options: As `Record.page` takes them.

        Raises:
            ValueError: As for `Record.page`.
            TypeError: As for `Record.page`.
            OSError: The file cannot be written.
        """
        places = picture.places_of(self.record, by_turn)
        title, *notes = picture.caption(self.record)
        labels = picture.moves_before(self.record, places)
        jumps = []
        for place, (begin, end) in enumerate(zip([0, *places], places, strict=False)):
            notable = [one for one in self.decisions if begin <= one.step < end and one.mark]
            lost = [f"{one.mark} {one.name} loses {one.loss:.3f}; {one.best_turn} is best" for one in notable]
            if lost:
                labels[place] += f" — {'; '.join(lost)}"
            jumps += [
                (place, f"turn {one.turn}, player {one.player}: {words}")
                for one, words in zip(notable, lost, strict=True)
            ]
        summary = [
            f"player {one.player}: {one.loss:.3f} lost, {_number(one.error_rate, '.4f')} a turn; "
            f"{one.doubtful} doubtful (?!), {counted(one.mistakes, 'mistake')} (?), "
            f"{counted(one.blunders, 'blunder')} (??)"
            + ("" if math.isnan(one.luck) else f"; luck {one.luck:+.3f}")
            for one in self.players
        ]
        chosen = {
            "title": title,
            "notes": [*notes, f"analysed by {self.agent}", *summary],
            "labels": labels,
            "jumps": jumps,
        }
        content = picture.page_of(self.record, places, {**chosen, **options}).encode()
        files.replace(path, lambda file: file.write(content))

    def plot(self, path: arguments.StrPath | None = None, *, ax: Axes | None = None) -> Figure:
        """Draw the expected return of each side after each decision, with the marks. A path also writes the picture.

        Args:
            path: A file to write, in any format of Matplotlib, such as .svg, .png or .pdf.
            ax: Axes on which to draw instead of making a figure, in their figure's style.

        Raises:
            ImportError: Matplotlib is not installed (`pip install "sarai[plot]"`).
            ValueError: The path has another suffix.
            OSError: The picture cannot be written.
        """
        from sarai._results.record_analysis_plot import plot_record_analysis

        return plot_record_analysis(self, MARKS, picture.caption(self.record)[0], path, ax)


def _analyse(  # noqa: D417  (self needs no description)
    self: Record,
    agent: str | None = None,
    *,
    luck: str | None = "expectimax:1",
    seed: int | None = None,
    thresholds: Sequence[float] | None = None,
    num_threads: int | None = None,
    progress: ProgressOption = False,
) -> RecordAnalysis:
    """Evaluate every decision of the game: what it lost against the best one; and the luck of every throw.

    A loss is the largest value of all legal actions minus that of the action played, both expected returns of the
    player by the agent's analysis. So it is as good as the agent: exact where the agent knows exact values, an
    estimate elsewhere. The luck of a throw is the expected return after it minus the mean over all outcomes.

    Args:
        agent: The agent that evaluates decisions, as `sarai.analyse` takes it. None takes "expectimax:2" in games
            with dice, and "alphabeta:6" in others, with the tables that come with the package if there are any.
        luck: The agent that evaluates throws, as `States.expected_returns` takes it; None leaves luck out. Games
            without dice have none.
        seed: The seed of the agent's random numbers, 0 to 2**64 - 1; None draws one from the operating system.
        thresholds: The smallest losses that are marked as doubtful (?!), a mistake (?) and a blunder (??). None
            takes 0.03, 0.06, 0.12 in games with dice, as GNU Backgammon does, and 0.1, 0.2, 0.3 in others, as
            lichess does for winning chances from -1 to 1.
        num_threads: The number of threads; None uses all processors.
        progress: As `sarai.rollout` takes it.

    Raises:
        ValueError: An agent is unknown or cannot play this game, or a number is out of range.
        TypeError: An argument has the wrong type.
        MemoryError: There is no memory for the table of alphabeta.
        KeyboardInterrupt: Ctrl-C.

    >>> import sarai
    >>> record = sarai.Record.play("shuanglu", ["greedy", "random"], seed=3)
    >>> analysed = record.analyse("expectimax:1", seed=0)
    >>> good, bad = analysed.players
    >>> good.error_rate < bad.error_rate
    True
    >>> len(analysed.to_pandas()) == len(record.decisions)
    True
    """
    game, record = self.game, self
    chosen = default_agent(game) if agent is None else agent
    drawn = arguments.seed(seed)
    bounds = _checked_thresholds(thresholds, game)
    threads = (
        (os.cpu_count() or 1)
        if num_threads is None
        else arguments.between("num_threads", num_threads, 1, 256)
    )
    states = record.states()
    places = [place for place, step in enumerate(record.steps) if step.player >= 0]
    if places:
        _core.check_agents(game, [chosen] * game.num_players)
    throws = _throws(record, states, luck)
    with shown(progress, f"{game}: analysing", len(places), "decisions") as report:
        analyses = _all(lambda place: ask(states[place], chosen, drawn, None), places, threads, report)
    decisions = [
        _decision(record, place, states[place], analysis, bounds)
        for place, analysis in zip(places, analyses, strict=True)
    ]
    marked = [at for at, one in enumerate(decisions) if one.mark]

    def followed(at: int) -> str:
        place = decisions[at].step
        return _best_turn(states[place], analyses[at], record.steps[place].id, chosen, drawn)

    for at, best in zip(marked, _all(followed, marked, threads, None), strict=True):
        decisions[at] = decisions[at]._replace(best_turn=best)
    name = None if not has_dice(game) or luck is None else str(luck)
    firsts = [next(group) for _, group in groupby(decisions, lambda one: (one.turn, one.player))]
    starts = [states[one.step] for one in firsts]
    ends = States.from_states(starts).afterstates().offsets.tolist() if starts else []
    turn_ends = {
        one.step: (one.player, last - first) for one, first, last in zip(firsts, ends, ends[1:], strict=False)
    }
    return RecordAnalysis(
        record, str(chosen), name, drawn, bounds, tuple(decisions), tuple(throws), turn_ends, tuple(analyses)
    )


def has_dice(game: Game) -> bool:
    """Whether the game has chance."""
    return game.max_chance_outcomes > 0


def default_agent(game: Game) -> str:
    """Who analyses a game where nobody is named: as deep as a whole game takes seconds to a minute."""
    if has_dice(game):
        return "expectimax:2"
    return "alphabeta:6" + ("" if _core.exact_shipped(game) is None else ",tables")


def mark_of(loss: float, thresholds: Sequence[float]) -> str:
    """The mark of a loss.

    >>> [mark_of(loss, (0.03, 0.06, 0.12)) for loss in (0.0, 0.05, 0.06, 0.5)]
    ['', '?!', '?', '??']
    """
    return ["", *MARKS][sum(loss >= threshold for threshold in thresholds)]


def _checked_thresholds(thresholds: Sequence[float] | None, game: Game) -> tuple[float, float, float]:
    if thresholds is None:
        return WITH_DICE if has_dice(game) else WITHOUT_DICE
    takes = "three numbers above 0 in ascending order, as in (0.03, 0.06, 0.12)"
    if isinstance(thresholds, str) or not isinstance(thresholds, Iterable):
        raise TypeError(f"thresholds must be {takes}, not {arguments.short(thresholds)}")
    given = tuple(thresholds)
    if not all(map(arguments.is_number, given)):
        raise TypeError(f"thresholds must be {takes}, not {arguments.short(thresholds)}")
    numbers = [arguments.number("thresholds", one) for one in given]
    if len(numbers) != len(MARKS) or not 0 < numbers[0] <= numbers[1] <= numbers[2] < math.inf:
        raise ValueError(f"thresholds must be {takes}, got {arguments.short(thresholds)}")
    return numbers[0], numbers[1], numbers[2]


def _all(
    work: Callable[[int], T],
    places: Sequence[int],
    threads: int,
    report: Callable[[int], object] | None,
) -> list[T]:
    """The work for each place, on several threads."""
    found = []
    pool = ThreadPoolExecutor(max(1, min(threads, len(places))))
    try:
        for done, one in enumerate(pool.map(work, places), 1):
            found.append(one)
            if report is not None:
                report(done)
    finally:
        pool.shutdown(cancel_futures=True)
    return found


def _decision(
    record: RecordedGame, place: int, state: State, analysis: Analysis, thresholds: Sequence[float]
) -> DecisionAnalysis:
    step = record.steps[place]
    played, best = _played_and_best(analysis, step.id)
    loss = best.value - played.value
    if len(analysis.moves) == 1:
        loss = 0.0
    return DecisionAnalysis(
        step=place,
        turn=state.turns_passed(),
        player=step.player,
        name=played.name,
        best=best.name,
        best_turn=best.name,
        value=played.value,
        best_value=best.value,
        loss=loss,
        kind=played.kind,
        mark="" if math.isnan(loss) else mark_of(loss, thresholds),
        choices=len(analysis.moves),
        expected=analysis.value,
    )


def _played_and_best(analysis: Analysis, action: int) -> tuple[MoveAnalysis, MoveAnalysis]:
    played = next(move for move in analysis.moves if move.action == action)
    return played, max(analysis.moves, key=lambda move: (_or_least(move.value), move is played))


def _best_turn(state: State, analysis: Analysis, action: int, agent: str, seed: int) -> str:
    """The best action in place of this one, and the best ones after it, up to the end of the turn."""
    player, turn, state = state.current_player(), state.turns_passed(), state.clone()
    best = _played_and_best(analysis, action)[1]
    names = [best.name]
    state.apply_action(best.action)
    while state.current_player() == player and state.turns_passed() == turn:
        found = ask(state, agent, seed, None)
        best = _played_and_best(found, found.best)[1]
        names.append(best.name)
        state.apply_action(best.action)
    return " ".join(names)


def _throws(record: RecordedGame, states: Sequence[State], luck: str | None) -> list[ThrowAnalysis]:
    places = [place for place, step in enumerate(record.steps) if step.player < 0]
    if luck is None or not places:
        return []

    found = States.from_states([states[place] for place in places]).chance_successors()
    values = found.states.expected_returns(luck)
    throws = []
    for place, first, last in zip(places, found.offsets[:-1], found.offsets[1:], strict=True):
        step, before = record.steps[place], states[place]
        # The opening throw decides who begins, and is the luck of that player. Equal dice are thrown again.
        player = before.to_dict()["player"]
        player = states[place + 1].to_dict()["player"] if player is None else player
        if player is None:
            continue
        mine = values[first:last, player]
        thrown = found.outcome[first:last].tolist().index(step.id)
        luck_of = float(mine[thrown] - found.probability[first:last] @ mine)
        throws.append(ThrowAnalysis(place, before.turns_passed(), player, step.name, luck_of))
    return throws


def _or_least(value: float) -> float:
    return -math.inf if math.isnan(value) else value


def _number(value: float, form: str) -> str:
    return "-" if math.isnan(value) else format(value, form)


Record.analyse = _analyse  # type: ignore[method-assign]
