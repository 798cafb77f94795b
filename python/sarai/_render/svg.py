"""Pictures as elements, which are put together as they are and written as SVG text at the very end.

Nothing here needs an ``id``, a style sheet, a script or a link, so that several pictures can stand in one notebook page
without touching each other. Numbers are written with at most two decimals and attributes in the order given,
so the same call always gives the same text.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from sarai import _core
from sarai._base import arguments, files
from sarai._base.arguments import short
from sarai._render.elements import Element

FONT = "Verdana, 'DejaVu Sans', Helvetica, Arial, sans-serif"

#: Where the middle of a digit or capital stands above the baseline, as a share of the font size. Renderers
#: disagree about ``dominant-baseline``, so text is centred by shifting it instead.
_MIDDLE = 0.355

Attribute = str | float | int | None


class _Printer(Protocol):
    def text(self, content: str) -> None: ...


class Svg(str):
    """A complete SVG document: a ``str`` like any other, except that a notebook displays the picture, not the markup.

    Results of ``+``, ``replace`` and similar operations are plain ``str`` objects.

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

    def save(self, path: arguments.StrPath, *, width: int = 960) -> None:
        """Write the picture, whole or not at all.

        Args:
            path: A file that ends in ".svg", ".png" or ".pdf". PNG and PDF need ``pip install "sarai[render]"``, and
                have the first picture of an animation. A PDF has lines and text, with its fonts embedded.
            width: The width of a PNG or PDF in pixels, 16 to 8192, of which 192 are an inch in a PDF; an SVG has the
                width with which it was drawn.

        Raises:
            ValueError: The path has another suffix, or the width is out of range.
            ImportError: The extra packages are not installed; the message names them.
            OSError: The file cannot be written.

        Example:
            >>> Svg("<svg/>").save("board.gif")
            Traceback (most recent call last):
                ...
            ValueError: a picture is written as .svg, .png or .pdf, got 'board.gif'
        """
        target = Path(arguments.path(path))
        suffix = target.suffix.lower()
        if suffix in (".png", ".pdf"):
            from sarai._render import raster, vector

            content = (raster.png if suffix == ".png" else vector.pdf)(self, width=width)
        elif suffix == ".svg":
            content = self.encode()
        else:
            raise ValueError(
                f"a picture is written as .svg, .png or .pdf, got {arguments.longer(str(target))}"
            )
        files.replace(target, lambda file: file.write(content))

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


def printed(colour: str) -> str:
    """A colour as it is printed: pale ones white, others grey by how dark they are.

    Example:
        >>> [printed(colour) for colour in ("#ead6ae", "#b3261e", "#231f1a", "none")]
        ['#ffffff', '#696969', '#000000', 'none']
    """
    if not colour.startswith("#"):
        return colour
    channels = [value / 255 for value in bytes.fromhex(colour[1:])]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    # As light as the eye sees it, from 0 to 100.
    light = 116 * luminance ** (1 / 3) - 16 if luminance > 0.008856 else 903.3 * luminance
    grey = 255 if light >= 70 else 0 if light < 20 else round(255 * (light - 20) / 50 * 0.85 + 20)
    return f"#{grey:02x}{grey:02x}{grey:02x}"


def _for_paper(light: Theme) -> Theme:
    colours = {name: printed(value) for name, value in vars(light).items() if name not in ("name", "sides")}
    return Theme(name="print", sides=tuple(map(printed, light.sides)), **colours)  # type: ignore[arg-type]


THEMES: dict[str, Theme] = {
    theme["name"]: Theme(**{**theme, "sides": tuple(theme["sides"])})
    for theme in json.loads(_core.themes_json())
}
"""The engine's, so that figures and boards match, and one for paper."""
THEMES["print"] = _for_paper(THEMES["light"])
_KNOWN = "'light', 'dark' or 'print'"


_chosen = ["light"]
"""The theme where none is given."""


def get_theme(name: str | None = None) -> Theme:
    """The theme of that name, or the one that was set.

    Args:
        name: ``"light"``, ``"dark"`` or ``"print"``; None for that of `set_theme`.

    Raises:
        ValueError: for any other name.

    Example:
        >>> get_theme("dark").name, get_theme().name
        ('dark', 'light')
        >>> get_theme("sepia")
        Traceback (most recent call last):
            ...
        ValueError: theme must be 'light', 'dark' or 'print', got 'sepia'
    """
    if name is None:
        name = _chosen[0]
    if not isinstance(name, str) or name not in THEMES:
        raise ValueError(f"theme must be {_KNOWN}, got {short(name)}")
    return THEMES[name]


def set_theme(name: str) -> None:
    """Set the theme of all boards and figures that are drawn without one, in notebooks too.

    Args:
        name: ``"light"`` (the default), ``"dark"`` or ``"print"``, which is black, white and grey.

    Raises:
        ValueError: for any other name.

    Example:
        >>> import sarai
        >>> sarai.render.set_theme("dark")
        >>> state = sarai.make("shah").new_initial_state()
        >>> sarai.render.draw(state) == sarai.render.draw(state, theme="dark")
        True
        >>> sarai.render.set_theme("light")
        >>> sarai.render.set_theme("night")
        Traceback (most recent call last):
            ...
        ValueError: theme must be 'light', 'dark' or 'print', got 'night'
    """
    if name is None:
        raise ValueError(f"theme must be {_KNOWN}, got None")
    _chosen[0] = get_theme(name).name


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


def element(tag: str, *children: Element | str | None, **attributes: Attribute) -> Element:
    """An element; ``stroke_width=2`` is the attribute ``stroke-width``, and whatever is None is left out.

    Example:
        >>> element("circle", None, r=1.5, fill="none", stroke=None).written()
        '<circle r="1.5" fill="none"/>'
    """
    named = {
        key.replace("_", "-"): value if isinstance(value, str) else number(value)
        for key, value in attributes.items()
        if value is not None
    }
    return Element(tag, named, tuple(child for child in children if child is not None))


def group(*children: Element | None, label: str | None = None, **attributes: Attribute) -> Element:
    """A group; ``label`` becomes its ``<title>``, which browsers show on hover and screen readers speak."""
    titled = (element("title", label), *children) if label is not None else children
    return element("g", *titled, **attributes)


def rect(x: float, y: float, width: float, height: float, **attributes: Attribute) -> Element:
    """A rectangle with its upper left corner at (x, y)."""
    return element("rect", x=x, y=y, width=width, height=height, **attributes)


def text(content: str, x: float, y: float, size: float, **attributes: Attribute) -> Element:
    """A line of text with its middle at (x, y); with ``text_anchor="start"`` it starts there instead."""
    anchor = attributes.pop("text_anchor", "middle")
    return element(
        "text", content, x=x, y=y + _MIDDLE * size, font_size=size, text_anchor=anchor, **attributes
    )


@dataclass(frozen=True)
class Picture:
    """A whole picture that is not written yet: what is painted, back to front, and what is said of it.

    Attributes:
        children: What is painted.
        width: In units.
        height: In units.
        shown_width: In pixels.
        title: What a browser shows and a screen reader speaks.
        description: The same at length.
    """

    children: tuple[Element | None, ...]
    width: float
    height: float
    shown_width: float
    title: str
    description: str

    def written(self) -> Svg:
        """The picture as a document of its own."""
        return Svg(self.root().written())

    def root(self) -> Element:
        """The element that such a document is."""
        return self._element(
            xmlns="http://www.w3.org/2000/svg",
            viewBox=self._box(),
            width=self.shown_width,
            height=self.shown_width * self.height / self.width,
        )

    def placed(self, x: float, y: float) -> Element:
        """The picture as a part of another one, with its upper left corner at (x, y)."""
        return self._element(x=x, y=y, width=self.width, height=self.height, viewBox=self._box())

    def _box(self) -> str:
        return f"0 0 {number(self.width)} {number(self.height)}"

    def _element(self, **attributes: Attribute) -> Element:
        return element(
            "svg",
            element("title", self.title),
            element("desc", self.description),
            *self.children,
            **attributes,
            role="img",
            aria_label=self.title,
            font_family=FONT,
        )


def document(
    *children: Element | None,
    width: float,
    height: float,
    shown_width: float,
    theme: Theme,
    title: str,
    description: str,
) -> Picture:
    """A picture of ``width`` by ``height`` units on the ground of the theme, shown ``shown_width`` pixels wide.

    Raises:
        ValueError: if ``shown_width`` is no number from 16 to 16384.
    """
    shown_width = checked_size(shown_width)
    return Picture((ground(width, height, theme), *children), width, height, shown_width, title, description)


def checked_size(size: float) -> float:
    """A width in pixels.

    Raises:
        ValueError: It is no number from 16 to 16384.

    Example:
        >>> checked_size(480)
        480.0
        >>> checked_size(3)
        Traceback (most recent call last):
            ...
        ValueError: size must be a width in pixels from 16 to 16384, got 3
    """
    if not arguments.is_number(size) or not 16 <= size <= 16384:
        raise ValueError(f"size must be a width in pixels from 16 to 16384, got {short(size)}")
    return float(size)


def ground(width: float, height: float, theme: Theme) -> Element:
    """What everything is painted on."""
    return rect(0, 0, width, height, rx=14, fill=theme.background)
