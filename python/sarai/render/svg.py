"""Small helpers that write SVG as text.

Every function returns a finished piece of markup as a ``str``; a drawing is those pieces joined. Nothing here
needs an ``id``, a style sheet, a script or a link, so that several pictures can stand in one notebook page
without touching each other. Numbers are written with at most two decimals and attributes in the order given,
so the same call always gives the same text.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Protocol

from sarai.arguments import short

FONT = "Verdana, 'DejaVu Sans', Helvetica, Arial, sans-serif"

#: Where the middle of a digit or capital stands above the baseline, as a share of the font size. Renderers
#: disagree about ``dominant-baseline``, so text is centred by shifting it instead.
_MIDDLE = 0.355

# XML 1.0 has no way at all to write these characters, not even escaped.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Attribute = str | float | int | None


class _Printer(Protocol):
    def text(self, content: str) -> None: ...


class Svg(str):
    """A whole SVG document: a ``str`` like any other, but a notebook shows the picture instead of the markup.

    What is made from it by ``+``, ``replace`` and the like is a plain ``str``.

    Example:
        >>> picture = Svg('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"/>')
        >>> picture == str(picture), picture._repr_svg_()[:4]
        (True, '<svg')
        >>> picture.theme = "dark"
        Traceback (most recent call last):
            ...
        AttributeError: 'Svg' object has no attribute 'theme'...
    """

    __slots__ = ()

    def _repr_svg_(self) -> str:
        """The picture, for notebooks."""
        return str(self)

    def _repr_pretty_(self, printer: _Printer, cycle: bool) -> None:
        """What a notebook keeps as text beside the picture: not the markup a second time."""
        printer.text(f"<SVG of {len(self):,} characters>")


@dataclass(frozen=True)
class Theme:
    """The colours that all boards share.

    ``sides`` are from the palette of Okabe and Ito, which stays apart under the common kinds of colour
    blindness; a drawing adds a second cue (a shape or a letter) to each. ``plate`` and ``on_plate`` are a
    light and a dark tone for figures printed on a coloured piece.
    """

    name: str
    background: str
    panel: str
    line: str
    ink: str
    muted: str
    outline: str
    plate: str
    on_plate: str
    sides: tuple[str, str, str, str]


THEMES: dict[str, Theme] = {
    "light": Theme(
        name="light",
        background="#fbf9f4",
        panel="#f1ece1",
        line="#d8cfbe",
        ink="#231f1a",
        muted="#6b6358",
        outline="#2b2620",
        plate="#ffffff",
        on_plate="#16130f",
        sides=("#0072b2", "#e69f00", "#009e73", "#cc79a7"),
    ),
    "dark": Theme(
        name="dark",
        background="#17191d",
        panel="#22252b",
        line="#3b4049",
        ink="#f2eee6",
        muted="#a9a59c",
        outline="#0b0c0e",
        plate="#fdfbf6",
        on_plate="#16130f",
        sides=("#56b4e9", "#e69f00", "#009e73", "#cc79a7"),
    ),
}


def get_theme(name: str) -> Theme:
    """The theme of that name.

    Args:
        name: ``"light"`` or ``"dark"``.

    Raises:
        ValueError: for any other name.

    Example:
        >>> get_theme("dark").name
        'dark'
        >>> get_theme("sepia")
        Traceback (most recent call last):
            ...
        ValueError: theme must be 'light' or 'dark', got 'sepia'
    """
    if not isinstance(name, str) or name not in THEMES:
        raise ValueError(f"theme must be {' or '.join(map(repr, THEMES))}, got {short(name)}")
    return THEMES[name]


def escape(text: str) -> str:
    """Text made safe inside an element or an attribute.

    The five special characters become entities; a character that XML cannot carry becomes U+FFFD.

    Example:
        >>> escape('a < b & "c"')
        'a &lt; b &amp; &quot;c&quot;'
    """
    text = _NOT_XML.sub("\ufffd", text)
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;")):
        text = text.replace(character, entity)
    return text


def number(value: float) -> str:
    """A number with at most two decimals and no needless ones.

    Raises:
        ValueError: if the number is infinite or not a number.

    Example:
        >>> number(2.0), number(1 / 3), number(-0.001)
        ('2', '0.33', '0')
        >>> number(float("nan"))
        Traceback (most recent call last):
            ...
        ValueError: a drawing needs finite numbers, got nan
    """
    if not math.isfinite(value):
        raise ValueError(f"a drawing needs finite numbers, got {value!r}")
    written = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if written == "-0" else written


def element(name: str, *children: str, **attributes: Attribute) -> str:
    """An element; ``stroke_width=2`` writes ``stroke-width="2"``, and an attribute that is None is left out.

    ``children`` are markup already: text goes through :func:`escape` first.

    Example:
        >>> element("circle", r=1.5, fill="none", stroke=None)
        '<circle r="1.5" fill="none"/>'
    """
    written = [name]
    for key, value in attributes.items():
        if value is not None:
            content = escape(value) if isinstance(value, str) else number(value)
            written.append(f'{key.replace("_", "-")}="{content}"')
    head = " ".join(written)
    return f"<{head}>{''.join(children)}</{name}>" if children else f"<{head}/>"


def group(*children: str, label: str | None = None, **attributes: Attribute) -> str:
    """A group; ``label`` becomes its ``<title>``, which browsers show on hover and screen readers speak."""
    titled = (element("title", escape(label)), *children) if label is not None else children
    return element("g", *titled, **attributes)


def circle(x: float, y: float, radius: float, **attributes: Attribute) -> str:
    """A circle around (x, y)."""
    return element("circle", cx=x, cy=y, r=radius, **attributes)


def rect(x: float, y: float, width: float, height: float, **attributes: Attribute) -> str:
    """A rectangle with its upper left corner at (x, y)."""
    return element("rect", x=x, y=y, width=width, height=height, **attributes)


def path(d: str, **attributes: Attribute) -> str:
    """A path from path data, which :func:`points` helps to write."""
    return element("path", d=d, **attributes)


def points(*pairs: tuple[float, float]) -> str:
    """Path data for a line through points, to be opened with M and closed with Z by the caller.

    Example:
        >>> "M" + points((0, 0), (10, 2.5)) + "Z"
        'M0 0 10 2.5Z'
    """
    return " ".join(f"{number(x)} {number(y)}" for x, y in pairs)


def placed(x: float, y: float, angle: float = 0.0, scale: float = 1.0) -> str:
    """A ``transform`` that scales a shape, turns it clockwise by ``angle`` degrees and puts it at (x, y).

    Example:
        >>> placed(3, 4), placed(3, 4, scale=0.5)
        ('translate(3 4)', 'translate(3 4) scale(0.5)')
    """
    turned = f" rotate({number(angle)})" if angle else ""
    scaled = f" scale({number(scale)})" if scale != 1 else ""
    return f"translate({number(x)} {number(y)}){turned}{scaled}"


def text(content: str, x: float, y: float, size: float, **attributes: Attribute) -> str:
    """A line of text with its middle at (x, y); with ``text_anchor="start"`` it starts there instead."""
    anchor = attributes.pop("text_anchor", "middle")
    return element(
        "text", escape(content), x=x, y=y + _MIDDLE * size, font_size=size, text_anchor=anchor, **attributes
    )


def document(
    *children: str,
    width: float,
    height: float,
    shown_width: float,
    theme: Theme,
    title: str,
    description: str,
) -> Svg:
    """A whole picture of ``width`` by ``height`` units, shown ``shown_width`` pixels wide.

    Raises:
        ValueError: if ``shown_width`` is no number from 16 to 16384.
    """
    is_number = isinstance(shown_width, int | float) and not isinstance(shown_width, bool)
    if not is_number or not 16 <= shown_width <= 16384:
        raise ValueError(f"size must be a width in pixels from 16 to 16384, got {short(shown_width)}")
    drawn = element(
        "svg",
        element("title", escape(title)),
        element("desc", escape(description)),
        rect(0, 0, width, height, rx=14, fill=theme.background),
        *children,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=shown_width,
        height=shown_width * height / width,
        role="img",
        aria_label=title,
        font_family=FONT,
    )
    return Svg(drawn)
