"""The drawing of Shuanglu: horses, counts, bar, dice, what is asked, numbering; broken views are refused."""

from __future__ import annotations

import copy
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from helpers.colours import contrast
from helpers.pictures import NS, check_pure_and_self_contained
from sarai.render import draw

View = dict[str, Any]


def own(places: dict[int, int]) -> list[int]:
    return [places.get(point, 0) for point in range(1, 25)]


def view(
    first: dict[int, int], second: dict[int, int], rules: dict[str, Any] | None = None, **state: Any
) -> View:
    """Points as a dict of counts, 0 for those off and 25 for those on the bar."""
    whole = {
        "phase": "roll",
        "player": 0,
        "points": [own(first), own(second)],
        "bar": [first.get(25, 0), second.get(25, 0)],
        "off": [first.get(0, 0), second.get(0, 0)],
        "dice": [],
        "turn": 0,
        "winner": None,
        "points_won": 0,
    }
    assert state.keys() <= whole.keys()
    return {
        "game": "shuanglu",
        "rules": {"doubles": 2, **(rules or {})},
        "num_players": 2,
        "sides": [0, 1],
        "state": {**whole, **state},
    }


ENGLISH = {24: 2, 13: 5, 8: 3, 6: 5}

VIEWS = {
    "opening": view(ENGLISH, ENGLISH, phase="opening", player=None),
    "start": view(ENGLISH, ENGLISH, player=1, turn=1),
    "origin": view({1: 2, 12: 5, 17: 3, 19: 5}, {1: 2, 12: 5, 17: 3, 19: 5}, phase="move", dice=[5, 3]),
    "busy": view(
        {25: 2, 20: 1, 13: 3, 8: 2, 6: 4, 5: 3}, {25: 1, 13: 4, 11: 1, 8: 2, 6: 5, 4: 2},
        phase="move", player=1, dice=[4], turn=23,
    ),
    "doubles": view(
        {13: 2, 8: 6, 6: 7}, {24: 1, 13: 3, 7: 4, 6: 7}, {"doubles": 4}, phase="move", dice=[6, 6, 6, 6], turn=31
    ),
    "crowd": view({25: 15}, {6: 15}, turn=90),
    "bearing": view({5: 2, 3: 2, 2: 3, 0: 8}, {25: 6, 12: 1, 1: 8}, phase="move", dice=[6, 1], turn=70),
    "won": view(
        {0: 15}, {25: 1, 24: 1, 6: 13}, {"scoring": "gammon"},
        phase="over", player=None, winner=0, points_won=3, turn=80,
    ),
    "single": view({6: 3, 0: 12}, {0: 15}, phase="over", player=None, winner=1, points_won=1, turn=81),
    "drawn": view(ENGLISH, {6: 5, 4: 5, 3: 5}, phase="over", player=None, turn=2000),
}  # fmt: skip
each_view = pytest.mark.parametrize("shown", VIEWS.values(), ids=VIEWS)


def groups(picture: str, start: str) -> list[ET.Element]:
    """The groups whose title starts so."""
    found = ET.fromstring(picture).iter(f"{NS}g")
    return [group for group in found if (group.findtext(f"{NS}title") or "").startswith(start)]


def words(picture: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(picture).iter(f"{NS}text")]


def horses(group: ET.Element) -> list[tuple[float, float]]:
    """Where the feet of the horses in that group stand."""
    moved = [re.match(r"translate\((\S+) (\S+)\)", inner.get("transform", "")) for inner in group]
    return [(float(match[1]), float(match[2])) for match in moved if match]


@each_view
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_picture_is_pure_and_self_contained(shown: View, theme: str) -> None:
    check_pure_and_self_contained(shown, theme)


@each_view
def test_every_stack_is_drawn_once_with_its_horses(shown: View) -> None:
    picture = draw(shown)
    state = shown["state"]
    drawn = 0
    for player in (0, 1):
        held = [(f"on {i + 1}", count) for i, count in enumerate(state["points"][player]) if count]
        held += [("on the bar", state["bar"][player])] if state["bar"][player] else []
        for where, count in held:
            label = f"player {player}: {count} {'horse' if count == 1 else 'horses'} {where}"
            (stack,) = [g for g in groups(picture, label) if g.findtext(f"{NS}title") == label]
            assert len(horses(stack)) == min(count, 5)
            # More than five are counted.
            badges = [t.text for t in stack.iter(f"{NS}text")]
            assert badges == ([str(count)] if count > 5 else [])
            drawn += 1
        assert len(groups(picture, f"player {player}: a horse borne off")) == state["off"][player]
        assert f"{state['off'][player]} off" in words(picture)
    assert len(re.findall(r"<title>player \d: \d+ horses? on ", picture)) == drawn


@each_view
def test_horses_stand_within_the_tray_and_stacks_apart(shown: View) -> None:
    columns: dict[tuple[float, bool], list[float]] = {}
    for stack in groups(draw(shown), "player "):
        if " on " not in (stack.findtext(f"{NS}title") or "") or "bar" in (
            stack.findtext(f"{NS}title") or ""
        ):
            continue
        feet = horses(stack)
        assert len({x for x, _ in feet}) == 1
        assert all(25 + 12 <= x <= 575 - 12 and 58 + 44 <= y <= 454 for x, y in feet)
        columns.setdefault((feet[0][0], feet[-1][1] > 440), []).extend(y for _, y in feet)
    for (x, low), feet_low in columns.items():
        high = columns.get((x, False), [])
        if low and high:
            assert min(feet_low) - 44 > max(high)


def test_horses_of_a_stack_hide_little_of_each_other() -> None:
    (stack,) = groups(draw(VIEWS["start"]), "player 1: 5 horses on 6")
    feet = sorted(y for _, y in horses(stack))
    assert min(after - before for before, after in pairwise(feet)) > 0.75 * 44


def test_the_fields_of_caught_horses_are_named() -> None:
    picture = draw(VIEWS["start"])
    assert words(picture).count("bar") == 2
    upper, lower = (groups(picture, f"the bar of player {player}")[0] for player in (0, 1))
    assert float(upper.find(f"{NS}text").get("y", "")) < 200  # type: ignore[union-attr]
    assert float(lower.find(f"{NS}text").get("y", "")) > 300  # type: ignore[union-attr]


def test_the_two_kinds_of_horses_differ_in_colour_and_head() -> None:
    for theme in ("light", "dark"):
        picture = draw(VIEWS["start"], theme=theme)
        looks = []
        for player in (0, 1):
            (stack,) = groups(picture, f"player {player}: 2 horses on 24")
            horse = next(inner for inner in stack if inner.tag == f"{NS}g")
            looks.append((horse[-1].tag, horse[0].get("fill")))
        assert [tag for tag, _ in looks] == [f"{NS}circle", f"{NS}path"]
        assert looks[0][1] != looks[1][1]


def test_points_run_round_the_tray_in_opposite_directions() -> None:
    places = []
    for player in (0, 1):
        course = []
        for point in range(1, 25):
            sides = [{25: 15}, {25: 15}]
            sides[player] = {point: 1, 25: 14}
            (stack,) = groups(draw(view(sides[0], sides[1])), f"player {player}: 1 horse on {point}")
            course += horses(stack)
        places.append(course)
    first, second = places
    assert first == second[::-1]
    bottom, top = first[:12], first[12:]
    assert [x for x, _ in bottom] == sorted((x for x, _ in bottom), reverse=True)
    assert [x for x, _ in top] == sorted(x for x, _ in top)
    assert min(y for _, y in bottom) > max(y for _, y in top)
    # Point 13 lies across from 12, and 24 across from 1.
    assert [x for x, _ in top] == [x for x, _ in reversed(bottom)]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("opening", ["who begins? each throws one die", "turn 0"]),
        ("start", ["player 1: to throw the dice", "turn 1"]),
        ("origin", ["player 0: to play the dice"]),
        ("won", ["player 0 wins 3 points", "15 off", "0 off"]),
        ("single", ["player 1 wins 1 point"]),
        ("drawn", ["draw", "turn 2000"]),
    ],
)
def test_status_says_what_is_going_on(name: str, expected: list[str]) -> None:
    written = words(draw(VIEWS[name]))
    assert [word for word in expected if word not in written] == []


@each_view
def test_dice_to_play_are_shown_with_their_pips(shown: View) -> None:
    dice = groups(draw(shown), "a die: ")
    assert [die.findtext(f"{NS}title") for die in dice] == [f"a die: {n}" for n in shown["state"]["dice"]]
    assert [len(die.findall(f"{NS}circle")) for die in dice] == shown["state"]["dice"]


@pytest.mark.parametrize("player", [0, 1])
def test_dice_lie_clear_of_the_horses_on_the_bar(player: int) -> None:
    caught = {25: 3, 6: 12}
    picture = draw(view(caught, caught, {"doubles": 4}, phase="move", player=player, dice=[2, 2, 2, 2]))
    feet = [horses(groups(picture, f"player {seat}: 3 horses on the bar")[0])[0][1] for seat in (0, 1)]
    for die in groups(picture, "a die: "):
        (body,) = die.findall(f"{NS}rect")
        y, height = float(body.get("y", "")), float(body.get("height", ""))
        assert feet[0] < y
        assert y + height < feet[1] - 44
        # Wholly in one of the two large fields.
        assert (y > 256) == (y + height > 256) == (player == 0)


@pytest.mark.parametrize("face", range(1, 7))
def test_every_face_of_a_die_can_be_shown(face: int) -> None:
    (die,) = groups(draw(view(ENGLISH, ENGLISH, phase="move", dice=[face])), "a die: ")
    middles = {(pip.get("cx"), pip.get("cy")) for pip in die.iter(f"{NS}circle")}
    assert len(middles) == face


def test_points_are_numbered_for_both_players_and_bold_for_the_one_to_act() -> None:
    def numbered(shown: View) -> list[tuple[str, bool, float, float]]:
        return [
            (t.text or "", t.get("font-weight") == "bold", float(t.get("x", "")), float(t.get("y", "")))
            for t in ET.fromstring(draw(shown)).iter(f"{NS}text")
            if t.get("font-size") == "17" and (t.text or "").isdecimal()
        ]

    start = numbered(VIEWS["start"])
    assert sorted(int(number) for number, *_ in start) == sorted([*range(1, 25), *range(1, 25)])
    assert sorted(int(number) for number, bold, *_ in start if bold) == list(range(1, 25))
    lower_right = [(number, bold) for number, bold, x, y in start if x > 550 and y > 300]
    assert lower_right == [("1", False), ("24", True)]
    origin = [(number, bold) for number, bold, x, y in numbered(VIEWS["origin"]) if x > 550 and y > 300]
    assert origin == [("1", True), ("24", False)]
    assert not [bold for _, bold, *_ in numbered(VIEWS["opening"]) if bold]


def test_numbers_can_be_left_out_and_leave_no_gap() -> None:
    heights = []
    for coordinates in (True, False):
        picture = draw(VIEWS["start"], coordinates=coordinates, size=600)
        assert ("17" in words(picture)) == coordinates
        heights.append(float(ET.fromstring(picture).get("height", "")))
    assert heights[0] - heights[1] == 68


def test_description_tells_the_whole_position() -> None:
    assert ET.fromstring(draw(VIEWS["bearing"])).findtext(f"{NS}desc") == (
        "A tray with 24 points. Player 0 is to play the dice. Dice to play: 6, 1. "
        "Player 0 (red horses, in his own numbering): 2 on 5, 2 on 3, 3 on 2, 0 on the bar, 8 off. "
        "Player 1 (plain horses, in his own numbering): 1 on 12, 8 on 1, 6 on the bar, 0 off."
    )
    assert "none on points, 15 on the bar" in draw(VIEWS["crowd"])


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_horses_stand_out_from_the_tray_and_each_other(theme: str) -> None:
    root = ET.fromstring(draw(VIEWS["start"], theme=theme))
    floor = next(r.get("fill", "") for r in root.iter(f"{NS}rect") if r.get("height") == "396")
    fills = []
    for player in (0, 1):
        (stack,) = groups(draw(VIEWS["start"], theme=theme), f"player {player}: 2 horses on 24")
        horse = next(inner for inner in stack if inner.tag == f"{NS}g")[0]
        assert max(contrast(horse.get(part, ""), floor) for part in ("fill", "stroke")) >= 3
        fills.append(horse.get("fill", ""))
    # Without any colour they are a dark and a light kind still.
    assert contrast(*fills) >= 2.5


BROKEN: list[tuple[str, Callable[[View], object], str]] = [
    ("no state", lambda v: v.pop("state"), "view has no 'state'"),
    ("no rules", lambda v: v.pop("rules"), "view has no 'rules'"),
    ("5 doubles", lambda v: v["rules"].update(doubles=5), "option 'doubles' got 5"),
    ("3 players", lambda v: v.update(num_players=3), "view['num_players'] must be 2, got 3"),
    ("one team", lambda v: v.update(sides=[0, 0]), "view['sides'] must be [0, 1], got [0, 0]"),
    ("one side", lambda v: v["state"]["points"].pop(), "points has 1 entry;"),
    ("23 points", lambda v: v["state"]["points"][0].pop(), "player 0 has 23 points, not 24"),
    ("points of None", lambda v: v["state"]["points"].__setitem__(0, None), "points[0]: invalid type: null"),
    ("16 pieces", lambda v: v["state"].update(off=[1, 0]), "player 0 has 16 pieces, not 15"),
    ("-1 on the bar", lambda v: v["state"].update(bar=[-1, 0]), "bar[0]: invalid value: integer `-1`"),
    ("one bar", lambda v: v["state"].update(bar=[0]), "bar has 1 entry;"),
    (
        "shared point",
        lambda v: v["state"]["points"].__setitem__(0, own({14: 1, 13: 14})) or v["state"].update(bar=[0, 1]),
        "player 0's point 14 is player 1's point 11, and both have pieces there",
    ),
    ("die of 7", lambda v: v["state"].update(dice=[7]), "dice has 7"),
    ("three dice", lambda v: v["state"].update(dice=[1, 1, 1]), "dice has 3 entries"),
    ("no dice", lambda v: v["state"].update(dice=[]), "dice is [] in phase move"),
    (
        "dice too early",
        lambda v: v["state"].update(phase="roll"),
        "dice is [4] in phase roll",
    ),
    ("unknown phase", lambda v: v["state"].update(phase="bar"), "phase: unknown word `bar`"),
    ("nobody to move", lambda v: v["state"].update(player=None), "player is null in phase move"),
    ("player after the end", lambda v: v["state"].update(phase="over"), "player is 1 in phase over"),
    (
        "early winner",
        lambda v: v["state"].update(winner=1),
        "winner is 1, but by the pieces borne off it is null",
    ),
    ("points too early", lambda v: v["state"].update(points_won=1), "points_won is 1, not 0"),
    ("4 points", lambda v: v["state"].update(points_won=4), "points_won is 4, not 0"),
    ("text turn", lambda v: v["state"].update(turn="1"), 'turn: invalid type: string "1"'),
]


@pytest.mark.parametrize(
    ("change", "message"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN]
)
def test_broken_view_is_refused_with_its_place(change: Callable[[View], object], message: str) -> None:
    shown = copy.deepcopy(VIEWS["busy"])
    draw(shown)
    change(shown)
    with pytest.raises(ValueError, match=re.escape(message)):
        draw(shown)


def test_win_without_points_is_refused() -> None:
    shown = {**VIEWS["won"], "state": {**VIEWS["won"]["state"], "points_won": 0}}
    with pytest.raises(ValueError, match="points_won is 0, not"):
        draw(shown)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"theme": "sepia"}, "theme must be"), ({"size": 3}, "size must be a width in pixels")],
)
def test_option_out_of_range_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        draw(VIEWS["start"], **options)
