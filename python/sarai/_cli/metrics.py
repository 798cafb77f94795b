"""`sarai metrics`: measure a game."""

from __future__ import annotations

from typing import Any

import click

from sarai._base.progress import shown_in_shell
from sarai._cli import files
from sarai._cli.basics import (
    examples,
    input_errors,
    parse_options,
    playing_options,
    print_json,
    typed_agents,
)
from sarai._cli.screen import printable
from sarai._game import make
from sarai._results.metrics import metrics


@click.command(
    "metrics",
    short_help="Measure a game: length, options, balance, drama and so on.",
    help="""Play complete games of GAME and print its metrics with 95% intervals.

    The documentation defines each on the page "Metrics of a game". Those that
    need judgements of positions are left out without --evaluator.
    """,
    epilog=examples(
        "sarai metrics shah --games 10000 --agents greedy --random-plies 4",
        "sarai metrics sho --games 1000 --evaluator heuristic --json",
    ),
)
@click.argument("game")
@click.option(
    "--games", "num_games", type=int, default=10_000, show_default=True, help="The number of games to play."
)
@click.option(
    "--agents",
    metavar="A,B,...",
    default="random",
    show_default=True,
    help="Who plays: one agent per seat, or a single one for all seats; 'sarai agents' lists them.",
)
@click.option(
    "--evaluator", metavar="NAME", help='Who judges positions: "heuristic", "playout:N" or "net:FILE".'
)
@click.option(
    "--board-games",
    type=int,
    default=500,
    show_default=True,
    help="In how many of the games different positions are counted, and where pieces stand and are taken.",
)
@click.option(
    "--skill-levels",
    type=int,
    default=0,
    show_default=True,
    help="The doublings of effort in the skill trace.",
)
@files.picture_option("Draw the metrics")
@playing_options("a table")
def command(
    game: str,
    num_games: int,
    agents: str,
    seed: int,
    evaluator: str | None,
    board_games: int,
    skill_levels: int,
    random_plies: int,
    preset: str | None,
    options: tuple[str, ...],
    threads: int | None,
    picture: str | None,
    no_progress: bool,
    as_json: bool,
) -> None:
    """Play, print and draw."""
    files.check_picture(picture)
    chosen = parse_options(options)
    arguments: dict[str, Any] = {
        "agents": typed_agents(agents),
        "num_games": num_games,
        "seed": seed,
        "evaluator": evaluator,
        "board_games": board_games,
        "skill_levels": skill_levels,
        "random_plies": random_plies,
        "num_threads": threads,
    }
    with input_errors():
        rule_book = make(game, preset=preset, rules=chosen)
        with shown_in_shell(rule_book.name, num_games, quiet=no_progress) as report:
            measured = metrics(rule_book, progress=report, **arguments)
    written = files.draw(measured.plot, picture)
    if as_json:
        print_json(measured.to_dict())
        return
    click.echo(str(measured))
    if written:
        click.echo(f"wrote {printable(written)}")
