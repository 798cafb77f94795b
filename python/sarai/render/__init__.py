"""Boards as SVG: a pure function from a position to a `str`, which notebooks display as a picture.

A position is a state or a view. A view is plain data: `{"game", "rules", "num_players", "sides", "state"}`, as
`state.view()` returns it. The engine draws, so that a board looks the same wherever it is shown.
"""

from sarai._render.animation import animate
from sarai._render.drawing import draw, drawn_games, heat_map, picture, scene
from sarai._render.elements import Element
from sarai._render.figure import figure
from sarai._render.page import page
from sarai._render.svg import Picture, Svg, set_theme

__all__ = [
    "Element",
    "Picture",
    "Svg",
    "animate",
    "draw",
    "drawn_games",
    "figure",
    "heat_map",
    "page",
    "picture",
    "scene",
    "set_theme",
]
