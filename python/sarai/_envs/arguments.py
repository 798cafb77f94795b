"""Reading what a caller gives to an environment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from sarai import _core
from sarai._base import arguments
from sarai._base.arguments import counted, in_words, masked, short, whole
from sarai._core import Game, State
from sarai._states import States


def autoreset_mode(given: AutoresetMode | str) -> AutoresetMode:
    """The mode that a member, its value or its name stands for; ValueError for anything else."""
    for mode in AutoresetMode:
        if isinstance(given, AutoresetMode | str) and given in (mode, mode.value, mode.name):
            return mode
    modes = ", ".join(f'"{mode.value}"' for mode in AutoresetMode)
    raise ValueError(
        f"autoreset_mode got {short(given)}; it takes a gymnasium.vector.AutoresetMode or {modes}"
    )


def one_seat(given: object, game: Game, name: str = "seat", takes: str = "an int", *, more: str = "") -> int:
    """A seat of the game; TypeError or ValueError for anything else. `more` is what else the caller takes."""
    seat = whole(name, given, takes)
    if not 0 <= seat < game.num_players:
        raise ValueError(
            f"{name} got {in_words(seat)}; it takes an integer from 0 to {game.num_players - 1}{more}"
        )
    return seat


def one_seed(given: object) -> int | None:
    """None or an int; TypeError for anything else."""
    return None if given is None else whole("seed", given, "an int or None")


def seeds(given: object, num_envs: int) -> int | list[int | None] | None:
    """None, an int, or a list with an int or None a lane; TypeError or ValueError for anything else."""
    takes = "an int, or a list with an int or None a lane"
    if given is None:
        return None
    if masked(given):
        raise ValueError("seed has entries that are masked; give them all")
    if (
        isinstance(given, str | bytes)
        or not isinstance(given, Sequence | np.ndarray)
        or (isinstance(given, np.ndarray) and not given.ndim)
    ):
        return whole("seed", given, takes)
    if len(given) != num_envs:
        raise ValueError(
            f"seed has {counted(len(given), 'entry', 'entries')}; "
            f"a list of seeds needs one for each of the {num_envs} lanes"
        )
    return [
        None if seed is None else whole(f"seed[{lane}]", seed, "an int or None")
        for lane, seed in enumerate(given)
    ]


def known_options(given: object, *known: str) -> Mapping[str, Any]:
    """The options of a reset, none of them unknown.

    Raises:
        TypeError: They are no dict.
        ValueError: There is another than those known.

    >>> known_options({"reset_mask": 1}, "state", "reset_mask"), known_options(None, "state")
    ({'reset_mask': 1}, {})
    >>> known_options({"stat": 1}, "state", "reset_mask")
    Traceback (most recent call last):
    ...
    ValueError: options got 'stat' (did you mean 'state'?); a reset takes 'state', 'reset_mask'
    """
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise TypeError(f"options must be a dict or None, not {type(given).__name__}")
    for name in given:
        if name not in known:
            near = arguments.suggestion(name, known) if isinstance(name, str) else ""
            raise ValueError(f"options got {short(name)}{near}; a reset takes {', '.join(map(repr, known))}")
    return given


def start_states(options: Mapping[str, Any], game: Game, num_envs: int) -> _core.States | None:
    """The states in which the games of a reset begin; None is where games begin anyway.

    Raises:
        TypeError: They are neither a `State` nor `States`.
        ValueError: They are of another game, or as many as neither one nor the lanes.
    """
    if "state" not in options:
        return None
    rows = "" if num_envs == 1 else ", or sarai.States with a row for each lane"
    states = _states(options["state"], game, "options['state']", f"a sarai.State{rows}")
    if len(states) not in (1, num_envs):
        raise ValueError(
            f"options['state'] has {counted(len(states), 'row')}; "
            f"give one state for all, or one for each of the {num_envs} lanes"
        )
    return states._rows


def all_starts(given: object, game: Game) -> States | None:
    """A copy of the states in which all later games begin; None is None.

    Raises:
        TypeError: They are neither a `State` nor `States`.
        ValueError: They are of another game, or there are none.
    """
    if given is None:
        return None
    states = _states(given, game, "states", "a sarai.State, sarai.States, or None")
    if not len(states):
        raise ValueError("states has no rows; give at least one, or None for the usual start")
    return states.copy()


def _states(given: object, game: Game, name: str, takes: str) -> States:
    if isinstance(given, State):
        given = States.from_states([given])
    if not isinstance(given, States):
        raise TypeError(f"{name} must be {takes}, not {type(given).__name__}")
    if given.game != game:
        raise ValueError(f"{name} is of {given.game!r}, and this environment plays {game!r}")
    return given


def reset_mask(mask: object, num_envs: int) -> NDArray[np.bool_]:
    """The mask, which is a bool array with an entry a lane; TypeError or ValueError for anything else."""
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
        kind = f"an array of {mask.dtype}" if isinstance(mask, np.ndarray) else type(mask).__name__
        raise TypeError(f"options['reset_mask'] must be a NumPy array of bool, not {kind}")
    if masked(mask):
        raise ValueError("options['reset_mask'] has entries that are masked; give them all")
    if mask.shape != (num_envs,):
        raise ValueError(f"options['reset_mask'] must have the shape ({num_envs},), not {mask.shape}")
    return mask
