"""Pictures as pixels: PNG, GIF and arrays, made from the SVG drawings.

This needs two packages that Sarai itself does not need: ``pip install "sarai[render]"``.
"""

from sarai._render.pixels import MOST_FRAMES, gif, png, rgb

__all__ = ["MOST_FRAMES", "gif", "png", "rgb"]
