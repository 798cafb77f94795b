"""Three against three, solved once more in plain Python, which shares nothing with the engine but the rules."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np

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
    lines, due = [], []
    for own, other in places:
        shut = not moves(SETS[own], SETS[other])
        value, turns = known.get((own, other), (0, -1))
        board = "".join(
            "0" if point in SETS[own] else "1" if point in SETS[other] else "." for point in range(24)
        )
        lines.append(
            f"slide player={int(shut)} board={board} hand=0,0 beginner=0 opening_removals=0 "
            f"extra={str(shut).lower()} lifted=- no_capture=0 turn=100 winner=-"
        )
        # Extra moves are the other side's to choose.
        due.append((-value if shut else value, turns))
    game = sarai.make("shah")
    states = sarai.States.from_states(game.parse(line) for line in lines)
    values, turns = sarai.exact.load("shah").values(states)
    expected = np.array(due)
    assert (values == expected[:, 0]).all()
    assert (turns == expected[:, 1]).all()
    counts = [int((expected[:, 0] == value).sum()) for value in (1, 0, -1)]
    assert min(counts) > 30_000
    assert expected[:, 1].max() == 39
