"""The board of Sho: a spiral of cowrie shells, laid clockwise round the leather dice pad.

The coins enter next to the pad and leave at the outer end. A position is the gap after a shell, so position p
lies between shells p and p + 1. What a side has in hand and off stands in a panel under the board.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sarai.render import moves, pieces, svg
from sarai.render import view as read

_WIDTH = 600.0
_CENTRE = 300.0
_PANEL_HEIGHT = 104.0
_MARGIN = 12.0

# The largest distance of a move.
_MOST_VALUE = 64

# How wide the mark round a stack that moved just now is, in coins.
_RING = 1.3

# What the player is asked for, as shown on the pad and as said in the description.
_PHASES = {
    "first": ("who begins?", "who begins is still to be drawn"),
    "roll": ("to roll", "is to roll the dice"),
    "reroll": ("to roll again", "threw 1-1 and is to roll again"),
    "value": ("choose a value", "is to choose a value"),
    "source": ("choose a stack", "is to choose what moves"),
    "overflow": ("use the rest?", "may move another stack by what is left over"),
    "over": ("", "the game is over"),
}


@dataclass(frozen=True)
class _Colours:
    """What only this board has: ivory shells, a leather pad, a cloth for the track."""

    track: str
    shell: str
    shell_edge: str
    shell_slit: str
    pad: str
    pad_edge: str
    stitch: str
    on_pad: str
    on_pad_muted: str


_COLOURS = {
    "light": _Colours(
        track="#eee5d3",
        shell="#fffaf0",
        shell_edge="#a08f73",
        shell_slit="#8d7a5c",
        pad="#6b4528",
        pad_edge="#4a2e19",
        stitch="#d9b68a",
        on_pad="#fff8ec",
        on_pad_muted="#e7cfae",
    ),
    "dark": _Colours(
        track="#24272d",
        shell="#d9d1c0",
        shell_edge="#8f866f",
        shell_slit="#6f6650",
        pad="#4a301d",
        pad_edge="#2b1b10",
        stitch="#a8855c",
        on_pad="#fff3e0",
        on_pad_muted="#d9bd97",
    ),
}


@dataclass(frozen=True)
class _Side:
    """One side of the state, checked."""

    index: int
    seats: list[int]
    hand: int
    off: int
    stacks: dict[int, int]
    cleared: bool

    @property
    def letter(self) -> str:
        return pieces.LETTERS[self.index]

    @property
    def name(self) -> str:
        return f"side {self.letter}"

    @property
    def players(self) -> str:
        return f"player{'s' if len(self.seats) > 1 else ''} {', '.join(map(str, self.seats))}"


@dataclass(frozen=True)
class _Position:
    """The view, checked: all that the drawing reads."""

    num_shells: int
    sides: list[_Side]
    phase: str
    player: int | None
    pool: list[int]
    six_three_roll: bool
    value: int | None
    moved: int | None
    turn: int
    winner: int | None

    @property
    def acting(self) -> _Side | None:
        """The side of the player whose turn it is."""
        return next((side for side in self.sides if self.player in side.seats), None)


class _Spiral:
    """Where shells and positions lie.

    The radius grows by PITCH in each turn and reaches OUTER at the last shell. The number of turns follows
    from the number of shells; a short line of shells is spread over one turn instead, with larger coins. The
    whole is then moved and scaled to fill its square: a spiral does not lie evenly round its own centre.
    """

    OUTER = 268.0
    PITCH = 56.0
    GAP = 45.0
    FEWEST_TURNS = 0.92

    def __init__(self, num_shells: int) -> None:
        gaps = num_shells - 1
        turns = (self.OUTER - math.sqrt(self.OUTER**2 - self.PITCH * gaps * self.GAP / math.pi)) / self.PITCH
        turns = max(turns, self.FEWEST_TURNS)
        self.inner = self.OUTER - self.PITCH * turns
        self.growth = self.PITCH / (2 * math.pi)
        self.length = 2 * math.pi * (self.OUTER * turns - self.PITCH * turns**2 / 2)
        self.gap = self.length / gaps
        self.coin = min(0.345 * self.gap, 24.0)
        self.reach = min(0.75 * self.gap, 38.0)
        self.centre = (0.0, 0.0)
        self._fill()

    def _fill(self) -> None:
        """Scale and move the spiral so that its band fills the square, the margin left free."""
        xs, ys = zip(*self.line(), strict=True)
        room = _WIDTH - 2 * _MARGIN
        scale = room / (max(max(xs) - min(xs), max(ys) - min(ys)) + 2.1 * self.coin)
        self.centre = (_CENTRE - scale * (max(xs) + min(xs)) / 2, _CENTRE - scale * (max(ys) + min(ys)) / 2)
        self.inner, self.growth, self.length = scale * self.inner, scale * self.growth, scale * self.length
        self.gap, self.coin, self.reach = scale * self.gap, scale * self.coin, scale * self.reach

    def line(self) -> list[tuple[float, float]]:
        """The line of shells with a bit more at both ends."""
        steps = 200
        return [
            self.at(-self.reach + (self.length + 2 * self.reach) * i / steps)[:2] for i in range(steps + 1)
        ]

    def at(self, distance: float, inwards: float = 0.0) -> tuple[float, float, float]:
        """The point that far along the line of shells, and its angle in degrees, clockwise from the right."""
        turned = (math.sqrt(self.inner**2 + 2 * self.growth * distance) - self.inner) / self.growth
        angle = turned - math.pi / 2
        radius = self.inner + self.growth * turned - inwards
        x, y = self.centre
        return x + radius * math.cos(angle), y + radius * math.sin(angle), math.degrees(angle)

    def shell(self, index: int) -> tuple[float, float, float]:
        return self.at((index - 1) * self.gap)

    def position(self, index: int, inwards: float = 0.0) -> tuple[float, float, float]:
        return self.at((index - 0.5) * self.gap, inwards)


def draw(
    view: Mapping[str, Any],
    *,
    theme: str = "light",
    size: float = 480,
    coordinates: bool = True,
    last: moves.Last | None = None,
    legal: Sequence[str] = (),
) -> svg.Svg:
    """Draw a position of Sho.

    Args:
        view: ``{"game": "sho", "rules": {...}, "num_players": int, "sides": [...], "state": {...}}``, as
            ``state.view()`` gives it; it is only read.
        theme: ``"light"`` or ``"dark"``.
        size: the width in pixels, 16 to 16384; the height follows. The picture reads well from 300 on.
        coordinates: whether the positions are numbered.
        last: who moved last and the name of that action, such as ``(0, "7/15+")``, to be marked with a solid arrow
            along the shells; a kill has a filled double head. The choice of a value and "decline" leave no mark:
            the pad says what follows from them.
        legal: names of actions to be marked as legal moves of the player whose turn it is: a short arrow beside
            what can move, at the way in for a coin from the hand, and a dashed ring where it comes down. All moves
            of a throw are equally long, so the first arrow belongs to the first ring and so on. A kill has ticks
            on its ring, and "hand/9 all" a second ring. The values to choose from and "decline" are dashed plates
            on the pad.

    Returns:
        A whole SVG document without scripts, links or ids. The same arguments always give the same text.

    Raises:
        ValueError: if the view is broken, the theme unknown, the size out of range, or a move has no known name.

    Example:
        >>> side = {"hand": 8, "off": 0, "stacks": {"3": 1}, "cleared": False}
        >>> state = {"phase": "roll", "player": 0, "sides": [side, {**side, "stacks": {"7": 1}}], "pool": [],
        ...          "six_three_roll": False, "value": None, "moved": None, "turn": 2, "winner": None}
        >>> view = {"game": "sho", "rules": {"num_shells": 64, "coins": 9}, "num_players": 2, "sides": [0, 1],
        ...         "state": state}
        >>> draw(view).startswith("<svg")
        True
        >>> draw({**view, "rules": {"num_shells": 3, "coins": 9}})
        Traceback (most recent call last):
            ...
        ValueError: view['rules']['num_shells'] must be an integer from 4 to 64, got 3
    """
    look = svg.get_theme(theme)
    position = _read(view)
    spiral = _Spiral(position.num_shells)
    height = 2 * _CENTRE + _PANEL_HEIGHT + _MARGIN
    marks = _Marks(position, spiral, look, legal, coordinates)
    tabs, numbers = _numbers(position, spiral, look, marks.labels)
    return svg.document(
        _track(position, spiral, look, tabs),
        _pad(position, spiral, look, declines="decline" in legal),
        moves.marks(last, legal, position.player, len(view["sides"]), marks.reading, look),
        # On top of the marks, which would make them hard to read.
        numbers,
        _stacks(position, spiral, look),
        _panels(position, look),
        width=_WIDTH,
        height=height,
        shown_width=size,
        theme=look,
        title=f"Sho, turn {position.turn}: {_headline(position)}",
        description=_describe(position),
    )


def _read(view: Mapping[str, Any]) -> _Position:
    read.of_game(view, "sho")
    rules = read.mapping(view, "rules", "view")
    num_shells = read.integer(rules, "num_shells", "view['rules']", 4, 64)
    coins = read.integer(rules, "coins", "view['rules']", 1, 9)
    seats = read.seats_of_sides(view)
    state = read.mapping(view, "state", "view")
    where = "view['state']"
    given = read.sequence(state, "sides", where)
    if len(given) != len(seats):
        raise ValueError(
            f"{where}['sides'] must have an entry for each of {len(seats)} sides, got {len(given)}"
        )
    sides = [_read_side(given[i], i, seats[i], num_shells, coins) for i in range(len(seats))]
    _refuse_shared_positions(sides)
    pool = [
        read.checked_integer(v, f"{where}['pool'][{i}]", 1, 64)
        for i, v in enumerate(read.sequence(state, "pool", where))
    ]
    if len(pool) > 8:
        raise ValueError(f"{where}['pool'] must hold at most 8 values, got {len(pool)}")
    phase = read.one_of(state, "phase", where, list(_PHASES))
    player = read.optional_integer(state, "player", where, 0, len(view["sides"]) - 1)
    read.refuse_wrong_player(player, phase, where, ("first", "over"))
    return _Position(
        num_shells=num_shells,
        sides=sides,
        phase=phase,
        player=player,
        pool=pool,
        six_three_roll=read.flag(state, "six_three_roll", where),
        value=read.optional_integer(state, "value", where, 1, 64),
        moved=read.optional_integer(state, "moved", where, 1, 64),
        turn=read.integer(state, "turn", where, 0, 65535),
        winner=read.optional_integer(state, "winner", where, 0, len(seats) - 1),
    )


def _read_side(side: Mapping[str, Any], index: int, seats: list[int], num_shells: int, coins: int) -> _Side:
    where = f"view['state']['sides'][{index}]"
    hand = read.integer(side, "hand", where, 0, coins)
    off = read.integer(side, "off", where, 0, coins)
    places = {str(place) for place in range(1, num_shells)}
    stacks: dict[int, int] = {}
    for key, count in read.mapping(side, "stacks", where).items():
        if key not in places:
            raise ValueError(
                f"{where}['stacks'] takes positions '1' to '{num_shells - 1}' as keys, got {key!r}"
            )
        stacks[int(key)] = read.checked_integer(count, f"{where}['stacks'][{key!r}]", 1, coins)
    total = hand + off + sum(stacks.values())
    if total != coins:
        raise ValueError(
            f"{where} has {total} coins in hand, on the track and off together, but the rules give it {coins}"
        )
    return _Side(index, seats, hand, off, dict(sorted(stacks.items())), read.flag(side, "cleared", where))


def _refuse_shared_positions(sides: list[_Side]) -> None:
    holder: dict[int, int] = {}
    for side in sides:
        for place in side.stacks:
            if holder.setdefault(place, side.index) != side.index:
                raise ValueError(
                    f"position {place} holds coins of sides {holder[place]} and {side.index}: "
                    "a position holds coins of one side only"
                )


def _headline(position: _Position) -> str:
    won = None if position.winner is None else f"{position.sides[position.winner].name} wins"
    return pieces.said(position.player, position.phase, _PHASES, won)


def _describe(position: _Position) -> str:
    """The whole position in words, for those who do not see the picture."""
    said = _headline(position)
    parts = [f"A spiral of {position.num_shells} shells. {said[0].upper()}{said[1:]}."]
    if position.pool:
        parts.append(f"Values in the pool: {', '.join(map(str, position.pool))}.")
    if position.value is not None:
        parts.append(f"To move: {position.value}.")
    if position.moved is not None:
        parts.append(f"Moved just now, so it rests: {_place(position)}.")
    if position.six_three_roll:
        parts.append("The roll is 6-3.")
    for side in position.sides:
        stacks = ", ".join(f"{count} on {place}" for place, count in side.stacks.items()) or "none"
        cleared = " All its coins were sent home." if side.cleared else ""
        parts.append(
            f"Side {side.letter} ({side.players}): {side.hand} in hand, {side.off} off, "
            f"on the track: {stacks}.{cleared}"
        )
    return " ".join(parts)


def _place(position: _Position) -> str:
    off = position.moved is not None and position.moved >= position.num_shells
    return "a stack that went off" if off else f"the stack on {position.moved}"


def _shell(x: float, y: float, angle: float, scale: float, colours: _Colours) -> str:
    """A cowrie seen from its slit, lying along the radius."""
    body = "M-15 0C-15 -5 -6 -7 2 -6.6C10 -6.2 15 -4 15 0C15 4 10 6.2 2 6.6C-6 7 -15 5 -15 0Z"
    return svg.group(
        svg.path(body, fill=colours.shell, stroke=colours.shell_edge, stroke_width=1.1),
        svg.path(
            "M-11 0C-4 -1.6 5 -1.2 12 0",
            fill="none",
            stroke=colours.shell_slit,
            stroke_width=5,
            stroke_dasharray="0.9 1.9",
        ),
        svg.path("M-11.5 0C-4 -1.6 5 -1.2 12.5 0", fill="none", stroke=colours.shell_slit, stroke_width=1.5),
        transform=svg.placed(x, y, angle, scale),
    )


def _track(position: _Position, spiral: _Spiral, look: svg.Theme, tabs: str) -> str:
    colours = _COLOURS[look.name]
    scale = spiral.coin / 15.5
    band = svg.path(
        f"M{svg.points(*spiral.line())}",
        fill="none",
        stroke=colours.track,
        stroke_width=1.9 * spiral.coin,
        stroke_linecap="round",
        stroke_linejoin="round",
    )
    shells = [_shell(*spiral.shell(i), scale, colours) for i in range(1, position.num_shells + 1)]
    ends = (-0.75 * spiral.reach, spiral.length + 0.75 * spiral.reach)
    arrows = [_arrow(*spiral.at(end), spiral.coin, look) for end in ends]
    return svg.group(band, tabs, *arrows, *shells)


def _arrow(x: float, y: float, angle: float, radius: float, look: svg.Theme) -> str:
    """A chevron that points clockwise: the way in at the pad, the way out at the last shell."""
    size = 0.5 * radius
    return svg.path(
        f"M{svg.points((-size, -0.6 * size), (0, 0.6 * size), (size, -0.6 * size))}",
        fill="none",
        stroke=look.muted,
        stroke_width=0.2 * radius,
        stroke_linecap="round",
        stroke_linejoin="round",
        transform=svg.placed(x, y, angle),
    )


def _larger(spiral: _Spiral) -> float:
    """How much larger numbers are on a short line of shells."""
    return 1 + 0.5 * (spiral.coin / 15.5 - 1)


def _number_size(spiral: _Spiral) -> float:
    return 14.5 * _larger(spiral)


def _labels(position: _Position, spiral: _Spiral, ringed: set[int]) -> dict[int, moves.Point]:
    """Where the numbers of the positions stand; around those that are ringed there is a ring as for a legal move.

    A free position has its number on the band itself. Where coins lie it moves towards the pad.
    """
    piles = {place: count for side in position.sides for place, count in side.stacks.items()}
    larger, size = _larger(spiral), _number_size(spiral)
    labels = {}
    for place in range(1, position.num_shells):
        x, y, turned = spiral.position(place)
        if place in piles:
            # Just inside the coins: what counts is how far coins and number reach in that direction.
            angle = math.radians(turned)
            pile = pieces.pile_step(piles[place], spiral.coin) * (piles[place] - 1) / 2
            beside, below = 0.33 * size * len(str(place)), 0.36 * size + pile
            edge = (_RING if place == position.moved else 1) * spiral.coin + 2 * larger
            if place in ringed:
                edge += 0.2 * spiral.coin + 2
            inwards = edge + beside * abs(math.cos(angle)) + below * abs(math.sin(angle))
            x, y, _ = spiral.position(place, inwards)
        labels[place] = (x, y)
    return labels


def _numbers(
    position: _Position, spiral: _Spiral, look: svg.Theme, labels: Mapping[int, moves.Point]
) -> tuple[str, str]:
    """The numbers of the positions and, to lie under the shells, the tabs of those that coins would cover.

    A tab is of the same band, so that its number cannot be taken for one of the next ring.
    """
    size = _number_size(spiral)
    piles = {place for side in position.sides for place in side.stacks}
    tabs, written = [], []
    for place, label in labels.items():
        if place in piles:
            tabs.append(
                svg.path(
                    f"M{svg.points(spiral.position(place)[:2], label)}",
                    fill="none",
                    stroke=_COLOURS[look.name].track,
                    stroke_width=1.6 * size,
                    stroke_linecap="round",
                )
            )
        # Bold means every fifth position and nothing else.
        weight = "bold" if place % 5 == 0 else None
        written.append(svg.text(str(place), *label, size, fill=look.ink, font_weight=weight))
    return svg.group(*tabs), svg.group(*written)


def _stacks(position: _Position, spiral: _Spiral, look: svg.Theme) -> str:
    drawn = []
    for side in position.sides:
        for place, count in side.stacks.items():
            x, y, _ = spiral.position(place)
            coins = "coin" if count == 1 else "coins"
            label = f"{side.name}: {count} {coins} on {place}"
            if place == position.moved and side is position.acting:
                drawn.append(pieces.moved_ring(x, y, _RING * spiral.coin, 2.4, look))
                label += ", moved just now"
            drawn.append(pieces.pile(x, y, spiral.coin, count, side.index, look, label))
    return svg.group(*drawn)


_MOVE = re.compile(r"(?:value ([0-9]{1,2})|(decline)|(hand|[0-9]{1,2})/(off|[0-9]{1,2})(?:(\*)|\+|( all))?)")


class _Marks:
    """What the names of actions mean on this board."""

    def __init__(
        self, position: _Position, spiral: _Spiral, look: svg.Theme, legal: Sequence[str], coordinates: bool
    ) -> None:
        self.position, self.spiral, self.look = position, spiral, look
        names = moves.checked_legal(legal)
        matches = (_MOVE.fullmatch(name) for name in names if isinstance(name, str))
        found = [match for match in matches if match is not None]
        values = sorted({int(match[1]) for match in found if match[1]})
        self.plates = _value_plates(values, _below_pool(position) - 13)
        ringed = {int(match[4]) for match in found if match[4] and match[4] != "off"}
        self.labels = _labels(position, spiral, ringed) if coordinates else {}

    def reading(self, name: str, _player: int, ahead: bool) -> moves.Course | str | None:
        """What is marked for a move: an arrow for the last one, for a legal one its ends or a plate on the pad."""
        found = _MOVE.fullmatch(name)
        if found is None:
            raise ValueError(name)
        if found[4] is None:
            if not ahead:
                return None
            if found[1] and not 1 <= int(found[1]) <= _MOST_VALUE:
                raise ValueError(name)
            plate = self.plates[int(found[1])] if found[1] else (38, _below_pool(self.position), 70, 24)
            return self._plate(found[1] or "decline", *plate)
        last = self.position.num_shells
        start = 0 if found[3] == "hand" else int(found[3])
        end = last if found[4] == "off" else int(found[4])
        if not 0 <= start < end <= last:
            raise ValueError(name)
        if ahead:
            return self._ends(start, end, hit=found[5] is not None, second=found[6] is not None)
        return self._way(start, end, hit=found[5] is not None)

    def _along(self, place: int) -> float:
        """How far along the shells a position lies; the hand before all of them and what is off behind them."""
        spiral = self.spiral
        if place == 0:
            return -0.5 * spiral.reach
        if place == self.position.num_shells:
            return spiral.length + 0.5 * spiral.reach
        return (place - 0.5) * spiral.gap

    def _way(self, start: int, end: int, hit: bool) -> moves.Course:
        """The way of a move, on the outer edge of the band."""
        spiral, begin, far = self.spiral, self._along(start), self._along(end)
        steps = 4 * (end - start)
        way = [spiral.at(begin + (far - begin) * i / steps, -0.95 * spiral.coin)[:2] for i in range(1, steps)]
        return moves.Course((spiral.at(begin)[:2], *way, spiral.at(far)[:2]), spiral.coin, hit=hit)

    def _ends(self, start: int, end: int, hit: bool, second: bool) -> str:
        """A short arrow beside what can move and a ring where it comes down: whole ways would run together."""
        spiral, begin = self.spiral, self._along(start)
        tries = [
            [spiral.at(begin + (i / 4 + ahead) * spiral.coin, -1.4 * spiral.coin)[:2] for i in range(7)]
            for ahead in (-0.7, -0.1, -1.2, 0.4, 0.9, -1.8)
        ]
        # Where it touches no number of the next ring; the first place, if it does everywhere.
        beside = next((each for each in tries if not self._touches(each)), tries[0])
        (back_x, back_y), (x, y) = beside[-2:]
        tip = moves.head(x, y, math.atan2(y - back_y, x - back_x), 0.5 * spiral.coin)
        x, y, turned = spiral.at(self._along(end))
        # A coin that would lie there, or round those that do; a ring that is there already shows what moved just now.
        held = any(end in side.stacks for side in self.position.sides)
        radius = spiral.coin * ((_RING if end == self.position.moved else 1) + (0.2 if held else 0))
        ring = moves.circle(x, y, radius) + (moves.circle(x, y, radius - 5) if second else "")
        ticks = ""
        for corner in (45, 135, 225, 315) if hit else ():
            angle = math.radians(turned + corner)
            ticks += "M" + svg.points(
                *((x + r * math.cos(angle), y + r * math.sin(angle)) for r in (radius - 3, radius + 7))
            )
        return svg.group(
            moves.inked(ring, ticks, self.look, dashed=True),
            moves.inked("", f"M{svg.points(*beside)}{tip}", self.look, dashed=True),
        )

    def _touches(self, points: Sequence[moves.Point]) -> bool:
        """Whether something there would cover a number."""
        size, room = _number_size(self.spiral), 0.3 * self.spiral.coin
        return any(
            abs(x - label[0]) < 0.32 * size * len(str(place)) + room and abs(y - label[1]) < 0.4 * size + room
            for place, label in self.labels.items()
            for x, y in points
        )

    def _plate(self, word: str, x: float, y: float, width: float, height: float) -> str:
        """What may be chosen, on the pad."""
        colours = _COLOURS[self.look.name]
        return svg.group(
            svg.rect(
                x - width / 2,
                y - height / 2,
                width,
                height,
                rx=height / 4,
                fill=colours.pad,
                stroke=colours.on_pad,
                stroke_width=min(1.8, 0.1 * height),
                stroke_dasharray="4 2.6",
            ),
            svg.text(
                word, x, y, 0.76 * height if word.isdigit() else 15, fill=colours.on_pad, font_weight="bold"
            ),
            transform=svg.placed(*self.spiral.centre, scale=_pad_scale(self.spiral)),
        )


def _value_plates(values: Sequence[int], top: float) -> dict[int, tuple[float, float, float, float]]:
    """Where on the pad each value stands, below ``top``: its middle, width and height, as large as all fit."""
    height = 26.0
    while True:
        width, gap = 1.3 * height, 0.22 * height
        rows: list[list[int]] = []
        middles = []
        y, rest = top + height / 2, list(values)
        while rest and y + height / 2 < 93:
            # The round pad is narrower further down.
            room = 2 * math.sqrt(94**2 - (y + height / 2) ** 2)
            fit = max(int((room + gap) / (width + gap)), 0)
            rows.append(rest[:fit])
            middles.append(y)
            rest, y = rest[fit:], y + height + gap
        if not rest:
            break
        height *= 0.93
    return {
        value: ((i - (len(row) - 1) / 2) * (width + gap), y, width, height)
        for row, y in zip(rows, middles, strict=True)
        for i, value in enumerate(row)
    }


def _pad_scale(spiral: _Spiral) -> float:
    return min(spiral.inner - 1.1 * spiral.coin - 24, 150) / 106


def _pad(position: _Position, spiral: _Spiral, look: svg.Theme, declines: bool) -> str:
    colours = _COLOURS[look.name]
    return svg.group(
        svg.circle(0, 0, 106, fill=colours.pad, stroke=colours.pad_edge, stroke_width=3),
        svg.circle(0, 0, 99, fill="none", stroke=colours.stitch, stroke_width=1.6, stroke_dasharray="6 4"),
        *_pad_words(position, look, colours, declines),
        transform=svg.placed(*spiral.centre, scale=_pad_scale(spiral)),
    )


def _pad_words(position: _Position, look: svg.Theme, colours: _Colours, declines: bool) -> list[str]:
    note = ", 6-3" if position.six_three_roll else ""
    words = [svg.text(f"turn {position.turn}{note}", 0, -75, 14, fill=colours.on_pad_muted)]
    shown = position.acting if position.winner is None else position.sides[position.winner]
    if position.phase == "over":
        result = "draw" if shown is None else f"{shown.letter} wins"
        words.append(svg.text(result, 0, 28 if shown else 0, 34, fill=colours.on_pad, font_weight="bold"))
        if shown is not None:
            words.append(pieces.emblem(0, -26, 26, shown.index, look))
            words.append(svg.text(shown.players, 0, 60, 17, fill=colours.on_pad_muted))
        return words
    ask = "second stack" if position.moved is not None else _PHASES[position.phase][0]
    if shown is not None:
        words.append(pieces.emblem(-54, -47, 17, shown.index, look))
        words.append(
            svg.text(
                f"player {position.player}",
                -31,
                -47,
                21,
                fill=colours.on_pad,
                font_weight="bold",
                text_anchor="start",
            )
        )
    words.append(svg.text(ask, 0, -15, 18, fill=colours.on_pad))
    words.extend(_pool(position, colours, declines))
    return words


def _pool_rows(position: _Position) -> tuple[list[list[int]], float]:
    """The values on the pad in rows, and how high these are."""
    rows = [position.pool[i : i + 4] for i in range(0, len(position.pool), 4)]
    return rows, 28.0 if len(rows) < 2 else 24.0


def _below_pool(position: _Position) -> float:
    """The middle of the line under the pool, from the middle of the pad."""
    rows, height = _pool_rows(position)
    return 5 + height / 2 + len(rows) * (height + 4) if rows else 26.0


def _pool(position: _Position, colours: _Colours, declines: bool) -> list[str]:
    """The values on the pad as tiles, four to a row, and under them the distance that is to be moved."""
    drawn = []
    rows, height = _pool_rows(position)
    y = 5 + height / 2
    for row in rows:
        for i, value in enumerate(row):
            x = (i - (len(row) - 1) / 2) * 39
            drawn.append(
                svg.rect(
                    x - 17, y - height / 2, 34, height, rx=6, fill=colours.on_pad, stroke=colours.pad_edge
                )
            )
            drawn.append(svg.text(str(value), x, y, 19, fill=colours.pad_edge, font_weight="bold"))
        y += height + 4
    if position.value is not None:
        # Beside the plate for declining, if there is one.
        x, y = -42 if declines else 0, _below_pool(position)
        drawn.append(svg.text(f"move {position.value}", x, y, 20, fill=colours.on_pad, font_weight="bold"))
    return drawn


def _panels(position: _Position, look: svg.Theme) -> str:
    lefts, width = pieces.in_a_row(len(position.sides), _MARGIN, _WIDTH - _MARGIN)
    return svg.group(
        *(_panel(position, side, left, width, look) for side, left in zip(position.sides, lefts, strict=True))
    )


def _panel(position: _Position, side: _Side, left: float, width: float, look: svg.Theme) -> str:
    top = 2 * _CENTRE
    lit = side.index == position.winner or (position.winner is None and side is position.acting)
    colour = look.sides[side.index] if lit else None
    middle = left + width / 2
    parts = [
        pieces.panel(left, top, width, _PANEL_HEIGHT, look, colour),
        pieces.emblem(left + 21, top + 21, 14, side.index, look),
        pieces.bold(side.players, left + 40, top + 21, 17, look),
    ]
    for word, number, x in (
        ("hand", side.hand, middle - width / 4.2),
        ("off", side.off, middle + width / 4.2),
    ):
        parts.append(pieces.pile(x, top + 60, 17, number, side.index, look, f"{side.name}: {number} {word}"))
        parts.append(svg.text(word, x, top + 92, 16, fill=look.muted))
    if side.cleared:
        parts.append(_sent_home(middle, top + 60, look))
    return svg.group(*parts, label=f"{side.name}: {side.hand} in hand, {side.off} off")


def _sent_home(x: float, y: float, look: svg.Theme) -> str:
    """An arrow that turns back to the hand: all coins of the side were sent home."""
    return svg.group(
        svg.path(
            "M9 7V2A7 7 0 0 0 2 -5H-7M-2 -10L-7 -5L-2 0",
            fill="none",
            stroke=look.muted,
            stroke_width=2.4,
            stroke_linecap="round",
            stroke_linejoin="round",
        ),
        label="all its coins were sent home",
        transform=svg.placed(x, y),
    )
