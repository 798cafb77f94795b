"""Pictures put together: with a few lines under them that say what they are, or several as one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sarai.render import svg

_HEAD = re.compile(r'<svg xmlns="[^"]*" viewBox="0 0 ([0-9.]+) ([0-9.]+)" width="([0-9.]+)" height="[0-9.]+"')
_LINE = 26.0
_SIZE = 17.0
_MARGIN = 12.0


def captioned(picture: svg.Svg, lines: Sequence[str], theme: str = "light") -> svg.Svg:
    """A drawing or an animation of this package with lines of text under it, cut to its width.

    Args:
        picture: what ``draw`` or ``animate`` gives.
        lines: the lines of text.
        theme: that of the picture.

    Raises:
        ValueError: if the picture is none of this package.

    Example:
        >>> import sarai
        >>> from sarai.render import draw
        >>> picture = draw(sarai.make("sho").new_initial_state().view())
        >>> captioned(picture, ["a < b"]).count("a &lt; b")
        1
        >>> captioned(svg.Svg("<svg/>"), [])
        Traceback (most recent call last):
            ...
        ValueError: only pictures that sarai.render has drawn can be put together
    """
    look = svg.get_theme(theme)
    width, height, shown, body = _taken_apart(picture)
    # A digit is about 0.64 wide in the widest of the fonts, a small letter less.
    most = int((width - 2 * _MARGIN) / (0.56 * _SIZE))
    written = [
        svg.text(
            line if len(line) <= most else line[: most - 1] + "…",
            _MARGIN,
            height + _LINE * (i + 0.5) + 4,
            _SIZE,
            fill=look.ink if i == 0 else look.muted,
            text_anchor="start",
        )
        for i, line in enumerate(lines)
    ]
    whole = height + _LINE * len(lines) + _MARGIN
    head = svg.element(
        "svg",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {svg.number(width)} {svg.number(whole)}",
        width=shown,
        height=shown * whole / width,
    )
    ground = svg.rect(0, 0, width, whole, rx=14, fill=look.background)
    start = body.index(">") + 1
    # The title stays first: that is the one that a browser shows and a screen reader speaks.
    return svg.Svg(f"{head[:-2]}{body[:start]}{_behind(body[start:], ground)}{svg.group(*written)}</svg>")


def side_by_side(pictures: Sequence[svg.Svg], columns: int, shown_width: float, title: str) -> svg.Svg:
    """Several drawings of this package as one picture, row by row.

    Args:
        pictures: what ``draw`` gives, at least one.
        columns: how many stand beside each other.
        shown_width: the width of the whole, in pixels.
        title: what the whole is.

    Raises:
        ValueError: if a picture is none of this package.

    Example:
        >>> import sarai
        >>> from sarai.render import draw
        >>> picture = draw(sarai.make("sho").new_initial_state().view())
        >>> side_by_side([picture, picture, picture], 2, 600, "three lanes").count("<svg")
        4
        >>> side_by_side([svg.Svg("<svg/>")], 1, 600, "one lane")
        Traceback (most recent call last):
            ...
        ValueError: only pictures that sarai.render has drawn can be put together
    """
    apart = [_taken_apart(picture) for picture in pictures]
    gap = _MARGIN
    cell_width, cell_height = max(width for width, *_ in apart), max(height for _, height, *_ in apart)
    columns = min(columns, len(apart))
    rows = -(-len(apart) // columns)
    placed = []
    for i, (width, height, _, body) in enumerate(apart):
        head = svg.element(
            "svg",
            x=(cell_width + gap) * (i % columns),
            y=(cell_height + gap) * (i // columns),
            width=width,
            height=height,
            viewBox=f"0 0 {svg.number(width)} {svg.number(height)}",
        )
        placed.append(f"{head[:-2]}{body}</svg>")
    return svg.document(
        *placed,
        width=columns * (cell_width + gap) - gap,
        height=rows * (cell_height + gap) - gap,
        shown_width=shown_width,
        theme=svg.get_theme("light"),
        title=title,
        description=f"{len(apart)} pictures.",
    )


def _taken_apart(picture: svg.Svg) -> tuple[float, float, float, str]:
    """Width and height in units, the width shown, and the rest of the markup but for the end tag."""
    found = _HEAD.match(picture)
    if found is None:
        raise ValueError("only pictures that sarai.render has drawn can be put together")
    width, height, shown = (float(number) for number in found.groups())
    return width, height, shown, picture[found.end() : -len("</svg>")]


def _behind(content: str, ground: str) -> str:
    """The ground after title and description, before everything that is drawn."""
    place = content.index("</desc>") + len("</desc>")
    return content[:place] + ground + content[place:]
