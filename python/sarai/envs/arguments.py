"""Reading what a caller gives to an environment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from sarai import arguments
from sarai._core import Game
from sarai.arguments import short


def autoreset_mode(given: AutoresetMode | str) -> AutoresetMode:
    """The mode that a member, its value or its name stands for; ValueError for anything else."""
    for mode in AutoresetMode:
        if given in (mode, mode.value, mode.name):
            return mode
    modes = ", ".join(f'"{mode.value}"' for mode in AutoresetMode)
    raise ValueError(
        f"autoreset_mode got {short(given)}; it takes a gymnasium.vector.AutoresetMode or {modes}"
    )


def whole_number(given: object, name: str, takes: str = "an int") -> int:
    """The int itself, or what a numpy integer holds.

    Raises:
        TypeError: It is something else, a bool too.

    >>> whole_number(np.int8(3), "seat")
    3
    >>> whole_number(True, "seat")
    Traceback (most recent call last):
    ...
    TypeError: seat must be an int, not bool
    """
    return arguments.whole(name, given, takes)


def one_seat(given: object, game: Game, name: str = "seat", takes: str = "an int") -> int:
    """A seat of the game; TypeError or ValueError for anything else."""
    seat = whole_number(given, name, takes)
    if not 0 <= seat < game.num_players:
        raise ValueError(f"{name} got {seat}; it takes an integer from 0 to {game.num_players - 1}")
    return seat


def one_seed(given: object) -> int | None:
    """None or an int; TypeError for anything else."""
    return None if given is None else whole_number(given, "seed", "an int or None")


def seeds(given: object, num_envs: int) -> int | list[int] | None:
    """None, an int, or a list with an int a lane; TypeError or ValueError for anything else."""
    takes = "an int, or a list with an int a lane"
    if given is None:
        return None
    if isinstance(given, str | bytes) or not isinstance(given, Sequence | np.ndarray) or np.ndim(given) == 0:
        return whole_number(given, "seed", takes)
    if len(given) != num_envs:
        raise ValueError(
            f"seed has {len(given)} entries; a list of seeds has one for each of the {num_envs} lanes"
        )
    return [whole_number(seed, f"seed[{lane}]") for lane, seed in enumerate(given)]


def known_options(given: object, known: str | None = None) -> Mapping[str, Any]:
    """The options of a reset, none of them unknown.

    Raises:
        TypeError: They are no dict.
        ValueError: There is another than the one known, or any if none is known.

    >>> known_options({"reset_mask": 1}, "reset_mask"), known_options(None)
    ({'reset_mask': 1}, {})
    >>> known_options({"state": 1}, "reset_mask")
    Traceback (most recent call last):
    ...
    ValueError: options got 'state'; the only option of this reset is 'reset_mask'
    """
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise TypeError(f"options must be a dict or None, not {type(given).__name__}")
    for name in given:
        if known is None or name != known:
            allowed = (
                "this reset has no options"
                if known is None
                else f"the only option of this reset is {known!r}"
            )
            raise ValueError(f"options got {short(name)}; {allowed}")
    return given


def reset_mask(mask: object, num_envs: int) -> NDArray[np.bool_]:
    """The mask, which is a bool array with an entry a lane; TypeError or ValueError for anything else."""
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
        kind = f"an array of {mask.dtype}" if isinstance(mask, np.ndarray) else type(mask).__name__
        raise TypeError(f"options['reset_mask'] must be a numpy array of bool, not {kind}")
    if mask.shape != (num_envs,):
        raise ValueError(f"options['reset_mask'] must have the shape ({num_envs},), not {mask.shape}")
    return mask
