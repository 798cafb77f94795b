"""How the environments show a game: as text, as SVG, as pixels, and in notebooks."""

from __future__ import annotations

from abc import abstractmethod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sarai._base.arguments import short
from sarai._core import State
from sarai._render.captions import captioned, side_by_side
from sarai._render.raster import rgb
from sarai._render.svg import Svg
from sarai._tables import notebook
from sarai.render import picture

Frame: TypeAlias = str | NDArray[np.uint8]

RENDER_MODES = ("ansi", "rgb_array", "svg")
"""What `render_mode` takes besides None."""

WIDTH = 480
"""Pixels from left to right in "rgb_array"."""


MOST_LANES = 4
"""How many lanes of a vector environment a notebook shows."""


class ShownInNotebooks:
    """An environment that a notebook shows as the board where it stands, several of them as a few boards."""

    @abstractmethod
    def _lanes_shown(self) -> list[State]:
        """The positions of at most MOST_LANES lanes; none before the first reset."""

    @abstractmethod
    def _caption(self) -> str:
        """What environment it is, in a line."""

    def _repr_svg_(self) -> Svg | None:
        """The boards; None before the first reset."""
        states = self._lanes_shown()
        if not states:
            return None
        if len(states) == 1:
            return captioned(picture(states[0]), [self._caption()]).written()
        boards = [captioned(picture(state), [f"lane {lane}"]) for lane, state in enumerate(states)]
        return captioned(side_by_side(boards, 2, 640, self._caption()), [self._caption()]).written()

    def _repr_html_(self) -> str | None:
        """A sentence before the first reset, and None then: the boards are shown as SVG."""
        if self._lanes_shown():
            return None
        return notebook.line(f"{self._caption()}: no game is under way; begin with reset().")


def check_mode(render_mode: object, modes: tuple[str, ...] = RENDER_MODES) -> str | None:
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
    raise ValueError(f"render_mode got {short(render_mode)}; it takes {allowed} or None")


def frame(state: State, render_mode: str | None) -> Frame | None:
    """A picture of a state.

    Args:
        state: What is shown.
        render_mode: "ansi", the state's line of text; "svg", the board as SVG text; "rgb_array", the board as pixels,
            uint8 (height, width, 3), WIDTH pixels wide and an even number high; None shows nothing.

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
    """An SVG as pixels, uint8 (height, width, 3), WIDTH pixels wide, on white.

    Both are even, with one more row if need be: what browsers play of video has no other sizes.
    """
    try:
        drawn = rgb(svg, width=WIDTH)
    except ImportError as error:
        raise ImportError(
            f'render_mode="rgb_array" needs {error.name}: pip install "sarai[render]", or use "svg" or "ansi"',
            name=error.name,
        ) from error
    return np.pad(drawn, ((0, len(drawn) % 2), (0, 0), (0, 0)), mode="edge")
