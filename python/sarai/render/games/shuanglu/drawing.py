"""The board of Shuanglu: a wooden tray with twelve fields on either side, on which slim wooden horses stand.

Player 0 has red horses with a round head, player 1 horses of plain wood with a pointed head. Player 0's points
run from 1 at the lower right to 24 at the upper right, player 1's the other way round. The large fields in the
middle are not counted: the dice are thrown there, and horses that were caught wait there. What is borne off
stands in a panel under the board.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sarai.render import moves, pieces, svg
from sarai.render.games.shuanglu.view import PHASES, PIECES, Position, describe, gain, headline, horses, read

_WIDTH = 600.0
_MARGIN = 12.0
# The wooden rim lies between the outer edge and these.
_RIM = 13.0
_LEFT = _MARGIN + _RIM
_TOP = 58.0
_FIELD = 36.0
_INNER_WIDTH = _WIDTH - 2 * _LEFT
_MIDDLE = _INNER_WIDTH - 12 * _FIELD
_INNER_HEIGHT = 396.0
_BOTTOM = _TOP + _INNER_HEIGHT
_STATUS_TOP = _BOTTOM + 52
_STATUS_HEIGHT = 44.0
_PANEL_HEIGHT = 96.0
# What the two lines of numbers take above the board, and again below it.
_NUMBERS_HEIGHT = 34.0
# A horse is this high, and the next one stands this far behind it: head and foot of each are to be seen.
_HORSE = 44.0
_BEHIND = 35.0
_MOST_HORSES = 5


@dataclass(frozen=True)
class _Colours:
    """What only this board has: a wooden tray with black outlines, red horses and plain ones."""

    rim: str
    rim_edge: str
    floor: str
    home: str
    outline: str
    horse: tuple[str, str]
    edge: tuple[str, str]
    band: tuple[str, str]
    lit: str


_COLOURS = {
    "light": _Colours(
        rim="#6f4526",
        rim_edge="#3f2512",
        floor="#d9b27a",
        home="#e4c595",
        outline="#3a2412",
        horse=("#b3261e", "#fbf0d0"),
        edge=("#3d0a06", "#4d3716"),
        band=("#f6d9a8", "#8a6a35"),
        lit="#8a4b00",
    ),
    "dark": _Colours(
        rim="#38241a",
        rim_edge="#8a6a4a",
        floor="#4a3624",
        home="#58422d",
        outline="#e0c79c",
        horse=("#ec5c47", "#f7e8c1"),
        edge=("#1d0503", "#241804"),
        band=("#f9dcae", "#7d5f2d"),
        lit="#f0b070",
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
) -> svg.Picture:
    """Draw a position of Shuanglu.

    Args:
        view: what ``state.view()`` gives; it is only read, and trusted.
        theme: ``"light"`` or ``"dark"``; None takes that of ``sarai.render.set_theme``.
        size: the width in pixels, 16 to 16384; the height follows. The picture reads well from 300 on.
        coordinates: whether the points are numbered: in the outer line as player 0 counts them, in the inner
            line as player 1 does, in bold as the player whose turn it is does.
        last: who moved last and the name of that action, such as ``(0, "13/8")``, to be marked with a solid arrow;
            a hit has a filled double head.
        legal: names of actions to be marked as legal moves of the player whose turn it is, with dashed arrows; again
            a hit has a filled double head.

    Raises:
        ValueError: if the theme is unknown, the size out of range, or a move has no known name.

    """
    look = svg.get_theme(theme)
    position = read(view)
    closer = 0.0 if coordinates else _NUMBERS_HEIGHT
    return svg.document(
        svg.group(
            _tray(look),
            _bar_labels(look),
            _numbers(position, look) if coordinates else None,
            moves.marks(
                last,
                legal,
                position.player,
                2,
                lambda name, player, _: _course(name, player, position),
                look,
            ),
            _horses(position, look),
            _bar(position, look),
            _dice(position, look),
            transform=svg.placed(0, -closer),
        ),
        svg.group(_status(position, look), _panels(position, look), transform=svg.placed(0, -2 * closer)),
        width=_WIDTH,
        height=_STATUS_TOP + _STATUS_HEIGHT + _PANEL_HEIGHT + _MARGIN - 2 * closer,
        shown_width=size,
        theme=look,
        title=f"Shuanglu, turn {position.turn}: {headline(position)}",
        description=describe(position),
    )


def _column(point: int) -> float:
    """The middle of a point of player 0, from the left."""
    along = (point - 1) % 12
    # The first twelve points run to the left along the bottom, the others back along the top.
    from_left = 11 - along if point <= 12 else along
    return _LEFT + _FIELD * (from_left + 0.5) + (_MIDDLE if from_left > 5 else 0)


def _tray(look: svg.Theme) -> svg.Element:
    colours = _COLOURS[look.name]
    rim = svg.rect(
        _MARGIN,
        _TOP - _RIM,
        _WIDTH - 2 * _MARGIN,
        _INNER_HEIGHT + 2 * _RIM,
        rx=8,
        fill=colours.rim,
        stroke=colours.rim_edge,
        stroke_width=2,
    )
    floor = svg.rect(
        _LEFT, _TOP, _INNER_WIDTH, _INNER_HEIGHT, fill=colours.floor, stroke=colours.rim_edge, stroke_width=2
    )
    fields = [_field(point, colours) for point in range(1, 25)]
    return svg.group(rim, floor, *fields, _middle_fields(colours))


def _field(point: int, colours: _Colours) -> svg.Element:
    """One of the 24 outlined fields, rounded towards the middle of the tray."""
    x = _column(point)
    half, depth = _FIELD / 2 - 2, 76.0
    edge, inwards = (_BOTTOM - 2, -1) if point <= 12 else (_TOP + 2, 1)
    sweep = 1 if point <= 12 else 0
    left, right, end = svg.number(x - half), svg.number(x + half), svg.number(edge + inwards * depth)
    corner = f"{svg.number(half)} {svg.number(half)} 0 0 {sweep}"
    return svg.path(
        f"M{left} {svg.number(edge)}V{end}A{corner} {right} {end}V{svg.number(edge)}Z",
        fill=colours.home,
        stroke=colours.outline,
        stroke_width=1.8,
    )


def _middle_fields(colours: _Colours) -> svg.Element:
    """The two large fields, not counted in moving."""
    left = _LEFT + 6 * _FIELD + 6
    height = _INNER_HEIGHT / 2 - 7
    return svg.group(
        *(
            svg.rect(
                left,
                top,
                _MIDDLE - 12,
                height,
                rx=12,
                fill=colours.home,
                stroke=colours.outline,
                stroke_width=1.8,
            )
            for top in (_TOP + 3, _BOTTOM - 3 - height)
        )
    )


def _numbers(position: Position, look: svg.Theme) -> svg.Element:
    """The points as both players count them, each line with a horse of the player it belongs to."""
    written = []
    for player in (0, 1):
        strong = player == position.player
        for top in (True, False):
            away = 15.0 if player == 1 else 34.0
            y = _TOP - _RIM - away + 4 if top else _BOTTOM + _RIM + away - 3
            look_of: dict[str, svg.Attribute] = {
                "fill": look.ink if strong else look.muted,
                "font_weight": "bold" if strong else None,
            }
            written += [
                svg.text(str(point if player == 0 else 25 - point), _column(point), y, 17, **look_of)
                for point in (range(13, 25) if top else range(1, 13))
            ]
            label = f"points as player {player} counts them"
            written.append(
                svg.group(
                    _horse(_WIDTH / 2 - 44, y + 8.5, 17, player, look),
                    svg.text(f"player {player}", _WIDTH / 2 + 8, y, 17, **look_of),
                    label=label,
                )
            )
    return svg.group(*written)


def _horse(x: float, y: float, height: float, player: int, look: svg.Theme) -> svg.Element:
    """A horse that stands on (x, y): a slim pin with a round head (player 0) or a pointed one (player 1)."""
    colours = _COLOURS[look.name]
    body: dict[str, svg.Attribute] = {
        "fill": colours.horse[player],
        "stroke": colours.edge[player],
        "stroke_width": 2.4,
        "stroke_linejoin": "round",
    }
    round_head, pointed_head = svg.circle(0, -38, 8.4, **body), svg.path("M0 -48 9 -38 0 -28 -9 -38Z", **body)
    return svg.group(
        svg.path("M-12 0V-5C-6 -9 -5 -19 -4.5 -31H4.5C5 -19 6 -9 12 -5V0Z", **body),
        svg.path("M-6 -12H6", fill="none", stroke=colours.band[player], stroke_width=2.4),
        round_head if player == 0 else pointed_head,
        transform=svg.placed(x, y, scale=height / 48),
    )


def _badge(x: float, y: float, count: int, player: int, look: svg.Theme) -> svg.Element:
    """How many horses there are, where not all of them are drawn."""
    return svg.group(
        svg.circle(x, y, 14, fill=look.plate, stroke=_COLOURS[look.name].edge[player], stroke_width=1.6),
        svg.text(str(count), x, y, 18, fill=look.on_plate, font_weight="bold"),
    )


def _horses(position: Position, look: svg.Theme) -> svg.Element:
    drawn = []
    for player in (0, 1):
        for i, count in enumerate(position.points[player]):
            if count:
                drawn.append(_stack(i + 1, count, player, look))
    return svg.group(*drawn)


def _stack(point: int, count: int, player: int, look: svg.Theme) -> svg.Element:
    """The horses on a point, in that player's numbering: those behind first, so that the nearest covers them."""
    place = point if player == 0 else 25 - point
    x = _column(place)
    shown = min(count, _MOST_HORSES)
    # Along the top the first horse stands nearest to the rim, along the bottom too.
    nearest = _BOTTOM - 6 if place <= 12 else _TOP + 6 + _HORSE + _BEHIND * (shown - 1)
    feet = [nearest - _BEHIND * i for i in reversed(range(shown))]
    parts = [_horse(x, y, _HORSE, player, look) for y in feet]
    if count > shown:
        parts.append(_badge(x, (feet[0] - _HORSE + feet[-1]) / 2, count, player, look))
    return svg.group(*parts, label=f"player {player}: {horses(count)} on {point}")


def _bar_labels(look: svg.Theme) -> svg.Element:
    """What the large fields are for, and whose: player 0 enters from the upper one, player 1 from the lower."""
    colours = _COLOURS[look.name]
    return svg.group(
        *(
            svg.group(
                _horse(_WIDTH / 2 - 24, y + 8.5, 17, player, look),
                svg.text("bar", _WIDTH / 2 + 6, y, 17, fill=colours.outline),
                label=f"the bar of player {player}",
            )
            for player, y in ((0, _TOP + 18), (1, _BOTTOM - 18))
        )
    )


def _bar(position: Position, look: svg.Theme) -> svg.Element:
    """Caught horses in the large fields: player 0's in the upper one, where he enters, player 1's below."""
    drawn = []
    for player, feet in ((0, _TOP + 36 + _HORSE), (1, _BOTTOM - 36)):
        count = position.bar[player]
        if not count:
            continue
        shown = min(count, _MOST_HORSES)
        step = 19.0
        first = _WIDTH / 2 - step * (shown - 1) / 2
        parts = [_horse(first + step * i, feet, _HORSE, player, look) for i in range(shown)]
        if count > shown:
            parts.append(_badge(_WIDTH / 2, feet - _HORSE / 2, count, player, look))
        drawn.append(svg.group(*parts, label=f"player {player}: {horses(count)} on the bar"))
    return svg.group(*drawn)


_MOVE = re.compile(r"(bar|[0-9]+)/(off|[0-9]+)(?:(\*)|\(([1-6])\))?")


def _course(name: str, player: int, position: Position) -> moves.Course:
    found = _MOVE.fullmatch(name)
    if found is None:
        raise ValueError(name)
    start, end = (25 if word == "bar" else 0 if word == "off" else int(word) for word in found.groups()[:2])
    if not 0 <= end < start <= 25:
        raise ValueError(name)
    # Away from the horses, towards the middle of the tray.
    middle = (_WIDTH / 2, (_TOP + _BOTTOM) / 2)
    # One piece may be borne off by either die: two names, two lines beside each other.
    times = 1 + 0.15 * int(found[4] or 0)
    way = moves.bent(_over(player, start, position), _over(player, end, position), middle, times)
    return moves.Course(way, 4, hit=found[3] is not None)


def _over(player: int, point: int, position: Position) -> tuple[float, float]:
    """Just beyond the horses on a point, on the side of the middle; the bar for 25, the rim for 0."""
    if point == 25:
        return _WIDTH / 2, _TOP + 36 + _HORSE / 2 if player == 0 else _BOTTOM - 36 - _HORSE / 2
    if point == 0:
        return _WIDTH - _MARGIN - _RIM / 2, _BOTTOM - 120 if player == 0 else _TOP + 120
    place = point if player == 0 else 25 - point
    held = min(max(position.points[0][place - 1], position.points[1][24 - place]), _MOST_HORSES)
    height = 8 + _HORSE + _BEHIND * max(held - 1, 0)
    return _column(place), _BOTTOM - height if place <= 12 else _TOP + height


def _dice(position: Position, look: svg.Theme) -> svg.Element:
    """The dice still to play, two in a row, in the large field that is nearer to the thrower's own end."""
    rows = [position.dice[i : i + 2] for i in range(0, len(position.dice), 2)]
    middle = (_TOP + _BOTTOM) / 2 + (57 if position.player == 0 else -57)
    return svg.group(
        *(
            pieces.die(
                _WIDTH / 2 + 46 * (i - (len(row) - 1) / 2),
                middle + 44 * (j - (len(rows) - 1) / 2),
                40,
                40,
                face,
                look,
            )
            for j, row in enumerate(rows)
            for i, face in enumerate(row)
        )
    )


def _status(position: Position, look: svg.Theme) -> svg.Element:
    """The line under the board: whose turn and what is asked, or the result."""
    y = _STATUS_TOP + _STATUS_HEIGHT / 2
    if position.player is not None:
        words = f"player {position.player}: {PHASES[position.phase][0]}"
    elif position.winner is not None:
        words = f"player {position.winner} wins {gain(position)}"
    else:
        words = "draw" if position.phase == "over" else f"who begins? {PHASES[position.phase][0]}"
    return svg.group(
        pieces.bold(words, _MARGIN + 6, y, 20, look),
        pieces.turn_number(position.turn, _WIDTH - _MARGIN - 6, y, look),
    )


def _panels(position: Position, look: svg.Theme) -> svg.Element:
    lefts, width = pieces.in_a_row(2, _MARGIN, _WIDTH - _MARGIN)
    return svg.group(*(_panel(position, player, lefts[player], width, look) for player in (0, 1)))


def _panel(position: Position, player: int, left: float, width: float, look: svg.Theme) -> svg.Element:
    top = _STATUS_TOP + _STATUS_HEIGHT
    off = position.off[player]
    lit = _COLOURS[look.name].lit if player in (position.player, position.winner) else None
    parts = [
        pieces.panel(left, top, width, _PANEL_HEIGHT, look, lit),
        _horse(left + 24, top + 40, 32, player, look),
        pieces.bold(f"player {player}", left + 44, top + 24, 19, look),
        svg.text(f"{off} off", left + width - 14, top + 24, 19, fill=look.ink, text_anchor="end"),
    ]
    step = (width - 36) / (PIECES - 1)
    for i in range(PIECES):
        x = left + 18 + step * i
        if i < off:
            parts.append(
                svg.group(_horse(x, top + 86, 32, player, look), label=f"player {player}: a horse borne off")
            )
        else:
            parts.append(svg.circle(x, top + 84, 2.5, fill=look.muted))
    return svg.group(*parts, label=f"player {player}: {off} off")
