"""Several boards as one figure, with a caption under each."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import replace

from sarai._base.arguments import counted, short
from sarai._render import drawing, svg
from sarai._render.captions import side_by_side
from sarai._render.raster import checked_whole
from sarai._render.view import Position

MOST = 64
"""How many boards one figure may have."""

_SIZE = 20.0
_LINE = 27.0
_LETTER = 0.56
"""How wide a letter is, in sizes of its font."""


def figure(
    boards: Sequence[svg.Picture | Position],
    *,
    captions: Sequence[str] | None = None,
    columns: int = 2,
    size: float = 960,
    theme: str | None = None,
) -> svg.Svg:
    """Put several boards into one figure, row by row, with a caption under each.

    Args:
        boards: at most 64 pictures, as ``sarai.render.picture`` draws them with options of its own; or states or views,
            which are drawn without any.
        captions: a text for each board, wrapped to its width; None for no captions.
        columns: how many stand beside each other, 1 to 64.
        size: the width of the whole in pixels, 16 to 16384.
        theme: ``"light"``, ``"dark"`` or ``"print"``; None takes that of ``sarai.render.set_theme``. Give pictures the
            same one.

    Raises:
        ValueError: if there are no boards or too many, there is not one caption for each, or an option is out of range.
        TypeError: if ``boards`` is not a list of pictures, states or views, or a caption is no text.

    Example:
        >>> import sarai
        >>> state = sarai.make("shah").new_initial_state()
        >>> first = sarai.render.picture(state, board_only=True, arrows=[("a1", "d1")])
        >>> figure([first, state], captions=["(a) a slide", "(b) the beginning"]).count("<svg")
        3
        >>> figure([first], captions=[])
        Traceback (most recent call last):
            ...
        ValueError: captions has 0 entries for 1 board: give one for each
    """
    if isinstance(boards, str) or not isinstance(boards, Sequence):
        raise TypeError(f"boards must be a list of pictures, states or views, got {type(boards).__name__}")
    if not 1 <= len(boards) <= MOST:
        raise ValueError(f"a figure has 1 to {MOST} boards, got {len(boards)}")
    columns = checked_whole("columns", columns, "an integer", 1, MOST)
    told = [""] * len(boards) if captions is None else captions
    if not isinstance(told, list | tuple) or not all(isinstance(caption, str) for caption in told):
        raise TypeError(f"captions must be a list of str, got {short(captions)}")
    if len(told) != len(boards):
        raise ValueError(
            f"captions has {counted(len(told), 'entry', 'entries')} for {counted(len(boards), 'board')}: "
            "give one for each"
        )
    drawn = [
        board if isinstance(board, svg.Picture) else drawing.picture(board, theme=theme) for board in boards
    ]
    look = svg.get_theme(theme)
    lines = [
        textwrap.wrap(caption, int(one.width / (_LETTER * _SIZE)))
        for one, caption in zip(drawn, told, strict=True)
    ]
    parts = []
    for i, (one, written) in enumerate(zip(drawn, lines, strict=True)):
        # All captions of a row begin at the same height.
        row = drawn[i - i % columns :][:columns]
        parts.append(_captioned(one, written, max(other.height for other in row), look))
    title = "; ".join(filter(None, told)) or f"{counted(len(drawn), 'board')}"
    return side_by_side(parts, columns, svg.checked_size(size), title, theme).written()


def _captioned(picture: svg.Picture, lines: Sequence[str], height: float, look: svg.Theme) -> svg.Picture:
    written = (
        svg.text(line, picture.width / 2, height + _LINE * (i + 0.6), _SIZE, fill=look.ink)
        for i, line in enumerate(lines)
    )
    whole = height + (_LINE * len(lines) + 8 if lines else 0)
    return replace(picture, children=(*picture.children, svg.group(*written)), height=whole)
