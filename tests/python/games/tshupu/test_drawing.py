"""The drawing of T'shu-p'u: cross-cuts, piles, dice, what is asked, numbering; broken views are refused."""

from __future__ import annotations

import copy
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from helpers.colours import contrast
from helpers.pictures import NS, check_pure_and_self_contained
from sarai.render import draw

View = dict[str, Any]


COLOURS = ["red", "yellow", "green", "black"]


def view(*pieces: list[int], rules: dict[str, Any] | None = None, **state: Any) -> View:
    whole = {
        "phase": "roll",
        "player": 0,
        "pieces": [list(own) for own in pieces],
        "dice": [],
        "moved": None,
        "turn": 0,
        "winner": None,
    }
    assert state.keys() <= whole.keys()
    return {
        "game": "tshupu",
        "rules": {"pieces": len(pieces[0]), "crosscuts": "sides", "finished_player": "pass", **(rules or {})},
        "num_players": 4,
        "sides": [0, 1, 0, 1],
        "state": {**whole, **state},
    }


FOUR = [1, 1, 1, 1]
CHAUPAR = {"crosscuts": "sides_and_ends", "finished_player": "partner_plays"}

VIEWS = {
    "lots": view(FOUR, FOUR, FOUR, FOUR, rules={"first_player": "random"}, phase="first", player=None),
    "start": view(FOUR, FOUR, FOUR, FOUR),
    "throw": view(FOUR, FOUR, FOUR, FOUR, rules=CHAUPAR, phase="move", player=3, dice=[6, 6], turn=3),
    "busy": view(
        [1, 29, 30, 32], [0, 9, 17, 31], [0, 15, 15, 33], [5, 13, 32, 32],
        phase="move", dice=[1, 4], turn=76,
    ),
    "second": view(
        [0, 8, 8, 32], [0, 0, 3, 10], [1, 22, 32, 33], [0, 12, 26, 29], phase="second", dice=[3], moved=8,
        turn=40,
    ),
    "borne": view(
        [10, 32, 33, 33], [3, 4, 5, 6], [32, 32, 32, 32], [7, 8, 9, 10], phase="second", dice=[4], moved=33,
        turn=60,
    ),
    "partner": view(
        [33, 33, 33, 33], [3, 4, 5, 6], [31, 32, 32, 33], [7, 8, 9, 10], rules=CHAUPAR,
        phase="second", dice=[1], moved=32, turn=100,
    ),
    "crowd": view([1, 1, 29, 29], [8, 8, 9, 9], [15, 15, 16, 16], [22, 22, 23, 23], player=2, turn=10),
    "team": view(
        [33] * 4, [32, 32, 33, 33], [33] * 4, [0, 0, 31, 33], phase="over", player=None, winner=0, turn=180
    ),
    "drawn": view([31], [0], [4], [33], phase="over", player=None, turn=2000),
}  # fmt: skip
each_view = pytest.mark.parametrize("shown", VIEWS.values(), ids=VIEWS)


def groups(picture: str, start: str) -> list[ET.Element]:
    """The groups whose title starts so."""
    found = ET.fromstring(picture).iter(f"{NS}g")
    return [group for group in found if (group.findtext(f"{NS}title") or "").startswith(start)]


def words(picture: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(picture).iter(f"{NS}text")]


def place(progress: int) -> str:
    return {0: "in hand", 32: "in the centre", 33: "off"}.get(progress, f"on {progress}")


def cell(coordinate: float | str) -> int:
    """The column or row in which that coordinate lies."""
    return int((float(coordinate) - 12) // 64)


def outlines(pile: ET.Element) -> list[ET.Element]:
    """The pieces of a pile: what stands between its title and its plate and number."""
    return [shape for shape in pile if shape.tag not in (f"{NS}title", f"{NS}text")][:-1]


@each_view
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_picture_is_pure_and_self_contained(shown: View, theme: str) -> None:
    check_pure_and_self_contained(shown, theme)


@each_view
def test_every_pile_is_drawn_once_with_all_its_pieces(shown: View) -> None:
    picture = draw(shown)
    drawn = 0
    for seat, own in enumerate(shown["state"]["pieces"]):
        for progress, count in Counter(own).items():
            start = f"player {seat}, {COLOURS[seat]}: {count} {place(progress)}"
            found = [g for g in groups(picture, start) if not g.findall(f"{NS}g")]
            assert len(found) == 1, start
            assert len(outlines(found[0])) == count
            assert found[0].findtext(f"{NS}text") == str(count)
            drawn += 1
    piles = [g for g in groups(picture, "player ") if not g.findall(f"{NS}g") and outlines(g)]
    assert len([g for g in piles if g.findtext(f"{NS}text") != "0"]) == drawn


@each_view
def test_piles_lie_apart_and_within_the_picture(shown: View) -> None:
    discs: list[tuple[float, float, float]] = []
    for pile in groups(draw(shown), "player "):
        if pile.findall(f"{NS}g") or not outlines(pile):
            continue
        plate = [shape for shape in pile if shape.tag == f"{NS}circle"][-1]
        x, y, radius = (float(plate.get(name, "")) for name in ("cx", "cy", "r"))
        assert 12 < x < 588
        assert 12 < y < 588
        for other_x, other_y, other in discs:
            assert (x - other_x) ** 2 + (y - other_y) ** 2 > (1.4 * (radius + other)) ** 2
        discs.append((x, y, radius))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_four_players_differ_in_colour_and_outline(theme: str) -> None:
    picture = draw(VIEWS["start"], theme=theme)
    looks = []
    for seat, colour in enumerate(COLOURS):
        (pile,) = groups(picture, f"player {seat}, {colour}: 4 on 1")
        shape = outlines(pile)[0]
        looks.append((shape.tag.removeprefix(NS), len((shape.get("d") or "").split()), shape.get("fill")))
    assert [look[:2] for look in looks] == [("circle", 0), ("rect", 0), ("path", 8), ("path", 12)]
    assert len({fill for _, _, fill in looks}) == 4


def test_start_squares_are_at_the_ends_of_the_arms_clockwise() -> None:
    picture = draw(VIEWS["start"])
    middles = []
    for seat in range(4):
        (pile,) = groups(picture, f"player {seat}, {COLOURS[seat]}: 4 on 1")
        plate = [shape for shape in pile if shape.tag == f"{NS}circle"][-1]
        x, y = float(plate.get("cx", "")), float(plate.get("cy", ""))
        middles.append((cell(x), cell(y)))
    assert middles == [(4, 8), (0, 4), (4, 0), (8, 4)]


@pytest.mark.parametrize(("crosscuts", "marked"), [("sides", 8), ("sides_and_ends", 12)])
def test_crosscut_squares_follow_the_rules(crosscuts: str, marked: int) -> None:
    shown = view(FOUR, FOUR, FOUR, FOUR, rules={"crosscuts": crosscuts})
    assert len(groups(draw(shown), "a cross-cut square")) == marked


@pytest.mark.parametrize("seat", range(4))
def test_crosscuts_lie_where_the_rules_count_them(seat: int) -> None:
    crosscuts = groups(draw(VIEWS["start"]), "a cross-cut square")
    marked = {group.find(f"{NS}path").get("transform") for group in crosscuts}  # type: ignore[union-attr]
    found = []
    for progress in range(1, 29):
        pieces = [[0], [0], [0], [0]]
        pieces[seat] = [progress]
        (pile,) = groups(draw(view(*pieces)), f"player {seat}, {COLOURS[seat]}: 1 on {progress}")
        plate = [shape for shape in pile if shape.tag == f"{NS}circle"][-1]
        x, y = float(plate.get("cx", "")), float(plate.get("cy", ""))
        column, row = cell(x), cell(y)
        if f"translate({12 + 64 * column} {12 + 64 * row})" in marked:
            found.append(progress)
    assert found == [3, 6, 10, 13, 17, 20, 24, 27]


def test_pieces_that_came_round_have_a_dark_plate() -> None:
    picture = draw(VIEWS["crowd"])
    plates = []
    for progress in (1, 29):
        (pile,) = groups(picture, f"player 0, red: 2 on {progress}")
        plates.append([shape.get("fill") for shape in pile if shape.tag == f"{NS}circle"][-1])
    assert plates[0] != plates[1]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("lots", ["who begins?", "turn 0"]),
        ("start", ["player 0", "to throw the dice", "red, team A", "yellow, team B"]),
        ("throw", ["to play the dice", "turn 3"]),
        ("second", ["to play the other die", "turn 40"]),
        ("partner", ["player 0 for 2", "to play the other die"]),
        ("team", ["red and green win"]),
        ("drawn", ["draw", "turn 2000"]),
    ],
)
def test_status_says_what_is_going_on(name: str, expected: list[str]) -> None:
    written = words(draw(VIEWS[name]))
    assert [word for word in expected if word not in written] == []


@each_view
def test_dice_to_play_are_shown_with_their_pips(shown: View) -> None:
    picture = draw(shown)
    dice = groups(picture, "a die: ")
    assert [die.findtext(f"{NS}title") for die in dice] == [f"a die: {n}" for n in shown["state"]["dice"]]
    assert [len(die.findall(f"{NS}circle")) for die in dice] == shown["state"]["dice"]


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("second", "player 0, red: 2 on 8, moved just now"),
        ("borne", "player 0, red: 2 off, moved just now"),
        ("partner", "player 2, green: 2 in the centre, moved just now"),
    ],
)
def test_piece_that_moved_is_marked_once(name: str, label: str) -> None:
    picture = draw(VIEWS[name])
    assert len(groups(picture, label)) == 1
    assert picture.count("moved just now</title>") == 1
    assert picture.count("5 3.2") == 1
    assert "5 3.2" not in draw(VIEWS["busy"])


def test_squares_are_numbered_in_the_course_of_the_player_who_moves() -> None:
    def numbered(shown: View) -> dict[str, tuple[int, int]]:
        """The column and row of each number."""
        texts = [t for t in ET.fromstring(draw(shown)).iter(f"{NS}text") if t.get("font-size") == "15"]
        return {t.text or "": (cell(t.get("x", "")), cell(t.get("y", ""))) for t in texts}

    south, east = numbered(VIEWS["start"]), numbered(VIEWS["throw"])
    west, north = (numbered(view(FOUR, FOUR, FOUR, FOUR, player=seat, turn=seat)) for seat in (1, 2))
    assert set(south) == set(east) == {str(n) for n in range(1, 33)}
    # East starts where south has its eighth square, west where south has its twenty-second.
    assert east["1"] == south["8"]
    assert west["1"] == south["22"]
    assert (south["1"], south["29"], south["30"], south["31"]) == ((4, 8), (4, 8), (4, 7), (4, 6))
    assert east["32"] == south["32"] == (3, 3)
    # The partner's pieces are moved: his course counts.
    assert numbered(VIEWS["partner"]) == north
    assert "17" not in words(draw(VIEWS["start"], coordinates=False))


@pytest.mark.parametrize(
    ("name", "whose"), [("start", "0, red"), ("throw", "3, black"), ("partner", "2, green")]
)
def test_legend_says_what_the_figures_mean(name: str, whose: str) -> None:
    written = words(draw(VIEWS[name]))
    for legend in (
        f"small numbers: the way of player {whose}",
        "pieces on their way round",
        "pieces that came round",
    ):
        assert written.count(legend) == 1
    bare = draw(VIEWS[name], coordinates=False)
    assert not [word for word in words(bare) if word.startswith("small numbers")]


def test_the_two_numbers_of_a_start_square_are_apart() -> None:
    for player in range(4):
        picture = draw(view(FOUR, FOUR, FOUR, FOUR, player=player, turn=player))
        places = {t.text: t for t in ET.fromstring(picture).iter(f"{NS}text") if t.get("font-size") == "15"}
        assert float(places["29"].get("x", "")) - float(places["1"].get("x", "")) > 30


def test_no_number_is_covered_by_pieces_or_their_mark() -> None:
    for shown in VIEWS.values():
        root = ET.fromstring(draw(shown))
        numbers = [t for t in root.iter(f"{NS}text") if t.get("font-size") == "15"]
        for shape in root.iter(f"{NS}circle"):
            x, y, radius = (float(shape.get(name, "")) for name in ("cx", "cy", "r"))
            for number in numbers:
                # The number stands on its baseline.
                across, down = abs(float(number.get("x", "")) - x), y - float(number.get("y", ""))
                assert across > radius + 9 or not -11 < down < radius - 0.5, (number.text, x, y)


def test_description_tells_the_whole_position() -> None:
    assert ET.fromstring(draw(VIEWS["partner"])).findtext(f"{NS}desc") == (
        "A cross of 37 squares. Player 0 is to play the other die. Dice to play: 1. "
        "The pieces of the partner, player 2, are moved. Moved just now: the piece in the centre. "
        "Player 0 (red, south, team A): 4 off. Player 1 (yellow, west, team B): 1 on 3, 1 on 4, 1 on 5, 1 on 6. "
        "Player 2 (green, north, team A): 1 on 31, 2 in the centre, 1 off. "
        "Player 3 (black, east, team B): 1 on 7, 1 on 8, 1 on 9, 1 on 10."
    )


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_numbers_and_pieces_stand_out_from_their_squares(theme: str) -> None:
    root = ET.fromstring(draw(VIEWS["start"], theme=theme))
    squares = {r.get("fill", "") for r in root.iter(f"{NS}rect") if r.get("width") in ("64", "192")}
    assert len(squares) == 6  # plain, the centre and four columns
    (number,) = {t.get("fill", "") for t in root.iter(f"{NS}text") if t.get("font-size") == "15"}
    assert min(contrast(number, square) for square in squares) >= 4.5
    for seat, colour in enumerate(COLOURS):
        (pile,) = groups(draw(VIEWS["start"], theme=theme), f"player {seat}, {colour}: 4 on 1")
        piece = outlines(pile)[0]
        for square in squares:
            assert max(contrast(piece.get(part, ""), square) for part in ("fill", "stroke")) >= 2


BROKEN: list[tuple[str, Callable[[View], object], str]] = [
    ("no state", lambda v: v.pop("state"), "view has no 'state'"),
    ("no rules", lambda v: v.pop("rules"), "view has no 'rules'"),
    ("5 pieces", lambda v: v["rules"].update(pieces=5), "option 'pieces' got 5"),
    ("fewer pieces", lambda v: v["rules"].update(pieces=3), "seat 0 has 4 pieces, not 3"),
    ("odd crosscuts", lambda v: v["rules"].update(crosscuts="ends"), "option 'crosscuts' got \"ends\""),
    ("odd finish", lambda v: v["rules"].update(finished_player=1), "option 'finished_player' got 1"),
    ("3 players", lambda v: v.update(num_players=3), "view['num_players'] must be 4, got 3"),
    (
        "no teams",
        lambda v: v.update(sides=[0, 1, 2, 3]),
        "view['sides'] must be [0, 1, 0, 1], got [0, 1, 2, 3]",
    ),
    ("3 seats", lambda v: v["state"]["pieces"].pop(), "pieces has 3 entries, not 4"),
    ("pieces of None", lambda v: v["state"]["pieces"].__setitem__(1, None), "pieces[1]: invalid type: null"),
    ("progress 34", lambda v: v["state"]["pieces"][2].__setitem__(0, 34), "seat 2 has a piece on 34"),
    (
        "progress of text",
        lambda v: v["state"]["pieces"][2].__setitem__(0, "1"),
        "pieces[2][0]: invalid type: string",
    ),
    ("die of 2", lambda v: v["state"].update(dice=[2]), "a die shows 2"),
    ("die of True", lambda v: v["state"].update(dice=[True]), "dice[0]: invalid type: boolean `true`"),
    (
        "two dice",
        lambda v: v["state"].update(dice=[1, 3]),
        "dice is [1, 3] in phase second, which has one face",
    ),
    ("moved is None", lambda v: v["state"].update(moved=None), "moved is null"),
    ("moved nobody", lambda v: v["state"].update(moved=9), "moved is 9"),
    ("moved too far", lambda v: v["state"].update(moved=34), "moved is 34"),
    ("moved too early", lambda v: v["state"].update(phase="move", dice=[1, 1]), "moved is 8 in phase move"),
    ("unknown phase", lambda v: v["state"].update(phase="third"), "phase: unknown word `third`"),
    ("nobody to move", lambda v: v["state"].update(player=None), "player is null in phase second"),
    ("player after the end", lambda v: v["state"].update(phase="over"), "player is 0 in phase over"),
    (
        "early winner",
        lambda v: v["state"].update(winner=0),
        "winner is 0, but no team has all its pieces off",
    ),
    ("third team", lambda v: v["state"].update(winner=2), "winner is 2, but no team has all its pieces off"),
    ("negative turn", lambda v: v["state"].update(turn=-1), "turn: invalid value: integer `-1`"),
]


@pytest.mark.parametrize(
    ("change", "message"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN]
)
def test_broken_view_is_refused_with_its_place(change: Callable[[View], object], message: str) -> None:
    shown = copy.deepcopy(VIEWS["second"])
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
