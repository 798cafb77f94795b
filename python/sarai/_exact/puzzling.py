"""Puzzles: positions in which exactly one turn wins."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from sarai._base.json_input import parse
from sarai._core import Game, State
from sarai._exact.loading import load
from sarai._exact.shown import Shown
from sarai._exact.tables import SHIPPED, shipped
from sarai._game import as_game
from sarai._render.svg import Svg
from sarai._tables.columns import Table, of_rows
from sarai._tables.tabular import Tabular
from sarai.render import draw

FILE = SHIPPED / "shah_puzzles.json"
"""The puzzles of the package."""

VERSION = 1


class PuzzleTurn(NamedTuple):
    """A whole turn, with its value for the side that plays it."""

    name: str
    """Its actions, such as "d6-d7 xa4"."""
    value: int
    """1 won, 0 drawn, -1 lost."""
    turns: int | None
    """The turns to the end, this one counted; None in a draw."""


class Puzzle(NamedTuple):
    """A position in which exactly one turn wins. Several captures that end the game at once count as one turn."""

    number: int
    """Its number: 1 for the easiest."""
    position: str
    """The position as text, as `str(state)` has it; seat 0 is to move."""
    length: int
    """The turns to the end with perfect play, both sides' and this one counted."""
    line: tuple[str, ...]
    """The turns of both sides with perfect play, the winning one first."""
    others: tuple[PuzzleTurn, ...]
    """The other turns, the best first: draws, then slow losses before quick ones."""
    game: Game
    """The game."""

    @property
    def state(self) -> State:
        """The position, as a new state."""
        return self.game.parse(self.position)

    @property
    def key(self) -> str:
        """The only turn that wins."""
        return self.line[0]

    @property
    def task(self) -> str:
        """What there is to do.

        >>> import sarai
        >>> sarai.exact.puzzles()[5].task
        'White to move wins in 3 turns'
        """
        return f"White to move wins in {self.length} turn{'s' * (self.length != 1)}"

    def draw(self, solution: bool = False, **options: Any) -> Svg:
        """The board; options are as `sarai.render.draw` takes them for this game, such as `size` and `theme`.

        Args:
            solution: Whether to mark the only turn that wins: an arrow, and a red ring around a stone that it takes.
            **options: As above.

        Raises:
            ValueError: An option is out of range.
            TypeError: The game's drawing has no such option.
        """
        moves = self.key.split() if solution else []
        marks = {
            "arrows": [move for move in moves if "-" in move],
            "highlight": {move[1:]: "red" for move in moves if move.startswith("x")},
        }
        return draw(self.state, **{"board_only": True, **marks, **options})


class Puzzles(list[Puzzle], Shown, Tabular, by=("puzzle",)):
    """Puzzles from easy to hard, shown as a table; `to_pandas`, `to_arrow` and `to_parquet` give it to other tools."""

    def __init__(self, puzzles: Iterable[Puzzle], game: Game) -> None:
        super().__init__(puzzles)
        self.game = game

    def _table(self, by: str) -> Table:
        first = {"game": str(self.game)}
        rows = [
            {
                **first,
                "number": puzzle.number,
                "length": puzzle.length,
                "key": puzzle.key,
                "turns": 1 + len(puzzle.others),
                "drawing": sum(turn.value == 0 for turn in puzzle.others),
                "position": puzzle.position,
            }
            for puzzle in self
        ]
        return of_rows("puzzles", rows, first)

    def cells(self) -> list[list[str]]:
        """The header and the rows, as texts."""
        rows = ([puzzle.number, puzzle.length, 1 + len(puzzle.others)] for puzzle in self)
        return [["puzzle", "wins in", "choices"], *(list(map(str, row)) for row in rows)]


def puzzles(game: str | Game = "shah") -> Puzzles:
    """The puzzles of the package, from easy to hard: positions of Shah in which exactly one turn wins.

    Args:
        game: A game's name, or a game.

    Raises:
        ValueError: There are no puzzles of this game or of these rules, or the file is damaged.

    >>> import sarai
    >>> puzzles = sarai.exact.puzzles()
    >>> puzzle = puzzles[5]
    >>> puzzle.number, puzzle.task
    (6, 'White to move wins in 3 turns')
    >>> state = puzzle.state
    >>> for action in state.string_to_actions(puzzle.key):
    ...     state.apply_action(action)
    >>> sarai.exact.load("shah").value(state)
    Solved(value=-1, turns=2)
    >>> sarai.exact.puzzles("sho")
    Traceback (most recent call last):
    ...
    ValueError: there are no puzzles of sarai.make('sho'), only of sarai.make('shah')
    """
    book = as_game(game)
    if shipped(book) != SHIPPED / "shah":
        raise ValueError(f"there are no puzzles of {book!r}, only of sarai.make('shah')")
    return read(FILE, book)


def read(path: Path, game: Game) -> Puzzles:
    """The puzzles of a file.

    Raises:
        ValueError: It is damaged.
    """
    try:
        content = parse(path.read_text(encoding="utf-8"), "puzzles")
        if (content["version"], content["game"]) != (VERSION, game.name):
            raise ValueError("it is of another version or game")
        found = [_puzzle(number, entry, game) for number, entry in enumerate(content["puzzles"], 1)]
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"{path} has no sound puzzles") from error
    return Puzzles(found, game)


def _puzzle(number: int, entry: dict[str, Any], game: Game) -> Puzzle:
    others = [PuzzleTurn(name, 0, None) for name in entry["draws"]]
    for turns, names in entry["loses"].items():
        others += [PuzzleTurn(name, -1, int(turns)) for name in names]
    puzzle = Puzzle(
        number, entry["position"], int(entry["length"]), tuple(entry["line"]), tuple(others), game
    )
    # Whoever plays it meets no illegal turn, and no end before the last.
    state = puzzle.state
    for name in puzzle.line:
        if state.is_terminal():
            raise ValueError("it goes on after the end")
        for action in state.string_to_actions(name):
            state.apply_action(action)
    if state.winner != 0:
        raise ValueError("the line does not win")
    return puzzle


class Way(NamedTuple):
    """A whole turn that can be played, and where it ends."""

    name: str
    actions: list[int]
    state: State


def ways(state: State) -> list[Way]:
    """The whole turns that a player has, one for each position in which the turn can end."""
    after = state.afterstates()
    found = []
    for row in range(len(after.states)):
        actions = after.actions_to(row).tolist()
        found.append(Way(name_of(state, actions), actions, after.states[row]))
    return found


def name_of(state: State, actions: Iterable[int]) -> str:
    """The names of several actions."""
    at, names = state.clone(), []
    for action in actions:
        names.append(at.action_to_string(action))
        at.apply_action(action)
    return " ".join(names)


def defender(state: State, length: int) -> str:
    """The agent that knows the values of a puzzle as long as the side that wins plays a quickest turn.

    A search finds every win within its depth.
    """
    tables = load(state.get_game(), check=False)
    return "perfect" if tables.covers(state) else f"alphabeta:{length}"
