"""Tables in use: what states are worth, and what each move leads to."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sarai import _core
from sarai._base import arguments
from sarai._base.json_input import parse
from sarai._base.progress import check_callback
from sarai._core import Game, State
from sarai._exact.exploring import Exploration, ExploredMove, outcome
from sarai._exact.shown import Shown
from sarai._game import make
from sarai._render import captions
from sarai._render.svg import Svg
from sarai._states import States, checked_states
from sarai._symmetries import orbits
from sarai._tables.columns import Table, of_rows
from sarai._tables.tabular import Tabular
from sarai.render import picture

Tell = Callable[[dict[str, Any]], object]
"""What hears of each step of a long call: a dict."""

Stones: TypeAlias = Sequence[SupportsIndex] | NDArray[np.integer[Any]]
"""How many stones the two sides have."""

SHIPPED = Path(__file__).parent / "data"
"""The tables that come with the package: a folder for each rule book."""


CACHE_MB = 256
"""How much of the tables is kept in memory."""


class Solved(NamedTuple):
    """The value of a state for the player to act, and the turns to the end with perfect play."""

    value: int
    """1 won, 0 drawn, -1 lost."""
    turns: int | None
    """The turns to the end, this one counted; None in a draw, and where the tables have values alone."""


class SolvedMove(NamedTuple):
    """A legal action and its value for the player to act."""

    action: int
    """Its id."""
    value: int
    """1 won, 0 drawn, -1 lost."""
    turns: int | None
    """The turns to the end, this one counted; None in a draw, and where the tables have values alone."""


def two(name: str, given: object) -> tuple[Any, Any]:
    """The stones of two sides; the engine says of each whether it is a number, and in range.

    Raises:
        TypeError: They are no tuple, list or array of two.

    >>> two("pair", [3, 4])
    (3, 4)
    >>> two("pair", (3,))
    Traceback (most recent call last):
    ...
    TypeError: pair must be two whole numbers, such as (3, 3), not (3,)
    """
    try:
        first, second = given if isinstance(given, (tuple, list, np.ndarray)) else ()
    except (TypeError, ValueError):
        raise TypeError(
            f"{name} must be two whole numbers, such as (3, 3), not {arguments.short(given)}"
        ) from None
    return first, second


class TableSummary(NamedTuple):
    """The numbers of positions in the table of one pair; symmetric positions are counted separately."""

    own: int
    """The stones of the side to move."""
    other: int
    """The stones of the other side."""
    positions: int
    """All positions."""
    won: int
    """Those that the side to move wins."""
    lost: int
    """Those that it loses."""
    drawn: int
    """Those that neither side can force."""
    longest_win: int
    """The most turns that a win takes; 0 where there is none."""
    longest_loss: int
    """The most turns that a loss takes."""
    digest: str
    """SHA-256 of the values and turns of the table; of the table that it was made of, where this has values alone."""
    has_turns: bool
    """Whether the table has turns, and not values alone."""


class TablesSummary(list[TableSummary], Shown, Tabular, by=("table",)):
    """A row for each table, shown as a table; `to_pandas`, `to_arrow` and `to_parquet` make it one for other tools."""

    _COLUMNS = ("own", "other", "positions", "won", "lost", "drawn", "longest win")

    def __init__(self, rows: Iterable[TableSummary], game: Game) -> None:
        super().__init__(rows)
        self.game = game

    def _table(self, by: str) -> Table:
        first = {"game": str(self.game)}
        rows = [{**first, **row._asdict()} for row in self]
        return of_rows("exact", rows, first)

    def cells(self) -> list[list[str]]:
        """The header and the rows, as texts."""
        return [[*self._COLUMNS], *([f"{cell:,}" for cell in row[:7]] for row in self)]


class Tables:
    """The tables of one folder, read block by block as positions are looked up; the latest blocks stay in memory.

    Made by `load`, `solve`, or from a game and a folder.

    Args:
        game: The game; the rules on which values depend must be those of the tables.
        folder: Where the tables are.
        check: Whether to check every file for damage now; otherwise each block is checked when it is read.
        cache_mb: The largest part of the tables to keep in memory, in MiB, 0 to 1,048,576. A table takes one or two
            bytes per position up to symmetry; what does not fit is read again, block by block.

    Raises:
        ValueError: The folder has no tables, or one is damaged or of other rules.
    """

    def __init__(
        self,
        game: Game,
        folder: str | os.PathLike[str],
        *,
        check: bool = True,
        cache_mb: SupportsIndex = CACHE_MB,
    ) -> None:
        self._tables = _core.ExactTables(game, os.fspath(folder), check=check, cache_mb=cache_mb)
        self.game = game
        self.folder = Path(folder)

    def __fspath__(self) -> str:
        """The folder, so that tables can be given to `agents.Perfect`."""
        return os.fspath(self.folder)

    def __repr__(self) -> str:
        return f"<tables of {self.game!r}: {len(self.summary())} pairs>"

    def covers(self, state: State, *, moves: bool = False) -> bool:
        """Whether the tables cover this state; with `moves`, also all that follows it.

        >>> import sarai
        >>> sarai.exact.load("shah").covers(sarai.make("shah").new_initial_state())
        True
        """
        return (self._tables.moves if moves else self._tables.value)(state) is not None

    def value(self, state: State) -> Solved:
        """The value of a state for the player to act.

        Raises:
            ValueError: The tables do not have this state, or are of other rules.

        >>> import sarai
        >>> tables = sarai.exact.load("shah")
        >>> state = sarai.make("shah").parse(
        ...     "slide player=0 board=00.....0...1....1......1 hand=0,0 beginner=0 opening_removals=0 extra=false "
        ...     "lifted=- no_capture=0 turn=90 winner=-"
        ... )
        >>> tables.value(state)
        Solved(value=1, turns=3)
        """
        found = self._tables.value(state)
        if found is None:
            raise ValueError(
                f"the tables do not have this state: {state}; sarai.exact.solve makes more of them (docs/exact.md)"
            )
        return Solved(*found)

    def values(
        self, states: States, *, num_threads: SupportsIndex | None = None
    ) -> tuple[NDArray[np.int8], NDArray[np.int16]]:
        """The same for each row: values of shape (N,), and turns, -1 where there are none.

        Raises:
            ValueError: The tables do not have one of the states, or are of other rules.
            TypeError: They are no `sarai.States`.
        """
        return self._tables.values(checked_states(states)._rows, num_threads=num_threads)

    def moves(self, state: State) -> list[SolvedMove]:
        """Each legal action with its value for the player to act, best first, then by id.

        Quick wins come before slow ones, and slow losses before quick ones.

        Raises:
            ValueError: The tables do not have this state or what follows it, or are of other rules.
        """
        found = self._tables.moves(state)
        if found is None:
            raise ValueError(
                f"the tables do not have this state: {state}; sarai.exact.solve makes more of them (docs/exact.md)"
            )
        return [SolvedMove(*move) for move in found]

    def explore(self, state: State) -> Exploration:
        """The moves of a state as a table, best first, with the best replies.

        Moves that a mirror or a rotation of the board makes the same, stones included, share a row.

        Raises:
            ValueError: The tables do not have this state or what follows it, or are of other rules.

        >>> import sarai
        >>> tables = sarai.exact.load("shah")
        >>> state = sarai.make("shah").parse(
        ...     "slide player=0 board=00.....0...1....1......1 hand=0,0 beginner=0 opening_removals=0 extra=false "
        ...     "lifted=- no_capture=0 turn=90 winner=-"
        ... )
        >>> print(tables.explore(state))
        move   images  value            best replies
        d7-d6          wins in 3 turns  c4-c5 c4-b4 c4-c3 d3-c3 …
        d7-g7          wins in 5 turns  c4-c5 c4-b4 c4-c3 d3-c3 …
        ...
        """
        groups = orbits(state)
        rows = []
        for move in self.moves(state):
            if (same := groups.get(move.action)) is not None:
                images = tuple(state.action_to_string(action) for action in same if action != move.action)
                name = state.action_to_string(move.action)
                replies = self._best(state.child(move.action))
                rows.append(ExploredMove(move.action, name, images, move.value, move.turns, replies))
        return Exploration(rows, state)

    def _best(self, state: State) -> tuple[str, ...]:
        """The names of the best moves up to symmetry; none at the end, and where the tables end."""
        found = None if state.is_terminal() else self._tables.moves(state)
        if not found:
            return ()
        firsts, best = orbits(state), found[0][1:]
        return tuple(
            state.action_to_string(action)
            for action, *worth in found
            if tuple(worth) == tuple(best) and action in firsts
        )

    def sample_states(
        self,
        n: SupportsIndex,
        pair: Stones | None = None,
        *,
        seed: SupportsIndex | None = None,
    ) -> States:
        """Random positions of the tables, all equally likely, with seat 0 to move and a clock at its start.

        Args:
            n: How many: 0 to 100,000,000.
            pair: The stones of the side to move and of the other; None for all pairs.
            seed: 0 to 2**64 - 1; None draws one. Row i depends only on the seed and i.

        Raises:
            ValueError: There is no such table, or a number is out of range.

        >>> import sarai
        >>> tables = sarai.exact.load("shah")
        >>> states = tables.sample_states(100_000, (3, 3), seed=1)
        >>> round(float((tables.values(states)[0] == 1).mean()), 2), round(1_442_044 / 2_691_920, 2)
        (0.54, 0.54)
        """
        rows = arguments.from_zero("n", n, _core.MAX_GAMES)
        of = None if pair is None else two("pair", pair)
        return States.of_rows(self._tables.sample(rows, pair=of, seed=arguments.seed(seed)))

    def longest_win(self, pair: Stones) -> State:
        """The first state of a pair's table whose win takes the longest; this looks through the whole table.

        Args:
            pair: The stones of the side to move, which wins, and of the other.

        Raises:
            ValueError: There is no such table, nothing is won in it, or it has values alone.

        >>> import sarai
        >>> tables = sarai.exact.load("shah")
        >>> tables.value(tables.longest_win((4, 4)))
        Solved(value=1, turns=71)
        """
        return States.of_rows(self._tables.longest_win(two("pair", pair)))[0]

    def save_values(
        self,
        folder: str | os.PathLike[str],
        *,
        num_threads: SupportsIndex | None = None,
        tell: Tell | None = None,
    ) -> Tables:
        """Write these tables without turns into another folder, and open what was written.

        A position takes two bits there before compression, and in memory. Agents, `verify` and `solve` need the turns.
        Tables written before stay, so you can repeat a call that was stopped.

        Args:
            folder: Where they go; it is made where there is none.
            num_threads: Threads; None for as many as there are processors.
            tell: What hears of each table before it is written, a dict.

        Raises:
            ValueError: A table is damaged or has no turns itself, or the folder has tables with turns.
            TypeError: An argument has the wrong type.

        >>> import sarai, tempfile
        >>> tables = sarai.exact.load("shah")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     values = tables.save_values(folder)
        ...     values.value(tables.longest_win((4, 4)))
        Solved(value=1, turns=None)
        >>> tables.save_values(tables.folder)
        Traceback (most recent call last):
        ...
        ValueError: ...shah-3-3.exact has turns, which would be lost; give another folder
        """
        check_callback("tell", tell)

        def heard(text: str) -> None:
            if tell is not None:
                tell(json.loads(text))

        self._tables.save_values(arguments.path(folder), num_threads=num_threads, tell=heard)
        return Tables(self.game, folder, check=False)

    def draw(self, state: State, *, theme: str | None = None, most: int = 24, **options: Any) -> Svg:
        """The board with the value of each move: "+7" wins in 7 turns, "=" draws, "-7" loses in 7.

        Args:
            state: A state that the tables have.
            theme: "light" or "dark"; None takes that of `sarai.render.set_theme`.
            most: The largest number of moves to mark, best first.
            **options: As `sarai.render.draw` takes them for this game, such as `size`.

        Raises:
            ValueError: The tables do not have this state or what follows it, or an option is out of range.
            TypeError: The game's drawing has no such option.
        """
        moves = self.moves(state)
        shown = moves[: arguments.from_zero("most", most)]
        values = {state.action_to_string(move.action): (move.value, move.turns) for move in shown}
        board = picture(state, theme=theme, values=values, **options)
        best = moves[0]
        name = state.action_to_string(best.action)
        lines = [f"player {state.current_player()} {outcome(best.value, best.turns)}: {name}"]
        if len(shown) < len(moves):
            lines.append(f"the best {len(shown)} of {len(moves)} moves")
        return captions.captioned(board, lines, theme).written()

    def summary(self) -> TablesSummary:
        """What each table holds."""
        tables = json.loads(self._tables.summary_json())
        rows = (
            {
                "own": table["pair"][0],
                "other": table["pair"][1],
                "digest": table["digest"],
                "has_turns": table["has_turns"],
                **table["summary"],
            }
            for table in tables
        )
        found = (TableSummary(*(row[name] for name in TableSummary._fields)) for row in rows)
        return TablesSummary(found, self.game)


def shipped(game: Game) -> Path | None:
    """The folder of the package with tables of this game and its rules, if there is one.

    >>> import sarai
    >>> shipped(sarai.make("shah")).name, shipped(sarai.make("shah", blocked="loses")), shipped(sarai.make("sho"))
    ('shah', None, None)
    """
    return _core.exact_shipped(game)


def decisive(game: Game) -> dict[str, Any]:
    """What tables of this game are of: game, numbering and the rules on which values depend."""
    found: dict[str, Any] = json.loads(_core.exact_fingerprint_json(game))
    return found


def game_of(folder: str | os.PathLike[str], pattern: str = "*.exact") -> Game | None:
    """The game, and the rules on which values depend, of the first table with such a name; None if there is none.

    Raises:
        ValueError: The table begins like none.
    """
    path = min(Path(folder).glob(pattern), default=None)
    if path is None:
        return None
    of = header_of(path)["fingerprint"]
    try:
        return game_of_fingerprint(of)
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"{path} is no sound table") from error


def some_game(folder: str | os.PathLike[str]) -> Game:
    """The same where there must be tables.

    Raises:
        ValueError: There are none, or the first begins like none.
    """
    game = game_of(folder)
    if game is None:
        missing = "the folder {} has no tables" if os.path.isdir(folder) else "there is no folder {}"
        raise ValueError(missing.format(os.fspath(folder)))
    return game


def header_of(path: Path) -> dict[str, Any]:
    """What a file says about its table; it has a fingerprint and a pair.

    Raises:
        ValueError: It begins like none.
    """
    with open(path, "rb") as file:
        begin, length = file.read(12), file.read(4)
        text = file.read(min(int.from_bytes(length, "little"), 1 << 20))
    try:
        if begin != b"sarai exact\n":
            raise ValueError("it begins otherwise")
        header: dict[str, Any] = parse(text.decode(), "a table")
        if not {"fingerprint", "pair"} <= {*header}:
            raise ValueError("it does not say what it is of")
    except (ValueError, TypeError) as error:
        raise ValueError(f"{path} is no sound table") from error
    return header


def game_of_fingerprint(of: Any) -> Game:
    """The game, and the rules on which values depend, that a file says it is of; it fails where there is no such."""
    return make(of["game"], rules={name: _value(value) for name, value in of["rules"].items()})


def _value(text: str) -> Any:
    """The value of a rule as it stands in a table's header."""
    return int(text) if text.isdecimal() else {"true": True, "false": False}.get(text, text)
