"""Trees of many positions, judged together by an evaluator: what `sarai.search` and the agents with one stand on."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sarai import _core
from sarai._base import arguments
from sarai._core import Game
from sarai.nets import Net

Answer: TypeAlias = ArrayLike | tuple[ArrayLike, ArrayLike]
"""Values (n,) or (n, P), or logits (n, A) and values."""

Evaluator: TypeAlias = str | Net | Callable[..., Answer]
"""`f(observations (n, L) int8, masks (n, A) int8)`, or a function of the observations alone, or a network, or a
name."""

ENGINE_EVALUATORS = {"heuristic": "heuristic", "playout": "playout:1", "playout=greedy": "playout=greedy"}
"""The evaluators inside the engine, and what the engine calls them."""


def grow(
    game: Game,
    rows: _core.States,
    simulations: int,
    evaluator: Evaluator,
    *,
    priors: bool = True,
    exploration: float = 1.25,
    noise: tuple[float, float] | None = None,
    seed: int = 0,
    streams: NDArray[np.uint64] | None = None,
    num_threads: int | None = None,
    seconds: float | None = None,
) -> _core.Forest:
    """Grow a tree for each row; the arguments are those of `sarai.search`.

    Args:
        game: The rule book of the rows.
        rows: The positions.
        simulations: How many each makes.
        evaluator: Who judges.
        priors: Whether logits are used where there are any.
        exploration: How far curiosity weighs.
        noise: The Dirichlet noise on the roots.
        seed: Where dice and noise come from.
        streams: The number of each row's stream; row i has stream i where it is not given.
        num_threads: The number of threads.
        seconds: Stop after so many seconds, but not before the roots are judged.

    Raises:
        ValueError, TypeError, KeyboardInterrupt: As `sarai.search`.
    """
    name = inside(evaluator)
    forest = _core.Forest(
        rows,
        arguments.whole("simulations", simulations),
        priors=priors,
        exploration=_number("exploration", exploration, 0.0, 1000.0),
        noise=_noise(noise),
        evaluator=name,
        seed=seed,
        streams=np.empty(0, np.uint64) if streams is None else streams,
        num_threads=num_threads,
    )
    if name is not None:
        forest.grow(seconds)
        return forest
    assert not isinstance(evaluator, (str, Net))  # those are inside the engine
    end = None if seconds is None else time.monotonic() + seconds
    alone = takes_observations_alone(evaluator)
    cells, actions, players = game.observation_shape[0], game.num_actions, game.num_players
    asked = forest.grow()
    while asked:
        # New arrays each time: whoever judges may keep them.
        observations, masks = np.empty((asked, cells), np.int8), np.empty((asked, actions), np.int8)
        forest.ask(observations, masks)
        answer = evaluator(observations) if alone else evaluator(observations, masks)
        logits, values = _read(answer, asked, actions, players)
        asked = forest.answer(values, logits if priors else None)
        if end is not None and time.monotonic() >= end:
            break
    return forest


def inside(evaluator: Evaluator) -> str | None:
    """What the engine calls an evaluator of its own; None for a function."""
    if isinstance(evaluator, Net):
        return f"net:{evaluator._net.name()}"
    if isinstance(evaluator, str):
        if evaluator.startswith("net:"):
            return evaluator
        if evaluator in ENGINE_EVALUATORS:
            return ENGINE_EVALUATORS[evaluator]
        known = ", ".join(map(repr, ENGINE_EVALUATORS))
        hint = arguments.suggestion(evaluator, ENGINE_EVALUATORS)
        raise ValueError(
            f"unknown evaluator {arguments.short(evaluator)}{hint}; evaluators are {known}, 'net:FILE', or a function"
        )
    if not callable(evaluator):
        raise TypeError(
            f"evaluator must be a function of observations and masks, or a name, not {type(evaluator).__name__}"
        )
    return None


def takes_observations_alone(function: Callable[..., Any]) -> bool:
    """Whether a function takes one array: one that takes any number of them is given two.

    >>> takes_observations_alone(lambda observations: 0), takes_observations_alone(lambda *arrays: 0)
    (True, False)
    """
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    kinds = inspect.Parameter
    if any(parameter.kind is kinds.VAR_POSITIONAL for parameter in parameters):
        return False
    places = [p for p in parameters if p.kind in (kinds.POSITIONAL_ONLY, kinds.POSITIONAL_OR_KEYWORD)]
    needed = [p for p in places if p.default is kinds.empty]
    return len(places) == 1 or len(needed) == 1


def _read(
    answer: Any, rows: int, actions: int, players: int
) -> tuple[NDArray[np.float32] | None, NDArray[np.float32]]:
    """The logits, if there are any, and the values, as the engine takes them."""
    logits = None
    if isinstance(answer, tuple):
        if len(answer) != 2:
            raise ValueError(
                f"the evaluator returned {len(answer)} arrays; it returns values, or logits and values"
            )
        logits = floats(answer[0], "the evaluator returned logits")
        if logits.shape != (rows, actions):
            raise ValueError(
                f"the evaluator returned logits of shape {logits.shape} for {rows} positions; "
                f"they must be of shape ({rows}, {actions})"
            )
        answer = answer[1]
    return logits, read_values(answer, rows, players)


def read_values(answer: Any, rows: int, players: int) -> NDArray[np.float32]:
    """Values (n, 1) or (n, P) of float32, as an evaluator returned them.

    Raises:
        ValueError, TypeError: They are of the wrong shape, or no numbers.
    """
    values = floats(answer, "the evaluator returned values")
    if values.shape == (rows,):
        values = values.reshape(rows, 1)
    if values.shape not in ((rows, 1), (rows, players)):
        raise ValueError(
            f"the evaluator returned values of shape {values.shape} for {rows} positions; "
            f"they must be of shape ({rows},), for the player to act, or ({rows}, {players}), one number for each seat"
        )
    return values


def floats(given: Any, returned: str) -> NDArray[np.float32]:
    """Numbers that a function of the user's returned, the very array where it is one of float32 already.

    Args:
        given: An array, or lists of lists.
        returned: The beginning of what is said where they are none, such as "the evaluator returned values".

    Raises:
        TypeError: They are no numbers.
        ValueError: Some are masked, or the lists have different lengths.

    >>> floats([1, 2.5], "the evaluator returned values")
    array([1. , 2.5], dtype=float32)
    >>> floats([True, False], "the evaluator returned values")
    Traceback (most recent call last):
    ...
    TypeError: the evaluator returned values of dtype bool; they must be numbers
    """
    if arguments.masked(given):
        raise ValueError(f"{returned} of which some are masked; it must give them all")
    try:
        array = np.asarray(given)
    except ValueError as error:
        raise ValueError(f"{returned} in lists of different lengths") from error
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{returned} of dtype {array.dtype}; they must be numbers")
    with np.errstate(over="ignore"):
        return array.astype(np.float32, order="C", copy=False)


def _number(name: str, value: object, least: float, most: float) -> float:
    number = arguments.number(name, value)
    if not least < number <= most:
        raise ValueError(
            f"{name} got {arguments.short(value)}; it takes a number above {least:g}, at most {most:g}"
        )
    return number


def _noise(noise: object) -> tuple[float, float] | None:
    if noise is None:
        return None
    if not isinstance(noise, tuple) or len(noise) != 2:
        raise TypeError(
            "noise must be None or a pair: the parameter of the Dirichlet distribution, and its share"
        )
    alpha = _number("noise[0]", noise[0], 0.0, 1000.0)
    if arguments.number("noise[1]", noise[1]) == 0:
        return None
    return alpha, _number("noise[1]", noise[1], 0.0, 1.0)
