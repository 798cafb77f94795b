"""Reading a view: the plain data that a drawing is made from.

A view may have gone through JSON or been written by hand, so a drawing reads it through these functions. What
is missing or has the wrong type is a ``ValueError`` that names the place, never a picture that is silently
wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sarai.arguments import short


def field(data: Mapping[str, Any], key: str, where: str) -> Any:
    """``data[key]``.

    Example:
        >>> field({"num_players": 3}, "num_players", "view")
        3
        >>> field({"num_players": 3}, "state", "view")
        Traceback (most recent call last):
            ...
        ValueError: view has no 'state': a drawing needs the whole view, as state.view() gives it
    """
    if not isinstance(data, Mapping):
        raise ValueError(f"{where} must be a dict, got {type(data).__name__}")
    if key not in data:
        raise ValueError(f"{where} has no {key!r}: a drawing needs the whole view, as state.view() gives it")
    return data[key]


def mapping(data: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    """``data[key]``, which must be a dict."""
    value = field(data, key, where)
    if not isinstance(value, Mapping):
        raise ValueError(f"{where}[{key!r}] must be a dict, got {type(value).__name__}")
    return value


def integer(data: Mapping[str, Any], key: str, where: str, low: int, high: int) -> int:
    """``data[key]``, which must be an integer from ``low`` to ``high``.

    Example:
        >>> integer({"hand": 9}, "hand", "side 0", 0, 9)
        9
        >>> integer({"hand": -1}, "hand", "side 0", 0, 9)
        Traceback (most recent call last):
            ...
        ValueError: side 0['hand'] must be an integer from 0 to 9, got -1
    """
    return checked_integer(field(data, key, where), f"{where}[{key!r}]", low, high)


def optional_integer(data: Mapping[str, Any], key: str, where: str, low: int, high: int) -> int | None:
    """``data[key]``, which must be None or an integer from ``low`` to ``high``."""
    value = field(data, key, where)
    return None if value is None else checked_integer(value, f"{where}[{key!r}]", low, high)


def checked_integer(value: Any, where: str, low: int, high: int) -> int:
    """``value`` itself, which must be an integer from ``low`` to ``high``."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{where} must be an integer from {low} to {high}, got {short(value)}")
    return value


def sequence(data: Mapping[str, Any], key: str, where: str) -> Sequence[Any]:
    """``data[key]``, which must be a list or a tuple."""
    value = field(data, key, where)
    if not isinstance(value, list | tuple):
        raise ValueError(f"{where}[{key!r}] must be a list, got {type(value).__name__}")
    return value


def flag(data: Mapping[str, Any], key: str, where: str) -> bool:
    """``data[key]``, which must be True or False."""
    value = field(data, key, where)
    if not isinstance(value, bool):
        raise ValueError(f"{where}[{key!r}] must be True or False, got {short(value)}")
    return value


def one_of(data: Mapping[str, Any], key: str, where: str, allowed: Sequence[str]) -> str:
    """``data[key]``, which must be one of some words."""
    value = field(data, key, where)
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(
            f"{where}[{key!r}] must be one of {', '.join(map(repr, allowed))}, got {short(value)}"
        )
    return value


def seats_of_sides(view: Mapping[str, Any]) -> list[list[int]]:
    """The seats of each side, from ``view["num_players"]`` and ``view["sides"]``.

    Example:
        >>> seats_of_sides({"num_players": 4, "sides": [0, 1, 0, 1]})
        [[0, 2], [1, 3]]
        >>> seats_of_sides({"num_players": 3, "sides": [0, 1]})
        Traceback (most recent call last):
            ...
        ValueError: view['sides'] must give the side of each of 3 players, got 2 entries
    """
    num_players = integer(view, "num_players", "view", 1, 4)
    sides = sequence(view, "sides", "view")
    if len(sides) != num_players:
        raise ValueError(
            f"view['sides'] must give the side of each of {num_players} players, got {len(sides)} entries"
        )
    seats: list[list[int]] = [[] for _ in range(num_players)]
    for seat, side in enumerate(sides):
        seats[checked_integer(side, f"view['sides'][{seat}]", 0, num_players - 1)].append(seat)
    while not seats[-1]:
        seats.pop()
    if not all(seats):
        raise ValueError(f"view['sides'] must number the sides 0, 1, ... without a gap, got {list(sides)}")
    return seats


def of_game(view: Mapping[str, Any], game: str) -> None:
    """Refuse the view of another game.

    Example:
        >>> of_game({"game": "chess"}, "draughts")
        Traceback (most recent call last):
            ...
        ValueError: this drawing is for the game 'draughts', got a view of 'chess'
    """
    if field(view, "game", "view") != game:
        raise ValueError(f"this drawing is for the game {game!r}, got a view of {short(view['game'])}")


def fixed_seats(view: Mapping[str, Any], sides: list[int]) -> None:
    """Refuse a view whose seats are not on just these sides.

    Example:
        >>> fixed_seats({"num_players": 2, "sides": [0, 0]}, [0, 1])
        Traceback (most recent call last):
            ...
        ValueError: view['sides'] must be [0, 1], got [0, 0]
    """
    integer(view, "num_players", "view", len(sides), len(sides))
    if list(sequence(view, "sides", "view")) != sides:
        raise ValueError(f"view['sides'] must be {sides}, got {short(view['sides'])}")


def entries(data: Mapping[str, Any], key: str, where: str, count: int) -> Sequence[Any]:
    """``data[key]``, which must be a list with an entry for each of ``count`` players."""
    given = sequence(data, key, where)
    if len(given) != count:
        raise ValueError(f"{where}[{key!r}] must have an entry for each of {count} players, got {len(given)}")
    return given


def refuse_wrong_player(player: int | None, phase: str, where: str, nobody: tuple[str, ...]) -> None:
    """Refuse a player in a phase in which nobody is to act, and none in any other.

    Example:
        >>> refuse_wrong_player(None, "roll", "state", ("first", "over"))
        Traceback (most recent call last):
            ...
        ValueError: state['player'] must be None in the phases 'first' and 'over' and a player in all others, ...
    """
    if (player is None) != (phase in nobody):
        raise ValueError(
            f"{where}['player'] must be None in the phases {' and '.join(map(repr, nobody))} and a player in all "
            f"others, got {player!r} in {phase!r}"
        )


def refuse_early_winner(winner: int | None, phase: str, where: str) -> None:
    """Refuse a winner before the phase "over"."""
    if winner is not None and phase != "over":
        raise ValueError(f"{where}['winner'] must be None before the end, got {winner} in {phase!r}")
