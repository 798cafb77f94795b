"""Random positions of Shah for the tests: what is rare in play, made by hand."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from games.shah.reference import SLIDES, ReferenceShah, State, rules_allowed
from games.shah.reference_check import fault

Kind = Callable[[random.Random, ReferenceShah], State]

# Sets of stones with few points around them, which are easily shut in.
POCKETS = [
    {0, 1, 2},
    {0, 2, 21},
    {0, 2, 21, 23},
    {0, 1, 2, 9, 21},
    {21, 22, 23},
    {3, 4, 0, 1, 2},
    {9, 10, 11},
]


def neighbours(points: set[int]) -> set[int]:
    return {end for start, end in SLIDES if start in points} - points


def moving_state(rng: random.Random, ref: ReferenceShah, mine: set[int], yours: set[int]) -> State:
    """A state of the moving phase: one player has `mine`, is on turn, and makes extra moves if he must."""
    r, me = ref.rules, rng.randrange(2)
    marks = {**dict.fromkeys(mine, str(me)), **dict.fromkeys(yours, str(1 - me))}
    board = "".join(marks.get(point, ".") for point in range(24))
    begins = 2 * r["pieces"] + (2 if r["opening_removals"] == "both" else 0)
    last = r["max_turns"] - 1
    limit = r["no_capture_limit"] or 300
    extra = ref.blocked(board, 1 - me) and r["blocked"] == "opponent_opens" and rng.random() < 0.8
    random_first = r["begin"] == "first_mill" or r["first_player"] == "random"
    return {
        "phase": "slide",
        "player": me,
        "board": board,
        "hand": [0, 0],
        "beginner": rng.randrange(2) if random_first else r["first_player"],
        "opening_removals": 0,
        "extra": extra,
        "lifted": None,
        "no_capture": rng.choice([0, max(0, limit - 1), rng.randrange(limit)]),
        "turn": rng.choice([begins, begins + 40, last, last, max(begins, last - rng.randrange(4))]),
        "winner": None,
    }


def scattered(rng: random.Random, ref: ReferenceShah) -> State:
    """Few stones anywhere."""
    most = min(ref.rules["pieces"], 11)
    a, b = rng.randint(3, most), rng.randint(3, rng.choice([3, most]))
    points = rng.sample(range(24), a + b)
    return moving_state(rng, ref, set(points[:a]), set(points[a:]))


def shut_in(rng: random.Random, ref: ReferenceShah) -> State:
    """Stones with an enemy on all, or all but one, of the points around them."""
    yours = set(rng.choice(POCKETS))
    around = sorted(neighbours(yours))
    mine = set(around)
    if rng.random() < 0.4:
        mine.discard(rng.choice(around))
    others = sorted(set(range(24)) - yours - mine)
    for point in rng.sample(others, rng.randrange(min(6, len(others)))):
        (mine if rng.random() < 0.7 else yours).add(point)
    return moving_state(rng, ref, mine, yours)


def packed(rng: random.Random, ref: ReferenceShah) -> State:
    """As many stones as may be, so that only a few points are empty."""
    most = ref.rules["pieces"] - (1 if ref.rules["opening_removals"] == "both" else 0)
    a, b = most - rng.randrange(2), most - rng.randrange(2)
    points = rng.sample(range(24), min(24, a + b))
    return moving_state(rng, ref, set(points[:a]), set(points[a:]))


def played(rng: random.Random, ref: ReferenceShah) -> State:
    """Some way into a game, at any phase."""
    d = ref.initial()
    for _ in range(rng.randrange(60)):
        if d["phase"] == "over":
            break
        d = ref.apply(d, rng.choice([outcome for outcome, _ in ref.chance(d)] or ref.legal(d)))
    return d


def random_position(rng: random.Random, ref: ReferenceShah, kind: Kind | None = None) -> State:
    """A state of the rule book, as the reference's own check says."""
    for _ in range(1000):
        d = (kind or rng.choice([scattered, scattered, shut_in, shut_in, packed, played]))(rng, ref)
        if fault(ref, d) is None:
            return d
    raise AssertionError(f"no position for {ref.rules}")


def random_rules(rng: random.Random) -> dict[str, Any]:
    """Any allowed combination of options."""
    while True:
        rules = {
            "pieces": rng.choice([rng.randint(3, 11), 3, 4, 12, 12, 12]),
            "placement_captures": rng.random() < 0.4,
            "begin": rng.choice(["first_mill", "first_player"]),
            "opening_removals": rng.choice(["both", "none"]),
            "mill_protection": rng.choice(["none", "unless_all_in_mills"]),
            "flying": rng.random() < 0.5,
            "blocked": rng.choice(["opponent_opens", "opponent_opens", "loses"]),
            "no_capture_limit": rng.choice([0, 1, rng.randint(2, 12), 200, 65535]),
            "first_player": rng.choice([0, 1, "random"]),
            "max_turns": rng.choice([rng.randint(1, 40), rng.randint(26, 60), 1000, 1000, 65535]),
        }
        if rules_allowed(rules):
            return rules
