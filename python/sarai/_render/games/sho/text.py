"""The board of Sho as text: the positions between the shells in rows, with the stacks below their numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sarai._render.games.sho.view import LETTERS, Position, Side, place_name, read

PIECES = tuple(LETTERS)
AIM = "bring all coins of your side along the shells and off, before the others."
MOVES = "from and to, such as hand/6 or 6/12; * after it kills, + makes a stack."

_IN_A_ROW = 16


def board(view: Mapping[str, Any], headline: str, remark: str) -> list[str]:
    """Draw a position of Sho.

    A stack is the letter of its side and the number of its coins, below the number of its position. A stack that moved
    just now and rests has a `!`.

    The view is trusted: it is what a state has given.

    >>> import sarai
    >>> board(sarai.make("sho").new_initial_state().view(), "", "")[-1]
    'C  player 2           9 in hand,  0 on the track,  0 off'
    """
    position = read(view)
    lines = [f"Sho, turn {position.turn}: {headline}", _pad(position)]
    stacks = {place: (side, count) for side in position.sides for place, count in side.stacks.items()}
    last = position.num_shells - 1
    for first in range(1, last + 1, _IN_A_ROW):
        places = range(first, min(first + _IN_A_ROW, last + 1))
        cells = []
        for place in places:
            cell = "."
            if place in stacks:
                side, count = stacks[place]
                cell = f"{side.letter}{count}"
            cells.append(f"{cell:>3}" + ("!" if place == position.moved else " "))
        ends = last in places
        lines.append("".join(f"{place:>3} " for place in places) + (" off" if ends else ""))
        lines.append("".join(cells).rstrip())
        if not ends:
            lines.append("")
    lines.append("")
    lines += [_side(side) for side in position.sides]
    return [line.rstrip() for line in lines]


def _pad(position: Position) -> str:
    said = []
    if position.value is not None:
        said.append(f"to move: {position.value}")
    if position.pool:
        said.append(f"values to play: {', '.join(map(str, position.pool))}")
    if position.six_three_roll:
        said.append("the throw is 6-3")
    if position.moved is not None:
        said.append(f"rests: {place_name(position)}")
    return "; ".join(said)


def _side(side: Side) -> str:
    on = sum(side.stacks.values())
    cleared = ", all were sent home" if side.cleared else ""
    return f"{side.letter}  {side.players:<14} {side.hand:>5} in hand, {on:>2} on the track, {side.off:>2} off{cleared}"
