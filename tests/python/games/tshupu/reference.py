"""T'shu-p'u once more, written from the rule book alone: slow, plain, and meant to be read beside it.

The engine is held to this file (see ``test_tshupu_reference.py``), which shares no code and no data structure
with it: a state is the plain dict that ``State.to_dict()`` returns, squares are points of the 9x9 grid, every
step copies all pieces, and what a throw allows is found by trying out every whole turn. "Rn" in the comments
are the numbers of the rules.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

State = dict[str, Any]
Pieces = list[list[int]]  # the progress of each piece, a list for each seat
Square = tuple[int, int]

FACES = [1, 3, 4, 6]  # R1
# The 10 throws in the order of their outcomes: 11, 13, 14, 16, 33, 34, 36, 44, 46, 66.
DICE = [(low, high) for low in FACES for high in FACES if low <= high]

HAND, START, LAST_LOOP, CENTRE, OFF = 0, 1, 29, 32, 33
ACTIONS_OF_A_MODE = 33  # an action is mode * 33 + progress
BOTH = 4  # the mode that plays both dice with one piece; the modes below it are the dice of FACES

# The loop as it lies on the grid, from the south end and against the clock.
LOOP: list[Square] = [
    *[(4, 8), (5, 8), (5, 7), (5, 6), (6, 5), (7, 5), (8, 5)],
    *[(8, 4), (8, 3), (7, 3), (6, 3), (5, 2), (5, 1), (5, 0)],
    *[(4, 0), (3, 0), (3, 1), (3, 2), (2, 3), (1, 3), (0, 3)],
    *[(0, 4), (0, 5), (1, 5), (2, 5), (3, 6), (3, 7), (3, 8)],
]
# Seats clockwise: south, west, north, east.
STARTS: list[Square] = [(4, 8), (0, 4), (4, 0), (8, 4)]
COLUMNS: list[list[Square]] = [
    [(4, 7), (4, 6)],
    [(1, 4), (2, 4)],
    [(4, 1), (4, 2)],
    [(7, 4), (6, 4)],
]
SIDE_CROSSCUTS: list[Square] = [(5, 7), (7, 5), (7, 3), (5, 1), (3, 1), (1, 3), (1, 5), (3, 7)]

DEFAULTS: dict[str, Any] = {
    "pieces": 4,
    "crosscuts": "sides",
    "same_piece_both_dice": False,
    "finished_player": "pass",
    "first_player": 0,
    "max_turns": 2000,
}

PRESETS: dict[str, dict[str, Any]] = {
    "tshupu": {},
    "chaupar_style": {"crosscuts": "sides_and_ends", "finished_player": "partner_plays"},
}

KEYS = ["phase", "player", "pieces", "dice", "moved", "turn", "winner"]


def course(seat: int) -> list[Square | None]:
    """The squares that a piece of `seat` passes, by its progress; None in hand and off."""
    first = LOOP.index(STARTS[seat])
    once_round = LOOP[first:] + LOOP[:first]
    return [None, *once_round, STARTS[seat], *COLUMNS[seat], (4, 4), None]


COURSES = [course(seat) for seat in range(4)]


def rules_allowed(rules: dict[str, Any]) -> bool:
    """Whether the rule book takes these options (each of them given, and of the right type)."""
    return (
        1 <= rules["pieces"] <= 4
        and rules["crosscuts"] in ("sides", "sides_and_ends")
        and rules["finished_player"] in ("pass", "partner_plays")
        and (rules["first_player"] == "random" or 0 <= rules["first_player"] <= 3)
        and 1 <= rules["max_turns"] <= 65535
    )


@dataclass
class Step:
    """One action and how everybody's pieces stand after it; a piece keeps its place in its seat's list."""

    action: int
    after: Pieces


class ReferenceTshupu:
    """One rule book: functions from state dicts to state dicts. Options not given have their default."""

    def __init__(self, rules: dict[str, Any]) -> None:
        unknown = set(rules) - set(DEFAULTS)
        self.rules = {**DEFAULTS, **rules}
        if unknown or not rules_allowed(self.rules):
            raise ValueError(f"not options of T'shu-p'u: {rules}")
        ends = STARTS if self.rules["crosscuts"] == "sides_and_ends" else []
        self.crosscuts = [*SIDE_CROSSCUTS, *ends]

    # ------------------------------------------------------------------------------------------ the game

    def initial(self) -> State:
        draw_lots = self.rules["first_player"] == "random"
        return {
            "phase": "first" if draw_lots else "roll",
            "player": None if draw_lots else self.rules["first_player"],
            "pieces": [[START] * self.rules["pieces"] for _ in range(4)],  # R1
            "dice": [],
            "moved": None,
            "turn": 0,
            "winner": None,
        }

    def chance(self, d: State) -> list[tuple[int, float]]:
        """The outcomes of a chance node with their probabilities; [] elsewhere."""
        if d["phase"] == "first":
            return [(seat, 1 / 4) for seat in range(4)]
        if d["phase"] == "roll":
            return [(i, (1 if low == high else 2) / 16) for i, (low, high) in enumerate(DICE)]
        return []

    def legal(self, d: State) -> list[int]:
        """The legal actions, ascending; [] at a chance node and at the end."""
        if d["phase"] == "move":
            return sorted({turn[0].action for turn in self.whole_turns(d)})
        if d["phase"] == "second":
            return sorted({step.action for step in self._second_steps(d)})
        return []

    def apply(self, d: State, action: int) -> State:
        """The state after an outcome (at a chance node) or an action; `d` itself is left as it is."""
        allowed = [outcome for outcome, _ in self.chance(d)] or self.legal(d)
        if action not in allowed:
            raise ValueError(f"{action} is not among {allowed} in {d}")
        phase, d = d["phase"], copy.deepcopy(d)
        if phase == "first":
            d.update(phase="roll", player=action)
        elif phase == "roll":
            d.update(phase="move", dice=list(DICE[action]))
            if not self.whole_turns(d):
                self._turn_passes(d)  # R4
        elif phase == "move":
            turn = next(turn for turn in self.whole_turns(d) if turn[0].action == action)
            d["pieces"] = in_order(turn[0].after)
            if len(turn) == 2:
                mode, progress = divmod(action, ACTIONS_OF_A_MODE)
                d["dice"].remove(FACES[mode])
                d.update(phase="second", moved=progress + FACES[mode])
            else:
                self._turn_played(d)
        else:
            step = next(step for step in self._second_steps(d) if step.action == action)
            d["pieces"] = in_order(step.after)
            self._turn_played(d)
        return d

    def name(self, d: State, action: int) -> str:
        mode, progress = divmod(action, ACTIONS_OF_A_MODE)
        target = progress + (sum(d["dice"]) if mode == BOTH else FACES[mode])
        hits = self._enemies_on(d["pieces"], self.owner(d), target)
        return (
            ("hand" if progress == HAND else str(progress))
            + "/"
            + ("off" if target == OFF else str(target))
            + ("*" if hits else "")
            + (" (both)" if mode == BOTH else "")
        )

    def returns(self, d: State) -> list[float]:
        """One entry for each seat; partners get the same."""
        if d["winner"] is None:
            return [0.0] * 4
        return [1.0 if seat % 2 == d["winner"] else -1.0 for seat in range(4)]

    # -------------------------------------------------------------------------------------- whole turns

    def owner(self, d: State) -> int:
        """The seat whose pieces the player moves (R12)."""
        seat = int(d["player"])
        if self.rules["finished_player"] == "partner_plays" and is_finished(d["pieces"], seat):
            return (seat + 2) % 4
        return seat

    def whole_turns(self, d: State) -> list[list[Step]]:
        """Every way to play the throw `d["dice"]` in phase "move", each of one step or two; [] if none is."""
        pieces, owner = d["pieces"], self.owner(d)
        low, high = d["dice"]
        mine = range(self.rules["pieces"])

        full = []
        for k in mine:  # R3 (i)
            after = self._moved(pieces, owner, k, low + high)
            # R10: a bear-off takes a die; no total is 1, so no total reaches it.
            if after is not None:
                full.append([Step(BOTH * ACTIONS_OF_A_MODE + pieces[owner][k], after)])
        for one, other in ((low, high), (high, low)):  # R3 (ii): "in any order"
            for k in mine:
                between = self._moved(pieces, owner, k, one)
                if between is None:
                    continue
                for j in mine:
                    if j == k and not self.rules["same_piece_both_dice"]:
                        continue
                    after = self._moved(between, owner, j, other)
                    if after is not None:
                        first = Step(action_of(one, pieces[owner][k]), between)
                        full.append([first, Step(action_of(other, between[owner][j]), after)])
        if full:
            return full

        partial = []  # R4
        for die in (low, high):
            for k in mine:
                after = self._moved(pieces, owner, k, die)
                if after is not None:
                    partial.append([Step(action_of(die, pieces[owner][k]), after)])
        return partial

    def _second_steps(self, d: State) -> list[Step]:
        """R3: the other die with another piece; of pieces on one square any may be the one that moved."""
        pieces, owner = d["pieces"], self.owner(d)
        (die,) = d["dice"]
        moved = pieces[owner].index(d["moved"])
        steps = []
        for k in range(self.rules["pieces"]):
            if k != moved or self.rules["same_piece_both_dice"]:
                after = self._moved(pieces, owner, k, die)
                if after is not None:
                    steps.append(Step(action_of(die, pieces[owner][k]), after))
        return steps

    def _moved(self, pieces: Pieces, owner: int, k: int, count: int) -> Pieces | None:
        """All pieces after the owner's piece `k` went on by `count`; None if it may not."""
        progress = pieces[owner][k]
        if progress == OFF:
            return None
        if progress == CENTRE:
            if count != 1:  # R10
                return None
        elif progress + count > CENTRE:  # R5
            return None
        target = progress + count  # R9: for a piece in hand too
        victims = self._enemies_on(pieces, owner, target)
        if victims and COURSES[owner][target] in self.crosscuts:
            return None  # R7
        after = [list(seat) for seat in pieces]
        after[owner][k] = target
        for seat, j in victims:
            after[seat][j] = HAND  # R6
        return after

    def _enemies_on(self, pieces: Pieces, owner: int, target: int) -> list[tuple[int, int]]:
        """The enemy pieces (seat, number) that a landing of the owner's piece on `target` would meet."""
        if not START <= target <= LAST_LOOP:  # R8; and no other seat comes into the column
            return []
        where = COURSES[owner][target]
        return [
            (seat, j)
            for seat in ((owner + 1) % 4, (owner + 3) % 4)
            for j in range(self.rules["pieces"])
            if COURSES[seat][pieces[seat][j]] == where
        ]

    # ------------------------------------------------------------------------------------- turn by turn

    def _turn_played(self, d: State) -> None:
        for team in (0, 1):
            if is_finished(d["pieces"], team) and is_finished(d["pieces"], team + 2):  # R11
                d.update(phase="over", player=None, dice=[], moved=None, winner=team)
                return
        self._turn_passes(d)

    def _turn_passes(self, d: State) -> None:
        d.update(phase="roll", dice=[], moved=None)
        while True:
            d["turn"] += 1
            if d["turn"] == self.rules["max_turns"]:
                d.update(phase="over", player=None)
                return
            d["player"] = (d["player"] + 1) % 4  # R2
            if not self._is_passed_over(d):
                return

    def _is_passed_over(self, d: State) -> bool:
        return self.rules["finished_player"] == "pass" and is_finished(d["pieces"], d["player"])  # R12

    # ------------------------------------------------------------------------------------------ check

    def check(self, d: Any) -> None:
        """Raises ValueError unless `d` is a state that the rule book's words allow."""
        for holds, sentence in self._demands(d):
            if not holds:
                raise ValueError(f"{sentence}: {d}")

    def _demands(self, d: Any) -> Any:
        """Pairs of whether something holds and what it is; a later one may rely on those before it."""
        r = self.rules
        yield type(d) is dict and sorted(d) == sorted(KEYS), "the keys"
        yield d["phase"] in ("first", "roll", "move", "second", "over"), "phase is a word"
        yield d["player"] is None or is_int(d["player"], 0, 3), "player is a seat or None"
        yield d["moved"] is None or is_int(d["moved"], 1, OFF), "moved is where a moved piece can stand"
        yield is_int(d["turn"], 0, r["max_turns"]), "turn is a count"
        yield d["winner"] is None or is_int(d["winner"], 0, 1), "winner is a team or None"
        yield (
            type(d["dice"]) is list and all(is_int(die, 1, 6) and die in FACES for die in d["dice"]),
            "faces of dice",
        )
        yield type(d["pieces"]) is list and len(d["pieces"]) == 4, "four seats"
        for seat in d["pieces"]:
            yield type(seat) is list and len(seat) == r["pieces"], "so many pieces"
            yield all(is_int(p, HAND, OFF) for p in seat), "progress values"
            yield seat == sorted(seat), "progress ascending"

        phase, finished = d["phase"], [is_finished(d["pieces"], seat) for seat in range(4)]
        all_off = [team for team in (0, 1) if finished[team] and finished[team + 2]]
        yield len(all_off) <= 1, "one team at most has all off"
        yield d["winner"] == (all_off[0] if all_off else None), "who has all off has won"  # R11
        last = d["turn"] == r["max_turns"]
        yield not (last and all_off), "a win adds nothing to turn, which was below the limit"
        yield (phase == "over") == (last or bool(all_off)), "over by a win or by the limit"
        yield (d["player"] is None) == (phase in ("first", "over")), "player is None at the ends"
        yield len(d["dice"]) == {"move": 2, "second": 1}.get(phase, 0), "the faces still to play"
        yield d["dice"] == sorted(d["dice"]), "dice ascending"
        yield (d["moved"] is not None) == (phase == "second"), "moved in second only"
        if phase == "first":
            yield d == self.initial(), "lots are drawn at the root, with first_player random"
        if phase in ("roll", "move", "second"):
            first = r["first_player"]
            yield first == "random" or d["player"] == (first + d["turn"]) % 4, "whose turn it is"  # R12
            yield not self._is_passed_over(d), "the state never stops at a finished player"  # R12
        if phase == "second":
            yield d["moved"] in d["pieces"][self.owner(d)], "a piece stands where the moved one stands"
        if phase in ("move", "second"):
            yield self.legal(d) != [], "a player with nothing to play is passed over"  # R4


def action_of(die: int, progress: int) -> int:
    return FACES.index(die) * ACTIONS_OF_A_MODE + progress


def is_finished(pieces: Pieces, seat: int) -> bool:
    return all(progress == OFF for progress in pieces[seat])


def in_order(pieces: Pieces) -> Pieces:
    return [sorted(seat) for seat in pieces]


def is_int(value: Any, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def standing(view: dict[str, Any]) -> Iterator[tuple[int, str, int]]:
    """Whose pieces stand at which place of the board or beside it, and how many, in a view."""
    state = view["state"]
    for seat, pieces in enumerate(state["pieces"]):
        for progress in pieces:
            if 0 < progress <= 29:
                # Seat s begins 7 s squares behind seat 0.
                yield view["sides"][seat], str((progress - 1 - 7 * seat) % 28 + 1), 1
            elif progress in (30, 31):
                yield view["sides"][seat], f"{('', 'yellow ', 'green ', 'black ')[seat]}{progress}", 1
            else:
                yield view["sides"][seat], {0: "hand", 32: "32", 33: "off"}[progress], 1
