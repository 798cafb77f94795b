"""The game at the terminal: what is shown, what is asked, and the file in which the game is kept."""

from __future__ import annotations

import os

import click
from rich.console import Console

from sarai._base.arguments import suggestion
from sarai._cli import screen
from sarai._cli.basics import Interrupted
from sarai._cli.hints import quoted
from sarai._cli.prompt import ask, end_prompt, somebody_is_there
from sarai._cli.table import Table, find_moves
from sarai._render.text import introduction

HELP = """\
Type a move's number in the list, its name, the beginning of its name, or a whole turn such as 24/18/14 or 8/5(2).
  legal      list the legal moves            board  show the board again
  undo       take back what you typed last   hint   show what agents would play
  save FILE  save the game to a new file     quit   leave the game
  help       show this
The rules, numbered and with their sources: sarai rules GAME
A game with a file is saved there after every choice.
To continue it: sarai play --resume FILE"""


class Session:
    """A game, where it is shown, and where it is kept.

    Args:
        table: The game.
        out: Where the boards go.
        file: Where the game is kept from the start on; None keeps it nowhere until somebody types `save`.
        is_kept: Whether the file has the game already. It is then left as it is until somebody has chosen.
    """

    _commands: tuple[str, ...] = ("legal", "board", "undo", "hint", "save", "quit", "help")
    """What can be typed besides moves."""

    def __init__(self, table: Table, out: Console, file: str | None, *, is_kept: bool = False) -> None:
        self._table = table
        self._out = out
        self._file = file
        self._is_kept = is_kept
        # How many steps there were before each line that was typed and played.
        self._typed: list[int] = []

    def run(self, title: str) -> None:
        """Play until the game is over or the user leaves.

        Args:
            title: What stands above the first board.

        Raises:
            Interrupted: On Ctrl-C.
            click.ClickException: The game could not be kept at the end.
        """
        table = self._table
        # Whoever goes on with a game has read it before; there is little room.
        news = [title, *([] if table.num_steps else introduction(table.game.name))]
        try:
            # A file that cannot be written is better known now than after the game.
            self._keep()
            while True:
                news += table.advance()
                kept = self._keep_or_tell(news)
                self._show(news)
                news = []
                if not self._decide():
                    break
        except KeyboardInterrupt as error:
            end_prompt()
            self._keep()
            raise Interrupted(f"interrupted; {self._way_back()}") from error
        except (MemoryError, RuntimeError):
            # An agent had too little to think with. Whatever was chosen before is not lost.
            self._keep()
            raise
        if not kept:
            self._keep()
        self._part()

    def _show(self, news: list[str]) -> None:
        """The news, the board and the moves, on one screen if they fit."""
        table = self._table
        lines = screen.wrapped(news)
        board = screen.board(table.state)
        room = screen.rows() - len(lines) - len(board.split("\n"))
        if table.state.is_terminal():
            moves = screen.wrapped([f"The game is over: {table.result()}"])
        else:
            moves = screen.legal_moves(table.names(), max(1, room))
        self._print(lines)
        if len(moves) < room:  # a line to spare
            self._out.print()
        self._out.print(board)
        self._print(moves)

    def _decide(self) -> bool:
        """Read lines until one changes the position; False when the user leaves."""
        table = self._table
        over = table.state.is_terminal()
        if over and not somebody_is_there():
            return False
        names = {} if over else table.names()
        prompt = f"player {table.state.current_player()}> "
        if over:
            prompt = "Enter to leave, 'save FILE', or 'undo'> "
        while True:
            word = ask(prompt)
            if word is None or word == "quit" or (over and not word):
                return False
            command, _, rest = word.partition(" ")
            if word in self._commands and (told := self._told(word)):
                self._print(told)
            elif word == "legal":
                self._print(screen.legal_moves(names))
            elif word == "board":
                self._out.print(screen.board(table.state))
            elif command == "save":
                self._out.print(self._save(rest.strip()))
            elif word == "undo":
                if self._undo():
                    self._is_kept = False
                    return True
                self._out.print("There is no earlier choice of yours to go back to.")
            elif word:
                found = find_moves(table.state, word)
                if isinstance(found, str):
                    self._out.print(f"{found}{suggestion(word, self._commands)}")
                elif refused := self._refused(found):
                    self._print(screen.wrapped([refused]))
                else:
                    self._typed.append(table.num_steps)
                    for action in found:
                        table.play(action)
                    self._is_kept = False
                    return True

    def _told(self, word: str) -> list[str]:
        """What is told of the position or of the game; nothing where the word asks for nothing."""
        game = self._table.game.name
        if word == "help":
            return [*introduction(game), HELP.replace("GAME", game)]
        if word == "hint":
            return ["The game is over."] if self._table.state.is_terminal() else self._table.hints()
        return []

    def _refused(self, actions: list[int]) -> str:
        """Why these actions, which are legal, are not played; empty where they are."""
        return ""

    def _undo(self) -> bool:
        """Go back to before what was typed last, which may have been several actions; False when there is nothing."""
        begun = self._typed.pop() if self._typed else self._table.num_steps
        gone = self._table.undo()
        while gone and self._table.num_steps > begun:
            self._table.undo()
        return gone

    def _print(self, lines: list[str]) -> None:
        if lines:
            self._out.print("\n".join(lines))

    def _save(self, name: str) -> str:
        """Keep the game in a file from now on; what came of it."""
        file = os.path.expanduser(name) if name else self._file
        if file is None:
            return "Give a file name: 'save game.json', or 'save game.txt' for readable text."
        try:
            if os.path.lexists(file) and not is_same_file(file, self._file):
                return f"{screen.printable(file)} already exists: give another name."
            self._write(file)
        except click.ClickException as error:
            return f"{screen.printable(error.message)}; give another name."
        except ValueError:
            return f"{screen.printable(file)} cannot be a file name here: give another one."
        self._file = file
        return f"Saved; from now on the game is saved to {screen.printable(file)}."

    def _keep(self) -> None:
        """Write the game to its file, if it has one.

        Raises:
            click.ClickException: It cannot be written.
        """
        if self._file is None or self._is_kept:
            return
        try:
            self._write(self._file)
        except click.ClickException as error:
            raise click.ClickException(
                f"{error.message}; use --save FILE to save it somewhere else"
            ) from error

    def _write(self, file: str) -> None:
        """Write the game to a file.

        Raises:
            click.ClickException: It cannot be written.
        """
        try:
            self._table.record().save(file)
        # A ValueError for what is no file's name, or has letters that none can have here.
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise click.ClickException(f"the game was not saved: cannot write {file}: {reason}") from error

    def _keep_or_tell(self, news: list[str]) -> bool:
        """Write the game to its file; where that fails the game goes on, so that it can be saved elsewhere."""
        try:
            if self._file is not None and not self._is_kept:
                self._write(self._file)
        except click.ClickException as error:
            news.append(f"{screen.printable(error.message)}; use 'save FILE' to save it somewhere else")
            return False
        return True

    def _part(self) -> None:
        """The last lines, for whoever leaves."""
        over = self._table.state.is_terminal()
        if self._file is not None:
            file = quoted(self._file)
            if over:
                self._out.print(f"The game is saved; to watch it again: sarai replay {file}")
            else:
                self._out.print(f"You have left the game; to continue it: sarai play --resume {file}")
        elif not over:
            self._out.print(
                "Not saved: to keep a game, type 'save FILE' before leaving, or start with --save FILE."
            )
            self._out.print(f"You have left the game at: {self._table.state}")

    def _way_back(self) -> str:
        if self._file is None:
            return f"the game was not saved; its position is: {self._table.state}"
        return f"to continue the game: sarai play --resume {quoted(self._file)}"


def is_same_file(one: str, other: str | None) -> bool:
    """Whether two names are of one file."""
    if other is None:
        return False
    return os.path.exists(one) and os.path.exists(other) and os.path.samefile(one, other)
