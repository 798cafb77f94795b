"""Gamename a second time, written from the rule book alone: slow, plain, and meant to be read beside it.

``test_reference.py`` compares the engine with this file, which shares no code and no data structure with it. A state is
the plain dict that ``State.to_dict()`` returns, and every step copies it. "Rn" refers to the numbered rules.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

State = dict[str, Any]

TRACK = 12
FACES = (0, 1, 2, 3, 4)  # R2; 0 is the blank
HAND, OFF = 0, TRACK + 1

DEFAULTS: dict[str, Any] = {"pieces": 4, "exact": True, "max_turns": 1000}
PRESETS: dict[str, dict[str, Any]] = {"gamename": {}}


class Reference:
    """A rule book in plain Python."""

    def __init__(self, rules: dict[str, Any]) -> None:
        self.rules = {**DEFAULTS, **rules}

    def initial(self) -> State:
        pieces = self.rules["pieces"]
        return {
            "phase": "roll",
            "player": 0,
            "hand": [pieces, pieces],
            "off": [0, 0],
            "squares": [[], []],
            "throw": None,
            "turn": 0,
            "winner": None,
        }

    def chance(self, d: State) -> list[tuple[int, float]]:
        return [(face, 1 / len(FACES)) for face in FACES] if d["phase"] == "roll" else []

    def legal(self, d: State) -> list[int]:
        if d["phase"] != "move" or d["throw"] == 0:
            return []
        sources = [HAND] if d["hand"][d["player"]] else []
        return [source for source in [*sources, *d["squares"][d["player"]]] if self._fits(d, source)]

    def _fits(self, d: State, source: int) -> bool:
        target = source + d["throw"]
        if target > TRACK:  # R5
            return target == OFF or not self.rules["exact"]
        return target not in d["squares"][d["player"]]  # R3

    def apply(self, d: State, action: int) -> State:
        d = copy.deepcopy(d)
        if d["phase"] == "roll":
            d["phase"], d["throw"] = "move", FACES[action]
            if not self.legal(d):  # R7
                self._end_turn(d)
        else:
            self._moved(d, action)
        return d

    def _moved(self, d: State, source: int) -> None:
        player, target = d["player"], source + d["throw"]
        mine, theirs = d["squares"][player], d["squares"][1 - player]
        if source == HAND:
            d["hand"][player] -= 1
        else:
            mine.remove(source)
        if target > TRACK:
            d["off"][player] += 1
            if d["off"][player] == self.rules["pieces"]:  # R6
                d.update(phase="over", player=None, throw=None, winner=player)
                return
        else:
            mine.append(target)
            mine.sort()
            if target in theirs:  # R4
                theirs.remove(target)
                d["hand"][1 - player] += 1
        self._end_turn(d)

    def _end_turn(self, d: State) -> None:
        d.update(phase="roll", player=1 - d["player"], throw=None, turn=d["turn"] + 1)
        if d["turn"] == self.rules["max_turns"]:
            d.update(phase="over", player=None)

    def name(self, d: State, action: int) -> str:
        target = action + d["throw"]
        start = "hand" if action == HAND else str(action)
        if target > TRACK:
            return f"{start}/off"
        return f"{start}/{target}{'*' if target in d['squares'][1 - d['player']] else ''}"

    def returns(self, d: State) -> list[float]:
        if d["winner"] is None:
            return [0.0, 0.0]
        return [1.0, -1.0] if d["winner"] == 0 else [-1.0, 1.0]


def standing(view: dict[str, Any]) -> Iterator[tuple[int, str, int]]:
    """Whose pieces stand at which place of the board or beside it, and how many, in a view."""
    d = view["state"]
    for side in (0, 1):
        for square in d["squares"][side]:
            yield side, str(square), 1
        yield side, "hand", d["hand"][side]
        yield side, "off", d["off"][side]
