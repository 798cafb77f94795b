"""`sarai solve`: make tables of exact values, and check them."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

import click

from sarai._core import Game
from sarai.cli import files
from sarai.cli.basics import (
    Interrupted,
    console,
    examples,
    input_errors,
    parse_options,
    print_json,
    rules_options,
    text_table,
)
from sarai.exact.solving import Plan, plan, solve, verify
from sarai.exact.tables import Tables
from sarai.game import make

_ALL = 255
_CALIBRATION = (3, 4)


@click.command(
    "solve",
    short_help="Make tables of exact values.",
    help="""Solve GAME for positions of few stones, by retrograde analysis, into a folder.

    Each position gets its value for the side to move and the turns to the end of the game. Before it starts, the
    command says what it will take, and refuses what does not fit. A table is written as soon as it is solved; started
    again, the command goes on with the tables that are missing. With --verify, the tables that the folder holds are
    checked instead: each position against the best of its moves.
    """,
    epilog=examples(
        "sarai solve shah --stones 4 --out tables",
        "sarai solve shah --preset nine_mens_morris --stones 5,4 --out morris",
        "sarai solve shah --verify --out tables",
    ),
)
@click.argument("game")
@click.option("--stones", metavar="N|N,M", help="The most stones of each side, or of the one and the other.")
@click.option("--all", "every", is_flag=True, help="All stones that the rules allow.")
@click.option("--out", callback=files.named, metavar="DIR", required=True, help="The folder of the tables.")
@click.option("--verify", "verifying", is_flag=True, help="Check the tables that are there; solve nothing.")
@click.option("--sample", type=click.IntRange(1), help="With --verify: check every so many'th position only.")
@rules_options
@click.option("--threads", type=int, help="The number of threads. Default: all processors.")
@click.option("--no-progress", is_flag=True, help="Do not show the plan and the progress on stderr.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of lines.")
def command(
    game: str,
    stones: str | None,
    every: bool,
    out: str,
    verifying: bool,
    sample: int | None,
    preset: str | None,
    options: tuple[str, ...],
    threads: int | None,
    no_progress: bool,
    as_json: bool,
) -> None:
    """Solve or verify, and say what has come of it."""
    chosen = parse_options(options)
    if verifying:
        if stones is not None or every:
            raise click.UsageError("--verify checks the tables that are there; leave out --stones and --all")
        _verify(out, sample, threads, as_json)
        return
    if sample is not None:
        raise click.UsageError("--sample is for --verify only")
    if (stones is None) != every:
        raise click.UsageError("give either --stones or --all")
    most = (_ALL, _ALL) if stones is None else _pair(stones)
    with input_errors():
        book = make(game, preset=preset, rules=chosen)
        due = plan(book, most)
    try:
        due.check(Path(out))
        tables = _solve(book, most, due, out, threads, quiet=no_progress)
    except (MemoryError, OSError) as error:
        raise click.ClickException(str(error)) from error
    except KeyboardInterrupt as error:
        raise Interrupted("interrupted: the same command goes on with the tables that are missing") from error
    if as_json:
        print_json({"game": game, "rules": book.rules, "tables": [row._asdict() for row in tables.summary()]})
        return
    header, *rows = tables.summary().cells()
    console().print(text_table(header, rows))


def _pair(text: str) -> tuple[int, int]:
    numbers = text.split(",")
    if len(numbers) > 2 or not all(number.strip().isdecimal() for number in numbers):
        raise click.UsageError(f"--stones takes a number such as 4, or two such as 5,3, not {text!r}")
    return int(numbers[0]), int(numbers[-1])


def _solve(
    book: Game, most: tuple[int, int], due: Plan, out: str, threads: int | None, *, quiet: bool
) -> Tables:
    if quiet:
        with input_errors():
            return solve(book, most, out, num_threads=threads, progress=False)
    pace = _pace(book, threads)
    click.echo(f"{due}: {_time(due.places / pace)}", err=True)
    done, solved, spent = 0, 0, 0.0

    def tell(event: dict[str, Any]) -> None:
        nonlocal done, solved, spent
        if event["event"] == "begun":
            pairs = " and ".join(event["pairs"])
            click.echo(f"solving {pairs}: {event['places']:,} positions", err=True)
        elif event["event"] == "found":
            done += event["places"]
        elif event["event"] == "done":
            done += event["places"]
            solved += event["places"]
            spent += event["seconds"]
            left = (due.places - done) * spent / solved
            click.echo(f"{done:,} of {due.places:,} positions; {_time(left)} left", err=True)

    with input_errors():
        return solve(book, most, out, num_threads=threads, progress=False, tell=tell)


def _pace(book: Game, threads: int | None) -> float:
    """Places a second, measured on the smallest tables."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        with input_errors():
            solve(book, _CALIBRATION, folder, num_threads=threads, progress=False)
        return plan(book, _CALIBRATION).places / (time.perf_counter() - began)


def _time(seconds: float) -> str:
    if seconds < 120:
        return f"about {seconds:.0f} s"
    if seconds < 7200:
        return f"about {seconds / 60:.0f} minutes"
    return f"about {seconds / 3600:.1f} hours"


def _verify(out: str, sample: int | None, threads: int | None, as_json: bool) -> None:
    def tell(table: dict[str, Any]) -> None:
        own, other = table["pair"]
        if not as_json:
            click.echo(f"{own} against {other}: {table['positions']:,} positions, {table['wrong']} wrong")

    with input_errors():
        found = verify(out, sample=sample, num_threads=threads, tell=tell)
    if as_json:
        print_json({"positions": found.positions, "wrong": found.wrong, "first": found.first})
    if found.wrong:
        raise click.ClickException(f"{found.wrong:,} positions are wrong, the first: {found.first}")
