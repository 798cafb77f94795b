"""What is read of a view of Sho, and how a position is said in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sarai.render import pieces

# What the player is asked for, as shown on the pad and as said in the description.
PHASES = {
    "first": ("who begins?", "who begins is still to be drawn"),
    "roll": ("to roll", "is to roll the dice"),
    "reroll": ("to roll again", "threw 1-1 and is to roll again"),
    "value": ("choose a value", "is to choose a value"),
    "source": ("choose a stack", "is to choose what moves"),
    "overflow": ("use the rest?", "may move another stack by what is left over"),
    "over": ("", "the game is over"),
}


@dataclass(frozen=True)
class Side:
    """One side of the state."""

    index: int
    seats: list[int]
    hand: int
    off: int
    stacks: dict[int, int]
    cleared: bool

    @property
    def letter(self) -> str:
        """What the side is called by."""
        return pieces.LETTERS[self.index]

    @property
    def name(self) -> str:
        """The side in words."""
        return f"side {self.letter}"

    @property
    def players(self) -> str:
        """Its players in words."""
        return f"player{'s' if len(self.seats) > 1 else ''} {', '.join(map(str, self.seats))}"


@dataclass(frozen=True)
class Position:
    """All that the drawing reads of a view."""

    num_shells: int
    sides: list[Side]
    phase: str
    player: int | None
    pool: list[int]
    six_three_roll: bool
    value: int | None
    moved: int | None
    turn: int
    winner: int | None

    @property
    def acting(self) -> Side | None:
        """The side of the player whose turn it is."""
        return next((side for side in self.sides if self.player in side.seats), None)


def read(view: Mapping[str, Any]) -> Position:
    """The position of a view that a state has given."""
    state = view["state"]
    sides = [
        Side(
            index,
            [seat for seat, side in enumerate(view["sides"]) if side == index],
            side["hand"],
            side["off"],
            dict(sorted((int(place), count) for place, count in side["stacks"].items())),
            side["cleared"],
        )
        for index, side in enumerate(state["sides"])
    ]
    names = ("phase", "player", "pool", "six_three_roll", "value", "moved", "turn", "winner")
    return Position(view["rules"]["num_shells"], sides, **{name: state[name] for name in names})


def headline(position: Position) -> str:
    """The position in a few words."""
    won = None if position.winner is None else f"{position.sides[position.winner].name} wins"
    return pieces.said(position.player, position.phase, PHASES, won)


def describe(position: Position) -> str:
    """The whole position in words, for those who do not see the picture."""
    said = headline(position)
    parts = [f"A spiral of {position.num_shells} shells. {said[0].upper()}{said[1:]}."]
    if position.pool:
        parts.append(f"Values in the pool: {', '.join(map(str, position.pool))}.")
    if position.value is not None:
        parts.append(f"To move: {position.value}.")
    if position.moved is not None:
        parts.append(f"Moved just now, so it rests: {place_name(position)}.")
    if position.six_three_roll:
        parts.append("The roll is 6-3.")
    for side in position.sides:
        stacks = ", ".join(f"{count} on {place}" for place, count in side.stacks.items()) or "none"
        cleared = " All its coins were sent home." if side.cleared else ""
        parts.append(
            f"Side {side.letter} ({side.players}): {side.hand} in hand, {side.off} off, "
            f"on the track: {stacks}.{cleared}"
        )
    return " ".join(parts)


def place_name(position: Position) -> str:
    """What moved just now, in words."""
    off = position.moved is not None and position.moved >= position.num_shells
    return "a stack that went off" if off else f"the stack on {position.moved}"
