"""What a writer adds to a board: arrows, coloured places, labels, numbered moves, names; or takes away from it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from sarai import _core
from sarai._base.arguments import short, suggestion
from sarai._core import State
from sarai._render import options as checked
from sarai._render import svg
from sarai._render.board import Board
from sarai._render.bounds import Place, box
from sarai._render.elements import Element
from sarai._render.svg import Picture

Move: TypeAlias = str | tuple[str, str] | tuple[str, str, str]
"""The name of an action, or where it begins and where it ends; then maybe a colour."""

COLOURS = {
    "blue": "#0072b2",
    "orange": "#d55e00",
    "green": "#00805e",
    "red": "#c1272d",
    "purple": "#8f4a86",
    "black": "#1a1a1a",
}
"""Colours by name; the first is the usual one."""

NAMES = ("board_only", "arrows", "highlight", "labels", "names", "moves")
"""The options that are made here."""

MOST = 200
"""How many of a kind one picture may have."""

_LONGEST = 40
_MARGIN = 12.0
_WIDTH = 5.0


class _Spot(NamedTuple):
    x: float
    y: float
    r: float


def noted(
    picture: Picture,
    state: State,
    options: Mapping[str, Any],
    orientation: int,
    coordinates: bool,
    colour: str,
) -> Picture:
    """A picture of that state with what is asked for; arrows have that colour if they have none of their own.

    Raises:
        ValueError: A place or a move is unknown, or a value is of the wrong form.
    """
    if checked.checked_flag("board_only", options.get("board_only", False)):
        picture = board_of(picture, state.get_game().name, coordinates)
    spots = _Spots(state, orientation, coordinates, colour)
    notes = [
        *_highlighted(spots, options.get("highlight") or {}),
        *(
            _arrow(spots, move, f"arrows[{i}]")
            for i, move in enumerate(_listed("arrows", options.get("arrows")))
        ),
        *_numbered(spots, state, options.get("moves")),
        *_labelled(spots, options.get("labels") or {}),
    ]
    picture = replace(picture, children=(*picture.children, *notes))
    if options.get("names") is not None:
        picture = _named(picture, options["names"], state.num_players())
    return picture


def places_on_board(
    state: State, orientation: int, coordinates: bool
) -> dict[str, tuple[float, float, float]]:
    """The middle and radius of each place that is on the board itself, not in a panel."""
    board = Board.of(state.get_game().name)
    spots = _Spots(state, orientation, coordinates).known()
    return {name: (spot.x, spot.y, spot.r) for name, spot in spots.items() if board.has(spot.x, spot.y)}


class _Spots:
    """The places of a board, and where its moves lead."""

    def __init__(self, state: State, orientation: int, coordinates: bool, colour: str = "blue") -> None:
        self._state = state
        # How much higher the places lie where they are not named.
        self._lifted = 0.0 if coordinates else Board.of(state.get_game().name).closer / 2
        self.colour = colour
        self._asked = checked.asked(state, {"orientation": orientation, "coordinates": coordinates})
        self.all: dict[str, _Spot] = {}
        self._moves: dict[str, list[_Spot]] | None = None

    def of(self, state: State) -> _Spots:
        """The places of another position, seen alike."""
        return _Spots(state, self._asked[2], self._asked[3], self.colour)

    def _read(self) -> None:
        if self._moves is None:
            scene = _core.scene(self._state, self._asked)
            points = [_Spot(p["x"], p["y"] - self._lifted, p["r"]) for p in scene["points"]]
            self.all = {point["name"]: spot for point, spot in zip(scene["points"], points, strict=True)}
            self._moves = {move["name"]: [points[i] for i in move["places"]] for move in scene["moves"]}

    def known(self) -> dict[str, _Spot]:
        """All places by name."""
        self._read()
        return self.all

    def place(self, name: object, where: str) -> _Spot:
        """The place of that name."""
        self._read()
        if isinstance(name, str) and name in self.all:
            return self.all[name]
        hint = suggestion(str(name), self.all) or f"; there are {', '.join(self.all)}"
        raise ValueError(f"{where}: the board has no place {short(name)}{hint}")

    def way(self, move: object, where: str) -> list[_Spot]:
        """The places that a move touches, by its name or by two places."""
        self._read()
        assert self._moves is not None
        if isinstance(move, str):
            if move in self._moves:
                return self._moves[move]
            if move in self.all:
                return [self.all[move]]
            legal = ", ".join(self._moves) or "no legal moves"
            raise ValueError(
                f"{where} is {short(move)}, which is no legal move and no place here; there are {legal}"
            )
        if isinstance(move, list | tuple) and len(move) in (2, 3):
            return [self.place(name, where) for name in move[:2]]
        raise ValueError(f"{where} must be the name of a move or a pair of places, got {short(move)}")


def _listed(name: str, given: object) -> Sequence[Any]:
    if given is None:
        return ()
    if not isinstance(given, list | tuple) or len(given) > MOST:
        raise ValueError(f"{name} must be a list of at most {MOST}, got {short(given)}")
    return given


def colour_of(colour: object, where: str) -> str:
    """A colour by its name, or as "#rrggbb".

    Example:
        >>> colour_of("red", "arrows[0]"), colour_of("#102030", "arrows[0]")
        ('#c1272d', '#102030')
        >>> colour_of("pink", "arrows[0]")
        Traceback (most recent call last):
            ...
        ValueError: arrows[0]: a colour must be blue, orange, green, red, purple, black or like '#102030', got 'pink'
    """
    if isinstance(colour, str):
        if colour in COLOURS:
            return COLOURS[colour]
        if re.fullmatch("#[0-9a-fA-F]{6}", colour):
            return colour
    raise ValueError(f"{where}: a colour must be {', '.join(COLOURS)} or like '#102030', got {short(colour)}")


def _highlighted(spots: _Spots, given: object) -> list[Element]:
    """A ring and a veil on each place."""
    if isinstance(given, list | tuple):
        given = dict.fromkeys(given, "orange")
    if not isinstance(given, Mapping) or len(given) > MOST:
        raise ValueError(f"highlight must be a list of places or a dict of their colours, got {short(given)}")
    drawn = []
    for name, colour in given.items():
        x, y, r = spots.place(name, "highlight")
        r = min(r, 32.0)
        look: dict[str, svg.Attribute] = {
            "fill": colour_of(colour, "highlight"),
            "stroke": colour_of(colour, "highlight"),
        }
        ring = svg.element("circle", cx=x, cy=y, r=r, fill_opacity=0.28, stroke_width=4, **look)
        drawn.append(svg.group(ring, label=f"highlighted: {name}"))
    return drawn


def _arrow(spots: _Spots, move: Any, where: str, number: int | None = None) -> Element:
    """An arrow along a move, or a ring at its only place; with a number where one is given."""
    colour = colour_of(move[2] if isinstance(move, list | tuple) and len(move) == 3 else spots.colour, where)
    way = spots.way(move, where)
    if not way:
        raise ValueError(f"{where} is {short(move)}, which happens at no place of the board")
    label = move if isinstance(move, str) else f"{move[0]} to {move[1]}"
    ink: dict[str, svg.Attribute] = {
        "stroke": colour,
        "stroke_width": _WIDTH,
        "fill": "none",
        "stroke_linecap": "round",
    }
    (x, y, r), (to_x, to_y, _) = way[0], way[-1]
    length = math.hypot(to_x - x, to_y - y)
    plate = (x, y)
    if length < 1:
        parts = [svg.element("circle", cx=x, cy=y, r=min(r, 32.0) - 3, **ink)]
    else:
        across, down = (to_x - x) / length, (to_y - y) / length
        # Moves in order often go over the same ground.
        aside = 0.0 if number is None else 7.0 if number % 2 else -7.0
        x, y = x - aside * down, y + aside * across
        begin, end = min(0.2 * length, 16.0), length - min(0.15 * length, 10.0)
        tip, size = (x + end * across, y + end * down), 20.0
        neck = (tip[0] - size * across, tip[1] - size * down)
        wings = [
            (neck[0] - side * 0.5 * size * down, neck[1] + side * 0.5 * size * across) for side in (1, -1)
        ]
        start = (x + begin * across, y + begin * down)
        plate = (x + 0.42 * length * across, y + 0.42 * length * down)
        line = f"M{_point(start)} {_point(neck)}"
        head = f"M{_point(tip)} {_point(wings[0])} {_point(wings[1])}Z"
        rim: dict[str, svg.Attribute] = {
            "stroke": "#ffffff",
            "stroke_width": _WIDTH + 3,
            "fill": "none",
            "stroke_linejoin": "round",
        }
        parts = [
            svg.element("path", d=line + head, **rim),
            svg.element("path", d=line, **{**ink, "stroke_linecap": "butt"}),
            svg.element("path", d=head, fill=colour, stroke=colour, stroke_width=1, stroke_linejoin="round"),
        ]
    if number is not None:
        disc: dict[str, svg.Attribute] = {"fill": colour, "stroke": "#ffffff", "stroke_width": 1.8}
        parts.append(svg.element("circle", cx=plate[0], cy=plate[1], r=12, **disc))
        parts.append(
            svg.text(str(number), *plate, 15 if number < 100 else 11, fill="#ffffff", font_weight="bold")
        )
    return svg.group(*parts, label=label if number is None else f"{number}: {label}")


def _numbered(spots: _Spots, state: State, given: object) -> list[Element]:
    """The moves of a line of play, with numbers; names are played out, and what is drawn by chance has no number."""
    drawn: list[Element] = []
    walk = state.clone()
    for i, move in enumerate(_listed("moves", given)):
        where = f"moves[{i}]"
        if isinstance(move, str) and walk.is_chance_node():
            found = {walk.outcome_to_string(outcome): outcome for outcome, _ in walk.chance_outcomes()}
            if move not in found:
                raise ValueError(f"{where} is {short(move)}, and chance decides here: {', '.join(found)}")
            walk.apply_action(found[move])
            continue
        there = spots.of(walk) if isinstance(move, str) else spots
        if isinstance(move, str):
            names = {walk.action_to_string(action): action for action in walk.legal_actions()}
            if move not in names:
                raise ValueError(
                    f"{where} is {short(move)}, which is no legal move there; there are {', '.join(names) or 'none'}"
                )
            if there.way(move, where):
                drawn.append(_arrow(there, move, where, len(drawn) + 1))
            walk.apply_action(names[move])
        else:
            drawn.append(_arrow(there, move, where, len(drawn) + 1))
    return drawn


def _labelled(spots: _Spots, given: object) -> list[Element]:
    """A word on each place, on a plate."""
    if not isinstance(given, Mapping) or len(given) > MOST:
        raise ValueError(f"labels must be a dict of a text for each place, got {short(given)}")
    drawn = []
    for name, content in given.items():
        x, y, _ = spots.place(name, "labels")
        if not isinstance(content, str | int | float) or len(str(content)) > _LONGEST:
            raise ValueError(
                f"labels[{short(name)}] must be a text of at most {_LONGEST} letters, got {short(content)}"
            )
        half = 5.0 + 5.2 * len(str(content))
        plate = svg.rect(
            x - half, y - 12, 2 * half, 24, rx=7, fill="#ffffff", stroke="#1a1a1a", stroke_width=1.4
        )
        word = svg.text(str(content), x, y, 16, fill="#1a1a1a", font_weight="bold")
        drawn.append(svg.group(plate, word, label=f"{name}: {content}"))
    return drawn


def _point(point: tuple[float, float]) -> str:
    return f"{svg.number(point[0])} {svg.number(point[1])}"


def board_of(picture: Picture, name: str, coordinates: bool) -> Picture:
    """The board alone, without panels and words."""
    board = Board.of(name)
    bottom = board.bottom - (0.0 if coordinates else board.closer)
    ground, *painted = picture.children
    kept = [
        part
        for child in painted
        if child is not None and (part := _on_board(child, Place(), board, bottom)) is not None
    ]
    assert ground is not None
    ground = ground._replace(attributes={**ground.attributes, "height": svg.number(bottom)})
    return replace(picture, children=(ground, *kept), height=bottom)


_PIECES = re.compile(r"(player|side) \w+(, \w+)?: (a|\d+)( \w+)? on ")


def emptied(picture: Picture) -> Picture:
    """The same without the pieces on the board, which are groups that say whose they are."""

    def through(element: Element) -> Element | None:
        title = next(
            (one for one in element.children if isinstance(one, Element) and one.name == "title"), None
        )
        if title is not None and _PIECES.match(str(title.children[0])):
            return None
        kept = (child if isinstance(child, str) else through(child) for child in element.children)
        return element._replace(children=tuple(child for child in kept if child is not None))

    painted = (through(child) for child in picture.children if child is not None)
    return replace(picture, children=tuple(child for child in painted if child is not None))


def _on_board(element: Element, place: Place, board: Board, bottom: float) -> Element | None:
    """What of an element is on the board."""
    if element.name == "title":
        return element
    if element.name == "g":
        children: Iterable[Element | str] = element.children
        if board.pad and place == Place() and _is_pad(element):
            return element._replace(children=element.children[:2])
        inner = place.within(element)
        kept = tuple(
            part
            for child in children
            if isinstance(child, Element) and (part := _on_board(child, inner, board, bottom)) is not None
        )
        return element._replace(children=kept) if any(one.name != "title" for one in kept) else None
    own = box(element, place)
    x, y = (own.left + own.right) / 2, (own.top + own.bottom) / 2
    return element if board.has(x, y) and y < bottom else None


def _is_pad(element: Element) -> bool:
    circles = [
        child for child in element.children[:2] if isinstance(child, Element) and child.name == "circle"
    ]
    return len(circles) == 2


def _named(picture: Picture, names: object, num_players: int) -> Picture:
    """The same with the players' names in all of its texts."""
    told = isinstance(names, list | tuple) and all(
        isinstance(name, str) and 0 < len(name) <= _LONGEST for name in names
    )
    if not told or not isinstance(names, list | tuple) or len(names) != num_players:
        raise ValueError(
            f"names must be a list of {num_players} names of at most {_LONGEST} letters, one a seat, got {short(names)}"
        )

    def renamed(content: str) -> str:
        def several(found: re.Match[str]) -> str:
            return ", ".join(names[int(seat)] for seat in found[1].split(", "))

        return re.sub(r"\b[Pp]layers? ((?:\d+, )*\d+)\b", several, content)

    def through(element: Element) -> Element:
        children = tuple(
            renamed(child) if isinstance(child, str) else through(child) for child in element.children
        )
        attributes = element.attributes
        if element.name == "text" and children != element.children and isinstance(children[0], str):
            old, new = len(str(element.children[0])), len(children[0])
            # Longer than the room for it: smaller letters.
            room = max(old, 9 if old < 14 else 44)
            if new > 1.8 * room:
                new = int(1.8 * room)
                children = (f"{children[0][: new - 1]}…",)
            if new > room:
                size = float(attributes["font-size"]) * room / new
                attributes = {**attributes, "font-size": svg.number(size)}
        return element._replace(attributes=attributes, children=children)

    painted = tuple(through(child) for child in picture.children if child is not None)
    return replace(
        picture, children=painted, title=renamed(picture.title), description=renamed(picture.description)
    )


def printed(picture: Picture) -> Picture:
    """The same without colours, for paper."""

    def through(element: Element) -> Element:
        attributes = {
            name: svg.printed(value) if name in ("fill", "stroke") else value
            for name, value in element.attributes.items()
        }
        children = tuple(child if isinstance(child, str) else through(child) for child in element.children)
        return Element(element.name, attributes, children)

    return replace(picture, children=tuple(through(child) for child in picture.children if child is not None))
