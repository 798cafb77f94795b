"""The board of T'shu-p'u as text: the cross, with the news in its centre and the players in its corners."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sarai.render.games.tshupu import drawing as tshupu

PIECES = ("R", "Y", "G", "B")
AIM = "with your partner, bring all your pieces around to the centre, and off."
MOVES = "from and to, such as 1/4 by one die or 1/8 (both); * after it hits."

_CELL = 8


def board(view: Mapping[str, Any]) -> list[str]:
    """Draw a position of T'shu-p'u.

    Each square has its number on the course of the player whose pieces move (of player 0 when it is nobody's turn),
    `x` beside it where the square is a crosscut, and below it the pieces: the letter of the colour and how many. A
    small letter on a start square is a piece that has come round.

    Raises:
        ValueError: The view is broken.

    >>> import sarai
    >>> len(board(sarai.make("tshupu").new_initial_state().view()))
    18
    >>> board({"game": "shah"})
    Traceback (most recent call last):
    ...
    ValueError: this drawing is for the game 'tshupu', got a view of 'shah'
    """
    position = tshupu._read(view)
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
    for seat, (column, row) in enumerate(tshupu._PANEL_CORNERS):
        for line, text in enumerate(_panel(position, seat)):
            _write(canvas, column, 2 * row + 1 + line, f"  {text}", margin=1)
    return ["".join(cells).rstrip() for cells in canvas]


def _write(canvas: list[list[str]], column: int, line: int, text: str, margin: int = 0) -> None:
    start = column * _CELL + margin
    canvas[line][start : start + len(text)] = text


def _numbers(position: tshupu._Position) -> dict[tuple[int, int], str]:
    """What stands in the first line of every square."""
    mover = position.mover or 0
    crosscuts = {tshupu._LOOP[i] for i in tshupu._SIDE_CROSSCUTS}
    if position.end_crosscuts:
        crosscuts |= {tshupu._LOOP[start] for start in tshupu._STARTS}
    # From the end, so that the start square is called 1 and not 29.
    own = {tshupu._square(mover, progress): str(progress) for progress in range(tshupu._CENTRAL - 1, 0, -1)}
    others = {square: "" for column in tshupu._COLUMNS for square in column}
    return {
        square: number + (" x" if square in crosscuts else "") for square, number in {**others, **own}.items()
    }


def _held(position: tshupu._Position) -> dict[tuple[int, int], dict[str, int]]:
    """How many pieces of each kind stand on a square."""
    held: dict[tuple[int, int], dict[str, int]] = {}
    for seat, own in enumerate(position.pieces):
        for progress in own:
            if 0 < progress < tshupu._CENTRAL:
                letter = PIECES[seat].lower() if progress == tshupu._ROUND else PIECES[seat]
                kinds = held.setdefault(tshupu._square(seat, progress), {})
                kinds[letter] = kinds.get(letter, 0) + 1
    return held


def _centre(position: tshupu._Position) -> list[str]:
    """Six lines of at most 23 characters."""
    turn = f"T'shu-p'u, turn {position.turn}"
    if position.phase == "over":
        end = "a draw" if position.winner is None else f"{tshupu._TEAMS[position.winner]} win"
        said = [turn, "the game is over", end]
    elif position.player is None:
        said = [turn, tshupu._PHASES[position.phase][0], ""]
    else:
        player = f"{PIECES[position.player]} player {position.player}"
        said = [turn, player, tshupu._PHASES[position.phase][0]]
    dice = f"dice: {', '.join(map(str, position.dice))}" if position.dice else ""
    if position.moved is not None:
        where = {tshupu._CENTRAL: "centre", tshupu._OFF: "off"}.get(position.moved, position.moved)
        dice = f"{dice}, moved: {where}"
    mover = f"moves player {position.mover}'s pieces" if position.mover != position.player else ""
    central = " ".join(
        f"{PIECES[seat]}{position.count(seat, tshupu._CENTRAL)}"
        for seat in range(4)
        if position.count(seat, tshupu._CENTRAL)
    )
    return [*said, dice, mover, f"centre: {central}" if central else ""]


def _panel(position: tshupu._Position, seat: int) -> list[str]:
    colour, place, partner = tshupu._COLOURS_OF_SEATS[seat], tshupu._PLACES[seat], PIECES[(seat + 2) % 4]
    hand, off = position.count(seat, 0), position.count(seat, tshupu._OFF)
    came_round = f"  {PIECES[seat].lower()}: came round" if position.count(seat, tshupu._ROUND) else ""
    return [
        f"{PIECES[seat]} player {seat}, {colour}",
        f"  {place}, partner {partner}",
        f"  {hand} in hand, {off} off",
        came_round,
    ]
