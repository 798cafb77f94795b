"""What moves of a position are worth: what an agent thinks of them, or what comes of games that it plays out."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sarai import _core
from sarai._base import arguments
from sarai._base.arguments import counted
from sarai._core import State
from sarai._render import captions
from sarai._render.svg import Svg
from sarai._tables import notebook, text_table
from sarai._tables.columns import Table, of_rows
from sarai._tables.equality import EqualByValues
from sarai._tables.estimates import Estimate, texts
from sarai._tables.tabular import Tabular
from sarai.render import picture

_HEADER = ("action", "name", "value", "visits", "probability", "line")
_PLAYED_HEADER = (
    "action",
    "name",
    "value",
    "95% interval",
    "wins",
    "95% interval",
    "from the best",
    "95% interval",
)

_UNKNOWN = Estimate(math.nan, math.nan, math.nan)

_LONGEST_LINE = 8
"""How many names of a line a table shows."""

_DRAWN = 3
"""How many moves a board shows."""


@dataclass(frozen=True, eq=False)
class MoveAnalysis(EqualByValues):
    """What one move is worth: an action, or all actions of a turn.

    Attributes:
        action: The action, as `State.apply_action` takes it; of a turn the first one.
        name: The name of the action, or those of a turn.
        value: The expected return of the player to act; NaN if the agent has none.
        visits: How many simulations took it, or how many games were played after it; 0 for an agent that makes none.
        probability: The probability that the agent chooses it; for a tree search, its share of the simulations.
        line: The names of the action and of the expected continuation up to the next throw; or of a whole turn.
        kind: How far the value can be trusted. "exact": the value with perfect play. "bound": the search was stopped,
            and the player can expect at most this. "judged": an estimate, from the evaluation of later positions or
            from games played out.
        turns: The turns to the end of the game where the value is exact, this one included: the shortest win or the
            longest loss that was found. None where unknown, and in a draw.
        actions: The actions of the move, one or those of a turn.
        interval: The 95% interval of the value if games were played out; otherwise NaN.
        win_share: The share of these games that the side of the player to act won, with Wilson's 95% interval.
        difference: The value minus that of the best move, so 0 or less, with the 95% interval of pairs of games with
            the same dice; 0 to 0 for the best move itself.
    """

    action: int
    name: str
    value: float
    visits: int
    probability: float
    line: tuple[str, ...]
    kind: str
    turns: int | None = None
    actions: tuple[int, ...] = ()
    interval: tuple[float, float] = (math.nan, math.nan)
    win_share: Estimate = _UNKNOWN
    difference: Estimate = _UNKNOWN


@dataclass(frozen=True, eq=False)
class Analysis(EqualByValues, Tabular, by=("move",)):
    """What the moves of a position are worth. `print` it or display it in a notebook; `draw` shows it on the board.

    As a table (`to_pandas`, `to_arrow`, `to_parquet`) it has a row for each move.

    Attributes:
        agent: The agent's name; if games were played out by several, the names of all.
        state: The position; a copy.
        player: The player to act.
        value: The expected return of each player, one float per seat; NaN if the agent has none.
        moves: One `MoveAnalysis` per legal action, the most promising first: the best, then by visits, value,
            turns and id. With plays="turn" one for each position in which the turn can end.
        best: The action that the agent would choose, or the first action of the move with the largest value.
        depth: The depth of the search, in the units of the agent: turns for "expectimax", moves for "alphabeta", the
            actions of the longest line for "mcts"; for "perfect" the turns to the end of the game, or 1 in a draw; 1 if
            games were played out.
        simulations: The number of simulations of a tree search, or of games played; 0 for other agents.
        nodes: The number of positions that another agent evaluated; 0 for a tree search.
        seconds: The time that it took; not compared by ==.
        seed: The seed; None if nothing was drawn.
        num_games: The number of games played out after each move; 0 for an agent's search.
        plays: "step" or "turn".
    """

    agent: str
    state: State
    player: int
    value: tuple[float, ...]
    moves: tuple[MoveAnalysis, ...]
    best: int
    depth: int
    simulations: int
    nodes: int
    seconds: float = field(compare=False)
    seed: int | None = None
    num_games: int = 0
    plays: str = "step"

    __hash__ = None  # type: ignore[assignment]  # a State may change

    def _table(self, by: str) -> Table:
        game = self.state.get_game()
        first = {"game": str(game), "agent": self.agent, "player": self.player}
        rows = [{**first, **_columns(move)} for move in self.moves]
        about = {"game": str(game), "state": str(self.state)}
        names = ("agent", "seed", "num_games", "plays")
        return of_rows("analysis", rows, about | {name: getattr(self, name) for name in names})

    def __str__(self) -> str:
        if self.num_games:
            table = text_table.lines(_PLAYED_HEADER, self._played_rows(), left=(1,))
        else:
            columns = self._columns()
            table = text_table.lines(
                tuple(columns), zip(*columns.values(), strict=True), left=(1, len(columns) - 1)
            )
        return "\n".join([self._title(), "", *table])

    def _repr_html_(self) -> str:
        if self.num_games:
            table = notebook.table(_PLAYED_HEADER, self._played_rows(), text_columns=2)
            return notebook.heading(self._title()) + table
        columns = self._columns()
        columns = {name: columns.pop(name) for name in ("name", "line")} | columns
        rows = list(zip(*columns.values(), strict=True))
        return notebook.heading(self._title()) + notebook.table(tuple(columns), rows, text_columns=2)

    def _columns(self) -> dict[str, list[str]]:
        """What a table shows of each move: no visits where the agent makes none, no probabilities where it is sure."""
        columns = dict(zip(_HEADER, map(list, zip(*map(_row, self.moves), strict=True)), strict=True))
        if not self.simulations:
            del columns["visits"]
        if not self._is_drawn():
            del columns["probability"]
        return columns

    def _is_drawn(self) -> bool:
        """Whether the agent spreads its choices, or its simulations, over several moves."""
        return any(0 < move.probability < 1 for move in self.moves)

    def _title(self) -> str:
        work = (
            counted(self.simulations, "simulation") if self.simulations else counted(self.nodes, "position")
        )
        values = ", ".join(_value(value) for value in self.value)
        how = f"analysed by {self.agent}"
        if self.num_games:
            what = "turn" if self.plays == "turn" else "action"
            how = f"{counted(self.num_games, 'game')} after each {what} by {self.agent}"
            work = f"seed {self.seed}"
        else:
            work = f"{work}, depth {self.depth}"
        whose = f"{self.state.get_game()}: player {self.player} to act"
        return f"{whose}, {how}; expected returns of the position {values}; {work}"

    def _played_rows(self) -> list[tuple[str, ...]]:
        """A row for each move after which games were played out."""
        columns = (
            texts([Estimate(move.value, *move.interval) for move in self.moves], sign="+"),
            texts([move.win_share for move in self.moves], 100, "%"),
            [("best", ""), *texts([move.difference for move in self.moves[1:]], sign="+")],
        )
        return [
            (str(move.action), move.name, *value, *wins, *difference)
            for move, value, wins, difference in zip(self.moves, *columns, strict=True)
        ]

    def draw(self, *, theme: str | None = None, **options: Any) -> Svg:
        """The position with the most promising moves marked, and their values in a caption.

        Args:
            theme: "light" or "dark"; None takes that of `sarai.render.set_theme`.
            **options: As `sarai.render.draw` takes them for this game, such as `size`.

        Raises:
            ValueError: An option is out of range.
            TypeError: The game's drawing has no such option.

        >>> import sarai
        >>> state = sarai.make("shah").sample_states(num_games=1, seed=3)[0]
        >>> sarai.analyse(state, "greedy", seed=0).draw().startswith("<svg")
        True
        """
        shown = self.moves[:_DRAWN]
        marked = list(dict.fromkeys(move.line[0] for move in shown))
        board = picture(self.state, theme=theme, legal=marked, **options)
        lines = [
            f"{place}. {move.name}: {_worth(move)}"
            + (f" ({move.probability:.0%})" if self._is_drawn() else "")
            for place, move in enumerate(shown, 1)
        ]
        return captions.captioned(board, lines, theme).written()


def ask(state: State, agent: object, seed: int | None, seconds: float | None) -> Analysis:
    """What an agent inside the engine thinks of a state; see `sarai.analyse`.

    Raises:
        ValueError: It is no player's turn, the agent is unknown or cannot play this game, or a number is out of range.
        TypeError: An argument has the wrong type.
    """
    state = checked_state(state).clone()
    if not isinstance(agent, str):
        given = type(agent).__name__
        raise TypeError(
            f"agent must be an agent's name or an object of sarai.agents, not {given}, unless num_games is given"
        )
    limit = checked_seconds(seconds)
    drawn = arguments.seed(seed)
    begun = time.perf_counter()
    found = _core.analyse(state, agent, seed=drawn, seconds=limit)
    return of(agent, state, found, time.perf_counter() - begun, drawn)


def of(
    agent: str, state: State, found: Mapping[str, Any], seconds: float, seed: int | None = None
) -> Analysis:
    """The analysis that the engine told."""
    lines = [
        MoveAnalysis(
            action=line["action"],
            name=line["name"],
            value=_or_nan(line["value"]),
            visits=line["visits"],
            probability=line["probability"],
            line=tuple(line["names"]),
            kind=line["kind"],
            turns=line["turns"],
            actions=(line["action"],),
        )
        for line in found["lines"]
    ]
    values = found["values"] or [None] * state.num_players()
    searched = any(line.visits for line in lines)

    return Analysis(
        agent=str(agent),
        state=state,
        player=found["player"],
        value=tuple(map(_or_nan, values)),
        moves=tuple(lines),
        best=found["best"],
        depth=found["depth"],
        simulations=found["work"] if searched else 0,
        nodes=0 if searched else found["work"],
        seconds=seconds,
        seed=seed,
    )


def checked_state(state: object) -> State:
    """A state.

    Raises:
        TypeError: It is none.
    """
    if not isinstance(state, State):
        raise TypeError(f"state must be a sarai.State, not {type(state).__name__}")
    return state


def checked_seconds(seconds: object) -> float | None:
    """A limit of time, if there is one.

    Raises:
        TypeError: It is no number.
        ValueError: It is not more than 0.

    >>> checked_seconds(2), checked_seconds(None)
    (2.0, None)
    >>> checked_seconds(0)
    Traceback (most recent call last):
    ...
    ValueError: seconds got 0; it takes a number above 0, or None
    """
    if seconds is None:
        return None
    if not arguments.is_number(seconds):
        raise TypeError(f"seconds must be a number or None, not {type(seconds).__name__}")
    limit = arguments.number("seconds", seconds)
    if not 0 < limit <= 1e9:
        raise ValueError(f"seconds got {arguments.short(seconds)}; it takes a number above 0, or None")
    return limit


def _or_nan(value: float | None) -> float:
    return math.nan if value is None else value


def _value(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:+.3f}"


def _worth(move: MoveAnalysis) -> str:
    """The value, and how far it can be trusted."""
    if move.turns is not None:
        return f"{_value(move.value)} (in {move.turns} turn{'s' * (move.turns != 1)})"
    if move.kind == "bound":
        return f"at most {_value(move.value)}"
    return _value(move.value) + (" (exact)" if move.kind == "exact" else "")


def _columns(move: MoveAnalysis) -> dict[str, Any]:
    """A move as a row of a table."""
    row: dict[str, Any] = {}
    for name, value in vars(move).items():
        if isinstance(value, Estimate):
            row |= value.to_columns(name)
        elif name == "interval":
            row |= {"value_low": value[0], "value_high": value[1]}
        else:
            row[name] = " ".join(map(str, value)) if isinstance(value, tuple) else value
    return row


def _row(move: MoveAnalysis) -> tuple[str, ...]:
    value = _worth(move)
    line = " ".join(move.line[:_LONGEST_LINE]) + (" …" if len(move.line) > _LONGEST_LINE else "")
    return str(move.action), move.name, value, f"{move.visits:,}", f"{move.probability:.1%}", line
