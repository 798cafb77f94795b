"""Pictures that differ little from one to the next, as pixels.

Every element is drawn once, on its own, however many pictures it is in; the pictures are put together from these
sprites, and of each only what is not as in the one before. SVG from elsewhere may have elements of which nobody knows
where they paint: such pictures are drawn whole.
"""

from __future__ import annotations

import io
import math
import zlib
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sarai._render import raster
from sarai._render.bounds import EVERYWHERE, Box, Place, around, box
from sarai._render.elements import Element

_ROOT = {"xmlns", "viewBox", "width", "height", "role", "aria-label", "font-family"}
_SPOKEN = ("title", "desc")
_FEW = 6
"""A group of at most this many elements becomes one sprite."""
_PASTING = 2000.0
"""Starting a rectangle takes about as long as pasting this many pixels."""
_SHEET = 1 << 20
"""About how many pixels of new sprites are drawn at once."""
_KEPT = 1 << 23
"""The most pixels of sprites that are kept for later pictures."""
_SCENES = 64
"""The most pictures that wait for their sprites."""
_LARGE = 1 << 21
"""Pictures with more pixels are drawn whole, because sprites would take too much memory."""


class Piece(NamedTuple):
    """A rectangle of pixels that changed: its upper left corner, its size, and its pixels, compressed."""

    left: int
    top: int
    width: int
    height: int
    compressed: bytes

    @classmethod
    def of(cls, left: int, top: int, image: Any) -> Piece:
        """A piece with the pixels of a Pillow image."""
        return cls(left, top, image.width, image.height, zlib.compress(image.tobytes(), 1))

    def pixels(self) -> NDArray[np.uint8]:
        """Its pixels, uint8 (height, width, 3)."""
        flat = np.frombuffer(zlib.decompress(self.compressed), np.uint8)
        return flat.reshape(self.height, self.width, 3)


class Film:
    """A sequence of pictures of the same size.

    Args:
        width: in pixels.
        background: the colour behind them.
    """

    def __init__(self, width: int, background: str) -> None:
        self.width = width
        self.height = 0
        self._background = background
        self._root: dict[str, str] = {}
        self._scale = (1.0, 1.0)
        self._nodes: list[_Node] = []
        self._sprites: dict[str, _Sprite] = {}
        self._ground: Any = None
        self._count = 0

    def pieces(self, roots: Iterable[Element]) -> Iterator[list[Piece]]:
        """The pieces of each picture that differ from the one before; the whole first picture.

        Raises:
            ValueError: if a picture cannot be drawn.
        """
        waiting: list[_Scene] = []
        new: dict[str, _Sprite] = {}
        for root in roots:
            scene = self._followed(root, new)
            if scene is None:
                yield from self._pasted(waiting, new)
                yield self._whole(root)
                continue
            waiting.append(scene)
            if sum(sprite.pixels.area() for sprite in new.values()) > _SHEET or len(waiting) >= _SCENES:
                yield from self._pasted(waiting, new)
        yield from self._pasted(waiting, new)

    def _followed(self, root: Element, new: dict[str, _Sprite]) -> _Scene | None:
        """The next picture, or None if it must be drawn whole; `new` gets the sprites that are not drawn yet."""
        attributes = {name: value for name, value in root.attributes.items() if name != "aria-label"}
        if attributes != self._root:
            self._root, self._nodes, self._sprites = attributes, [], {}
        changed: list[Box] = []
        first = not self._nodes
        self._nodes = _followed(self._nodes, _elements(root), Place(), changed)
        leaves = [leaf for node in self._nodes for leaf in node.leaves]
        zoom = _zoom(root)
        if first or zoom is None or any(leaf.box == EVERYWHERE for leaf in leaves):
            return None
        if self.width * self.height > _LARGE:
            return None
        self._scale = self.width * zoom[0], self.height * zoom[1]
        self._count += 1
        sprites = [leaf.sprite or self._found(leaf, new) for leaf in leaves]
        for sprite in sprites:
            sprite.used = self._count
        return _Scene(sprites, _merged(filter(None, map(self._pixels, changed))))

    def _found(self, leaf: _Node, new: dict[str, _Sprite]) -> _Sprite:
        """The sprite of an element, which may have been drawn for another picture."""
        text = leaf.text
        sprite = self._sprites.get(text)
        if sprite is None:
            # What lies beside the picture is a sprite without pixels.
            pixels = self._pixels(leaf.box) or Box(0, 0, 0, 0)
            sprite = new[text] = self._sprites[text] = _Sprite(text, pixels)
        leaf.sprite = sprite
        return sprite

    def _whole(self, root: Element) -> list[Piece]:
        image = raster.image_of(raster.png(root.written(), width=self.width, background=self._background))
        self.height = image.height
        return [Piece.of(0, 0, image)]

    def _pixels(self, place: Box) -> Box | None:
        """The whole pixels that a box touches, of those that there are."""
        across, down = self._scale
        left, top = max(place.left * across - 1, 0), max(place.top * down - 1, 0)
        right, bottom = min(place.right * across + 1, self.width), min(place.bottom * down + 1, self.height)
        if left >= right or top >= bottom:
            return None
        return Box(math.floor(left), math.floor(top), math.ceil(right), math.ceil(bottom))

    def _pasted(self, scenes: list[_Scene], new: dict[str, _Sprite]) -> Iterator[list[Piece]]:
        """The pictures so far, put together; then none of them is waiting."""
        if not scenes:
            return
        from PIL import Image

        if self._ground is None:
            empty = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
            self._ground = raster.image_of(raster.drawn(empty, 1, self._background)).getpixel((0, 0))
        for sheet in _sheets(sprite for sprite in new.values() if sprite.pixels.area()):
            self._draw(sheet)
        for scene in scenes:
            pieces = []
            for part in scene.changed:
                left, top, right, bottom = map(int, part)
                image = Image.new("RGB", (right - left, bottom - top), self._ground)
                for sprite in scene.sprites:
                    if sprite.pixels.meets(part) and sprite.pixels.area():
                        sprite.paste(image, left, top)
                pieces.append(Piece.of(left, top, image))
            yield pieces
        scenes.clear()
        new.clear()
        kept = sum(sprite.pixels.area() for sprite in self._sprites.values())
        for text, sprite in sorted(self._sprites.items(), key=lambda item: item[1].used):
            if kept <= _KEPT:
                break
            kept -= sprite.pixels.area()
            del self._sprites[text]

    def _draw(self, sprites: list[_Sprite]) -> None:
        """Draw these sprites, side by side on one sheet."""
        from PIL import Image

        width = max(1024, *(int(sprite.pixels.right - sprite.pixels.left) for sprite in sprites))
        x, y, row, drawn = 0, 0, 0, []
        places = []
        for sprite in sorted(sprites, key=lambda sprite: sprite.pixels.bottom - sprite.pixels.top):
            left, top, right, bottom = map(int, sprite.pixels)
            if x + right - left > width:
                x, y, row = 0, y + row, 0
            moved = f"translate({x - left} {y - top}) scale({self._scale[0]!r} {self._scale[1]!r})"
            drawn.append(f'<g transform="{moved}">{sprite.text}</g>')
            places.append((sprite, (x, y, x + right - left, y + bottom - top)))
            x, row = x + right - left, max(row, bottom - top)
        root = {
            **self._root,
            "viewBox": f"0 0 {width} {y + row}",
            "width": str(width),
            "height": str(y + row),
        }
        file = raster.drawn(f"<{Element('svg', root).start()}>{''.join(drawn)}</svg>", width, None)
        with Image.open(io.BytesIO(file)) as opened:
            sheet = opened.convert("RGBA")
        for sprite, place in places:
            sprite.keep(sheet.crop(place))


class _Sprite:
    """An element as pixels, with the rectangle of the picture where it is."""

    def __init__(self, text: str, pixels: Box) -> None:
        self.text = text
        self.pixels = pixels
        self.used = 0
        """The number of the latest picture that it is in."""

    def keep(self, image: Any) -> None:
        """Take its pixels, with transparency."""
        self._alpha = image.getchannel("A")
        self._colours = image.convert("RGB")

    def paste(self, image: Any, left: int, top: int) -> None:
        """Paint it on an image with that upper left corner."""
        at = int(self.pixels.left) - left, int(self.pixels.top) - top
        image.paste(self._colours, at, self._alpha)


class _Scene(NamedTuple):
    """A picture to be put together: its sprites, back to front, and the rectangles that changed."""

    sprites: list[_Sprite]
    changed: list[Box]


def _sheets(sprites: Iterable[_Sprite]) -> Iterator[list[_Sprite]]:
    """Sprites in portions that are not too large together."""
    sheet: list[_Sprite] = []
    area = 0.0
    for sprite in sprites:
        sheet.append(sprite)
        area += sprite.pixels.area()
        if area > _SHEET:
            yield sheet
            sheet, area = [], 0.0
    if sheet:
        yield sheet


class _Node:
    """An element with where it paints; of a group also what is in it."""

    def __init__(self, element: Element, place: Place, children: list[_Node] | None = None) -> None:
        self.element = element
        self.place = place
        self.children: list[_Node] = []
        self.leaves = [self]
        self.box: Box
        self.sprite: _Sprite | None = None
        if element.name == "g":
            if children is None:
                inner = place.within(element)
                children = [_Node(child, inner) for child in _elements(element)]
            self.children = children
            self.box = around(child.box for child in children)
            inside = [leaf for child in children for leaf in child.leaves]
            # One sprite, unless it would be large or mostly empty.
            if len(inside) > _FEW or self.box.area() > 2 * sum(leaf.box.area() for leaf in inside):
                self.leaves = inside
        else:
            self.box = box(element, place)

    @property
    def text(self) -> str:
        """The element in the groups around it."""
        around = [group for group in self.place.groups if group.attributes]
        opened = "".join(f"<{group.start()}>" for group in around)
        return f"{opened}{self.element.written()}{'</g>' * len(around)}"


def _followed(old: list[_Node], new: Iterable[Element], place: Place, changed: list[Box]) -> list[_Node]:
    """The nodes of these elements, those of the picture before where they are equal.

    `changed` gets the places of the others, and of what they take the place of.
    """
    nodes: list[_Node] = []
    at = 0
    for element in new:
        same = next((i for i in range(at, len(old)) if old[i].element == element), None)
        if same is not None:
            changed.extend(node.box for node in old[at:same])
            nodes.append(old[same])
            at = same + 1
        elif at < len(old) and _alike(old[at].element, element):
            inner = _followed(old[at].children, _elements(element), place.within(element), changed)
            nodes.append(_Node(element, place, inner))
            at += 1
        else:
            nodes.append(_Node(element, place))
            changed.append(nodes[-1].box)
    changed.extend(node.box for node in old[at:])
    return nodes


def _alike(old: Element, new: Element) -> bool:
    return old.name == new.name == "g" and old.attributes == new.attributes


def _elements(parent: Element) -> Iterator[Element]:
    """What paints in an element; text between elements does not."""
    return (child for child in parent.children if isinstance(child, Element) and child.name not in _SPOKEN)


def _zoom(root: Element) -> tuple[float, float] | None:
    """The pixels of a unit, across and down, where the whole picture is one pixel; None where that is not known."""
    given = root.attributes
    try:
        left, top, width, height = map(float, given["viewBox"].split())
        across, down = float(given["width"]), float(given["height"])
    except (KeyError, ValueError):
        return None
    # Of another shape, the picture would have empty stripes at its sides.
    if (
        root.name != "svg"
        or not given.keys() <= _ROOT
        or (left, top) != (0, 0)
        or min(across, down, width) < 1
    ):
        return None
    if abs(down * width / across - height) > 0.05:
        return None
    # resvg zooms from whole pixels to whole pixels.
    return across / width / round(across), across / width / round(down)


def _merged(boxes: Iterable[Box]) -> list[Box]:
    """Boxes that together have all of these, such that pasting two as one would take longer."""
    merged: list[Box] = []
    for one in boxes:
        while True:
            near = next((i for i, other in enumerate(merged) if _cheaper(one, other)), None)
            if near is None:
                break
            one = one.joined(merged.pop(near))
        merged.append(one)
    return merged


def _cheaper(one: Box, other: Box) -> bool:
    left, top, right, bottom = one
    far_left, far_top, far_right, far_bottom = other
    width = (right if right > far_right else far_right) - (left if left < far_left else far_left)
    height = (bottom if bottom > far_bottom else far_bottom) - (top if top < far_top else far_top)
    apart = (right - left) * (bottom - top) + (far_right - far_left) * (far_bottom - far_top)
    return width * height <= apart + _PASTING
