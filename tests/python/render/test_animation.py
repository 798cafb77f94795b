"""A whole game as one animated SVG, and as PNG and GIF: each frame is the drawing of its position."""

from __future__ import annotations

import io
import random
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import count
from typing import Any

import numpy as np
import pytest
from PIL import Image

import sarai
from helpers.pictures import ALLOWED, NS
from helpers.positions import any_step
from helpers.refusals import refused
from sarai._render import animation, pixels, raster
from sarai._render.animation import animate
from sarai._render.elements import parsed
from sarai._render.film import Film
from sarai.render import draw, picture

View = dict[str, Any]
every_game = pytest.mark.parametrize("name", sarai.games())


def random_game(name: str, seed: int, most: int = 100_000) -> list[View]:
    """The views of a game, or of its beginning."""
    return [state.view() for state in sarai.Record.play(name, seed=seed).states()[:most]]


def at_frame(animated: str, k: int, frames: int) -> list[str]:
    """What an animated SVG shows in the middle of frame k: the drawn elements, in the order of painting."""
    shown: list[str] = []

    def walk(element: ET.Element) -> None:
        change = element.find(f"{NS}animate")
        if change is not None:
            assert change.get("attributeName") == "display"
            keys = [float(key) for key in change.get("keyTimes", "").split(";")]
            values = change.get("values", "").split(";")
            assert len(keys) == len(values)
            assert keys[0] == 0
            assert keys == sorted(set(keys))
            now = max(i for i, key in enumerate(keys) if key <= (k + 0.5) / frames)
            # Without animation the first value holds.
            assert element.get("display", "inline") == values[0]
            if values[now] == "none":
                return
        for child in element:
            if child.tag in (f"{NS}g", f"{NS}svg"):
                walk(child)
            elif child.tag not in (f"{NS}animate", f"{NS}title", f"{NS}desc"):
                shown.append(ET.tostring(child, encoding="unicode").strip())

    walk(ET.fromstring(animated))
    return shown


@pytest.mark.parametrize(
    ("name", "theme"), [("sho", "light"), ("shah", "dark"), ("tshupu", "light"), ("shuanglu", "dark")]
)
def test_each_frame_shows_exactly_its_position_and_the_file_is_safe(name: str, theme: str) -> None:
    views = random_game(name, 5, 16)
    animated = animate(views, theme=theme)
    for k in [0, 1, 2, 7, 14, 15]:
        assert at_frame(animated, k, 16) == at_frame(draw(views[k], theme=theme), 0, 1), k
    root = ET.fromstring(animated)
    assert (root.findtext(f"{NS}title") or "").startswith("16 positions. ")
    assert {element.tag.removeprefix(NS) for element in root.iter()} <= {*ALLOWED, "animate"}
    attributes = {attribute for element in root.iter() for attribute in element.attrib}
    assert not [a for a in attributes if a in ("id", "class", "style") or "href" in a or a.startswith("on")]
    assert "url(" not in animated
    assert animated.count("http") == 1


@pytest.mark.nightly
@every_game
def test_a_whole_game_is_of_moderate_size(name: str) -> None:
    views = random_game(name, 11)
    animated = animate(views)
    assert len(animated) < 1_500_000
    last = len(views) - 1
    assert at_frame(animated, last, len(views)) == at_frame(draw(views[last]), 0, 1)


@pytest.mark.parametrize("name", ["sho", "shah"])
def test_without_animation_the_first_frame_shows(name: str) -> None:
    views = random_game(name, 3, 6)
    for frames in (views, views[::-1]):
        drawn = (pixels.rgb(svg, width=160) for svg in (animate(frames), draw(frames[0])))
        np.testing.assert_array_equal(*drawn)


@pytest.mark.parametrize("name", ["sho", "shah"])
def test_states_are_drawn_as_their_views_and_an_iterator_is_enough(name: str) -> None:
    state = sarai.make(name).new_initial_state()

    def played() -> Iterator[sarai.State]:
        # The same state all the way: each frame is drawn before the next move.
        mine, rng = state.clone(), random.Random(1)
        for _ in range(5):
            yield mine
            mine.apply_action(any_step(mine, rng))

    copies = [one.clone() for one in played()]
    assert animate(played()) == animate(copies) == animate([one.view() for one in copies])


def test_timing() -> None:
    views = random_game("shah", 1, 8)
    root = ET.fromstring(animate(views, seconds_per_frame=0.25))
    changes = list(root.iter(f"{NS}animate"))
    assert {change.get("dur") for change in changes} == {"2s"}
    assert {change.get("calcMode") for change in changes} == {"discrete"}
    # The last frame stays.
    assert {(change.get("fill"), change.get("repeatCount")) for change in changes} == {("freeze", None)}
    # Every frame differs from the one before it.
    keys = {float(key) for change in changes for key in change.get("keyTimes", "").split(";")}
    assert keys == {k / 8 for k in range(8)}
    again = ET.fromstring(animate(views, repeat=True)).iter(f"{NS}animate")
    assert {(change.get("fill"), change.get("repeatCount")) for change in again} == {(None, "indefinite")}


def test_what_never_changes_is_written_once() -> None:
    views = random_game("sho", 1, 8)
    shell = "M-15 0C-15 -5"
    assert animate(views).count(shell) == draw(views[0]).count(shell) == 64
    assert animate(views[:1]).count("<animate") == 0
    assert animate([views[0]] * 5).count("<animate") == 0


def test_options_reach_the_drawing() -> None:
    views = random_game("sho", 1, 2)
    root = ET.fromstring(animate(views, size=300, coordinates=False))
    assert root.get("width") == "300"
    assert "37" not in [text.text for text in root.iter(f"{NS}text")]


SHAH = random_game("shah", 1, 4)
SHO = random_game("sho", 1, 1)
SECONDS = [0, -1, 0.019, 61, float("nan"), float("inf"), True, "1", None, 10**10_000]
MORRIS = sarai.make("shah", preset="nine_mens_morris").new_initial_state()


def test_what_cannot_be_animated_is_refused() -> None:
    def call(views: Any = SHAH, **options: Any) -> None:
        animate(views, **options)

    refused(
        call,
        {
            "views": [[], [SHAH[0], SHO[0]], [SHAH[0], MORRIS], [{}], [SHAH[0], {}]],
            "seconds_per_frame": SECONDS,
            "repeat": [1, "x" * 10_000],
            "theme": ["sepia"],
            "last": [[None], [None] * 5],
        },
        {"views": [SHAH[0], "<svg/>", None, [SHAH[0], 3], [SHAH[0], draw(SHAH[1])]], "colour": ["red"]},
    )


def test_an_endless_series_is_refused_at_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(animation, "MOST_FRAMES", 6)
    monkeypatch.setattr(pixels, "MOST_FRAMES", 6)
    drawn = draw(SHAH[0])
    with pytest.raises(ValueError, match="at most 6 views, got more"):
        animate(SHAH[0] for _ in count())
    with pytest.raises(ValueError, match="at most 6 views, got more"):
        pixels.gif((SHAH[0] for _ in count()), width=16)
    with pytest.raises(ValueError, match="at most 6 frames, got more"):
        pixels.gif((drawn for _ in count()), width=16)
    assert animate(SHAH[:1] * 6)


# --- Pixels -------------------------------------------------------------------------------------------------


def opened(file: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(file))
    image.load()
    return image


@pytest.mark.parametrize(("name", "width"), [("sho", 300), ("shah", 500)])
def test_png_of_a_board(name: str, width: int) -> None:
    drawn = draw(sarai.make(name).new_initial_state().view(), theme="dark")
    image = opened(pixels.png(drawn, width=width))
    assert (image.format, image.width) == ("PNG", width)
    array = pixels.rgb(drawn, width=np.int64(width))  # type: ignore[arg-type]
    np.testing.assert_array_equal(array, np.array(image.convert("RGB")))
    # The corner is outside the rounded ground.
    assert array[0, 0].tolist() == [255, 255, 255]
    assert pixels.rgb(drawn, width=width, background="#102030")[0, 0].tolist() == [16, 32, 48]


def test_sizes_in_points_keep_their_shape() -> None:
    square = '<svg xmlns="http://www.w3.org/2000/svg" width="72pt" height="72pt" viewBox="0 0 72 72"><rect width="36pt" height="72"/></svg>'  # noqa: E501
    array = pixels.rgb(square, width=96)
    assert array.shape == (96, 96, 3)
    # 36pt are 48 units, at 96 pixels for 72 units 64 pixels.
    assert array[48, 60].tolist() == [0, 0, 0]
    assert array[48, 70].tolist() == [255, 255, 255]


@pytest.mark.parametrize(
    ("name", "frames"),
    [("sho", 5), *(pytest.param(name, 14, marks=pytest.mark.nightly) for name in sarai.games())],
)
def test_gif_of_a_game(name: str, frames: int) -> None:
    views = random_game(name, 2, frames)
    image = opened(pixels.gif(views, seconds_per_frame=0.3, width=200, theme="dark"))
    assert (image.format, image.width) == ("GIF", 200)
    assert "loop" not in image.info
    shown, durations = [], []
    for k in range(image.n_frames):  # type: ignore[attr-defined]
        image.seek(k)
        durations.append(image.info["duration"])
        shown.append(np.array(image.convert("RGB")).astype(int))
    # Equal frames in a row may be one longer frame.
    assert sum(durations) == frames * 300
    assert set(durations) <= {300 * n for n in range(1, frames)}
    for k, frame in ((0, shown[0]), (frames - 1, shown[-1])):
        expected = pixels.rgb(draw(views[k], theme="dark"), width=200).astype(int)
        assert frame.shape == expected.shape
        assert np.abs(frame - expected).mean() < 4
    # What does not move does not flicker: the upper margin.
    assert len({frame[:2].tobytes() for frame in shown}) == 1


@pytest.mark.parametrize("name", sarai.games())
def test_frames_put_together_from_sprites_are_the_drawings(name: str) -> None:
    views = random_game(name, 2, 12)
    seen = Film(400, "#ffffff")
    image = np.zeros(pixels.rgb(draw(views[0]), width=400).shape, np.uint8)
    roots = (picture(view).root() for view in views)
    for k, (view, pieces) in enumerate(zip(views, seen.pieces(roots), strict=True)):
        for piece in pieces:
            part = np.s_[piece.top : piece.top + piece.height, piece.left : piece.left + piece.width]
            image[part] = piece.pixels()
        # Once at the beginning; later only a part, or an element is taken to paint anywhere.
        assert (sum(piece.width * piece.height for piece in pieces) < image[..., 0].size) == (k > 0)
        expected = pixels.rgb(draw(view), width=400)
        apart = np.abs(image.astype(int) - expected).max(axis=2)
        # Colours that are mixed in two steps are rounded twice, and a line thinner than a pixel may fall differently.
        assert apart.max() <= 32, k
        assert (apart > 2).mean() < 0.0005, k


def test_what_may_paint_anywhere_is_drawn_whole() -> None:
    def document(inner: str) -> str:
        head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20" width="40" height="20">'
        return f"{head}{inner}</svg>"

    inners = (
        '<defs><circle id="c" r="5"/></defs><use href="#c" x="10" y="10"/>',
        '<g opacity="0.5"><circle cx="9" cy="9" r="6"/><circle cx="12" cy="9" r="6"/></g>',
        '<path d="m5 5 10 10" stroke="#00f" stroke-width="3"/>',
        '<rect x="5" y="5" width="9" height="9" transform="skewX(20)"/>',
        '<rect x="5" y="5" width="9" height="9"/>',
    )
    roots = [parsed(document(inner)) for inner in inners]
    for inner, pieces in zip(inners, Film(40, "#ffffff").pieces(roots), strict=True):
        (whole,) = pieces
        np.testing.assert_allclose(whole.pixels(), pixels.rgb(document(inner), width=40), atol=2)


def test_gif_of_svgs_that_repeats() -> None:
    frames = [draw(view) for view in SHAH]
    file = pixels.gif(frames, width=64, repeat=True)
    assert file == pixels.gif(SHAH, width=64, repeat=True)
    assert opened(file).info["loop"] == 0


def test_what_no_gif_is_made_of_is_refused() -> None:
    def call(frames: Any = SHAH, **options: Any) -> None:
        pixels.gif(frames, **options)

    drawn = [draw(views[0]) for views in (SHAH, SHO)]
    refused(
        call,
        {"frames": [[], drawn], "seconds_per_frame": SECONDS, "width": [15], "repeat": [None]},
        {"frames": [SHAH[0], drawn[0], 7, [drawn[0], SHAH[1]]]},
    )
    with pytest.raises(TypeError, match="theme"):
        call(drawn[:1], theme="dark")


def test_too_many_pixels_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raster, "MOST_PIXELS", 100 * 200)
    with pytest.raises(ValueError, match="a GIF has at most 160000 pixels in all frames together"):
        pixels.gif(SHAH * 4, width=100)


def test_svg_that_is_none_or_too_large_is_refused() -> None:
    root = '<svg xmlns="http://www.w3.org/2000/svg" '
    with pytest.raises(TypeError, match="svg must be the text"):
        pixels.png(b"<svg/>")  # type: ignore[arg-type]
    for text, message in (
        ("", "no element found"),
        ("<svg", "unclosed token"),
        ("<svg>\ud800</svg>", "'utf-8' codec"),
        (f'{root}viewBox="0 0 1 1">{99999 * "<g>"}{99999 * "</g>"}</svg>', "over 200 levels deep"),
        ("no svg", "syntax error"),
        (f"{root}/>", "a width and a height, or a viewBox"),
        ('<p viewBox="0 0 1 1"/>', "no picture can be made of this SVG"),
        (f'{root}viewBox="0 0 1 1"><g>', "no picture can be made"),
        *(
            (f"{root}{sizes}/>", "480 pixels wide and [0-9]+ high")
            for sizes in (
                'viewBox="0 0 1 1000000000"',
                'width="1" height="999999in"',
                'width="1" viewBox="0 0 1 9999999"',
                'height="1e9" viewBox="0 0 1 1"',
                'width="1pt" height="9999999" viewBox="0 0 1 1"',
            )
        ),
    ):
        with pytest.raises(ValueError, match=message):
            pixels.png(text)
    for options in (
        *({"width": width} for width in (0, 8193, 300.0, True)),
        {"background": "nothing"},
        {"background": None},
    ):
        with pytest.raises(ValueError, match=f"{next(iter(options))}|no picture can be made"):
            pixels.png(draw(SHAH[0]), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("missing", ["resvg_py", "PIL"])
def test_the_extra_is_named_where_it_is_missing(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ImportError, match=rf'needs {missing}: pip install "sarai\[render\]"'):
        pixels.gif(SHAH)
    with pytest.raises(ImportError, match=rf'needs {missing}: pip install "sarai\[render\]"'):
        pixels.rgb(draw(SHAH[0]), width=16)
    if missing == "PIL":
        assert pixels.png(draw(SHAH[0]), width=16).startswith(b"\x89PNG")


def test_the_last_move_of_a_record_is_shown_until_the_next_one() -> None:
    record = sarai.Record.play("sho(players=2)", seed=3)
    record = sarai.Record.from_steps(record.game, [step.id for step in record.steps[:12]])
    taken = [[(step.player, step.name) for step in record.steps[:n] if step.player >= 0] for n in range(13)]
    # Dice are thrown in between.
    assert any(taken[n] == taken[n + 1] != [] for n in range(12))
    last = [moves[-1] if moves else None for moves in taken]
    assert record.animate() == animate([state.view() for state in record.states()], last=last)
