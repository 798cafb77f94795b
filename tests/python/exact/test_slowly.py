"""Three against three, solved once more in plain Python, which shares nothing with the engine but the rules."""

from __future__ import annotations

import random
from functools import cache, partial
from itertools import combinations, pairwise

import numpy as np
import pytest

import sarai

# Points as square (0 outside), column and row, in the order of their numbers.
POINTS = [
    (0, -1, 1), (0, 0, 1), (0, 1, 1), (1, -1, 1), (1, 0, 1), (1, 1, 1), (2, -1, 1), (2, 0, 1), (2, 1, 1),
    (0, -1, 0), (1, -1, 0), (2, -1, 0), (2, 1, 0), (1, 1, 0), (0, 1, 0),
    (2, -1, -1), (2, 0, -1), (2, 1, -1), (1, -1, -1), (1, 0, -1), (1, 1, -1), (0, -1, -1), (0, 0, -1), (0, 1, -1),
]  # fmt: skip
NUMBER = {point: number for number, point in enumerate(POINTS)}
SIDES = [[(square, x, y) for x in (-1, 0, 1)] for square in range(3) for y in (-1, 1)]
SIDES += [[(square, x, y) for y in (-1, 0, 1)] for square in range(3) for x in (-1, 1)]
JOINS = [[(square, x, y) for square in range(3)] for x, y in ((0, 1), (0, -1), (1, 0), (-1, 0))]
LINES = [frozenset(NUMBER[point] for point in line) for line in SIDES + JOINS]
BESIDE: list[set[int]] = [set() for _ in POINTS]
for _line in SIDES + JOINS:
    for _one, _other in pairwise(_line):
        BESIDE[NUMBER[_one]].add(NUMBER[_other])
        BESIDE[NUMBER[_other]].add(NUMBER[_one])
TURNS = [
    [NUMBER[(2 - s if swap else s, *((x, y) if not flip else (y, x)))] for s, x, y in turned]
    for swap in (False, True)
    for flip in (False, True)
    for turned in (
        [(s, a * x, b * y) for s, x, y in POINTS] for a in (1, -1) for b in (1, -1)
    )
]  # fmt: skip

Stones = frozenset[int]
Position = tuple[int, int]
"""The stones of the side to move and of the other, each as the number of a set of three."""

SETS = [frozenset(points) for points in combinations(range(24), 3)]
INDEX = {points: index for index, points in enumerate(SETS)}
IMAGES = [[INDEX[frozenset(turn[point] for point in points)] for turn in TURNS] for points in SETS]


def same(own: Stones, other: Stones) -> Position:
    """The first of the positions that symmetries make of this one."""
    return min(zip(IMAGES[INDEX[own]], IMAGES[INDEX[other]], strict=True))


def moves(stones: Stones, others: Stones) -> list[tuple[int, int]]:
    """From where to where a stone can go."""
    return [(a, b) for a in stones for b in BESIDE[a] if b not in stones and b not in others]


def after(own: Stones, other: Stones) -> tuple[bool, list[Position] | None]:
    """Whether the side to move is blocked, and what follows; None where it wins at once."""
    possible = moves(own, other)
    if not possible:
        extra = moves(other, own)
        opening = [(a, b) for a, b in extra if BESIDE[a] & own]
        return True, [same(own, other - {a} | {b}) for a, b in opening or extra]
    moved = [(own - {a} | {b}, b) for a, b in possible]
    if any(line <= stones and b in line for stones, b in moved for line in LINES):
        # Any capture leaves two stones.
        return False, None
    return False, [same(other, stones) for stones, _ in moved]


def solved() -> dict[Position, tuple[int, int]]:
    """The value and the turns of each position that is not drawn."""
    blocked: dict[Position, list[Position]] = {}
    normal: dict[Position, list[Position]] = {}
    known: dict[Position, tuple[int, int]] = {}
    for own in SETS:
        if min(IMAGES[INDEX[own]]) < INDEX[own]:
            continue
        for other in SETS:
            if own & other or (place := same(own, other)) in normal or place in known or place in blocked:
                continue
            is_blocked, follows = after(SETS[place[0]], SETS[place[1]])
            if follows is None:
                known[place] = (1, 1)
            else:
                (blocked if is_blocked else normal)[place] = follows
    shut = set(blocked)
    level, quiet = 1, 0
    while quiet < 3:
        before = len(known)
        # The first extra move belongs to the turn before: the way into a blocked position takes none.
        fresh = {}
        for place, follows in blocked.items():
            values = [known.get(next_place) for next_place in follows]
            if any(value == (-1, level - 1) for value in values):
                fresh[place] = (-1, level)
            elif all(value is not None and value[0] == 1 for value in values):
                fresh[place] = (1, level)
        for place, value in fresh.items():
            known[place] = value
            del blocked[place]
        for place, follows in normal.items():
            best, worst = 0, True
            for next_place in follows:
                value = known.get(next_place)
                turns = None if value is None else value[1] + (next_place not in shut)
                if value is None or turns is None or turns > level:
                    worst = False
                elif value[0] == -1:
                    best = 1
            if best:
                fresh[place] = (1, level)
            elif worst:
                fresh[place] = (-1, level)
        for place in fresh:
            known[place] = fresh[place]
            normal.pop(place, None)
        quiet = quiet + 1 if len(known) == before else 0
        level += 1
    return known


shipped = cache(partial(sarai.exact.load, "shah"))


def told(places: list[Position]) -> list[tuple[int, int]]:
    """What the tables say of each position."""
    lines, shut = [], [not moves(SETS[own], SETS[other]) for own, other in places]
    for (own, other), is_shut in zip(places, shut, strict=True):
        board = "".join(
            "0" if point in SETS[own] else "1" if point in SETS[other] else "." for point in range(24)
        )
        lines.append(
            f"slide player={int(is_shut)} board={board} hand=0,0 beginner=0 opening_removals=0 "
            f"extra={str(is_shut).lower()} lifted=- no_capture=0 turn=100 winner=-"
        )
    tables = shipped()
    states = sarai.States.from_states(tables.game.parse(line) for line in lines)
    values, turns = tables.values(states)
    # Extra moves are the other side's to choose.
    signs = np.where(shut, -1, 1)
    return list(zip((values * signs).tolist(), turns.tolist(), strict=True))


def worth(place: Position) -> tuple[int, int]:
    """What a position is worth by what the tables say of those that follow."""
    is_blocked, follows = after(SETS[place[0]], SETS[place[1]])
    if follows is None:
        return 1, 1
    known = told(follows)
    # The first extra move belongs to the turn before.
    takes = [is_blocked or bool(moves(SETS[own], SETS[other])) for own, other in follows]
    lost, won = (
        [turns + one for (value, turns), one in zip(known, takes, strict=True) if value == sign]
        for sign in (-1, 1)
    )
    sign = -1 if is_blocked else 1
    if lost:
        return sign, min(lost)
    return (-sign, max(won)) if len(won) == len(known) else (0, -1)


def test_some_of_three_against_three_are_worth_what_follows() -> None:
    rng = random.Random(1)
    shut = [
        (INDEX[own], INDEX[other])
        for own in SETS
        if len(around := set.union(*(BESIDE[point] for point in own)) - own) <= 3
        for other in SETS
        if around <= other and not own & other
    ]
    free = [
        (own, other)
        for own, other in (rng.sample(range(len(SETS)), 2) for _ in range(300))
        if not SETS[own] & SETS[other]
    ]
    assert len(shut) == 8
    places = shut + free
    assert told(places) == [worth(place) for place in places]


@pytest.mark.nightly
def test_three_against_three() -> None:
    known = solved()
    # Each position once, however many are equal to it.
    places = [
        (own, other)
        for own in range(len(SETS))
        if min(IMAGES[own]) == own
        for other in range(len(SETS))
        if not SETS[own] & SETS[other] and same(SETS[own], SETS[other]) == (own, other)
    ]
    assert len(places) > 168_000
    expected = [known.get(place, (0, -1)) for place in places]
    assert told(places) == expected
    values, turns = zip(*expected, strict=True)
    assert min(values.count(value) for value in (1, 0, -1)) > 30_000
    assert max(turns) == 39
