"""Positions of Shah written as in the rule book, for the tests: sets of indices, and moves by their names."""

from __future__ import annotations

from typing import Any

import sarai
from helpers.table import GameTable

POINTS = [
    *("a7", "d7", "g7", "b6", "d6", "f6", "c5", "d5", "e5", "a4", "b4", "c4"),
    *("e4", "f4", "g4", "c3", "d3", "e3", "b2", "d2", "f2", "a1", "d1", "g1"),
]

# No mill of either colour: the board of H2.
FULL = {1, 2, 4, 5, 6, 8, 9, 10, 12, 16, 18, 21}
REST = set(range(24)) - FULL


class Table(GameTable):
    """A game in progress, played in the words of the rule book."""

    def stones(self, player: int) -> set[int]:
        return {point for point, mark in enumerate(self["board"]) if mark == str(player)}

    def to_move(self, player: int, *, phase: str = "slide", extra: bool = False) -> bool:
        """Whether `player` is asked next, and for what."""
        d = self.state.to_dict()
        asked = self.state.current_player() == player == d["player"]
        return asked and (d["phase"], d["extra"]) == (phase, extra)

    def over(self, winner: int | None) -> bool:
        """Whether the game is over with this winner, and everything says so."""
        d = self.state.to_dict()
        gains = [0.0, 0.0] if winner is None else [(-1.0, 1.0)[seat == winner] for seat in (0, 1)]
        assert (d["phase"] == "over") == self.state.is_terminal()
        ended = self.state.is_terminal() and self.state.current_player() == sarai.TERMINAL
        cleared = (d["player"], d["extra"], d["lifted"]) == (None, False, None)
        nothing_legal = self.state.legal_actions() == []
        return (
            ended
            and cleared
            and nothing_legal
            and d["winner"] == winner
            and list(self.state.returns()) == gains
        )


def names(text: str) -> set[str]:
    """The set of the moves in "a7-a4 d7-g7"."""
    moves = text.split()
    assert len(set(moves)) == len(moves)
    return set(moves)


def captures(points: set[int]) -> set[str]:
    return {f"x{POINTS[point]}" for point in points}


def draw(white: set[int], black: set[int]) -> str:
    assert not white & black
    return "".join("0" if p in white else "1" if p in black else "." for p in range(24))


def new_game(preset: str | None = None, **options: Any) -> Table:
    game = sarai.make("shah", preset=preset, **options)
    return Table(game, game.new_initial_state())


def moving(
    white: set[int],
    black: set[int],
    *,
    player: int = 0,
    extra: bool = False,
    no_capture: int = 0,
    turn: int = 100,
    beginner: int = 0,
    preset: str | None = None,
    **options: Any,
) -> Table:
    """A position of the moving phase: `white` are player 0's stones."""
    game = sarai.make("shah", preset=preset, **options)
    d = {
        "phase": "slide",
        "player": player,
        "board": draw(white, black),
        "hand": [0, 0],
        "beginner": beginner,
        "opening_removals": 0,
        "extra": extra,
        "lifted": None,
        "no_capture": no_capture,
        "turn": turn,
        "winner": None,
    }
    return Table(game, game.state_from_dict(d))


def placing(
    white: set[int],
    black: set[int],
    hand: tuple[int, int],
    *,
    player: int = 0,
    beginner: int | None = None,
    preset: str | None = None,
    **options: Any,
) -> Table:
    """A position of the placing phase; the turn is the number of stones placed."""
    game = sarai.make("shah", preset=preset, **options)
    d = {
        "phase": "place",
        "player": player,
        "board": draw(white, black),
        "hand": list(hand),
        "beginner": beginner,
        "opening_removals": 2 if game.rules["opening_removals"] == "both" else 0,
        "extra": False,
        "lifted": None,
        "no_capture": 0,
        "turn": 2 * game.rules["pieces"] - sum(hand),
        "winner": None,
    }
    return Table(game, game.state_from_dict(d))


def place_all(table: Table, white: set[int], black: set[int], *, first: int = 0) -> Table:
    """Places the stones in turn, each player's in ascending order."""
    mine, yours = (sorted(white), sorted(black)) if first == 0 else (sorted(black), sorted(white))
    assert len(mine) == len(yours)
    for one, other in zip(mine, yours, strict=True):
        table.play(POINTS[one], POINTS[other])
    return table
