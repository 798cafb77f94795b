"""Boards as SVG: one pure function from a view to a ``str``, which notebooks show as the picture.

A view is plain data: ``{"game", "rules", "num_players", "sides", "state"}``, as ``state.view()`` gives it.
What is read, drawn and written of a game lives in the folder of that name in `games`, so a further game needs no change
in this file.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from typing import Any

from sarai.render import games
from sarai.render.svg import Svg
from sarai.render.view import field

__all__ = ["draw", "drawn_games"]


def drawn_games() -> list[str]:
    """The names of the games that have a drawing.

    Example:
        >>> "svg" in drawn_games()
        False
    """
    return sorted(module.name for module in pkgutil.iter_modules(games.__path__))


def draw(view: Mapping[str, Any], *, theme: str = "light", **options: Any) -> Svg:
    """Draw a position as SVG.

    Args:
        view: what ``state.view()`` gives; it is only read.
        theme: ``"light"`` or ``"dark"``.
        **options: what the game's own ``draw`` takes, such as ``size`` (the width in pixels), ``last`` (who moved last
            and the name of that action) and ``legal`` (names of actions), whose moves are then marked.

    Returns:
        A whole SVG document, which a notebook shows as the picture. The same arguments always give the same text.

    Raises:
        ValueError: if the view is broken, its game has no drawing, or an option is out of range.
        TypeError: if the game's drawing does not know an option.

    Example:
        >>> draw({"game": "chess"})  # doctest: +ELLIPSIS
        Traceback (most recent call last):
            ...
        ValueError: no drawing for the game 'chess': there are drawings for ...
    """
    game = field(view, "game", "view")
    known = drawn_games()
    if not isinstance(game, str) or game not in known:
        raise ValueError(f"no drawing for the game {game!r}: there are drawings for {', '.join(known)}")
    drawn: Svg = importlib.import_module(f"{games.__name__}.{game}.drawing").draw(
        view, theme=theme, **options
    )
    return drawn
