"""sarai.render: a picture is safe to show, and what it is told wrongly is refused.

What stands in pictures is in the files drawings.txt of the games, and in golden/.
"""

from __future__ import annotations

import copy
import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import sarai
from helpers.pictures import NS, check_pure_and_self_contained
from helpers.refusals import refused
from sarai._render import svg
from sarai._render.animation import animate
from sarai.render import draw, drawn_games, scene

View = dict[str, Any]


START = sarai.make("sho").new_initial_state().view()
CROWDED = (
    sarai.make("sho", players=4)
    .parse(
        "value player=1 turn=57 pool=2,2,2,4,5,7,11,12 value=- moved=- six_three_roll=false winner=- "
        "| hand=1 off=1 cleared=false 10:1 23:3 41:1 58:2 | hand=2 off=0 cleared=false 11:1 12:1 40:4 62:1 "
        "| hand=1 off=2 cleared=false 9:2 24:1 25:3 | hand=0 off=0 cleared=false 1:9"
    )
    .view()
)


def parsed(picture: str) -> ET.Element:
    return ET.fromstring(picture)


@pytest.mark.parametrize("game", sarai.games())
def test_a_picture_is_pure_and_self_contained(game: str) -> None:
    states = sarai.Record.play(game, "greedy", seed=4).states()
    for state, theme in ((states[0], "light"), (states[len(states) // 2], "dark"), (states[-1], "light")):
        check_pure_and_self_contained(state.view(), theme)


def test_size_sets_the_width_and_keeps_the_shape() -> None:
    root = parsed(draw(START, size=300))
    width, height = float(root.get("width", "")), float(root.get("height", ""))
    _, _, box_width, box_height = map(float, root.get("viewBox", "").split())
    assert width == 300
    assert height / width == pytest.approx(box_height / box_width, abs=1e-4)


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", ["light", "dark", "print"])
def test_writing_stands_out_from_what_is_behind_it(theme: str) -> None:
    look = svg.THEMES[theme]
    for front, back, least in [
        (look.ink, look.background, 7),
        (look.ink, look.panel, 7),
        (look.muted, look.background, 4.5),
        (look.muted, look.panel, 4.5),
        (look.on_plate, look.plate, 7),
        (look.on_plate, look.sides[3], 4.5),
    ]:
        assert contrast(front, back) >= least, (front, back)
    assert len(set(look.sides)) == 4
    assert look != svg.THEMES["dark" if theme == "light" else "light"]


def test_numbers_of_numpy_are_numbers() -> None:
    state = sarai.make("shah").new_initial_state()
    ours: dict[str, Any] = {"last": (1, "a7"), "values": {"d6": (1, 3), "d5": (0, None)}, "size": 480}
    theirs: dict[str, Any] = {
        "last": (np.int64(1), "a7"),
        "values": {"d6": (np.int8(1), np.int64(3)), "d5": (np.int64(0), None)},
        "size": np.float16(480),
        "coordinates": np.True_,
    }
    assert draw(state, **theirs) == draw(state, **ours)
    assert animate([state], last=[theirs["last"]], size=np.float16(480)) == animate([state], last=[(1, "a7")])
    assert draw({**START, "sides": np.array(START["sides"])}) == draw(START)


# Places of the board as seat 0 sees it, and where a later seat then sees its own.
TURNED = [
    ("shah", 1, {"a1": "g7", "d2": "d6", "b4": "f4"}),
    (
        "shuanglu",
        1,
        {"1": "24", "13": "12", "bar of player 0": "bar of player 1", "off, player 0": "off, player 1"},
    ),
    ("tshupu", 1, {"1": "22", "hand of red": "hand of yellow", "off of black": "off of red", "32": "32"}),
    ("tshupu", 2, {"1": "15", "5": "19", "hand of red": "hand of green"}),
    ("tshupu", 3, {"1": "8", "2": "9", "hand of yellow": "hand of red"}),
    ("sho", 2, {"hand of side A": "hand of side C", "off, side B": "off, side A", "17": "17"}),
]


@pytest.mark.parametrize(("game", "seat", "places"), TURNED)
def test_each_seat_sees_its_own_side(game: str, seat: int, places: dict[str, str]) -> None:
    state = sarai.make(game).new_initial_state()
    usual, turned = (
        {point["name"]: (point["x"], point["y"]) for point in scene(state, orientation=seen)["points"]}
        for seen in (0, seat)
    )
    assert {place: usual[place] for place in places} == {place: turned[own] for place, own in places.items()}
    # Notes follow, and the words stay as they are.
    mark = next(iter(places))
    x, y = usual[mark]
    marked = draw(state, orientation=seat, highlight=[places[mark]])
    assert f'cx="{svg.number(x)}" cy="{svg.number(y)}"' in marked.split("highlighted: ")[1]
    assert sorted(re.findall("<text [^>]*>([^<]*)", marked)) == sorted(
        re.findall("<text [^>]*>([^<]*)", draw(state))
    )
    assert "rotate" not in "".join(re.findall("<text [^>]*>", marked))


def test_wrong_options_are_refused() -> None:
    state = sarai.make("shah").new_initial_state()
    refused(
        partial(draw, state),
        {
            "theme": ["sepia", "", 3, "x" * 10_000],
            "size": [0, -5, 15.9, 16384.5, 1e9, float("nan"), True, "300", 10**10_000],
            "values": [{"d6": (True, True)}, {"d6": (1, np.True_)}, {"d6": (1.0, 3)}],
            "last": [(True, "d6"), (2, "d6"), (10**10_000, "d6")],
            "coordinates": ["no", 1, np.array([1, 2])],
            "orientation": [2, -1, True, "1", 0.0, None],
            "legal": [["d6"] * 1001],
        },
        {"colour": ["red"]},
    )
    refused(draw, {"view": [None, "sho", [], 3]})
    assert draw(state, legal=["d6"] * 1000).count("<title>legal: ") == 1000


def test_game_without_a_drawing_is_named() -> None:
    for game in ("chess", "svg", "", "../sho", "sho.draw", None, 3, ["sho"]):
        with pytest.raises(ValueError, match="no drawing for the game") as caught:
            draw({**START, "game": game})
        assert repr(game) in str(caught.value)
        assert ", ".join(drawn_games()) in str(caught.value)


# What is wrong with a state, the engine's own tests know; here are views, and what Python has and JSON has not.
BROKEN: list[tuple[Callable[[View], object], str]] = [
    (lambda v: v.pop("game"), "view has no 'game'"),
    (lambda v: v.pop("state"), "view has no 'state'"),
    (lambda v: v.update(state="x"), "the state is not a dict"),
    (lambda v: v["rules"].update(num_shells=65), "num_shells"),
    (lambda v: v.update(num_players=5), "view['num_players'] must be 4, got 5"),
    (lambda v: v.update(num_players=True), "view['num_players'] must be 4, got True"),
    (lambda v: v.update(sides=[0, 1]), "view['sides'] must be [0, 1, 2, 3], got [0, 1]"),
    (lambda v: v.update(sides=np.array([0, 1])), "view['sides'] must be [0, 1, 2, 3], got array"),
    (lambda v: v["state"].update(sides={}), "sides: invalid type: map"),
    (lambda v: v["state"]["sides"].__setitem__(2, None), "sides[2]: invalid type: null"),
    (lambda v: v["state"]["sides"][0]["stacks"].update({5: 1}), "side 0 has 10 coins"),
    (lambda v: v["state"].update(value=2.5), "value: invalid type: floating point `2.5`"),
    (lambda v: v["state"].update(player=None), "player is null in phase value"),
]


@pytest.mark.parametrize(("change", "message"), BROKEN, ids=[message for _, message in BROKEN])
def test_broken_view_is_refused_with_its_place(change: Callable[[View], object], message: str) -> None:
    shown = copy.deepcopy(CROWDED)
    change(shown)
    with pytest.raises(ValueError, match=re.escape(message)):
        draw(shown)


def test_every_character_can_stand_in_a_picture() -> None:
    # Half a pair, control characters and what is no character among them; of the rest, some.
    parts = (
        range(0x400),
        range(0xD7F0, 0xE010),
        range(0xFFF0, 0x10010),
        range(0x400, sys.maxunicode + 1, 991),
    )
    everything = "".join(map(chr, (number for part in parts for number in part)))
    drawn = svg.group(svg.text(everything, 0, 0, 10), label=everything, aria_label=everything)
    root = parsed(drawn.written().encode().decode())
    for shown in (root.findtext("title"), root.findtext("text")):
        assert shown is not None
        # An XML parser reads both ends of a line as one.
        kept = {letter for letter in everything if letter.isprintable()} | set("\t\n")
        assert kept <= set(shown)


def test_text_is_escaped_wherever_it_goes() -> None:
    nasty = "<script>alert('x')</script> & \"q\" \x00\x08\ud800"
    picture = svg.document(
        svg.text(nasty, 0, 0, 10),
        svg.group(label=nasty),
        svg.rect(0, 0, 1, 1, fill=nasty),
        width=10,
        height=10,
        shown_width=100,
        theme=svg.THEMES["light"],
        title=nasty,
        description=nasty,
    ).written()
    root = parsed(picture)
    expected = "<script>alert('x')</script> & \"q\" \ufffd\ufffd\ufffd"
    assert "<script" not in picture
    assert [e.text for e in root.iter() if e.text] == [expected] * 4
    assert [e.get("fill") for e in root.iter(f"{NS}rect")][-1] == expected
    assert root.get("aria-label") == expected


def test_numbers_are_short_and_never_exponential() -> None:
    values = {0: "0", -0.004: "0", 1.005: "1", 2.5: "2.5", 100.0: "100", -1 / 3: "-0.33", 1e6: "1000000"}
    for value, written in values.items():
        assert svg.number(value) == written
    for wrong in (float("nan"), float("inf"), float("-inf")):
        with pytest.raises(ValueError, match="finite numbers"):
            svg.number(wrong)
