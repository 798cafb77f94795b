"""sarai.render: what stands in the picture, that it is safe to show, and that broken views are refused."""

from __future__ import annotations

import copy
import re
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import sarai
from helpers.colours import contrast
from helpers.pictures import NS, check_pure_and_self_contained
from sarai._render import svg
from sarai._render.animation import animate
from sarai.render import draw, drawn_games

View = dict[str, Any]


def side(stacks: dict[str, int], off: int = 0, coins: int = 9, cleared: bool = False) -> dict[str, Any]:
    return {"hand": coins - off - sum(stacks.values()), "off": off, "stacks": stacks, "cleared": cleared}


def view(
    *sides: dict[str, Any],
    seats: list[int] | None = None,
    rules: dict[str, Any] | None = None,
    **state: Any,
) -> View:
    seats = seats or list(range(len(sides)))
    whole = {
        "phase": "roll",
        "player": 0,
        "sides": list(sides),
        "pool": [],
        "six_three_roll": False,
        "value": None,
        "moved": None,
        "turn": 0,
        "winner": None,
    }
    assert state.keys() <= whole.keys()
    return {
        "game": "sho",
        "rules": {"players": len(seats), "teams": len(set(seats)) < len(seats), **(rules or {})},
        "num_players": len(seats),
        "sides": seats,
        "state": {**whole, **state},
    }


START = view(side({}), side({}), side({}))
CROWDED = view(
    side({"10": 1, "23": 3, "41": 1, "58": 2}, off=1),
    side({"11": 1, "12": 1, "40": 4, "62": 1}),
    side({"9": 2, "24": 1, "25": 3}, off=2),
    side({"1": 9}),
    phase="value",
    player=1,
    pool=[2, 2, 2, 4, 5, 7, 11, 12],
    turn=57,
)
TEAMS = view(
    side({"19": 3, "47": 2}),
    side({"12": 1, "40": 6}, off=2),
    seats=[0, 1, 0, 1],
    rules={"pa_ra": "flexible"},
    phase="source",
    player=2,
    pool=[9],
    value=9,
    moved=19,
    turn=140,
)
SHORT = view(
    side({"1": 2, "3": 1}), side({"2": 5}, off=1), rules={"num_shells": 4, "finish_overflow": True},
    phase="overflow", player=1, value=3,
)  # fmt: skip
CLEARED = view(
    side({}, cleared=True), side({"19": 9}), rules={"num_shells": 20, "six_three": True},
    phase="source", pool=[9], value=9, six_three_roll=True,
)  # fmt: skip
GONE = view(
    side({"47": 2}, off=3),
    side({"12": 1, "40": 6}, off=2),
    seats=[0, 1, 0, 1],
    rules={"pa_ra": "flexible"},
    phase="source",
    player=2,
    pool=[9],
    value=9,
    moved=64,
)
WON = view(side({"33": 2}, off=3), side({}, off=9), phase="over", player=None, winner=1, turn=88)
DRAWN = view(side({"33": 2}, off=3), side({"7": 1}), phase="over", player=None, turn=5000)
LOTS = view(side({}), side({}), rules={"first_player": "random"}, phase="first", player=None)

# What is written beside the board, and a part of the description.
VIEWS = {
    "start": (START, ["player 0", "to roll", "turn 0", "37"], "A spiral of 64 shells. Player 0 is to roll"),
    "crowded": (CROWDED, ["player 1", "choose a value", "turn 57", *"222457", "11", "12"], ""),
    "teams": (
        TEAMS,
        ["player 2", "second stack", "move 9", "players 0, 2", "players 1, 3"],
        "A spiral of 64 shells. Player 2 is to choose what moves. Values in the pool: 9. To move: 9. "
        "Moved just now, so it rests: the stack on 19. "
        "Side A (players 0, 2): 4 in hand, 0 off, on the track: 3 on 19, 2 on 47. "
        "Side B (players 1, 3): 0 in hand, 2 off, on the track: 1 on 12, 6 on 40.",
    ),
    "gone": (GONE, [], "a stack that went off"),
    "short": (SHORT, ["player 1", "use the rest?", "move 3"], ""),
    "cleared": (
        CLEARED,
        ["choose a stack", "turn 0, 6-3"],
        "The roll is 6-3.",
    ),
    "won": (WON, ["B wins"], ""),
    "drawn": (DRAWN, ["draw", "turn 5000"], ""),
    "lots": (LOTS, ["who begins?"], ""),
}


def parsed(picture: str) -> ET.Element:
    return ET.fromstring(picture)


def words(picture: str) -> list[str]:
    return [element.text or "" for element in parsed(picture).iter(f"{NS}text")]


def piles(picture: str, label: str) -> ET.Element:
    """The group with that title, of which there must be exactly one."""
    found = [group for group in parsed(picture).iter(f"{NS}g") if group.findtext(f"{NS}title") == label]
    assert len(found) == 1, f"{len(found)} groups with the title {label!r}"
    return found[0]


@pytest.mark.parametrize(("shown", "written", "told"), VIEWS.values(), ids=VIEWS)
def test_a_picture_shows_every_stack_once_and_says_what_is_going_on(
    shown: View, written: list[str], told: str
) -> None:
    check_pure_and_self_contained(shown, "dark" if told else "light")
    picture = draw(shown)
    for index, owner in enumerate(shown["state"]["sides"]):
        colour = svg.THEMES["light"].sides[index]
        letter = "ABCD"[index]
        for place, count in owner["stacks"].items():
            moved = ", moved just now" if int(place) == shown["state"]["moved"] else ""
            pile = piles(
                picture, f"side {letter}: {count} {'coin' if count == 1 else 'coins'} on {place}{moved}"
            )
            assert len([c for c in pile.iter(f"{NS}circle") if c.get("fill") == colour]) == count
            assert pile.findtext(f"{NS}text") == str(count)
        for where in ("hand", "off"):
            assert piles(picture, f"side {letter}: {owner[where]} {where}").findtext(f"{NS}text") == str(
                owner[where]
            )
    drawn = len(re.findall(r"<title>side [A-D]: \d coins? on \d+", picture))
    assert drawn == sum(len(owner["stacks"]) for owner in shown["state"]["sides"])
    found = Counter(words(picture))
    # Each value of the pool as often as it is there, and perhaps as the number of a shell.
    assert [word for word, count in Counter(written).items() if found[word] < count] == []
    assert told in (parsed(picture).findtext(f"{NS}desc") or "")
    # The mark of the stack that moved just now.
    assert picture.count("5 3.2") == (shown is TEAMS)
    bare = draw(shown, coordinates=False)
    shells = shown["rules"].get("num_shells", 64)
    assert (Counter(words(picture)) - Counter(words(bare))).keys() == {str(n) for n in range(1, shells)}
    # With y pointing down, a growing angle is clockwise.
    turned = [float(angle) for angle in re.findall(r"rotate\((-?[\d.]+)\) scale", picture)]
    assert len(turned) == shells
    assert turned == sorted(turned)


@pytest.mark.parametrize(
    "num_shells",
    [n if n in (4, 20, 64) else pytest.param(n, marks=pytest.mark.nightly) for n in range(4, 65)],
)
def test_every_length_of_board_fits_and_keeps_its_positions_apart(num_shells: int) -> None:
    half = num_shells // 2
    sides = side({"1": 1, str(num_shells - 1): 1}), side({str(half): 9})
    picture = draw(view(*sides, rules={"num_shells": num_shells}))
    centres = []
    for label in (
        f"side A: 1 coin on {1}",
        f"side B: 9 coins on {half}",
        f"side A: 1 coin on {num_shells - 1}",
    ):
        for coin in piles(picture, label).iter(f"{NS}circle"):
            x, y, radius = (float(coin.get(name, "nan")) for name in ("cx", "cy", "r"))
            assert radius <= x <= 600 - radius
            assert radius <= y <= 600 - radius
        centres.append((x, y, radius))
    for i, (x, y, radius) in enumerate(centres):
        for other_x, other_y, other in centres[:i]:
            assert (x - other_x) ** 2 + (y - other_y) ** 2 > (0.5 * (radius + other)) ** 2


def test_size_sets_the_width_and_keeps_the_shape() -> None:
    root = parsed(draw(START, size=300))
    width, height = float(root.get("width", "")), float(root.get("height", ""))
    _, _, box_width, box_height = map(float, root.get("viewBox", "").split())
    assert width == 300
    assert height / width == pytest.approx(box_height / box_width, abs=1e-4)


@pytest.mark.parametrize("theme", ["light", "dark"])
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


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"values": {"d6": (True, True)}}, "values['d6'] must be a pair of 1, 0 or -1"),
        ({"values": {"d6": (1, np.True_)}}, "values['d6'] must be a pair of 1, 0 or -1"),
        ({"values": {"d6": (1.0, 3)}}, "values['d6'] must be a pair of 1, 0 or -1"),
        ({"last": (True, "d6")}, "last[0] must be a seat from 0 to 1, got True"),
        ({"last": (2, "d6")}, "last[0] must be a seat from 0 to 1, got 2"),
        ({"coordinates": "no"}, "coordinates must be True or False, got 'no'"),
        ({"coordinates": np.array([1, 2])}, "coordinates must be True or False, got array"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        draw(sarai.make("shah").new_initial_state(), **options)


def test_other_options_out_of_range_are_refused() -> None:
    for theme in ("sepia", "", 3):
        with pytest.raises(ValueError, match=f"theme must be .* got {theme!r}"):
            draw(START, theme=theme)
    for size in (0, -5, 15.9, 16384.5, 1e9, float("nan"), True, "300"):
        with pytest.raises(ValueError, match="size"):
            draw(START, size=size)
    with pytest.raises(TypeError, match="colour"):
        draw(START, colour="red")
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'aa.{,80}$"):
        draw(START, **{"a" * 5000: 1})
    for shown in (None, "sho", [], 3):
        with pytest.raises(ValueError, match="view must be a dict"):
            draw(shown)
    state = sarai.make("shah").new_initial_state()
    assert draw(state, legal=["d6"] * 1000).count("<title>legal: ") == 1000
    with pytest.raises(ValueError, match="legal has 1001 moves"):
        draw(state, legal=["d6"] * 1001)


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
