"""Boards as SVG: a pure function from a view to a ``str``, which notebooks display as a picture.

A view is plain data: ``{"game", "rules", "num_players", "sides", "state"}``, as returned by ``state.view()``. The code
for each game is in the folder of that name in `games`, so a new game needs no change in this file.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from typing import Any

from sarai.arguments import short
from sarai.render import games
from sarai.render.svg import Picture, Svg, set_theme
from sarai.render.view import Position, game_of, trusted

__all__ = ["draw", "drawing", "drawn_games", "picture", "set_theme", "view_of"]


def drawn_games() -> list[str]:
    """The names of the games that can be drawn.

    Example:
        >>> "svg" in drawn_games()
        False
    """
    return sorted(module.name for module in pkgutil.iter_modules(games.__path__))


def draw(view: Position, *, theme: str | None = None, **options: Any) -> Svg:
    """Draw a position as SVG.

    Args:
        view: the result of ``state.view()``, or the state itself; it is never modified. A state is drawn as it is. A
            view is first checked against the rules by the engine, so a picture is never silently wrong.
        theme: ``"light"`` or ``"dark"``; None takes that of ``sarai.render.set_theme``.
        **options: options of the game's own ``draw``, such as ``size`` (the width in pixels), and ``last`` (who moved
            last and the name of that action) and ``legal`` (names of actions), which mark those moves.

    Returns:
        A complete SVG document, which a notebook displays as a picture. The same arguments always give the same text.

    Raises:
        ValueError: if the view is not a valid position of its game, the game has no drawing, or an option is out of
            range.
        TypeError: if the game's drawing does not have such an option.

    Example:
        >>> draw({"game": "chess"})  # doctest: +ELLIPSIS
        Traceback (most recent call last):
            ...
        ValueError: no drawing for the game 'chess': there are drawings for ...
    """
    return picture(view, theme=theme, **options).written()


def picture(view: Position, **options: Any) -> Picture:
    """What ``draw`` writes, before it is written: to be captioned, put beside others or laid over them.

    Raises:
        ValueError, TypeError: as for ``draw``.
    """
    shown = view_of(view)
    return drawing(shown["game"])(shown, **options)


def view_of(position: Position) -> Mapping[str, Any]:
    """The view that is drawn, which a drawing can trust.

    Raises:
        ValueError: as for ``draw``.
    """
    game, known = game_of(position), drawn_games()
    if not isinstance(game, str) or game not in known:
        raise ValueError(f"no drawing for the game {short(game)}: there are drawings for {', '.join(known)}")
    return trusted(position)


def drawing(game: str) -> Callable[..., Picture]:
    """The drawing of a game, which trusts the view that it is given: one that a state has given.

    Example:
        >>> import sarai
        >>> drawing("shah")(sarai.make("shah").new_initial_state().view()).title
        'Shah, turn 0: player 0 is to place one of 12 stones'
    """
    found: Callable[..., Picture] = importlib.import_module(f"{games.__name__}.{game}.drawing").draw
    return found
