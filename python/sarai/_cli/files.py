"""Files that commands read and write, and what is said where that fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from sarai._base.files import check_writable, replace
from sarai._cli.basics import Function, input_errors, print_json
from sarai._cli.screen import printable
from sarai._loading import load
from sarai._records.match import Match
from sarai._records.record import Record
from sarai._render.svg import Svg
from sarai._results.figures import check_matplotlib, target_of


def named(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """For `callback=`: the name of a file or folder as it is; an empty one would mean where one stands.

    Raises:
        click.BadParameter: It is empty.
    """
    if value == "":
        raise click.BadParameter("a name is missing here: give one", context, parameter)
    return value


def file_option(name: str, metavar: str, what: str, **more: Any) -> Callable[[Function], Function]:
    """Add to a command an option that names a file or a folder."""
    return click.option(name, callback=named, metavar=metavar, help=what, **more)


def game_option(function: Function) -> Function:
    """Add --game to a command that reads a record."""
    return click.option(
        "--game", "number", type=int, metavar="N", help="The game of this number in a match (.mat)."
    )(function)


def read_record(path: str, number: int | None = None) -> Record:
    """The record in a file, or the game of this number in a match.

    Raises:
        click.UsageError: It is no record, one that the rules contradict, or no match with this game.
        click.ClickException: The file cannot be read.
    """
    with reading(path), input_errors():
        if number is None:
            return Record.load(path)
        found = load(path)
        if not isinstance(found, Match):
            raise ValueError("--game is for a match (.mat), and this is another file: leave it out")
        games = {game.number: game.record for game in found.games}
        if number not in games:
            raise ValueError(f"--game {number}: this match has the games {min(games)} to {max(games)}")
        return games[number]


def check_ending(path: str | None, ending: str, what: str) -> None:
    """Refuse a name that says another form than the file is to have.

    Raises:
        click.UsageError: It does.
    """
    if path is not None and Path(path).suffix.lower() != ending:
        raise click.UsageError(f"{what} is written as {ending}: give another name than {path}")


def picture_option(what: str) -> Callable[[Function], Function]:
    """Add --picture to a command."""
    forms = "as .svg, .png, .pdf or another format of Matplotlib (needs sarai[plot])"
    return file_option("--picture", "FILE", f"{what}, {forms}.")


def check_picture(path: str | None, without: str = "leave out --picture", new_folder: bool = False) -> None:
    """Find out before games are played, not after, that a figure could not be kept.

    Raises:
        click.UsageError: The name has no ending of a figure.
        click.ClickException: There is no matplotlib, or nothing can be written there.
    """
    if path is None:
        return
    with input_errors():
        target_of(path)
    try:
        check_matplotlib()
    except (ImportError, ValueError) as error:
        raise click.ClickException(f"{error}; or {without}") from error
    check_place(path, new_folder)


def check_place(path: str, new_folder: bool = False) -> None:
    """The same for any file.

    Raises:
        click.ClickException: Nothing can be written there.
    """
    with writing(path):
        check_writable(Path(path), new_folder)


def draw(plot: Callable[[str], object], path: str | None) -> str | None:
    """Write a figure, if one is asked for, and return its name.

    Raises:
        click.ClickException: It cannot be written.
    """
    if path is not None:
        with writing(path):
            plot(path)
    return path


def show(result: Any, picture: str | None, as_json: bool) -> None:
    """Print a result, as JSON or as text, and draw it, if a figure is asked for.

    Raises:
        click.ClickException: The figure cannot be written.
    """
    written = draw(result.plot, picture)
    if as_json:
        print_json(result.to_dict())
        return
    click.echo(str(result))
    if written:
        click.echo(f"wrote {printable(written)}")


def save(picture: Svg, path: str) -> None:
    """Write a drawing in the form that the ending says.

    Raises:
        click.UsageError: There is no such form.
        click.ClickException: It cannot be written, or the packages that it needs are not there.
    """
    try:
        with writing(path), input_errors():
            picture.save(path)
    except ImportError as error:
        raise click.ClickException(f"{error}; or give a name that ends in .svg") from error


def write(path: str, content: bytes) -> None:
    """Write a file whole or not at all.

    Raises:
        click.ClickException: It cannot be written.
    """
    with writing(path):
        replace(path, lambda file: file.write(content))


@contextmanager
def writing(path: str) -> Iterator[None]:
    """Around calls that write a file.

    Raises:
        click.ClickException: It cannot be written.
    """
    try:
        yield
    except OSError as error:
        raise click.ClickException(
            f"cannot write {path}: {error.strerror or error}; choose a place that can be written"
        ) from error


@contextmanager
def reading(path: str, instead: str = "") -> Iterator[None]:
    """Around calls that read a file; `instead` is what else could be given.

    Raises:
        click.ClickException: It cannot be read.
    """
    try:
        yield
    except OSError as error:
        raise click.ClickException(
            f"cannot read {path}: {error.strerror or error}; give a file that can be read{instead}"
        ) from error
