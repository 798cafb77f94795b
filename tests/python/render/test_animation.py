"""A whole game as one animated SVG, and as PNG and GIF: each frame is the drawing of its position."""

from __future__ import annotations

import io
import random
import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import count
from typing import Any

import numpy as np
import pytest
from PIL import Image

import sarai
from helpers.positions import any_step
from sarai.render import animation, draw, pixels, raster
from sarai.render.animation import animate

View = dict[str, Any]
NS = "{http://www.w3.org/2000/svg}"
every_game = pytest.mark.parametrize("name", sarai.games())


def random_game(name: str, seed: int) -> list[View]:
    draws = random.Random(seed)
    state = sarai.make(name).new_initial_state()
    views = [state.view()]
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(draws.choices(outcomes, weights)[0])
        else:
            state.apply_action(draws.choice(list(state.legal_actions())))
        views.append(state.view())
    return views


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


@every_game
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_each_frame_shows_exactly_its_position(name: str, theme: str) -> None:
    views = random_game(name, 5)[:60]
    animated = animate(views, theme=theme)
    for k in [0, 1, 2, 17, 31, 58, 59]:
        assert at_frame(animated, k, 60) == at_frame(draw(views[k], theme=theme), 0, 1), k


@every_game
def test_a_whole_game_is_one_safe_file_of_moderate_size(name: str) -> None:
    views = random_game(name, 11)
    animated = animate(views)
    assert len(animated) < 1_500_000
    root = ET.fromstring(animated)
    assert (root.findtext(f"{NS}title") or "").startswith(f"{len(views)} positions. ")
    allowed = {"svg", "title", "desc", "g", "circle", "rect", "path", "text", "animate"}
    assert {element.tag.removeprefix(NS) for element in root.iter()} <= allowed
    attributes = {attribute for element in root.iter() for attribute in element.attrib}
    assert not [a for a in attributes if a in ("id", "class", "style") or "href" in a or a.startswith("on")]
    assert "url(" not in animated
    assert animated.count("http") == 1
    last = len(views) - 1
    assert at_frame(animated, last, len(views)) == at_frame(draw(views[last]), 0, 1)


@every_game
def test_without_animation_the_first_frame_shows(name: str) -> None:
    views = random_game(name, 3)[:40]
    for frames in (views, views[::-1]):
        np.testing.assert_array_equal(pixels.rgb(animate(frames)), pixels.rgb(draw(frames[0])))


@every_game
def test_states_are_drawn_as_their_views_and_an_iterator_is_enough(name: str) -> None:
    state = sarai.make(name).new_initial_state()

    def played() -> Iterator[sarai.State]:
        # The same state all the way: each frame is drawn before the next move.
        mine, rng = state.clone(), random.Random(1)
        for _ in range(12):
            yield mine
            mine.apply_action(any_step(mine, rng))

    copies = [one.clone() for one in played()]
    assert animate(played()) == animate(copies) == animate([one.view() for one in copies])


def test_timing() -> None:
    views = random_game("shah", 1)[:8]
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
    views = random_game("sho", 1)[:30]
    shell = "M-15 0C-15 -5"
    assert animate(views).count(shell) == draw(views[0]).count(shell) == 64
    assert animate(views[:1]).count("<animate") == 0
    assert animate([views[0]] * 5).count("<animate") == 0


def test_options_reach_the_drawing() -> None:
    views = random_game("sho", 1)[:2]
    root = ET.fromstring(animate(views, size=300, coordinates=False))
    assert root.get("width") == "300"
    assert "37" not in [text.text for text in root.iter(f"{NS}text")]
    with pytest.raises(TypeError, match="colour"):
        animate(views, colour="red")


SHAH = random_game("shah", 1)[:4]
MORRIS = sarai.make("shah", preset="nine_mens_morris").new_initial_state()


@pytest.mark.parametrize(
    ("views", "error", "message"),
    [
        ([], ValueError, "needs at least one view, got none"),
        (SHAH[0], TypeError, "views must be a list of views or states, got dict"),
        ("<svg/>", TypeError, "views must be a list of views or states, got str"),
        (None, TypeError, "got NoneType"),
        ([SHAH[0], 3], TypeError, r"views\[1\] must be a view or a state, got int"),
        ([SHAH[0], draw(SHAH[1])], TypeError, r"views\[1\] must be a view or a state, got Svg"),
        ([SHAH[0], random_game("sho", 1)[0]], ValueError, r"views\[1\] is of another game"),
        ([SHAH[0], MORRIS], ValueError, r"views\[1\] is of another game, rule book"),
        ([{}], ValueError, "^view has no 'game'"),
        ([SHAH[0], {}], ValueError, r"^views\[1\]: view has no 'game'"),
    ],
)
def test_bad_views_are_refused(views: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        animate(views)


@pytest.mark.parametrize("seconds", [0, -1, 0.019, 61, float("nan"), float("inf"), True, "1", None])
def test_impossible_times_are_refused(seconds: Any) -> None:
    for make in (animate, pixels.gif):
        with pytest.raises(ValueError, match=r"seconds_per_frame must be a number from 0\.02 to 60, got"):
            make(SHAH, seconds_per_frame=seconds)


def test_other_options_out_of_range_are_refused() -> None:
    with pytest.raises(ValueError, match="repeat must be True or False, got 1"):
        animate(SHAH, repeat=1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="theme must be"):
        animate(SHAH, theme="sepia")


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


@every_game
@pytest.mark.parametrize("width", [300, 900])
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


@every_game
def test_gif_of_a_game(name: str) -> None:
    views = random_game(name, 2)[:14]
    image = opened(pixels.gif(views, seconds_per_frame=0.3, width=200, theme="dark"))
    assert (image.format, image.width) == ("GIF", 200)
    assert "loop" not in image.info
    shown, durations = [], []
    for k in range(image.n_frames):  # type: ignore[attr-defined]
        image.seek(k)
        durations.append(image.info["duration"])
        shown.append(np.array(image.convert("RGB")).astype(int))
    # Equal frames in a row may be one longer frame.
    assert sum(durations) == 14 * 300
    assert set(durations) <= {300 * n for n in range(1, 14)}
    for k, frame in ((0, shown[0]), (13, shown[-1])):
        expected = pixels.rgb(draw(views[k], theme="dark"), width=200).astype(int)
        assert frame.shape == expected.shape
        assert np.abs(frame - expected).mean() < 4
    # What does not move does not flicker: the upper margin.
    assert len({frame[:2].tobytes() for frame in shown}) == 1


def test_gif_of_svgs_that_repeats() -> None:
    frames = [draw(view) for view in SHAH]
    file = pixels.gif(frames, width=64, repeat=True)
    assert file == pixels.gif(SHAH, width=64, repeat=True)
    assert opened(file).info["loop"] == 0


@pytest.mark.parametrize(
    ("frames", "options", "error", "message"),
    [
        ([], {}, ValueError, "a GIF needs at least one frame, got none"),
        (SHAH[0], {}, TypeError, "frames must be a list .* got dict"),
        (draw(SHAH[0]), {}, TypeError, "frames must be a list .* got Svg"),
        (7, {}, TypeError, "frames must be a list .* got int"),
        ([7], {}, TypeError, r"views\[0\] must be a view or a state, got int"),
        ([draw(SHAH[0]), SHAH[1]], {}, TypeError, r"frames\[1\] must be an SVG document .* got dict"),
        ([draw(SHAH[0])], {"theme": "dark"}, TypeError, "drawn already and take no theme"),
        ([draw(v) for v in (SHAH[0], random_game("sho", 1)[0])], {}, ValueError, r"frames\[1\] has \("),
        (SHAH, {"width": 15}, ValueError, "width must be an integer of pixels from 16 to 8192, got 15"),
        (SHAH, {"repeat": None}, ValueError, "repeat must be True or False, got None"),
    ],
)
def test_bad_frames_are_refused(
    frames: Any, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        pixels.gif(frames, **options)


def test_too_many_pixels_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raster, "MOST_PIXELS", 100 * 200)
    with pytest.raises(ValueError, match="a GIF has at most 160000 pixels in all frames together"):
        pixels.gif(SHAH * 4, width=100)


@pytest.mark.parametrize(
    ("svg", "error", "message"),
    [
        (b"<svg/>", TypeError, "svg must be the text of an SVG document, got bytes"),
        ("", ValueError, "no element found"),
        ("<svg", ValueError, "unclosed token"),
        ("<svg>\ud800</svg>", ValueError, "no picture can be made of this SVG: 'utf-8' codec can't encode"),
        (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">'
            + 99999 * "<g>"
            + 99999 * "</g>"
            + "</svg>",
            ValueError,
            "its elements lie over 200 levels deep",
        ),
        ("no svg", ValueError, "no picture can be made of this SVG: syntax error"),
        (
            '<svg xmlns="http://www.w3.org/2000/svg"/>',
            ValueError,
            "it needs a width and a height, or a viewBox",
        ),
        ('<p viewBox="0 0 1 1"/>', ValueError, "no picture can be made of this SVG"),
        (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><g>',
            ValueError,
            "no picture can be made",
        ),
        *(
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" {sizes}/>',
                ValueError,
                "480 pixels wide and [0-9]+ high",
            )
            for sizes in (
                'viewBox="0 0 1 1000000000"',
                'width="1" height="999999in"',
                'width="1" viewBox="0 0 1 9999999"',
                'height="1e9" viewBox="0 0 1 1"',
                'width="1pt" height="9999999" viewBox="0 0 1 1"',
            )
        ),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_svg_that_is_none_or_too_large_is_refused(svg: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        pixels.png(svg)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"width": 0}, "width must be an integer of pixels from 16 to 8192, got 0"),
        ({"width": 8193}, "got 8193"),
        ({"width": 300.0}, "got 300.0"),
        ({"width": True}, "got True"),
        ({"background": "nothing"}, "no picture can be made"),
        ({"background": None}, "background must be a colour such as '#ffffff', got None"),
    ],
)
def test_bad_options_of_a_picture_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        pixels.png(draw(SHAH[0]), **options)


@pytest.mark.parametrize("missing", ["resvg_py", "PIL"])
def test_the_extra_is_named_where_it_is_missing(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ImportError, match=rf'need {missing}: pip install "sarai\[render\]"'):
        pixels.gif(SHAH)
    if missing == "PIL":
        assert pixels.png(draw(SHAH[0]), width=16).startswith(b"\x89PNG")


def test_the_last_move_of_a_record_is_shown_until_the_next_one() -> None:
    record = sarai.Record.play("sho", seed=3, players=2)
    record = sarai.Record.from_steps(record.get_game(), [step.id for step in record.steps[:30]])
    taken = [[(step.player, step.name) for step in record.steps[:n] if step.player >= 0] for n in range(31)]
    # Dice are thrown in between.
    assert any(taken[n] == taken[n + 1] != [] for n in range(30))
    last = [moves[-1] if moves else None for moves in taken]
    assert record.animate() == animate([state.view() for state in record.states()], last=last)
