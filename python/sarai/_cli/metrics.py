"""`sarai metrics`: measure a game."""

from __future__ import annotations

from typing import Any

import click

from sarai._base.progress import shown_in_shell
from sarai._cli import files
from sarai._cli.basics import (
    agents_option,
    examples,
    game_options,
    games_option,
    input_errors,
    number_option,
    playing_options,
    typed_agents,
)
from sarai._core import Game
from sarai._results.metrics import metrics


@click.command(
    "metrics",
    short_help="Measure a game: length, options, balance, drama and more.",
    help="""Play complete games of GAME and print its metrics with 95% intervals.

    The page "Metrics of a game" of the documentation defines them. Some need --evaluator.
    """,
    epilog=examples(
        "sarai metrics shah --games 10000 --agents greedy --random-plies 4",
        "sarai metrics sho --games 1000 --evaluator heuristic --json",
    ),
)
@game_options
@games_option(10_000)
@agents_option
@click.option(
    "--evaluator",
    metavar="NAME",
    help='The evaluator of positions: "heuristic", "playout:N", "playout=greedy" or "net:FILE".',
)
@number_option(
    "--board-games",
    500,
    "The number of games in which to count different positions, and where pieces stand and are taken.",
)
@number_option("--skill-levels", 0, "The doublings of effort in the skill trace.")
@files.picture_option("Draw the metrics")
@playing_options("a table")
def command(
    game: Game,
    num_games: int,
    agents: str,
    picture: str | None,
    no_progress: bool,
    as_json: bool,
    **settings: Any,
) -> None:
    """Play, print and draw."""
    files.check_picture(picture)
    with input_errors(), shown_in_shell(game.name, num_games, quiet=no_progress) as report:
        measured = metrics(game, typed_agents(agents), num_games, progress=report, **settings)
    files.show(measured, picture, as_json)
