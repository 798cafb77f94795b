"""Pictures put together: with a few lines under them that say what they are, or several as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sarai._render import svg
from sarai._render.elements import Element

_LINE = 26.0
_SIZE = 17.0
_MARGIN = 12.0


def captioned(picture: svg.Picture, lines: Sequence[str], theme: str | None = None) -> svg.Picture:
    """A drawing or an animation of this package with lines of text under it, cut to its width.

    Args:
        picture: a drawing or an animation that is not written yet.
        lines: the lines of text.
        theme: that of the picture.

    Example:
        >>> import sarai
        >>> from sarai.render import picture
        >>> captioned(picture(sarai.make("sho").new_initial_state().view()), ["a < b"]).written().count("a &lt; b")
        1
    """
    look = svg.get_theme(theme)
    width, height = picture.width, picture.height
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
    return replace(
        picture,
        children=(svg.ground(width, whole, look), *picture.children, svg.group(*written)),
        height=whole,
    )


def side_by_side(
    pictures: Sequence[svg.Picture], columns: int, shown_width: float, title: str, theme: str | None = None
) -> svg.Picture:
    """Several drawings of this package as one picture, row by row.

    Args:
        pictures: drawings that are not written yet, at least one.
        columns: how many stand beside each other.
        shown_width: the width of the whole, in pixels.
        title: what the whole is.
        theme: that of the pictures.

    Example:
        >>> import sarai
        >>> from sarai.render import picture
        >>> lane = picture(sarai.make("sho").new_initial_state().view())
        >>> side_by_side([lane, lane, lane], 2, 600, "three lanes").written().count("<svg")
        4
    """
    gap = _MARGIN
    cell_width = max(one.width for one in pictures)
    columns = min(columns, len(pictures))
    placed: list[Element] = []
    top = 0.0
    for first in range(0, len(pictures), columns):
        row = pictures[first : first + columns]
        placed.extend(one.placed((cell_width + gap) * i, top) for i, one in enumerate(row))
        top += max(one.height for one in row) + gap
    return svg.document(
        *placed,
        width=columns * (cell_width + gap) - gap,
        height=top - gap,
        shown_width=shown_width,
        theme=svg.get_theme(theme),
        title=title,
        description=f"{len(pictures)} pictures.",
    )
