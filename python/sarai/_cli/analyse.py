"""`sarai analyse`: what the moves of a position are worth."""

from __future__ import annotations

import math
from typing import Any

import click

from sarai._analysing import PLAYS, analyse
from sarai._cli import hints
from sarai._cli.basics import (
    examples,
    input_errors,
    parse_options,
    print_json,
    rules_options,
    seed_option,
    typed_agents,
)
from sarai._cli.position import read_position
from sarai._game import make
from sarai.agents import Analysis


@click.command(
    "analyse",
    short_help="Tell what each move of a position is worth.",
    help="""Tell what each legal action of a position of GAME is worth: what an agent thinks of it, or with --games what
    comes of games that agents play on from there.

    The values are returns that the player to act may expect. Without --position, the position is one that a random
    game of --seed comes through.
    """,
    epilog=examples(
        "sarai analyse shah --agent alphabeta:8",
        "sarai analyse shuanglu --agent mcts:2000,evaluator=heuristic --seconds 2 --json",
        "sarai analyse shuanglu --agent greedy --games 1000 --plays turn",
    ),
)
@click.argument("game")
@click.option("--position", metavar="TEXT|FILE", help="The position. Default: one of a random game.")
@click.option(
    "--agent",
    default="mcts:2000",
    show_default=True,
    help="The agent; 'sarai agents' lists them. With --games also one for each seat, with commas between them.",
)
@click.option(
    "--games", type=int, help="Play so many games out after each move, on the same dice after every move."
)
@click.option(
    "--plays",
    callback=hints.one_of(*PLAYS),
    metavar=f"[{'|'.join(PLAYS)}]",
    default=PLAYS[0],
    show_default=True,
    help="With --games, what a move is: one action, or all actions of a turn.",
)
@click.option("--threads", type=int, help="With --games, the number of threads. Default: all processors.")
@seed_option("Where the position and the agent's random numbers come from.")
@click.option("--seconds", type=float, help="Stop a search after so many seconds.")
@rules_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
def command(
    game: str,
    position: str | None,
    agent: str,
    games: int | None,
    plays: str,
    threads: int | None,
    seed: int,
    seconds: float | None,
    preset: str | None,
    options: tuple[str, ...],
    as_json: bool,
) -> None:
    """Print the analysis."""
    chosen = parse_options(options)
    if games is None and (plays != PLAYS[0] or threads is not None):
        raise click.UsageError("--plays and --threads are for games that are played out: give --games")
    with input_errors():
        rule_book = make(game, preset=preset, rules=chosen)
        state = (
            rule_book.sample_states(num_games=1, seed=seed)[0]
            if position is None
            else read_position(rule_book, position)
        )
        told = analyse(
            state,
            agent if games is None else typed_agents(agent),
            games,
            seed=seed,
            seconds=seconds,
            plays=plays,
            num_threads=threads,
            progress=games is not None,
        )
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
        "num_games": told.num_games,
        "plays": told.plays,
        "seconds": told.seconds,
        "moves": [
            {
                "action": move.action,
                "actions": list(move.actions),
                "name": move.name,
                "value": number(move.value),
                "interval": list(map(number, move.interval)),
                "win_share": move.win_share.to_dict(),
                "difference": move.difference.to_dict(),
                "visits": move.visits,
                "probability": move.probability,
                "proven": move.proven,
                "turns": move.turns,
                "line": list(move.line),
            }
            for move in told.moves
        ],
    }
