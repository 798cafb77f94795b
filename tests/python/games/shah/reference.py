"""Shah once more, written from the rule book alone: slow, plain, and meant to be read beside it.

The engine is held to this file (see ``test_shah_reference.py``), which shares no code and no data structure
with it: a state is the plain dict that ``State.to_dict()`` returns, every step copies it, and every question
(is this a mill, who is blocked, which extra moves open) is answered by going through lists of lines and edges.
"Rn" in the comments are the numbers of the rules.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

State = dict[str, Any]

FILES_AND_RANKS = "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1"
POINTS = FILES_AND_RANKS.split()

LINES = [
    (0, 1, 2), (3, 4, 5), (6, 7, 8), (9, 10, 11), (12, 13, 14), (15, 16, 17), (18, 19, 20), (21, 22, 23),
    (0, 9, 21), (3, 10, 18), (6, 11, 15), (1, 4, 7), (16, 19, 22), (8, 12, 17), (5, 13, 20), (2, 14, 23),
]  # fmt: skip

# The 32 edges, each in both directions: the neighbouring pairs of each line, ascending.
SLIDES = sorted(
    pair for a, b, c in LINES for one, two in ((a, b), (b, c)) for pair in ((one, two), (two, one))
)

PLACE, SLIDE, REMOVE, FLY = 0, 24, 88, 112  # the first action of each kind
NUM_ACTIONS = 136

DEFAULTS: dict[str, Any] = {
    "pieces": 12,
    "placement_captures": False,
    "begin": "first_mill",
    "opening_removals": "both",
    "mill_protection": "none",
    "flying": False,
    "blocked": "opponent_opens",
    "no_capture_limit": 200,
    "first_player": 0,
    "max_turns": 1000,
}

PRESETS: dict[str, dict[str, Any]] = {
    "shah": {},
    "nine_mens_morris": {
        "pieces": 9,
        "placement_captures": True,
        "begin": "first_player",
        "opening_removals": "none",
        "mill_protection": "unless_all_in_mills",
        "flying": True,
        "blocked": "loses",
        "no_capture_limit": 0,
        "max_turns": 200,
    },
}


def rules_allowed(rules: dict[str, Any]) -> bool:
    """Whether the rule book takes this combination of options (each of them given, and of the right type)."""
    untouched = rules["pieces"] == 12 and not rules["placement_captures"]
    return (
        3 <= rules["pieces"] <= 12
        and rules["begin"] in ("first_mill", "first_player")
        and rules["opening_removals"] in ("both", "none")
        and (rules["opening_removals"] == "none" or untouched)
        and rules["mill_protection"] in ("none", "unless_all_in_mills")
        and rules["blocked"] in ("opponent_opens", "loses")
        and 0 <= rules["no_capture_limit"] <= 65535
        and rules["first_player"] in (0, 1, "random")
        and 1 <= rules["max_turns"] <= 65535
    )


def name(action: int) -> str:
    if action < SLIDE:
        return POINTS[action]
    if action < REMOVE:
        start, end = SLIDES[action - SLIDE]
        return f"{POINTS[start]}-{POINTS[end]}"
    if action < FLY:
        return f"x{POINTS[action - REMOVE]}"
    return f"fly {POINTS[action - FLY]}"


def points_of(board: str, mark: str) -> list[int]:
    return [point for point in range(24) if board[point] == mark]


def put(board: str, point: int, mark: str) -> str:
    return board[:point] + mark + board[point + 1 :]


def in_mill(board: str, point: int) -> bool:
    """Whether the stone on `point` stands in a row of three of its colour."""
    rows = [line for line in LINES if point in line]
    return any(all(board[p] == board[point] for p in row) for row in rows)


class ReferenceShah:
    """One rule book: functions from state dicts to state dicts. Options not given have their default."""

    def __init__(self, rules: dict[str, Any]) -> None:
        unknown = set(rules) - set(DEFAULTS)
        self.rules = {**DEFAULTS, **rules}
        if unknown or not rules_allowed(self.rules):
            raise ValueError(f"not options of Shah: {rules}")

    # ------------------------------------------------------------------------------------------ the game

    def name(self, d: State, action: int) -> str:
        return name(action)

    def initial(self) -> State:
        r = self.rules
        draw_lots = r["first_player"] == "random"
        first = None if draw_lots else r["first_player"]
        return {
            "phase": "first" if draw_lots else "place",
            "player": first,
            "board": "." * 24,
            "hand": [r["pieces"], r["pieces"]],
            "beginner": first if r["begin"] == "first_player" else None,
            "opening_removals": 2 if r["opening_removals"] == "both" else 0,
            "extra": False,
            "lifted": None,
            "no_capture": 0,
            "turn": 0,
            "winner": None,
        }

    def chance(self, d: State) -> list[tuple[int, float]]:
        """The outcomes of a chance node with their probabilities; [] elsewhere."""
        return [(0, 0.5), (1, 0.5)] if d["phase"] == "first" else []

    def legal(self, d: State) -> list[int]:
        """The legal actions, ascending; [] at the chance node and at the end."""
        if d["phase"] == "place":
            return [PLACE + p for p in points_of(d["board"], ".")]  # R2
        if d["phase"] == "remove":
            return [REMOVE + p for p in self._removable(d)]
        if d["phase"] == "slide":
            moves = self._moves_now(d)
            if self._flies(d["board"], d["player"]):
                return sorted({FLY + start for start, _ in moves})  # R14
            return [SLIDE + number for number, pair in enumerate(SLIDES) if pair in moves]
        if d["phase"] == "land":
            back = put(d["board"], d["lifted"], str(d["player"]))
            moves = self._moves_now({**d, "board": back})
            return sorted(PLACE + end for start, end in moves if start == d["lifted"])
        return []

    def apply(self, d: State, action: int) -> State:
        """The state after an outcome (at the chance node) or an action; `d` itself is left as it is."""
        allowed = [outcome for outcome, _ in self.chance(d)] or self.legal(d)
        if action not in allowed:
            raise ValueError(f"{action} is not among {allowed} in {d}")
        d = copy.deepcopy(d)
        step: dict[str, Callable[[State, int], None]] = {
            "first": self._seat_drawn,
            "place": self._stone_placed,
            "remove": self._stone_removed,
            "slide": self._stone_moved,
            "land": self._stone_landed,
        }
        step[d["phase"]](d, action)
        return d

    def returns(self, d: State) -> list[float]:
        if d["winner"] is None:
            return [0.0, 0.0]
        return [1.0 if player == d["winner"] else -1.0 for player in (0, 1)]

    # ------------------------------------------------------------------------------------- what is where

    def stones(self, d: State, player: int) -> int:
        """On the board, in hand and lifted (R8: stones in hand count)."""
        lifted = d["lifted"] is not None and d["player"] == player
        return len(points_of(d["board"], str(player))) + int(d["hand"][player]) + lifted

    def _flies(self, board: str, player: int) -> bool:
        """R14, in the moving phase: nobody has stones in hand."""
        return self.rules["flying"] and len(points_of(board, str(player))) == 3

    def moves(self, board: str, player: int) -> list[tuple[int, int]]:
        """Every (from, to) of the moving phase, R7 apart."""
        mine, empty = points_of(board, str(player)), points_of(board, ".")
        if self._flies(board, player):
            return [(start, end) for start in mine for end in empty]  # R14
        return [(start, end) for start, end in SLIDES if start in mine and end in empty]  # R5

    def blocked(self, board: str, player: int) -> bool:
        return not self.moves(board, player)

    def _moves_now(self, d: State) -> list[tuple[int, int]]:
        """The moves of the player on turn; of extra moves only those that open, if any does (R7)."""
        me, board = d["player"], d["board"]
        moves = self.moves(board, me)
        if not d["extra"]:
            return moves
        opening = []
        for start, end in moves:
            after = put(put(board, start, "."), end, str(me))
            if not self.blocked(after, 1 - me):
                opening.append((start, end))
        return opening or moves

    def _removable(self, d: State) -> list[int]:
        enemy = points_of(d["board"], str(1 - d["player"]))
        opening = d["turn"] >= 2 * self.rules["pieces"] and d["opening_removals"] > 0
        if opening or self.rules["mill_protection"] == "none":
            return enemy  # R4 and R6: any stone
        outside = [p for p in enemy if not in_mill(d["board"], p)]
        return outside or enemy  # R13

    # ------------------------------------------------------------------------------------------ steps

    def _seat_drawn(self, d: State, seat: int) -> None:
        d["phase"], d["player"] = "place", seat
        if self.rules["begin"] == "first_player":
            d["beginner"] = seat

    def _stone_placed(self, d: State, action: int) -> None:
        me = d["player"]
        d["board"] = put(d["board"], action - PLACE, str(me))
        d["hand"][me] -= 1
        mill = in_mill(d["board"], action - PLACE)
        last = d["hand"] == [0, 0]
        if d["beginner"] is None and (mill or last):
            d["beginner"] = me  # R3: the first mill; without one, who placed last
        if mill and self.rules["placement_captures"]:
            d["phase"] = "remove"  # R13
        else:
            self._placement_done(d)

    def _stone_removed(self, d: State, action: int) -> None:
        d["board"] = put(d["board"], action - REMOVE, ".")
        if d["turn"] < 2 * self.rules["pieces"]:
            self._placement_done(d)
        elif d["opening_removals"] > 0:
            self._opening_removal_done(d)
        else:
            self._move_done(d, captured=True)

    def _stone_moved(self, d: State, action: int) -> None:
        if action >= FLY:
            d["board"] = put(d["board"], action - FLY, ".")
            d["phase"], d["lifted"] = "land", action - FLY
            return
        start, end = SLIDES[action - SLIDE]
        d["board"] = put(d["board"], start, ".")
        self._arrived(d, end)

    def _stone_landed(self, d: State, action: int) -> None:
        d["lifted"] = None
        self._arrived(d, action - PLACE)

    def _arrived(self, d: State, point: int) -> None:
        d["board"] = put(d["board"], point, str(d["player"]))
        if in_mill(d["board"], point) and not d["extra"]:
            d["phase"] = "remove"  # R6; a mill made by an extra move captures nothing (R7)
        else:
            self._move_done(d, captured=False)

    # ------------------------------------------------------------------------------ what follows a step

    def _placement_done(self, d: State) -> None:
        me = d["player"]
        if self.stones(d, 1 - me) < 3:
            self._over(d, winner=me)  # R8
        elif d["hand"] != [0, 0]:
            if self._turn_passes(d):
                d["phase"], d["player"] = "place", 1 - me
        elif d["opening_removals"] > 0:
            if self._turn_passes(d):
                d["phase"], d["player"] = "remove", d["beginner"]  # R4
        else:
            self._moving_begins(d)

    def _opening_removal_done(self, d: State) -> None:
        d["opening_removals"] -= 1
        if d["opening_removals"] == 0:
            self._moving_begins(d)
        elif self._turn_passes(d):
            d["player"] = 1 - d["beginner"]

    def _moving_begins(self, d: State) -> None:
        """The turn before the moving phase is complete but not yet counted."""
        beginner = d["beginner"]
        beginner_blocked = self.blocked(d["board"], beginner)
        if beginner_blocked and self.rules["blocked"] == "loses":
            self._over(d, winner=1 - beginner)  # R7; R12: the turn is not counted
        elif self._turn_passes(d):
            if beginner_blocked and self.blocked(d["board"], 1 - beginner):
                self._over(d, winner=None)  # R7: a full board
            elif beginner_blocked:
                d.update(phase="slide", player=1 - beginner, extra=True)  # R7
            else:
                d.update(phase="slide", player=beginner)

    def _move_done(self, d: State, captured: bool) -> None:
        """R11: after a slide or a landing, with the capture that belongs to it."""
        r, me = self.rules, d["player"]
        d["phase"] = "slide"
        d["no_capture"] = 0 if captured else d["no_capture"] + 1  # R10
        enemy_blocked = self.blocked(d["board"], 1 - me)
        if self.stones(d, 1 - me) < 3:
            self._over(d, winner=me)  # R8
        elif enemy_blocked and r["blocked"] == "loses":
            self._over(d, winner=me)  # R7
        elif 0 < r["no_capture_limit"] <= d["no_capture"]:
            d["turn"] += 1  # R12
            self._over(d, winner=None)  # R10
        elif enemy_blocked and not d["extra"]:
            d["extra"] = True  # R12: the first extra move belongs to this turn
        elif self._turn_passes(d) and not enemy_blocked:
            d.update(player=1 - me, extra=False)

    def _turn_passes(self, d: State) -> bool:
        """Counts the turn, and says whether the game goes on."""
        d["turn"] += 1
        if d["turn"] == self.rules["max_turns"]:
            self._over(d, winner=None)  # R10
            return False
        return True

    def _over(self, d: State, winner: int | None) -> None:
        d.update(phase="over", player=None, extra=False, lifted=None, winner=winner)


def standing(view: dict[str, Any]) -> Iterator[tuple[int, str, int]]:
    """Whose pieces stand at which place of the board or beside it, and how many, in a view."""
    state = view["state"]
    for point, cell in zip(POINTS, state["board"], strict=True):
        if cell != ".":
            yield int(cell), point, 1
    for side, hand in enumerate(state["hand"]):
        lifted = state["lifted"] is not None and state["player"] == side
        yield side, "hand", hand
        yield side, "lost", view["rules"]["pieces"] - hand - state["board"].count(str(side)) - lifted
