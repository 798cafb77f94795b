"""`sarai explore`: what each move of a solved position leads to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import click
from rich.console import Console

from sarai._base.arguments import counted, suggestion
from sarai._cli import files, screen
from sarai._cli.basics import (
    Interrupted,
    examples,
    input_errors,
    parse_options,
    print_json,
    rules_options,
)
from sarai._cli.position import read_position
from sarai._cli.prompt import ask, end_prompt, somebody_is_there
from sarai._cli.table import find_move
from sarai._core import State
from sarai._exact.exploring import Exploration
from sarai._exact.loading import load
from sarai._exact.tables import Solved, Tables, decisive, shipped
from sarai._game import make
from sarai._render.text import piece_letters
from sarai._tables import text_table

_HELP = """\
Type a move, the beginning of its name, or its number in the list; or several moves with blanks between them.
  back  take back a move      all   list every move
  help  show this             quit  leave, as an empty line does
Images are moves that a mirror or a rotation of the board, stones included, makes the same. Of such replies, one is \
named. After a mill, the best replies are the captures that belong to it."""

_COMMANDS = ("back", "all", "help", "quit")

_MORE = (
    "To get more, run 'sarai exact fetch', or make them with 'sarai solve' (--all, then --placing); "
    "then give --tables DIR."
)

_PROMPTED = 6
"""How many moves a prompt names."""


@click.command(
    "explore",
    short_help="Show what each move of a solved position leads to.",
    help="""Show the value of a position of GAME, shah by default, and of each of its moves, with the best replies.
    Moves that a mirror or a rotation of the board makes the same share a row.

    The position is the start, or --position, after --moves. In a terminal, type a move to go on, 'back', or an empty
    line to leave. The values come from the tables of the package, or from those in --tables, which 'sarai solve' makes;
    they ignore the move limits.
    """,
    epilog=examples(
        "sarai explore",
        'sarai explore shah --moves "b6 f6 f4"',
        "sarai explore --moves b6 --json",
    ),
)
@click.argument("name", metavar="[GAME]", default="shah")
@rules_options
@click.option("--position", metavar="TEXT|FILE", help="The position. Default: the start.")
@click.option(
    "--moves", default="", metavar='"A B ..."', help="Moves to play first, with blanks between them."
)
@files.file_option("--tables", "DIR", "The folder of the tables. Default: those of the package.")
@click.option("--no-color", is_flag=True, help="Do not use colour, even in a terminal.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
def command(
    name: str,
    preset: str | None,
    options: tuple[str, ...],
    position: str | None,
    moves: str,
    tables: str | None,
    no_color: bool,
    as_json: bool,
) -> None:
    """Print the moves once, or explore with whoever is at the terminal."""
    rules = parse_options(options)
    with input_errors():
        game = make(name, preset=preset, rules=rules)
        start = read_position(game, position)
        if tables is None and shipped(game) is None:
            decisive(game)
            raise click.UsageError(
                f"no tables of {game} come with the package; make some with 'sarai solve', and give --tables DIR"
            )
        explorer = Explorer(load(game, tables, check=False), start, screen.make_console(no_color))
        if (wrong := explorer.play(moves, f"'sarai explore {game.name}' shows the moves")) is not None:
            raise click.UsageError(f"--moves: {wrong}")
        if as_json:
            print_json(explorer.as_json())
        elif somebody_is_there():
            explorer.run()
        else:
            explorer.show()


class Position(NamedTuple):
    """A position of the line, and what the tables have of it."""

    name: str
    """The move that led here; empty at the start."""
    state: State
    value: Solved | None
    """None where the tables do not have it, and at the end of the game."""
    rows: Exploration | None
    """Its moves; None where the tables do not have what follows."""


class Explorer:
    """A line of play through tables, and where it is shown.

    Args:
        tables: The tables.
        start: Where the line begins.
        out: Where the boards go.
    """

    def __init__(self, tables: Tables, start: State, out: Console) -> None:
        self._tables = tables
        self._out = out
        self._line = [self._position(start)]

    def play(self, words: str, advice: str = "type 'all' for the list, 'help' for help") -> str | None:
        """Play moves with blanks between them, all or none; a sentence that says which is wrong, or None."""
        line = self._line[-1:]
        for word in words.split():
            state, rows = line[-1].state, line[-1].rows or ()
            # A number is one of the list, of which each row is named first.
            actions = [row.action for row in rows] or state.legal_actions()
            names = {state.action_to_string(action): action for action in (*actions, *state.legal_actions())}
            if word.isdecimal() and not (word.isascii() and 0 < int(word[:4]) <= len(rows)):
                return f"{word[:40]!a} is no number in the list"
            found = find_move(names, word, advice)
            if isinstance(found, str):
                return found
            line.append(self._position(state.child(found), state.action_to_string(found)))
        self._line += line[1:]
        return None

    def as_json(self) -> dict[str, object]:
        """The position as plain data: its value, and its moves with theirs."""
        state, value, rows = self._line[-1][1:]
        game = state.get_game()
        return {
            "game": game.name,
            "rules": game.rules,
            "position": str(state),
            "current_player": state.current_player(),
            "value": None if value is None else value.value,
            "turns": None if value is None else value.turns,
            "moves": [row._asdict() for row in rows or ()],
        }

    def show(self, room: int | None = None) -> None:
        """Print the board, the value and the moves; of the moves at least one, and what fits into so many rows."""
        state = self._line[-1].state
        board, told, table = screen.board(state), screen.wrapped(self._sentences()), self._table()
        if room is None:
            self._out.print(board)
            self._print(["", str(state), "", *told, *([""] if table else []), *table])
            return
        left = max(3, room - len(board.split("\n")) - len(told))
        if len(table) > left:
            table = [*table[: left - 1], f"... {len(table) - left + 1} more: type 'all'"]
        self._out.print(board)
        self._print([*told, *table])

    def run(self) -> None:
        """Show positions until the user leaves.

        Raises:
            Interrupted: On Ctrl-C.
        """
        self._print(["Type a move to go on, 'help', or an empty line to leave."])
        try:
            self.show(screen.rows() - 1)
            while self._asked():
                self.show(screen.rows())
        except KeyboardInterrupt as error:
            end_prompt()
            names = " ".join(self._names())
            back = f'to come back, give --moves "{names}"' if names else "start again"
            raise Interrupted(f"interrupted: {back}") from error

    def _asked(self) -> bool:
        """Read lines until one changes the position; False when the user leaves."""
        names = self._names()
        shown = ["…", *names[-_PROMPTED:]] if len(names) > _PROMPTED else names
        while True:
            word = ask(f"after {' '.join(shown)}> " if shown else "move> ")
            if not word or word == "quit":
                return False
            if word == "help":
                self._print(screen.wrapped(_HELP.split("\n")))
            elif word == "all":
                self._print(self._table() or screen.wrapped(self._sentences()))
            elif word == "back" and names:
                self._line.pop()
                return True
            elif word == "back":
                self._print(["This is the first position."])
            elif (wrong := self.play(word)) is None:
                return True
            else:
                self._print([f"{wrong}{suggestion(word, _COMMANDS)}"])

    def _names(self) -> list[str]:
        return [position.name for position in self._line[1:]]

    def _position(self, state: State, name: str = "") -> Position:
        tables = self._tables
        if state.is_terminal() or not tables.covers(state):
            return Position(name, state, None, None)
        rows = tables.explore(state) if tables.covers(state, moves=True) else None
        return Position(name, state, tables.value(state), rows)

    def _sentences(self) -> list[str]:
        """The value of the position, and what to do where the tables end."""
        _, state, value, rows = self._line[-1]
        if state.is_terminal():
            winner = state.winner
            ended = "it is a draw" if winner is None or winner < 0 else f"{_player(state, winner)} has won"
            return [f"The game is over: {ended}."]
        told = []
        if value is not None and value.value:
            winner = state.current_player() if value.value > 0 else 1 - state.current_player()
            turns = "" if value.turns is None else f" in {counted(value.turns, 'turn')}"
            name = _player(state, winner)
            told.append(f"{name[0].upper()}{name[1:]} wins{turns}.")
        elif value is not None:
            told.append("Neither player can force a win.")
        if rows is None:
            ends = "do not have this position" if value is None else "do not have what follows"
            told.append(f"The tables {ends}. {_MORE}")
        return told

    def _table(self) -> list[str]:
        """The moves with their numbers."""
        rows = self._line[-1].rows
        if rows is None:
            return []
        header, *cells = rows.cells()
        numbered = ((str(number), *row) for number, row in enumerate(cells, 1))
        return text_table.lines(["", *header], list(numbered), left=range(1, 5))

    def _print(self, lines: Sequence[str]) -> None:
        if lines:
            self._out.print("\n".join(lines))


def _player(state: State, seat: int) -> str:
    """A player as people call one, with the letter on the board.

    >>> import sarai
    >>> _player(sarai.make("shah").new_initial_state(), 1)
    'the second player (X)'
    """
    game = state.get_game()
    first = game.rules["first_player"]
    name = f"player {seat}" if first not in (0, 1) else f"the {('first', 'second')[seat != first]} player"
    return f"{name} ({piece_letters(game.name)[seat]})"
