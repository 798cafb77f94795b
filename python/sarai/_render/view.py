"""Where a drawing gets its position from.

What a state gives holds, and nothing is checked again. A view that comes as plain data may have gone through JSON or
been written by hand: the engine makes a state of it, by which it is held against the rules, and that state is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np

from sarai._base.arguments import short
from sarai._core import State
from sarai._game import make

Position: TypeAlias = Mapping[str, Any] | State
"""A view, or a state, which gives its view."""


def field(data: Mapping[str, Any], key: str) -> Any:
    """``view[key]``.

    Example:
        >>> field({"game": "sho"}, "game")
        'sho'
        >>> field({"game": "sho"}, "state")
        Traceback (most recent call last):
            ...
        ValueError: view has no 'state': a drawing needs the whole view, as state.view() gives it
    """
    if not isinstance(data, Mapping):
        raise ValueError(f"view must be a dict, got {type(data).__name__}")
    if key not in data:
        raise ValueError(f"view has no {key!r}: a drawing needs the whole view, as state.view() gives it")
    return data[key]


def game_of(position: Position) -> object:
    """The name of the game, or whatever stands in its place.

    Raises:
        ValueError: There is none.
    """
    return position.get_game().name if isinstance(position, State) else field(position, "game")


def state_of(position: Position) -> State:
    """The state that is drawn. A plain view is held against the rules; options that are left out have their defaults.

    Raises:
        ValueError: The view is broken, or no position of the game.

    Example:
        >>> import sarai
        >>> view = sarai.make("sho").new_initial_state().view()
        >>> state_of(view).view() == view
        True
        >>> state_of({**view, "sides": [0, 0, 1]})
        Traceback (most recent call last):
            ...
        ValueError: view['sides'] must be [0, 1, 2], got [0, 0, 1]
    """
    if isinstance(position, State):
        return position
    name, rules, dictionary = (field(position, key) for key in ("game", "rules", "state"))
    try:
        state = make(name, rules=rules).state_from_dict(dictionary)
    except TypeError as error:
        raise ValueError(f"view is broken: {error}") from None
    view = state.view()
    for key in ("num_players", "sides"):
        given = field(position, key)
        if not np.array_equal(given, view[key]):
            raise ValueError(f"view[{key!r}] must be {view[key]}, got {short(given)}")
    return state
