"""Round pieces of up to four sides, alone or in piles.

Sides differ by colour and, for eyes that see few colours and for print without any, by the light plate in the
middle of a piece: a disc, a square, a diamond, or none.
"""

from __future__ import annotations

from sarai.render import svg

#: The letter of each side.
LETTERS = "ABCD"


def pile(
    x: float, y: float, radius: float, count: int, side: int, theme: svg.Theme, label: str, face: str = ""
) -> str:
    """A pile of ``count`` pieces around (x, y), the count or ``face`` on top; an empty place if it is 0.

    Args:
        x: the middle of the pile.
        y: the middle of the pile.
        radius: of one piece.
        count: how many pieces, 0 or more.
        side: whose they are, 0 to 3.
        theme: the colours.
        label: what the pile is, in words.
        face: what to write on top instead of the count.
    """
    if count == 0:
        return svg.group(
            svg.circle(
                x, y, radius, fill="none", stroke=theme.muted, stroke_width=1.5, stroke_dasharray="3 3"
            ),
            svg.text("0", x, y, 1.06 * radius, fill=theme.muted),
            label=label,
        )
    colour = theme.sides[side]
    step = pile_step(count, radius)
    top = y - step * (count - 1) / 2
    # Thin edges below, or a high pile of small pieces would be all edge and no colour.
    lower = [
        svg.circle(x, top + step * i, radius, fill=colour, stroke=theme.outline, stroke_width=0.035 * radius)
        for i in range(count - 1, 0, -1)
    ]
    return svg.group(
        *lower,
        svg.circle(x, top, radius, fill=colour, stroke=theme.outline, stroke_width=0.07 * radius),
        _plate(x, top, radius, side, theme),
        svg.text(face or str(count), x, top, 1.12 * radius, fill=theme.on_plate, font_weight="bold"),
        label=label,
    )


def pile_step(count: int, radius: float) -> float:
    """How far each piece of a pile stands above the next: a high pile is pressed together."""
    return min(0.14 * radius, 0.7 * radius / max(count - 1, 1))


def emblem(x: float, y: float, radius: float, side: int, theme: svg.Theme) -> str:
    """One piece with the letter of its side: the key to the colours and plates on a board."""
    return pile(x, y, radius, 1, side, theme, f"side {LETTERS[side]}", face=LETTERS[side])


def _plate(x: float, y: float, radius: float, side: int, theme: svg.Theme) -> str:
    drawn: dict[str, svg.Attribute] = {
        "fill": theme.plate,
        "stroke": theme.outline,
        "stroke_width": 0.05 * radius,
        "stroke_linejoin": "round",
    }
    if side == 0:
        return svg.circle(x, y, 0.68 * radius, **drawn)
    if side == 1:
        half = 0.57 * radius
        return svg.rect(x - half, y - half, 2 * half, 2 * half, **drawn)
    if side == 2:
        half = 0.86 * radius
        corners = svg.points((x, y - half), (x + half, y), (x, y + half), (x - half, y))
        return svg.path(f"M{corners}Z", **drawn)
    return ""
