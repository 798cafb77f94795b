"""What the names of actions mean on this board."""

from __future__ import annotations

import math
import re

from sarai.render import moves
from sarai.render.games.tshupu.cross import CELL, CENTRE, Spots, middle_of
from sarai.render.games.tshupu.view import CENTRAL, OFF, Position

_MOVE = re.compile(r"(hand|[0-9]+)/(off|[0-9]+)(\*)?(?: \(both\))?")


def course(name: str, player: int, ahead: bool, position: Position, spots: Spots) -> moves.Course | None:
    """Where a move of this name leads, for a player; None where it leaves no mark."""
    found = _MOVE.fullmatch(name)
    if found is None:
        raise ValueError(name)
    start, end = (0 if word == "hand" else OFF if word == "off" else int(word) for word in found.groups()[:2])
    if not 0 <= start < end <= OFF:
        raise ValueError(name)
    seat = position.whose(player)
    if seat != player and end == OFF and not ahead:
        # His own last piece, or one of his partner's: the position does not tell.
        return None
    # Away from the pile itself, which may share its square; one in hand is larger.
    x, y, leave = spots.get((seat, start), (*middle_of(seat, start), 17 if start else 24))
    # Round the inner corners, not over the panels.
    way = moves.bent((x, y), middle_of(seat, end), (CENTRE, CENTRE))
    clear = 24.0
    if end != OFF:
        way, clear = moves.bent((x, y), _arrival(way, seat, end, position, spots), (CENTRE, CENTRE)), 0.0
    return moves.Course(way, clear, leave, hit=found[3] is not None)


def _arrival(
    way: tuple[moves.Point, ...], seat: int, end: int, position: Position, spots: Spots
) -> moves.Point:
    """Where an arrow ends: near the middle of an empty place, else beside the piles."""
    x, y = way[-1]
    if end == CENTRAL:
        held = [(x, y, 23.0)] if position.count(seat, end) else []
    else:
        held = [spot for spot in spots.values() if math.dist(spot[:2], (x, y)) < CELL / 2]
    back_x, back_y = next((point for point in reversed(way) if math.dist(point, (x, y)) > 25), way[0])
    far = math.dist((back_x, back_y), (x, y))
    across, down = (back_x - x) / far, (back_y - y) / far
    if held and end != CENTRAL and down < -0.7:
        # Coming from above, past the number in the upper edge.
        across, down = math.copysign(0.82, across), -0.57
    # Between two piles the head needs room for its sides.
    room = 1.0 if len(held) == 1 else 7.0
    steps = ((x + across * step, y + down * step) for step in range(3, 60))
    return next(
        point for point in steps if all(math.dist(point, spot[:2]) >= spot[2] + room for spot in held)
    )
