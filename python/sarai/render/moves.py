"""Moves on a board: the last one and, on request, the legal ones, by the names that the game gives them.

The last move is a solid line with an arrow head, a legal one a thin dashed line, so that neither needs its colour.
A move that hits has two heads, and they are filled. What happens at one place, without a way to it, is a ring; what
is taken away has a cross in it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sarai.arguments import short
from sarai.render import svg

Point: TypeAlias = tuple[float, float]

Last: TypeAlias = tuple[int, str]
"""Who moved, and what: a seat and the name of an action."""

Worth: TypeAlias = tuple[int, int | None]
"""What a move leaves to who plays it: 1 won, 0 drawn, -1 lost; and in how many turns the game ends, None in a draw."""

MOST_LEGAL = 1000
"""How many legal moves one picture may show."""

_LONGEST_NAME = 40

# Won, drawn and lost, each dark enough for white figures on it, and apart for the colour-blind; the figures differ too.
_WORTHS = {1: "#00704f", 0: "#575e6b", -1: "#b03f06"}

# How broad the lines of a legal and of the last move are.
_THIN, _BROAD = 2.4, 4.2


@dataclass(frozen=True)
class Course:
    """Where a move leads: along these points, or what happens at the only one.

    ``clear`` is how far around its end pieces lie, which the line leaves free, and ``leave`` the same for where it
    begins, if that is not as far. ``removed`` is what is taken off at the only place, ``hit`` that pieces are hit or
    killed at the end.
    """

    points: tuple[Point, ...]
    clear: float
    leave: float | None = None
    removed: bool = False
    hit: bool = False


Reading: TypeAlias = Callable[[str, int, bool], Course | svg.Element | None]
"""What a game makes of a name, for a player, and whether the move is still to be chosen: where it leads, or
a mark of its own; None where there is nothing to show. It raises ValueError for what is no name."""


def marks(
    last: Last | None,
    legal: Sequence[str],
    player: int | None,
    num_players: int,
    reading: Reading,
    look: svg.Theme,
) -> svg.Element | None:
    """The marks of moves, as ``draw`` of every game takes them.

    Args:
        last: who moved last and the name of that action, or None.
        legal: names of actions that the player whose turn it is may choose.
        player: whose turn it is.
        num_players: how many seats there are.
        reading: what the game makes of a name.
        look: the colours.

    Raises:
        ValueError: if a name or a seat is wrong, or nobody is to move and yet there are legal moves.
    """
    names = checked_legal(legal)
    if names and player is None:
        raise ValueError(f"legal has {len(names)} moves, but nobody is to move in this position")
    drawn = []
    for i, given in enumerate(names):
        found, name = _read(reading, given, player or 0, f"legal[{i}]", ahead=True)
        drawn.append(_mark(found, look, dashed=True, label=f"legal: {name}"))
    if last is not None:
        seat, name = _checked_last(last, num_players)
        latest, _ = _read(reading, name, seat, "last", ahead=False)
        # The broad line below the thin ones.
        drawn.insert(0, _mark(latest, look, dashed=False, label=f"player {seat} played {name}"))
    shown = [mark for mark in drawn if mark is not None]
    return svg.group(*shown) if shown else None


def valued(
    values: Mapping[str, Worth], player: int | None, reading: Reading, look: svg.Theme
) -> svg.Element | None:
    """Moves with what they are worth, on a plate: "+7" for won in 7 turns, "=" for drawn, "-12" for lost in 12.

    Where the turns are not known, the plate has the sign alone.

    Args:
        values: what each move is worth, by its name.
        player: whose turn it is.
        reading: what the game makes of a name.
        look: the colours.

    Raises:
        ValueError: if a name is wrong or a value is none.
    """
    if not isinstance(values, Mapping) or len(values) > MOST_LEGAL:
        raise ValueError(f"values must be a dict with at most {MOST_LEGAL} names of actions and their values")
    lines, plates = [], []
    # The best on top.
    for name, worth in sorted(values.items(), key=lambda item: _goodness(item[0], item[1])):
        value, turns = worth
        found, _ = _read(reading, name, player or 0, "values", ahead=True)
        if not isinstance(found, Course):
            continue
        colour = _WORTHS[value]
        words = ("drawn", "won", "lost")[value] + ("" if turns is None else f" in {turns}")
        if len(found.points) == 1:
            (end,) = found.points
            plate = end[0] + 0.75 * found.clear, end[1] - 0.75 * found.clear
            line = circle(*end, found.clear + 4)
        else:
            # Beside the end and on the way there, so that plates of several ways to one place stand apart.
            way = _cut(found.points, found.clear)
            plate = _cut(way[::-1], 0.8 * found.clear)[0]
            line = f"M{svg.points(*_cut(way[::-1], 0.8 * found.clear)[::-1])}"
        ink: dict[str, svg.Attribute] = {"fill": "none", "stroke_linecap": "round"}
        lines.append(svg.path(line, stroke=look.background, stroke_width=_BROAD + 3.2, **ink))
        lines.append(svg.path(line, stroke=colour, stroke_width=_BROAD, **ink))
        text = ("=", "+", "\N{MINUS SIGN}")[value] + ("" if turns is None else str(turns))
        width = 12.0 + 10.5 * len(text)
        plates.append(
            svg.group(
                svg.rect(
                    plate[0] - width / 2,
                    plate[1] - 11,
                    width,
                    22,
                    rx=8,
                    fill=colour,
                    stroke=look.background,
                    stroke_width=1.6,
                ),
                svg.text(text, *plate, 16, fill="#ffffff", font_weight="bold"),
                label=f"{name}: {words}",
            )
        )
    return svg.group(*lines, *plates) if plates else None


def _goodness(name: str, worth: Worth) -> tuple[int, int]:
    """How good a move is, quick wins before slow ones and slow losses before quick ones."""
    fine = isinstance(worth, tuple) and len(worth) == 2 and worth[0] in _WORTHS
    if not fine or not (worth[1] is None or (isinstance(worth[1], int) and worth[0])):
        raise ValueError(
            f"values[{short(name)}] must be a pair of 1, 0 or -1 and the turns to the end, None in a draw "
            f"and where they are not known, got {short(worth)}"
        )
    return worth[0], -worth[0] * (worth[1] or 0)


def checked_legal(legal: Sequence[str]) -> Sequence[str]:
    """The names, if they are a list of at most as many as a picture may show."""
    if not isinstance(legal, list | tuple):
        raise ValueError(f"legal must be a list of names of actions, got {type(legal).__name__}")
    if len(legal) > MOST_LEGAL:
        raise ValueError(f"legal has {len(legal)} moves: a picture shows at most {MOST_LEGAL}")
    return legal


def _checked_last(last: Last, num_players: int) -> Last:
    if not isinstance(last, list | tuple) or len(last) != 2:
        raise ValueError(
            f"last must be None or a pair of a seat and the name of an action, got {short(last)}"
        )
    seat = last[0]
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < num_players:
        raise ValueError(f"last[0] must be a seat from 0 to {num_players - 1}, got {short(seat)}")
    return last


def _read(
    reading: Reading, name: object, player: int, where: str, *, ahead: bool
) -> tuple[Course | svg.Element | None, str]:
    if not isinstance(name, str):
        raise ValueError(f"{where} must be the name of an action, got {type(name).__name__}")
    try:
        if len(name) > _LONGEST_NAME:
            raise ValueError
        return reading(name, player, ahead), name
    except ValueError:
        raise ValueError(
            f"{where} is {name[:_LONGEST_NAME]!r}, which names no action: give what state.action_to_string says"
        ) from None


def bent(start: Point, end: Point, towards: Point, times: float = 1.0) -> tuple[Point, ...]:
    """A curve from start to end that leans towards a point, the more the longer it is, and ``times`` as much."""
    along_x, along_y = end[0] - start[0], end[1] - start[1]
    middle_x, middle_y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    # Square to the straight line, on the side of the point.
    side = along_x * (towards[1] - middle_y) - along_y * (towards[0] - middle_x)
    # A short way is bent enough to be seen beside what it leads past.
    lean = times * math.copysign(max(0.3, 18 / max(math.hypot(along_x, along_y), 18)), side)
    over = (middle_x - lean * along_y, middle_y + lean * along_x)
    steps = 16
    return tuple(
        (
            (1 - t) ** 2 * start[0] + 2 * t * (1 - t) * over[0] + t**2 * end[0],
            (1 - t) ** 2 * start[1] + 2 * t * (1 - t) * over[1] + t**2 * end[1],
        )
        for t in (i / steps for i in range(steps + 1))
    )


def _mark(
    found: Course | svg.Element | None, look: svg.Theme, *, dashed: bool, label: str
) -> svg.Element | None:
    if found is None:
        return None
    if isinstance(found, svg.Element):
        return svg.group(found, label=label)
    width = _THIN if dashed else _BROAD
    line, head = _ring(found, width) if len(found.points) == 1 else _arrow(found, width)
    return inked(line, head, look, dashed=dashed, label=label, filled=found.hit)


def inked(
    line: str, head: str, look: svg.Theme, *, dashed: bool, label: str | None = None, filled: bool = False
) -> svg.Element:
    """Path data as a mark: ``line`` solid for the last move and dashed for a legal one, ``head`` always solid."""
    width = _THIN if dashed else _BROAD
    ink: dict[str, svg.Attribute] = {"stroke": look.ink, "stroke_width": width}
    return svg.group(
        # A rim of the other tone, so that the line is seen on every ground.
        svg.path(line + head, stroke=look.background, stroke_width=width + 3.2),
        svg.path(line, stroke_dasharray="7 5" if dashed else None, **ink) if line else None,
        svg.path(head, fill=look.ink if filled else None, **ink) if head else None,
        fill="none",
        stroke_linecap="round",
        stroke_linejoin="round",
        label=label,
    )


def _ring(course: Course, width: float) -> tuple[str, str]:
    """A ring, and a cross for what is taken away."""
    ((x, y),) = course.points
    radius = course.clear + width + 3
    cross = ""
    if course.removed:
        reach = 0.5 * course.clear
        for way in (1, -1):
            cross += f"M{svg.points((x - reach, y - way * reach), (x + reach, y + way * reach))}"
    return circle(x, y, radius), cross


def circle(x: float, y: float, radius: float) -> str:
    """Path data of a circle."""
    ring = f"M{svg.points((x - radius, y))}"
    for to in (x + radius, x - radius):
        ring += f"A{svg.number(radius)} {svg.number(radius)} 0 0 1 {svg.points((to, y))}"
    return ring


def _arrow(course: Course, width: float) -> tuple[str, str]:
    """A line, and the head at its end; two for a hit, closed."""
    points = _cut(
        _cut(course.points, course.clear if course.leave is None else course.leave)[::-1],
        course.clear + width,
    )[::-1]
    (back_x, back_y), (x, y) = _before(points, 8), points[-1]
    angle = math.atan2(y - back_y, x - back_x)
    size = 5 + 2.8 * width
    return f"M{svg.points(*points)}", "".join(
        head(x - back * math.cos(angle), y - back * math.sin(angle), angle, size)
        + ("Z" if course.hit else "")
        for back in ((0.0, 6 + 2.2 * width) if course.hit else (0.0,))
    )


def head(x: float, y: float, angle: float, size: float) -> str:
    """Path data of the head of an arrow with its tip there, which points at that angle, clockwise from the right."""
    wings = [(x - size * math.cos(angle + turn), y - size * math.sin(angle + turn)) for turn in (-0.5, 0.5)]
    return f"M{svg.points(wings[0], (x, y), wings[1])}"


def _cut(points: Sequence[Point], off: float) -> list[Point]:
    """A line without its first part of that length; at least its last third is left."""
    whole = sum(math.dist(a, b) for a, b in itertools.pairwise(points))
    left = min(off, whole / 3)
    for i, (a, b) in enumerate(itertools.pairwise(points)):
        step = math.dist(a, b)
        if left < step:
            share = left / step
            return [(a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])), *points[i + 1 :]]
        left -= step
    return list(points[-2:])


def _before(points: Sequence[Point], distance: float) -> Point:
    """The point of the line about so far before its end."""
    end = points[-1]
    return next((point for point in reversed(points) if math.dist(point, end) >= distance), points[0])
