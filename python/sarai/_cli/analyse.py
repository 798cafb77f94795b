"""`sarai analyse`: what the moves of a position are worth, or what those of a recorded game have lost."""

from __future__ import annotations

import os
from typing import Any

import click

from sarai._analysing import PLAYS, analyse
from sarai._cli import files, screen
from sarai._cli.basics import (
    examples,
    input_errors,
    parse_options,
    print_json,
    quiet_option,
    rules_options,
    seed_option,
    threads_option,
    typed_agents,
    word_option,
)
from sarai._cli.position import read_position
from sarai._core import State, games
from sarai._game import make
from sarai._notations import parse
from sarai._records import ids
from sarai._tables.plain import plain

_OF_POSITIONS = {
    "preset": "--preset",
    "options": "--option",
    "position": "--position",
    "games": "--games",
    "seconds": "--seconds",
}
_OF_RECORDS = {"number": "--game", "html": "--html", "picture": "--picture"}


@click.command(
    "analyse",
    short_help="Show what each move of a position is worth, or what a recorded game's moves lost.",
    help="""Show what each legal action of a position of GAME is worth: by an agent's search, or with --games by games
    played out after it. The values are expected returns of the player to act. Without --position, the position is
    taken from a random game of --seed.

    A POSITION that only one game has may stand in place of GAME and --position: a line as printed below each board, a
    GNU Backgammon ID or an XGID. It has the rules of the first preset that has such a position.

    Given the FILE of a recorded game instead, show what each decision lost against the best one, the luck of the
    throws, and each player's error rate.
    """,
    epilog=examples(
        "sarai analyse shah --agent alphabeta:8",
        "sarai analyse shuanglu --agent mcts:2000,evaluator=heuristic --seconds 2 --json",
        "sarai analyse shuanglu --agent greedy --games 1000 --plays turn",
        "sarai analyse XGID=-b----E-C---eE---c-e----B-:0:0:1:62:0:0:0:0:10 --agent expectimax:2",
        "sarai analyse game.txt --html game.html",
        "sarai analyse match.mat --game 3",
    ),
)
@click.argument("subject", metavar="GAME|POSITION|FILE")
@rules_options
@click.option("--position", metavar="TEXT|FILE", help="The position. Default: one from a random game.")
@click.option(
    "--agent",
    help="The agent; 'sarai agents' lists them. With --games, also one for each seat, separated by commas. "
    "Default: mcts:2000; for a recorded game expectimax:2, or alphabeta:6 where there are no dice.",
)
@click.option(
    "--games", type=int, help="Play this many games after each move, with the same dice after every move."
)
@word_option("--plays", PLAYS, "With --games, what a move is: one action, or all actions of a turn.")
@files.game_option
@files.file_option(
    "--html", "FILE.html", "Write a recorded game as a page to step through, with its mistakes."
)
@files.picture_option("Draw the expected returns of a recorded game")
@threads_option
@quiet_option
@seed_option("The seed of the position and of the agent's random numbers.")
@click.option("--seconds", type=float, help="Stop a search after this many seconds.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
def command(subject: str, seed: int, as_json: bool, agent: str | None, **given: Any) -> None:
    """Print the analysis."""
    is_record = subject not in games() and os.path.exists(subject)
    what, elsewhere, of = (
        ("a recorded game", _OF_POSITIONS, "positions")
        if is_record
        else ("a position", _OF_RECORDS, "recorded games")
    )
    for name, option in elsewhere.items():
        if given[name]:
            raise click.UsageError(f"{option} is for {of}, and this is {what}: leave it out")
    if is_record:
        _analyse_record(subject, seed, as_json, agent, **given)
    else:
        _analyse_position(subject, seed, as_json, "mcts:2000" if agent is None else agent, **given)


def _analyse_position(
    name: str,
    seed: int,
    as_json: bool,
    agent: str,
    *,
    preset: str | None,
    options: tuple[str, ...],
    position: str | None,
    games: int | None,
    plays: str,
    num_threads: int | None,
    no_progress: bool,
    seconds: float | None,
    **_others: None,
) -> None:
    if games is None and (plays != PLAYS[0] or num_threads is not None):
        raise click.UsageError("--plays and --threads are for games that are played out: give --games")
    rules = parse_options(options)
    with input_errors():
        state = _alone(name) if preset is None and position is None and not rules else None
        if state is None:
            game = make(name, preset=preset, rules=rules)
            state = (
                game.sample_states(num_games=1, seed=seed)[0]
                if position is None
                else read_position(game, position)
            )
        game = state.get_game()
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


def _alone(subject: str) -> State | None:
    """The state that a text describes without a game beside it; None where it is the name of a game, right or wrong."""
    is_text = ids.looks_like(subject) or (" " in subject and "(" not in subject)
    return parse(subject) if is_text else None


def _analyse_record(
    path: str,
    seed: int,
    as_json: bool,
    agent: str | None,
    *,
    plays: str,
    number: int | None,
    html: str | None,
    picture: str | None,
    num_threads: int | None,
    no_progress: bool,
    **_others: None,
) -> None:
    if plays != PLAYS[0]:
        raise click.UsageError(
            "--plays is for positions whose games are played out, and this is a recorded game"
        )
    files.check_ending(html, ".html", "the page of --html")
    files.check_picture(picture)
    if html is not None:
        files.check_place(html)
    record = files.read_record(path, number)
    with input_errors():
        told = record.analyse(agent, seed=seed, num_threads=num_threads, progress=not no_progress)
    written = [files.draw(told.page, html), files.draw(told.plot, picture)]
    if as_json:
        rows = {
            name: [plain(one._asdict()) for one in getattr(told, name)]
            for name in ("players", "decisions", "throws")
        }
        about = {name: getattr(told, name) for name in ("agent", "luck_agent", "seed", "thresholds")}
        print_json({"game": record.game.name, "rules": record.game.rules, **about, **rows})
    else:
        click.echo(f"{told}\n\nseed {seed}")
        for path_written in filter(None, written):
            click.echo(f"wrote {screen.printable(path_written)}")
