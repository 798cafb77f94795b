"""The options of a drawing, as they are typed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import click

from sarai._cli.hints import one_of
from sarai._render.svg import THEMES

_TIMES = "; repeat for several"


def drawing_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of `sarai.render.draw` to a command, which gets those that were typed as a dict `drawing`."""

    @wraps(function)
    def collected(**given: Any) -> Any:
        drawing = {name: value for name in _READ if (value := _READ[name](given.pop(name))) is not None}
        return function(drawing=drawing, **given)

    for option in reversed(_OPTIONS):
        collected = option(collected)
    return collected


def option_names(drawing: Iterable[str]) -> list[str]:
    """What is typed for options of a drawing.

    >>> option_names(["board_only", "arrows"])
    ['--board-only', '--arrow']
    """
    typed = {"coordinates": "--no-coordinates", "arrows": "--arrow", "labels": "--label", "moves": "--move"}
    return [typed.get(name, f"--{name.replace('_', '-')}") for name in drawing]


def _theme(context: click.Context, option: click.Parameter, theme: str | None) -> str | None:
    return None if theme is None else one_of(*THEMES)(context, option, theme)


def _arrows(typed: tuple[str, ...]) -> list[Any] | None:
    """FROM:TO, FROM:TO:COLOUR, or the name of a move.

    >>> _arrows(("g4:g7", "c4:c5:red", "f4-f6"))
    [('g4', 'g7'), ('c4', 'c5', 'red'), 'f4-f6']
    """
    return [tuple(word.split(":")) if ":" in word else word for word in typed] or None


def _highlight(typed: tuple[str, ...]) -> dict[str, str] | None:
    """PLACE, or PLACE=COLOUR.

    >>> _highlight(("a7", "g7=green"))
    {'a7': 'orange', 'g7': 'green'}
    """
    pairs = (word.partition("=") for word in typed)
    return {place: colour if equals else "orange" for place, equals, colour in pairs} or None


def _labels(typed: tuple[str, ...]) -> dict[str, str] | None:
    labels = {}
    for word in typed:
        place, equals, label = word.partition("=")
        if not equals:
            raise click.UsageError(f"--label takes PLACE=TEXT, such as a1=?, not {word!r}")
        labels[place] = label
    return labels or None


def _same(value: Any) -> Any:
    return value


_READ: dict[str, Callable[[Any], Any]] = {
    "theme": _same,
    "size": _same,
    "orientation": _same,
    "board_only": lambda given: given or None,
    "coordinates": lambda left_out: False if left_out else None,
    "arrows": _arrows,
    "highlight": _highlight,
    "labels": _labels,
    "moves": lambda names: list(names) or None,
    "names": lambda names: None if names is None else [name.strip() for name in names.split(",")],
}

_OPTIONS = (
    click.option(
        "--theme", callback=_theme, metavar=f"[{'|'.join(THEMES)}]", help="The theme.  [default: light]"
    ),
    click.option("--size", type=float, metavar="PIXELS", help="The width of an .svg.  [default: 480]"),
    click.option(
        "--orientation", type=int, metavar="SEAT", help="Show the board from the side of this seat."
    ),
    click.option("--board-only", is_flag=True, help="Leave out the panels and the words."),
    click.option("--no-coordinates", "coordinates", is_flag=True, help="Leave out the names of places."),
    click.option(
        "--arrow",
        "arrows",
        multiple=True,
        metavar="FROM:TO[:COLOUR]|MOVE",
        help=f"Draw an arrow from place to place, or along a legal move{_TIMES}.",
    ),
    click.option(
        "--highlight", multiple=True, metavar="PLACE[=COLOUR]", help=f"Draw a ring on a place{_TIMES}."
    ),
    click.option("--label", "labels", multiple=True, metavar="PLACE=TEXT", help=f"Label a place{_TIMES}."),
    click.option(
        "--move",
        "moves",
        multiple=True,
        metavar="NAME",
        help="Draw a numbered arrow along this move; repeat for a line of play.",
    ),
    click.option("--names", metavar="A,B,...", help="Call the players by these names."),
)
