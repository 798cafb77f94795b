"""`sarai analyse`: what the moves of a position are worth."""

from __future__ import annotations

import click

from sarai._analysing import PLAYS, analyse
from sarai._cli.basics import (
    examples,
    game_options,
    input_errors,
    print_json,
    quiet_option,
    seed_option,
    threads_option,
    typed_agents,
    word_option,
)
from sarai._cli.position import read_position
from sarai._core import Game
from sarai._tables.plain import plain


@click.command(
    "analyse",
    short_help="Show what each move of a position is worth.",
    help="""Show what each legal action of a position of GAME is worth: by an agent's search, or with --games by games
    played out after it.

    The values are expected returns of the player to act. Without --position, the position is taken from a random
    game of --seed.
    """,
    epilog=examples(
        "sarai analyse shah --agent alphabeta:8",
        "sarai analyse shuanglu --agent mcts:2000,evaluator=heuristic --seconds 2 --json",
        "sarai analyse shuanglu --agent greedy --games 1000 --plays turn",
    ),
)
@game_options
@click.option("--position", metavar="TEXT|FILE", help="The position. Default: one from a random game.")
@click.option(
    "--agent",
    default="mcts:2000",
    show_default=True,
    help="The agent; 'sarai agents' lists them. With --games, also one for each seat, separated by commas.",
)
@click.option(
    "--games", type=int, help="Play this many games after each move, with the same dice after every move."
)
@word_option("--plays", PLAYS, "With --games, what a move is: one action, or all actions of a turn.")
@threads_option
@quiet_option
@seed_option("The seed of the position and of the agent's random numbers.")
@click.option("--seconds", type=float, help="Stop a search after this many seconds.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
def command(
    game: Game,
    position: str | None,
    agent: str,
    games: int | None,
    plays: str,
    num_threads: int | None,
    no_progress: bool,
    seed: int,
    seconds: float | None,
    as_json: bool,
) -> None:
    """Print the analysis."""
    if games is None and (plays != PLAYS[0] or num_threads is not None):
        raise click.UsageError("--plays and --threads are for games that are played out: give --games")
    with input_errors():
        state = (
            game.sample_states(num_games=1, seed=seed)[0]
            if position is None
            else read_position(game, position)
        )
        told = analyse(
            state,
            agent if games is None else typed_agents(agent),
            games,
            seed=seed,
            seconds=seconds,
            plays=plays,
            num_threads=num_threads,
            progress=games is not None and not no_progress,
        )
    if as_json:
        about = {"game": game.name, "rules": game.rules, "seed": seed, "position": str(state)}
        found = plain(told)
        del found["state"]
        print_json({**found, **about})
    else:
        click.echo(f"{state}\n\n{told}\n\nseed {seed}")
