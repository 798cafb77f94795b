"""`sarai solve`: make tables of exact values, and check them."""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path
from typing import Any

import click
import numpy as np

from sarai import _core
from sarai._base.arguments import counted
from sarai._base.files import replace
from sarai._cli import files
from sarai._cli.basics import (
    Interrupted,
    IntRange,
    console,
    examples,
    game_options,
    input_errors,
    print_json,
    say,
    text_table,
    threads_option,
)
from sarai._cli.screen import printable
from sarai._cli.verify_strategy import print_strategy
from sarai._core import Game
from sarai._exact.bear_off import solve_bear_off
from sarai._exact.solving import Plan, free_memory, plan, solve, verify
from sarai._exact.strategy import write_strategy
from sarai._exact.tables import CACHE_MB, Tables

_HOME = range(1, 7)
_COUNTS = (1, 2, 3, 5, 10, 15)
_ALL = 255
_CALIBRATION = (3, 4)


@click.command(
    "solve",
    short_help="Make tables of exact values.",
    help="""Solve positions of GAME with few stones by retrograde analysis, and write tables into a folder.

    A table has the value of each position for the side to move, and the turns to the end of the game. Before it
    starts, the command prints the time, memory and disk that it needs, and stops if they do not fit. Each table is
    written as soon as it is solved; run the command again to make missing tables. --placing solves the turns before
    the moving phase, from the tables of --all. --verify checks the tables in the folder, each position against the
    best of its moves. --strategy writes a winning strategy into a file, from tables that reach the empty board;
    `sarai verify-strategy` checks it. --values writes them without turns into another folder, which takes less
    space. --bear-off shows the average turns to bear off the last pieces of Shuanglu or backgammon, in seconds; it
    needs no --out, which saves them as NumPy arrays.
    """,
    epilog=examples(
        "sarai solve shah --stones 4 --out tables",
        "sarai solve shah --preset nine_mens_morris --stones 5,4 --out morris",
        "sarai solve shah --placing --out tables",
        "sarai solve shah --verify --out tables",
        "sarai solve shah --out tables --strategy shah.strategy",
        "sarai solve shah --out tables --values small",
        "sarai solve shuanglu --bear-off",
    ),
)
@game_options
@click.option(
    "--stones",
    metavar="N|N,M",
    help="The largest number of stones of each side, or of one side and the other.",
)
@click.option("--all", "every", is_flag=True, help="All numbers of stones that the rules allow.")
@click.option(
    "--placing", is_flag=True, help="Solve the turns before the moving phase, from its tables in DIR."
)
@click.option(
    "--bear-off", is_flag=True, help="Show the average number of turns to bear off the last pieces."
)
@files.file_option("--out", "DIR", "The folder of the tables.")
@click.option("--verify", "verifying", is_flag=True, help="Check the tables in DIR; solve nothing.")
@files.file_option("--values", "DIR", "Write the tables without turns into DIR.")
@files.file_option("--strategy", "FILE", "Write a winning strategy into FILE.")
@click.option("--sample", type=IntRange(1), help="With --verify: check every n-th position only.")
@threads_option
@click.option("--no-progress", is_flag=True, help="Do not show the plan and the progress on stderr.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of lines.")
def command(
    game: Game,
    stones: str | None,
    every: bool,
    placing: bool,
    bear_off: bool,
    out: str | None,
    verifying: bool,
    values: str | None,
    strategy: str | None,
    sample: int | None,
    num_threads: int | None,
    no_progress: bool,
    as_json: bool,
) -> None:
    """Solve or verify, and say what has come of it."""
    if bear_off:
        others = (stones, values, strategy, sample, num_threads)
        if every or placing or verifying or any(other is not None for other in others):
            raise click.UsageError("--bear-off goes with --out, --preset, --option and --json only")
        _bear_off(game, out, as_json)
        return
    if out is None:
        raise click.UsageError("give --out DIR, the folder of the tables")
    if verifying:
        if stones is not None or every or placing or values is not None or strategy is not None:
            raise click.UsageError(
                "--verify checks the tables in the folder; leave out --stones, --all, --placing, --values "
                "and --strategy"
            )
        _verify(out, sample, num_threads, as_json)
        return
    if sample is not None:
        raise click.UsageError("--sample is for --verify only")
    if [stones is not None, every, placing, values is not None, strategy is not None].count(True) != 1:
        raise click.UsageError("give one of --stones, --all, --placing, --values and --strategy")
    most = None if placing else (_ALL, _ALL) if stones is None else _pair(stones)
    with input_errors():
        if values is not None:
            _show(_values(game, out, values, num_threads, quiet=no_progress), as_json)
            return
        if strategy is not None:
            _strategy(game, out, strategy, num_threads, quiet=no_progress, as_json=as_json)
            return
        due = plan(game, most, placing=placing)
    try:
        due.check(Path(out))
        tables = _solve(game, most, due, out, num_threads, quiet=no_progress)
    except (MemoryError, OSError) as error:
        raise click.ClickException(str(error)) from error
    except KeyboardInterrupt as error:
        raise Interrupted("interrupted: run the same command again to make the missing tables") from error
    if placing:
        _show_layers(game, out, as_json)
        return
    _show(tables, as_json)


def _show(tables: Tables, as_json: bool) -> None:
    book, summary = tables.game, tables.summary()
    if as_json:
        print_json({"game": book.name, "rules": book.rules, "tables": [row._asdict() for row in summary]})
        return
    header, *rows = summary.cells()
    console().print(text_table(header, rows))


def _values(book: Game, out: str, folder: str, threads: int | None, *, quiet: bool) -> Tables:
    def tell(table: dict[str, Any]) -> None:
        if not quiet:
            own, other = table["pair"]
            say(f"{own} against {other}: {table['places']:,} positions")

    return Tables(book, out, check=False).save_values(folder, num_threads=threads, tell=tell)


def _strategy(book: Game, out: str, path: str, threads: int | None, *, quiet: bool, as_json: bool) -> None:
    def tell(level: dict[str, Any]) -> None:
        if not quiet:
            say(f"turn {level['level'] + 1}: {level['positions']:,} positions, {level['bytes']:,} bytes")

    tables = Tables(book, out, check=False)
    memory = free_memory()
    cache_mb = CACHE_MB if memory is None else max(CACHE_MB, memory // (2 << 20))
    written = write_strategy(tables, path, cache_mb=cache_mb, num_threads=threads, tell=tell)
    print_strategy(written, as_json=as_json)


def _bear_off(game: Game, out: str | None, as_json: bool) -> None:
    with input_errors():
        solved = solve_bear_off(game, 0)
    if out is not None:
        path = Path(out) / f"{game.name}-bear-off.npz"
        with files.writing(str(path)):
            path.parent.mkdir(parents=True, exist_ok=True)
            replace(
                path, lambda file: np.savez_compressed(file, placings=solved.placings, turns=solved.all_turns)
            )
        say(f"{printable(str(path))}: {len(solved.placings):,} placings and their turns")
    turns = [[solved.turns([count * (point == at) for point in _HOME]) for count in _COUNTS] for at in _HOME]
    if as_json:
        print_json({"game": game.name, "rules": solved.game.rules, "pieces": _COUNTS, "turns": turns})
        return
    header = ["pieces on point", *map(str, _COUNTS)]
    console().print(
        text_table(
            header,
            [[str(at), *(f"{mean:.4f}" for mean in row)] for at, row in zip(_HOME, turns, strict=True)],
        )
    )


def _pair(text: str) -> tuple[int, int]:
    numbers = text.split(",")
    if len(numbers) > 2 or not all(number.strip().isdecimal() for number in numbers):
        raise click.UsageError(f"--stones takes a number such as 4, or two such as 5,3, not {text!r}")
    return int(numbers[0]), int(numbers[-1])


def _show_layers(book: Game, out: str, as_json: bool) -> None:
    layers = json.loads(_core.exact_layers_summary_json(book, out))
    if as_json:
        print_json({"game": book.name, "rules": book.rules, "turns": layers})
        return
    header = ["turns", "own", "other", "positions", "won", "lost", "drawn", "longest win"]
    names = ("positions", "won", "lost", "drawn", "longest_win")
    rows = [
        [f"{number:,}" for number in (row["layer"], *row["pair"], *(row["summary"][name] for name in names))]
        for row in layers
    ]
    console().print(text_table(header, rows))
    first = layers[0]["summary"]
    if first["drawn"]:
        click.echo("From the empty board neither player can force a win.")
    elif first["won"]:
        click.echo(f"From the empty board the first player wins in {first['longest_win']} turns.")
    else:
        click.echo(f"From the empty board the second player wins in {first['longest_loss']} turns.")


def _solve(
    book: Game, most: tuple[int, int] | None, due: Plan, out: str, threads: int | None, *, quiet: bool
) -> Tables:
    placing = most is None
    if quiet:
        with input_errors():
            return solve(book, most, out, placing=placing, num_threads=threads, progress=False)
    # The first tables of the turns before the moving phase are small, and tell how long the others take.
    expected = "" if placing else f": {_time(due.places / _pace(book, threads))}"
    say(f"{due}{expected}")
    done, solved, spent = 0, 0, 0.0

    def tell(event: dict[str, Any]) -> None:
        nonlocal done, solved, spent
        if event["event"] == "begun":
            pairs = " and ".join("-".join(map(str, pair)) for pair in event["pairs"])
            if placing:
                pairs = f"turn {event['layer']}, {pairs} on the board"
            say(f"solving {pairs}: {event['places']:,} positions")
        elif event["event"] == "found":
            done += event["places"]
        elif event["event"] == "done":
            done += event["places"]
            solved += event["places"]
            spent += event["seconds"]
            left = (due.places - done) * spent / solved
            say(f"{done:,} of {due.places:,} positions; {_time(left)} left")

    with input_errors():
        return solve(book, most, out, placing=placing, num_threads=threads, progress=False, tell=tell)


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
        turn = f"turn {table['layer']}, " if "layer" in table else ""
        if not as_json:
            click.echo(
                f"{turn}{own} against {other}: {table['positions']:,} positions, {table['wrong']} wrong"
            )

    with input_errors():
        found = verify(out, sample=sample, num_threads=threads, tell=tell)
    if as_json:
        print_json({"positions": found.positions, "wrong": found.wrong, "first": found.first})
    if found.wrong:
        raise click.ClickException(f"wrong: {counted(found.wrong, 'position')}, the first: {found.first}")
