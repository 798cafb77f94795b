"""What results are held to: the documented shapes always, and the rules of the game where a file is read or written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from sarai import arguments
from sarai._core import Game, State
from sarai.game import make

ORIGIN: dict[str, type | tuple[type, ...]] = {
    "game": str,
    "rules": dict,
    "agents": list,
    "sides": list,
    "seed": int,
}
"""What the metadata of every result says of how it was played."""


def check_array(name: str, array: object, dtype: DTypeLike, shape: tuple[int | None, ...]) -> None:
    """Refuse anything but an array of this dtype and shape, with finite numbers; None in the shape is any length.

    Raises:
        ValueError: With the name, what was given and what belongs there.
    """
    wanted = np.dtype(dtype)
    # What stands below a mask would count as well. Without np.ma, which would be imported for every rollout.
    if not isinstance(array, np.ndarray) or hasattr(array, "mask"):
        raise ValueError(f"{name} must be a numpy array of {wanted}, not {type(array).__name__}")
    fits = len(array.shape) == len(shape) and all(
        want is None or got == want for got, want in zip(array.shape, shape, strict=True)
    )
    if array.dtype != wanted or not fits:
        text = ", ".join("any" if length is None else str(length) for length in shape)
        raise ValueError(
            f"{name} must be {wanted} of shape ({text}), not {array.dtype} of shape {array.shape}"
        )
    if wanted.kind == "f" and not np.isfinite(array).all():
        raise ValueError(f"{name} has values that are no finite numbers")


def check_counts(name: str, array: Any, shape: tuple[int | None, ...]) -> None:
    """Refuse anything but an int32 array of this shape of numbers from 0 on.

    Raises:
        ValueError: With the name, what was given and what belongs there.
    """
    check_array(name, array, np.int32, shape)
    check_range(name, array, 0)


def check_origin(game: object, rules: object, agents: object, sides: object) -> int:
    """Check what every result says of how it was played; the number of seats comes back.

    Raises:
        TypeError: The game has no name, or the rules are no dict.
        ValueError: Not one text and one side a seat.
    """
    if not isinstance(game, str):
        raise TypeError(f"game must be the name of a game, not {type(game).__name__}")
    if not isinstance(rules, dict):
        raise TypeError(f"rules must be a dict of options, not {type(rules).__name__}")
    try:
        plain = json.loads(json.dumps(rules, allow_nan=False)) == rules
    except (TypeError, ValueError, RecursionError):
        plain = False
    if not plain:
        raise ValueError(
            f"rules must be plain data by name, as Game.rules gives them, not {arguments.short(rules)}"
        )
    return check_labels(agents, sides)


def check_statistics(statistics: object, shape: tuple[int, int]) -> None:
    """Refuse anything but a dict of int32 arrays of this shape, by name.

    Raises:
        TypeError: It is no dict, or a name no text.
        ValueError: An array is another.
    """
    if not isinstance(statistics, dict):
        raise TypeError(f"stats_by_seat must be a dict of arrays, not {type(statistics).__name__}")
    for name, values in statistics.items():
        if not isinstance(name, str):
            raise TypeError(f"stats_by_seat has names, not {type(name).__name__}")
        check_counts(f"stats_by_seat[{arguments.short(name)}]", values, shape)


def check_labels(agents: object, sides: object) -> int:
    """Check the seats' agents and sides; the number of seats comes back.

    Raises:
        ValueError: Not one text and one side a seat.
    """
    if not isinstance(agents, tuple) or not agents or not all(isinstance(agent, str) for agent in agents):
        raise ValueError(f"agents must be a tuple with one label per seat, not {arguments.short(agents)}")
    check_encodable("agents", agents)
    seats = len(agents)
    if (
        not isinstance(sides, tuple)
        or len(sides) != seats
        or not all(type(side) is int and 0 <= side < seats for side in sides)
    ):
        raise ValueError(
            f"sides must be a tuple with one side for each of {seats} seats, not {arguments.short(sides)}"
        )
    return seats


def check_encodable(name: str, labels: tuple[str, ...]) -> None:
    """Refuse labels that no file and no table takes.

    Raises:
        ValueError: With the labels.
    """
    try:
        "".join(labels).encode()
    except UnicodeEncodeError:
        raise ValueError(
            f"{name} has half of a surrogate pair, which no file takes: {arguments.longer(labels)}"
        ) from None


def same_arrays(left: Mapping[str, NDArray[Any]], right: Mapping[str, NDArray[Any]]) -> bool:
    """Whether both have the same names, in any order, and equal arrays of the same dtypes and shapes."""
    return left.keys() == right.keys() and all(
        array.dtype == right[name].dtype and np.array_equal(array, right[name])
        for name, array in left.items()
    )


# --- against the rules ----------------------------------------------------------------------------------------


def game_of(name: str, rules: dict[str, Any], agents: tuple[object, ...], sides: tuple[object, ...]) -> Game:
    """The game of a result.

    Raises:
        ValueError: There is none with these rules, or it has other seats.
    """
    game = make(name, rules=rules)
    if check_labels(agents, sides) != game.num_players or sides != tuple(game.sides):
        raise ValueError(
            f"the sides of the seats of this {name} are {tuple(game.sides)}, not {arguments.short(sides)}"
        )
    return game


def complete_game_of(
    name: str, rules: dict[str, Any], agents: tuple[object, ...], sides: tuple[object, ...]
) -> Game:
    """The same of a result that has every option: any other would be loaded with more than it has.

    Raises:
        ValueError: There is none with these rules, it has other seats, or an option is missing.
    """
    game = game_of(name, rules, agents, sides)
    if rules != game.rules:
        raise ValueError(
            f"rules must have every option of this {name}, which are {arguments.longer(game.rules)}, "
            f"not {arguments.longer(rules)}"
        )
    return game


def check_start(start: object) -> None:
    """Refuse what cannot name the state from which games started.

    Raises:
        TypeError: It is neither text nor None.
    """
    if start is not None and not isinstance(start, str):
        raise TypeError(f"start must be the text of a state or None, not {type(start).__name__}")


def start_of(game: Game, start: str) -> State:
    """The state from which games started.

    Raises:
        ValueError: The game has no such state.
    """
    try:
        return game.parse(start)
    except ValueError as error:
        raise ValueError(f"start is not a state of this game: {error}") from None


def check_numbers(seed: int, first: int, count: int) -> None:
    """Refuse seeds that there are not, and games or series without a number.

    Raises:
        ValueError: One is out of range.
    """
    arguments.from_zero("seed", seed)
    arguments.from_zero(
        "the number after the last one", arguments.from_zero("the first number", first) + count
    )


def time_taken(name: str, value: object) -> float:
    """A time that can have been taken.

    Raises:
        TypeError: It is not a number.
        ValueError: It is no finite number from 0 on.
    """
    taken = arguments.number(name, value)
    if not 0 <= taken < float("inf"):
        raise ValueError(f"{name} must be a number from 0 up, not {taken}")
    return taken


def check_range(name: str, values: NDArray[Any], low: float, high: float | None = None) -> None:
    """Refuse values out of a range, NaN among them.

    Raises:
        ValueError: With the range.
    """
    if values.size == 0:
        return
    least, most = values.min(), values.max()
    # NaN is neither below nor above anything.
    if not (least >= low and (high is None or most <= high)):
        until = "on" if high is None else f"to {high}"
        raise ValueError(
            f"{name} has values from {least} to {most}, where the rules have them from {low} {until}"
        )


def check_outcomes(game: Game, winner: NDArray[np.int8], returns: NDArray[np.float32]) -> None:
    """Hold the winners against the returns: a winner has gained what the others have lost, and a draw is nobody's.

    Raises:
        ValueError: They contradict each other, or the rules.
    """
    check_range("winner", winner, -1, max(game.sides))
    low, high = np.array(game.returns_range, np.float32).tolist()
    check_range("returns", returns, low, high)
    _check_sums(game, returns)
    for seat, side in enumerate(game.sides):
        scores, won = returns[:, seat], winner == side
        wrong = ((scores > 0) != won) | ((scores < 0) != (~won & (winner >= 0)))
        if wrong.any():
            row = int(wrong.argmax())
            raise ValueError(
                f"row {row} says that {_whose(int(winner[row]))} and that seat {seat} got {scores[row]}"
            )
        if not np.array_equal(scores, returns[:, game.sides.index(side)]):
            raise ValueError(f"returns must be the same for all seats of side {side}")


def _check_sums(game: Game, returns: NDArray[np.float32]) -> None:
    sums = returns.sum(axis=1, dtype=np.float64)
    wrong = np.abs(sums) > 1e-5 * max(map(abs, game.returns_range))
    if wrong.any():
        row = int(wrong.argmax())
        raise ValueError(
            f"the returns of row {row} add up to {sums[row]} instead of 0: what one player gains, others lose"
        )


def _whose(winner: int) -> str:
    return "nobody has won" if winner < 0 else f"side {winner} has won"


def check_games(
    game: Game,
    winner: NDArray[np.int8],
    returns: NDArray[np.float32],
    lengths: NDArray[np.int32],
    turns: NDArray[np.int32],
    statistics: Mapping[str, NDArray[np.int32]],
) -> None:
    """Hold games, one a row, against the rules.

    Raises:
        ValueError: They cannot have been played.
    """
    check_outcomes(game, winner, returns)
    check_range("lengths", lengths, 0)
    check_range("turns", turns, 0)
    if list(statistics) != list(game.statistics):
        raise ValueError(
            f"the statistics of {game.name} are {', '.join(game.statistics)}, not {', '.join(statistics):.200}"
        )
    for name, values in statistics.items():
        check_range(f"stats_by_seat[{name!r}]", values, 0)


def check_offsets(name: str, offsets: NDArray[np.int64], last: int, what: str, least: int = 0) -> None:
    """Refuse offsets that do not begin at 0, ascend by `least` or more, and end at `last`.

    Raises:
        ValueError: They do not.
    """
    ends = len(offsets) > 0 and offsets[0] == offsets.min() == 0 and offsets[-1] == offsets.max() == last
    if not ends or np.any(np.diff(offsets) < least):
        raise ValueError(f"{name} must ascend from 0 to {last}, the number of {what}")


def game_layout(game: Game, rows: int) -> dict[str, tuple[DTypeLike, tuple[int, ...]]]:
    """The arrays that have one row a game, as they are in a file."""
    seats = game.num_players
    return {
        "returns": (np.float32, (rows, seats)),
        "lengths": (np.int32, (rows,)),
        "turns": (np.int32, (rows,)),
        **{f"stats_by_seat.{name}": (np.int32, (rows, seats)) for name in game.statistics},
    }
