"""`sarai perft`: how many ways a game can go."""

from __future__ import annotations

from typing import Any

import click

from sarai._cli.basics import Interrupted, IntRange, examples, game_options, print_json
from sarai._cli.position import read_position
from sarai._core import Game


@click.command(
    "perft",
    short_help="Count the ways to play on from a position.",
    help="""Count the sequences of 1 to DEPTH steps from a position of GAME.

    A step is a player's action or a chance outcome. Each depth takes several times as long as the previous
    one. Each count is printed as soon as it is known; press Ctrl-C to stop.
    """,
    epilog=examples(
        "sarai perft shah 3",
        "sarai perft sho 3 --preset lhasa --json",
    ),
)
@game_options
@click.argument("depth", type=IntRange(1, 100))
@click.option("--position", metavar="TEXT|FILE", help="Count from this position. Default: the start.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of lines.")
def command(
    game: Game,
    depth: int,
    position: str | None,
    as_json: bool,
) -> None:
    """Count, and print each depth."""
    state = read_position(game, position)
    counts: list[dict[str, Any]] = []
    try:
        for steps in range(1, depth + 1):
            counts.append({"depth": steps, "count": state.perft(steps)})
            if not as_json:
                click.echo(f"{steps:>3}  {counts[-1]['count']}")
    except KeyboardInterrupt as error:
        raise Interrupted(f"interrupted at depth {len(counts) + 1}: try a smaller depth") from error
    if as_json:
        print_json(
            {"game": game.name, "rules": game.rules, "position": str(state), "counts": counts},
        )
