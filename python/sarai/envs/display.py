"""How the environments show a game: as text, as SVG, as pixels."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sarai._core import State
from sarai.render.pixels import rgb

Frame: TypeAlias = str | NDArray[np.uint8]

RENDER_MODES = ["ansi", "rgb_array", "svg"]
"""What `render_mode` takes besides None."""

WIDTH = 480
"""Pixels from left to right in "rgb_array"."""


def check_mode(render_mode: object, modes: list[str] = RENDER_MODES) -> str | None:
    """The render mode itself.

    Raises:
        ValueError: It is none of the modes and not None.

    >>> check_mode("svg")
    'svg'
    >>> check_mode("human")
    Traceback (most recent call last):
    ...
    ValueError: render_mode got 'human'; it takes "ansi", "rgb_array", "svg" or None
    """
    if render_mode is None or (isinstance(render_mode, str) and render_mode in modes):
        return render_mode
    allowed = ", ".join(f'"{mode}"' for mode in modes)
    raise ValueError(f"render_mode got {render_mode!r}; it takes {allowed} or None")


def frame(state: State, render_mode: str | None) -> Frame | None:
    """A picture of a state.

    Args:
        state: What is shown.
        render_mode: "ansi", the state's line of text; "svg", the board as SVG text; "rgb_array", the board as pixels,
            uint8 (height, width, 3), WIDTH pixels wide; None shows nothing.

    Raises:
        ImportError: "rgb_array" without the extra packages that turn SVG into pixels.
    """
    if render_mode is None:
        return None
    if render_mode == "ansi":
        return str(state)
    svg = state._repr_svg_()
    return svg if render_mode == "svg" else pixels(svg)


def pixels(svg: str) -> NDArray[np.uint8]:
    """An SVG as pixels, uint8 (height, width, 3), WIDTH pixels wide, on white."""
    try:
        return rgb(svg, width=WIDTH)
    except ImportError as error:
        raise ImportError(
            f'render_mode="rgb_array" needs {error.name}: pip install "sarai[render]", or use "svg" or "ansi"',
            name=error.name,
        ) from error
