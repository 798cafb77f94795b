"""`sarai verify-strategy`: check a proof that a game is won."""

from __future__ import annotations

from typing import Any

import click

from sarai._cli.basics import examples, input_errors, print_json, threads_option
from sarai._exact.strategy import Strategy, verify_strategy


@click.command(
    "verify-strategy",
    short_help="Check a proof that a game is won.",
    help="""Check that the strategy in FILE wins from the empty board, whatever the other side does.

    The file has one turn for each position that can arise while its side plays by it. The command plays all of them
    by the rules of the game, with every answer of the other side; it needs no tables of exact values, and nothing that
    made the strategy. `sarai solve --strategy` writes such files.
    """,
    epilog=examples("sarai verify-strategy shah.strategy"),
)
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False))
@threads_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of lines.")
def command(file: str, num_threads: int | None, as_json: bool) -> None:
    """Verify, and say what has come of it."""

    def tell(level: dict[str, Any]) -> None:
        if not as_json:
            click.echo(f"turn {level['level'] + 1}: {level['positions']:,} positions")

    with input_errors():
        found = verify_strategy(file, num_threads=num_threads, tell=tell)
    print_strategy(found, as_json=as_json)


def print_strategy(found: Strategy, *, as_json: bool) -> None:
    """What a strategy has, as a sentence or as JSON."""
    if not as_json:
        text = str(found)
        click.echo(f"{text[0].upper()}{text[1:]}.")
        return
    print_json(
        {
            "game": found.game.name,
            "rules": found.game.rules,
            "first": found.first,
            "levels": found.levels,
            "positions": found.positions,
            "answers": found.answers,
        }
    )
