"""What a summary, a plot, the kept records and a table read of a result."""

# ruff: noqa: D102 (`sarai.results.Rollout` says what each is)

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


class Origin(Protocol):
    """How a result was played, as every result says; `agents` and `sides` have an entry for each seat."""

    @property
    def game(self) -> str: ...
    @property
    def rules(self) -> dict[str, Any]: ...
    @property
    def agents(self) -> tuple[str, ...]: ...
    @property
    def seed(self) -> int: ...
    @property
    def sides(self) -> tuple[int, ...]: ...


class Scores(Origin, Protocol):
    """How games ended."""

    @property
    def winner(self) -> NDArray[np.int8]: ...
    @property
    def returns(self) -> NDArray[np.float32]: ...
    @property
    def lengths(self) -> NDArray[np.int32]: ...


class Outcomes(Scores, Protocol):
    """A rollout, as `sarai.results.Rollout` describes it."""

    @property
    def first_game(self) -> int: ...
    @property
    def num_games(self) -> int: ...
    @property
    def num_players(self) -> int: ...
    @property
    def turns(self) -> NDArray[np.int32]: ...
    @property
    def stats(self) -> Mapping[str, NDArray[np.int32]]: ...
    @property
    def stats_by_seat(self) -> Mapping[str, NDArray[np.int32]]: ...
    @property
    def digests(self) -> NDArray[np.uint32] | None: ...
    @property
    def seconds(self) -> float: ...
