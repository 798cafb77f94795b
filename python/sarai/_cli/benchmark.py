"""`sarai benchmark`: how far an agent is from exact play, and how strong against fixed opponents."""

from __future__ import annotations

from typing import Any

import click

from sarai._base.progress import shown_in_shell
from sarai._benchmark.running import UNITS, benchmark, plan
from sarai._benchmark.suite import DIGESTS
from sarai._cli import files
from sarai._cli.basics import (
    examples,
    games_option,
    input_errors,
    quiet_option,
    seed_option,
    threads_option,
    word_option,
)
from sarai._cli.screen import printable


@click.command(
    "benchmark",
    short_help="Measure an agent against exact values.",
    help="""Measure how far AGENT is from exact play in the positions of a suite, and rate it against fixed opponents.

    An agent is a name, such as greedy or mcts:200; 'sarai agents' lists them. Without GAMES, it is measured in all
    games of the suite that it can play. The page "The benchmark" of the documentation describes the suite.
    """,
    epilog=examples(
        "sarai benchmark greedy --seed 1 --out greedy.json",
        "sarai benchmark alphabeta:64 shah --budget 1,10",
    ),
)
@click.argument("agent")
@click.argument("games", nargs=-1, metavar="[GAMES]...")
@word_option("--suite", tuple(DIGESTS), "The suite.")
@click.option(
    "--budget",
    metavar="MS,...",
    help="Measure the regret with so many milliseconds for each decision instead.",
)
@games_option(100, "The number of games against each opponent of the suite; 0 for none.")
@seed_option("The same seed gives the same card.")
@threads_option
@files.file_option("--out", "FILE.json", "Write the score card to this file.")
@files.picture_option("Draw the score card")
@quiet_option
@click.option("--json", "as_json", is_flag=True, help="Print the score card as JSON instead of tables.")
def command(
    agent: str,
    suite: str,
    games: tuple[str, ...],
    num_games: int,
    budget: str | None,
    out: str | None,
    picture: str | None,
    no_progress: bool,
    as_json: bool,
    **settings: Any,
) -> None:
    """Measure, print and draw."""
    files.check_picture(picture)
    if out is not None:
        files.check_place(out)
    with input_errors():
        budgets = None if budget is None else [float(each) for each in budget.split(",")]
        total = plan(agent, suite, games or None, budgets, num_games).total
        with shown_in_shell(agent, total, UNITS, quiet=no_progress) as report:
            card = benchmark(
                agent, suite, games or None, budget=budgets, num_games=num_games, progress=report, **settings
            )
    if out is not None:
        with files.writing(out):
            card.save(out)
    files.show(card, picture, as_json)
    if out is not None and not as_json:
        click.echo(f"wrote {printable(out)}")
