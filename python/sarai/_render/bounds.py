"""Where the elements of a drawing paint: boxes that may be too large, and never too small."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from sarai._base.arguments import short
from sarai._render.elements import Element

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_TRANSFORM = re.compile(rf"\s*(translate|scale|rotate)\(\s*({_NUMBER})(?:[\s,]+({_NUMBER}))?\s*\)\s*")
_STEP = re.compile(rf"([A-Za-z])|({_NUMBER})")
_VALUES = {"M": 2, "L": 2, "H": 1, "V": 1, "Q": 4, "C": 6, "A": 7, "Z": 0}

# What decides where an element paints; anything that is not listed may paint anywhere.
_SILENT = {"fill", "fill-opacity", "stroke-linecap", "stroke-dasharray", "stroke-opacity", "font-weight"}
_SILENT |= {"font-family", "opacity", "role", "aria-label"}
_INHERITED = {"stroke", "stroke-width", "stroke-linejoin", "font-size", "text-anchor"}
_OWN = {
    "g": set[str](),
    "rect": {"x", "y", "width", "height", "rx"},
    "circle": {"cx", "cy", "r"},
    "path": {"d"},
    "text": {"x", "y"},
}
_EVERYWHERE = _SILENT | _INHERITED | {"transform"}

# No font that draws our texts has broader letters, in sizes of the font.
_BROADEST, _BROAD = 1.2, 0.85


class Box(NamedTuple):
    """A rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    def joined(self, other: Box) -> Box:
        """The smallest box around both."""
        return Box(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )

    def meets(self, other: Box) -> bool:
        """Whether both have a point in common."""
        return (
            self.left <= other.right
            and other.left <= self.right
            and self.top <= other.bottom
            and other.top <= self.bottom
        )

    def area(self) -> float:
        """Its area."""
        return (self.right - self.left) * (self.bottom - self.top)


EVERYWHERE = Box(-math.inf, -math.inf, math.inf, math.inf)
NOWHERE = Box(math.inf, math.inf, -math.inf, -math.inf)


def around(boxes: Iterable[Box]) -> Box:
    """The smallest box around all of these.

    Example:
        >>> around([Box(0, 0, 1, 1), Box(5, 2, 6, 3)])
        Box(left=0, top=0, right=6, bottom=3)
    """
    sides = list(zip(*boxes, strict=True))
    if not sides:
        return NOWHERE
    return Box(min(sides[0]), min(sides[1]), max(sides[2]), max(sides[3]))


class Place(NamedTuple):
    """What an element has from the groups around it: a transform ``(a, b, c, d, e, f)`` as in SVG, and attributes."""

    matrix: tuple[float, float, float, float, float, float] = (1, 0, 0, 1, 0, 0)
    inherited: Mapping[str, str] = {}
    known: bool = True
    groups: tuple[Element, ...] = ()

    def within(self, group: Element) -> Place:
        """What the children of a group have."""
        own = {name: value for name, value in group.attributes.items() if name in _INHERITED}
        matrix = _transformed(self.matrix, group.attributes.get("transform", ""))
        if matrix is None or not self.known or not group.attributes.keys() <= _EVERYWHERE - {"opacity"}:
            return Place(known=False)
        # Only their tags matter.
        return Place(matrix, {**self.inherited, **own}, True, (*self.groups, group._replace(children=())))


def box(element: Element, place: Place) -> Box:
    """The box of an element that is no group.

    Example:
        >>> box(Element("circle", {"cx": "5", "cy": "5", "r": "2", "transform": "translate(10 0)"}), Place())
        Box(left=13.0, top=3.0, right=17.0, bottom=7.0)
        >>> box(Element("use", {"href": "#stone"}), Place()) == EVERYWHERE
        True
    """
    if element.name in ("title", "desc"):
        return NOWHERE
    own = _OWN.get(element.name)
    if not place.known or own is None or not element.attributes.keys() <= own | _EVERYWHERE:
        return EVERYWHERE
    matrix = _transformed(place.matrix, element.attributes.get("transform", ""))
    if matrix is None:
        return EVERYWHERE
    look = {**place.inherited, **element.attributes}
    try:
        shape = _SHAPES[element.name](element, look)
        edge = _edge(element, look)
    except (KeyError, ValueError):
        return EVERYWHERE
    left, top, right, bottom = shape
    a, b, c, d, e, f = matrix
    corners = [
        (a * x + c * y + e, b * x + d * y + f)
        for x in (left - edge, right + edge)
        for y in (top - edge, bottom + edge)
    ]
    return Box(*map(min, zip(*corners, strict=True)), *map(max, zip(*corners, strict=True)))


def matrix_of(transform: str) -> tuple[float, float, float, float, float, float] | None:
    """The matrix of a transform of translations, turns and scalings; None for any other.

    Example:
        >>> matrix_of("translate(3 4) scale(2)")
        (2.0, 0.0, 0.0, 2.0, 3.0, 4.0)
    """
    return _transformed((1, 0, 0, 1, 0, 0), transform)


def _transformed(
    matrix: tuple[float, float, float, float, float, float], transform: str
) -> tuple[float, float, float, float, float, float] | None:
    """The matrix after a transform of translations, turns and scalings; None for any other."""
    a, b, c, d, e, f = matrix
    at = 0
    while at < len(transform):
        step = _TRANSFORM.match(transform, at)
        if step is None:
            return None
        at = step.end()
        first, second = float(step[2]), None if step[3] is None else float(step[3])
        if step[1] == "translate":
            e, f = e + a * first + c * (second or 0), f + b * first + d * (second or 0)
        elif step[1] == "scale":
            second = first if second is None else second
            a, b, c, d = a * first, b * first, c * second, d * second
        elif second is None:
            cos, sin = math.cos(math.radians(first)), math.sin(math.radians(first))
            a, b, c, d = a * cos + c * sin, b * cos + d * sin, c * cos - a * sin, d * cos - b * sin
        else:
            return None
    return a, b, c, d, e, f


def _edge(element: Element, look: Mapping[str, str]) -> float:
    """How far a stroke reaches beyond the shape."""
    if element.name != "path":
        # A text is not stroked, and has more room than it needs; a corner is round or square.
        return 0.0 if look.get("stroke", "none") == "none" else 0.75 * float(look.get("stroke-width", "1"))
    if look.get("stroke", "none") == "none":
        return 0.0
    # A sharp corner reaches four times as far, unless it is rounded; a square end as far as a diagonal.
    straight = len(_STEP.findall(element.attributes["d"])) <= 6
    reach = 0.75 if straight or look.get("stroke-linejoin") == "round" else 2.0
    return reach * float(look.get("stroke-width", "1"))


def _rect(rect: Element, _: Mapping[str, str]) -> Box:
    x, y, width, height = (float(rect.attributes[name]) for name in ("x", "y", "width", "height"))
    return Box(x, y, x + width, y + height)


def _circle(circle: Element, _: Mapping[str, str]) -> Box:
    x, y, radius = (float(circle.attributes[name]) for name in ("cx", "cy", "r"))
    return Box(x - radius, y - radius, x + radius, y + radius)


def _text(text: Element, look: Mapping[str, str]) -> Box:
    x, y = (float(text.attributes[name]) for name in ("x", "y"))
    size = float(look.get("font-size", "16"))
    content = "".join(child for child in text.children if isinstance(child, str))
    if len(text.children) != 1 or not content:
        raise ValueError("a text with elements in it")
    broad = (_BROADEST if letter in "mwMW@%…—" or letter > "\u02ff" else _BROAD for letter in content)
    width = size * (0.2 + sum(broad))
    before = {"start": 0.2 * size, "middle": width / 2, "end": width}[look.get("text-anchor", "start")]
    return Box(x - before, y - 1.2 * size, x - before + width + 0.2 * size, y + 0.4 * size)


def _path(path: Element, _: Mapping[str, str]) -> Box:
    points = [point for step in _points(path.attributes["d"]) for point in step]
    return around(Box(x, y, x, y) for x, y in points)


def steps(data: str) -> Iterator[tuple[str, list[float]]]:
    """The steps of a path: a letter, one of MLHVQCAZ, and its numbers.

    Raises:
        ValueError: The path has other steps, or none.

    Example:
        >>> list(steps("M0 0 10 5H3Z"))
        [('M', [0.0, 0.0]), ('L', [10.0, 5.0]), ('H', [3.0]), ('Z', [])]
        >>> list(steps("M0 0l10 5"))
        Traceback (most recent call last):
            ...
        ValueError: path data of other steps than MLHVQCAZ: 'M0 0l10 5'
    """
    wrong = ValueError(f"path data of other steps than {''.join(_VALUES)}: {short(data)}")
    if re.sub(_STEP, "", data).strip(" ,\n\t"):
        raise wrong
    tokens = [found.groups() for found in _STEP.finditer(data)]
    command, at = "", 0
    while at < len(tokens):
        letter, _ = tokens[at]
        if letter is not None:
            command, at = letter, at + 1
        elif command == "M":
            command = "L"
        count = _VALUES.get(command, -1)
        values = [value for _, value in tokens[at : at + max(count, 0)]]
        if None in values or len(values) != count or (count == 0 and letter is None):
            raise wrong
        at += count
        yield command, [float(value) for value in values if value is not None]


def _points(data: str) -> Iterator[list[tuple[float, float]]]:
    """Points within whose box each step of a path lies."""
    x, y = 0.0, 0.0
    for command, values in steps(data):
        if command == "H":
            x = values[0]
            yield [(x, y)]
        elif command == "V":
            y = values[0]
            yield [(x, y)]
        elif command == "A":
            yield _arc((x, y), values)
            x, y = values[5:]
        elif command != "Z":
            pairs = list(zip(values[::2], values[1::2], strict=True))
            x, y = pairs[-1]
            yield pairs


def _arc(start: tuple[float, float], values: list[float]) -> list[tuple[float, float]]:
    across, down, _, large, _, x, y = values
    chord = math.dist(start, (x, y))
    if large == 0 and across == down:
        # At most half a circle lies within the circle over its chord.
        middle, reach = ((start[0] + x) / 2, (start[1] + y) / 2), chord / 2
    else:
        middle, reach = (x, y), max(chord, 2 * across, 2 * down)
    return [
        start,
        (x, y),
        (middle[0] - reach, middle[1] - reach),
        (middle[0] + reach, middle[1] + reach),
    ]


_SHAPES = {"rect": _rect, "circle": _circle, "text": _text, "path": _path}
