"""What is asked of a picture, checked before the engine draws it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

import numpy as np

from sarai._base.arguments import short, whole
from sarai._core import State
from sarai._render import svg
from sarai._render.raster import checked_whole

Last: TypeAlias = tuple[int, str]
"""Who moved, and what: a seat and the name of an action."""

Worth: TypeAlias = tuple[int, int | None]
"""What a move leaves to who plays it: 1 won, 0 drawn, -1 lost; and in how many turns the game ends, None in a draw."""

Asked: TypeAlias = tuple[
    str, float, int, bool, tuple[int, str] | None, list[str], list[tuple[str, tuple[int, int | None]]] | None
]
"""The theme, the size, the seat from whose side the board is seen, whether there are coordinates, the last move, the
legal ones and what moves are worth."""

MOST_LEGAL = 1000
"""How many legal moves one picture may show."""

_KNOWN = ("theme", "size", "orientation", "coordinates", "last", "legal", "values")


def asked(state: State, options: Mapping[str, Any]) -> Asked:
    """The options of a picture of that state, as the engine takes them.

    Raises:
        ValueError: One is out of range.
        TypeError: There is no such option.

    Example:
        >>> import sarai
        >>> state = sarai.make("shah").new_initial_state()
        >>> asked(state, {"theme": "dark", "last": (0, "d6")})
        ('dark', 480.0, 0, True, (0, 'd6'), [], None)
        >>> asked(state, {"last": (2, "d6")})
        Traceback (most recent call last):
            ...
        ValueError: last[0] must be a seat from 0 to 1, got 2
    """
    for name in options:
        if name not in _KNOWN:
            raise TypeError(f"draw() got an unexpected keyword argument {short(name)}")
    theme = svg.get_theme(options.get("theme")).name
    # What is printed is drawn in the light theme, and then loses its colours.
    theme = "light" if theme == "print" else theme
    last, values = options.get("last"), options.get("values")
    return (
        theme,
        float(svg.checked_size(options.get("size", 480))),
        checked_whole("orientation", options.get("orientation", 0), "a seat", 0, state.num_players() - 1),
        checked_flag("coordinates", options.get("coordinates", True)),
        None if last is None else _last(last, state.num_players()),
        _legal(options.get("legal", ())),
        None if values is None else _values(values),
    )


def checked_flag(name: str, value: object) -> bool:
    """True or False, Python's or numpy's.

    Raises:
        ValueError: It is neither.
    """
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} must be True or False, got {short(value)}")
    return bool(value)


def _legal(legal: Sequence[str]) -> list[str]:
    if not isinstance(legal, list | tuple):
        raise ValueError(f"legal must be a list of names of actions, got {type(legal).__name__}")
    if len(legal) > MOST_LEGAL:
        raise ValueError(f"legal has {len(legal)} moves: a picture shows at most {MOST_LEGAL}")
    return [_name(name, f"legal[{i}]") for i, name in enumerate(legal)]


def _last(last: Last, num_players: int) -> Last:
    if not isinstance(last, list | tuple) or len(last) != 2:
        raise ValueError(
            f"last must be None or a pair of a seat and the name of an action, got {short(last)}"
        )
    return checked_whole("last[0]", last[0], "a seat", 0, num_players - 1), _name(last[1], "last")


def _values(values: Mapping[str, Worth]) -> list[tuple[str, Worth]]:
    if not isinstance(values, Mapping) or len(values) > MOST_LEGAL:
        raise ValueError(f"values must be a dict with at most {MOST_LEGAL} names of actions and their values")
    return [(_name(name, "values"), _worth(name, worth)) for name, worth in values.items()]


def _worth(name: object, worth: Worth) -> Worth:
    if isinstance(worth, tuple) and len(worth) == 2:
        with suppress(TypeError):
            value = whole("a value", worth[0])
            turns = None if worth[1] is None else whole("turns", worth[1])
            if value in (1, 0, -1) and (turns is None or (value and abs(turns) < 2**63)):
                return value, turns
    raise ValueError(
        f"values[{short(name)}] must be a pair of 1, 0 or -1 and the turns to the end, None in a draw "
        f"and where they are not known, got {short(worth)}"
    )


def _name(name: object, where: str) -> str:
    if not isinstance(name, str):
        raise ValueError(f"{where} must be the name of an action, got {type(name).__name__}")
    return name
