"""Heat maps: a number for each place of a board, as discs on the board of the game."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping
from dataclasses import replace

from sarai._base.arguments import number, short, suggestion
from sarai._render import svg
from sarai._render.elements import Element

Places = Mapping[str, tuple[float, float, float]]
"""Of each place its middle and radius, in units of the picture."""

_COLOURS = {"light": "#e07b3c", "dark": "#c8621f", "print": "#b4b4b4"}
_HEAD = 30.0
_MARGIN = 12.0
_SIZE = 17.0
_LINE = 24.0
_NOTE = 16.0
_LETTER = 0.56
"""How wide a letter is, in sizes of its font."""


def laid_over(
    board: svg.Picture,
    places: Places,
    values: Mapping[str, float],
    beside: Mapping[str, float],
    title: str,
    theme: str | None,
    numbers: bool,
) -> svg.Picture:
    """A drawing of a board with a disc on each place, whose area is its value, a legend, and what is beside the board.

    Raises:
        ValueError: There is no such place, or a value is negative, infinite or nan.
        TypeError: A value is no number, they are no dict of them, or the title is no text.
    """
    look = svg.get_theme(theme)
    if not isinstance(title, str):
        raise TypeError(f"title must be a str, got {short(title)}")
    for argument, given in (("values", values), ("beside", beside)):
        if not isinstance(given, Mapping) or not all(isinstance(name, str) for name in given):
            raise TypeError(f"{argument} must be a dict of a number for each name, not {short(given)}")
    for name in values:
        if name not in places:
            hint = suggestion(name, places) or f"; there are {', '.join(places)}"
            raise ValueError(f"the board has no place {short(name)}{hint}")
    values, beside = (
        {name: number(f"the value of {name[:80]}", value) for name, value in given.items()}
        for given in (values, beside)
    )
    for name, value in [*values.items(), *beside.items()]:
        if not 0 <= value < math.inf:
            raise ValueError(f"the value of {name[:80]} must be a number from 0 on, got {short(value)}")
    most = max(values.values(), default=0.0)
    # One scale for all of them.
    room = min((places[name][2] for name in values), default=0.0)
    colour = _COLOURS[look.name]
    discs, written = [], []
    for name, value in values.items():
        x, y, _ = places[name]
        radius = room * math.sqrt(value / most) if most else 0.0
        if radius > 0:
            disc = _circle(x, y, radius, fill=colour, stroke=look.outline, stroke_width=1.2)
            discs.append(svg.group(disc, label=f"{name}: {value:.3g}"))
            if numbers:
                written.append(_on_disc(f"{value:.2g}", x, y, look))
    # The board shows through, so that the places are still known.
    veil = svg.rect(
        0, 0, board.width, board.height, rx=14, fill=look.background, fill_opacity=0.4, stroke="none"
    )
    # A number has its name next to it, however long the line is.
    told = [f"{name} {value:.3g}".replace(" ", "\u00a0") for name, value in beside.items() if value]
    note = f"Beside the board: {', '.join(told)}." if told else ""
    lines = textwrap.wrap(note, int((board.width - 2 * _MARGIN) / (_LETTER * _NOTE)))
    top = board.height + _HEAD + 2 * room
    whole = top + len(lines) * _LINE + _MARGIN
    legend = _legend(board.width, board.height, room, most, title, look)
    highest = max(values, key=lambda name: values[name], default=None)
    said = "" if highest is None else f" The largest value is {most:.3g}, on {highest}."
    return replace(
        board,
        children=(
            svg.ground(board.width, whole, look),
            *board.children,
            veil,
            svg.group(*discs),
            svg.group(*written),
            legend,
            *(
                svg.text(line, _MARGIN, top + (at + 0.75) * _LINE, _NOTE, fill=look.ink, text_anchor="start")
                for at, line in enumerate(lines)
            ),
        ),
        height=whole,
        title=title,
        description=f"A heat map on the board: discs whose area is the value of their place.{said} {note}".rstrip(),
    )


def _on_disc(words: str, x: float, y: float, look: svg.Theme) -> Element:
    """A number, with a rim that sets it off from what is below it."""
    rim = svg.text(words, x, y, 13, stroke=look.background, stroke_width=2.5, stroke_linejoin="round")
    return svg.group(rim, svg.text(words, x, y, 13, fill=look.ink, font_weight=None))


def _legend(width: float, top: float, room: float, most: float, title: str, look: svg.Theme) -> Element:
    """The title, and what discs of three sizes stand for."""
    letters = int((width - 2 * _MARGIN) / (_LETTER * _SIZE))
    head = title if len(title) <= letters else title[: letters - 1] + "…"
    parts = [svg.text(head, _MARGIN, top + 14, _SIZE, fill=look.ink, text_anchor="start")]
    x = _MARGIN
    for share in (1.0, 0.5, 0.1) if most else ():
        radius = room * math.sqrt(share)
        middle = top + _HEAD + room
        parts.append(
            _circle(
                x + radius, middle, radius, fill=_COLOURS[look.name], stroke=look.outline, stroke_width=1.2
            )
        )
        parts.append(
            svg.text(
                f"{share * most:.3g}", x + 2 * radius + 8, middle, 16, fill=look.ink, text_anchor="start"
            )
        )
        x += 2 * radius + 96
    return svg.group(*parts)


def _circle(x: float, y: float, radius: float, **attributes: svg.Attribute) -> Element:
    return svg.element("circle", cx=x, cy=y, r=radius, **attributes)
