"""Whether rollouts are parts of one."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sarai.arguments import longer


class Part(Protocol):
    """A rollout or trajectories, as far as they are asked here."""

    @property
    def first_game(self) -> int:
        """The number of the first game."""

    @property
    def num_games(self) -> int:
        """How many games there are."""

    def played_as(self) -> dict[str, Any]:
        """What all parts have in common."""

    def _arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays by name."""


class PolicyPart(Part, Protocol):
    """A rollout, which knows the policies themselves."""

    @property
    def agents(self) -> tuple[str, ...]:
        """One label per seat."""

    @property
    def policies(self) -> tuple[str | None, ...]:
        """One mark per seat."""


def check_alike(parts: Sequence[Part], kind: type, name: str, kinds: str) -> None:
    """Refuse what is no part, was not played alike or does not follow one another.

    Raises:
        TypeError: A part is of another kind.
        ValueError: There are no parts; or with the first part that does not belong.
    """
    if not parts:
        raise ValueError(f"there is nothing to join: give at least one {name.removeprefix('a ')}")
    for place, part in enumerate(parts):
        if not isinstance(part, kind):
            raise TypeError(f"part {place} must be {name}, not {type(part).__name__}")
    first = _alike(parts[0])
    following = parts[0].first_game
    for place, part in enumerate(parts):
        here = _alike(part)
        for name, value in first.items():
            if here[name] != value:
                raise ValueError(
                    f"part {place} has {name} {longer(here[name])}, part 0 has {longer(value)}: "
                    f"only {kinds} that were played alike can be joined"
                )
        if part.first_game != following:
            raise ValueError(
                f"part {place} begins with game {part.first_game}, but game {following} is next: "
                "give the parts in order, without gaps"
            )
        following += part.num_games


def _alike(part: Part) -> dict[str, Any]:
    """What must be the same in all parts: how they were played, and how wide each array is, if it is there."""
    # Digests may be missing.
    widths = {name: array.shape[1:] for name, array in part._arrays().items() if name != "digests"}
    return {**part.played_as(), "arrays": widths}


def check_policies(parts: Sequence[PolicyPart], same_policies: bool) -> tuple[str | None, ...]:
    """Refuse rollouts that other policies have played; the marks of the policies come back.

    Raises:
        ValueError: With the first part that does not belong.
    """
    first = parts[0]
    policies = first.policies
    for place, part in enumerate(parts):
        if part.policies != first.policies:
            if not same_policies:
                raise ValueError(_other_policy(place, part, first))
            # They are told to be the same, but which object that is nobody knows.
            policies = tuple(mark and secrets.token_hex(8) for mark in first.policies)
    return policies


def join_known(arrays: Sequence[NDArray[Any] | None]) -> NDArray[Any] | None:
    """The arrays one after the other; None if one of them is not known."""
    known = [array for array in arrays if array is not None]
    return np.concatenate(known) if len(known) == len(arrays) else None


def _other_policy(place: int, part: PolicyPart, first: PolicyPart) -> str:
    """Which seat another policy has played."""
    seat = next(seat for seat, mark in enumerate(first.policies) if part.policies[seat] != mark)
    return (
        f"seat {seat} of part {place} was played by another policy than in part 0, though both are called "
        f"{first.agents[seat][:80]!r}: give the very same object to both calls, or join them with "
        "same_policies=True if they decide alike"
    )
