"""The board of Shah: three joined squares, drawn with a finger in the sand, and two sets of stones.

Player 0 has round pale stones, player 1 square dark ones. Files a to g run from the left, ranks 1 to 7 from
below. What a player has in hand and has lost stands in a panel under the board.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sarai.render import moves, pieces, svg
from sarai.render import view as read

_WIDTH = 600.0
_MARGIN = 12.0
_STEP = 72.0
_FIRST = 84.0
_BOARD = 600.0
_STATUS_HEIGHT = 68.0
_PANEL_HEIGHT = 108.0
_RADIUS = 24.0

# The points by index, row by row from the top.
_NAMES = [
    "a7", "d7", "g7", "b6", "d6", "f6", "c5", "d5", "e5", "a4", "b4", "c4",
    "e4", "f4", "g4", "c3", "d3", "e3", "b2", "d2", "f2", "a1", "d1", "g1",
]  # fmt: skip

# The sixteen lines of three points.
_LINES = [
    (0, 1, 2), (3, 4, 5), (6, 7, 8), (9, 10, 11), (12, 13, 14), (15, 16, 17), (18, 19, 20), (21, 22, 23),
    (0, 9, 21), (3, 10, 18), (6, 11, 15), (1, 4, 7), (16, 19, 22), (8, 12, 17), (5, 13, 20), (2, 14, 23),
]  # fmt: skip

_PHASES = ("first", "place", "remove", "slide", "land", "over")


@dataclass(frozen=True)
class _Colours:
    """What only this board has: sand, lines in it, and the two kinds of stones."""

    sand: str
    sand_edge: str
    groove: str
    on_sand: str
    stone: tuple[str, str]
    edge: tuple[str, str]
    mark: tuple[str, str]
    mill: str


_COLOURS = {
    "light": _Colours(
        sand="#ead6ae",
        sand_edge="#cdb486",
        groove="#8a6a3f",
        on_sand="#5b4526",
        stone=("#fffaf0", "#3d3a38"),
        edge=("#4a3d2c", "#15130f"),
        mark=("#b09a78", "#a79f94"),
        mill="#c2571a",
    ),
    "dark": _Colours(
        sand="#4d402d",
        sand_edge="#6a5940",
        groove="#b59a6c",
        on_sand="#e6d3ae",
        stone=("#f7eedb", "#1f1e1e"),
        edge=("#171310", "#d8c8a8"),
        mark=("#9a8461", "#8f877b"),
        mill="#f09a4a",
    ),
}


@dataclass(frozen=True)
class _Position:
    """The view, checked: all that the drawing reads."""

    pieces: int
    no_capture_limit: int
    flying: bool
    phase: str
    player: int | None
    board: str
    hand: tuple[int, int]
    beginner: int | None
    opening_removals: int
    extra: bool
    lifted: int | None
    no_capture: int
    turn: int
    winner: int | None

    def on_board(self, player: int) -> int:
        """The player's stones on the board, a lifted one among them."""
        lifted = self.lifted is not None and self.player == player
        return self.board.count(str(player)) + lifted

    def lost(self, player: int) -> int:
        return self.pieces - self.hand[player] - self.on_board(player)

    @property
    def lifts(self) -> bool:
        """Whether the player whose turn it is flies: three stones, none in hand, and the rules allow it."""
        player = self.player
        return self.flying and player is not None and not self.hand[player] and self.on_board(player) == 3

    @property
    def mills(self) -> list[tuple[int, int, int]]:
        """The lines that hold three stones of one player."""
        return [line for line in _LINES if "".join(self.board[i] for i in line) in ("000", "111")]

    @property
    def new_mill(self) -> tuple[int, int, int] | None:
        """The line for which a stone is to be removed now.

        None as well where nothing says which it is: only a player's single mill is surely the one just made.
        """
        if self.phase != "remove" or self.opening_removals:
            return None
        own = [line for line in self.mills if self.board[line[0]] == str(self.player)]
        return own[0] if len(own) == 1 else None

    @property
    def moving(self) -> bool:
        """Whether the game stands in its second phase: every stone is placed, the opening removals made."""
        return not any(self.hand) and not self.opening_removals


def draw(
    view: Mapping[str, Any],
    *,
    theme: str = "light",
    size: float = 480,
    coordinates: bool = True,
    last: moves.Last | None = None,
    legal: Sequence[str] = (),
) -> svg.Svg:
    """Draw a position of Shah.

    Args:
        view: ``{"game": "shah", "rules": {...}, "num_players": 2, "sides": [0, 1], "state": {...}}``, as
            ``state.view()`` gives it; it is only read.
        theme: ``"light"`` or ``"dark"``.
        size: the width in pixels, 16 to 16384; the height follows. The picture reads well from 300 on.
        coordinates: whether the files and ranks are written beside the board.
        last: who moved last and the name of that action, such as ``(0, "d6-d5")``, to be marked: a move with an
            arrow, what happens at one point with a ring, a removal with a cross in it.
        legal: names of actions to be marked as legal moves of the player whose turn it is, dashed.

    Returns:
        A whole SVG document without scripts, links or ids. The same arguments always give the same text.

    Raises:
        ValueError: if the view is broken, the theme unknown, the size out of range, or a move has no known name.

    Example:
        >>> state = {"phase": "place", "player": 1, "board": "0" + 23 * ".", "hand": [11, 12],
        ...          "beginner": None, "opening_removals": 2, "extra": False, "lifted": None,
        ...          "no_capture": 0, "turn": 1, "winner": None}
        >>> rules = {"pieces": 12, "no_capture_limit": 200, "flying": False}
        >>> view = {"game": "shah", "rules": rules, "num_players": 2, "sides": [0, 1], "state": state}
        >>> draw(view).startswith("<svg")
        True
        >>> draw({**view, "state": {**state, "board": "0"}})
        Traceback (most recent call last):
            ...
        ValueError: view['state']['board'] must be 24 characters, each '.', '0' or '1', got '0'
    """
    look = svg.get_theme(theme)
    position = _read(view)
    return svg.document(
        _ground(look, coordinates),
        _mills(position, look),
        _stones(position, look),
        moves.marks(last, legal, position.player, 2, _course, look),
        _status(position, look),
        _panels(position, look),
        width=_WIDTH,
        height=_BOARD + _STATUS_HEIGHT + _PANEL_HEIGHT + _MARGIN,
        shown_width=size,
        theme=look,
        title=f"Shah, turn {position.turn}: {_headline(position)}",
        description=_describe(position),
    )


def _read(view: Mapping[str, Any]) -> _Position:
    read.of_game(view, "shah")
    rules = read.mapping(view, "rules", "view")
    read.fixed_seats(view, [0, 1])
    state = read.mapping(view, "state", "view")
    where = "view['state']"
    hand = read.entries(state, "hand", where, 2)
    num_pieces = read.integer(rules, "pieces", "view['rules']", 3, 12)
    position = _Position(
        pieces=num_pieces,
        no_capture_limit=read.integer(rules, "no_capture_limit", "view['rules']", 0, 65535),
        flying=read.flag(rules, "flying", "view['rules']"),
        phase=read.one_of(state, "phase", where, _PHASES),
        player=read.optional_integer(state, "player", where, 0, 1),
        board=_read_board(state, where),
        hand=(
            read.checked_integer(hand[0], f"{where}['hand'][0]", 0, num_pieces),
            read.checked_integer(hand[1], f"{where}['hand'][1]", 0, num_pieces),
        ),
        beginner=read.optional_integer(state, "beginner", where, 0, 1),
        opening_removals=read.integer(state, "opening_removals", where, 0, 2),
        extra=read.flag(state, "extra", where),
        lifted=read.optional_integer(state, "lifted", where, 0, 23),
        no_capture=read.integer(state, "no_capture", where, 0, 2**32 - 1),
        turn=read.integer(state, "turn", where, 0, 65535),
        winner=read.optional_integer(state, "winner", where, 0, 1),
    )
    _refuse_contradictions(position, where)
    return position


def _read_board(state: Mapping[str, Any], where: str) -> str:
    board = read.field(state, "board", where)
    if not isinstance(board, str) or len(board) != 24 or set(board) - set(".01"):
        raise ValueError(f"{where}['board'] must be 24 characters, each '.', '0' or '1', got {board!r}")
    return board


def _refuse_contradictions(position: _Position, where: str) -> None:
    read.refuse_wrong_player(position.player, position.phase, where, ("first", "over"))
    read.refuse_early_winner(position.winner, position.phase, where)
    if (position.lifted is None) != (position.phase != "land"):
        raise ValueError(
            f"{where}['lifted'] must be a point in the phase 'land' and None in all others, "
            f"got {position.lifted!r} in {position.phase!r}"
        )
    if position.lifted is not None and position.board[position.lifted] != ".":
        raise ValueError(f"{where}['lifted'] is {position.lifted}, but a stone stands there still")
    for player in (0, 1):
        if position.lost(player) < 0:
            raise ValueError(
                f"player {player} has {position.hand[player]} stones in hand and "
                f"{position.on_board(player)} on the board, but the rules give him {position.pieces}"
            )


def _ask(position: _Position) -> str:
    """What the player whose turn it is has to do."""
    if position.phase == "place" and position.player is not None:
        left = position.hand[position.player]
        return f"to place one of {left} stones" if left > 1 else "to place the last stone"
    if position.phase == "remove":
        return "to remove an enemy stone"
    if position.phase == "land":
        return "to land the lifted stone"
    move = "to lift a stone" if position.lifts else "to slide a stone"
    return f"{move}, extra move" if position.extra else move


def _headline(position: _Position) -> str:
    if position.winner is not None:
        return f"player {position.winner} wins"
    if position.phase == "over":
        return "the game is a draw"
    if position.phase == "first":
        return "who begins is still to be drawn"
    return f"player {position.player} is {_ask(position)}"


def _note(position: _Position) -> str:
    """The second half of the line under the board: what is still to come or is being counted."""
    if position.phase == "place" and position.opening_removals:
        return "after placing, each player removes one enemy stone"
    if position.phase == "remove" and position.opening_removals:
        return f"opening removals: the {'first' if position.opening_removals > 1 else 'second'} of two"
    if position.phase == "remove" and not position.moving:
        return f"for {'a' if position.new_mill is None else 'the'} row of three just made"
    if position.moving and position.phase != "first":
        limit = f" of {position.no_capture_limit}" if position.no_capture_limit else ""
        return f"moves without capture: {position.no_capture}{limit}"
    return ""


def _describe(position: _Position) -> str:
    """The whole position in words, for those who do not see the picture."""
    said = _headline(position)
    parts = [f"Three joined squares of 24 points. {said[0].upper()}{said[1:]}."]
    if position.lifted is not None:
        parts.append(f"The stone from {_NAMES[position.lifted]} is lifted.")
    if position.beginner is not None and not position.moving:
        parts.append(f"Player {position.beginner} has the right to begin the moving phase.")
    elif position.beginner is not None:
        parts.append(f"Player {position.beginner} had the right to begin the moving phase.")
    note = _note(position)
    if note:
        parts.append(f"{note[0].upper()}{note[1:]}.")
    for player, kind in ((0, "round pale"), (1, "square dark")):
        points = [name for name, held in zip(_NAMES, position.board, strict=True) if held == str(player)]
        parts.append(
            f"Player {player} ({kind} stones): {position.hand[player]} in hand, {position.lost(player)} lost, "
            f"on the board: {', '.join(points) or 'none'}."
        )
    return " ".join(parts)


def _at(point: int) -> tuple[float, float]:
    name = _NAMES[point]
    return _FIRST + _STEP * (ord(name[0]) - ord("a")), _FIRST + _STEP * (7 - int(name[1]))


def _line(line: tuple[int, int, int], **attributes: svg.Attribute) -> str:
    return svg.path(f"M{svg.points(_at(line[0]), _at(line[2]))}", fill="none", **attributes)


def _ground(look: svg.Theme, coordinates: bool) -> str:
    colours = _COLOURS[look.name]
    box = _BOARD - 2 * _MARGIN
    drawn = [
        svg.rect(
            _MARGIN, _MARGIN, box, box, rx=26, fill=colours.sand, stroke=colours.sand_edge, stroke_width=3
        )
    ]
    drawn += [_line(line, stroke=colours.groove, stroke_width=5, stroke_linecap="round") for line in _LINES]
    drawn += [svg.circle(*_at(point), 7, fill=colours.groove) for point in range(24)]
    if coordinates:
        for i in range(7):
            place = _FIRST + _STEP * i
            for content, x, y in (("abcdefg"[i], place, 560.0), (str(7 - i), 40.0, place)):
                drawn.append(svg.text(content, x, y, 22, fill=colours.on_sand, font_weight="bold"))
    return svg.group(*drawn)


def _mills(position: _Position, look: svg.Theme) -> str:
    """A stroke under each row of three, a much broader one under the one that a stone is to be removed for."""
    colour = _COLOURS[look.name].mill
    drawn = []
    for line in position.mills:
        new = line == position.new_mill
        names = "-".join(_NAMES[point] for point in line)
        drawn.append(
            svg.group(
                _line(line, stroke=colour, stroke_width=30 if new else 9, stroke_linecap="round"),
                label=f"player {position.board[line[0]]}: three in a row on {names}{', just made' * new}",
            )
        )
    return svg.group(*drawn)


def _stone(x: float, y: float, radius: float, player: int, look: svg.Theme, label: str | None = None) -> str:
    """A stone: round and pale with a ring for player 0, square and dark with a square for player 1."""
    colours = _COLOURS[look.name]
    body: dict[str, svg.Attribute] = {
        "fill": colours.stone[player],
        "stroke": colours.edge[player],
        "stroke_width": max(0.09 * radius, 1.2),
    }
    mark: dict[str, svg.Attribute] = {
        "fill": "none",
        "stroke": colours.mark[player],
        "stroke_width": 0.1 * radius,
    }
    if player == 0:
        shapes = (svg.circle(x, y, radius, **body), svg.circle(x, y, 0.52 * radius, **mark))
    else:
        # A square as large to the eye as the disc.
        half, inner = 0.88 * radius, 0.42 * radius
        shapes = (
            svg.rect(x - half, y - half, 2 * half, 2 * half, rx=0.26 * radius, **body),
            svg.rect(x - inner, y - inner, 2 * inner, 2 * inner, rx=0.1 * radius, **mark),
        )
    return svg.group(*shapes, label=label)


def _stones(position: _Position, look: svg.Theme) -> str:
    drawn = [
        _stone(*_at(point), _RADIUS, int(held), look, f"player {held}: a stone on {_NAMES[point]}")
        for point, held in enumerate(position.board)
        if held != "."
    ]
    if position.lifted is not None:
        drawn.append(
            svg.group(
                svg.circle(
                    *_at(position.lifted),
                    _RADIUS,
                    fill=_COLOURS[look.name].sand,
                    stroke=_COLOURS[look.name].on_sand,
                    stroke_width=3,
                    stroke_dasharray="6 4",
                ),
                label=f"player {position.player}: the stone from {_NAMES[position.lifted]} is lifted",
            )
        )
    return svg.group(*drawn)


_MOVE = re.compile(r"(fly |x)?([a-g][1-7])(?:-([a-g][1-7]))?")


def _course(name: str, _player: int, _ahead: bool) -> moves.Course:
    found = _MOVE.fullmatch(name)
    if found is None or (found[1] and found[3]):
        raise ValueError(name)
    places = [_at(_NAMES.index(point)) for point in found.groups()[1:] if point is not None]
    return moves.Course(tuple(places), _RADIUS, removed=found[1] == "x")


def _status(position: _Position, look: svg.Theme) -> str:
    """Two lines under the board: whose turn and what is asked, or the result; what is to come or is counted."""
    y = _BOARD + 14
    left = _MARGIN + 6
    if position.player is not None:
        words = f"player {position.player}: {_ask(position)}"
    elif position.winner is not None:
        words = f"player {position.winner} wins"
    else:
        words = "draw" if position.phase == "over" else "who begins?"
    return svg.group(
        pieces.bold(words, left, y, 20, look),
        pieces.turn_number(position.turn, _WIDTH - left, y, look),
        svg.text(_note(position), left, y + 30, 18, fill=look.ink, text_anchor="start"),
    )


def _panels(position: _Position, look: svg.Theme) -> str:
    lefts, width = pieces.in_a_row(2, _MARGIN, _WIDTH - _MARGIN)
    return svg.group(*(_panel(position, player, lefts[player], width, look) for player in (0, 1)))


def _panel(position: _Position, player: int, left: float, width: float, look: svg.Theme) -> str:
    top = _BOARD + _STATUS_HEIGHT
    active = player in (position.player, position.winner)
    parts = [
        pieces.panel(left, top, width, _PANEL_HEIGHT, look, _COLOURS[look.name].mill if active else None),
        _stone(left + 25, top + 24, 13, player, look),
        pieces.bold(f"player {player}", left + 46, top + 24, 19, look),
    ]
    if player == position.beginner and not position.moving:
        parts.append(_privilege(left + width - 12, top + 24, player, look))
    words = f"{position.hand[player]} in hand, {position.lost(player)} lost"
    parts.append(
        svg.text(words, left + 14, top + 55, 18, fill=look.ink if active else look.muted, text_anchor="start")
    )
    parts.append(_supply(position, player, left + 21, top + 85, (width - 42) / 11, look))
    return svg.group(
        *parts,
        label=f"player {player}: {words}",
    )


def _supply(position: _Position, player: int, x: float, y: float, step: float, look: svg.Theme) -> str:
    """A place for each stone of the player: in hand a stone, on the board a dot, lost a cross."""
    drawn = []
    for i in range(position.pieces):
        middle = x + step * i
        if i < position.hand[player]:
            drawn.append(_stone(middle, y, 9, player, look, f"player {player}: a stone in hand"))
        elif i < position.pieces - position.lost(player):
            drawn.append(svg.circle(middle, y, 2.5, fill=look.muted))
        else:
            drawn.append(
                svg.path(
                    "M-5 -5 5 5M5 -5 -5 5",
                    fill="none",
                    stroke=look.muted,
                    stroke_width=2.4,
                    stroke_linecap="round",
                    transform=svg.placed(middle, y),
                )
            )
    return svg.group(*drawn)


def _privilege(right: float, y: float, player: int, look: svg.Theme) -> str:
    """A badge: this player has the right to begin the moving phase."""
    return svg.group(
        svg.rect(right - 126, y - 13, 126, 26, rx=13, fill=look.ink),
        svg.text("moves first", right - 63, y, 16, fill=look.background, font_weight="bold"),
        label=f"player {player} has the right to begin the moving phase",
    )
