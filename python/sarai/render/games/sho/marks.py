"""What the names of actions mean on this board."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from sarai.render import moves, pieces, svg
from sarai.render.games.sho.colours import COLOURS
from sarai.render.games.sho.pad import below_pool, pad_scale, value_plates
from sarai.render.games.sho.spiral import RING, Spiral, enlarged, number_size
from sarai.render.games.sho.view import Position

# The largest distance of a move.
_MOST_VALUE = 64


def _labels(position: Position, spiral: Spiral, ringed: set[int]) -> dict[int, moves.Point]:
    """Where the numbers of the positions stand; around those that are ringed there is a ring as for a legal move.

    A free position has its number on the band itself. Where coins lie it moves towards the pad.
    """
    piles = {place: count for side in position.sides for place, count in side.stacks.items()}
    larger, size = enlarged(spiral), number_size(spiral)
    labels = {}
    for place in range(1, position.num_shells):
        x, y, turned = spiral.position(place)
        if place in piles:
            # Just inside the coins: what counts is how far coins and number reach in that direction.
            angle = math.radians(turned)
            pile = pieces.pile_step(piles[place], spiral.coin) * (piles[place] - 1) / 2
            beside, below = 0.33 * size * len(str(place)), 0.36 * size + pile
            edge = (RING if place == position.moved else 1) * spiral.coin + 2 * larger
            if place in ringed:
                edge += 0.2 * spiral.coin + 2
            inwards = edge + beside * abs(math.cos(angle)) + below * abs(math.sin(angle))
            x, y, _ = spiral.position(place, inwards)
        labels[place] = (x, y)
    return labels


_MOVE = re.compile(r"(?:value ([0-9]{1,2})|(decline)|(hand|[0-9]{1,2})/(off|[0-9]{1,2})(?:(\*)|\+|( all))?)")


class Marks:
    """What the names of actions mean on this board."""

    def __init__(
        self, position: Position, spiral: Spiral, look: svg.Theme, legal: Sequence[str], coordinates: bool
    ) -> None:
        self.position, self.spiral, self.look = position, spiral, look
        names = moves.checked_legal(legal)
        matches = (_MOVE.fullmatch(name) for name in names if isinstance(name, str))
        found = [match for match in matches if match is not None]
        values = sorted({int(match[1]) for match in found if match[1]})
        self.plates = value_plates(values, below_pool(position) - 13)
        ringed = {int(match[4]) for match in found if match[4] and match[4] != "off"}
        self.labels = _labels(position, spiral, ringed) if coordinates else {}

    def reading(self, name: str, _player: int, ahead: bool) -> moves.Course | svg.Element | None:
        """What is marked for a move: an arrow for the last one, for a legal one its ends or a plate on the pad."""
        found = _MOVE.fullmatch(name)
        if found is None:
            raise ValueError(name)
        if found[4] is None:
            if not ahead:
                return None
            if found[1] and not 1 <= int(found[1]) <= _MOST_VALUE:
                raise ValueError(name)
            plate = self.plates[int(found[1])] if found[1] else (38, below_pool(self.position), 70, 24)
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

    def _ends(self, start: int, end: int, hit: bool, second: bool) -> svg.Element:
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
        radius = spiral.coin * ((RING if end == self.position.moved else 1) + (0.2 if held else 0))
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
        size, room = number_size(self.spiral), 0.3 * self.spiral.coin
        return any(
            abs(x - label[0]) < 0.32 * size * len(str(place)) + room and abs(y - label[1]) < 0.4 * size + room
            for place, label in self.labels.items()
            for x, y in points
        )

    def _plate(self, word: str, x: float, y: float, width: float, height: float) -> svg.Element:
        """What may be chosen, on the pad."""
        colours = COLOURS[self.look.name]
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
            transform=svg.placed(*self.spiral.centre, scale=pad_scale(self.spiral)),
        )
