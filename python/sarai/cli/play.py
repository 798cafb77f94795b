"""`sarai play`: a game against agents, or among humans at one terminal."""

from __future__ import annotations

import secrets
import sys
import textwrap
from contextlib import suppress

import click
from rich.console import Console

from sarai import _core
from sarai._core import Game
from sarai.cli import screen
from sarai.cli.shared import examples, input_errors, parse_options, rules_options
from sarai.cli.table import HUMAN, Table, find_move
from sarai.game import make
from sarai.progress import is_terminal

# Longer than any move; without a limit a line without an end would fill the memory.
_LONGEST_LINE = 1000

# Below a board of 18 rows there is room for these in a terminal of 24.
_ROWS_OF_MOVES = 4

# Whose advice "hint" gives.
_ADVISERS = ("greedy", "mcts:500")

HELP = """\
Type a move by its number in the list, or by its name or the beginning of it.
  legal   list the legal moves          board   show the board again
  undo    go back to your last choice   hint    ask what agents would play
  help    show this                     quit    leave the game"""


@click.command(
    "play",
    short_help="Play a game yourself.",
    epilog=examples(
        "sarai play shah --against greedy",
        "sarai play sho --against human,mcts:200 --preset lhasa --seat 1 --seed 7",
    ),
)
@click.argument("game")
@click.option(
    "--against",
    default="greedy",
    show_default=True,
    metavar="A,B,...",
    help="Who has the other seats (random, greedy, mcts:200, ...; human for somebody beside you): one for each, "
    "or a single one for all.",
)
@click.option("--seat", type=int, default=0, show_default=True, help="Your seat, the first is 0.")
@click.option(
    "--seed",
    type=click.IntRange(0, 2**64 - 1),
    help="The same seed gives the same dice for the same moves. Default: a new one, which is printed.",
)
@rules_options
@click.option("--no-color", is_flag=True, help="Print no colour, not even on a terminal.")
def command(
    game: str,
    against: str,
    seat: int,
    seed: int | None,
    preset: str | None,
    options: tuple[str, ...],
    no_color: bool,
) -> None:
    """Play GAME on the terminal. The moves may also come from a file or a pipe, one a line."""
    chosen = parse_options(options)
    with input_errors():
        rule_book = make(game, preset=preset, rules=chosen)
    players = _players(rule_book, against, seat)
    if seed is None:
        seed = secrets.randbits(32)
    out = screen.make_console(no_color)
    table = Table(rule_book, players, seed)
    out.print(f"{game}, seed {seed}; you are player {seat}. Type 'help' for help, 'quit' to leave.")
    try:
        _play(table, out)
    except KeyboardInterrupt as error:
        if is_terminal(sys.stderr):
            click.echo(err=True)  # the terminal has shown ^C on the line that is to hold the message
        raise click.ClickException(f"interrupted; the position is: {table.state}") from error


def _players(game: Game, against: str, seat: int) -> list[str]:
    """Who sits where, the user among them."""
    num_players = game.num_players
    if not 0 <= seat < num_players:
        raise click.UsageError(f"--seat got {seat}; with these rules it takes 0 to {num_players - 1}")
    names = [name.strip() for name in against.split(",")]
    if len(names) == 1:
        names *= num_players - 1
    if len(names) != num_players - 1:
        raise click.UsageError(
            f"--against names {len(names)} players; with these rules it takes {num_players - 1}, or one for all"
        )
    for name in names:
        if name != HUMAN:
            _check_agent(game, name)
    names.insert(seat, HUMAN)
    return names


def _check_agent(game: Game, name: str) -> None:
    """Refuse an unknown agent before the game begins and not at its first move."""
    # A batch checks the agents of its seats when it is made.
    seats = [name if player else None for player in range(game.num_players)]
    try:
        _core.Batch(game, 1, 0, "Disabled", agents=seats)
    except ValueError as error:
        raise click.UsageError(f"--against takes agents and {HUMAN!r}: {error}") from error


def _play(table: Table, out: Console) -> None:
    """Play until the game is over or the user leaves."""
    while True:
        for line in table.advance():
            out.print("\n".join(textwrap.wrap(line, screen.WIDTH, subsequent_indent="  ")))
        out.print()
        out.print(screen.board(table.state))
        if table.state.is_terminal():
            out.print(f"The game is over: {table.result()}")
            return
        out.print("\n".join(screen.legal_moves(table.names(), _ROWS_OF_MOVES)))
        if not _decide(table, out):
            out.print(f"You have left the game at: {table.state}")
            return


def _decide(table: Table, out: Console) -> bool:
    """Read lines until one changes the position; False when the user leaves."""
    names = table.names()
    while True:
        word = _read(f"player {table.state.current_player()}> ")
        if word is None or word == "quit":
            return False
        if word == "help":
            out.print(HELP)
        elif word == "legal":
            out.print("\n".join(screen.legal_moves(names)))
        elif word == "board":
            out.print(screen.board(table.state))
        elif word == "hint":
            out.print("\n".join(table.hints(_ADVISERS)))
        elif word == "undo":
            if table.undo():
                return True
            out.print("There is no choice of yours to go back to.")
        elif word:
            found = find_move(names, word)
            if not isinstance(found, str):
                table.play(found)
                return True
            out.print(found)


def _read(prompt: str) -> str | None:
    """The next line that is typed, without the blanks around it; None at the end of the input."""
    if sys.stdin is None:
        return None
    try:
        if is_terminal(sys.stdin) and is_terminal(sys.stdout):
            # Once imported, it gives `input` a line that can be edited; not every system has it.
            with suppress(ImportError):
                import readline  # noqa: F401
            with suppress(EOFError):
                return input(prompt).strip()
            click.echo()  # the prompt has not ended its line
            return None
        line = sys.stdin.readline(_LONGEST_LINE + 1)
    except UnicodeDecodeError as error:
        raise click.UsageError("the input is no text: give moves, one a line") from error
    if len(line) > _LONGEST_LINE:
        raise click.UsageError(
            f"the input has a line of more than {_LONGEST_LINE} characters: give moves, one a line"
        )
    return line.strip() if line else None
