"""`sarai arena`: agents against one another, and how strong each is."""

from __future__ import annotations

from typing import Any

import click

from sarai._base.progress import shown_in_shell
from sarai._cli import files
from sarai._cli.basics import (
    console,
    examples,
    game_options,
    games_option,
    input_errors,
    playing_options,
    print_json,
    word_option,
)
from sarai._cli.screen import printable
from sarai._core import Game
from sarai._matches.arena import arena
from sarai._matches.schedule import DICE, SCHEDULES, total_games


@click.command(
    "arena",
    short_help="Play agents against each other and rate them.",
    help="""Play AGENTS against each other at GAME in all seat orders, and rate them in Elo with 95% intervals.

    An agent is a name, such as greedy or mcts:200; 'sarai agents' lists them. With --json, a missing interval is null.
    """,
    epilog=examples(
        "sarai arena shuanglu greedy mcts:20 expectimax:1 --games 200",
        "sarai arena shah greedy alphabeta:4 random --games 200 --random-plies 4 --json",
    ),
)
@game_options
@click.argument("agents", nargs=-1, required=True, metavar="AGENTS...")
@games_option(1000, "The number of games of each group of agents, rounded up to whole rounds of seat orders.")
@word_option("--schedule", SCHEDULES, "Every agent against every other, or the first against every other.")
@word_option(
    "--dice", DICE, "The same dice for all seat orders and pairings, or different dice in every game."
)
@files.file_option("--save", "FILE.npz", "Write the result to this file.")
@playing_options("tables")
def command(
    game: Game,
    agents: tuple[str, ...],
    num_games: int,
    schedule: str,
    save: str | None,
    no_progress: bool,
    as_json: bool,
    **settings: Any,
) -> None:
    """Play, rate and print."""
    if save is not None:
        files.check_place(save)
    with input_errors():
        total = total_games(game, agents, num_games, schedule)
    with shown_in_shell(game.name, total, quiet=no_progress) as report, input_errors():
        found = arena(game, agents, num_games, schedule=schedule, progress=report, **settings)
    if save is not None:
        with files.writing(save):
            found.save(save)
    if as_json:
        print_json(found.to_dict())
        return
    screen = console()
    screen.print(str(found), soft_wrap=True)
    if save is not None:
        screen.print(f"wrote {printable(save)}", soft_wrap=True)
