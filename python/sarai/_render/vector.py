"""SVG as PDF: one page of lines, areas and text, for the elements that drawings of this package have.

This needs a package that Sarai itself does not need: ``pip install "sarai[render]"``.
"""

from __future__ import annotations

import io
import math
from collections.abc import Mapping
from typing import Any

from sarai._base.arguments import short
from sarai._base.extras import needed
from sarai._render import raster
from sarai._render.bounds import matrix_of, steps
from sarai._render.elements import Element, parsed

_POINTS = 72 / 192
"""Of a pixel: 192 are an inch."""

# Like Verdana and DejaVu Sans, in which browsers show the same text; they come with reportlab.
_FONTS = {"normal": "Vera", "bold": "VeraBd"}

_CAPS = {"butt": 0, "round": 1, "square": 2}
_JOINS = {"miter": 0, "round": 1, "bevel": 2}
_NON_ZERO = 1
# What is not painted, and what only moves.
_SILENT = ("title", "desc", "animate")


def pdf(svg: str, *, width: int = 480) -> bytes:
    """An SVG as a PDF file of one page; the same text always gives the same file.

    Args:
        svg: an SVG document that this package made.
        width: the width in pixels, 16 to 8192, of which 192 are an inch; the height follows from it.

    Raises:
        ImportError: if the extra packages are not installed; the message names them.
        ValueError: if the SVG has elements that no drawing of this package has, or the width is out of range.

    Example:
        >>> import sarai
        >>> pdf(sarai.render.draw(sarai.make("shah").new_initial_state()))[:5]
        b'%PDF-'
        >>> pdf('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"><image/></svg>')
        Traceback (most recent call last):
            ...
        ValueError: no PDF can be made of this SVG: it has an element 'image'
    """
    width = raster.checked_whole("width", width, "an integer of pixels", 16, 8192)
    with needed("a PDF", "render"):
        from reportlab.pdfbase import pdfmetrics
        from reportlab.pdfbase.ttfonts import TTFont
        from reportlab.pdfgen.canvas import Canvas
    raster.refuse_impossible(svg, width)
    root = parsed(svg)
    try:
        left, top, across, down = (float(word) for word in root.attributes["viewBox"].split())
    except (KeyError, ValueError):
        raise _refused(f"its viewBox is {short(root.attributes.get('viewBox'))}") from None
    for name in _FONTS.values():
        # Anew, since a font keeps what it was used for.
        pdfmetrics.registerFont(TTFont(name, f"{name}.ttf"))
    scale = width * _POINTS / across
    file = io.BytesIO()
    # Without dates and with numbers for names.
    canvas = Canvas(file, pagesize=(across * scale, down * scale), invariant=1, initialFontName="Vera")
    canvas.setTitle(root.attributes.get("aria-label", ""))
    canvas.setCreator("Sarai")
    canvas.transform(scale, 0, 0, -scale, -left * scale, (top + down) * scale)
    canvas.setMiterLimit(4)
    page = _Page(canvas)
    for child in root.children:
        page.paint(child, root.attributes)
    canvas.showPage()
    canvas.save()
    return file.getvalue()


class _Page:
    """The page that is painted on, in the units of the picture, y downwards."""

    def __init__(self, canvas: Any) -> None:
        self._canvas = canvas

    def paint(self, element: Element | str, around: Mapping[str, str]) -> None:
        """An element, with what it inherits."""
        if isinstance(element, str) or element.name in _SILENT:
            return
        own = element.attributes
        if own.get("display") == "none":
            return
        shape = _SHAPES.get(element.name)
        if shape is None:
            raise _refused(f"it has an element {short(element.name)}")
        inherited = {name: value for name, value in around.items() if name not in _OWN}
        look = {**inherited, **own}
        matrix = matrix_of(own.get("transform", ""))
        if matrix is None:
            raise _refused(f"it has a transform {short(own['transform'])}")
        self._canvas.saveState()
        self._canvas.transform(*matrix)
        try:
            shape(self, element, look)
        except KeyError as error:
            raise _refused(f"an element {element.name!r} has no {error}") from None
        self._canvas.restoreState()

    def group(self, element: Element, look: Mapping[str, str]) -> None:
        """What is in a group."""
        for child in element.children:
            self.paint(child, look)

    def picture(self, element: Element, look: Mapping[str, str]) -> None:
        """A picture in the picture."""
        x, y, width, height = (float(look[name]) for name in ("x", "y", "width", "height"))
        left, top, across, down = (float(word) for word in look["viewBox"].split())
        self._canvas.translate(x, y)
        self._canvas.scale(width / across, height / down)
        self._canvas.translate(-left, -top)
        self.group(element, look)

    def rect(self, _: Element, look: Mapping[str, str]) -> None:
        """A rectangle."""
        x, y, width, height = (float(look[name]) for name in ("x", "y", "width", "height"))
        round_corner = min(float(look.get("rx", "0")), width / 2, height / 2)
        self._canvas.roundRect(x, y, width, height, round_corner, **self._inked(look))

    def circle(self, _: Element, look: Mapping[str, str]) -> None:
        """A circle."""
        x, y, radius = (float(look[name]) for name in ("cx", "cy", "r"))
        self._canvas.circle(x, y, radius, **self._inked(look))

    def path(self, _: Element, look: Mapping[str, str]) -> None:
        """A path."""
        path = self._canvas.beginPath()
        x, y, first = 0.0, 0.0, (0.0, 0.0)
        for command, values in steps(look["d"]):
            if command == "Z":
                path.close()
                x, y = first
                continue
            if command == "A":
                for curve in _curves((x, y), values):
                    path.curveTo(*curve)
            elif command == "C":
                path.curveTo(*values)
            elif command == "Q":
                a, b, *end = values
                over = [(x + 2 * a) / 3, (y + 2 * b) / 3, (end[0] + 2 * a) / 3, (end[1] + 2 * b) / 3]
                path.curveTo(*over, *end)
            elif command == "H":
                path.lineTo(values[0], y)
            elif command == "V":
                path.lineTo(x, values[0])
            else:
                (path.moveTo if command == "M" else path.lineTo)(*values)
            x = x if command == "V" else values[0 if command == "H" else -2]
            y = y if command == "H" else values[-1]
            if command == "M":
                first = x, y
        self._canvas.drawPath(path, fillMode=_NON_ZERO, **self._inked(look))

    def text(self, element: Element, look: Mapping[str, str]) -> None:
        """A line of text."""
        content = "".join(child for child in element.children if isinstance(child, str))
        if len(element.children) > 1:
            raise _refused("a text has elements in it")
        size = float(look.get("font-size", "16"))
        if not self._inked({**look, "stroke": "none"})["fill"]:
            return
        self._canvas.setFont(_FONTS["bold" if look.get("font-weight") == "bold" else "normal"], size)
        self._canvas.translate(float(look["x"]), float(look["y"]))
        self._canvas.scale(1, -1)
        draw = {"middle": "drawCentredString", "end": "drawRightString"}
        getattr(self._canvas, draw.get(look.get("text-anchor", ""), "drawString"))(0, 0, content)

    def _inked(self, look: Mapping[str, str]) -> dict[str, int]:
        """Set what is painted with; whether that is the area, the line or both."""
        canvas, opacity = self._canvas, float(look.get("opacity", "1"))
        fill, stroke = _colour(look.get("fill", "#000000")), _colour(look.get("stroke", "none"))
        if fill is not None:
            canvas.setFillColorRGB(*fill, alpha=opacity * float(look.get("fill-opacity", "1")))
        if stroke is not None:
            canvas.setStrokeColorRGB(*stroke, alpha=opacity * float(look.get("stroke-opacity", "1")))
            canvas.setLineWidth(float(look.get("stroke-width", "1")))
            canvas.setLineCap(_CAPS[look.get("stroke-linecap", "butt")])
            canvas.setLineJoin(_JOINS[look.get("stroke-linejoin", "miter")])
            canvas.setDash([float(length) for length in look.get("stroke-dasharray", "").split()])
        return {"fill": int(fill is not None), "stroke": int(stroke is not None)}


_SHAPES = {
    "g": _Page.group,
    "svg": _Page.picture,
    "rect": _Page.rect,
    "circle": _Page.circle,
    "path": _Page.path,
    "text": _Page.text,
}
# What children do not inherit.
_OWN = {"transform", "x", "y", "width", "height", "viewBox", "opacity", "display"}


def _colour(text: str) -> tuple[float, float, float] | None:
    """Red, green and blue from 0 to 1; None for none."""
    if text == "none":
        return None
    digits = text[1:] if len(text) == 7 else "".join(2 * digit for digit in text[1:])
    try:
        red, green, blue = bytes.fromhex(digits)
    except ValueError:
        raise _refused(f"it has a colour {short(text)}") from None
    return red / 255, green / 255, blue / 255


def _curves(start: tuple[float, float], values: list[float]) -> list[list[float]]:
    """An arc as curves of third degree, one a quarter of the whole or less."""
    across, down, turned, large, swept, x, y = values
    if turned and across != down:
        raise _refused("it has an arc of a turned ellipse")
    # On a circle of radius 1 around the origin, then back.
    (from_x, from_y), (to_x, to_y) = (start[0] / across, start[1] / down), (x / across, y / down)
    half = math.hypot(to_x - from_x, to_y - from_y) / 2
    if half == 0:
        return []
    grown = max(half, 1.0)
    away = math.sqrt(max(grown * grown - half * half, 0.0)) * (1 if bool(large) != bool(swept) else -1)
    middle_x = (from_x + to_x) / 2 - away * (to_y - from_y) / (2 * half)
    middle_y = (from_y + to_y) / 2 + away * (to_x - from_x) / (2 * half)
    begin = math.atan2(from_y - middle_y, from_x - middle_x)
    angle = math.atan2(to_y - middle_y, to_x - middle_x) - begin
    if swept and angle <= 0:
        angle += 2 * math.pi
    elif not swept and angle >= 0:
        angle -= 2 * math.pi
    count = math.ceil(abs(angle) / (math.pi / 2) - 1e-9)
    step = angle / count
    reach = 4 / 3 * math.tan(step / 4)
    curves = []
    for i in range(count):
        one, other = begin + i * step, begin + (i + 1) * step
        points = (
            (math.cos(one) - reach * math.sin(one), math.sin(one) + reach * math.cos(one)),
            (math.cos(other) + reach * math.sin(other), math.sin(other) - reach * math.cos(other)),
            (math.cos(other), math.sin(other)),
        )
        curves.append(
            [
                value
                for px, py in points
                for value in (across * (middle_x + grown * px), down * (middle_y + grown * py))
            ]
        )
    return curves


def _refused(why: str) -> ValueError:
    return ValueError(f"no PDF can be made of this SVG: {why}")
