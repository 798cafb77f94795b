"""The leather pad in the middle: what is asked, the values to play and those to choose from."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sarai.render import pieces, svg
from sarai.render.games.sho.colours import COLOURS, Colours
from sarai.render.games.sho.spiral import Spiral
from sarai.render.games.sho.view import PHASES, Position


def value_plates(values: Sequence[int], top: float) -> dict[int, tuple[float, float, float, float]]:
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


def pad_scale(spiral: Spiral) -> float:
    """How large the pad is drawn."""
    return min(spiral.inner - 1.1 * spiral.coin - 24, 150) / 106


def draw_pad(position: Position, spiral: Spiral, look: svg.Theme, declines: bool) -> svg.Element:
    """The pad with what is said on it."""
    colours = COLOURS[look.name]
    return svg.group(
        svg.circle(0, 0, 106, fill=colours.pad, stroke=colours.pad_edge, stroke_width=3),
        svg.circle(0, 0, 99, fill="none", stroke=colours.stitch, stroke_width=1.6, stroke_dasharray="6 4"),
        *_pad_words(position, look, colours, declines),
        transform=svg.placed(*spiral.centre, scale=pad_scale(spiral)),
    )


def _pad_words(position: Position, look: svg.Theme, colours: Colours, declines: bool) -> list[svg.Element]:
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
    ask = "second stack" if position.moved is not None else PHASES[position.phase][0]
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


def _pool_rows(position: Position) -> tuple[list[list[int]], float]:
    """The values on the pad in rows, and how high these are."""
    rows = [position.pool[i : i + 4] for i in range(0, len(position.pool), 4)]
    return rows, 28.0 if len(rows) < 2 else 24.0


def below_pool(position: Position) -> float:
    """The middle of the line under the pool, from the middle of the pad."""
    rows, height = _pool_rows(position)
    return 5 + height / 2 + len(rows) * (height + 4) if rows else 26.0


def _pool(position: Position, colours: Colours, declines: bool) -> list[svg.Element]:
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
        x, y = -42 if declines else 0, below_pool(position)
        drawn.append(svg.text(f"move {position.value}", x, y, 20, fill=colours.on_pad, font_weight="bold"))
    return drawn
