"""What is read of a view of Shah, and how a position is said in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# The points by index, row by row from the top.
NAMES = [
    "a7", "d7", "g7", "b6", "d6", "f6", "c5", "d5", "e5", "a4", "b4", "c4",
    "e4", "f4", "g4", "c3", "d3", "e3", "b2", "d2", "f2", "a1", "d1", "g1",
]  # fmt: skip
# The sixteen lines of three points.
LINES = [
    (0, 1, 2), (3, 4, 5), (6, 7, 8), (9, 10, 11), (12, 13, 14), (15, 16, 17), (18, 19, 20), (21, 22, 23),
    (0, 9, 21), (3, 10, 18), (6, 11, 15), (1, 4, 7), (16, 19, 22), (8, 12, 17), (5, 13, 20), (2, 14, 23),
]  # fmt: skip


@dataclass(frozen=True)
class Position:
    """All that the drawing reads of a view."""

    pieces: int
    no_capture_limit: int
    flying: bool
    phase: str
    player: int | None
    board: str
    hand: tuple[int, int]
    beginner: int | None
    opening_removals: int
    extra: bool
    lifted: int | None
    no_capture: int
    turn: int
    winner: int | None

    def on_board(self, player: int) -> int:
        """The player's stones on the board, a lifted one among them."""
        lifted = self.lifted is not None and self.player == player
        return self.board.count(str(player)) + lifted

    def lost(self, player: int) -> int:
        """How many stones the player has lost."""
        return self.pieces - self.hand[player] - self.on_board(player)

    @property
    def lifts(self) -> bool:
        """Whether the player whose turn it is flies: three stones, none in hand, and the rules allow it."""
        player = self.player
        return self.flying and player is not None and not self.hand[player] and self.on_board(player) == 3

    @property
    def mills(self) -> list[tuple[int, int, int]]:
        """The lines that hold three stones of one player."""
        return [line for line in LINES if "".join(self.board[i] for i in line) in ("000", "111")]

    @property
    def new_mill(self) -> tuple[int, int, int] | None:
        """The line for which a stone is to be removed now.

        None as well where nothing says which it is: only a player's single mill is surely the one just made.
        """
        if self.phase != "remove" or self.opening_removals:
            return None
        own = [line for line in self.mills if self.board[line[0]] == str(self.player)]
        return own[0] if len(own) == 1 else None

    @property
    def moving(self) -> bool:
        """Whether the game stands in its second phase: every stone is placed, the opening removals made."""
        return not any(self.hand) and not self.opening_removals


def read(view: Mapping[str, Any]) -> Position:
    """The position of a view that a state has given."""
    rules = {name: view["rules"][name] for name in ("pieces", "no_capture_limit", "flying")}
    return Position(**rules, **view["state"])


def task(position: Position) -> str:
    """What the player whose turn it is has to do."""
    if position.phase == "place" and position.player is not None:
        left = position.hand[position.player]
        return f"to place one of {left} stones" if left > 1 else "to place the last stone"
    if position.phase == "remove":
        return "to remove an enemy stone"
    if position.phase == "land":
        return "to land the lifted stone"
    move = "to lift a stone" if position.lifts else "to slide a stone"
    return f"{move}, extra move" if position.extra else move


def headline(position: Position) -> str:
    """The position in a few words."""
    if position.winner is not None:
        return f"player {position.winner} wins"
    if position.phase == "over":
        return "the game is a draw"
    if position.phase == "first":
        return "who begins is still to be drawn"
    return f"player {position.player} is {task(position)}"


def remark(position: Position) -> str:
    """The second half of the line under the board: what is still to come or is being counted."""
    if position.phase == "place" and position.opening_removals:
        return "after placing, each player removes one enemy stone"
    if position.phase == "remove" and position.opening_removals:
        return f"opening removals: the {'first' if position.opening_removals > 1 else 'second'} of two"
    if position.phase == "remove" and not position.moving:
        return f"for {'a' if position.new_mill is None else 'the'} row of three just made"
    if position.moving and position.phase != "first":
        limit = f" of {position.no_capture_limit}" if position.no_capture_limit else ""
        return f"moves without capture: {position.no_capture}{limit}"
    return ""


def describe(position: Position) -> str:
    """The whole position in words, for those who do not see the picture."""
    said = headline(position)
    parts = [f"Three joined squares of 24 points. {said[0].upper()}{said[1:]}."]
    if position.lifted is not None:
        parts.append(f"The stone from {NAMES[position.lifted]} is lifted.")
    if position.beginner is not None and not position.moving:
        parts.append(f"Player {position.beginner} has the right to begin the moving phase.")
    elif position.beginner is not None:
        parts.append(f"Player {position.beginner} had the right to begin the moving phase.")
    note = remark(position)
    if note:
        parts.append(f"{note[0].upper()}{note[1:]}.")
    for player, kind in ((0, "round pale"), (1, "square dark")):
        points = [name for name, held in zip(NAMES, position.board, strict=True) if held == str(player)]
        parts.append(
            f"Player {player} ({kind} stones): {position.hand[player]} in hand, {position.lost(player)} lost, "
            f"on the board: {', '.join(points) or 'none'}."
        )
    return " ".join(parts)
