"""What several commands have in common: how options of a game are typed, how results are printed."""

from __future__ import annotations

import json
import re
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import wraps
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from sarai._base.arguments import suggestion
from sarai._base.terminal import is_terminal, size
from sarai._cli.hints import one_of
from sarai._ctrl_c import INTERRUPTED
from sarai._game import make

_WIDTH_OF_A_FILE = 120


class Interrupted(click.ClickException):
    """Ctrl-C has ended a command; the message says how to go on."""

    exit_code = INTERRUPTED


class IntRange(click.IntRange):
    """A number in a range. Of a word, click's own says that it is "not a valid integer range"."""

    name = "integer"


class Group(click.Group):
    """A group that knows what was probably meant, and leaves Ctrl-C to `main`: click would print an empty line."""

    def resolve_command(
        self, context: click.Context, words: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is named first.

        Raises:
            click.UsageError: There is none of this name.
        """
        # What begins like an option is for click to refuse.
        if words[0] not in self.commands and not words[0].startswith("-"):
            known = ", ".join(self.commands)
            raise click.UsageError(
                f"there is no command {words[0]!r}{suggestion(words[0], self.commands) or f'; there are {known}'}",
                context,
            )
        return super().resolve_command(context, words)

    def invoke(self, context: click.Context) -> Any:
        """Run the command that was named.

        Raises:
            Interrupted: In place of a KeyboardInterrupt.
        """
        try:
            return super().invoke(context)
        except KeyboardInterrupt as error:
            if is_terminal(sys.stderr):
                say()  # the terminal has shown ^C on the line that is to hold the message
            raise Interrupted("interrupted before the end: start again") from error


Function = TypeVar("Function", bound=Callable[..., Any])


def examples(*lines: str) -> str:
    """The end of a command's --help; the control character keeps click from joining the lines."""
    return "\n".join(("\b", "Examples:" if len(lines) > 1 else "Example:", *(f"  {line}" for line in lines)))


def rules_options(function: Function) -> Function:
    """Add --preset and --option to a command."""
    function = click.option(
        "--option",
        "options",
        multiple=True,
        metavar="NAME=VALUE",
        help="Set an option of the game, overriding the preset; repeat for several options.",
    )(function)
    return click.option(
        "--preset", metavar="NAME", help="Use a named set of options; 'sarai rules GAME' lists them."
    )(function)


def seed_option(what: str) -> Callable[[Function], Function]:
    """Add --seed to a command, which gets a number even if none was typed."""

    def drawn(_context: click.Context, _option: click.Parameter, seed: int | None) -> int:
        return secrets.randbits(64) if seed is None else seed

    return click.option(
        "--seed", type=int, callback=drawn, help=f"{what} Default: a new one, which is printed."
    )


def game_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add GAME, --preset and --option to a command, which gets the `game` with these rules."""

    @wraps(function)
    def made(game: str, preset: str | None, options: tuple[str, ...], **others: Any) -> Any:
        rules = parse_options(options)
        with input_errors():
            book = make(game, preset=preset, rules=rules)
        return function(game=book, **others)

    return click.argument("game")(rules_options(made))


def number_option(name: str, default: int, what: str, *names: str) -> Callable[[Function], Function]:
    """Add to a command an option that is a number and has a default."""
    return click.option(name, *names, type=int, default=default, show_default=True, help=what)


def games_option(default: int, what: str = "The number of games to play.") -> Callable[[Function], Function]:
    """Add --games to a command."""
    return number_option("--games", default, what, "num_games")


def word_option(name: str, words: Sequence[str], what: str) -> Callable[[Function], Function]:
    """Add to a command an option that takes one of a few words, the first by default."""
    takes = f"[{'|'.join(words)}]"
    return click.option(
        name, callback=one_of(*words), metavar=takes, default=words[0], show_default=True, help=what
    )


threads_option = click.option(
    "--threads", "num_threads", type=int, help="The number of threads. Default: all processors."
)
stones_option = click.option(
    "--stones",
    metavar="N|N,M",
    help="The largest number of stones of each side, or of one side and the other.",
)
agents_option = click.option(
    "--agents",
    metavar="A,B,...",
    default="random",
    show_default=True,
    help="The agents: one per seat, or a single one for all seats; 'sarai agents' lists them.",
)
first_game_option = number_option("--first-game", 0, "The number of the first game within the seed.")
quiet_option = click.option("--no-progress", is_flag=True, help="Do not show progress on stderr.")


def playing_options(printed: str) -> Callable[[Function], Function]:
    """Add to a command what all have that play many games; --json replaces what is `printed` otherwise."""
    plies = "The number of random decisions at the beginning of each game; use some in games without chance."
    several = (
        seed_option("The same seed gives the same games."),
        number_option("--random-plies", 0, plies),
        threads_option,
        quiet_option,
        click.option("--json", "as_json", is_flag=True, help=f"Print one JSON object instead of {printed}."),
    )

    def add(function: Function) -> Function:
        for option in reversed(several):
            function = option(function)
        return function

    return add


def parse_options(pairs: Iterable[str], where: str = "--option") -> dict[str, Any]:
    """Read NAME=VALUE pairs; a value is JSON (4, 1.5, true, "text"), and otherwise a text as it stands.

    Raises:
        click.UsageError: A pair has no "=" or no name, or a name comes twice.
    """
    rules: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name:
            raise click.UsageError(f"{where} takes NAME=VALUE, such as max_turns=1000, not {pair!r}")
        if name in rules:
            raise click.UsageError(f"{where} {name} is given twice; give it only once")
        rules[name] = _parse_value(text)
    return rules


def _parse_value(text: str) -> Any:
    # Python's spelling of the two is what the documentation of the options shows.
    words = {"True": True, "False": False}
    if text in words:
        return words[text]
    try:
        return json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return text


def _no_number(word: str) -> None:
    # Python's parser takes NaN and Infinity, which no option does and JSON has not.
    raise ValueError(word)


def agent_names(typed: str) -> list[str]:
    """Names of agents with commas between them; a name may have parameters, and other names in brackets.

    >>> agent_names("human, mcts:200,evaluator=heuristic,mixture:1[greedy]+1[mcts:5,priors=greedy]")
    ['human', 'mcts:200,evaluator=heuristic', 'mixture:1[greedy]+1[mcts:5,priors=greedy]']
    """
    names = [""]
    depth = 0
    # A comma parts two names unless it stands in brackets, or before a parameter such as evaluator=heuristic.
    for part in re.split(r"(,(?!\s*\w+=)|[\[\]])", typed):
        depth += (part == "[") - (part == "]")
        if part == "," and depth <= 0:
            names.append("")
        else:
            names[-1] += part
    return [name.strip() for name in names]


def typed_agents(typed: str) -> str | list[str]:
    """The same as calls take them: one agent for all seats, or one for each."""
    names = agent_names(typed)
    return names if len(names) > 1 else names[0]


def typed_stones(text: str) -> tuple[int, int]:
    """What --stones takes.

    Raises:
        click.UsageError: It is neither a number nor two.
    """
    numbers = text.split(",")
    if len(numbers) > 2 or not all(number.strip().isdecimal() for number in numbers):
        raise click.UsageError(f"--stones takes a number such as 4, or two such as 5,3, not {text!r}")
    return int(numbers[0]), int(numbers[-1])


@contextmanager
def input_errors() -> Iterator[None]:
    """Around calls that judge what was typed: their refusals become errors of usage, with exit status 2.

    Raises:
        click.UsageError: For a ValueError, TypeError or OverflowError inside.
    """
    try:
        yield
    except (ValueError, TypeError, OverflowError) as error:
        raise click.UsageError(str(error)) from error


def console() -> Console:
    """Where results go: stdout, in colour only if it is a terminal."""
    # A file has no width; 80 columns would squeeze the tables.
    columns, rows = size(sys.stdout, usual=_WIDTH_OF_A_FILE)
    return Console(highlight=False, markup=False, emoji=False, width=columns, height=rows)


def say(line: str = "") -> None:
    """Say something on stderr that is no result: where nobody listens, that is no reason to end."""
    with suppress(OSError):
        click.echo(line, err=True)


def print_json(value: Any) -> None:
    """Print one JSON value, and nothing else, on stdout."""
    click.echo(json.dumps(value, indent=2, allow_nan=False))


def text_table(header: Iterable[str], rows: Iterable[Iterable[str]], fixed: int = 1) -> Table:
    """A plain table; its first `fixed` columns are never wrapped."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for place, name in enumerate(header):
        table.add_column(name, no_wrap=place < fixed, overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    return table
