"""Sho in the words of its rule book, for the tests.

Positions are written as in the rule book: ``sho("10:1 23:2 h6", "12:1 h8")`` is side A with one coin on 10,
two on 23 and six in hand, to move against side B. A throw is the two digits of its dice, a move its name.
"""

from __future__ import annotations

from typing import Any

import sarai
from helpers.table import GameTable

DICE = [f"{low}{high}" for low in range(1, 7) for high in range(low, 7)]
S14 = "10:1 20:1 h7"


def side(text: str) -> dict[str, Any]:
    """The dict of a side from "10:1 23:2 h6 off1 cleared"."""
    coins: dict[str, Any] = {"hand": 0, "off": 0, "stacks": {}, "cleared": False}
    for word in text.split():
        if ":" in word:
            position, size = word.split(":")
            coins["stacks"][position] = int(size)
        elif word == "cleared":
            coins["cleared"] = True
        else:
            key, number = ("off", word[3:]) if word.startswith("off") else ("hand", word[1:])
            coins[key] = int(number)
    return coins


class Table(GameTable):
    """A game in progress, played in the words of the rule book."""

    def roll(self, *throws: str) -> Table:
        for throw in throws:
            assert self["phase"] in ("roll", "reroll")
            assert self.state.current_player() == sarai.CHANCE
            self.state.apply_action(DICE.index(throw))
        return self

    def values(self) -> list[int]:
        assert self["phase"] == "value"
        names = [self.state.action_to_string(a) for a in self.state.legal_actions()]
        assert all(name.startswith("value ") for name in names)
        return [int(name.removeprefix("value ")) for name in names]

    def sources(self, value: int) -> set[str]:
        """The moves by a value, in the phase that asks for the value."""
        return Table(self.game, self.state.clone()).play(f"value {value}").moves()

    def side(self, number: int) -> dict[str, Any]:
        sides: list[dict[str, Any]] = self["sides"]
        return sides[number]

    def goes_on(self) -> bool:
        """Whether the player on turn at the start is to roll again, in the same turn."""
        kept = all(self[key] == self.start[key] for key in ("player", "turn"))
        return kept and self["phase"] == "roll"

    def turn_ended(self) -> bool:
        """Whether the next seat is to roll, with nothing left over from the turn before."""
        passed = self["turn"] == self.start["turn"] + 1
        seat = (self.start["player"] + 1) % self.game.num_players
        nothing_left = (self["pool"], self["value"], self["moved"]) == ([], None, None)
        return passed and nothing_left and self["phase"] == "roll" and self["player"] == seat


def sho(*sides: str, player: int = 0, pool: tuple[int, ...] = (), turn: int = 0, **options: Any) -> Table:
    """Seat `player` about to roll; as many players as sides unless `players` says otherwise."""
    options.setdefault("players", len(sides))
    game = sarai.make("sho", **options)
    coins = [side(text) for text in sides]
    for c in coins:  # a slip of the pen in a position should not look like a fault of the engine
        assert c["hand"] + c["off"] + sum(c["stacks"].values()) == game.rules["coins"]
    d = {
        "phase": "roll",
        "player": player,
        "sides": coins,
        "pool": list(pool),
        "six_three_roll": False,
        "value": None,
        "moved": None,
        "turn": turn,
        "winner": None,
    }
    return Table(game, game.state_from_dict(d))


def new_game(**options: Any) -> Table:
    game = sarai.make("sho", **options)
    return Table(game, game.new_initial_state())


def s1() -> Table:
    return sho("10:1 23:2 h6", "12:1 40:2 h6").roll("11", "56")


def flexible(*sides: str, **options: Any) -> Table:
    return sho(*sides, pa_ra="flexible", **options)


def overflow(*sides: str, **options: Any) -> Table:
    return sho(*sides, finish_overflow=True, **options)
