"""Shuanglu once more, written from the rule book alone: slow, plain, and meant to be read beside it.

The engine is held to this file (see ``test_shuanglu_reference.py``), which shares no code and no data
structure with it: a state is the plain dict that ``State.to_dict()`` returns, and every step copies. What may be
played is never reasoned out: all sequences of steps are tried, and of those that the dice allow the ones that R7
keeps are the whole turns. "Rn" in the comments are the numbers of the rules.

One player's pieces are a list of 26 counts, his `Pieces`: those off, those on his own points 1 to 24, those on
the bar. A step then always goes from an index to a lower one, and his point p is the enemy's 25 - p.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any, NamedTuple

State = dict[str, Any]
Pieces = list[int]

OFF, BAR = 0, 25
PIECES = 15  # R1

# The 21 throws in the order of their outcomes: 11, 12, ..., 16, 22, 23, ..., 66.
DICE = [(low, high) for low in range(1, 7) for high in range(low, 7)]
# R2: what seat 0 and seat 1 throw to see who begins; equal throws do not count.
OPENING = [(a, b) for a in range(1, 7) for b in range(1, 7) if a != b]

DEFAULTS: dict[str, Any] = {
    "setup": "english",
    "doubles": 2,
    "bear_off": "exact",
    "larger_die": True,
    "scoring": "single",
    "max_turns": 2000,
}

PRESETS: dict[str, dict[str, Any]] = {
    "shuanglu": {},
    "backgammon": {"doubles": 4, "bear_off": "overshoot"},
    "catalogue": {"setup": "from_origin"},
}

SETUPS = {
    "english": {24: 2, 13: 5, 8: 3, 6: 5},
    "from_origin": {1: 2, 12: 5, 17: 3, 19: 5},
}


def is_number(value: Any, low: int, high: int) -> bool:
    """Whether it is a whole number from `low` to `high`; True and 1.0 are none."""
    return type(value) is int and low <= value <= high


def rules_allowed(rules: dict[str, Any]) -> bool:
    """Whether the rule book takes these options (each of them given)."""
    return (
        rules["setup"] in SETUPS
        and rules["doubles"] in (2, 4)
        and rules["bear_off"] in ("exact", "overshoot")
        and isinstance(rules["larger_die"], bool)
        and rules["scoring"] in ("single", "gammon")
        and is_number(rules["max_turns"], 1, 65535)
    )


class Turn(NamedTuple):
    """A whole turn, or the beginning of one, and what it leaves."""

    steps: tuple[tuple[int, int], ...]  # (die, where from)
    mine: Pieces
    theirs: Pieces


class ReferenceShuanglu:
    """One rule book: functions from state dicts to state dicts. Options not given have their default."""

    def __init__(self, rules: dict[str, Any]) -> None:
        unknown = set(rules) - set(DEFAULTS)
        self.rules = {**DEFAULTS, **rules}
        if unknown or not rules_allowed(self.rules):
            raise ValueError(f"not options of Shuanglu: {rules}")

    # ------------------------------------------------------------------------------------------ the game

    def initial(self) -> State:
        setup = SETUPS[self.rules["setup"]]
        return {
            "phase": "opening",
            "player": None,
            "points": [[setup.get(point, 0) for point in range(1, 25)] for _ in range(2)],
            "bar": [0, 0],
            "off": [0, 0],
            "dice": [],
            "turn": 0,
            "winner": None,
            "points_won": 0,
        }

    def chance(self, d: State) -> list[tuple[int, float]]:
        """The outcomes of a chance node with their probabilities; [] elsewhere."""
        if d["phase"] == "opening":
            return [(i, 1 / 30) for i in range(30)]  # R2
        if d["phase"] == "roll":
            return [(i, (1 if low == high else 2) / 36) for i, (low, high) in enumerate(DICE)]
        return []

    def legal(self, d: State) -> list[int]:
        """The legal actions, ascending; [] at a chance node and at the end."""
        if d["phase"] != "move":
            return []
        first_steps = {turn.steps[0] for turn in self.whole_turns(d) if turn.steps}
        return sorted((die - 1) * 25 + (0 if source == BAR else source) for die, source in first_steps)

    def apply(self, d: State, action: int) -> State:
        """The state after an outcome (at a chance node) or an action; `d` itself is left as it is."""
        allowed = [outcome for outcome, _ in self.chance(d)] or self.legal(d)
        if action not in allowed:
            raise ValueError(f"{action} is not among {allowed} in {d}")
        d = copy.deepcopy(d)
        if d["phase"] == "opening":
            a, b = OPENING[action]
            d["player"] = 0 if a > b else 1
            self._dice_thrown(d, [max(a, b), min(a, b)])
        elif d["phase"] == "roll":
            low, high = DICE[action]
            self._dice_thrown(d, [high, low] if low != high else [high] * self.rules["doubles"])  # R3
        else:
            self._step_played(d, *self.die_and_source(action))
        return d

    def name(self, d: State, action: int) -> str:
        die, source = self.die_and_source(action)
        mine, theirs = self.pieces(d, d["player"]), self.pieces(d, 1 - d["player"])
        start = "bar" if source == BAR else str(source)
        if source <= die:
            return f"{start}/off" if source == die else f"{start}/off({die})"
        after = self._step(mine, theirs, die, source)
        assert after is not None
        return f"{start}/{source - die}" + ("*" if after[1][BAR] > theirs[BAR] else "")

    def returns(self, d: State) -> list[float]:
        if d["winner"] is None:
            return [0.0, 0.0]
        return [float(d["points_won"] if seat == d["winner"] else -d["points_won"]) for seat in range(2)]

    # -------------------------------------------------------------------------------- steps and whole turns

    @staticmethod
    def die_and_source(action: int) -> tuple[int, int]:
        die, source = action // 25 + 1, action % 25
        return die, BAR if source == 0 else source

    @staticmethod
    def pieces(d: State, seat: int) -> Pieces:
        return [d["off"][seat], *d["points"][seat], d["bar"][seat]]

    def _step(self, mine: Pieces, theirs: Pieces, die: int, source: int) -> tuple[Pieces, Pieces] | None:
        """One piece moved by one die (R3); None if it cannot."""
        if mine[source] == 0:
            return None
        if mine[BAR] > 0 and source != BAR:  # R5
            return None
        target = source - die
        if target <= 0:  # R6
            if sum(mine[7:]) > 0:
                return None
            is_highest = sum(mine[source + 1 :]) == 0
            if target < 0 and not (self.rules["bear_off"] == "overshoot" and is_highest):
                return None
            target = OFF
        elif theirs[25 - target] >= 2:  # R4
            return None
        mine, theirs = list(mine), list(theirs)
        mine[source] -= 1
        mine[target] += 1
        if target != OFF and theirs[25 - target] == 1:  # R4: a piece that stands alone is sent to the bar
            theirs[25 - target] -= 1
            theirs[BAR] += 1
        return mine, theirs

    def _sequences(self, mine: Pieces, theirs: Pieces, dice: list[int]) -> list[Turn]:
        """Every way to play some of the dice or none, one step after another, in any order of the dice."""
        found = [Turn((), mine, theirs)]
        for die in sorted(set(dice)):
            rest = list(dice)
            rest.remove(die)
            for source in range(1, BAR + 1):
                after = self._step(mine, theirs, die, source)
                if after is not None:
                    for further in self._sequences(*after, rest):
                        steps = ((die, source), *further.steps)
                        found.append(Turn(steps, further.mine, further.theirs))
        return found

    def whole_turns(self, d: State) -> list[Turn]:
        """R7: every whole turn from here with the dice of `d`; one of no steps if nothing can be played."""
        me, dice = d["player"], d["dice"]
        every = self._sequences(self.pieces(d, me), self.pieces(d, 1 - me), dice)
        most = max(len(turn.steps) for turn in every)
        longest = [turn for turn in every if len(turn.steps) == most]
        if most == 1 and self.rules["larger_die"]:
            with_larger = [turn for turn in longest if turn.steps[0][0] == max(dice)]
            return with_larger or longest
        return longest

    # ---------------------------------------------------------------------------------- how the game goes on

    def _dice_thrown(self, d: State, dice: list[int]) -> None:
        d.update(phase="move", dice=dice)
        if not self.legal(d):
            self._turn_passes(d)  # R7

    def _step_played(self, d: State, die: int, source: int) -> None:
        me = d["player"]
        after = self._step(self.pieces(d, me), self.pieces(d, 1 - me), die, source)
        assert after is not None
        for seat, pieces in ((me, after[0]), (1 - me, after[1])):
            d["off"][seat], d["points"][seat], d["bar"][seat] = pieces[OFF], pieces[1:25], pieces[BAR]
        d["dice"].remove(die)
        if d["off"][me] == PIECES:  # R8
            d.update(phase="over", player=None, dice=[], winner=me, points_won=self._points_won(d, me))
        elif not self.legal(d):
            self._turn_passes(d)

    def _turn_passes(self, d: State) -> None:
        d.update(dice=[], turn=d["turn"] + 1)
        if d["turn"] == self.rules["max_turns"]:
            d.update(phase="over", player=None)
        else:
            d.update(phase="roll", player=1 - d["player"])

    def _points_won(self, d: State, winner: int) -> int:
        """R9."""
        loser = 1 - winner
        if self.rules["scoring"] == "single" or d["off"][loser] > 0:
            return 1
        his_points_19_to_24 = d["points"][loser][18:]  # the winner's 6 to 1
        return 3 if d["bar"][loser] > 0 or sum(his_points_19_to_24) > 0 else 2

    # ------------------------------------------------------------------------------------------------ check

    def check(self, d: State) -> bool:
        """Whether a dict is a state: of the right form, and possible by the rules."""
        return self._has_form(d) and self._stands(d) and self._phase_fits(d)

    def _has_form(self, d: State) -> bool:
        if set(d) != set(self.initial()):
            return False

        def counts(value: Any, length: int) -> bool:
            is_list = type(value) is list and len(value) == length
            return is_list and all(is_number(count, 0, PIECES) for count in value)

        return (
            d["phase"] in ("opening", "roll", "move", "over")
            and (d["player"] is None or is_number(d["player"], 0, 1))
            and type(d["points"]) is list
            and len(d["points"]) == 2
            and all(counts(points, 24) for points in d["points"])
            and counts(d["bar"], 2)
            and counts(d["off"], 2)
            and type(d["dice"]) is list
            and all(is_number(die, 1, 6) for die in d["dice"])
            and is_number(d["turn"], 0, self.rules["max_turns"])
            and (d["winner"] is None or is_number(d["winner"], 0, 1))
            and is_number(d["points_won"], 0, 3)
        )

    def _stands(self, d: State) -> bool:
        """Fifteen pieces each, and no point with pieces of both."""
        mine, theirs = self.pieces(d, 0), self.pieces(d, 1)
        shared = [point for point in range(1, 25) if mine[point] and theirs[25 - point]]
        return sum(mine) == sum(theirs) == PIECES and not shared

    def _phase_fits(self, d: State) -> bool:
        finished = [seat for seat in range(2) if d["off"][seat] == PIECES]
        drawn = d["turn"] == self.rules["max_turns"]
        if d["phase"] == "over":
            if d["player"] is not None or d["dice"] or len(finished) + drawn != 1:
                return False
            due = (None, 0) if drawn else (finished[0], self._points_won(d, finished[0]))
            return (d["winner"], d["points_won"]) == due
        if finished or drawn or d["winner"] is not None or d["points_won"] != 0:
            return False
        if d["phase"] == "opening":
            return bool(d == self.initial())
        if d["player"] is None:
            return False
        if d["phase"] == "roll":
            return not d["dice"]
        return self._dice_fit(d["dice"]) and bool(self.legal(d))  # who has no step is passed over

    def _dice_fit(self, dice: list[int]) -> bool:
        """One die or two different ones, the larger first; or what is left of a double."""
        if len(set(dice)) == 1:
            return bool(len(dice) <= self.rules["doubles"])
        return len(dice) == 2 and dice[0] > dice[1]


def standing(view: dict[str, Any]) -> Iterator[tuple[int, str, int]]:
    """Whose pieces stand at which place of the board or beside it, and how many, in a view."""
    state = view["state"]
    for side, points in enumerate(state["points"]):
        for own, pieces in enumerate(points, 1):
            yield side, str(own if side == 0 else 25 - own), pieces
        yield side, "bar", state["bar"][side]
        yield side, "off", state["off"][side]
