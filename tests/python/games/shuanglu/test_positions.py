"""Shuanglu at the Python face: the worked positions U1-U13 of the rule book."""

from __future__ import annotations

from typing import Any

import pytest

from games.shuanglu.table import DICE, FROM_ORIGIN, OPENING, START, Table, new_game, shuanglu


def test_u1_r2_the_higher_throw_begins_with_both_numbers() -> None:
    t = new_game().open("35")
    assert (t["phase"], t["player"], t["dice"], t["turn"]) == ("move", 1, [5, 3], 0)
    t = new_game().open("53")
    assert (t["phase"], t["player"], t["dice"], t["turn"]) == ("move", 0, [5, 3], 0)


def test_u1_r2_equal_throws_are_thrown_again() -> None:
    outcomes = new_game().state.chance_outcomes()
    assert [outcome for outcome, _ in outcomes] == list(range(30))
    assert [p for _, p in outcomes] == pytest.approx([1 / 30] * 30)
    assert "44" not in OPENING
    for throws in OPENING:  # each outcome is two different dice, in this order
        t = new_game().open(throws)
        assert t["player"] == (0 if throws[0] > throws[1] else 1)
        assert t["dice"] == sorted((int(die) for die in throws), reverse=True)


def counts(text: str) -> dict[str, int]:
    return {throw: int(count) for throw, count in (word.split(":") for word in text.split())}


U2: dict[str, tuple[dict[str, Any], str, int]] = {
    "two moves for doubles": (
        {},
        "11:9 12:15 13:16 14:14 15:8 16:10 22:13 23:17 24:18 25:8 26:14"
        " 33:13 34:17 35:9 36:14 44:12 45:9 46:14 55:3 56:7 66:6",
        246,
    ),
    "four moves for doubles": (
        {"doubles": 4},
        "11:42 12:15 13:16 14:14 15:8 16:10 22:75 23:17 24:18 25:8 26:14"
        " 33:73 34:17 35:9 36:14 44:52 45:9 46:14 55:4 56:7 66:11",
        447,
    ),
    "from the origin": (
        {"setup": "from_origin"},
        "11:9 12:11 13:10 14:6 15:9 16:6 22:6 23:11 24:4 25:10 26:5"
        " 33:7 34:6 35:11 36:5 44:2 45:5 46:3 55:8 56:4 66:2",
        140,
    ),
}


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("book", U2)
def test_u2_results_of_a_turn_from_the_start(book: str, player: int) -> None:
    options, expected, total = U2[book]
    start = FROM_ORIGIN if "setup" in options else START
    found = {}
    for throw in DICE:
        t = shuanglu(start, start, player=player, **options)
        found[throw] = len(t.roll(throw).ends())
    assert found == counts(expected)
    assert sum(found.values()) == total


@pytest.mark.parametrize("throws", OPENING)
def test_u2_results_of_the_opening_turn(throws: str) -> None:
    expected = counts(U2["two moves for doubles"][1])["".join(sorted(throws))]
    assert len(new_game().open(throws).ends()) == expected
    # Neither rule makes a difference to an opening turn from there.
    assert len(new_game(preset="backgammon").open(throws).ends()) == expected


def test_u3_doubles_give_two_moves() -> None:
    t = shuanglu(START, START).roll("55")
    assert t.results() == {
        "6:5 8:5 13:3 24:2",  # 13/8(2)
        "3:1 6:5 8:3 13:4 24:2",  # 13/8/3
        "3:2 6:5 8:1 13:5 24:2",  # 8/3(2)
    }


U4_ENEMY = "6:2 5:2 4:2 3:2 2:2 13:5"


def test_u4_one_enters_and_another_moves() -> None:
    t = shuanglu("bar1 6:5 8:4 13:5", U4_ENEMY).roll("41")
    assert t.lines() == {("bar/24", "13/9"), ("bar/24", "8/4"), ("bar/24", "6/2")}
    assert len(t.ends()) == 3


def test_u4_nobody_enters_and_the_turn_passes() -> None:
    assert shuanglu("bar1 6:5 8:4 13:5", U4_ENEMY).roll("65").passed()


def test_u5_one_of_two_enters_and_the_other_die_is_lost() -> None:
    t = shuanglu("bar2 6:5 8:3 13:5", U4_ENEMY).roll("41")
    assert t.lines() == {("bar/24",)}
    assert t.results() == {"bar1 6:5 8:3 13:5 24:1"}
    assert t.play("bar/24").turn_ended()


def test_u5_both_enter_by_a_double() -> None:
    t = shuanglu("bar2 6:5 8:3 13:5", U4_ENEMY).roll("11")
    assert t.lines() == {("bar/24", "bar/24")}
    assert t.results() == {"6:5 8:3 13:5 24:2"}


U6_ME = "20:1 2:7 1:7"
U6_ENEMY = "13:2 6:5 4:4 3:4"


def test_u6_either_die_but_not_both_the_larger() -> None:
    t = shuanglu(U6_ME, U6_ENEMY).roll("53")
    assert t.lines() == {("20/15",)}
    assert t.results() == {"1:7 2:7 15:1"}
    assert t.play("20/15").turn_ended()


def test_u6_either_die_with_larger_die_false() -> None:
    t = shuanglu(U6_ME, U6_ENEMY, larger_die=False).roll("53")
    assert t.lines() == {("20/15",), ("20/17",)}
    assert t.results() == {"1:7 2:7 15:1", "1:7 2:7 17:1"}
    assert t.play("20/17").turn_ended()


@pytest.mark.parametrize("larger_die", [True, False])
def test_u7_only_the_smaller_can_be_played(larger_die: bool) -> None:
    t = shuanglu(U6_ME, "13:2 10:2 6:5 4:3 3:3", larger_die=larger_die).roll("53")
    assert t.lines() == {("20/17",)}
    assert t.results() == {"1:7 2:7 17:1"}


def test_u7_neither_can_be_played_and_the_turn_passes() -> None:
    assert shuanglu(U6_ME, "13:2 10:2 8:2 6:5 3:4").roll("53").passed()


def test_u8_both_by_the_one_order_that_is_open() -> None:
    t = shuanglu(U6_ME, "10:2 6:5 4:4 3:4").roll("53")
    assert t.lines() == {("20/17", "17/12")}
    assert t.results() == {"1:7 2:7 12:1"}


U9_ME = "2:3 3:2 5:2 off8"
PASSES = {U9_ME}


@pytest.mark.parametrize(
    ("throw", "bear_off", "results"),
    [
        ("65", "exact", {"2:3 3:2 5:1 off9"}),
        ("65", "overshoot", {"2:3 3:2 off10"}),
        ("66", "exact", PASSES),
        ("66", "overshoot", {"2:3 3:2 off10"}),
    ],
)
def test_u9_bearing_off(throw: str, bear_off: str, results: set[str]) -> None:
    t = shuanglu(U9_ME, bear_off=bear_off).roll(throw)
    assert t.passed() == (results is PASSES)
    assert t.results() == results


@pytest.mark.parametrize("bear_off", ["exact", "overshoot"])
def test_u9_four_results_either_way(bear_off: str) -> None:
    t = shuanglu(U9_ME, bear_off=bear_off).roll("41")
    assert t.results() == {
        "2:3 3:2 5:1 off9",  # 5/1/off, in the one order
        "1:1 2:3 3:2 4:1 off8",  # 5/1 5/4
        "1:1 2:4 3:1 5:1 off8",  # 5/1 3/2
        "1:2 2:2 3:2 5:1 off8",  # 5/1 2/1
    }


def test_u10_the_last_piece_comes_home_first() -> None:
    t = shuanglu("4:2 6:3 8:1 off9").roll("62")
    assert t.results() == {"4:2 6:3 off10", "2:1 4:3 6:2 off9", "2:2 4:1 6:3 off9"}


@pytest.mark.parametrize(
    ("throw", "bear_off", "lines"),
    [
        ("21", "exact", {("2/off",)}),
        ("21", "overshoot", {("2/1", "1/off(2)")}),  # R7: both dice, though one would do
        ("11", "exact", {("2/1", "1/off")}),
        ("11", "overshoot", {("2/1", "1/off")}),
        ("65", "exact", {()}),
        ("65", "overshoot", {("2/off(6)",)}),
    ],
)
def test_u11_the_last_piece(throw: str, bear_off: str, lines: set[tuple[str, ...]]) -> None:
    t = shuanglu("2:1 off14", bear_off=bear_off).roll(throw)
    assert t.lines() == lines
    (line,) = lines
    if not line:
        assert t.passed()
        return
    t.play(*line)
    assert (t["phase"], t["winner"], t["player"], t["dice"]) == ("over", 0, None, [])
    assert list(t.state.returns()) == [1.0, -1.0]


@pytest.mark.parametrize("throw", DICE)
@pytest.mark.parametrize("enemy", ["6:3 5:3 4:3 3:2 2:2 1:2", "6:2 5:2 4:2 3:2 2:2 1:2 24:3"])
def test_u12_every_roll_passes_at_a_closed_home(enemy: str, throw: str) -> None:
    for bear_off in ("exact", "overshoot"):
        assert shuanglu("bar1 6:1 5:1 off12", enemy, bear_off=bear_off).roll(throw).passed()


def test_u13_the_way_matters_when_it_hits() -> None:
    t = shuanglu("4:4 5:5 6:5 13:1", "6:14 15:1").roll("32")
    ends = t.ends()
    assert len(ends) == 17
    thirteen_to_eight = {(mine, theirs) for mine, theirs in ends if mine == "4:4 5:5 6:5 8:1"}
    assert thirteen_to_eight == {
        ("4:4 5:5 6:5 8:1", "bar1 6:14"),
        ("4:4 5:5 6:5 8:1", "6:14 15:1"),
    }
    ways = {line for line in t.lines() if line[0].startswith("13/") and line[1].endswith("/8")}
    assert ways == {("13/10*", "10/8"), ("13/11", "11/8")}


# The rule book gives the first of the two numbers; the second was counted by reference_shuanglu.py.
@pytest.mark.parametrize(
    ("options", "first", "second"),
    [({}, 190, 49_664), ({"setup": "from_origin"}, 106, 15_525)],
    ids=["english", "from_origin"],
)
def test_two_plies_from_the_start(options: dict[str, Any], first: int, second: int) -> None:
    after_one, after_two, known = 0, 0, {}
    for throws in [throws for throws in OPENING if throws[0] > throws[1]]:
        t = new_game(**options).open(throws)
        for sides, state in t.ends().items():
            after_one += 1
            if sides not in known:
                nexts = [Table(t.game, state.clone()).roll(throw) for throw in DICE]
                known[sides] = sum(len(following.ends()) for following in nexts)
            after_two += known[sides]
    assert (after_one, after_two) == (first, second)
