"""Whether rollouts are parts of one."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


class Part(Protocol):
    """A rollout, as far as it is asked here."""

    @property
    def agents(self) -> tuple[str, ...]:
        """One label per seat."""

    @property
    def policies(self) -> tuple[str | None, ...]:
        """One mark per seat."""

    @property
    def first_game(self) -> int:
        """The number of the first game."""

    @property
    def num_games(self) -> int:
        """How many games there are."""

    def played_as(self) -> dict[str, Any]:
        """What all parts have in common."""


def check_parts(parts: Sequence[Part], same_policies: bool) -> tuple[str | None, ...]:
    """Refuse rollouts that were not played alike or do not follow one another; the marks of their policies come back.

    Raises:
        ValueError: With the first part that does not belong.
    """
    first = parts[0]
    policies = first.policies
    following = first.first_game
    for place, part in enumerate(parts):
        for name, value in first.played_as().items():
            if part.played_as()[name] != value:
                raise ValueError(
                    f"part {place} has {name} {part.played_as()[name]!r}, part 0 has {value!r}: "
                    "only rollouts that were played alike can be joined"
                )
        if part.policies != first.policies:
            if not same_policies:
                raise ValueError(_other_policy(place, part, first))
            # They are told to be the same, but which object that is nobody knows.
            policies = tuple(mark and secrets.token_hex(8) for mark in first.policies)
        if part.first_game != following:
            raise ValueError(
                f"part {place} begins with game {part.first_game}, but game {following} is next: "
                "give the parts in order, without gaps"
            )
        following += part.num_games
    return policies


def join_known(arrays: Sequence[NDArray[Any] | None]) -> NDArray[Any] | None:
    """The arrays one after the other; None if one of them is not known."""
    known = [array for array in arrays if array is not None]
    return np.concatenate(known) if len(known) == len(arrays) else None


def _other_policy(place: int, part: Part, first: Part) -> str:
    """Which seat another policy has played."""
    seat = next(seat for seat, mark in enumerate(first.policies) if part.policies[seat] != mark)
    return (
        f"seat {seat} of part {place} was played by another policy than in part 0, though both are called "
        f"{first.agents[seat][:80]!r}: give the very same object to both calls, or join them with "
        "same_policies=True if they decide alike"
    )
