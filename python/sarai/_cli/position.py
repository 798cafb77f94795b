"""Reading a position that was typed, or that stands in a file."""

from __future__ import annotations

import os

import click

from sarai._cli.basics import input_errors
from sarai._cli.files import reading
from sarai._core import Game, State

# Far more than the longest position takes.
_MOST = 65536


def read_position(game: Game, given: str | None) -> State:
    """The state of a text line, of JSON, or of a file with one of the two; None is the start.

    Raises:
        click.UsageError: It is no position of the game.
        click.ClickException: The file cannot be read.
    """
    if given is None:
        return game.new_initial_state()
    text = (_read(given) if os.path.exists(given) else given).strip()
    with input_errors():
        return game.state_from_json(text) if text.startswith("{") else game.parse(text)


def _read(path: str) -> str:
    with reading(path, ", or the position itself"), open(path, "rb") as file:
        content = file.read(_MOST + 1)
    if len(content) > _MOST:
        raise click.UsageError(f"{path} has more than {_MOST} bytes: a position is one short line")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise click.UsageError(f"{path} is not UTF-8 text: a position is one line of text") from error
