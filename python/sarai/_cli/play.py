"""`sarai play`: a game against agents, or among humans at one terminal."""

from __future__ import annotations

import os
import random
from collections.abc import Sequence

import click
from click.core import ParameterSource

from sarai import _core
from sarai._base import arguments
from sarai._base.arguments import counted, suggestion
from sarai._cli import files, screen
from sarai._cli.basics import IntRange, agent_names, examples, input_errors, parse_options, rules_options
from sarai._cli.hints import quoted
from sarai._cli.puzzle import PuzzleSession
from sarai._cli.session import Session, is_same_file
from sarai._cli.table import HUMAN, Table
from sarai._core import Game
from sarai._exact.puzzling import Puzzle, puzzles
from sarai._game import make


@click.command(
    "play",
    short_help="Play a game yourself.",
    help="""Play GAME in the terminal. Moves can also come from a file or a pipe, one per line.

    A game is saved as a record. FILE ends in .json, or in .txt for readable text. Typing 'save FILE' during
    the game does the same as --save; 'sarai replay FILE' shows the saved game.
    """,
    epilog=examples(
        "sarai play shah --against greedy",
        "sarai play sho --against human,mcts:200 --preset lhasa --seat 1 --seed 7",
        "sarai play shuanglu --save game.json",
        "sarai play --resume game.json",
        "sarai play shah --puzzle 6",
    ),
)
@click.argument("game", required=False)
@click.option(
    "--against",
    default="greedy",
    show_default=True,
    metavar="A,B,...",
    help="The players of the other seats (random, greedy, mcts:200, ...; human for a person beside you): one per "
    "seat, or a single one for all.",
)
@click.option("--seat", type=int, default=0, show_default=True, help="Your seat; the first is 0.")
@click.option(
    "--seed",
    type=IntRange(0, 2**64 - 1),
    help="The same seed gives the same dice for the same moves. Default: a new seed, which is printed.",
)
@rules_options
@files.file_option("--save", "FILE", "Save the game to this new file after every choice.")
@files.file_option(
    "--resume",
    "FILE",
    "Continue the game in this file, with its players, rules and dice, and save it there, or with --save to "
    "another file.",
)
@click.option(
    "--puzzle",
    metavar="N",
    help="Solve this puzzle, 1 for the easiest, or 'random' for any: find the only turn that wins, and win.",
)
@click.option("--no-color", is_flag=True, help="Do not use colour, even in a terminal.")
@click.pass_context
def command(
    context: click.Context,
    game: str | None,
    against: str,
    seat: int,
    seed: int | None,
    preset: str | None,
    options: tuple[str, ...],
    save: str | None,
    resume: str | None,
    puzzle: str | None,
    no_color: bool,
) -> None:
    """Seat the players and play."""
    if puzzle is not None:
        _refuse_beside(
            context, "--puzzle gives the position and the players", "puzzle", "game", "seed", "no_color"
        )
        PuzzleSession(_puzzle(game, puzzle, seed), screen.make_console(no_color)).begin()
        return
    if resume is not None:
        _refuse_beside(
            context, "--resume continues the game in the file as it is", "resume", "save", "no_color"
        )
        table, title = _resumed(resume)
        if save is None and not os.path.isfile(resume):
            raise click.UsageError(
                f"the game cannot be saved to {resume}, which is not a regular file: give --save FILE too"
            )
    elif game is None:
        raise click.UsageError(f"name a GAME ({', '.join(_core.games())}), or give --resume FILE")
    else:
        chosen = parse_options(options)
        with input_errors():
            rule_book = make(game, preset=preset, rules=chosen)
        players = _players(rule_book, against, seat)
        table = Table(rule_book, players, seed)
        title = f"{game}, seed {table.seed}; you are player {seat}"
    if save is not None and os.path.lexists(save) and not is_same_file(save, resume):
        raise click.UsageError(
            f"--save: {save} already exists; give another name, or continue its game: --resume {quoted(save)}"
        )
    session = Session(
        table,
        screen.make_console(no_color),
        resume if save is None else save,
        is_kept=save is None and resume is not None,
    )
    session.run(f"{title}. Type 'help', or 'quit' to leave.")


def _refuse_beside(context: click.Context, why: str, *kept: str) -> None:
    """What need not be said is refused; to pass over it in silence would be worse."""
    for parameter in context.command.params:
        if parameter.name in kept:
            continue
        if context.get_parameter_source(str(parameter.name)) is not ParameterSource.DEFAULT:
            name = "GAME" if isinstance(parameter, click.Argument) else parameter.opts[0]
            raise click.UsageError(f"{why}: leave out {name}")


def _puzzle(game: str | None, asked: str, seed: int | None) -> Puzzle:
    """The puzzle that was asked for.

    Raises:
        click.UsageError: There is no such puzzle.
    """
    with input_errors():
        several = puzzles(make(game or "shah"))
    count = len(several)
    if asked == "random":
        return random.Random(arguments.seed(seed)).choice(several)
    if asked.isascii() and asked.isdigit() and 1 <= int(asked[:9]) <= count:
        return several[int(asked) - 1]
    raise click.UsageError(
        f"--puzzle takes 1 to {count}, or random, not {asked!r}{arguments.suggestion(asked, ['random'])}"
    )


def _resumed(file: str) -> tuple[Table, str]:
    """The game in a file, and what stands above its first board.

    Raises:
        click.UsageError: The file holds no game of a human at a terminal.
        click.ClickException: It cannot be read.
    """
    record = files.read_record(file)
    players = record.agents or ()
    seats = [str(seat) for seat, player in enumerate(players) if player == HUMAN]
    if not seats:
        raise click.UsageError(
            f"no seat of the game in {file} belongs to a human, so there is nothing to choose; "
            f"to watch the game: sarai replay {quoted(file)}"
        )
    game = record.game
    _check_agents(game, players, f"the record in {file}")
    # A game of another origin may have no seed; then the dice to come are open.
    with input_errors():
        table = Table(game, players, record.seed, [step.id for step in record.steps], record.start)
    you = f"you are player {seats[0]}" if len(seats) == 1 else f"humans are players {', '.join(seats)}"
    return table, f"{game.name}, seed {table.seed}, after {counted(len(record), 'step')}; {you}"


def _players(game: Game, against: str, seat: int) -> list[str]:
    """Who sits where, the user among them."""
    num_players = game.num_players
    if not 0 <= seat < num_players:
        raise click.UsageError(f"--seat got {seat}; with these rules it takes 0 to {num_players - 1}")
    names = agent_names(against)
    if len(names) == 1:
        names *= num_players - 1
    if len(names) != num_players - 1:
        raise click.UsageError(
            f"--against names {len(names)} players; with these rules it takes {num_players - 1}, or one for all"
        )
    names.insert(seat, HUMAN)
    _check_agents(game, names, "--against")
    return names


def _check_agents(game: Game, names: Sequence[str], source: str) -> None:
    """Refuse an unknown agent before the game begins and not at its first move."""
    for name in names:
        if name == HUMAN:
            continue
        try:
            _core.check_agents(game, [name] * game.num_players)
        except ValueError as error:
            meant = suggestion(name, [HUMAN])
            raise click.UsageError(f"{source} takes agents and {HUMAN!r}: {error}{meant}") from error
