"""The command `sarai`. Each command is one module here with a `command`, and one entry in `COMMANDS`.

The exit status is 0 when all went well, 2 when what was typed is wrong and 1 when something failed on the
way (a file that cannot be written, Ctrl-C). An error is one line on stderr that says what to do.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from sarai.cli import games, perft, play, replay, rollout, rules, show
from sarai.cli.screen import printable
from sarai.cli.shared import examples
from sarai.terminal import is_terminal

COMMANDS = (
    games.command,
    rules.command,
    play.command,
    replay.command,
    show.command,
    perft.command,
    rollout.command,
)


class Group(click.Group):
    """A group that leaves Ctrl-C to `main`: click would print an empty line for it."""

    def invoke(self, context: click.Context) -> Any:
        """Run the command that was named.

        Raises:
            click.ClickException: In place of a KeyboardInterrupt.
        """
        try:
            return super().invoke(context)
        except KeyboardInterrupt as error:
            if is_terminal(sys.stderr):
                click.echo(err=True)  # the terminal has shown ^C on the line that is to hold the message
            raise click.ClickException("interrupted before the end: start again") from error


@click.group(
    cls=Group,
    commands=COMMANDS,
    invoke_without_command=True,
    epilog=examples(
        "sarai rollout sho --games 100000 --agents greedy,random,random --seed 7 --out sho.npz",
    ),
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="sarai", message="sarai %(version)s")
@click.pass_context
def command(context: click.Context) -> None:
    """Play traditional games by the hundred thousand and see what comes of it."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status, 0, 1 or 2.

    Args:
        arguments: The words after `sarai`; None takes those of this process.
    """
    try:
        try:
            # Not click's standalone mode: it has an exit status and lines of its own for errors.
            status = command.main(args=arguments, prog_name="sarai", standalone_mode=False)
        finally:
            # What was printed may only now meet a full disk; it must count as an error too.
            if sys.stdout is not None:
                sys.stdout.flush()
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx is not None else "sarai"
        return fail(f"{error.format_message().rstrip('.')} (see '{path} --help')", 2)
    except click.ClickException as error:
        return fail(error.format_message(), error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        return fail("interrupted: start again", 1)
    except BrokenPipeError:
        # Whoever read the output, `head` for one, has seen enough.
        discard_stdout()
        return 1
    except OSError as error:
        discard_stdout()
        return fail(f"cannot print the result: {error.strerror or error}", 1)
    return status if isinstance(status, int) else 0


def fail(message: str, status: int) -> int:
    """Say on one line of stderr what went wrong."""
    # A message may quote what came from a file or a stranger.
    click.echo(f"error: {printable(' '.join(message.split()), sys.stderr)}", err=True)
    return status


def discard_stdout() -> None:
    """Point stdout to nowhere, so that what is left in its buffer is no second error when Python ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
