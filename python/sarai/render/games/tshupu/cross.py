"""Where the squares, the piles and the panels lie."""

from __future__ import annotations

from typing import TypeAlias

from sarai.render.games.tshupu.view import CENTRAL, OFF, ROUND, Position

WIDTH = 600.0
MARGIN = 12.0
CELL = 64.0
CENTRE = 300.0
# The loop, anti-clockwise from the south end, as (column, row) from the upper left.
LOOP = [
    (4, 8), (5, 8), (5, 7), (5, 6), (6, 5), (7, 5), (8, 5), (8, 4), (8, 3), (7, 3), (6, 3), (5, 2), (5, 1), (5, 0),
    (4, 0), (3, 0), (3, 1), (3, 2), (2, 3), (1, 3), (0, 3), (0, 4), (0, 5), (1, 5), (2, 5), (3, 6), (3, 7), (3, 8),
]  # fmt: skip
STARTS = (0, 21, 14, 7)
COLUMNS = (((4, 7), (4, 6)), ((1, 4), (2, 4)), ((4, 1), (4, 2)), ((7, 4), (6, 4)))
# The middles of both sides of each arm.
SIDE_CROSSCUTS = (2, 5, 9, 12, 16, 19, 23, 26)
# Column and row of the upper left corner of each player's panel: at the right hand of his arm.
PANEL_CORNERS = ((6, 6), (0, 6), (0, 0), (6, 0))


def corner_of(column: float, row: float) -> tuple[float, float]:
    """The upper left corner of a square."""
    return MARGIN + CELL * column, MARGIN + CELL * row


def square_of(seat: int, progress: int) -> tuple[int, int]:
    """The column and row where a piece of that seat and progress (1 to 31) stands."""
    if progress > ROUND:
        return COLUMNS[seat][progress - ROUND - 1]
    return LOOP[(STARTS[seat] + progress - 1) % 28]


# How piles share a square, below its number: radius, and the middles from the square's middle.
_SHARING: dict[int, tuple[float, list[tuple[float, float]]]] = {
    1: (17, [(0, 7)]),
    2: (13, [(-15, 7), (15, 7)]),
    3: (10, [(-15, -3), (15, -3), (0, 19)]),
    4: (10, [(-15, -3), (15, -3), (-15, 19), (15, 19)]),
    5: (9, [(-19, -3), (19, -3), (-19, 20), (19, 20), (0, 8.5)]),
}
# Of each pile on the squares, by seat and progress: its middle and radius.
Spots: TypeAlias = dict[tuple[int, int], tuple[float, float, float]]


def spots_of(position: Position) -> Spots:
    """Where the piles stand that share the squares."""
    held: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for seat, own in enumerate(position.pieces):
        for progress in sorted(set(own)):
            if 0 < progress < CENTRAL:
                # A piece that has come round shares the start square with those that begin there.
                held.setdefault(square_of(seat, progress), []).append((seat, progress))
    spots: Spots = {}
    for square, stacks in sorted(held.items()):
        radius, middles = _SHARING[len(stacks)]
        left, top = corner_of(*square)
        for stack, (x, y) in zip(stacks, middles, strict=True):
            spots[stack] = (left + CELL / 2 + x, top + CELL / 2 + y, radius)
    return spots


def middle_of(seat: int, progress: int) -> tuple[float, float]:
    """Where a seat's pieces of that progress stand, if no others share their square."""
    if progress in (0, OFF):
        left, top = panel_corner(seat)
        return left + (PILES[0] if progress == 0 else PILES[1]), top + 105
    if progress == CENTRAL:
        # In the centre each seat has the side of its own arm.
        return CENTRE + (0, -54, 0, 54)[seat], CENTRE + (54, 0, -54, 0)[seat]
    left, top = corner_of(*square_of(seat, progress))
    return left + CELL / 2, top + CELL / 2 + 7


PANEL = 3 * CELL - 10
# Where the piles in hand and off stand, from its left.
PILES = (48, PANEL - 48)


def panel_corner(seat: int) -> tuple[float, float]:
    """The upper left corner of a player's panel."""
    column, row = PANEL_CORNERS[seat]
    left, top = corner_of(column, row)
    # Away from the squares, flush with the outer edge.
    return left + (10 if column else 0), top + (10 if row else 0)
