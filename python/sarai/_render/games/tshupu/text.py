"""The board of T'shu-p'u as text: the cross, with the news in its centre and the players in its corners."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sarai._render.games.tshupu.cross import COLUMNS, LOOP, PANEL_CORNERS, SIDE_CROSSCUTS, STARTS, square_of
from sarai._render.games.tshupu.view import (
    CENTRAL,
    COLOURS_OF_SEATS,
    OFF,
    PHASES,
    PLACES,
    ROUND,
    TEAMS,
    Position,
    read,
)

PIECES = ("R", "Y", "G", "B")
AIM = "with your partner, bring all your pieces around to the centre, and off."
MOVES = "from and to, such as 1/4 by one die or 1/8 (both); * after it hits."

_CELL = 8


def board(view: Mapping[str, Any], headline: str, remark: str) -> list[str]:
    """Draw a position of T'shu-p'u.

    Each square has its number on the course of the player whose pieces move (of player 0 when it is nobody's turn),
    `x` beside it where the square is a crosscut, and below it the pieces: the letter of the colour and how many. A
    small letter on a start square is a piece that has come round.

    The view is trusted: it is what a state has given.

    >>> import sarai
    >>> len(board(sarai.make("tshupu").new_initial_state().view(), "", ""))
    18
    """
    position = read(view)
    canvas = [[" "] * (9 * _CELL + 1) for _ in range(18)]
    numbers, held = _numbers(position), _held(position)
    for (column, row), number in numbers.items():
        letters = "".join(f"{letter}{count}" for letter, count in held.get((column, row), {}).items())
        _write(canvas, column, 2 * row, f"|{number:<{_CELL - 1}}|")
        _write(canvas, column, 2 * row + 1, f"|{letters:_<{_CELL - 1}}|")
    # Squares have their lower edges only; those of the side arms have no square above them.
    for column in (0, 6):
        _write(canvas, column, 5, "_" * (3 * _CELL - 1), margin=1)
    for row, text in enumerate(_centre(position)):
        _write(canvas, 3, 6 + row, f"|{text:^{3 * _CELL - 1}}|")
    for seat, (column, row) in enumerate(PANEL_CORNERS):
        for line, text in enumerate(_panel(position, seat)):
            _write(canvas, column, 2 * row + 1 + line, f"  {text}", margin=1)
    return ["".join(cells).rstrip() for cells in canvas]


def _write(canvas: list[list[str]], column: int, line: int, text: str, margin: int = 0) -> None:
    start = column * _CELL + margin
    canvas[line][start : start + len(text)] = text


def _numbers(position: Position) -> dict[tuple[int, int], str]:
    """What stands in the first line of every square."""
    mover = position.mover or 0
    crosscuts = {LOOP[i] for i in SIDE_CROSSCUTS}
    if position.end_crosscuts:
        crosscuts |= {LOOP[start] for start in STARTS}
    # From the end, so that the start square is called 1 and not 29.
    own = {square_of(mover, progress): str(progress) for progress in range(CENTRAL - 1, 0, -1)}
    others = {square: "" for column in COLUMNS for square in column}
    return {
        square: number + (" x" if square in crosscuts else "") for square, number in {**others, **own}.items()
    }


def _held(position: Position) -> dict[tuple[int, int], dict[str, int]]:
    """How many pieces of each kind stand on a square."""
    held: dict[tuple[int, int], dict[str, int]] = {}
    for seat, own in enumerate(position.pieces):
        for progress in own:
            if 0 < progress < CENTRAL:
                letter = PIECES[seat].lower() if progress == ROUND else PIECES[seat]
                kinds = held.setdefault(square_of(seat, progress), {})
                kinds[letter] = kinds.get(letter, 0) + 1
    return held


def _centre(position: Position) -> list[str]:
    """Six lines of at most 23 characters."""
    turn = f"T'shu-p'u, turn {position.turn}"
    if position.phase == "over":
        end = "a draw" if position.winner is None else f"{TEAMS[position.winner]} win"
        said = [turn, "the game is over", end]
    elif position.player is None:
        said = [turn, PHASES[position.phase], ""]
    else:
        player = f"{PIECES[position.player]} player {position.player}"
        said = [turn, player, PHASES[position.phase]]
    dice = f"dice: {', '.join(map(str, position.dice))}" if position.dice else ""
    if position.moved is not None:
        where = {CENTRAL: "centre", OFF: "off"}.get(position.moved, position.moved)
        dice = f"{dice}, moved: {where}"
    mover = f"moves player {position.mover}'s pieces" if position.mover != position.player else ""
    central = " ".join(
        f"{PIECES[seat]}{position.count(seat, CENTRAL)}" for seat in range(4) if position.count(seat, CENTRAL)
    )
    return [*said, dice, mover, f"centre: {central}" if central else ""]


def _panel(position: Position, seat: int) -> list[str]:
    colour, place, partner = COLOURS_OF_SEATS[seat], PLACES[seat], PIECES[(seat + 2) % 4]
    hand, off = position.count(seat, 0), position.count(seat, OFF)
    came_round = f"  {PIECES[seat].lower()}: came round" if position.count(seat, ROUND) else ""
    return [
        f"{PIECES[seat]} player {seat}, {colour}",
        f"  {place}, partner {partner}",
        f"  {hand} in hand, {off} off",
        came_round,
    ]
