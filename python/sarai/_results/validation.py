"""What the values of results are held to."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from sarai._base import arguments
from sarai._core import Game
from sarai._game import returns_bounds


def array(name: str, values: object, dtype: DTypeLike, shape: tuple[int | None, ...]) -> NDArray[Any]:
    """What must be an array of this dtype and shape, with finite numbers; None in the shape is any length.

    Raises:
        ValueError: With the name, what was given and what belongs there.
    """
    wanted = np.dtype(dtype)
    # What stands below a mask would count as well. Without np.ma, which would be imported for every rollout.
    if not isinstance(values, np.ndarray) or hasattr(values, "mask"):
        raise ValueError(f"{name} must be a NumPy array of {wanted}, not {type(values).__name__}")
    fits = len(values.shape) == len(shape) and all(
        want is None or got == want for got, want in zip(values.shape, shape, strict=True)
    )
    if values.dtype != wanted or not fits:
        text = ", ".join("any" if length is None else str(length) for length in shape)
        raise ValueError(
            f"{name} must be {wanted} of shape ({text}), not {values.dtype} of shape {values.shape}"
        )
    if wanted.kind == "f" and not np.isfinite(values).all():
        raise ValueError(f"{name} has values that are no finite numbers")
    return values


def labels(name: str, value: object, count: int) -> tuple[str, ...]:
    """One label per seat, or per agent.

    Raises:
        ValueError: They are not so many texts, or no file and no table takes one.
    """
    if (
        not isinstance(value, tuple)
        or not all(isinstance(label, str) for label in value)
        or len(value) != count
    ):
        raise ValueError(f"{name} must be a tuple of {count} texts, not {arguments.short(value)}")
    try:
        "".join(value).encode()
    except UnicodeEncodeError:
        raise ValueError(
            f"{name} has half of a surrogate pair, which no file takes: {arguments.longer(value)}"
        ) from None
    return value


def start(value: object, game: Game) -> str | None:
    """The text of the state from which games started, or None.

    Raises:
        TypeError: It is neither text nor None.
        ValueError: The game has no such state.
    """
    if value is None:
        return None
    if not isinstance(value, str):
        raise TypeError(f"start must be the text of a state or None, not {type(value).__name__}")
    try:
        game.parse(value)
    except ValueError as error:
        raise ValueError(f"start is not a state of this game: {error}") from None
    return value


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
    check_range("returns", returns, *returns_bounds(game))
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


def check_offsets(name: str, offsets: NDArray[np.int64], last: int, what: str, least: int = 0) -> None:
    """Refuse offsets that do not begin at 0, ascend by `least` or more, and end at `last`.

    Raises:
        ValueError: They do not.
    """
    ends = len(offsets) > 0 and offsets[0] == offsets.min() == 0 and offsets[-1] == offsets.max() == last
    if not ends or np.any(np.diff(offsets) < least):
        raise ValueError(f"{name} must ascend from 0 to {last}, the number of {what}s")
