"""Sho once more, written from the rule book alone: slow, plain, and meant to be read beside it.

The engine is held to this file (see ``test_sho_reference.py``), which shares no code and no data structure
with it: a state is the plain dict that ``State.to_dict()`` returns, every step copies it, and whatever can be
found by trying everything out (which parts of a pool, which splits, which sources) is found that way.
"Rn" in the comments are the numbers of the rules.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

State = dict[str, Any]

# The 21 throws in the order of their outcomes: 11, 12, ..., 16, 22, 23, ..., 66.
DICE = [(low, high) for low in range(1, 7) for high in range(low, 7)]

VALUE_BASE = 63  # the action that chooses the value v is VALUE_BASE + v
BRING_ALL = 128
DECLINE = 129
MOVED_OFF = 64  # what "moved" holds when the first stack of a split left the board
MAX_POOL = 8
MAX_VALUE = 64
SIX_THREE_POSITION = 9

DEFAULTS: dict[str, Any] = {
    "players": 3,
    "teams": False,
    "num_shells": 64,
    "coins": 9,
    "entry_coins": 1,
    "niner_stack": True,
    "six_three": False,
    "last_kill_ends_turn": False,
    "pa_ra": "choose",
    "finish_overflow": False,
    "first_player": 0,
    "stake": 1.0,
    "max_turns": 5000,
}

PRESETS: dict[str, dict[str, Any]] = {
    "basic": {},
    "variants": {"six_three": True, "last_kill_ends_turn": True, "finish_overflow": True},
    "no_niner": {"niner_stack": False},
    "flexible": {"pa_ra": "flexible"},
    "teams": {"players": 4, "teams": True},
    "lhasa": {"entry_coins": 2, "six_three": True},
}


def rules_allowed(rules: dict[str, Any]) -> bool:
    """Whether the rule book takes this combination of options (each of them given, and of the right type)."""
    seats = range(rules["players"])
    return (
        2 <= rules["players"] <= 4
        and (rules["players"] == 4 or not rules["teams"])
        and 4 <= rules["num_shells"] <= 64
        and 1 <= rules["coins"] <= 9
        and 1 <= rules["entry_coins"] <= 3
        and (rules["niner_stack"] or rules["coins"] > rules["entry_coins"])  # R10
        and (rules["niner_stack"] or not rules["six_three"])  # R12
        and rules["pa_ra"] in ("choose", "flexible", "none")
        and (rules["first_player"] == "random" or rules["first_player"] in seats)
        and rules["stake"] > 0
        and 1 <= rules["max_turns"] <= 65535
    )


@dataclass
class Move:
    """What one move would do."""

    kind: str  # "place", "stack", "kill" or "finish"
    target: int | None  # None: off the board
    unused: int  # counts that a finish leaves over
    empties: bool  # a kill after which the victim has no stack on the track
    sides: list[dict[str, Any]]  # everybody's coins afterwards


class ReferenceSho:
    """One rule book: functions from state dicts to state dicts. Options not given have their default."""

    def __init__(self, rules: dict[str, Any]) -> None:
        unknown = set(rules) - set(DEFAULTS)
        self.rules = {**DEFAULTS, **rules}
        if unknown or not rules_allowed(self.rules):
            raise ValueError(f"not options of Sho: {rules}")

    # ------------------------------------------------------------------------------------------ the game

    def initial(self) -> State:
        r = self.rules
        num_sides = 2 if r["teams"] else r["players"]  # R1
        untouched = {"hand": r["coins"], "off": 0, "stacks": {}, "cleared": False}
        draw_lots = r["first_player"] == "random"
        return {
            "phase": "first" if draw_lots else "roll",
            "player": None if draw_lots else r["first_player"],
            "sides": [copy.deepcopy(untouched) for _ in range(num_sides)],
            "pool": [],
            "six_three_roll": False,
            "value": None,
            "moved": None,
            "turn": 0,
            "winner": None,
        }

    def chance(self, d: State) -> list[tuple[int, float]]:
        """The outcomes of a chance node with their probabilities; [] elsewhere."""
        if d["phase"] == "first":
            n = self.rules["players"]
            return [(seat, 1 / n) for seat in range(n)]
        if d["phase"] in ("roll", "reroll"):
            return [(i, (1 if low == high else 2) / 36) for i, (low, high) in enumerate(DICE)]
        return []

    def legal(self, d: State) -> list[int]:
        """The legal actions, ascending; [] at a chance node and at the end."""
        if d["phase"] == "value":
            return [VALUE_BASE + v for v in self._values(d)]
        if d["phase"] == "source":
            return self._source_actions(d)
        if d["phase"] == "overflow":
            return [*self._sources(d, d["value"]), DECLINE]  # R14
        return []

    def apply(self, d: State, action: int) -> State:
        """The state after an outcome (at a chance node) or an action; `d` itself is left as it is."""
        allowed = [outcome for outcome, _ in self.chance(d)] or self.legal(d)
        if action not in allowed:
            raise ValueError(f"{action} is not among {allowed} in {d}")
        d = copy.deepcopy(d)
        step: dict[str, Callable[[State, int], None]] = {
            "first": self._seat_drawn,
            "roll": self._dice_thrown,
            "reroll": self._dice_thrown,
            "value": self._value_chosen,
            "source": self._source_chosen,
            "overflow": self._overflow_chosen,
        }
        step[d["phase"]](d, action)
        return d

    def name(self, d: State, action: int) -> str:
        if d["phase"] == "value":
            return f"value {action - VALUE_BASE}"
        if action == BRING_ALL:
            return f"hand/{SIX_THREE_POSITION} all"
        if action == DECLINE:
            return "decline"
        move = self._move(d, action, d["value"])
        assert move is not None
        source = "hand" if action == 0 else str(action)
        target = "off" if move.target is None else str(move.target)
        return f"{source}/{target}" + {"stack": "+", "kill": "*"}.get(move.kind, "")

    def returns(self, d: State) -> list[float]:
        """R15: one entry for each seat."""
        n, stake = self.rules["players"], self.rules["stake"]
        if d["phase"] != "over" or d["winner"] is None:
            return [0.0] * n
        gain = stake if self.rules["teams"] else (n - 1) * stake
        return [gain if self.side_of(seat) == d["winner"] else -stake for seat in range(n)]

    def side_of(self, seat: int) -> int:
        return seat % 2 if self.rules["teams"] else seat  # R1

    # ------------------------------------------------------------------------------------------ one move

    def _move(self, d: State, source: int, distance: int) -> Move | None:
        """Moves a hand coin (source 0) or the stack on `source`; None if that is illegal."""
        r = self.rules
        me = self.side_of(d["player"])
        sides = [{**side, "stacks": dict(side["stacks"])} for side in d["sides"]]
        mine = sides[me]

        if source == 0:
            if mine["hand"] == 0:
                return None
            untouched = not mine["stacks"] and mine["off"] == 0
            size = min(r["entry_coins"], mine["hand"]) if untouched else 1  # R3, entry_coins
            mine["hand"] -= size
            mine["cleared"] = False
        else:
            if str(source) not in mine["stacks"]:
                return None
            size = mine["stacks"].pop(str(source))  # R4: a stack moves as one

        if source + distance >= r["num_shells"]:  # R2: no exact throw is needed
            mine["off"] += size
            return Move("finish", None, source + distance - r["num_shells"], False, sides)

        target = source + distance
        where = str(target)
        kind, empties = "place", False
        for number, other in enumerate(sides):
            if number == me or where not in other["stacks"]:
                continue
            if other["stacks"][where] > size:  # R6: a larger stack is not killed
                return None
            kind = "kill"
            other["hand"] += other["stacks"].pop(where)  # R4: back to the hand
            other["cleared"] = other["hand"] == r["coins"]
            empties = not other["stacks"]
        if where in mine["stacks"]:
            kind = "stack"
        mine["stacks"][where] = mine["stacks"].get(where, 0) + size
        if not r["niner_stack"] and mine["stacks"][where] == r["coins"]:  # R10
            return None
        return Move(kind, target, 0, empties, sides)

    def _bring_all(self, d: State) -> Move | None:
        """R12: every coin from the hand to 9 as one stack; None if that is illegal."""
        r = self.rules
        me = self.side_of(d["player"])
        sides = [{**side, "stacks": dict(side["stacks"])} for side in d["sides"]]
        mine = sides[me]
        where = str(SIX_THREE_POSITION)
        in_split = r["pa_ra"] == "flexible" and (len(d["pool"]) > 1 or d["moved"] is not None)
        if (
            not r["six_three"]
            or not d["six_three_roll"]
            or in_split
            or not mine["cleared"]
            or mine["hand"] != r["coins"]
            or r["num_shells"] <= SIX_THREE_POSITION
            or any(where in side["stacks"] for side in sides)
        ):
            return None
        mine.update(hand=0, cleared=False, stacks={where: r["coins"]})
        return Move("place", SIX_THREE_POSITION, 0, False, sides)

    def _sources(self, d: State, distance: int) -> list[int]:
        """Where a move by `distance` can start from, R12 and R13 apart."""
        stacks = sorted(int(position) for position in d["sides"][self.side_of(d["player"])]["stacks"])
        return [s for s in [0, *stacks] if self._move(d, s, distance) is not None]

    # ------------------------------------------------------------------------------------------ the pool

    def _parts(self, pool: list[int]) -> list[tuple[int, ...]]:
        """All non-empty parts of the pool, each from its largest value down."""
        down = sorted(pool, reverse=True)
        return [part for size in range(1, len(down) + 1) for part in combinations(down, size)]

    def _part_to_spend(self, pool: list[int], total: int) -> tuple[int, ...]:
        """Of the parts with this sum the one with fewest values; of those the larger, largest first (R9)."""
        parts = [part for part in self._parts(pool) if sum(part) == total]
        fewest = min(len(part) for part in parts)
        return max(part for part in parts if len(part) == fewest)

    def _values(self, d: State) -> list[int]:
        """The values that the value phase offers."""
        total = sum(d["pool"])
        if self._is_flexible(d):
            splits = [a for a in range(1, total) if self._first_sources(d, a)]
            return splits or ([total] if self._sources(d, total) else [])  # R13
        sums = sorted({sum(part) for part in self._parts(d["pool"])})
        return [v for v in sums if v <= MAX_VALUE and self._source_actions({**d, "value": v})]  # R9

    def _is_flexible(self, d: State) -> bool:
        """Whether the pool came from 1-1 and R13 says how it is played."""
        return self.rules["pa_ra"] == "flexible" and len(d["pool"]) > 1

    def _is_first_part(self, d: State) -> bool:
        return self._is_flexible(d) and d["value"] < sum(d["pool"])

    def _source_actions(self, d: State) -> list[int]:
        """The actions that move by d["value"]."""
        if self._is_first_part(d):
            return self._first_sources(d, d["value"])
        sources = [s for s in self._sources(d, d["value"]) if s != d["moved"]]  # R13
        bring_all = d["value"] == SIX_THREE_POSITION and self._bring_all(d) is not None
        return [*sources, BRING_ALL] if bring_all else sources

    def _first_sources(self, d: State, a: int) -> list[int]:
        """R13: the sources of a first part `a` after which the second part can be played."""
        good = []
        for source in self._sources(d, a):
            move = self._move(d, source, a)
            assert move is not None
            after = {**d, "sides": move.sides}
            rest = sum(d["pool"]) - a
            seconds = [s for s in self._sources(after, rest) if s != move.target]
            if seconds or self._kill_ends_turn(move):  # R11: then no second part need be playable
                good.append(source)
        return good

    def _kill_ends_turn(self, move: Move) -> bool:
        return bool(self.rules["last_kill_ends_turn"] and move.kind == "kill" and move.empties)  # R11

    # ------------------------------------------------------------------------------------------ steps

    def _seat_drawn(self, d: State, seat: int) -> None:
        d["phase"], d["player"] = "roll", seat

    def _dice_thrown(self, d: State, outcome: int) -> None:
        dice = DICE[outcome]
        d["six_three_roll"] = self.rules["six_three"] and dice == (3, 6)
        d["pool"] = sorted([*d["pool"], sum(dice)])  # R5: only the total counts
        if dice == (1, 1) and self.rules["pa_ra"] != "none" and len(d["pool"]) < MAX_POOL:
            d["phase"] = "reroll"  # R9
        elif len(d["pool"]) == 1:
            d["phase"], d["value"] = "source", d["pool"][0]
            if not self.legal(d):
                self._turn_passes(d)  # R7
        else:
            d["phase"] = "value"
            if not self.legal(d):
                self._turn_passes(d)

    def _value_chosen(self, d: State, action: int) -> None:
        d["phase"], d["value"] = "source", action - VALUE_BASE

    def _source_chosen(self, d: State, action: int) -> None:
        move = self._bring_all(d) if action == BRING_ALL else self._move(d, action, d["value"])
        assert move is not None
        if self._is_first_part(d) and not self._kill_ends_turn(move):  # R13
            rest = sum(d["pool"]) - d["value"]
            d.update(sides=move.sides, six_three_roll=False, pool=[rest], value=rest)
            d["moved"] = MOVED_OFF if move.target is None else move.target
            return
        if self._is_flexible(d):
            d["pool"] = []  # the whole of T is spent (or lost, R11)
        else:
            for value in self._part_to_spend(d["pool"], d["value"]):
                d["pool"].remove(value)
        self._moved(d, move, may_overflow=True)

    def _overflow_chosen(self, d: State, action: int) -> None:
        if action == DECLINE:
            self._turn_passes(d)
            return
        move = self._move(d, action, d["value"])
        assert move is not None
        self._moved(d, move, may_overflow=False)

    def _moved(self, d: State, move: Move, may_overflow: bool) -> None:
        """What follows a move that decides whether the turn goes on."""
        d.update(sides=move.sides, six_three_roll=False, value=None, moved=None)
        me = self.side_of(d["player"])
        overflow = may_overflow and self.rules["finish_overflow"] and move.unused > 0
        if d["sides"][me]["off"] == self.rules["coins"]:  # R8
            self._over(d, winner=me)
        elif move.kind in ("stack", "kill") and not self._kill_ends_turn(move):
            d["phase"] = "roll"  # R7
        elif overflow and self._sources(d, move.unused):
            d["phase"], d["value"] = "overflow", move.unused  # R14
        else:
            self._turn_passes(d)

    def _turn_passes(self, d: State) -> None:
        # six_three_roll is left alone: no move, no new throw, so the latest throw is still the latest.
        d.update(pool=[], value=None, moved=None, turn=d["turn"] + 1)
        if d["turn"] == self.rules["max_turns"]:
            self._over(d, winner=None)
        else:
            d["phase"], d["player"] = "roll", (d["player"] + 1) % self.rules["players"]

    def _over(self, d: State, winner: int | None) -> None:
        d.update(phase="over", player=None, winner=winner)
        d.update(pool=[], value=None, moved=None, six_three_roll=False)


def standing(view: dict[str, Any]) -> Iterator[tuple[int, str, int]]:
    """Whose pieces stand at which place of the board or beside it, and how many, in a view."""
    state = view["state"]
    for side, told in enumerate(state["sides"]):
        yield side, "hand", told["hand"]
        yield side, "off", told["off"]
        for place, coins in told["stacks"].items():
            yield side, str(place), coins
