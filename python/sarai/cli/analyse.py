"""`sarai analyse`: what an agent thinks of a position."""

from __future__ import annotations

import math
from typing import Any

import click

from sarai.agents.analysis import Analysis, analyse
from sarai.cli.basics import examples, input_errors, parse_options, print_json, rules_options, seed_option
from sarai.cli.position import read_position
from sarai.game import make


@click.command(
    "analyse",
    short_help="Tell what an agent thinks of each legal action of a position.",
    help="""Tell what an agent thinks of each legal action of a position of GAME.

    The values are returns that the player to act may expect. Without --position, the position is one that a random
    game of --seed comes through.
    """,
    epilog=examples(
        "sarai analyse shah --agent alphabeta:8",
        "sarai analyse shuanglu --agent mcts:2000,evaluator=heuristic --seconds 2 --json",
    ),
)
@click.argument("game")
@click.option("--position", metavar="TEXT|FILE", help="The position. Default: one of a random game.")
@click.option("--agent", default="mcts:2000", show_default=True, help="The agent; 'sarai agents' lists them.")
@seed_option("Where the position and the agent's random numbers come from.")
@click.option("--seconds", type=float, help="Stop a search after so many seconds.")
@rules_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
def command(
    game: str,
    position: str | None,
    agent: str,
    seed: int,
    seconds: float | None,
    preset: str | None,
    options: tuple[str, ...],
    as_json: bool,
) -> None:
    """Print the analysis."""
    chosen = parse_options(options)
    with input_errors():
        rule_book = make(game, preset=preset, rules=chosen)
        state = (
            rule_book.sample_states(num_games=1, seed=seed)[0]
            if position is None
            else read_position(rule_book, position)
        )
        told = analyse(state, agent, seed=seed, seconds=seconds)
    if as_json:
        print_json(
            {"game": game, "rules": rule_book.rules, "seed": seed, "position": str(state), **_plain(told)}
        )
    else:
        click.echo(f"{state}\n\n{told}\n\nseed {seed}")


def _plain(told: Analysis) -> dict[str, Any]:
    """An analysis as JSON has it, where there is no NaN."""

    def number(value: float) -> float | None:
        return None if math.isnan(value) else value

    return {
        "agent": told.agent,
        "player": told.player,
        "value": [number(value) for value in told.value],
        "best": told.best,
        "depth": told.depth,
        "simulations": told.simulations,
        "nodes": told.nodes,
        "seconds": told.seconds,
        "moves": [
            {
                "action": move.action,
                "name": move.name,
                "value": number(move.value),
                "visits": move.visits,
                "probability": move.probability,
                "proven": move.proven,
                "turns": move.turns,
                "line": list(move.line),
            }
            for move in told.moves
        ],
    }
