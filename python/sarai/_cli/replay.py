"""`sarai replay`: a game that was kept, position after position."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

import click
from rich.console import Console

from sarai._base.arguments import counted
from sarai._cli import files, hints, screen
from sarai._cli.basics import Interrupted, IntRange, examples, input_errors, word_option
from sarai._cli.prompt import ask, end_prompt, somebody_is_there
from sarai._cli.scenes import Scene, is_scene, scenes, states
from sarai._cli.story import player_name, result
from sarai._core import State
from sarai._records.picture import last_moves, page_of
from sarai._records.record import Record
from sarai._render.svg import THEMES

HELP = """\
  Enter   the next position            b     the previous one
  NUMBER  the one after N steps        end   the last one
  help    show this                    quit  leave
A step is a throw of the dice or an action of a player."""


@click.command(
    "replay",
    short_help="Show a saved game, move by move.",
    help="""Show the game in FILE, a record written by 'save' in 'sarai play' or by sarai.Record.save.

    In a terminal, press Enter for the next position. Outside a terminal, or with --all, the whole game is printed.
    """,
    epilog=examples(
        "sarai replay game.json",
        "sarai replay game.txt --all --from 20 --to 40",
        "sarai replay game.json --svg game.svg --theme dark",
        "sarai replay game.json --html game.html",
        "sarai replay match.mat --game 3",
    ),
)
@click.argument("file", callback=files.named)
@files.game_option
@click.option("--all", "everything", is_flag=True, help="Print all positions without waiting.")
@click.option("--from", "first", type=IntRange(0), metavar="N", help="Start at the position after N steps.")
@click.option("--to", "last", type=IntRange(0), metavar="N", help="Stop at the position after N steps.")
@files.file_option("--svg", "FILE.svg", "Write the game as an animation instead of printing boards.")
@files.file_option("--gif", "FILE.gif", 'Write the animation as a GIF (needs pip install "sarai[render]").')
@files.file_option("--html", "FILE.html", "Write the game as a page that plays, stops and steps through it.")
@word_option("--theme", tuple(THEMES), "The theme of the animation.")
@click.option(
    "--seconds",
    type=float,
    default=0.8,
    show_default=True,
    help="How long each position of the animation is shown.",
)
@click.option("--no-color", is_flag=True, help="Do not use colour, even in a terminal.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object, with the text of each position."
)
def command(
    file: str,
    number: int | None,
    everything: bool,
    first: int | None,
    last: int | None,
    svg: str | None,
    gif: str | None,
    html: str | None,
    theme: str,
    seconds: float,
    no_color: bool,
    as_json: bool,
) -> None:
    """Read the record, and show it as it was asked for."""
    record = files.read_record(file, number)
    start, end = _span(record, first, last)
    if as_json and (svg or gif or html or first is not None or last is not None):
        raise click.UsageError("--json prints the whole game and cannot be combined with other options")
    if as_json:
        _print_json(record)
    elif svg is not None or gif is not None or html is not None:
        files.check_ending(svg, ".svg", "the animation of --svg")
        files.check_ending(gif, ".gif", "the animation of --gif")
        files.check_ending(html, ".html", "the page of --html")
        for path, content in _animations(record, start, end, svg, gif, html, theme, seconds):
            files.write(path, content)
            click.echo(f"wrote {screen.printable(path)}")
    else:
        out = screen.make_console(no_color)
        out.print("\n".join(screen.wrapped(_title(record))))
        if everything or not somebody_is_there():
            for scene in scenes(record, start, end):
                out.print(f"\n--- after {scene.number} of {counted(len(record), 'step')} ---")
                _show(record, scene, out, space=False)
        else:
            chosen = "" if number is None else f" --game {number}"
            _step_through(record, start, end, hints.quoted(file) + chosen, out)


def _span(record: Record, first: int | None, last: int | None) -> tuple[int, int]:
    """The first and the last position to show."""
    start, end = 0 if first is None else first, len(record) if last is None else last
    if not start <= end <= len(record):
        raise click.UsageError(
            f"--from {start} --to {end}: this game has {counted(len(record), 'step')}; "
            "give numbers from 0 to that, in order"
        )
    return start, end


def _title(record: Record) -> list[str]:
    """What is known of the game before its first step."""
    seed = "" if record.seed is None else f", seed {record.seed}"
    number = "" if record.number is None else f", game {record.number}"
    players = ", ".join(player_name(seat, record.agents) for seat in range(record.game.num_players))
    return [f"{record.game}, {counted(len(record), 'step')}{seed}{number}: {players}"]


def _show(record: Record, scene: Scene, out: Console, *, space: bool) -> None:
    """What has happened, and the board after it, on one screen if they fit."""
    board = screen.board(scene.state)
    end = []
    if scene.number == len(record):
        end = ["The record ends here; the game is unfinished."]
        if record.returns is not None:
            end = [f"The game is over: {result(record.returns, record.agents)}"]
    above, below = screen.wrapped(scene.news), screen.wrapped(end)
    if space and len(above) + len(below) + len(board.split("\n")) < screen.rows():
        out.print()
    for part in ("\n".join(above), board, "\n".join(below)):
        if part:
            out.print(part)


def _step_through(record: Record, start: int, end: int, arguments: str, out: Console) -> None:
    """Show one position, and then what is asked for; the arguments are those that show this game again."""
    number = start
    shown = scenes(record, start, end)
    try:
        while True:
            scene = next(shown)
            number = scene.number
            _show(record, scene, out, space=True)
            going = _asked(record, number, start, end, out)
            if going is None:
                return
            if going != number:
                shown = scenes(record, going, end)
    except KeyboardInterrupt as error:
        end_prompt()
        raise Interrupted(
            f"interrupted after {counted(number, 'step')}; to go on: sarai replay {arguments} --from {number}"
        ) from error


def _asked(record: Record, number: int, start: int, end: int, out: Console) -> int | None:
    """Read lines until one asks for a position; None for whoever leaves, the same number for the next one."""
    while True:
        word = ask(f"{number} of {len(record)} (Enter: next, b: back, a number, end, quit)> ")
        if word is None or word == "quit":
            return None
        if word == "help":
            out.print(HELP)
        elif word == "" and number < end:
            return number
        elif word == "":
            out.print("This is the last position: type b to go back or quit to leave.")
        elif word == "b" and number > start:
            return next(
                place for place in range(number - 1, -1, -1) if place == start or is_scene(record, place)
            )
        elif word == "b":
            out.print("This is the first position.")
        elif word == "end":
            return end
        elif word.isascii() and word.isdigit() and len(word) < 10 and start <= int(word) <= end:
            return int(word)
        else:
            out.print(f"Type a number from {start} to {end}, Enter, b, end or quit.")


def _animations(
    record: Record,
    start: int,
    end: int,
    svg: str | None,
    gif: str | None,
    html: str | None,
    theme: str,
    seconds: float,
) -> Iterator[tuple[str, bytes]]:
    """The files that are asked for, with what is to be in them."""
    last = last_moves(record)[start : end + 1]
    shared = {"theme": theme, "seconds_per_frame": seconds}
    options: dict[str, Any] = {**shared, "last": last}
    if html is not None:
        with input_errors():
            yield html, page_of(record, range(start, end + 1), shared).encode()
    if svg is not None:
        from sarai._render.animation import animate

        with input_errors():
            yield svg, animate(_positions(record, start, end), **options).encode()
    if gif is not None:
        from sarai._render.pixels import gif as draw_gif

        try:
            with input_errors():
                yield gif, draw_gif(_positions(record, start, end), **options)
        except ImportError as error:
            raise click.ClickException(str(error)) from error


def _positions(record: Record, start: int, end: int) -> Iterator[State]:
    return islice(states(record), start, end + 1)


def _print_json(record: Record) -> None:
    """One object, a line for each step: a long game is never in memory as a whole."""
    head = json.loads(record.to_json())
    for key in ("format", "version", "steps"):
        del head[key]
    positions = (str(state) for state in states(record))
    head["start"] = next(positions)
    click.echo(json.dumps(head, allow_nan=False)[:-1] + ', "steps": [', nl=False)
    for index, (step, position) in enumerate(zip(record.steps, positions, strict=True)):
        click.echo("," if index else "")
        told = {"player": step.player, "id": step.id, "name": step.name, "position": position}
        click.echo(json.dumps(told), nl=False)
    click.echo("\n]}")
