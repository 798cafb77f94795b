"""Check a strategy of Shah without Sarai: the rules are written here once more, for NumPy.

    python scripts/check_strategy.py shah.strategy

`sarai verify-strategy` does the same by the rules of the package. Both make the positions of each level from those of
the level before, by the turns in the file and every answer, up to symmetry; the win is proved when a level comes out
empty. The file and the numbers of positions are described in src/exact/strategy.rs.

It knows the default rules of Shah (docs/games/shah.md), with any number of stones: no captures while placing, no
protection of mills, no flying, and extra moves where the opponent is blocked.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import sys
import time
import zlib
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]
Flags = NDArray[np.bool_]

# Points by ring, from the outer one, and around each ring from the top left corner; and their order in the engine.
NAMES = """
    a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4
    e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1
""".split()  # noqa: SIM905
RINGS = [
    ["a7", "d7", "g7", "g4", "g1", "d1", "a1", "a4"],
    ["b6", "d6", "f6", "f4", "f2", "d2", "b2", "b4"],
    ["c5", "d5", "e5", "e4", "e3", "d3", "c3", "c4"],
]
POINT = [[NAMES.index(name) for name in ring] for ring in RINGS]
ALL = (1 << 24) - 1
BLOCK = 1 << 16

LINES = [{ring[at], ring[at + 1], ring[(at + 2) % 8]} for ring in POINT for at in (0, 2, 4, 6)]
LINES += [{ring[at] for ring in POINT} for at in (1, 3, 5, 7)]
PAIRS = {frozenset((ring[at], ring[(at + 1) % 8])) for ring in POINT for at in range(8)}
PAIRS |= {frozenset((POINT[ring][at], POINT[ring + 1][at])) for ring in (0, 1) for at in (1, 3, 5, 7)}
EDGES = sorted((one, other) for pair in PAIRS for one, other in (sorted(pair), sorted(pair)[::-1]))
FROM, TO = (np.array(ends, np.uint64) for ends in zip(*EDGES, strict=True))
COUNT = np.array([number.bit_count() for number in range(4096)])
BIT = np.uint64(1) << np.arange(24, dtype=np.uint64)

# A mill has at most one line through a point in each direction: the other two points of both lines.
THROUGH = [[sum(1 << at for at in line - {point}) for line in LINES if point in line] for point in range(24)]
REST = np.array(THROUGH, np.uint64)
MASKS = np.array([sum(1 << point for point in line) for line in LINES], np.uint64)
BESIDE = np.array([sum(1 << b for a, b in EDGES if a == point) for point in range(24)], np.uint64)

PLACE, REMOVE, SLIDE, CAPTURE, EXTRA, OVER = range(6)
NOBODY, WINNER, OTHER = range(3)


class Rows(NamedTuple):
    """Positions: the stones of the winner and of the other, the turn, who begins to move, who acts, and what is due."""

    own: Words
    other: Words
    turn: Words
    begins: Words
    acts: Words
    phase: Words

    def take(self, which: NDArray[np.intp] | Flags) -> Rows:
        """Some of the rows."""
        return Rows(*(column[which] for column in self))


def halves(image: list[int]) -> list[Words]:
    """Where the sets of the lower and of the upper twelve points go."""
    tables = []
    for low in (0, 12):
        sets = np.arange(4096, dtype=np.uint64)
        moved = np.zeros(4096, np.uint64)
        for bit in range(12):
            moved |= (sets >> np.uint64(bit) & np.uint64(1)) << np.uint64(image[low + bit])
        tables.append(moved)
    return tables


def symmetries() -> list[list[Words]]:
    """The turns and reflections of the board, and each with the inner and outer rings exchanged."""
    found = []
    for turn in (0, 2, 4, 6):
        for way in (1, -1):
            for swap in (False, True):
                image = [0] * 24
                for ring in range(3):
                    for at in range(8):
                        image[POINT[ring][at]] = POINT[2 - ring if swap else ring][(way * at + turn) % 8]
                found.append(halves(image))
    return found


SYMMETRIES = symmetries()


def neighbours(stones: Words) -> Words:
    """The points beside some stone."""
    beside = np.zeros_like(stones)
    for point in range(24):
        beside |= np.where(stones & BIT[point] != 0, BESIDE[point], np.uint64(0))
    return beside


def has_mill(stones: Words) -> Flags:
    """Whether some line is full."""
    full = np.zeros(len(stones), bool)
    for line in MASKS:
        full |= stones & line == line
    return full


def mill_at(stones: Words, point: NDArray[np.intp]) -> Flags:
    """Whether a line through the point is full."""
    rest = REST[point]
    full: Flags = ((stones[:, None] & rest) == rest).any(axis=1)
    return full


def numbers(rows: Rows, moving: int, full: int) -> Words:
    """The numbers of positions in which the winner acts at the start of a turn, up to symmetry."""
    best = np.full(len(rows.own), np.iinfo(np.uint64).max)
    for low, high in SYMMETRIES:
        own = low[rows.own & np.uint64(4095)] | high[rows.own >> np.uint64(12)]
        other = low[rows.other & np.uint64(4095)] | high[rows.other >> np.uint64(12)]
        np.minimum(best, own << np.uint64(24) | other, out=best)
    turn = np.minimum(rows.turn, np.uint64(moving))
    begins = (rows.begins == OTHER) & (turn < full)
    front: Words = (turn << np.uint64(1) | begins.astype(np.uint64)) << np.uint64(48)
    number: Words = front | best
    return number


class Rules:
    """Who may do what, and what comes of it."""

    def __init__(self, rules: dict[str, str]) -> None:
        known = {
            "placement_captures": "false",
            "mill_protection": "none",
            "flying": "false",
            "blocked": "opponent_opens",
        }
        for name, value in known.items():
            if rules[name] != value:
                raise SystemExit(f"this knows {name}={value} only, not {rules[name]}")
        self.full = 2 * int(rules["pieces"])
        self.removals = rules["opening_removals"] == "both"
        self.moving = self.full + 2 * self.removals
        self.by_mill = rules["begin"] == "first_mill"

    def rows_of(self, number: Words, first: bool) -> Rows:
        """The positions of numbers."""
        own, other = number >> np.uint64(24) & np.uint64(ALL), number & np.uint64(ALL)
        turn, flag = number >> np.uint64(49), number >> np.uint64(48) & np.uint64(1)
        begins = np.where(flag == 1, OTHER, np.where(has_mill(own), WINNER, NOBODY))
        if not self.by_mill:
            begins = np.full(len(own), WINNER if first else OTHER)
        # Who begins makes the first removal.
        begins = np.where(turn == self.full, WINNER, np.where(turn == self.full + 1, OTHER, begins))
        phase = np.where(turn < self.full, PLACE, np.where(turn < self.moving, REMOVE, SLIDE))
        return Rows(
            own,
            other,
            turn,
            begins.astype(np.uint64),
            np.full(len(own), WINNER, np.uint64),
            phase.astype(np.uint64),
        )

    def legal(self, rows: Rows) -> Flags:
        """What who acts may do: points, or edges of the board."""
        mine, theirs = self.sides(rows)
        empty = ~(rows.own | rows.other) & np.uint64(ALL)
        points = np.where(rows.phase == PLACE, empty, theirs)
        may = np.zeros((len(mine), 64), bool)
        may[:, :24] = points[:, None] & BIT != 0
        slides = ((rows.phase == SLIDE) | (rows.phase == EXTRA)).nonzero()[0]
        if len(slides):
            edges = (mine[slides, None] >> FROM & np.uint64(1) != 0) & (
                empty[slides, None] >> TO & np.uint64(1) != 0
            )
            extra = rows.phase[slides] == EXTRA
            if extra.any():
                # A move that opens leaves a neighbour of who is blocked, and comes before all others.
                opens = edges & (neighbours(theirs[slides])[:, None] >> FROM & np.uint64(1) != 0)
                edges = np.where((extra & opens.any(axis=1))[:, None], opens, edges)
            may[slides] = edges
        return may

    def sides(self, rows: Rows) -> tuple[Words, Words]:
        """The stones of who acts, and of the other."""
        wins = rows.acts == WINNER
        return np.where(wins, rows.own, rows.other), np.where(wins, rows.other, rows.own)

    def play(self, rows: Rows, move: NDArray[np.intp]) -> Rows:
        """What each position becomes."""
        mine, theirs = (stones.copy() for stones in self.sides(rows))
        turn, begins, acts, phase = (column.copy() for column in rows[2:])
        rival = np.where(acts == WINNER, OTHER, WINNER).astype(np.uint64)
        placed, removed, captured = rows.phase == PLACE, rows.phase == REMOVE, rows.phase == CAPTURE
        slid = (rows.phase == SLIDE) | (rows.phase == EXTRA)
        point = np.where(slid, TO[move].astype(np.intp), np.minimum(move, 23))
        mine[placed] |= BIT[point[placed]]
        mine[slid] ^= BIT[point[slid]] | BIT[FROM[move[slid]].astype(np.intp)]
        gone = removed | captured
        theirs[gone] &= ~BIT[point[gone]]
        mill = mill_at(mine, point) & (placed | slid)
        begins = np.where(placed & mill & (begins == NOBODY), acts, begins)
        takes = slid & mill & (rows.phase == SLIDE)
        over = captured & (COUNT[theirs & np.uint64(4095)] + COUNT[theirs >> np.uint64(12)] < 3)
        done = ~takes & ~over
        # Turns pass, but for the first extra move after a turn: that belongs to it.
        can = neighbours(theirs) & ~(mine | theirs) & np.uint64(ALL) != 0
        moved = done & (slid | captured)
        turn += done & ~(moved & ~can & (rows.phase != EXTRA))
        begins = np.where(placed & (turn == self.full) & (begins == NOBODY), acts, begins)
        acts = np.where(placed & (turn < self.full), rival, acts)
        opening = (placed | removed) & (turn >= self.full)
        acts = np.where(opening & (turn == self.full), begins, acts)
        acts = np.where(opening & (turn == self.full + 1) & self.removals, 3 - begins, acts)
        phase = np.where(opening, REMOVE, phase)
        own, other = np.where(rows.acts == WINNER, (mine, theirs), (theirs, mine))
        start = opening & (turn == self.moving)
        if start.any():
            beginner = np.where(begins == WINNER, own, other)
            free = neighbours(beginner) & ~(own | other) & np.uint64(ALL) != 0
            acts = np.where(start, np.where(free, begins, 3 - begins), acts)
            phase = np.where(start, np.where(free, SLIDE, EXTRA), phase)
        acts = np.where(moved & can, rival, acts)
        phase = np.where(moved, np.where(can, SLIDE, EXTRA), phase)
        phase = np.where(takes, CAPTURE, np.where(over, OVER, phase))
        return Rows(*(column.astype(np.uint64) for column in (own, other, turn, begins, acts, phase)))


def fail(why: str) -> None:
    """End with a reason."""
    raise SystemExit(f"the strategy does not win: {why}")


def answers(rules: Rules, rows: Rows) -> tuple[list[Words], int]:
    """The numbers of what follows until the winner acts again, and how many there are."""
    found, count = [], 0
    for _ in range(64):
        lost = (rows.phase == OVER) & (rows.acts == OTHER)
        if lost.any():
            fail("the other side takes all but two stones")
        rows = rows.take(rows.phase != OVER)
        back = rows.acts == WINNER
        if back.any():
            found.append(np.unique(numbers(rows.take(back), rules.moving, rules.full)))
            count += int(back.sum())
        rows = rows.take(~back)
        if not len(rows.own):
            return found, count
        may = rules.legal(rows)
        if not may.any(axis=1).all():
            fail("nobody can move")
        at, move = may.nonzero()
        rows = rules.play(rows.take(at), move)
    fail("the other side can go on for ever")
    return found, count


def follow(task: tuple[Rules, bool, Words, int, bytes]) -> tuple[Words, int]:
    """Play the turns of a block against every answer."""
    rules, first, number, length, stored = task
    left = np.frombuffer(zlib.decompress(stored, -15), np.uint8)
    if len(left) != length:
        fail("its turns do not fit")
    rows = rules.rows_of(number, first)
    ended: list[Rows] = []
    while len(rows.own):
        may = rules.legal(rows)
        rank, left = left[: len(may)], left[len(may) :]
        if len(rank) < len(may) or (rank >= may.sum(axis=1)).any():
            fail("its turns do not fit")
        move = ((may.cumsum(axis=1) == rank[:, None] + 1) & may).argmax(axis=1)
        rows = rules.play(rows, move)
        acting = (rows.acts == WINNER) & (rows.phase != OVER)
        ended.append(rows.take(~acting))
        rows = rows.take(acting)
    if len(left):
        fail("its turns do not fit")
    found, count = [], 0
    for rows in ended:
        if len(rows.own):
            more, of_these = answers(rules, rows)
            found += more
            count += of_these
    return np.unique(np.concatenate(found)) if found else np.zeros(0, np.uint64), count


def main(path: str) -> None:
    """Check the file, and say what it proves."""
    began = time.monotonic()
    data = Path(path).read_bytes()
    if not data.startswith(b"sarai strategy\n") or hashlib.sha256(data[:-32]).digest() != data[-32:]:
        raise SystemExit(f"{path} is no strategy, or has been changed")
    length = int.from_bytes(data[15:19], "little")
    header = json.loads(data[19 : 19 + length])
    at = 19 + length
    if header["of"]["game"] != "shah" or header["format"] != 1:
        raise SystemExit("this knows strategies of Shah only, of version 1")
    rules, first = Rules(header["of"]["rules"]), header["first"]
    print(f"rules: {header['of']['rules']}")
    start = np.zeros(1, np.uint64)
    begins = start + (NOBODY if rules.by_mill else WINNER if first else OTHER)
    rows = Rows(
        start, start, start, begins.astype(np.uint64), start + np.uint64(WINNER if first else OTHER), start
    )
    level = np.unique(np.concatenate(answers(rules, rows)[0]))
    positions = count = 0
    with multiprocessing.Pool() as pool:
        for number, due in enumerate(header["levels"], 1):
            if len(level) != due:
                fail(f"level {number} has {len(level):,} positions, not {due:,}")
            tasks = []
            for block in range(0, len(level), BLOCK):
                raw, stored = (int.from_bytes(data[at + of : at + of + 4], "little") for of in (0, 4))
                tasks.append(
                    (rules, first, level[block : block + BLOCK], raw, data[at + 8 : at + 8 + stored])
                )
                at += 8 + stored
            found = np.zeros(0, np.uint64)
            waiting: list[Words] = []
            for more, of_these in pool.imap(follow, tasks):
                waiting.append(more)
                count += of_these
                if sum(map(len, waiting)) > len(found) + (1 << 24):
                    found = np.unique(np.concatenate([found, *waiting]))
                    waiting = []
            positions += len(level)
            print(f"turn {number}: {len(level):,} positions, {time.monotonic() - began:.0f} s", flush=True)
            level = np.unique(np.concatenate([found, *waiting]))
    if len(level) or at != len(data) - 32:
        fail("its turns do not fit")
    print(
        f"proved: the {'first' if first else 'second'} player wins in at most {len(header['levels'])} turns of its "
        f"own, whatever the other does; {positions:,} positions, {count:,} answers"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
