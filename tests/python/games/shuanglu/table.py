"""Shuanglu in the words of its rule book, for the tests.

``shuanglu("bar1 6:5 8:4 13:5", "6:15")`` is who is to throw against the other, each in his own numbering; a throw
is the two digits of its dice, a step its name. A result is what the turn leaves of both players.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import sarai
from helpers.table import GameTable

DICE = [f"{low}{high}" for low in range(1, 7) for high in range(low, 7)]
OPENING = [f"{a}{b}" for a in range(1, 7) for b in range(1, 7) if a != b]

START = "6:5 8:3 13:5 24:2"
FROM_ORIGIN = "1:2 12:5 17:3 19:5"


class Pieces(NamedTuple):
    """One player's pieces."""

    points: tuple[int, ...]  # point 1 first
    bar: int
    off: int


def pieces(text: str) -> Pieces:
    """The pieces of "bar1 6:5 8:4 off5"."""
    points = [0] * 24
    bar = off = 0
    for word in text.split():
        if word.startswith("bar"):
            bar = int(word.removeprefix("bar"))
        elif word.startswith("off"):
            off = int(word.removeprefix("off"))
        else:
            point, count = word.split(":")
            points[int(point) - 1] = int(count)
    return Pieces(tuple(points), bar, off)


def written(side: Pieces) -> str:
    """The text of pieces, from the bar down to those off."""
    words = [f"bar{side.bar}"] if side.bar else []
    words += [f"{point}:{side.points[point - 1]}" for point in range(1, 25) if side.points[point - 1]]
    return " ".join([*words, *([f"off{side.off}"] if side.off else [])])


class Table(GameTable):
    """A game in progress."""

    def side(self, seat: int) -> str:
        d = self.state.to_dict()
        return written(Pieces(tuple(d["points"][seat]), d["bar"][seat], d["off"][seat]))

    def open(self, throws: str) -> Table:
        assert self["phase"] == "opening"
        assert self.state.current_player() == sarai.CHANCE
        self.state.apply_action(OPENING.index(throws))
        return self

    def roll(self, throw: str) -> Table:
        assert self["phase"] == "roll"
        assert self.state.current_player() == sarai.CHANCE
        self.state.apply_action(DICE.index("".join(sorted(throw))))
        return self

    def lines(self) -> set[tuple[str, ...]]:
        """The names of the steps of every whole turn."""
        if self["phase"] != "move":
            return {()}
        found = set()
        for name in self.moves():
            further = Table(self.game, self.state.clone()).play(name).lines()
            found |= {(name, *line) for line in further}
        return found

    def ends(self) -> dict[tuple[str, str], Any]:
        """The distinct positions at the end of the turn (seat 0, seat 1), each with a state that has it."""
        found: dict[tuple[str, str], Any] = {}
        open_states, met = [self.state.clone()], set()
        while open_states:
            state = open_states.pop()
            if state.is_chance_node() or state.is_terminal():
                table = Table(self.game, state)
                found[table.side(0), table.side(1)] = state
                continue
            for action in state.legal_actions():
                after = state.clone()
                after.apply_action(action)
                if after not in met:
                    met.add(after)
                    open_states.append(after)
        return found

    def results(self) -> set[str]:
        """What a turn of seat 0 can leave of his own pieces."""
        return {mine for mine, _ in self.ends()}

    def turn_ended(self) -> bool:
        """Whether the other seat is to throw, with no die left over."""
        d = self.state.to_dict()
        passed = d["turn"] == self.start["turn"] + 1
        return passed and (d["phase"], d["player"], d["dice"]) == ("roll", 1 - self.start["player"], [])

    def passed(self) -> bool:
        """Whether the turn ended with nothing moved."""
        d = self.state.to_dict()
        return self.turn_ended() and all(d[key] == self.start[key] for key in ("points", "bar", "off"))


def shuanglu(me: str, enemy: str = "6:15", *, player: int = 0, turn: int = 0, **options: Any) -> Table:
    """Seat `player` about to throw, with the pieces `me`."""
    game = sarai.make("shuanglu", **options)
    both = [pieces(me), pieces(enemy)]
    for side in both:  # a slip of the pen in a position should not look like a fault of the engine
        assert sum(side.points) + side.bar + side.off == 15
    if player == 1:
        both.reverse()
    d = {
        "phase": "roll",
        "player": player,
        "points": [list(side.points) for side in both],
        "bar": [side.bar for side in both],
        "off": [side.off for side in both],
        "dice": [],
        "turn": turn,
        "winner": None,
        "points_won": 0,
    }
    return Table(game, game.state_from_dict(d))


def new_game(**options: Any) -> Table:
    game = sarai.make("shuanglu", **options)
    return Table(game, game.new_initial_state())
