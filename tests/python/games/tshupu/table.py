"""A game of T'shu-p'u played in the words of the rule book, for the tests of its positions and rules.

``tshupu("0 10 10 10", east="24 1 1 1")`` is south to throw, its pieces at these values of progress; a seat that
is not named has all its pieces on its start square. A throw is the two faces of its dice, a move its name.
"""

from __future__ import annotations

from typing import Any

import sarai
from helpers.table import GameTable

DICE = ["11", "13", "14", "16", "33", "34", "36", "44", "46", "66"]
ALL_OFF = "33 33 33 33"


def sort_key(name: str) -> tuple[int, int]:
    """Moves of one turn in the order in which the rule book writes them: from hand, then by progress."""
    source, target = name.removesuffix(" (both)").removesuffix("*").split("/")
    return (0 if source == "hand" else int(source), 33 if target == "off" else int(target))


class Table(GameTable):
    """A game in progress."""

    def roll(self, throw: str) -> Table:
        assert self["phase"] == "roll"
        assert self.state.current_player() == sarai.CHANCE
        self.state.apply_action(DICE.index(throw))
        return self

    def sequences(self) -> set[tuple[str, ...]]:
        """All ways to play the throw, action by action."""
        assert self["phase"] == "move"
        found: set[tuple[str, ...]] = set()
        for first in self.moves():
            after = self.copy().play(first)
            if after["phase"] == "second":
                found |= {(first, second) for second in after.moves()}
            else:
                found.add((first,))
        return found

    def turns(self) -> set[str]:
        """All ways to play the throw, whichever of two moves comes first: "10/13 & 10/16"."""
        return {" & ".join(sorted(sequence, key=sort_key)) for sequence in self.sequences()}

    def seat(self, number: int) -> list[int]:
        pieces: list[list[int]] = self["pieces"]
        return pieces[number]

    def turn_ended(self, turns: int = 1) -> bool:
        """Whether the turn, and those of players passed over, have passed on and nothing is left of the throw."""
        passed = self["turn"] == self.start["turn"] + turns
        seat = (self.start["player"] + turns) % 4
        nothing_left = (self["dice"], self["moved"]) == ([], None)
        return passed and nothing_left and self["phase"] == "roll" and self["player"] == seat


def position(
    south: str | None = None,
    west: str | None = None,
    north: str | None = None,
    east: str | None = None,
    *,
    player: int = 0,
    turn: int | None = None,
    **options: Any,
) -> tuple[Any, dict[str, Any]]:
    """A game and the dict of a position in it, `player` about to throw."""
    game = sarai.make("tshupu", **options)
    start = " ".join(["1"] * game.rules["pieces"])
    seats = [start if seat is None else seat for seat in (south, west, north, east)]
    first = 0 if game.rules["first_player"] == "random" else game.rules["first_player"]
    d: dict[str, Any] = {
        "phase": "roll",
        "player": player,
        "pieces": [sorted(int(progress) for progress in seat.split()) for seat in seats],
        "dice": [],
        "moved": None,
        "turn": (player - first) % 4 if turn is None else turn,
        "winner": None,
    }
    # A slip of the pen in a position should not look like a fault of the engine.
    assert all(len(seat) == game.rules["pieces"] for seat in d["pieces"])
    return game, d


def tshupu(*seats: str, **options: Any) -> Table:
    """The table at a position: see :func:`position`."""
    game, d = position(*seats, **options)
    return Table(game, game.state_from_dict(d))


def new_game(**options: Any) -> Table:
    game = sarai.make("tshupu", **options)
    return Table(game, game.new_initial_state())
