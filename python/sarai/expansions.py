"""What can follow each of many states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from sarai._base import arguments

S = TypeVar("S")
"""`sarai.States`, which makes these and so stands above them."""


@dataclass(frozen=True, eq=False)
class Expansion(Generic[S]):
    """What all expansions of N states have.

    Attributes:
        states: M states.
        parent: (M,) int64, the row that each follows.
        offsets: (N + 1,) int64: rows `offsets[i]:offsets[i + 1]` follow row i.
    """

    states: S
    parent: NDArray[np.int64]
    offsets: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Successors(Expansion[S]):
    """What follows each row by one action.

    Attributes:
        action: (M,) int32, the action that leads to each.
    """

    action: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Afterstates(Expansion[S]):
    """How the turn of each row can end.

    Attributes:
        actions: The shortest action sequences to all of them, one after the other, int32.
        action_offsets: (M + 1,) int64: `actions[action_offsets[m]:action_offsets[m + 1]]` leads to `states[m]`. Of
            sequences of equal length, it is the one with the smallest ids first.
    """

    actions: NDArray[np.int32]
    action_offsets: NDArray[np.int64]

    def actions_to(self, row: int) -> NDArray[np.int32]:
        """The actions that lead to `states[row]`; a negative row counts from the end.

        Raises:
            IndexError: There is no such row.
            TypeError: It is no whole number.
        """
        place = arguments.place("row", row, len(self.action_offsets) - 1)
        return self.actions[self.action_offsets[place] : self.action_offsets[place + 1]]


@dataclass(frozen=True, eq=False)
class ChanceSuccessors(Expansion[S]):
    """What follows each row by one outcome of chance.

    Attributes:
        outcome: (M,) int32, the outcome that leads to each.
        probability: (M,) float64, its probability.
    """

    outcome: NDArray[np.int32]
    probability: NDArray[np.float64]
