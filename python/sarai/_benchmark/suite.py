"""Suites: positions with the exact value of every legal action, and opponents whose ratings are fixed."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sarai._base import arguments
from sarai._base.json_input import parse
from sarai._core import Game, State
from sarai._game import make

FOLDER = Path(__file__).parent / "data"

DIGESTS = {"sarai-1": "99225dc3106212499ab8f6fd4d39bd34623144ff93d084acb7b9662494d58a5f"}
"""The SHA-256 of each suite's content; `scripts/benchmark_suite.py` prints it."""

UNIT = 1_000_000
"""Values are whole millionths of a point, so that equal moves are equal."""

BLUNDER = 0.1
"""A decision that gives away so many points is a blunder. Without dice, that is a win or a draw given away."""

MAX_LENGTH = 2**24


class Position(NamedTuple):
    """A position with a choice that matters."""

    stratum: str
    """Which part of the suite it is of."""
    state: State
    """The position; a player is to act."""
    values: Mapping[int, float]
    """What each legal action is worth to that player, in points, with perfect play by both sides afterwards."""

    def regret(self, action: int) -> float:
        """How many points an action gives away."""
        return max(self.values.values()) - self.values[action]


class SuiteGame:
    """The part of a suite that is of one rule book."""

    def __init__(self, told: Mapping[str, Any]) -> None:
        self.name: str = told["name"]
        """Its name in the suite."""
        self.game: Game = make(told["game"])
        self.random_plies: int = told["random_plies"]
        """The random decisions at the beginning of rated games."""
        self.anchors: dict[str, float] = told["anchors"]
        """The agents that others are rated against, with their own ratings in Elo."""
        self._told = told

    @cached_property
    def positions(self) -> tuple[Position, ...]:
        """The positions, stratum by stratum."""
        return tuple(
            Position(stratum, state := self.game.parse(text), _values(state, values))
            for stratum, positions in self._told["strata"].items()
            for text, values in positions
        )

    @cached_property
    def bounds(self) -> tuple[float, float]:
        """The least and the greatest regret that an action in one of the positions has."""
        return 0.0, max(position.regret(action) for position in self.positions for action in position.values)

    def regrets(self, actions: tuple[int | None, ...]) -> NDArray[np.float64]:
        """The regret of one action in each position, nan where there is none."""
        return np.array(
            [
                np.nan if action is None else position.regret(action)
                for position, action in zip(self.positions, actions, strict=True)
            ]
        )


class Suite(NamedTuple):
    """A fixed set of positions and opponents."""

    name: str
    """Its name with its version."""
    digest: str
    """The SHA-256 of its content."""
    games: dict[str, SuiteGame]
    """Its games by name."""


def _values(state: State, millionths: list[int]) -> dict[int, float]:
    return {action: value / UNIT for action, value in zip(state.legal_actions(), millionths, strict=True)}


def load(name: str) -> Suite:
    """A suite of the package.

    Raises:
        ValueError: There is none of this name, or its file is damaged.
        TypeError: The name is no str.
    """
    return _loaded(arguments.one_of("suite", name, tuple(DIGESTS)))


@cache
def _loaded(name: str) -> Suite:
    return read(FOLDER / f"{name}.json.z", name, DIGESTS[name])


def read(path: Path, name: str, digest: str) -> Suite:
    """The suite in a file, whose content must have this digest.

    Raises:
        ValueError: It does not.
    """
    try:
        content = zlib.decompressobj().decompress(path.read_bytes(), MAX_LENGTH)
    except zlib.error as error:
        raise ValueError(f"{path} is damaged: {error}") from error
    found = hashlib.sha256(content).hexdigest()
    if found != digest:
        raise ValueError(f"{path} is damaged: its SHA-256 is {found}, not {digest}")
    games = parse(content.decode(), "a suite")
    return Suite(name, digest, {told["name"]: SuiteGame(told) for told in games})
