"""Boards as SVG: a pure function from a view to a ``str``, which notebooks display as a picture.

A view is plain data: ``{"game", "rules", "num_players", "sides", "state"}``, as returned by ``state.view()``. The code
for each game is in the folder of that name in `games`, so a new game needs no change in this file.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from typing import Any

from sarai._core import Game
from sarai.arguments import short
from sarai.game import as_game
from sarai.render import games, heat
from sarai.render.svg import Picture, Svg, set_theme
from sarai.render.view import Position, game_of, trusted

__all__ = ["draw", "drawing", "drawn_games", "heat_map", "picture", "set_theme", "view_of"]


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


def heat_map(
    game: str | Game,
    values: Mapping[str, float],
    *,
    title: str = "",
    theme: str | None = None,
    **options: Any,
) -> Svg:
    """Draw a number for each place of a board: a disc whose area is the number, on the game's own board, with a legend.

    Args:
        game: a game's name, or a game made by `sarai.make`.
        values: a number from 0 on for each place, by the name of the place; a place that is missing has no disc. The
            names are those of the game's actions, such as "d6"; where seats number the board differently, those of
            player 0. `sarai.metrics` counts pieces by the same names.
        title: what the numbers are, for the legend.
        theme: ``"light"`` or ``"dark"``; None takes that of ``sarai.render.set_theme``.
        **options: options of the game's own ``draw``, such as ``size``.

    Raises:
        ValueError: if a place is unknown, a value negative or not finite, the game has no drawing, or an option is out
            of range.
        TypeError: if a value is no number, or the drawing has no such option.

    Example:
        >>> heat_map("shah", {"d6": 3, "d5": 1.5}, title="stones").count("<title>d")
        2
        >>> heat_map("shah", {"z9": 1})
        Traceback (most recent call last):
            ...
        ValueError: the board has no place 'z9'; there are ...
    """
    view = view_of(as_game(game, None, None).new_initial_state())
    board = drawing(view["game"])(view, theme=theme, **options)
    return heat.laid_over(board, _places(view), values, title, theme).written()


def _places(view: Mapping[str, Any]) -> heat.Places:
    """Where the places lie in the picture of a view."""
    module = importlib.import_module(f"{games.__name__}.{view['game']}.places")
    found: heat.Places = module.places(view)
    return found
