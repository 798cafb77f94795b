"""`sarai arena`: agents against one another, and how strong each is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sarai._base.files import check_writable
from sarai._base.progress import shown_in_shell
from sarai._cli import files, hints
from sarai._cli.basics import (
    console,
    examples,
    input_errors,
    parse_options,
    playing_options,
    print_json,
)
from sarai._cli.files import cannot_write
from sarai._cli.screen import printable
from sarai._game import make
from sarai._matches.arena import arena
from sarai._matches.schedule import DICE, SCHEDULES, total_games


@click.command(
    "arena",
    short_help="Let agents play one another and rate them.",
    help="""Let AGENTS play one another at GAME in all seat orders, and rate them in Elo with 95% intervals.

    An agent is a name, such as greedy or mcts:200; 'sarai agents' lists them. With --json, the result is printed as an
    object. An interval that does not exist is null.
    """,
    epilog=examples(
        "sarai arena shuanglu greedy mcts:20 expectimax:1 --games 200",
        "sarai arena shah greedy alphabeta:4 random --games 200 --random-plies 4 --json",
    ),
)
@click.argument("game", metavar="GAME")
@click.argument("agents", nargs=-1, required=True, metavar="AGENTS...")
@click.option(
    "--games",
    type=int,
    default=1000,
    show_default=True,
    help="The least number of games of each table; it is rounded up to whole rounds of seat orders.",
)
@click.option(
    "--schedule",
    callback=hints.one_of(*SCHEDULES),
    metavar=f"[{'|'.join(SCHEDULES)}]",
    default=SCHEDULES[0],
    show_default=True,
    help="Every agent against every other, or the first against every other.",
)
@click.option(
    "--dice",
    callback=hints.one_of(*DICE),
    metavar=f"[{'|'.join(DICE)}]",
    default=DICE[0],
    show_default=True,
    help="The same dice for all seat orders and pairings, or others in every game.",
)
@click.option("--save", callback=files.named, metavar="FILE.npz", help="Write the result to this file.")
@playing_options("tables")
def command(
    game: str,
    agents: tuple[str, ...],
    games: int,
    seed: int,
    schedule: str,
    dice: str,
    random_plies: int,
    preset: str | None,
    options: tuple[str, ...],
    threads: int | None,
    save: str | None,
    no_progress: bool,
    as_json: bool,
) -> None:
    """Play, rate and print."""
    with input_errors():
        book = make(game, preset=preset, rules=parse_options(options))
    if save is not None:
        try:
            check_writable(Path(save), new_folder=False)
        except OSError as error:
            raise cannot_write(save, error) from error
    settings: dict[str, Any] = {
        "seed": seed,
        "schedule": schedule,
        "dice": dice,
        "random_plies": random_plies,
        "num_threads": threads,
    }
    with input_errors():
        total = total_games(book, agents, games, schedule)
    with shown_in_shell(book.name, total, quiet=no_progress) as report, input_errors():
        found = arena(book, agents, games, progress=report, **settings)
    if save is not None:
        try:
            found.save(save)
        except OSError as error:
            raise cannot_write(save, error) from error
    if as_json:
        print_json(found.to_dict())
        return
    screen = console()
    screen.print(str(found), soft_wrap=True)
    if save is not None:
        screen.print(f"wrote {printable(save)}", soft_wrap=True)
