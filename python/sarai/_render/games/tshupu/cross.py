"""Where the squares and the panels lie."""

from __future__ import annotations

from sarai._render.games.tshupu.view import ROUND

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


def square_of(seat: int, progress: int) -> tuple[int, int]:
    """The column and row where a piece of that seat and progress (1 to 31) stands."""
    if progress > ROUND:
        return COLUMNS[seat][progress - ROUND - 1]
    return LOOP[(STARTS[seat] + progress - 1) % 28]
