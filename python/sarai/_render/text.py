"""Boards as plain text: one pure function from a view to lines of at most 78 columns and 18 rows.

The text board of a game is the module `text` in its folder in `games`, so a further game needs no change in this file.
Such a module has `board(view, headline, remark)`, where the engine has said the words: the headline tells who does
what, and the remark anything else, in games that override `Draw::remark`. It also has `PIECES`, the letters of the
pieces, one a side or a player, which a terminal may colour (nothing must be told by colour alone); and two lines for
somebody who has not played the game yet: `AIM`, and `MOVES`, how the names of actions are written.
"""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType

from sarai import _core
from sarai._base.arguments import short
from sarai._render import games
from sarai._render.view import Position, game_of, state_of

__all__ = ["COLUMNS", "ROWS", "board", "introduction", "piece_letters", "text_games"]

COLUMNS = 78
"""The most columns a board takes: with a margin it fits a terminal of 80."""

ROWS = 18
"""The most rows a board takes: moves and a prompt still fit below it in a terminal of 24."""


def text_games() -> list[str]:
    """The names of the games that have a text board."""
    return sorted(module.name for module in pkgutil.iter_modules(games.__path__))


def board(view: Position) -> list[str]:
    """Draw a position as lines of plain text, without colour.

    Args:
        view: The result of `state.view()`, or the state itself; it is never modified. A view is first checked against
            the rules.

    Returns:
        At most `ROWS` lines of at most `COLUMNS` characters. The same view always gives the same lines.

    Raises:
        ValueError: The view is invalid, or its game has no text board.

    >>> import sarai
    >>> all(len(line) <= COLUMNS for line in board(sarai.make("sho").new_initial_state().view()))
    True
    >>> board({"game": "chess"})
    Traceback (most recent call last):
    ...
    ValueError: no text board for the game 'chess': there are text boards for ...
    """
    module = _module(game_of(view))
    state = state_of(view)
    lines: list[str] = module.board(state.view(), *_core.words(state))
    return lines


def piece_letters(game: str) -> tuple[str, ...]:
    """The letters of the pieces on a game's text board, in the order of the sides or players.

    Raises:
        ValueError: The game has no text board.

    >>> len(set(piece_letters("sho")))
    4
    """
    letters: tuple[str, ...] = _module(game).PIECES
    return letters


def introduction(game: str) -> list[str]:
    """What a new player needs to know: the aim of the game and how its moves are written, one line each.

    Raises:
        ValueError: The game has no text board.

    >>> introduction("shah")[0]
    'Aim: make rows of three to take stones, until the opponent has only two.'
    >>> introduction("chess")
    Traceback (most recent call last):
    ...
    ValueError: no text board for the game 'chess': there are text boards for ...
    """
    module = _module(game)
    return [f"Aim: {module.AIM}", f"Moves: {module.MOVES}"]


def _module(game: object) -> ModuleType:
    known = text_games()
    if not isinstance(game, str) or game not in known:
        raise ValueError(
            f"no text board for the game {short(game)}: there are text boards for {', '.join(known)}"
        )
    return importlib.import_module(f"{games.__name__}.{game}.text")
