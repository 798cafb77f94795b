"""What several games share: round pieces of up to four sides, alone or in piles, dice and panels.

Sides differ by colour and, for eyes that see few colours and for print without any, by the light plate in the
middle of a piece: a disc, a square, a diamond, or none.
"""

from __future__ import annotations

from collections.abc import Mapping

from sarai.render import svg

#: The letter of each side.
LETTERS = "ABCD"


def pile(
    x: float, y: float, radius: float, count: int, side: int, theme: svg.Theme, label: str, face: str = ""
) -> svg.Element:
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


def emblem(x: float, y: float, radius: float, side: int, theme: svg.Theme) -> svg.Element:
    """One piece with the letter of its side: the key to the colours and plates on a board."""
    return pile(x, y, radius, 1, side, theme, f"side {LETTERS[side]}", face=LETTERS[side])


def _plate(x: float, y: float, radius: float, side: int, theme: svg.Theme) -> svg.Element | None:
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
    return None


# Where the pips of a die lie, from the middle, in thirds of its width and height.
_PIPS: dict[int, list[tuple[int, int]]] = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    6: [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
}


def die(x: float, y: float, width: float, height: float, value: int, theme: svg.Theme) -> svg.Element:
    """A die around (x, y) that shows ``value`` pips, 1 to 6; as wide as high it is a cube, else a long die.

    Example:
        >>> die(20, 20, 36, 36, 5, svg.get_theme("light")).written().count("<circle")
        5
    """
    # Six pips lie in threes along the longer side.
    turned = value == 6 and width > height
    pip = 0.115 * min(width, height)
    places = [(column, row) if not turned else (row, column) for column, row in _PIPS[value]]
    return svg.group(
        svg.rect(
            x - width / 2,
            y - height / 2,
            width,
            height,
            rx=0.17 * min(width, height),
            fill=theme.plate,
            stroke=theme.outline,
            stroke_width=1.5,
        ),
        *(
            svg.circle(x + 0.265 * width * column, y + 0.265 * height * row, pip, fill=theme.on_plate)
            for column, row in places
        ),
        label=f"a die: {value}",
    )


def panel(
    left: float, top: float, width: float, height: float, theme: svg.Theme, lit: str | None
) -> svg.Element:
    """The box of a player or side; ``lit`` is the colour of its edge if it is his turn or his win."""
    return svg.rect(
        left,
        top,
        width,
        height,
        rx=10,
        fill=theme.panel,
        stroke=lit or theme.line,
        stroke_width=4 if lit else 1.5,
    )


def in_a_row(count: int, left: float, right: float) -> tuple[list[float], float]:
    """Where boxes side by side begin, and how wide each is.

    Example:
        >>> in_a_row(2, 0, 108)
        ([0.0, 58.0], 50.0)
    """
    gap = 8.0
    width = (right - left - gap * (count - 1)) / count
    return [left + i * (width + gap) for i in range(count)], width


def bold(content: str, left: float, y: float, size: float, theme: svg.Theme) -> svg.Element:
    """A line in bold that starts at ``left``: a name, or what is asked."""
    return svg.text(content, left, y, size, fill=theme.ink, font_weight="bold", text_anchor="start")


def turn_number(turn: int, right: float, y: float, theme: svg.Theme) -> svg.Element:
    """The number of the turn, at the right end of a line."""
    return svg.text(f"turn {turn}", right, y, 19, fill=theme.muted, text_anchor="end")


def moved_ring(x: float, y: float, radius: float, width: float, theme: svg.Theme) -> svg.Element:
    """The dashed mark round a pile into which pieces moved just now."""
    return svg.circle(
        x, y, radius, fill="none", stroke=theme.ink, stroke_width=width, stroke_dasharray="5 3.2"
    )


def said(player: int | None, phase: str, phases: Mapping[str, tuple[str, str]], won: str | None) -> str:
    """A position in a few words: the result, or who is to do what.

    Args:
        player: whose turn it is.
        phase: the phase.
        phases: for each phase, second, what is said of the player, or of all if there is none.
        won: that somebody has won; None if nobody has.

    Example:
        >>> said(1, "roll", {"roll": ("", "is to roll")}, None), said(None, "over", {}, "side A wins")
        ('player 1 is to roll', 'side A wins')
    """
    if won is not None:
        return won
    if phase == "over":
        return "the game is a draw"
    asked = phases[phase][1]
    return asked if player is None else f"player {player} {asked}"
