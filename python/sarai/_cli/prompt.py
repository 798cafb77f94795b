"""Asking somebody at a terminal, or reading the lines of a file or a pipe in their place."""

from __future__ import annotations

import sys
from contextlib import suppress

import click

from sarai._base.terminal import is_terminal
from sarai._cli.basics import say

# Longer than any move or file name; without a limit a line without an end would fill the memory.
_LONGEST_LINE = 1000

# Windows PowerShell puts a byte order mark before what it sends through a pipe; so it reads as UTF-8 and on cp1252.
_MARKS = ("\ufeff", "\xef\xbb\xbf")


def somebody_is_there() -> bool:
    """Whether a person at a terminal reads what is printed and types what is read."""
    return is_terminal(sys.stdin) and is_terminal(sys.stdout)


def ask(prompt: str) -> str | None:
    """The next line that is typed, without the blanks around it; None at the end of the input.

    Raises:
        click.UsageError: The input is no text, or has a line that is far too long.
        click.ClickException: It cannot be read.
    """
    if sys.stdin is None:
        return None
    try:
        if somebody_is_there():
            # Once imported, it gives `input` a line that can be edited; not every system has it.
            with suppress(ImportError):
                import readline  # noqa: F401
            with suppress(EOFError):
                return input(prompt).strip()
            click.echo()  # the prompt has not ended its line
            return None
        line = sys.stdin.readline(_LONGEST_LINE + 1)
    except UnicodeDecodeError as error:
        raise click.UsageError("the input is not text: give moves, one per line") from error
    except OSError as error:
        raise click.ClickException(
            f"cannot read the input: {error.strerror or error}; give moves by a file, a pipe or a terminal"
        ) from error
    if len(line) > _LONGEST_LINE:
        raise click.UsageError(
            f"the input has a line of more than {_LONGEST_LINE} characters: give moves, one per line"
        )
    if not line:
        return None
    for mark in _MARKS:
        line = line.removeprefix(mark)
    return line.strip()


def end_prompt() -> None:
    """After Ctrl-C: leave the line on which the terminal has shown ^C, the next one is for the message."""
    if is_terminal(sys.stderr):
        say()
