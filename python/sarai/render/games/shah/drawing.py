"""The board of Shah: three joined squares, drawn with a finger in the sand, and two sets of stones.

Player 0 has round pale stones, player 1 square dark ones. Files a to g run from the left, ranks 1 to 7 from
below. What a player has in hand and has lost stands in a panel under the board.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sarai.render import moves, pieces, svg
from sarai.render.games.shah.view import LINES, NAMES, Position, describe, headline, read, remark, task

_WIDTH = 600.0
_MARGIN = 12.0
_STEP = 72.0
_FIRST = 84.0
_BOARD = 600.0
_STATUS_HEIGHT = 68.0
_PANEL_HEIGHT = 108.0
_RADIUS = 24.0


@dataclass(frozen=True)
class _Colours:
    """What only this board has: sand, lines in it, and the two kinds of stones."""

    sand: str
    sand_edge: str
    groove: str
    on_sand: str
    stone: tuple[str, str]
    edge: tuple[str, str]
    mark: tuple[str, str]
    mill: str


_COLOURS = {
    "light": _Colours(
        sand="#ead6ae",
        sand_edge="#cdb486",
        groove="#8a6a3f",
        on_sand="#5b4526",
        stone=("#fffaf0", "#3d3a38"),
        edge=("#4a3d2c", "#15130f"),
        mark=("#b09a78", "#a79f94"),
        mill="#c2571a",
    ),
    "dark": _Colours(
        sand="#4d402d",
        sand_edge="#6a5940",
        groove="#b59a6c",
        on_sand="#e6d3ae",
        stone=("#f7eedb", "#1f1e1e"),
        edge=("#171310", "#d8c8a8"),
        mark=("#9a8461", "#8f877b"),
        mill="#f09a4a",
    ),
}


def draw(
    view: Mapping[str, Any],
    *,
    theme: str | None = None,
    size: float = 480,
    coordinates: bool = True,
    last: moves.Last | None = None,
    legal: Sequence[str] = (),
    values: Mapping[str, moves.Worth] | None = None,
) -> svg.Picture:
    """Draw a position of Shah.

    Args:
        view: what ``state.view()`` gives; it is only read, and trusted.
        theme: ``"light"`` or ``"dark"``; None takes that of ``sarai.render.set_theme``.
        size: the width in pixels, 16 to 16384; the height follows. The picture reads well from 300 on.
        coordinates: whether the files and ranks are written beside the board.
        last: who moved last and the name of that action, such as ``(0, "d6-d5")``, to be marked: a move with an
            arrow, what happens at one point with a ring, a removal with a cross in it.
        legal: names of actions to be marked as legal moves of the player whose turn it is, dashed.
        values: what actions are worth to that player, by name: a pair of 1 won, 0 drawn or -1 lost, and the turns to
            the end, None in a draw. Each is marked with a line and a figure: "+7", "=" or "-7".

    Raises:
        ValueError: if the theme is unknown, the size out of range, or a move has no known name.

    """
    look = svg.get_theme(theme)
    position = read(view)
    return svg.document(
        _ground(look, coordinates),
        _mills(position, look),
        _stones(position, look),
        moves.marks(last, legal, position.player, 2, _course, look),
        None if values is None else moves.valued(values, position.player, _course, look),
        _status(position, look),
        _panels(position, look),
        width=_WIDTH,
        height=_BOARD + _STATUS_HEIGHT + _PANEL_HEIGHT + _MARGIN,
        shown_width=size,
        theme=look,
        title=f"Shah, turn {position.turn}: {headline(position)}",
        description=describe(position),
    )


def _at(point: int) -> tuple[float, float]:
    name = NAMES[point]
    return _FIRST + _STEP * (ord(name[0]) - ord("a")), _FIRST + _STEP * (7 - int(name[1]))


def _line(line: tuple[int, int, int], **attributes: svg.Attribute) -> svg.Element:
    return svg.path(f"M{svg.points(_at(line[0]), _at(line[2]))}", fill="none", **attributes)


def _ground(look: svg.Theme, coordinates: bool) -> svg.Element:
    colours = _COLOURS[look.name]
    box = _BOARD - 2 * _MARGIN
    drawn = [
        svg.rect(
            _MARGIN, _MARGIN, box, box, rx=26, fill=colours.sand, stroke=colours.sand_edge, stroke_width=3
        )
    ]
    drawn += [_line(line, stroke=colours.groove, stroke_width=5, stroke_linecap="round") for line in LINES]
    drawn += [svg.circle(*_at(point), 7, fill=colours.groove) for point in range(24)]
    if coordinates:
        for i in range(7):
            place = _FIRST + _STEP * i
            for content, x, y in (("abcdefg"[i], place, 560.0), (str(7 - i), 40.0, place)):
                drawn.append(svg.text(content, x, y, 22, fill=colours.on_sand, font_weight="bold"))
    return svg.group(*drawn)


def _mills(position: Position, look: svg.Theme) -> svg.Element:
    """A stroke under each row of three, a much broader one under the one that a stone is to be removed for."""
    colour = _COLOURS[look.name].mill
    drawn = []
    for line in position.mills:
        new = line == position.new_mill
        names = "-".join(NAMES[point] for point in line)
        drawn.append(
            svg.group(
                _line(line, stroke=colour, stroke_width=30 if new else 9, stroke_linecap="round"),
                label=f"player {position.board[line[0]]}: three in a row on {names}{', just made' * new}",
            )
        )
    return svg.group(*drawn)


def _stone(
    x: float, y: float, radius: float, player: int, look: svg.Theme, label: str | None = None
) -> svg.Element:
    """A stone: round and pale with a ring for player 0, square and dark with a square for player 1."""
    colours = _COLOURS[look.name]
    body: dict[str, svg.Attribute] = {
        "fill": colours.stone[player],
        "stroke": colours.edge[player],
        "stroke_width": max(0.09 * radius, 1.2),
    }
    mark: dict[str, svg.Attribute] = {
        "fill": "none",
        "stroke": colours.mark[player],
        "stroke_width": 0.1 * radius,
    }
    if player == 0:
        shapes = (svg.circle(x, y, radius, **body), svg.circle(x, y, 0.52 * radius, **mark))
    else:
        # A square as large to the eye as the disc.
        half, inner = 0.88 * radius, 0.42 * radius
        shapes = (
            svg.rect(x - half, y - half, 2 * half, 2 * half, rx=0.26 * radius, **body),
            svg.rect(x - inner, y - inner, 2 * inner, 2 * inner, rx=0.1 * radius, **mark),
        )
    return svg.group(*shapes, label=label)


def _stones(position: Position, look: svg.Theme) -> svg.Element:
    drawn = [
        _stone(*_at(point), _RADIUS, int(held), look, f"player {held}: a stone on {NAMES[point]}")
        for point, held in enumerate(position.board)
        if held != "."
    ]
    if position.lifted is not None:
        drawn.append(
            svg.group(
                svg.circle(
                    *_at(position.lifted),
                    _RADIUS,
                    fill=_COLOURS[look.name].sand,
                    stroke=_COLOURS[look.name].on_sand,
                    stroke_width=3,
                    stroke_dasharray="6 4",
                ),
                label=f"player {position.player}: the stone from {NAMES[position.lifted]} is lifted",
            )
        )
    return svg.group(*drawn)


_MOVE = re.compile(r"(fly |x)?([a-g][1-7])(?:-([a-g][1-7]))?")


def _course(name: str, _player: int, _ahead: bool) -> moves.Course:
    found = _MOVE.fullmatch(name)
    if found is None or (found[1] and found[3]):
        raise ValueError(name)
    places = [_at(NAMES.index(point)) for point in found.groups()[1:] if point is not None]
    return moves.Course(tuple(places), _RADIUS, removed=found[1] == "x")


def _status(position: Position, look: svg.Theme) -> svg.Element:
    """Two lines under the board: whose turn and what is asked, or the result; what is to come or is counted."""
    y = _BOARD + 14
    left = _MARGIN + 6
    if position.player is not None:
        words = f"player {position.player}: {task(position)}"
    elif position.winner is not None:
        words = f"player {position.winner} wins"
    else:
        words = "draw" if position.phase == "over" else "who begins?"
    return svg.group(
        pieces.bold(words, left, y, 20, look),
        pieces.turn_number(position.turn, _WIDTH - left, y, look),
        svg.text(remark(position), left, y + 30, 18, fill=look.ink, text_anchor="start"),
    )


def _panels(position: Position, look: svg.Theme) -> svg.Element:
    lefts, width = pieces.in_a_row(2, _MARGIN, _WIDTH - _MARGIN)
    return svg.group(*(_panel(position, player, lefts[player], width, look) for player in (0, 1)))


def _panel(position: Position, player: int, left: float, width: float, look: svg.Theme) -> svg.Element:
    top = _BOARD + _STATUS_HEIGHT
    active = player in (position.player, position.winner)
    parts = [
        pieces.panel(left, top, width, _PANEL_HEIGHT, look, _COLOURS[look.name].mill if active else None),
        _stone(left + 25, top + 24, 13, player, look),
        pieces.bold(f"player {player}", left + 46, top + 24, 19, look),
    ]
    if player == position.beginner and not position.moving:
        parts.append(_privilege(left + width - 12, top + 24, player, look))
    words = f"{position.hand[player]} in hand, {position.lost(player)} lost"
    parts.append(
        svg.text(words, left + 14, top + 55, 18, fill=look.ink if active else look.muted, text_anchor="start")
    )
    parts.append(_supply(position, player, left + 21, top + 85, (width - 42) / 11, look))
    return svg.group(
        *parts,
        label=f"player {player}: {words}",
    )


def _supply(position: Position, player: int, x: float, y: float, step: float, look: svg.Theme) -> svg.Element:
    """A place for each stone of the player: in hand a stone, on the board a dot, lost a cross."""
    drawn = []
    for i in range(position.pieces):
        middle = x + step * i
        if i < position.hand[player]:
            drawn.append(_stone(middle, y, 9, player, look, f"player {player}: a stone in hand"))
        elif i < position.pieces - position.lost(player):
            drawn.append(svg.circle(middle, y, 2.5, fill=look.muted))
        else:
            drawn.append(
                svg.path(
                    "M-5 -5 5 5M5 -5 -5 5",
                    fill="none",
                    stroke=look.muted,
                    stroke_width=2.4,
                    stroke_linecap="round",
                    transform=svg.placed(middle, y),
                )
            )
    return svg.group(*drawn)


def _privilege(right: float, y: float, player: int, look: svg.Theme) -> svg.Element:
    """A badge: this player has the right to begin the moving phase."""
    return svg.group(
        svg.rect(right - 126, y - 13, 126, 26, rx=13, fill=look.ink),
        svg.text("moves first", right - 63, y, 16, fill=look.background, font_weight="bold"),
        label=f"player {player} has the right to begin the moving phase",
    )
