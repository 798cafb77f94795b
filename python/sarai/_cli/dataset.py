"""`sarai dataset`: write games into a folder by the million, and check such folders."""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import asdict
from typing import Any

import click

from sarai._base import hub
from sarai._base.arguments import counted, short, suggestion
from sarai._base.files import replace
from sarai._base.progress import shown_in_shell
from sarai._cli import files, hints
from sarai._cli.basics import (
    Interrupted,
    IntRange,
    agents_option,
    console,
    examples,
    first_game_option,
    games_option,
    input_errors,
    parse_options,
    playing_options,
    print_json,
    rules_options,
    typed_agents,
    word_option,
)
from sarai._cli.screen import printable
from sarai._datasets import executors
from sarai._datasets.making import CHUNKS, dataset
from sarai._datasets.opened import Dataset, open_dataset
from sarai._game import make

_VERIFY = "verify"
_CARD = "card"


@click.command(
    "dataset",
    short_help="Write games as Parquet, by the million.",
    help="""Play GAME and write the games into a folder of Parquet files with a manifest.

    If the command is stopped or killed, run it again with the same --seed: it keeps the complete files and makes the
    rest. The bytes do not depend on the machine, nor on how often it was stopped. `sarai dataset verify DIR` reads a
    finished folder again and compares the digest of every file; its exit status is 1 if something is wrong.
    `sarai dataset card DIR` writes DIR/README.md, a dataset card for the Hugging Face Hub. Needs sarai[arrow].
    """,
    epilog=examples(
        "sarai dataset sho --games 10000000 --out sho --processes 2",
        "sarai dataset shah --games 10000 --what trajectories --agents greedy --random-plies 4 --out shah",
        "sarai dataset verify sho",
        "sarai dataset card sho",
    ),
)
@click.argument("game", metavar="GAME|verify|card")
@click.argument("folder", required=False, metavar="[DIR]", callback=files.named)
@games_option(1_000_000)
@files.file_option("--out", "DIR", "The folder.")
@word_option("--what", tuple(CHUNKS), "A row for each game, or for each decision.")
@agents_option
@first_game_option
@click.option(
    "--chunk-games",
    type=int,
    help="The number of games in a file. Default: 1000000, or 2000 for trajectories.",
)
@click.option("--processes", type=IntRange(1), help="Make this many files at a time, in processes.")
@click.option(
    "--ray", is_flag=True, help="Make the files on a Ray cluster (RAY_ADDRESS), or on Ray on this machine."
)
@rules_options
@playing_options("lines")
def command(
    game: str,
    folder: str | None,
    num_games: int,
    out: str | None,
    agents: str,
    seed: int,
    preset: str | None,
    options: tuple[str, ...],
    processes: int | None,
    ray: bool,
    no_progress: bool,
    as_json: bool,
    **settings: Any,
) -> None:
    """Make or verify, and say what is there."""
    if game == _VERIFY:
        _verify(folder if out is None else out, no_progress, as_json)
        return
    if game == _CARD:
        _card(folder if out is None else out)
        return
    if folder is not None:
        if meant := suggestion(game, [_VERIFY, _CARD]):
            raise click.UsageError(f"unknown game {short(game)}{meant}")
        raise click.UsageError(
            f"give the folder as --out {hints.quoted(folder)}; only verify and card take it as a word"
        )
    if out is None:
        raise click.UsageError("give --out DIR, the folder of the dataset")
    if ray and processes is not None:
        raise click.UsageError("give --ray or --processes, not both")
    with input_errors():
        book = make(game, preset=preset, rules=parse_options(options))
    with ExitStack() as stack:
        if ray:
            settings["executor"] = "ray"
        elif processes is not None:
            settings["executor"] = stack.enter_context(executors.processes(processes))
            settings["in_flight"] = 2 * processes
        settings["progress"] = stack.enter_context(shown_in_shell(book.name, num_games, quiet=no_progress))
        try:
            with files.writing(out), input_errors():
                made = dataset(book, typed_agents(agents), num_games, out=out, seed=seed, **settings)
        except ImportError as error:
            raise click.ClickException(str(error)) from error
        except KeyboardInterrupt as error:
            raise Interrupted(
                f"interrupted: the same command with --seed {seed} makes the missing parts"
            ) from error
    _show(made, as_json)


def _verify(folder: str | None, no_progress: bool, as_json: bool) -> None:
    if folder is None:
        raise click.UsageError("give the folder: sarai dataset verify DIR")
    with files.reading(folder), input_errors():
        found = open_dataset(folder)
        with shown_in_shell("verify", found.num_games, quiet=no_progress) as report:
            wrong = found.verify(progress=report)
    if as_json:
        print_json({"folder": found.folder, "parts": len(found.parts), "wrong": wrong})
    elif not wrong:
        console().print(f"{counted(len(found.parts), 'part')} as the manifest says", soft_wrap=True)
    if wrong:
        more = f", and {len(wrong) - 3} more" if len(wrong) > 3 else ""
        raise click.ClickException(
            f"{'; '.join(wrong[:3])}{more}: run the command that made the dataset again to repair it"
        )


def _card(folder: str | None) -> None:
    if folder is None:
        raise click.UsageError("give the folder: sarai dataset card DIR")
    with files.reading(folder), input_errors():
        text = open_dataset(folder).card()
    path = os.path.join(folder, hub.FILE)
    if os.path.exists(path):
        raise click.ClickException(f"{printable(path)} exists: move it away, since it may have been edited")
    with files.writing(path):
        replace(path, lambda file: file.write(text.encode()))
    console().print(printable(path), soft_wrap=True)


def _show(made: Dataset, as_json: bool) -> None:
    if as_json:
        parts = [asdict(part) for part in made.parts]
        print_json({"folder": made.folder, "asked": made.asked, "made_with": made.made_with, "parts": parts})
        return
    console().print(
        f"{counted(made.num_games, 'game')}, {counted(made.num_rows, 'row')}, {made.num_bytes:,} bytes "
        f"in {counted(len(made.parts), 'part')}, seed {made.asked['seed']}: {printable(made.folder)}",
        soft_wrap=True,
    )
