"""The board of Gamename as text: the track in one row, and a line for each player."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sarai._render.games.gamename.view import TRACK, read

PIECES = ("O", "X")
# One line each on the terminal: with "Aim: " or "Moves: " in front at most 78 columns of ASCII, with a full stop at the
# end. Every word of MOVES with a digit in it must be the name of a move, and a mark that names end with (*, +) must be
# explained as "* after it ..." or ", * ...".
AIM = "be the first to bring all your pieces along the track and off it."
MOVES = "from and to, such as hand/3 or 5/8; * after it captures."

_CELL = 5


def board(view: Mapping[str, Any], headline: str, remark: str) -> list[str]:
    """Draw a position of Gamename, about which there is never a remark.

    The view is trusted: it must come from a state.

    >>> import sarai
    >>> len(board(sarai.make("gamename").new_initial_state().view(), "", ""))
    6
    """
    position = read(view)
    held = {square: PIECES[player] for player in (0, 1) for square in position.squares[player]}
    lines = [
        f"Gamename, turn {position.turn}: {headline}",
        "" if position.throw is None else f"thrown: {position.throw}",
        "".join(f"{square:^{_CELL}}" for square in range(1, TRACK + 1)),
        "".join(f"{held.get(square, '.'):^{_CELL}}" for square in range(1, TRACK + 1)),
    ]
    for player, letter in enumerate(PIECES):
        lines.append(
            f"{letter}  player {player}: {position.hand[player]} in hand, {position.off[player]} off"
        )
    return [line.rstrip() for line in lines]
