"""The board of Shah as text: three joined squares, the files and ranks at the edge, the stones O and X."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sarai._render.games.shah.view import LINES, NAMES, Position, read

PIECES = ("O", "X")
AIM = "make rows of three to take stones, until the opponent has only two."
MOVES = "a point such as d6, or from and to, d6-d7; xd7 takes the stone on d7."

_WIDE, _HIGH = 6, 2
_LEFT = 4
_PANEL = 50


def board(view: Mapping[str, Any], headline: str, remark: str) -> list[str]:
    """Draw a position of Shah.

    A point is `+` when it is empty, `O` or `X` under a stone of player 0 or 1, and `*` where a stone was lifted.

    The view is trusted: it is what a state has given.

    >>> import sarai
    >>> print(board(sarai.make("shah").new_initial_state().view(), "", "")[2])
     7  +-----------------+-----------------+       O  player 0
    """
    position = read(view)
    grid = [[" "] * (6 * _WIDE + 1) for _ in range(6 * _HIGH + 1)]
    for line in LINES:
        _rule(grid, _at(line[0]), _at(line[2]))
    for point, held in enumerate(position.board):
        row, column = _at(point)
        grid[row][column] = "+" if held == "." else PIECES[int(held)]
    if position.lifted is not None:
        row, column = _at(position.lifted)
        grid[row][column] = "*"
    lines = [f"Shah, turn {position.turn}: {headline}", _below(position, remark)]
    for row, cells in enumerate(grid):
        rank = str(7 - row // _HIGH) if row % _HIGH == 0 else " "
        lines.append(f" {rank}  {''.join(cells)}")
    lines += ["", " " * _LEFT + (" " * (_WIDE - 1)).join("abcdefg")]
    for row, text in _panel(position).items():
        lines[row] = f"{lines[row]:<{_PANEL - 2}}{text}"
    return [line.rstrip() for line in lines]


def _below(position: Position, remark: str) -> str:
    lifted = "" if position.lifted is None else f"* lifted from {NAMES[position.lifted]}"
    return "; ".join(filter(None, (lifted, remark)))


def _at(point: int) -> tuple[int, int]:
    name = NAMES[point]
    return _HIGH * (7 - int(name[1])), _WIDE * (ord(name[0]) - ord("a"))


def _rule(grid: list[list[str]], start: tuple[int, int], end: tuple[int, int]) -> None:
    (top, left), (bottom, right) = start, end
    if top == bottom:
        for column in range(left, right + 1):
            grid[top][column] = "-"
    else:
        for row in range(top, bottom + 1):
            grid[row][left] = "|"


def _panel(position: Position) -> dict[int, str]:
    """What is said at the right of the board, by the row it stands in."""
    said = {}
    for player, row in ((0, 2), (1, 6)):
        said[row] = f"{PIECES[player]}  player {player}"
        said[row + 1] = f"   {position.on_board(player)} on the board"
        said[row + 2] = f"   {position.hand[player]} in hand, {position.lost(player)} lost"
    mills = [
        f"{PIECES[int(position.board[line[0]])]} {'-'.join(NAMES[point] for point in line)}"
        for line in position.mills
    ]
    if mills:
        # There is room for eight rows of three in two columns; more than that never fit the stones.
        said[10] = "rows of three:"
        for place in range(0, min(len(mills), 8), 2):
            said[11 + place // 2] = "  ".join(f"{mill:<11}" for mill in mills[place : place + 2])
    return said
