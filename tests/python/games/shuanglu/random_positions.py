"""Random positions of Shuanglu for the tests: those that random play hardly ever reaches."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from games.shuanglu.reference import BAR, OFF, PIECES, Pieces, ReferenceShuanglu

KINDS = ["any", "bar", "blocks", "bear_off", "endgame"]


def scatter(rng: random.Random, number: int, points: Iterable[int], enemy: Pieces, clump: int) -> Pieces:
    """`number` pieces on those of the points that the enemy leaves free, at most `clump` put down at once."""
    pieces = [0] * 26
    free = [point for point in points if not enemy[25 - point]]
    while number > 0:
        size = rng.randint(1, min(clump, number))
        pieces[rng.choice(free) if free else OFF] += size
        number -= size
    return pieces


def random_sides(rng: random.Random, kind: str) -> tuple[Pieces, Pieces]:
    """The pieces of who is to throw, and those of the other."""
    nobody = [0] * 26
    everywhere, home = range(1, 25), range(1, 7)
    if kind == "any":
        theirs = scatter(rng, rng.randint(9, PIECES), everywhere, nobody, rng.choice([2, 4, 8]))
        mine = scatter(rng, rng.randint(9, PIECES), everywhere, theirs, rng.choice([4, 6, 8]))
    elif kind == "bar":  # to be entered against a home that is more or less closed
        on_bar = rng.randint(1, 3)
        closing = [*home, *home, *range(7, 13), 20]
        theirs = scatter(rng, rng.randint(6, PIECES), closing, nobody, rng.choice([1, 2, 2, 3]))
        mine = scatter(rng, rng.choice([0, 1, 2, PIECES - on_bar]), [1, 2, *everywhere], theirs, 4)
        mine[BAR] = on_bar
    elif kind == "blocks":  # a few pieces that can move, among pairs of the enemy
        theirs = [0] * 26
        for point in rng.sample(everywhere, rng.randint(4, 7)):
            theirs[point] = 2
        mine = scatter(rng, rng.randint(1, 4), range(7, 25), theirs, rng.choice([1, 1, 2]))
        deep = scatter(rng, rng.randint(0, 8), [1, 2, 3], theirs, 4)
        mine = [a + b for a, b in zip(mine, deep, strict=True)]
    elif kind == "bear_off":
        theirs = scatter(rng, rng.randint(1, PIECES), [*home, *range(1, 25)], nobody, 3)
        theirs[BAR] = rng.choice([0, 0, 0, min(1, PIECES - sum(theirs))])
        late = rng.choice([0, 0, 1])
        mine = scatter(rng, rng.randint(1, rng.choice([3, PIECES - late])), home, theirs, 4)
        straggler = scatter(rng, late, range(7, 13), theirs, 1)
        mine = [a + b for a, b in zip(mine, straggler, strict=True)]
    else:  # "endgame": almost nothing left, in contact
        theirs = scatter(rng, rng.randint(1, 5), [*everywhere, *range(18, 25)], nobody, 2)
        mine = scatter(rng, rng.randint(1, 4), [*home, *home, *everywhere], theirs, 2)
        for pieces in (mine, theirs):
            pieces[BAR] += rng.choice([0, 0, 0, 1])
    for pieces in (mine, theirs):
        pieces[OFF] += PIECES - sum(pieces)
        if pieces[OFF] == PIECES:  # so that nobody has won
            pieces[OFF], pieces[BAR] = PIECES - 1, 1
    return mine, theirs


def random_position(rng: random.Random, ref: ReferenceShuanglu, kind: str) -> dict[str, Any]:
    """Somewhere in a game, a player about to throw."""
    mine, theirs = random_sides(rng, kind)
    d = ref.initial()
    d.update(phase="roll", player=rng.randrange(2), turn=rng.randrange(min(ref.rules["max_turns"], 90)))
    for seat, pieces in ((d["player"], mine), (1 - d["player"], theirs)):
        d["off"][seat], d["points"][seat], d["bar"][seat] = pieces[OFF], pieces[1:25], pieces[BAR]
    return d
