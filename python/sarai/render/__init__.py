"""Boards as SVG: one pure function from a view to a ``str``, which notebooks show as the picture.

A view is plain data: ``{"game", "rules", "num_players", "sides", "state"}``, as ``state.view()`` gives it.
The drawing of a game lives in the module of that name here, so a further game needs no change in this file.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from typing import Any

from sarai.arguments import short
from sarai.render.svg import Svg
from sarai.render.view import field

__all__ = ["draw", "drawn_games"]

# The modules of this package that are tools, not games.
_TOOLS = frozenset({"animation", "captions", "moves", "pieces", "pixels", "svg", "text", "view"})


def drawn_games() -> list[str]:
    """The names of the games that have a drawing.

    Example:
        >>> "svg" in drawn_games()
        False
    """
    names = (module.name for module in pkgutil.iter_modules(__path__))
    # A game's text board is a module beside its drawing: see `sarai.render.text`.
    return sorted(name for name in names if name not in _TOOLS and not name.endswith("_text"))


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
        raise ValueError(f"no drawing for the game {short(game)}: there are drawings for {', '.join(known)}")
    drawn: Svg = importlib.import_module(f"{__name__}.{game}").draw(view, theme=theme, **options)
    return drawn
