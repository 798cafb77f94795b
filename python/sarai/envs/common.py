"""What the environments share: spaces, and reading what a caller gives."""

from __future__ import annotations

import operator
from collections.abc import Sequence

import numpy as np
from gymnasium.spaces import Box, Dict
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from sarai._core import Game, IllegalActionError
from sarai.envs.policy_batch import Lanes, Stepped


def observation_space(game: Game) -> Dict:
    """The observation of one player: "observation", int8 (L,), and "action_mask", int8 (A,)."""
    spec = game.observation_spec
    bounds = {
        bound: np.concatenate([np.full(part["stop"] - part["start"], part[bound], np.int8) for part in spec])
        for bound in ("low", "high")
    }
    return Dict(
        observation=Box(bounds["low"], bounds["high"], dtype=np.int8),
        action_mask=Box(0, 1, (game.num_actions,), np.int8),
    )


def autoreset_mode(given: AutoresetMode | str) -> AutoresetMode:
    """The mode that a member, its value or its name stands for; ValueError for anything else."""
    for mode in AutoresetMode:
        if given in (mode, mode.value, mode.name):
            return mode
    modes = ", ".join(f'"{mode.value}"' for mode in AutoresetMode)
    raise ValueError(f"autoreset_mode got {given!r}; it takes a gymnasium.vector.AutoresetMode or {modes}")


def one_seed(given: object) -> int | None:
    """None or an int; TypeError for anything else."""
    if given is None:
        return None
    try:
        return operator.index(given)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"seed must be an int or None, not {type(given).__name__}") from None


def seeds(given: object, num_envs: int) -> int | list[int] | None:
    """None, an int, or a list with an int a lane; TypeError or ValueError for anything else."""
    if given is None or isinstance(given, int):
        return given
    if isinstance(given, str | bytes) or not isinstance(given, Sequence | np.ndarray) or np.ndim(given) == 0:
        try:
            return operator.index(given)  # type: ignore[arg-type]
        except TypeError:
            raise TypeError(
                f"seed must be an int, or a list with an int a lane, not {type(given).__name__}"
            ) from None
    if len(given) != num_envs:
        raise ValueError(
            f"seed has {len(given)} entries; a list of seeds has one for each of the {num_envs} lanes"
        )
    try:
        return [operator.index(seed) for seed in given]
    except TypeError as error:
        raise TypeError(f"seed must be an int, or a list with an int a lane: {error}") from None


def reset_mask(mask: object, num_envs: int) -> NDArray[np.bool_]:
    """The mask, which is a bool array with an entry a lane; TypeError or ValueError for anything else."""
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
        kind = f"an array of {mask.dtype}" if isinstance(mask, np.ndarray) else type(mask).__name__
        raise TypeError(f"options['reset_mask'] must be a numpy array of bool, not {kind}")
    if mask.shape != (num_envs,):
        raise ValueError(f"options['reset_mask'] must have the shape ({num_envs},), not {mask.shape}")
    return mask


def step_one(batch: Lanes, action: object) -> Stepped:
    """A step of a batch of one lane, whose errors speak of no lane.

    Raises:
        IllegalActionError: The action is not legal.
        TypeError: It is no integer.
    """
    try:
        number = operator.index(action)  # type: ignore[arg-type]
    except TypeError:
        number = None
    if number is None or isinstance(action, bool):
        raise TypeError(f"an action is an integer, not {type(action).__name__}")
    try:
        return batch.step([number])
    except IllegalActionError as error:
        raise IllegalActionError(str(error).removeprefix("lane 0: ")) from None
