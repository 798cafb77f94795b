"""Pictures as pixels: PNG, GIF and arrays, made from the SVG drawings.

This needs two packages that Sarai itself does not need: ``pip install "sarai[render]"``.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sarai._render import raster
from sarai._render.animation import checked_seconds, pictures
from sarai._render.elements import Element, parsed
from sarai._render.film import Film, Piece
from sarai._render.options import Last, checked_flag
from sarai._render.raster import checked_whole, png, rgb
from sarai._render.view import Position

__all__ = ["MOST_FRAMES", "gif", "png", "rgb"]

MOST_FRAMES = 2000
"""How many frames a GIF may have."""


def gif(
    frames: Iterable[Position | str],
    *,
    seconds_per_frame: float = 0.8,
    width: int = 480,
    background: str = "#ffffff",
    repeat: bool = False,
    last: Sequence[Last | None] | None = None,
    **options: Any,
) -> bytes:
    """A game, or any sequence of pictures, as an animated GIF.

    Args:
        frames: at most `MOST_FRAMES` views or states of one game, or SVG documents.
        seconds_per_frame: how long each is shown, 0.02 to 60; GIF counts in hundredths of a second.
        width: the width in pixels, 16 to 8192; all frames get the height of the first.
        background: the background colour, as in CSS.
        repeat: whether to start again after the last frame, which otherwise stays.
        last: for each view, the move to mark, as for ``animate``; not allowed with SVG documents.
        **options: how views are drawn, such as ``theme="dark"``; not allowed with SVG documents.

    Returns:
        The bytes of the file.

    Raises:
        ImportError: if the extra packages are not installed; the message names them.
        ValueError: if there are no frames or too many, a frame is invalid or differs in size from the first, or an
            option is out of range.
        TypeError: if ``frames`` is not a list of views, states or SVG documents.

    Example:
        >>> import sarai
        >>> gif([sarai.make("sho").new_initial_state()], width=64)[:6]
        b'GIF89a'
        >>> gif([])
        Traceback (most recent call last):
            ...
        ValueError: a GIF needs at least one frame, got none
    """
    hundredths = round(checked_seconds(seconds_per_frame) * 100)
    checked_flag("repeat", repeat)
    film = Film(checked_whole("width", width, "an integer of pixels", 16, 8192), background)
    # Compressed until they are all there: only then can one palette be chosen for all, without which what does not
    # move would flicker and have to be stored again and again.
    drawn: list[list[Piece]] = []
    height = 0
    roots = _roots(frames, film.width, {**options, **({} if last is None else {"last": last})})
    for pieces in film.pieces(roots):
        drawn.append(pieces)
        height = height or film.height
        if film.height != height:
            raise ValueError(
                f"frames[{len(drawn) - 1}] has {(film.width, film.height)} pixels, frames[0] has {(film.width, height)}"
            )
        if len(drawn) * film.width * film.height > 8 * raster.MOST_PIXELS:
            raise ValueError(
                f"a GIF has at most {8 * raster.MOST_PIXELS} pixels in all frames together, got more with frames of "
                f"{film.width} by {film.height}: take a smaller width or fewer frames"
            )
    if not drawn:
        raise ValueError("a GIF needs at least one frame, got none")
    return _written(drawn, (film.width, film.height), hundredths, repeat)


_UNCHANGED = 255
"""The number in the palette by which a pixel keeps its colour."""
_LONGEST = 65535
"""Hundredths of a second that one frame of a file may be shown."""


def _written(drawn: list[list[Piece]], size: tuple[int, int], hundredths: int, repeat: bool) -> bytes:
    """The file. A frame holds the rectangle that changed, and in it only the pixels that did."""
    palette = _Palette(drawn)
    file = io.BytesIO()
    file.write(b"GIF89a" + struct.pack("<HHBBB", *size, 0xF7, 0, 0) + palette.colours.tobytes())
    if repeat:
        file.write(b"\x21\xff\x0bNETSCAPE2.0" + struct.pack("<BBHB", 3, 1, 0, 0))
    canvas = np.full(size[::-1], _UNCHANGED, np.uint8)
    waiting: tuple[int, int, NDArray[np.uint8]] = (0, 0, canvas)
    shown = 0
    for pieces in drawn:
        before = canvas.copy()
        for piece in pieces:
            part = np.s_[piece.top : piece.top + piece.height, piece.left : piece.left + piece.width]
            canvas[part] = palette.indices(piece.pixels())
        changed = canvas != before
        if changed.any() or shown + hundredths > _LONGEST:
            if shown:
                file.write(_frame(*waiting, shown))
            waiting, shown = _cut(canvas, changed), 0
        shown += hundredths
    file.write(_frame(*waiting, shown) + b"\x3b")
    return file.getvalue()


def _cut(canvas: NDArray[np.uint8], changed: NDArray[np.bool_]) -> tuple[int, int, NDArray[np.uint8]]:
    """The rectangle that changed, at least one pixel: its left and upper edge, and its pixels."""
    rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
    top, bottom = (rows[0], rows[-1] + 1) if len(rows) else (0, 1)
    left, right = (columns[0], columns[-1] + 1) if len(columns) else (0, 1)
    part = np.s_[top:bottom, left:right]
    return int(left), int(top), np.where(changed[part], canvas[part], np.uint8(_UNCHANGED))


def _frame(left: int, top: int, pixels: NDArray[np.uint8], hundredths: int) -> bytes:
    """A frame of the file, which stays when the next is drawn over it."""
    from PIL import Image

    height, width = pixels.shape
    head = b"\x21\xf9" + struct.pack("<BBHBB", 4, 0b101, hundredths, _UNCHANGED, 0)
    place = b"\x2c" + struct.pack("<HHHHBB", left, top, width, height, 0, 8)
    return head + place + Image.fromarray(pixels).tobytes("gif", "L", 8, 0) + b"\0"


class _Palette:
    """The 255 colours that the frames have, or that are nearest to theirs."""

    def __init__(self, drawn: list[list[Piece]]) -> None:
        from PIL import Image

        # The first frame and what changes in a few, spread over the whole. Thinner, but each pixel as it is: mixed
        # colours would only take the places of the real ones.
        chosen = {round(i * (len(drawn) - 1) / 63) for i in range(64)}
        thin = [piece.pixels()[::2, ::2].reshape(1, -1, 3) for i in sorted(chosen) for piece in drawn[i]]
        image = Image.fromarray(np.concatenate(thin, axis=1)).quantize(colors=_UNCHANGED)
        self.colours = np.zeros((256, 3), np.uint8)
        found = np.array(image.getpalette(), np.uint8).reshape(-1, 3)[:_UNCHANGED]
        self.colours[: len(found)] = found
        self._nearest = np.full(1 << 24, _UNCHANGED, np.uint8)

    def indices(self, pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The nearest colour of each pixel."""
        packed = pixels.astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], np.uint32)
        found = self._nearest[packed]
        new = np.unique(packed[found == _UNCHANGED])
        if not len(new):
            return found
        known = self.colours[:_UNCHANGED].astype(np.int32)
        for some in np.array_split(new, -(-len(new) // 1024)):
            apart = (some[:, None] >> np.array([16, 8, 0], np.uint32) & 255).astype(np.int32)
            distance = ((apart[:, None] - known) ** 2).sum(axis=2)
            self._nearest[some] = distance.argmin(axis=1)
        return self._nearest[packed]


def _roots(frames: Iterable[Position | str], width: int, options: Mapping[str, Any]) -> Iterator[Element]:
    if isinstance(frames, Mapping | str) or not isinstance(frames, Iterable):
        raise TypeError(
            f"frames must be a list of views, states or SVG documents, got {type(frames).__name__}"
        )
    rest = iter(frames)
    for first in rest:
        if isinstance(first, str):
            if options:
                raise TypeError(f"SVG documents are drawn already and take no {', '.join(options)}")
            for text in _texts(first, rest):
                raster.refuse_impossible(text, width)
                yield parsed(text)
        else:
            for picture in pictures(_chained(first, rest), MOST_FRAMES, **{"last": None, **options}):
                yield picture.root()


def _chained(first: Any, rest: Iterator[Any]) -> Iterator[Any]:
    yield first
    yield from rest


def _texts(first: str, rest: Iterator[Any]) -> Iterator[str]:
    for index, text in enumerate(_chained(first, rest)):
        if not isinstance(text, str):
            raise TypeError(
                f"frames[{index}] must be an SVG document as frames[0] is, got {type(text).__name__}"
            )
        if index >= MOST_FRAMES:
            raise ValueError(f"a GIF has at most {MOST_FRAMES} frames, got more: leave some out")
        yield text
