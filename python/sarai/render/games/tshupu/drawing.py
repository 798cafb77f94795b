"""The board of T'shu-p'u: a cross of nine by nine squares with one large square in the middle.

Player 0 sits in the south, the others follow clockwise: west, north, east. Each player's panel stands at the
right hand of his arm. Pieces differ by colour and by outline: red discs, yellow squares, green diamonds, black
hexagons. The number on a piece or pile is how many there are; a dark plate under it means that they have come
round, which tells apart the pieces on a player's start square. The legend at the foot says so.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from sarai.render import moves, pieces, svg
from sarai.render.games.tshupu.colours import COLOURS, Colours
from sarai.render.games.tshupu.cross import (
    CELL,
    CENTRE,
    COLUMNS,
    LOOP,
    MARGIN,
    PANEL,
    PILES,
    SIDE_CROSSCUTS,
    STARTS,
    WIDTH,
    Spots,
    corner_of,
    middle_of,
    panel_corner,
    spots_of,
    square_of,
)
from sarai.render.games.tshupu.marks import course
from sarai.render.games.tshupu.view import (
    CENTRAL,
    COLOURS_OF_SEATS,
    OFF,
    PHASES,
    ROUND,
    TEAM_LETTERS,
    TEAMS,
    Position,
    describe,
    headline,
    place_name,
    read,
    seat_name,
)

_STATUS_TOP = 600.0
_STATUS_HEIGHT = 72.0
# One line of the legend under it.
_LEGEND_LINE = 28.0


def draw(
    view: Mapping[str, Any],
    *,
    theme: str | None = None,
    size: float = 480,
    coordinates: bool = True,
    last: moves.Last | None = None,
    legal: Sequence[str] = (),
) -> svg.Picture:
    """Draw a position of T'shu-p'u.

    Args:
        view: what ``state.view()`` gives; it is only read, and trusted.
        theme: ``"light"`` or ``"dark"``; None takes that of ``sarai.render.set_theme``.
        size: the width in pixels, 16 to 16384; the height follows. The picture reads well from 300 on.
        coordinates: whether the squares are numbered. The numbers are those in the names of actions: the
            course of the player whose pieces move now, or of player 0 when it is nobody's turn.
        last: who moved last and the name of that action, such as ``(0, "19/22*")``, to be marked with a solid arrow;
            a hit has a filled double head. One mark is left out: a piece borne off by a player who now moves his
            partner's, since the position does not tell whose it was.
        legal: names of actions to be marked as legal moves of the player whose turn it is, with dashed arrows; again
            a hit has a filled double head.

    Raises:
        ValueError: if the theme is unknown, the size out of range, or a move has no known name.

    """
    look = svg.get_theme(theme)
    position = read(view)
    spots = spots_of(position)
    marks = moves.marks(
        last,
        legal,
        position.player,
        4,
        lambda name, player, ahead: course(name, player, ahead, position, spots),
        look,
    )
    return svg.document(
        _squares(position, look),
        _panels(position, look),
        marks,
        # On top of the arrows, which would make them hard to read.
        _panel_words(look, plates=bool(marks)),
        _numbers(position, look, plates=bool(marks)) if coordinates else None,
        _stacks(position, spots, look),
        _status(position, look),
        _legend(position, look, coordinates),
        width=WIDTH,
        height=_STATUS_TOP + _STATUS_HEIGHT + (2 if coordinates else 1) * _LEGEND_LINE + 6,
        shown_width=size,
        theme=look,
        title=f"T'shu-p'u, turn {position.turn}: {headline(position)}",
        description=describe(position),
    )


def _squares(position: Position, look: svg.Theme) -> svg.Element:
    colours = COLOURS[look.name]
    fills = _fills(colours)
    drawn = [
        svg.rect(
            *corner_of(*square),
            CELL,
            CELL,
            fill=fills.get(square, colours.square),
            stroke=colours.line,
            stroke_width=2,
        )
        for square in [*LOOP, *(square for column in COLUMNS for square in column)]
    ]
    drawn += [_crosscut(*corner_of(*LOOP[i]), 2, colours) for i in SIDE_CROSSCUTS]
    if position.end_crosscuts:
        # A start square has a number in either upper corner.
        drawn += [_crosscut(*corner_of(*LOOP[i]), 18, colours) for i in sorted(STARTS)]
    drawn += [_arrow(seat, colours) for seat in range(4)]
    left, top = corner_of(3, 3)
    drawn.append(
        svg.rect(left, top, 3 * CELL, 3 * CELL, fill=colours.centre, stroke=colours.line, stroke_width=3)
    )
    drawn.append(
        svg.rect(
            left + 9,
            top + 9,
            3 * CELL - 18,
            3 * CELL - 18,
            fill="none",
            stroke=colours.crosscut,
            stroke_width=2,
        )
    )
    return svg.group(*drawn)


def _fills(colours: Colours) -> dict[tuple[int, int], str]:
    """The colours of the squares that have one of their own."""
    fills = {LOOP[start]: colours.column[seat] for seat, start in enumerate(STARTS)}
    fills.update({square: colours.column[seat] for seat in range(4) for square in COLUMNS[seat]})
    return fills


def _crosscut(left: float, top: float, upper: float, colours: Colours) -> svg.Element:
    far = CELL - 2
    return svg.group(
        svg.path(
            f"M{svg.points((2, upper), (far, far))}M{svg.points((far, upper), (2, far))}",
            fill="none",
            stroke=colours.crosscut,
            stroke_width=3.5,
            transform=svg.placed(left, top),
        ),
        label="a cross-cut square",
    )


def _arrow(seat: int, colours: Colours) -> svg.Element:
    """A small arrow head from the start square of that seat to the next: anti-clockwise."""
    (x, y), (next_x, next_y) = LOOP[STARTS[seat]], LOOP[STARTS[seat] + 1]
    # Beside the numbers: towards the end of the arm, and a little more on the next square than on the start.
    outwards_x, outwards_y = (0, -0.34, 0, 0.34)[seat], (0.34, 0, -0.34, 0)[seat]
    ahead_x, ahead_y = 0.55 * (next_x - x), 0.55 * (next_y - y)
    middle = corner_of(x + ahead_x + 0.5 + outwards_x, y + ahead_y + 0.5 + outwards_y)
    turned = math.degrees(math.atan2(next_y - y, next_x - x))
    return svg.path(
        "M-5 -7 7 0 -5 7Z",
        fill=colours.seat[seat],
        stroke=colours.line,
        stroke_width=1.5,
        transform=svg.placed(*middle, turned),
    )


def _numbers(position: Position, look: svg.Theme, plates: bool) -> svg.Element:
    """The progress that a piece of the player whose pieces move has on each square, on plates where arrows lead."""
    colours = COLOURS[look.name]
    fills = _fills(colours)
    seat = position.mover or 0
    written = []

    def write(number: int, x: float, y: float, ground: str) -> None:
        if plates:
            half = 2.5 + 4.6 * len(str(number))
            written.append(svg.rect(x - half, y - 7.5, 2 * half, 15, rx=5, fill=ground))
        written.append(svg.text(str(number), x, y, 15, fill=colours.number))

    for progress in range(1, CENTRAL):
        square = square_of(seat, progress)
        left, top = corner_of(*square)
        # The start square is passed twice, entering and after the round: two numbers, far enough from each other
        # not to be read as one. Elsewhere the number stands in the middle of the upper edge, where a cross-cut
        # leaves it room.
        x = {1: 12.0, ROUND: 45.0}.get(progress, CELL / 2)
        write(progress, left + x, top + 10, fills.get(square, colours.square))
    left, top = corner_of(3, 3)
    write(CENTRAL, left + 24, top + 22, colours.centre)
    return svg.group(*written)


def _outline(x: float, y: float, radius: float, seat: int, **attributes: svg.Attribute) -> svg.Element:
    """The outline of a piece: disc, square, diamond or hexagon, all about as large to the eye."""
    if seat == 0:
        return svg.circle(x, y, radius, **attributes)
    if seat == 1:
        half = 0.89 * radius
        return svg.rect(x - half, y - half, 2 * half, 2 * half, rx=0.12 * radius, **attributes)
    if seat == 2:
        reach = 1.16 * radius
        corners = [(x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)]
    else:
        reach, half, up = 1.14 * radius, 0.57 * radius, 0.99 * radius
        corners = [
            (x - reach, y), (x - half, y - up), (x + half, y - up),
            (x + reach, y), (x + half, y + up), (x - half, y + up),
        ]  # fmt: skip
    return svg.path(f"M{svg.points(*corners)}Z", stroke_linejoin="round", **attributes)


def _pile(
    x: float, y: float, radius: float, count: int, seat: int, look: svg.Theme, label: str, home: bool = False
) -> svg.Element:
    """A pile of pieces with their number on top; an empty place if there are none."""
    if count == 0:
        return pieces.pile(x, y, radius, 0, seat, look, label)
    colours = COLOURS[look.name]
    # Where many piles share a square, the figures are to be read all the same.
    inner = 0.64 if radius > 14 else 0.76
    step = pieces.pile_step(count, radius)
    top = y - step * (count - 1) / 2
    piece: dict[str, svg.Attribute] = {
        "fill": colours.seat[seat],
        "stroke": colours.edge[seat],
        "stroke_width": max(0.07 * radius, 1.2),
    }
    return svg.group(
        *(_outline(x, top + step * i, radius, seat, **piece) for i in range(count - 1, -1, -1)),
        *_counted(x, top, inner * radius, count, look, home),
        label=label,
    )


def _counted(
    x: float, y: float, radius: float, count: int, look: svg.Theme, home: bool
) -> tuple[svg.Element, svg.Element]:
    """How many pieces, on a plate: dark on light, or light on dark if they have come round."""
    plate, figure = (look.on_plate, look.plate) if home else (look.plate, look.on_plate)
    return (
        svg.circle(x, y, radius, fill=plate, stroke=figure, stroke_width=1),
        svg.text(str(count), x, y, 1.64 * radius, fill=figure, font_weight="bold"),
    )


def _stacks(position: Position, spots: Spots, look: svg.Theme) -> svg.Element:
    drawn = [part for stack, spot in spots.items() for part in _stack(position, *stack, *spot, look)]
    for seat in range(4):
        if position.count(seat, CENTRAL):
            x, y = middle_of(seat, CENTRAL)
            drawn += _stack(position, seat, CENTRAL, x, y, 23, look)
    return svg.group(*drawn)


def _stack(
    position: Position, seat: int, progress: int, x: float, y: float, radius: float, look: svg.Theme
) -> list[svg.Element]:
    count = position.count(seat, progress)
    label = f"{seat_name(seat)}: {count} {place_name(progress)}"
    home = progress >= ROUND
    ring = []
    if seat == position.mover and progress == position.moved:
        ring = [pieces.moved_ring(x, y, 1.36 * radius, 2.6, look)]
        label += ", moved just now"
    return [*ring, _pile(x, y, radius, count, seat, look, label, home)]


def _panels(position: Position, look: svg.Theme) -> svg.Element:
    return svg.group(*(_panel(position, seat, look) for seat in range(4)))


def _panel(position: Position, seat: int, look: svg.Theme) -> svg.Element:
    width = PANEL
    left, top = panel_corner(seat)
    won = position.winner is not None and position.winner == seat % 2
    lit = won or seat == position.player
    hand, off = position.count(seat, 0), position.count(seat, OFF)
    parts = [
        pieces.panel(left, top, width, width, look, look.ink if lit else None),
        _emblem(left + 24, top + 35, seat, look),
        pieces.bold(f"player {seat}", left + 46, top + 25, 20, look),
        svg.text(
            f"{COLOURS_OF_SEATS[seat]}, team {TEAM_LETTERS[seat]}",
            left + 46,
            top + 49,
            16,
            fill=look.muted,
            text_anchor="start",
        ),
    ]
    for progress, x in zip((0, OFF), PILES, strict=True):
        parts += _stack(position, seat, progress, left + x, top + 105, 24, look)
    return svg.group(*parts, label=f"{seat_name(seat)}: {hand} in hand, {off} off")


def _panel_words(look: svg.Theme, plates: bool) -> svg.Element:
    """What the piles in the panels are."""
    written = []
    for left, top in map(panel_corner, range(4)):
        for word, x in zip(("hand", "off"), PILES, strict=True):
            if plates:
                written.append(svg.rect(left + x - 24, top + 145, 48, 20, rx=5, fill=look.panel))
            written.append(svg.text(word, left + x, top + 155, 18, fill=look.muted))
    return svg.group(*written)


def _emblem(x: float, y: float, seat: int, look: svg.Theme) -> svg.Element:
    colours = COLOURS[look.name]
    return _outline(x, y, 14, seat, fill=colours.seat[seat], stroke=colours.edge[seat], stroke_width=1.5)


def _status(position: Position, look: svg.Theme) -> svg.Element:
    """The line under the board: whose turn, what is asked, the dice that are still to play."""
    y = _STATUS_TOP + _STATUS_HEIGHT / 2 - 4
    left = MARGIN + 6
    drawn = [pieces.turn_number(position.turn, WIDTH - MARGIN - 6, y, look)]
    if position.winner is not None:
        words = f"{TEAMS[position.winner]} win"
    elif position.phase == "over":
        words = "draw"
    else:
        words = PHASES[position.phase][0]
    if position.player is None:
        drawn.append(pieces.bold(words, left, y, 22, look))
        return svg.group(*drawn)
    who = f"player {position.player}"
    if position.mover != position.player:
        who += f" for {position.mover}"
    drawn += [
        _emblem(left + 16, y, position.player, look),
        pieces.bold(who, left + 42, y - 13, 20, look),
        svg.text(words, left + 42, y + 14, 19, fill=look.ink, text_anchor="start"),
    ]
    drawn += [pieces.die(316 + 82 * i, y, 72, 44, face, look) for i, face in enumerate(position.dice)]
    return svg.group(*drawn)


def _legend(position: Position, look: svg.Theme, coordinates: bool) -> svg.Element:
    """What the figures on the board mean."""
    y = _STATUS_TOP + _STATUS_HEIGHT + _LEGEND_LINE / 2 - 4
    left = MARGIN + 6
    written: list[svg.Element] = []
    for x, home, words in (
        (left, False, "pieces on their way round"),
        (CENTRE, True, "pieces that came round"),
    ):
        written += _counted(x + 11, y, 10, 2, look, home)
        written.append(svg.text(words, x + 28, y, 16.5, fill=look.muted, text_anchor="start"))
    if coordinates:
        seat = position.mover or 0
        words = f"small numbers: the way of player {seat}, {COLOURS_OF_SEATS[seat]}"
        written.append(svg.text(words, left, y + _LEGEND_LINE, 16.5, fill=look.muted, text_anchor="start"))
    return svg.group(*written)
