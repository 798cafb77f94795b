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
    help="""Train a network that evaluates the positions of GAME, by self-play on one processor.

    From time to time it plays against the agent "greedy"; the command prints the result and writes the network to FILE.
    Ctrl-C ends the training and keeps the network. The agent net:FILE plays by the network wherever a command takes an
    agent.
    """,
    epilog=examples(
        "sarai train shuanglu --preset backgammon --minutes 1 --out backgammon.safetensors",
        "sarai train shuanglu --preset backgammon --minutes 5 --resume backgammon.safetensors --out better.safetensors",
    ),
)
@game_options
@files.file_option("--out", "FILE", "The file of the network.", required=True)
@click.option("--minutes", type=float, help="The time to train.")
@click.option(
    "--games",
    "num_games",
    type=int,
    help="The number of games to train on; the same number and seed give the same network.",
)
@click.option("--hidden", type=int, help="The units of the hidden layer. Default: 40.")
@click.option(
    "--seed", type=int, help="The same seed gives the same games. Default: a new one, which the file keeps."
)
@click.option(
    "--rate",
    type=float,
    help="The initial learning rate. Default: 0.08.",
)
@click.option(
    "--lambda",
    "lambda_",
    type=float,
    help="The lambda of TD(lambda): how much later positions count in targets. Default: 0.7.",
)
@click.option(
    "--epsilon", type=float, help="The probability of a random turn. Default: 0, and 0.1 without dice."
)
@click.option(
    "--ahead",
    type=int,
    help="The turns of lookahead for targets, and without dice for choices; with dice 1 or 2. Default: 1.",
)
@click.option(
    "--tables/--no-tables",
    default=None,
    help="Learn positions with few stones from the exact tables. Default: no.",
)
@click.option("--resume", metavar="FILE", help="Continue the training of this network.")
@click.option(
    "--evaluations", type=int, default=10, show_default=True, help="The number of evaluations against greedy."
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
        raise click.UsageError("give --games or --minutes: how long to train")
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
        raise Interrupted(f"interrupted: {printable(out)} has the network; continue with --resume") from error
    screen.print(f"wrote {printable(out)}", soft_wrap=True)
