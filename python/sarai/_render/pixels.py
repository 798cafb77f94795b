"""Pictures as pixels: PNG, GIF and arrays, made from the SVG drawings.

This needs two packages that Sarai itself does not need: ``pip install "sarai[render]"``.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from sarai._render import raster
from sarai._render.animation import checked_seconds, pictures
from sarai._render.options import Last, checked_flag
from sarai._render.raster import image_of, png, rgb
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
    milliseconds = round(checked_seconds(seconds_per_frame) * 100) * 10
    checked_flag("repeat", repeat)
    # Compressed until they are all there: only then can one palette be chosen for all, without which what does not
    # move would flicker and have to be stored again and again.
    files: list[bytes] = []
    size = (0, 0)
    for drawn in _svgs(frames, {**options, **({} if last is None else {"last": last})}):
        files.append(png(drawn, width=width, background=background))
        image = image_of(files[-1])
        if len(files) == 1:
            size = image.size
        elif image.size != size:
            raise ValueError(f"frames[{len(files) - 1}] has {image.size} pixels, frames[0] has {size}")
        if len(files) * size[0] * size[1] > 8 * raster.MOST_PIXELS:
            raise ValueError(
                f"a GIF has at most {8 * raster.MOST_PIXELS} pixels in all frames together, got more with frames of "
                f"{size[0]} by {size[1]}: take a smaller width or fewer frames"
            )
    if not files:
        raise ValueError("a GIF needs at least one frame, got none")
    palette = _palette(files)
    # Few colours are drawn; to dither would only make them restless.
    images = [image_of(file).quantize(palette=palette, dither=0) for file in files]
    written = io.BytesIO()
    loop = {"loop": 0} if repeat else {}
    images[0].save(
        written,
        format="GIF",
        save_all=True,
        append_images=images[1:],
        duration=milliseconds,
        disposal=1,
        **loop,
    )
    return written.getvalue()


def _palette(files: list[bytes]) -> Any:
    """An image with the colours of a few frames, spread over the whole."""
    chosen = [image_of(files[round(i * (len(files) - 1) / 7)]) for i in range(8)]
    # Smaller, but each pixel as it is: mixed colours would only take the places of the real ones.
    thin = [np.array(image)[::2, ::2] for image in chosen]
    from PIL import Image

    return Image.fromarray(np.concatenate(thin)).quantize(colors=256)


def _svgs(frames: Iterable[Position | str], options: Mapping[str, Any]) -> Iterator[str]:
    if isinstance(frames, Mapping | str) or not isinstance(frames, Iterable):
        raise TypeError(
            f"frames must be a list of views, states or SVG documents, got {type(frames).__name__}"
        )
    rest = iter(frames)
    for first in rest:
        if isinstance(first, str):
            if options:
                raise TypeError(f"SVG documents are drawn already and take no {', '.join(options)}")
            yield from _texts(first, rest)
        else:
            for picture in pictures(_chained(first, rest), MOST_FRAMES, **{"last": None, **options}):
                yield picture.written()


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
