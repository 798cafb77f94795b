"""`sarai train`: a network that learns by self-play."""

from __future__ import annotations

from typing import Any

import click

from sarai._base.progress import shown_in_shell
from sarai._cli import files
from sarai._cli.basics import Interrupted, console, examples, game_options, input_errors, quiet_option
from sarai._cli.screen import printable
from sarai._core import Game
from sarai._training.run import bounds
from sarai.training import CurvePoint, train


@click.command(
    "train",
    short_help="Train a network by self-play.",
    help="""Train a network that judges the positions of GAME, by self-play on one processor.

    From time to time it plays against the agent "greedy"; the result is printed, and the network is written to FILE.
    Ctrl-C ends the training and keeps what was learnt. The agent net:FILE plays by the network wherever a command takes
    an agent.
    """,
    epilog=examples(
        "sarai train shuanglu --preset backgammon --minutes 1 --out backgammon.safetensors",
        "sarai train shuanglu --preset backgammon --minutes 5 --resume backgammon.safetensors --out better.safetensors",
    ),
)
@game_options
@files.file_option("--out", "FILE", "Where the network is written.", required=True)
@click.option("--minutes", type=float, help="For how long to train.")
@click.option(
    "--games",
    "num_games",
    type=int,
    help="How many games to train by; the same number gives the same network.",
)
@click.option("--hidden", type=int, help="The units of the hidden layer. Default: 40.")
@click.option(
    "--seed", type=int, help="The same seed gives the same games. Default: a new one, which the network has."
)
@click.option(
    "--rate",
    type=float,
    help="How far the network goes towards its targets at first. Default: 0.08.",
)
@click.option(
    "--lambda", "lambda_", type=float, help="How much later positions count in targets. Default: 0.7."
)
@click.option(
    "--epsilon", type=float, help="The chance that a turn ends at random. Default: 0, and 0.1 without dice."
)
@click.option(
    "--ahead",
    type=int,
    help="How many turns it looks ahead, without dice, to choose and to learn. Default: 1.",
)
@click.option(
    "--tables/--no-tables", default=None, help="Learn few stones from the exact tables. Default: no."
)
@click.option("--resume", metavar="FILE", help="Go on with this network.")
@click.option(
    "--evaluations", type=int, default=10, show_default=True, help="How often it plays against greedy."
)
@files.file_option("--plot", "FILE", "Draw the learning curve, as .svg, .png or .pdf.")
@quiet_option
def command(
    game: Game,
    out: str,
    minutes: float | None,
    num_games: int | None,
    no_progress: bool,
    **settings: Any,
) -> None:
    """Train, evaluate and write."""
    screen = console()
    unprinted: list[OSError] = []

    def report(point: CurvePoint) -> None:
        try:
            screen.print(str(point), soft_wrap=True)
        except OSError as error:
            unprinted.append(error)
            raise

    if num_games is None and minutes is None:
        raise click.UsageError("give --games or --minutes: for how long the network is trained")
    with input_errors():
        most, seconds = bounds(num_games, minutes)
    total, unit = (most, "games") if num_games is not None else (int(seconds or 0), "seconds")
    try:
        shown = shown_in_shell(f"{game.name}: training", total, unit, quiet=no_progress)
        with shown as bar, input_errors():
            limits: dict[str, Any] = {"num_games": num_games, "minutes": minutes}
            train(game, out=out, progress=bar, report=report, **limits, **settings)
    except OSError as error:
        if error in unprinted:
            raise
        with files.writing(error.filename or out):
            raise
    except ImportError as error:
        raise click.ClickException(str(error)) from error
    except KeyboardInterrupt as error:
        raise Interrupted(
            f"interrupted: {printable(out)} has what was learnt; --resume goes on with it"
        ) from error
    screen.print(f"wrote {printable(out)}", soft_wrap=True)
