"""`sarai rollout`: play many games, sum them up, keep the arrays and a picture."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from sarai._base.progress import shown_in_shell
from sarai._cli import files
from sarai._cli.basics import (
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
)
from sarai._cli.screen import printable
from sarai._core import Game
from sarai._game import games as all_games
from sarai._game import make
from sarai._results.rollout import Rollout, rollout


@click.command(
    "rollout",
    short_help="Play whole games and summarise them.",
    help="""Play complete games of GAME and print a summary with 95% intervals.

    With --json, --all or several games give {"rollouts": [summary, ...]}. A missing interval, such as that of the
    turns of a single game, is null.
    """,
    epilog=examples(
        "sarai rollout sho --games 100000 --agents greedy,random,random --seed 7 --out sho.npz",
        "sarai rollout sho --games 1000 --preset teams --option max_turns=500 --agents random --json",
        "sarai rollout --all --games 100000 --out-dir out",
    ),
)
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--all", "every", is_flag=True, help="Play every game.")
@games_option(1000, "The number of games to play, of each game.")
@click.option(
    "--agents",
    metavar="A,B,...",
    help="Who plays: one agent per seat (random, greedy, mcts:200, ...), or a single one for all seats. "
    "Default: random; with --all, greedy in seat 0 and random in the others.",
)
@first_game_option
@files.file_option("--out", "FILE.npz", "Write the arrays to this file.")
@files.picture_option("Draw the distributions")
@files.file_option("--out-dir", "DIR", "Write DIR/<game>.npz and .svg for each game.")
@click.option("--no-picture", is_flag=True, help="With --out-dir: do not draw pictures.")
@rules_options
@playing_options("a table")
def command(
    games: tuple[str, ...],
    every: bool,
    num_games: int,
    agents: str | None,
    preset: str | None,
    options: tuple[str, ...],
    out: str | None,
    picture: str | None,
    out_dir: str | None,
    no_picture: bool,
    no_progress: bool,
    as_json: bool,
    **settings: Any,
) -> None:
    """Play, print and keep."""
    names = _chosen_games(games, every)
    rules = parse_options(options)
    with input_errors():
        books = [make(name, preset=preset, rules=rules) for name in names]
    pairs = [_files(name, len(names), out, picture, out_dir, no_picture) for name in names]
    for pair in pairs:
        _check_files(*pair, new_folder=out_dir is not None)

    summaries = []
    for place, (game, (arrays_file, picture_file)) in enumerate(zip(books, pairs, strict=True)):
        seats = _agents(agents, game.num_players, greedy_first=every)
        result = _play(game, seats, num_games, no_progress, **settings)
        written = _write(result, arrays_file, picture_file, new_folder=out_dir is not None)
        summary = result.summary()
        summaries.append(summary.to_dict())
        if not as_json:
            screen = console()
            if place > 0:
                screen.print()
            screen.print(summary)
            if written:
                screen.print(f"wrote {printable(' and '.join(written))}", soft_wrap=True)
    if as_json:
        print_json(summaries[0] if len(games) == 1 else {"rollouts": summaries})


def _chosen_games(games: tuple[str, ...], every: bool) -> tuple[str, ...]:
    known = ", ".join(all_games())
    if every and games:
        raise click.UsageError("give names of games or --all, not both")
    if not every and not games:
        raise click.UsageError(f"name a game, or give --all; the games are {known}")
    for name in games:
        if games.count(name) > 1:
            raise click.UsageError(f"{name} is named twice; name each game only once")
    return tuple(all_games()) if every else games


def _agents(typed: str | None, num_players: int, greedy_first: bool) -> str | list[str]:
    if typed is None:
        return ["greedy"] + ["random"] * (num_players - 1) if greedy_first else "random"
    return typed_agents(typed)


def _files(
    name: str, how_many: int, out: str | None, picture: str | None, out_dir: str | None, no_picture: bool
) -> tuple[str | None, str | None]:
    """Where a game's arrays and its picture go; None where they are not wanted."""
    if out_dir is None:
        if how_many > 1 and (out is not None or picture is not None):
            raise click.UsageError(
                "--out and --picture each name a single file; with several games, use --out-dir"
            )
        if no_picture:
            raise click.UsageError(
                "--no-picture only applies to --out-dir; leave it out, because no picture is drawn by default"
            )
        return out, picture
    if out is not None or picture is not None:
        raise click.UsageError("give --out-dir, or --out and --picture, not both")
    return os.path.join(out_dir, f"{name}.npz"), None if no_picture else os.path.join(out_dir, f"{name}.svg")


def _check_files(arrays: str | None, picture: str | None, new_folder: bool) -> None:
    """Find out before the games are played, not after, that their result could not be kept."""
    if arrays and picture and os.path.realpath(arrays) == os.path.realpath(picture):
        raise click.UsageError(f"--out and --picture name the same file, {arrays}: give two different ones")
    files.check_picture(picture, "leave out the picture, with --out-dir by --no-picture", new_folder)
    if arrays is not None:
        files.check_place(arrays, new_folder)


def _play(game: Game, agents: str | list[str], num_games: int, no_progress: bool, **settings: Any) -> Rollout:
    try:
        with input_errors(), shown_in_shell(game.name, num_games, quiet=no_progress) as report:
            return rollout(game, agents, num_games, progress=report, **settings)
    except MemoryError as error:
        raise click.ClickException(
            f"not enough memory for {num_games} games: play them in parts with --games and --first-game"
        ) from error


def _write(result: Rollout, arrays: str | None, picture: str | None, new_folder: bool) -> list[str]:
    """Keep the arrays, then the picture; what was written comes back."""
    written: list[str] = []
    for file, keep in ((arrays, result.save), (picture, result.plot)):
        if file is None:
            continue
        try:
            with files.writing(file):
                if new_folder:
                    Path(file).parent.mkdir(parents=True, exist_ok=True)
                keep(file)
        except ImportError as error:
            raise click.ClickException(
                f"cannot draw {file}: {error}; use --no-picture or --out to leave out the picture"
            ) from error
        written.append(file)
    return written
