"""SVG as pixels: PNG and arrays. It knows nothing of boards.

This needs two packages that Sarai itself does not need: ``pip install "sarai[render]"``.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Mapping
from typing import Any
from xml.parsers import expat

import numpy as np
from numpy.typing import NDArray

from sarai._base.arguments import short, whole
from sarai._base.extras import needed

MOST_PIXELS = 1 << 26
"""How many pixels one picture may have."""

# Far more than any board or plot needs; resvg crashes on some thousands.
_MOST_LEVELS = 200

# A unit such as pt means something only at a resolution: the one that CSS fixes, 96 px to the inch.
_DPI = 96
_UNITS = {"": 1.0, "px": 1.0, "pt": 96 / 72, "pc": 16.0, "in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4}


def png(svg: str, *, width: int = 480, background: str = "#ffffff") -> bytes:
    r"""An SVG as a PNG file.

    Args:
        svg: a complete SVG document, such as ``sarai.render.draw`` returns.
        width: the width in pixels, 16 to 8192; the height follows from it.
        background: the background colour, as in CSS.

    Returns:
        The bytes of the file.

    Raises:
        ImportError: if the extra packages are not installed; the message names them.
        ValueError: if the SVG cannot be read, the picture would have more than 67,108,864 pixels, or an option is
            out of range.
        TypeError: if the SVG is not text.

    Example:
        >>> png('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"/>', width=16)[:4]
        b'\x89PNG'
        >>> png("<svg")
        Traceback (most recent call last):
            ...
        ValueError: no picture can be made of this SVG: ...
    """
    if not isinstance(svg, str):
        raise TypeError(f"svg must be the text of an SVG document, got {type(svg).__name__}")
    width = checked_whole("width", width, "an integer of pixels", 16, 8192)
    if not isinstance(background, str):
        raise ValueError(f"background must be a colour such as '#ffffff', got {short(background)}")
    with needed("a picture in pixels", "render"):
        import resvg_py  # noqa: F401  (what is missing comes before what is wrong)
    refuse_impossible(svg, width)
    return drawn(svg, width, background)


def drawn(svg: str, width: int, background: str | None) -> bytes:
    """The same of an SVG and options that are known to be fit; without a background it is transparent.

    Raises:
        ValueError: if the SVG cannot be read.
    """
    with needed("a picture in pixels", "render"):
        import resvg_py
    try:
        drawn: Any = resvg_py.svg_to_bytes(svg_string=svg, width=width, background=background, dpi=_DPI)
    except ValueError as error:
        raise ValueError(f"no picture can be made of this SVG: {error}") from error
    return bytes(drawn)


def pdf(svg: str, *, width: int = 480, background: str = "#ffffff") -> bytes:
    """An SVG as a PDF file of one page, whose picture is made of pixels.

    Args:
        svg: a complete SVG document.
        width: the width in pixels, 16 to 8192, of which 192 are an inch; the height follows from it.
        background: the background colour, as in CSS.

    Raises:
        ImportError, ValueError, TypeError: as for ``png``.

    Example:
        >>> pdf('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"/>', width=16)[:5]
        b'%PDF-'
    """
    written = io.BytesIO()
    image = image_of(png(svg, width=width, background=background))
    # Without a date the same picture is always the same file; thin lines need fine colours.
    undated = {"creationDate": None, "modDate": None}
    image.save(written, format="PDF", resolution=192, quality=95, subsampling=0, **undated)
    return written.getvalue()


def checked_whole(name: str, value: object, takes: str, least: int, most: int) -> int:
    """An integer, Python's or numpy's, within bounds; `takes` says what it is.

    Raises:
        ValueError: It is something else.

    Example:
        >>> checked_whole("width", 480, "an integer of pixels", 16, 8192)
        480
    """
    try:
        number = whole(name, value)
    except TypeError:
        number = least - 1
    if not least <= number <= most:
        raise ValueError(f"{name} must be {takes} from {least} to {most}, got {short(value)}")
    return number


def rgb(svg: str, *, width: int = 480, background: str = "#ffffff") -> NDArray[np.uint8]:
    """An SVG as an array of pixels, uint8 (height, width, 3).

    Args:
        svg: a complete SVG document.
        width: the width in pixels, 16 to 8192; the height follows from it.
        background: the background colour, as in CSS.

    Raises:
        ImportError, ValueError, TypeError: as for ``png``.

    Example:
        >>> rgb('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"/>', width=16).shape
        (8, 16, 3)
        >>> rgb("<svg/>", width=3)
        Traceback (most recent call last):
            ...
        ValueError: width must be an integer of pixels from 16 to 8192, got 3
    """
    image = image_of(png(svg, width=width, background=background))
    return np.array(image)


def image_of(file: bytes) -> Any:
    """A file as an image of Pillow's, in colours without transparency.

    Raises:
        ImportError: if the extra packages are not installed.
    """
    with needed("a picture in pixels", "render"):
        from PIL import Image
    with Image.open(io.BytesIO(file)) as image:
        return image.convert("RGB")


class _Survey:
    """What must be known of an SVG before it is drawn: how high it is for its width, and how deep it goes."""

    def __init__(self) -> None:
        self.depth = 0
        self.root: dict[str, str] | None = None

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        self.depth += 1
        if self.root is None:
            self.root = attributes
        if self.depth > _MOST_LEVELS:
            raise ValueError(
                f"no picture can be made of this SVG: its elements lie over {_MOST_LEVELS} levels deep"
            )

    def end(self, name: str) -> None:
        """An element ends."""
        self.depth -= 1


def refuse_impossible(svg: str, width: int) -> None:
    """Refuse what would be too large, before any memory is taken for it, or too deep for what draws it."""
    survey = _Survey()
    parser = expat.ParserCreate(encoding="utf-8")
    parser.StartElementHandler, parser.EndElementHandler = survey.start, survey.end
    try:
        parser.Parse(svg.encode(), True)
    except (expat.ExpatError, UnicodeEncodeError) as error:
        raise ValueError(f"no picture can be made of this SVG: {error}") from error
    height = width * _ratio(survey.root or {})
    if not width * height <= MOST_PIXELS:
        raise ValueError(
            f"the picture would be {width} pixels wide and {height:.0f} high: at most {MOST_PIXELS} pixels are "
            "drawn; take a smaller width"
        )


def _ratio(root: Mapping[str, str]) -> float:
    """Height by width, at its largest where the attributes leave it open."""
    box = [_pixels(text) for text in root.get("viewBox", "").replace(",", " ").split()]
    boxed = box[2:] if len(box) == 4 else [None, None]
    given = [_pixels(root.get("width", "")), _pixels(root.get("height", ""))]
    mixed = [size if size is not None else other for size, other in zip(given, boxed, strict=True)]
    ratios = [height / width for width, height in (mixed, boxed) if width and height]
    if not ratios:
        raise ValueError("no picture can be made of this SVG: it needs a width and a height, or a viewBox")
    return max(ratios) if None in given else ratios[0]


def _pixels(length: str) -> float | None:
    """A length above 0 in pixels; None if it is none, or relative to what is not known here."""
    match = re.fullmatch(r"\s*(\+?[0-9.]+(?:[eE][-+]?[0-9]+)?)\s*(px|pt|pc|in|cm|mm|)\s*", length)
    try:
        pixels = float(match[1]) * _UNITS[match[2]] if match else 0.0
    except ValueError:
        return None
    return pixels if 0 < pixels < math.inf else None
