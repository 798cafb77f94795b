"""The board of T'shu-p'u: a cross of nine by nine squares with one large square in the middle.

Player 0 sits in the south, the others follow clockwise: west, north, east. Each player's panel stands at the
right hand of his arm. Pieces differ by colour and by outline: red discs, yellow squares, green diamonds, black
hexagons. The number on a piece or pile is how many there are; a dark plate under it means that they have come
round, which tells apart the pieces on a player's start square. The legend at the foot says so.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from sarai.render import moves, pieces, svg
from sarai.render import view as read

_WIDTH = 600.0
_MARGIN = 12.0
_CELL = 64.0
_CENTRE = 300.0
_STATUS_TOP = 600.0
_STATUS_HEIGHT = 72.0
# One line of the legend under it.
_LEGEND_LINE = 28.0

_COLOURS_OF_SEATS = ("red", "yellow", "green", "black")
_PLACES = ("south", "west", "north", "east")
_TEAM_LETTERS = "ABAB"
_TEAMS = ("red and green", "yellow and black")

# The loop, anti-clockwise from the south end, as (column, row) from the upper left.
_LOOP = [
    (4, 8), (5, 8), (5, 7), (5, 6), (6, 5), (7, 5), (8, 5), (8, 4), (8, 3), (7, 3), (6, 3), (5, 2), (5, 1), (5, 0),
    (4, 0), (3, 0), (3, 1), (3, 2), (2, 3), (1, 3), (0, 3), (0, 4), (0, 5), (1, 5), (2, 5), (3, 6), (3, 7), (3, 8),
]  # fmt: skip
_STARTS = (0, 21, 14, 7)
_COLUMNS = (((4, 7), (4, 6)), ((1, 4), (2, 4)), ((4, 1), (4, 2)), ((7, 4), (6, 4)))
# The middles of both sides of each arm.
_SIDE_CROSSCUTS = (2, 5, 9, 12, 16, 19, 23, 26)

# Where on the loop a piece has come home, in its own column, in the centre and off.
_ROUND, _CENTRAL, _OFF = 29, 32, 33

# Column and row of the upper left corner of each player's panel: at the right hand of his arm.
_PANEL_CORNERS = ((6, 6), (0, 6), (0, 0), (6, 0))

# What the player is asked for, as shown under the board and as said in the description.
_PHASES = {
    "first": ("who begins?", "who begins is still to be drawn"),
    "roll": ("to throw the dice", "is to throw the dice"),
    "move": ("to play the dice", "is to play the dice"),
    "second": ("to play the other die", "is to play the other die"),
    "over": ("", "the game is over"),
}


@dataclass(frozen=True)
class _Colours:
    """What only this board has: paper squares, ink lines and the four colours of the players."""

    square: str
    centre: str
    line: str
    crosscut: str
    number: str
    column: tuple[str, str, str, str]
    seat: tuple[str, str, str, str]
    edge: tuple[str, str, str, str]


_COLOURS = {
    "light": _Colours(
        square="#fbf4e2",
        centre="#efe2c2",
        line="#4b3a26",
        crosscut="#a5865a",
        number="#5c4a2d",
        column=("#f3c9bd", "#f8e3a3", "#c3e2cd", "#d5d0c9"),
        seat=("#c8321f", "#f0b81c", "#16875a", "#2b2826"),
        edge=("#5c130a", "#6b4c00", "#06402a", "#000000"),
    ),
    "dark": _Colours(
        square="#3a342b",
        centre="#4a4133",
        line="#a8946c",
        crosscut="#9c8860",
        number="#dccba6",
        column=("#6a332a", "#5a481b", "#2b5541", "#222120"),
        seat=("#e0523d", "#f4c332", "#2aa876", "#0e0d0c"),
        edge=("#2a0703", "#3a2a00", "#02241a", "#d8cdb8"),
    ),
}


@dataclass(frozen=True)
class _Position:
    """The view, checked: all that the drawing reads."""

    pieces: list[list[int]]
    end_crosscuts: bool
    partner_plays: bool
    phase: str
    player: int | None
    dice: list[int]
    moved: int | None
    turn: int
    winner: int | None

    @property
    def mover(self) -> int | None:
        """Whose pieces are moved: the player's own, or his partner's once his own are all off."""
        return None if self.player is None else self.whose(self.player)

    def whose(self, player: int) -> int:
        """The seat whose pieces that player moves."""
        finished = self.partner_plays and all(piece == _OFF for piece in self.pieces[player])
        return (player + 2) % 4 if finished else player

    def count(self, seat: int, progress: int) -> int:
        return self.pieces[seat].count(progress)


def draw(
    view: Mapping[str, Any],
    *,
    theme: str = "light",
    size: float = 480,
    coordinates: bool = True,
    last: moves.Last | None = None,
    legal: Sequence[str] = (),
) -> svg.Svg:
    """Draw a position of T'shu-p'u.

    Args:
        view: ``{"game": "tshupu", "rules": {...}, "num_players": 4, "sides": [0, 1, 0, 1], "state": {...}}``,
            as ``state.view()`` gives it; it is only read.
        theme: ``"light"`` or ``"dark"``.
        size: the width in pixels, 16 to 16384; the height follows. The picture reads well from 300 on.
        coordinates: whether the squares are numbered. The numbers are those in the names of actions: the
            course of the player whose pieces move now, or of player 0 when it is nobody's turn.
        last: who moved last and the name of that action, such as ``(0, "19/22*")``, to be marked with a solid arrow;
            a hit has a filled double head. One mark is left out: a piece borne off by a player who now moves his
            partner's, since the position does not tell whose it was.
        legal: names of actions to be marked as legal moves of the player whose turn it is, with dashed arrows; again
            a hit has a filled double head.

    Returns:
        A whole SVG document without scripts, links or ids. The same arguments always give the same text.

    Raises:
        ValueError: if the view is broken, the theme unknown, the size out of range, or a move has no known name.

    Example:
        >>> state = {"phase": "roll", "player": 0, "pieces": [[1, 1, 1, 1], [1] * 4, [1] * 4, [0, 1, 9, 9]],
        ...          "dice": [], "moved": None, "turn": 4, "winner": None}
        >>> rules = {"pieces": 4, "crosscuts": "sides", "finished_player": "pass"}
        >>> view = {"game": "tshupu", "rules": rules, "num_players": 4, "sides": [0, 1, 0, 1], "state": state}
        >>> draw(view).startswith("<svg")
        True
        >>> draw({**view, "state": {**state, "dice": [2]}})
        Traceback (most recent call last):
            ...
        ValueError: view['state']['dice'] must hold faces of the dice 1, 3, 4 and 6, got [2]
    """
    look = svg.get_theme(theme)
    position = _read(view)
    spots = _spots(position)
    marks = moves.marks(
        last,
        legal,
        position.player,
        4,
        lambda name, player, ahead: _course(name, player, ahead, position, spots),
        look,
    )
    return svg.document(
        _squares(position, look),
        _panels(position, look),
        marks,
        # On top of the arrows, which would make them hard to read.
        _panel_words(look, plates=bool(marks)),
        _numbers(position, look, plates=bool(marks)) if coordinates else "",
        _stacks(position, spots, look),
        _status(position, look),
        _legend(position, look, coordinates),
        width=_WIDTH,
        height=_STATUS_TOP + _STATUS_HEIGHT + (2 if coordinates else 1) * _LEGEND_LINE + 6,
        shown_width=size,
        theme=look,
        title=f"T'shu-p'u, turn {position.turn}: {_headline(position)}",
        description=_describe(position),
    )


def _read(view: Mapping[str, Any]) -> _Position:
    read.of_game(view, "tshupu")
    rules = read.mapping(view, "rules", "view")
    crosscuts = read.one_of(rules, "crosscuts", "view['rules']", ("sides", "sides_and_ends"))
    finished = read.one_of(rules, "finished_player", "view['rules']", ("pass", "partner_plays"))
    read.fixed_seats(view, [0, 1, 0, 1])
    state = read.mapping(view, "state", "view")
    where = "view['state']"
    position = _Position(
        pieces=_read_pieces(state, where, read.integer(rules, "pieces", "view['rules']", 1, 4)),
        end_crosscuts=crosscuts == "sides_and_ends",
        partner_plays=finished == "partner_plays",
        phase=read.one_of(state, "phase", where, list(_PHASES)),
        player=read.optional_integer(state, "player", where, 0, 3),
        dice=_read_dice(state, where),
        moved=read.optional_integer(state, "moved", where, 1, _OFF),
        turn=read.integer(state, "turn", where, 0, 65535),
        winner=read.optional_integer(state, "winner", where, 0, 1),
    )
    _refuse_contradictions(position, where)
    return position


def _read_pieces(state: Mapping[str, Any], where: str, num_pieces: int) -> list[list[int]]:
    seats = read.sequence(state, "pieces", where)
    if len(seats) != 4:
        raise ValueError(f"{where}['pieces'] must have an entry for each of 4 players, got {len(seats)}")
    checked = []
    for seat, given in enumerate(seats):
        if not isinstance(given, list | tuple) or len(given) != num_pieces:
            raise ValueError(
                f"{where}['pieces'][{seat}] must be a list of {num_pieces} progress values, got {given!r}"
            )
        checked.append(
            [read.checked_integer(p, f"{where}['pieces'][{seat}][{i}]", 0, _OFF) for i, p in enumerate(given)]
        )
    return checked


def _read_dice(state: Mapping[str, Any], where: str) -> list[int]:
    dice = list(read.sequence(state, "dice", where))
    if not all(type(face) is int and face in (1, 3, 4, 6) for face in dice):
        raise ValueError(f"{where}['dice'] must hold faces of the dice 1, 3, 4 and 6, got {dice!r}")
    return dice


def _refuse_contradictions(position: _Position, where: str) -> None:
    phase = position.phase
    read.refuse_wrong_player(position.player, phase, where, ("first", "over"))
    expected = {"move": 2, "second": 1}.get(phase, 0)
    if len(position.dice) != expected:
        raise ValueError(f"{where}['dice'] must hold {expected} dice in {phase!r}, got {len(position.dice)}")
    if (position.moved is None) != (phase != "second"):
        raise ValueError(
            f"{where}['moved'] must be a progress value in the phase 'second' and None in all others, "
            f"got {position.moved!r} in {phase!r}"
        )
    mover = position.mover
    if position.moved is not None and mover is not None and not position.count(mover, position.moved):
        raise ValueError(f"{where}['moved'] is {position.moved}, but no piece of player {mover} stands there")
    read.refuse_early_winner(position.winner, phase, where)


def _name(seat: int) -> str:
    return f"player {seat}, {_COLOURS_OF_SEATS[seat]}"


def _headline(position: _Position) -> str:
    won = None if position.winner is None else f"{_TEAMS[position.winner]} win"
    return pieces.said(position.player, position.phase, _PHASES, won)


def _place(progress: int) -> str:
    """Where a piece of that progress stands, in its owner's numbering."""
    return {0: "in hand", _CENTRAL: "in the centre", _OFF: "off"}.get(progress, f"on {progress}")


def _describe(position: _Position) -> str:
    """The whole position in words, for those who do not see the picture."""
    said = _headline(position)
    parts = [f"A cross of 37 squares. {said[0].upper()}{said[1:]}."]
    if position.dice:
        parts.append(f"Dice to play: {', '.join(map(str, position.dice))}.")
    if position.mover != position.player:
        parts.append(f"The pieces of the partner, player {position.mover}, are moved.")
    if position.moved is not None:
        parts.append(f"Moved just now: the piece {_place(position.moved)}.")
    for seat, own in enumerate(position.pieces):
        places = ", ".join(f"{own.count(p)} {_place(p)}" for p in sorted(set(own)))
        parts.append(
            f"Player {seat} ({_COLOURS_OF_SEATS[seat]}, {_PLACES[seat]}, team {_TEAM_LETTERS[seat]}): {places}."
        )
    return " ".join(parts)


def _corner(column: float, row: float) -> tuple[float, float]:
    return _MARGIN + _CELL * column, _MARGIN + _CELL * row


def _square(seat: int, progress: int) -> tuple[int, int]:
    """The column and row where a piece of that seat and progress (1 to 31) stands."""
    if progress > _ROUND:
        return _COLUMNS[seat][progress - _ROUND - 1]
    return _LOOP[(_STARTS[seat] + progress - 1) % 28]


def _squares(position: _Position, look: svg.Theme) -> str:
    colours = _COLOURS[look.name]
    fills = _fills(colours)
    drawn = [
        svg.rect(
            *_corner(*square),
            _CELL,
            _CELL,
            fill=fills.get(square, colours.square),
            stroke=colours.line,
            stroke_width=2,
        )
        for square in [*_LOOP, *(square for column in _COLUMNS for square in column)]
    ]
    drawn += [_crosscut(*_corner(*_LOOP[i]), 2, colours) for i in _SIDE_CROSSCUTS]
    if position.end_crosscuts:
        # A start square has a number in either upper corner.
        drawn += [_crosscut(*_corner(*_LOOP[i]), 18, colours) for i in sorted(_STARTS)]
    drawn += [_arrow(seat, colours) for seat in range(4)]
    left, top = _corner(3, 3)
    drawn.append(
        svg.rect(left, top, 3 * _CELL, 3 * _CELL, fill=colours.centre, stroke=colours.line, stroke_width=3)
    )
    drawn.append(
        svg.rect(
            left + 9,
            top + 9,
            3 * _CELL - 18,
            3 * _CELL - 18,
            fill="none",
            stroke=colours.crosscut,
            stroke_width=2,
        )
    )
    return svg.group(*drawn)


def _fills(colours: _Colours) -> dict[tuple[int, int], str]:
    """The colours of the squares that have one of their own."""
    fills = {_LOOP[start]: colours.column[seat] for seat, start in enumerate(_STARTS)}
    fills.update({square: colours.column[seat] for seat in range(4) for square in _COLUMNS[seat]})
    return fills


def _crosscut(left: float, top: float, upper: float, colours: _Colours) -> str:
    far = _CELL - 2
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


def _arrow(seat: int, colours: _Colours) -> str:
    """A small arrow head from the start square of that seat to the next: anti-clockwise."""
    (x, y), (next_x, next_y) = _LOOP[_STARTS[seat]], _LOOP[_STARTS[seat] + 1]
    # Beside the numbers: towards the end of the arm, and a little more on the next square than on the start.
    outwards_x, outwards_y = (0, -0.34, 0, 0.34)[seat], (0.34, 0, -0.34, 0)[seat]
    ahead_x, ahead_y = 0.55 * (next_x - x), 0.55 * (next_y - y)
    middle = _corner(x + ahead_x + 0.5 + outwards_x, y + ahead_y + 0.5 + outwards_y)
    turned = math.degrees(math.atan2(next_y - y, next_x - x))
    return svg.path(
        "M-5 -7 7 0 -5 7Z",
        fill=colours.seat[seat],
        stroke=colours.line,
        stroke_width=1.5,
        transform=svg.placed(*middle, turned),
    )


def _numbers(position: _Position, look: svg.Theme, plates: bool) -> str:
    """The progress that a piece of the player whose pieces move has on each square, on plates where arrows lead."""
    colours = _COLOURS[look.name]
    fills = _fills(colours)
    seat = position.mover or 0
    written = []

    def write(number: int, x: float, y: float, ground: str) -> None:
        if plates:
            half = 2.5 + 4.6 * len(str(number))
            written.append(svg.rect(x - half, y - 7.5, 2 * half, 15, rx=5, fill=ground))
        written.append(svg.text(str(number), x, y, 15, fill=colours.number))

    for progress in range(1, _CENTRAL):
        square = _square(seat, progress)
        left, top = _corner(*square)
        # The start square is passed twice, entering and after the round: two numbers, far enough from each other
        # not to be read as one. Elsewhere the number stands in the middle of the upper edge, where a cross-cut
        # leaves it room.
        x = {1: 12.0, _ROUND: 45.0}.get(progress, _CELL / 2)
        write(progress, left + x, top + 10, fills.get(square, colours.square))
    left, top = _corner(3, 3)
    write(_CENTRAL, left + 24, top + 22, colours.centre)
    return svg.group(*written)


def _outline(x: float, y: float, radius: float, seat: int, **attributes: svg.Attribute) -> str:
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
) -> str:
    """A pile of pieces with their number on top; an empty place if there are none."""
    if count == 0:
        return pieces.pile(x, y, radius, 0, seat, look, label)
    colours = _COLOURS[look.name]
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


def _counted(x: float, y: float, radius: float, count: int, look: svg.Theme, home: bool) -> tuple[str, str]:
    """How many pieces, on a plate: dark on light, or light on dark if they have come round."""
    plate, figure = (look.on_plate, look.plate) if home else (look.plate, look.on_plate)
    return (
        svg.circle(x, y, radius, fill=plate, stroke=figure, stroke_width=1),
        svg.text(str(count), x, y, 1.64 * radius, fill=figure, font_weight="bold"),
    )


# How piles share a square, below its number: radius, and the middles from the square's middle.
_SHARING: dict[int, tuple[float, list[tuple[float, float]]]] = {
    1: (17, [(0, 7)]),
    2: (13, [(-15, 7), (15, 7)]),
    3: (10, [(-15, -3), (15, -3), (0, 19)]),
    4: (10, [(-15, -3), (15, -3), (-15, 19), (15, 19)]),
    5: (9, [(-19, -3), (19, -3), (-19, 20), (19, 20), (0, 8.5)]),
}


# Of each pile on the squares, by seat and progress: its middle and radius.
_Spots: TypeAlias = dict[tuple[int, int], tuple[float, float, float]]


def _spots(position: _Position) -> _Spots:
    held: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for seat, own in enumerate(position.pieces):
        for progress in sorted(set(own)):
            if 0 < progress < _CENTRAL:
                # A piece that has come round shares the start square with those that begin there.
                held.setdefault(_square(seat, progress), []).append((seat, progress))
    spots: _Spots = {}
    for square, stacks in sorted(held.items()):
        radius, middles = _SHARING[len(stacks)]
        left, top = _corner(*square)
        for stack, (x, y) in zip(stacks, middles, strict=True):
            spots[stack] = (left + _CELL / 2 + x, top + _CELL / 2 + y, radius)
    return spots


def _stacks(position: _Position, spots: _Spots, look: svg.Theme) -> str:
    drawn = [_stack(position, *stack, *spot, look) for stack, spot in spots.items()]
    for seat in range(4):
        if position.count(seat, _CENTRAL):
            x, y = _middle(seat, _CENTRAL)
            drawn.append(_stack(position, seat, _CENTRAL, x, y, 23, look))
    return svg.group(*drawn)


def _stack(
    position: _Position, seat: int, progress: int, x: float, y: float, radius: float, look: svg.Theme
) -> str:
    count = position.count(seat, progress)
    label = f"{_name(seat)}: {count} {_place(progress)}"
    home = progress >= _ROUND
    ring = ""
    if seat == position.mover and progress == position.moved:
        ring = pieces.moved_ring(x, y, 1.36 * radius, 2.6, look)
        label += ", moved just now"
    return ring + _pile(x, y, radius, count, seat, look, label, home)


_MOVE = re.compile(r"(hand|[0-9]+)/(off|[0-9]+)(\*)?(?: \(both\))?")


def _course(name: str, player: int, ahead: bool, position: _Position, spots: _Spots) -> moves.Course | None:
    found = _MOVE.fullmatch(name)
    if found is None:
        raise ValueError(name)
    start, end = (
        0 if word == "hand" else _OFF if word == "off" else int(word) for word in found.groups()[:2]
    )
    if not 0 <= start < end <= _OFF:
        raise ValueError(name)
    seat = position.whose(player)
    if seat != player and end == _OFF and not ahead:
        # His own last piece, or one of his partner's: the position does not tell.
        return None
    # Away from the pile itself, which may share its square; one in hand is larger.
    x, y, leave = spots.get((seat, start), (*_middle(seat, start), 17 if start else 24))
    # Round the inner corners, not over the panels.
    way = moves.bent((x, y), _middle(seat, end), (_CENTRE, _CENTRE))
    clear = 24.0
    if end != _OFF:
        way, clear = moves.bent((x, y), _arrival(way, seat, end, position, spots), (_CENTRE, _CENTRE)), 0.0
    return moves.Course(way, clear, leave, hit=found[3] is not None)


def _arrival(
    way: tuple[moves.Point, ...], seat: int, end: int, position: _Position, spots: _Spots
) -> moves.Point:
    """Where an arrow ends: near the middle of an empty place, else beside the piles."""
    x, y = way[-1]
    if end == _CENTRAL:
        held = [(x, y, 23.0)] if position.count(seat, end) else []
    else:
        held = [spot for spot in spots.values() if math.dist(spot[:2], (x, y)) < _CELL / 2]
    back_x, back_y = next((point for point in reversed(way) if math.dist(point, (x, y)) > 25), way[0])
    far = math.dist((back_x, back_y), (x, y))
    across, down = (back_x - x) / far, (back_y - y) / far
    if held and end != _CENTRAL and down < -0.7:
        # Coming from above, past the number in the upper edge.
        across, down = math.copysign(0.82, across), -0.57
    # Between two piles the head needs room for its sides.
    room = 1.0 if len(held) == 1 else 7.0
    steps = ((x + across * step, y + down * step) for step in range(3, 60))
    return next(
        point for point in steps if all(math.dist(point, spot[:2]) >= spot[2] + room for spot in held)
    )


def _middle(seat: int, progress: int) -> tuple[float, float]:
    """Where a seat's pieces of that progress stand, if no others share their square."""
    if progress in (0, _OFF):
        left, top = _panel_corner(seat)
        return left + (_PILES[0] if progress == 0 else _PILES[1]), top + 105
    if progress == _CENTRAL:
        # In the centre each seat has the side of its own arm.
        return _CENTRE + (0, -54, 0, 54)[seat], _CENTRE + (54, 0, -54, 0)[seat]
    left, top = _corner(*_square(seat, progress))
    return left + _CELL / 2, top + _CELL / 2 + 7


def _panels(position: _Position, look: svg.Theme) -> str:
    return svg.group(*(_panel(position, seat, look) for seat in range(4)))


_PANEL = 3 * _CELL - 10
# Where the piles in hand and off stand, from its left.
_PILES = (48, _PANEL - 48)


def _panel_corner(seat: int) -> tuple[float, float]:
    column, row = _PANEL_CORNERS[seat]
    left, top = _corner(column, row)
    # Away from the squares, flush with the outer edge.
    return left + (10 if column else 0), top + (10 if row else 0)


def _panel(position: _Position, seat: int, look: svg.Theme) -> str:
    width = _PANEL
    left, top = _panel_corner(seat)
    won = position.winner is not None and position.winner == seat % 2
    lit = won or seat == position.player
    hand, off = position.count(seat, 0), position.count(seat, _OFF)
    parts = [
        pieces.panel(left, top, width, width, look, look.ink if lit else None),
        _emblem(left + 24, top + 35, seat, look),
        pieces.bold(f"player {seat}", left + 46, top + 25, 20, look),
        svg.text(
            f"{_COLOURS_OF_SEATS[seat]}, team {_TEAM_LETTERS[seat]}",
            left + 46,
            top + 49,
            16,
            fill=look.muted,
            text_anchor="start",
        ),
    ]
    for progress, x in zip((0, _OFF), _PILES, strict=True):
        parts.append(_stack(position, seat, progress, left + x, top + 105, 24, look))
    return svg.group(*parts, label=f"{_name(seat)}: {hand} in hand, {off} off")


def _panel_words(look: svg.Theme, plates: bool) -> str:
    """What the piles in the panels are."""
    written = []
    for left, top in map(_panel_corner, range(4)):
        for word, x in zip(("hand", "off"), _PILES, strict=True):
            if plates:
                written.append(svg.rect(left + x - 24, top + 145, 48, 20, rx=5, fill=look.panel))
            written.append(svg.text(word, left + x, top + 155, 18, fill=look.muted))
    return svg.group(*written)


def _emblem(x: float, y: float, seat: int, look: svg.Theme) -> str:
    colours = _COLOURS[look.name]
    return _outline(x, y, 14, seat, fill=colours.seat[seat], stroke=colours.edge[seat], stroke_width=1.5)


def _status(position: _Position, look: svg.Theme) -> str:
    """The line under the board: whose turn, what is asked, the dice that are still to play."""
    y = _STATUS_TOP + _STATUS_HEIGHT / 2 - 4
    left = _MARGIN + 6
    drawn = [pieces.turn_number(position.turn, _WIDTH - _MARGIN - 6, y, look)]
    if position.winner is not None:
        words = f"{_TEAMS[position.winner]} win"
    elif position.phase == "over":
        words = "draw"
    else:
        words = _PHASES[position.phase][0]
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


def _legend(position: _Position, look: svg.Theme, coordinates: bool) -> str:
    """What the figures on the board mean."""
    y = _STATUS_TOP + _STATUS_HEIGHT + _LEGEND_LINE / 2 - 4
    left = _MARGIN + 6
    written: list[str] = []
    for x, home, words in (
        (left, False, "pieces on their way round"),
        (_CENTRE, True, "pieces that came round"),
    ):
        written += _counted(x + 11, y, 10, 2, look, home)
        written.append(svg.text(words, x + 28, y, 16.5, fill=look.muted, text_anchor="start"))
    if coordinates:
        seat = position.mover or 0
        words = f"small numbers: the way of player {seat}, {_COLOURS_OF_SEATS[seat]}"
        written.append(svg.text(words, left, y + _LEGEND_LINE, 16.5, fill=look.muted, text_anchor="start"))
    return svg.group(*written)
