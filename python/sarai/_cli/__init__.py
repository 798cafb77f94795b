"""The command `sarai`. Each command is one module here with a `command`, and one entry in `COMMANDS`.

The exit status is 0 when all went well, 2 when what was typed is wrong, 130 after Ctrl-C and 1 when something else
failed on the way (a file that cannot be written). An error is one line on stderr that says what to do.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Sequence
from contextlib import ExitStack, redirect_stderr, redirect_stdout

import click

from sarai._base.arguments import suggestion
from sarai._cli import (
    agents,
    analyse,
    arena,
    benchmark,
    compare,
    dataset,
    engine,
    exact,
    explore,
    games,
    metrics,
    perft,
    play,
    replay,
    rollout,
    rules,
    serve,
    show,
    solve,
    train,
    verify_strategy,
)
from sarai._cli.basics import Group, examples, say
from sarai._cli.screen import printable
from sarai._ctrl_c import INTERRUPTED

COMMANDS = (
    games.command,
    agents.command,
    rules.command,
    play.command,
    serve.command,
    replay.command,
    show.command,
    analyse.command,
    perft.command,
    rollout.command,
    metrics.command,
    compare.command,
    arena.command,
    benchmark.command,
    dataset.command,
    solve.command,
    explore.command,
    verify_strategy.command,
    exact.command,
    train.command,
    engine.command,
)


_LONGEST_LINE = 1000


@click.group(
    cls=Group,
    commands=COMMANDS,
    invoke_without_command=True,
    help="Play traditional games, one at a time or by the hundred thousand.",
    epilog=examples(
        "sarai rollout sho --games 100000 --agents greedy,random,random --seed 7 --out sho.npz",
    ),
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="sarai", message="sarai %(version)s")
@click.pass_context
def command(context: click.Context) -> None:
    """Print the help where no command is named."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status: 0, 1, 2 or 130.

    Args:
        arguments: The words after `sarai`; None takes those of this process.
    """
    with ExitStack() as stack:
        # A process may have been started without these, and not every click can print to nothing.
        for stream, redirected in ((sys.stdout, redirect_stdout), (sys.stderr, redirect_stderr)):
            if stream is None:
                nowhere = stack.enter_context(open(os.devnull, "w", encoding="utf-8"))
                stack.enter_context(redirected(nowhere))
        if isinstance(sys.stdout, io.TextIOWrapper):
            # Not every encoding has the dots that stand where a table was too wide.
            sys.stdout.reconfigure(errors="replace")
        return _run(arguments)


def _run(arguments: Sequence[str] | None) -> int:
    try:
        try:
            # Not click's standalone mode: it has an exit status and lines of its own for errors.
            status = command.main(args=arguments, prog_name="sarai", standalone_mode=False)
        finally:
            # What was printed may only now meet a full disk; it must count as an error too.
            sys.stdout.flush()
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx is not None else "sarai"
        return fail(f"{_sentence(error).rstrip('.')} (see '{path} --help')", 2)
    except click.ClickException as error:
        return fail(error.format_message(), error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        return fail("interrupted: start again", INTERRUPTED)
    except MemoryError:
        return fail("there is not enough memory for this: use smaller numbers", 1)
    except RuntimeError as error:
        # The engine's word for a system that refuses it threads. Its kinds are errors of a program.
        if type(error) is not RuntimeError:
            raise
        return fail(str(error), 1)
    except BrokenPipeError:
        # Whoever read the output, `head` for one, has seen enough.
        discard_stdout()
        return 1
    except OSError as error:
        discard_stdout()
        return fail(f"cannot print the result: {error.strerror or error}", 1)
    return status if isinstance(status, int) else 0


def _sentence(error: click.UsageError) -> str:
    """What is wrong with what was typed; for an option that there is not, not in click's words."""
    if not isinstance(error, click.NoSuchOption) or error.ctx is None:
        return error.format_message()
    known = [name for option in error.ctx.command.get_params(error.ctx) for name in option.opts]
    return f"there is no option {error.option_name!r}{suggestion(error.option_name, known)}"


def fail(message: str, status: int) -> int:
    """Say on one line of stderr what went wrong."""
    line = re.sub(r"\s*[\r\n]+\s*", " ", message)
    if len(line) > _LONGEST_LINE:
        # What was given is quoted, however long it is; what to do stands at the end.
        line = f"{line[: _LONGEST_LINE // 2]} ... {line[-_LONGEST_LINE // 2 :]}"
    # A message may quote what came from a file or a stranger.
    say(f"error: {printable(line, sys.stderr)}")
    return status


def discard_stdout() -> None:
    """Point stdout to nowhere, so that what is left in its buffer is no second error when Python ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
