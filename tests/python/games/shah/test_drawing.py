"""The drawing of Shah: stones, mills, what is asked, the privilege and the counts; broken views are refused."""

from __future__ import annotations

import copy
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any

import pytest

from helpers.colours import contrast
from helpers.pictures import NS, check_pure_and_self_contained
from sarai.render import draw

View = dict[str, Any]


NAMES = [
    "a7", "d7", "g7", "b6", "d6", "f6", "c5", "d5", "e5", "a4", "b4", "c4",
    "e4", "f4", "g4", "c3", "d3", "e3", "b2", "d2", "f2", "a1", "d1", "g1",
]  # fmt: skip


def board(first: set[int], second: set[int]) -> str:
    assert not first & second
    return "".join("0" if i in first else "1" if i in second else "." for i in range(24))


def view(points: str, rules: dict[str, Any] | None = None, **state: Any) -> View:
    whole = {
        "phase": "slide",
        "player": 0,
        "board": points,
        "hand": [0, 0],
        "beginner": 0,
        "opening_removals": 0,
        "extra": False,
        "lifted": None,
        "no_capture": 0,
        "turn": 26,
        "winner": None,
    }
    assert state.keys() <= whole.keys()
    return {
        "game": "shah",
        "rules": {"pieces": 12, "no_capture_limit": 200, "flying": False, **(rules or {})},
        "num_players": 2,
        "sides": [0, 1],
        "state": {**whole, **state},
    }


EMPTY = 24 * "."
NINE = {"pieces": 9, "no_capture_limit": 0, "flying": True, "opening_removals": "none"}
RANDOM = {"first_player": "random"}
FULL = {1, 2, 4, 5, 6, 8, 9, 10, 12, 16, 18, 21}
# One row of three, and none in the others.
MILL = {0, 1, 2, 3, 4, 6, 8, 9, 12, 15, 20, 22}

VIEWS = {
    "lots": view(
        EMPTY, RANDOM, phase="first", player=None, hand=[12, 12], beginner=None, opening_removals=2, turn=0
    ),
    "start": view(EMPTY, phase="place", hand=[12, 12], beginner=None, opening_removals=2, turn=0),
    "placing": view(
        board({0, 1, 2, 4, 20}, {3, 5, 7, 13}), phase="place", player=1, hand=[7, 8], opening_removals=2,
        turn=9,
    ),
    "capture": view(
        board({0, 1, 2, 9, 21}, {4, 12, 13}), {**NINE, "placement_captures": True}, phase="remove",
        hand=[4, 5], turn=8,
    ),
    "full": view(
        board(FULL, set(range(24)) - FULL), phase="remove", player=1, beginner=1, opening_removals=2, turn=24
    ),
    "middle": view(
        board({1, 3, 9, 11, 14, 18, 22}, {0, 2, 8, 12, 17}), player=1, beginner=1, no_capture=17, turn=61
    ),
    "mill": view(board({0, 1, 2, 14}, {3, 4, 5, 20, 23}), phase="remove", no_capture=3, turn=70),
    "extra": view(board({1, 9, 14, 22}, {0, 2, 21}), extra=True, no_capture=1, turn=80),
    "lift": view(board({1, 9, 14}, {0, 2, 21, 23}), NINE, beginner=0, no_capture=5, turn=80),
    "land": view(board({1, 9}, {0, 2, 21, 23}), NINE, phase="land", lifted=14, beginner=0, turn=80),
    # The second of the opening removals, of the player who has a row of three.
    "opening": view(
        board(set(range(24)) - MILL, MILL - {3}), phase="remove", player=1, opening_removals=1, turn=25
    ),
    "won": view(board({0, 1, 2, 14}, {3, 20}), phase="over", player=None, winner=0, turn=99),
    "drawn": view(board({0, 1, 14}, {3, 4, 20}), phase="over", player=None, no_capture=200, turn=300),
}  # fmt: skip
each_view = pytest.mark.parametrize("shown", VIEWS.values(), ids=VIEWS)


def groups(picture: str, start: str) -> list[ET.Element]:
    """The groups whose title starts so."""
    found = ET.fromstring(picture).iter(f"{NS}g")
    return [group for group in found if (group.findtext(f"{NS}title") or "").startswith(start)]


def words(picture: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(picture).iter(f"{NS}text")]


@each_view
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_picture_is_pure_and_self_contained(shown: View, theme: str) -> None:
    check_pure_and_self_contained(shown, theme)


@each_view
def test_every_stone_is_drawn_once_where_it_stands(shown: View) -> None:
    picture = draw(shown)
    for point, held in enumerate(shown["state"]["board"]):
        for player in "01":
            found = groups(picture, f"player {player}: a stone on {NAMES[point]}")
            assert len(found) == (held == player)
            if found:
                # Files from the left, ranks from below, whatever shape the stone has.
                x, y = middle(found[0])
                assert x == 84 + 72 * "abcdefg".index(NAMES[point][0])
                assert y == 84 + 72 * (7 - int(NAMES[point][1]))


def middle(stone: ET.Element) -> tuple[float, float]:
    shape = stone[1]
    if shape.tag == f"{NS}circle":
        return float(shape.get("cx", "")), float(shape.get("cy", ""))
    x, y, width = (float(shape.get(name, "")) for name in ("x", "y", "width"))
    return round(x + width / 2, 1), round(y + width / 2, 1)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_two_kinds_of_stones_differ_in_shape_and_colour(theme: str) -> None:
    picture = draw(VIEWS["full"], theme=theme)
    shapes = [
        {(shape.tag, shape.get("fill")) for stone in groups(picture, f"player {player}: a stone on ")
         for shape in stone[1:2]}
        for player in "01"
    ]  # fmt: skip
    assert [len(kind) for kind in shapes] == [1, 1]
    (first,), (second,) = shapes
    assert first[0] == f"{NS}circle"
    assert second[0] == f"{NS}rect"
    assert first[1] != second[1]


@each_view
def test_stones_in_hand_are_drawn_one_by_one(shown: View) -> None:
    picture = draw(shown)
    for player, count in enumerate(shown["state"]["hand"]):
        assert len(groups(picture, f"player {player}: a stone in hand")) == count


def test_lost_stones_are_crossed_out_and_told() -> None:
    middle_game = draw(VIEWS["middle"])
    # 12 stones each, 7 and 5 of them on the board.
    assert len(groups(middle_game, "player 0: 0 in hand, 5 lost")) == 1
    assert len(groups(middle_game, "player 1: 0 in hand, 7 lost")) == 1
    assert middle_game.count("M-5 -5 5 5M5 -5 -5 5") == 12
    assert "M-5 -5 5 5M5 -5 -5 5" not in draw(VIEWS["start"])


@pytest.mark.parametrize(
    ("name", "mills"),
    [
        ("start", []),
        ("placing", ["player 0: three in a row on a7-d7-g7"]),
        # Two of them, and nothing says which is the new one.
        (
            "capture",
            ["player 0: three in a row on a7-d7-g7", "player 0: three in a row on a7-a4-a1"],
        ),
        ("full", []),
        (
            "mill",
            ["player 0: three in a row on a7-d7-g7, just made", "player 1: three in a row on b6-d6-f6"],
        ),
    ],
)
def test_rows_of_three_are_marked(name: str, mills: list[str]) -> None:
    found = re.findall(r"<title>(player \d: three in a row on [^<]*)</title>", draw(VIEWS[name]))
    assert found == mills


def test_the_row_that_a_stone_is_removed_for_is_broader_than_the_others() -> None:
    picture = draw(VIEWS["mill"])
    new, old = (groups(picture, f"player {player}: three in a row on ")[0] for player in (0, 1))
    assert float(new[1].get("stroke-width", "")) > 2 * float(old[1].get("stroke-width", ""))
    # An opening removal is for no row, and a slide is no removal.
    for shown in (VIEWS["opening"], {**VIEWS["mill"], "state": {**VIEWS["mill"]["state"], "phase": "slide"}}):
        assert "just made" not in draw(shown)
        assert "three in a row on a7-d7-g7" in draw(shown)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("lots", ["who begins?", "turn 0", "12 in hand, 0 lost"]),
        (
            "start",
            ["player 0: to place one of 12 stones", "after placing, each player removes one enemy stone"],
        ),
        ("placing", ["player 1: to place one of 8 stones", "moves first", "7 in hand, 0 lost", "turn 9"]),
        ("capture", ["player 0: to remove an enemy stone", "for a row of three just made"]),
        ("full", ["player 1: to remove an enemy stone", "opening removals: the first of two", "turn 24"]),
        ("opening", ["player 1: to remove an enemy stone", "opening removals: the second of two"]),
        ("middle", ["player 1: to slide a stone", "moves without capture: 17 of 200"]),
        ("extra", ["player 0: to slide a stone, extra move"]),
        ("lift", ["player 0: to lift a stone", "moves without capture: 5"]),
        ("land", ["player 0: to land the lifted stone"]),
        ("won", ["player 0 wins"]),
        ("drawn", ["draw", "moves without capture: 200 of 200", "turn 300"]),
    ],
)
def test_panels_say_what_is_going_on(name: str, expected: list[str]) -> None:
    written = words(draw(VIEWS[name]))
    assert [word for word in expected if word not in written] == []


@each_view
def test_counts_of_both_players_are_always_written(shown: View) -> None:
    state = shown["state"]
    lifted = state["player"] if state["phase"] == "land" else None
    for player, hand in enumerate(state["hand"]):
        held = hand + state["board"].count(str(player)) + (player == lifted)
        assert f"{hand} in hand, {shown['rules']['pieces'] - held} lost" in words(draw(shown))


def test_last_stone_in_hand_is_named() -> None:
    points = board(FULL, set(range(23)) - FULL)
    last = view(points, phase="place", player=1, hand=[0, 1], beginner=None, opening_removals=2, turn=23)
    assert "player 1: to place the last stone" in words(draw(last))


def test_privilege_is_shown_at_its_player_until_it_is_used() -> None:
    for beginner in (0, 1):
        rules = {"first_player": 1 - beginner}
        state = {**VIEWS["full"]["state"], "player": beginner, "beginner": beginner}
        picture = draw(view(state.pop("board"), rules, **state))
        found = groups(picture, f"player {beginner} has the right to begin the moving phase")
        assert len(found) == 1
        assert words(picture).count("moves first") == 1
    for name in ("start", "middle", "mill", "won"):
        assert "moves first" not in words(draw(VIEWS[name]))
    assert "Player 1 had the right to begin the moving phase." in draw(VIEWS["middle"])


def test_lifted_stone_leaves_a_dashed_place() -> None:
    picture = draw(VIEWS["land"])
    (place,) = groups(picture, "player 0: the stone from g4 is lifted")
    assert place[1].get("stroke-dasharray")
    assert (place[1].get("cx"), place[1].get("cy")) == ("516", "300")
    # It is neither lost nor in hand.
    assert len(groups(picture, "player 0: 0 in hand, 6 lost")) == 1
    assert "lifted" not in draw(VIEWS["lift"])


def test_as_many_moves_as_the_engine_counts() -> None:
    for counted in (65_536, 2**32 - 1):
        told = draw(view(board({0, 1, 14}, {3, 4, 20}), {"no_capture_limit": 0}, no_capture=counted))
        assert f"moves without capture: {counted}" in words(told)


def test_coordinates_can_be_left_out() -> None:
    marks = set("abcdefg1234567")
    assert marks <= set(words(draw(VIEWS["start"])))
    assert not marks & set(words(draw(VIEWS["start"], coordinates=False)))


def test_description_tells_the_whole_position() -> None:
    assert ET.fromstring(draw(VIEWS["land"])).findtext(f"{NS}desc") == (
        "Three joined squares of 24 points. Player 0 is to land the lifted stone. "
        "The stone from g4 is lifted. Player 0 had the right to begin the moving phase. Moves without capture: 0. "
        "Player 0 (round pale stones): 0 in hand, 6 lost, on the board: d7, a4. "
        "Player 1 (square dark stones): 0 in hand, 5 lost, on the board: a7, g7, a1, g1."
    )


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_coordinates_and_stones_stand_out_from_the_sand(theme: str) -> None:
    root = ET.fromstring(draw(VIEWS["full"], theme=theme))
    sand = next(r.get("fill", "") for r in root.iter(f"{NS}rect") if r.get("width") == "576")
    written = {t.get("fill", "") for t in root.iter(f"{NS}text") if t.get("font-size") == "22"}
    assert written
    assert all(contrast(fill, sand) >= 4.5 for fill in written)
    for player in "01":
        stone = groups(draw(VIEWS["full"], theme=theme), f"player {player}: a stone on ")[0][1]
        assert max(contrast(stone.get(part, ""), sand) for part in ("fill", "stroke")) >= 4.5


BROKEN: list[tuple[str, Callable[[View], object], str]] = [
    ("no state", lambda v: v.pop("state"), "view has no 'state'"),
    ("no rules", lambda v: v.pop("rules"), "view has no 'rules'"),
    ("13 pieces", lambda v: v["rules"].update(pieces=13), "option 'pieces' got 13"),
    ("flying is 1", lambda v: v["rules"].update(flying=1), "option 'flying' got 1"),
    ("3 players", lambda v: v.update(num_players=3, sides=[0, 1, 2]), "view['num_players'] must be 2, got 3"),
    ("one team", lambda v: v.update(sides=[0, 0]), "view['sides'] must be [0, 1], got [0, 0]"),
    ("short board", lambda v: v["state"].update(board="01"), "board has 2 characters, not 24"),
    ("third kind", lambda v: v["state"].update(board="2" + 23 * "."), "board has '2' on point 0 (a7)"),
    ("board is a list", lambda v: v["state"].update(board=24 * ["."]), "board: invalid type: sequence"),
    ("one hand", lambda v: v["state"].update(hand=[0]), "hand: invalid length 1"),
    ("hand of -1", lambda v: v["state"].update(hand=[-1, 0]), "hand[0]: invalid value: integer `-1`"),
    ("too many", lambda v: v["state"].update(hand=[6, 0]), "hand is [6, 0] with turn 61 in phase slide"),
    ("unknown phase", lambda v: v["state"].update(phase="fly"), "phase: unknown word `fly`"),
    ("nobody to move", lambda v: v["state"].update(player=None), "player is null in phase slide"),
    ("player after the end", lambda v: v["state"].update(phase="over"), "player is 1 in phase over"),
    ("early winner", lambda v: v["state"].update(winner=1), "winner is 1 in phase slide"),
    ("lifted in slide", lambda v: v["state"].update(lifted=4), "lifted is 4 in phase slide"),
    ("nothing lifted", lambda v: v["state"].update(phase="land"), "phase land needs flying=true"),
    (
        "lifted yet there",
        lambda v: v["state"].update(phase="land", lifted=0),
        "phase land needs flying=true",
    ),
    ("third player", lambda v: v["state"].update(player=2), "player is 2"),
    ("three removals", lambda v: v["state"].update(opening_removals=3), "opening_removals is 3 with turn 61"),
    ("extra is None", lambda v: v["state"].update(extra=None), "extra: invalid type: null"),
    ("half a turn", lambda v: v["state"].update(turn=0.5), "turn: invalid type: floating point `0.5`"),
    ("no beginner key", lambda v: v["state"].pop("beginner"), "the state: missing key `beginner`"),
]


@pytest.mark.parametrize(
    ("change", "message"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN]
)
def test_broken_view_is_refused_with_its_place(change: Callable[[View], object], message: str) -> None:
    shown = copy.deepcopy(VIEWS["middle"])
    shown["rules"].update(opening_removals="none")
    draw(shown)
    change(shown)
    with pytest.raises(ValueError, match=re.escape(message)):
        draw(shown)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"theme": "sepia"}, "theme must be"), ({"size": 3}, "size must be a width in pixels")],
)
def test_option_out_of_range_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        draw(VIEWS["start"], **options)
