"""The board of Shuanglu as text: two rows of twelve points with the numbers of both players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sarai._render.games.shuanglu.view import KINDS, Position, read

PIECES = ("O", "X")
AIM = "be the first to bring all your pieces home to points 6 to 1, and off."
MOVES = "from and to, such as 13/8, bar/21 or 6/off; * after it hits."

_HEIGHT = 4
_CELL = 5


def board(view: Mapping[str, Any], headline: str, remark: str) -> list[str]:
    """Draw a position of Shuanglu.

    The horses of a point stand on each other from the edge of the board; beside the first is how many they are. The
    row of numbers with an `O` is how player 0 counts the points, that with an `X` how player 1 does.

    The view is trusted: it is what a state has given.

    >>> import sarai
    >>> len(board(sarai.make("shuanglu").new_initial_state().view(), "", ""))
    17
    """
    position = read(view)
    dice = f"dice to play: {', '.join(map(str, position.dice))}" if position.dice else ""
    top, bottom = list(range(13, 25)), list(range(12, 0, -1))
    lines = [f"Shuanglu, turn {position.turn}: {headline}", dice]
    lines += [_numbers("X", top, 1), _numbers("O", top, 0)]
    lines += [_level(position, top, level) for level in range(_HEIGHT)]
    lines += [_rule()]
    lines += [_level(position, bottom, level) for level in reversed(range(_HEIGHT))]
    lines += [_numbers("O", bottom, 0), _numbers("X", bottom, 1)]
    for player, letter in enumerate(PIECES):
        kind = KINDS[player]
        lines.append(
            f"{letter}  player {player} ({kind}): {position.bar[player]} on the bar, {position.off[player]} off"
        )
    return [line.rstrip() for line in lines]


def _row(start: str, cells: list[str]) -> str:
    return f"{start:<4}|{''.join(cells[:6])}|{''.join(cells[6:])}|"


def _numbers(letter: str, points: list[int], player: int) -> str:
    named = [point if player == 0 else 25 - point for point in points]
    return _row(f" {letter}:", [f"{number:^{_CELL}}" for number in named])


def _rule() -> str:
    return _row("", [" " * _CELL] * 12)


def _level(position: Position, points: list[int], level: int) -> str:
    cells = []
    for point in points:
        counts = position.points[0][point - 1], position.points[1][24 - point]
        player = 0 if counts[0] else 1
        count = counts[player]
        if level == 0:
            cell = f"{PIECES[player]}{count}" if count else "."
            # The letters of a column stand below one another, whatever number is beside the first.
            cells.append(f"  {cell}".ljust(_CELL))
        else:
            cells.append(f"  {PIECES[player] if count > level else ' '}".ljust(_CELL))
    return _row("", cells)
