"""The board of Sho: a spiral of cowrie shells, laid clockwise round the leather dice pad.

The coins enter next to the pad and leave at the outer end. A position is the gap after a shell, so position p
lies between shells p and p + 1. What a side has in hand and off stands in a panel under the board.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sarai.render import moves, pieces, svg
from sarai.render.games.sho.colours import COLOURS, Colours
from sarai.render.games.sho.marks import Marks
from sarai.render.games.sho.pad import draw_pad
from sarai.render.games.sho.spiral import CENTRE, MARGIN, RING, WIDTH, Spiral, number_size
from sarai.render.games.sho.view import Position, Side, describe, headline, read

_PANEL_HEIGHT = 104.0


def draw(
    view: Mapping[str, Any],
    *,
    theme: str | None = None,
    size: float = 480,
    coordinates: bool = True,
    last: moves.Last | None = None,
    legal: Sequence[str] = (),
) -> svg.Picture:
    """Draw a position of Sho.

    Args:
        view: what ``state.view()`` gives; it is only read, and trusted.
        theme: ``"light"`` or ``"dark"``; None takes that of ``sarai.render.set_theme``.
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

    Raises:
        ValueError: if the theme is unknown, the size out of range, or a move has no known name.

    """
    look = svg.get_theme(theme)
    position = read(view)
    spiral = Spiral(position.num_shells)
    height = 2 * CENTRE + _PANEL_HEIGHT + MARGIN
    marks = Marks(position, spiral, look, legal, coordinates)
    tabs, numbers = _numbers(position, spiral, look, marks.labels)
    return svg.document(
        _track(position, spiral, look, tabs),
        draw_pad(position, spiral, look, declines="decline" in legal),
        moves.marks(last, legal, position.player, len(view["sides"]), marks.reading, look),
        # On top of the marks, which would make them hard to read.
        numbers,
        _stacks(position, spiral, look),
        _panels(position, look),
        width=WIDTH,
        height=height,
        shown_width=size,
        theme=look,
        title=f"Sho, turn {position.turn}: {headline(position)}",
        description=describe(position),
    )


def _shell(x: float, y: float, angle: float, scale: float, colours: Colours) -> svg.Element:
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


def _track(position: Position, spiral: Spiral, look: svg.Theme, tabs: svg.Element) -> svg.Element:
    colours = COLOURS[look.name]
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


def _arrow(x: float, y: float, angle: float, radius: float, look: svg.Theme) -> svg.Element:
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


def _numbers(
    position: Position, spiral: Spiral, look: svg.Theme, labels: Mapping[int, moves.Point]
) -> tuple[svg.Element, svg.Element]:
    """The numbers of the positions and, to lie under the shells, the tabs of those that coins would cover.

    A tab is of the same band, so that its number cannot be taken for one of the next ring.
    """
    size = number_size(spiral)
    piles = {place for side in position.sides for place in side.stacks}
    tabs, written = [], []
    for place, label in labels.items():
        if place in piles:
            tabs.append(
                svg.path(
                    f"M{svg.points(spiral.position(place)[:2], label)}",
                    fill="none",
                    stroke=COLOURS[look.name].track,
                    stroke_width=1.6 * size,
                    stroke_linecap="round",
                )
            )
        # Bold means every fifth position and nothing else.
        weight = "bold" if place % 5 == 0 else None
        written.append(svg.text(str(place), *label, size, fill=look.ink, font_weight=weight))
    return svg.group(*tabs), svg.group(*written)


def _stacks(position: Position, spiral: Spiral, look: svg.Theme) -> svg.Element:
    drawn = []
    for side in position.sides:
        for place, count in side.stacks.items():
            x, y, _ = spiral.position(place)
            coins = "coin" if count == 1 else "coins"
            label = f"{side.name}: {count} {coins} on {place}"
            if place == position.moved and side is position.acting:
                drawn.append(pieces.moved_ring(x, y, RING * spiral.coin, 2.4, look))
                label += ", moved just now"
            drawn.append(pieces.pile(x, y, spiral.coin, count, side.index, look, label))
    return svg.group(*drawn)


def _panels(position: Position, look: svg.Theme) -> svg.Element:
    lefts, width = pieces.in_a_row(len(position.sides), MARGIN, WIDTH - MARGIN)
    return svg.group(
        *(_panel(position, side, left, width, look) for side, left in zip(position.sides, lefts, strict=True))
    )


def _panel(position: Position, side: Side, left: float, width: float, look: svg.Theme) -> svg.Element:
    top = 2 * CENTRE
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


def _sent_home(x: float, y: float, look: svg.Theme) -> svg.Element:
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
