"""The board of Gamename: the track in one row, and a panel for each player under it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from sarai.render import moves, pieces, svg
from sarai.render.games.gamename.view import PHASES, TRACK, Position, describe, headline, read

_WIDTH = 600.0
_MARGIN = 12.0
_FIELD = (_WIDTH - 2 * _MARGIN) / (TRACK + 2)
_TOP = 60.0
_RADIUS = 0.36 * _FIELD
_STATUS_TOP = _TOP + _FIELD + 34
_STATUS_HEIGHT = 44.0
_PANEL_HEIGHT = 60.0
_MOVE = re.compile(r"(hand|[0-9]+)/(off|[0-9]+)(\*)?")


def draw(
    view: Mapping[str, Any],
    *,
    theme: str = "light",
    size: float = 480,
    coordinates: bool = True,
    last: moves.Last | None = None,
    legal: Sequence[str] = (),
) -> svg.Picture:
    """Draw a position of Gamename.

    Args:
        view: what ``state.view()`` returns. It is trusted, and not changed.
        theme: ``"light"`` or ``"dark"``.
        size: the width in pixels, 16 to 16384; the height follows. The picture reads well from 300 on.
        coordinates: whether the squares are numbered.
        last: who moved last and the name of that action, such as ``(0, "5/8")``. It is marked with a solid arrow,
            which has a filled double head if the move captures.
        legal: names of legal actions of the player whose turn it is, to be marked with dashed arrows.

    Raises:
        ValueError: if the theme is unknown, the size out of range, or a move has no known name.

    """
    look = svg.get_theme(theme)
    position = read(view)
    return svg.document(
        _track(look, coordinates),
        _pieces(position, look),
        moves.marks(last, legal, position.player, 2, lambda name, *_: _course(name), look),
        _status(position, look),
        _panels(position, look),
        width=_WIDTH,
        height=_STATUS_TOP + _STATUS_HEIGHT + _PANEL_HEIGHT + _MARGIN,
        shown_width=size,
        theme=look,
        title=f"Gamename, turn {position.turn}: {headline(position)}",
        description=describe(position),
    )


def _middle(square: int) -> tuple[float, float]:
    """The middle of a square; 0 is the hand, and the number past the last square is off."""
    return _MARGIN + _FIELD * (square + 0.5), _TOP + _FIELD / 2


def _track(look: svg.Theme, coordinates: bool) -> svg.Element:
    drawn = []
    for square in range(1, TRACK + 1):
        x, y = _middle(square)
        left, top = x - _FIELD / 2, y - _FIELD / 2
        drawn.append(svg.rect(left, top, _FIELD, _FIELD, fill=look.panel, stroke=look.line, stroke_width=1.5))
        if coordinates:
            drawn.append(svg.text(str(square), x, y + 0.8 * _FIELD, 16, fill=look.muted))
    return svg.group(*drawn)


def _pieces(position: Position, look: svg.Theme) -> svg.Element:
    return svg.group(
        *(
            _piece(*_middle(square), player, look, f"player {player}: a piece on {square}")
            for player in (0, 1)
            for square in position.squares[player]
        )
    )


def _piece(x: float, y: float, player: int, look: svg.Theme, label: str) -> svg.Element:
    """A piece, marked with its side's letter so that it can be told without colours."""
    return pieces.pile(x, y, _RADIUS, 1, player, look, label, face=pieces.LETTERS[player])


def _course(name: str) -> moves.Course:
    found = _MOVE.fullmatch(name)
    if found is None:
        raise ValueError(name)
    start = 0 if found[1] == "hand" else int(found[1])
    end = TRACK + 1 if found[2] == "off" else int(found[2])
    if not 0 <= start < end <= TRACK + 1:
        raise ValueError(name)
    above = (_WIDTH / 2, 0.0)
    return moves.Course(moves.bent(_middle(start), _middle(end), above), _RADIUS, hit=found[3] is not None)


def _status(position: Position, look: svg.Theme) -> svg.Element:
    """The line under the board: whose turn it is and what comes next, or the result."""
    y = _STATUS_TOP + _STATUS_HEIGHT / 2
    if position.player is None:
        words = "draw" if position.winner is None else f"player {position.winner} wins"
    else:
        words = f"player {position.player}: {PHASES[position.phase][0]}"
    return svg.group(
        pieces.bold(words, _MARGIN + 6, y, 20, look),
        None if position.throw is None else pieces.die(_WIDTH / 2, y, 36, 36, position.throw, look),
        pieces.turn_number(position.turn, _WIDTH - _MARGIN - 6, y, look),
    )


def _panels(position: Position, look: svg.Theme) -> svg.Element:
    lefts, width = pieces.in_a_row(2, _MARGIN, _WIDTH - _MARGIN)
    return svg.group(*(_panel(position, player, lefts[player], width, look) for player in (0, 1)))


def _panel(position: Position, player: int, left: float, width: float, look: svg.Theme) -> svg.Element:
    top, y = _STATUS_TOP + _STATUS_HEIGHT, _STATUS_TOP + _STATUS_HEIGHT + _PANEL_HEIGHT / 2
    counts = f"{position.hand[player]} in hand, {position.off[player]} off"
    lit = look.sides[player] if player in (position.player, position.winner) else None
    return svg.group(
        pieces.panel(left, top, width, _PANEL_HEIGHT, look, lit),
        pieces.emblem(left + 28, y, _RADIUS, player, look),
        pieces.bold(f"player {player}", left + 54, y, 19, look),
        svg.text(counts, left + width - 14, y, 17, fill=look.ink, text_anchor="end"),
        label=f"player {player}: {counts}",
    )
