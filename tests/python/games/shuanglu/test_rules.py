"""Shuanglu at the Python face: each rule of the rule book, in positions made for it."""

from __future__ import annotations

import pytest

import sarai
from games.shuanglu.table import DICE, OPENING, START, new_game, pieces, shuanglu

# ------------------------------------------------------------------------- R1 and R2, the start


def test_r1_two_players_fifteen_pieces_each() -> None:
    t = new_game()
    assert t.game.num_players == 2
    assert list(t.game.sides) == [0, 1]
    assert [sum(points) for points in t["points"]] == [15, 15]
    assert t.side(0) == t.side(1) == START
    assert t["bar"] == t["off"] == [0, 0]


def test_r1_two_dice_of_six_sides() -> None:
    outcomes = shuanglu(START, START).state.chance_outcomes()
    assert [outcome for outcome, _ in outcomes] == list(range(21))
    weights = [1 if throw[0] == throw[1] else 2 for throw in DICE]
    assert [p for _, p in outcomes] == pytest.approx([w / 36 for w in weights])


def test_r1_the_players_walk_in_opposite_directions() -> None:
    t = shuanglu("24:1 off14", "24:1 off14").roll("12").play("24/22", "22/21")
    assert (t.side(0), t.side(1)) == ("21:1 off14", "24:1 off14")
    t.roll("23").play("24/21", "21/19")
    assert (t.side(0), t.side(1)) == ("21:1 off14", "19:1 off14")
    t = shuanglu("13:1 off14", "13:1 off14").roll("16")  # 13 of one is 12 of the other
    assert t.moves() == {"13/12*", "13/7"}


@pytest.mark.parametrize("throws", OPENING)
def test_r2_the_beginner_plays_and_then_the_other_throws(throws: str) -> None:
    t = new_game().open(throws)
    beginner = t["player"]
    assert throws[beginner] == max(throws)
    assert t["turn"] == 0
    while t["phase"] == "move":
        assert t.state.current_player() == beginner
        t.state.apply_action(t.state.legal_actions()[0])
    assert (t["phase"], t["player"], t["turn"]) == ("roll", 1 - beginner, 1)
    assert t.side(1 - beginner) in (START, "bar1 6:5 8:3 13:5 24:1")


# ------------------------------------------------------------------------- R3, the steps


def test_r3_two_pieces_or_one_piece_take_the_numbers() -> None:
    t = shuanglu("24:1 13:1 off13").roll("12")
    assert t.moves() == {"24/23", "24/22", "13/12", "13/11"}
    assert t.lines() == {
        ("24/23", "23/21"),
        ("24/22", "22/21"),
        ("24/23", "13/11"),
        ("13/11", "24/23"),
        ("24/22", "13/12"),
        ("13/12", "24/22"),
        ("13/12", "12/10"),
        ("13/11", "11/10"),
    }
    assert t.results() == {"13:1 21:1 off13", "11:1 23:1 off13", "12:1 22:1 off13", "10:1 24:1 off13"}


def test_r3_the_dice_left_are_told() -> None:
    t = shuanglu("24:1 13:1 off13").roll("12")
    assert t["dice"] == [2, 1]
    assert t.play("13/11")["dice"] == [1]
    assert t.state.current_player() == 0
    assert t.play("24/23").turn_ended()


def test_r3_one_piece_touches_down_in_between() -> None:
    # The enemy's 6 is our 19, his 4 our 21.
    assert shuanglu("24:1 off14", "6:2 4:2 off11").roll("35").passed()
    t = shuanglu("24:1 off14", "4:2 off13").roll("35")
    assert t.lines() == {("24/19", "19/16")}
    t = shuanglu("24:1 off14", "6:2 off13").roll("35")
    assert t.lines() == {("24/21", "21/16")}


def test_r3_doubles_give_two_moves_and_no_further_throw() -> None:
    t = shuanglu("24:2 13:2 off11").roll("33")
    assert t["dice"] == [3, 3]
    assert all(len(line) == 2 for line in t.lines())
    assert t.play("24/21", "21/18").turn_ended()


def test_r3_doubles_4_gives_four_moves_and_no_further_throw() -> None:
    t = shuanglu("24:2 13:2 off11", doubles=4).roll("33")
    assert t["dice"] == [3, 3, 3, 3]
    assert all(len(line) == 4 for line in t.lines())
    assert t.play("24/21", "21/18", "13/10")["dice"] == [3]
    assert t.play("18/15").turn_ended()
    assert t.side(0) == "10:1 13:1 15:1 24:1 off11"


def test_r3_doubles_4_as_many_as_can_be_played() -> None:
    # Ours 12 is closed: 24/21/18/15 is all there is.
    t = shuanglu("24:1 off14", "13:2 off13", doubles=4).roll("33")
    assert t.lines() == {("24/21", "21/18", "18/15")}
    assert t.play("24/21", "21/18", "18/15").turn_ended()


# ------------------------------------------------------------------------- R4 and R5, hits and the bar


@pytest.mark.parametrize("number", [2, 3, 15])
def test_r4_two_enemies_or_more_close_a_point(number: int) -> None:
    assert shuanglu("24:1 off14", f"5:{number} off{15 - number}").roll("44").passed()


def test_r4_one_enemy_closes_no_point() -> None:
    assert shuanglu("24:1 off14", "5:1 off14").roll("44").moves() == {"24/20*"}
    assert shuanglu("24:1 off14", "4:1 off14").roll("44").moves() == {"24/20"}


def test_r4_a_hit_piece_goes_to_the_bar() -> None:
    t = shuanglu("24:1 off14", "5:1 6:2 off12").roll("14").play("24/20*")
    assert (t["bar"], t.side(1)) == ([0, 1], "bar1 6:2 off12")
    assert t.side(0) == "20:1 off14"


def test_r4_own_pieces_close_nothing() -> None:
    t = shuanglu("24:1 20:5 off9").roll("44")
    assert ("24/20", "20/16") in t.lines()


def test_r4_two_hits_in_one_turn_by_one_piece() -> None:
    t = shuanglu("24:1 off14", "5:1 10:1 off13").roll("45").play("24/20*", "20/15*")
    assert t["bar"] == [0, 2]
    assert t.turn_ended()


def test_r4_passing_over_hits_nobody() -> None:
    t = shuanglu("24:1 off14", "3:1 off14").roll("46").play("24/20", "20/14")
    assert t["bar"] == [0, 0]


def test_r4_a_hit_by_the_other_seat() -> None:
    t = shuanglu("24:1 off14", "5:1 off14", player=1).roll("14").play("24/20*")
    assert (t["bar"], t.side(0), t.side(1)) == ([1, 0], "bar1 off14", "20:1 off14")
    assert t.play("20/19").turn_ended()


@pytest.mark.parametrize("die", range(1, 7))
def test_r5_a_die_enters_on_25_less_the_die(die: int) -> None:
    t = shuanglu("bar1 1:14", "13:15").roll(f"{die}{die}")
    assert t.moves() == {f"bar/{25 - die}"}
    assert t.play(f"bar/{25 - die}").side(0) == f"1:14 {25 - die}:1"


def test_r5_entering_may_hit() -> None:
    t = shuanglu("bar1 1:14", "4:1 6:14").roll("34")
    assert t.moves() == {"bar/21*", "bar/22"}
    assert t.play("bar/21*")["bar"] == [0, 1]


def test_r5_nothing_else_moves_while_a_piece_is_on_the_bar() -> None:
    t = shuanglu("bar2 13:5 off8", "6:15").roll("12")
    assert t.moves() == {"bar/24", "bar/23"}
    t.play("bar/24")
    assert t.moves() == {"bar/23"}
    assert t.play("bar/23").turn_ended()


def test_r5_after_the_last_has_entered_everything_moves() -> None:
    t = shuanglu("bar1 13:5 off9", "6:15").roll("12").play("bar/24")
    assert t.moves() == {"24/22", "13/11"}


def test_r5_with_a_piece_on_the_bar_none_is_borne_off() -> None:
    t = shuanglu("bar1 1:1 2:1 off12", "6:15").roll("12").play("bar/24")
    assert t.moves() == {"24/22"}


# ------------------------------------------------------------------------- R6, bearing off


@pytest.mark.parametrize("die", range(1, 7))
def test_r6_a_die_bears_off_from_its_own_point(die: int) -> None:
    t = shuanglu("1:2 2:2 3:2 4:2 5:2 6:2 off3").roll(f"{die}{die}")
    assert f"{die}/off" in t.moves()
    assert t.play(f"{die}/off")["off"] == [4, 0]


@pytest.mark.parametrize("outside", ["7:1", "24:1", "bar1"])
def test_r6_not_before_all_are_home(outside: str) -> None:
    t = shuanglu(f"{outside} 3:2 off12", "24:15").roll("33")
    assert not any(name.endswith("/off") for name in t.moves())


def test_r6_once_the_last_has_come_home_they_bear_off() -> None:
    t = shuanglu("7:1 3:2 off12").roll("13").play("7/6")
    assert t.moves() == {"6/3", "3/off"}


def test_r6_exact_bears_off_nothing_from_lower_points() -> None:
    t = shuanglu("2:2 3:2 off11", bear_off="exact")
    assert t.roll("45").passed()
    t = shuanglu("2:2 3:2 off11", bear_off="exact").roll("33").play("3/off", "3/off")
    assert t["off"] == [13, 0]
    t = shuanglu("2:2 3:1 off12", bear_off="exact").roll("34").play("3/off")
    assert t.turn_ended()
    assert shuanglu("2:2 off13").roll("33").passed()


def test_r6_overshoot_only_from_the_highest_point() -> None:
    t = shuanglu("1:2 3:2 off11", bear_off="overshoot").roll("45")
    assert t.moves() == {"3/off(4)", "3/off(5)"}
    assert t.play("3/off(5)").moves() == {"3/off(4)"}
    t = shuanglu("1:2 3:2 off11", bear_off="overshoot").roll("25")
    assert t.moves() == {"3/off(5)", "3/1"}
    t = shuanglu("1:2 3:1 off12", bear_off="overshoot").roll("26").play("3/1")
    assert t.moves() == {"1/off(6)"}


def test_r6_overshoot_is_not_for_a_die_that_a_higher_point_can_play() -> None:
    t = shuanglu("2:2 6:1 off12", bear_off="overshoot").roll("44")
    assert t.lines() == {("6/2", "2/off(4)")}


def test_r6_overshoot_a_higher_piece_that_is_blocked_stops_it() -> None:
    assert shuanglu("1:2 6:1 off12", "22:2 off13", bear_off="overshoot").roll("33").passed()
    assert shuanglu("1:3 off12", "22:2 off13", bear_off="overshoot").roll("33").moves() == {"1/off(3)"}


def test_r6_overshoot_not_while_one_is_outside() -> None:
    assert shuanglu("2:2 7:1 off12", "24:2 off13", bear_off="overshoot").roll("66").passed()
    assert shuanglu("2:2 6:1 off12", "24:2 off13", bear_off="overshoot").roll("66").moves() == {"6/off"}


# ------------------------------------------------------------------------- R7, as many dice as possible


def test_r7_a_step_that_would_lose_the_other_die_is_illegal() -> None:
    # Ours 23, 18 and 7 are closed: after 13/8 there is no 1.
    t = shuanglu("24:1 13:1 off13", "2:2 7:2 18:2 off9").roll("15")
    assert t.moves() == {"13/12", "24/19"}
    assert t.lines() == {("13/12", "24/19"), ("24/19", "13/12")}


def test_r7_the_larger_die_where_only_one_can_be_played() -> None:
    t = shuanglu("24:1 off14", "12:2 off13").roll("56")
    assert t.lines() == {("24/18",)}
    t = shuanglu("24:1 off14", "12:2 off13", larger_die=False).roll("56")
    assert t.lines() == {("24/18",), ("24/19",)}


def test_r7_the_smaller_die_where_only_it_can_be_played() -> None:
    t = shuanglu("24:1 off14", "12:2 7:2 off11").roll("56")
    assert t.lines() == {("24/19",)}


@pytest.mark.parametrize("larger_die", [True, False])
def test_r7_the_larger_die_is_no_duty_where_both_can_be_played(larger_die: bool) -> None:
    t = shuanglu("24:2 off13", larger_die=larger_die).roll("34")
    assert t.moves() == {"24/21", "24/20"}
    assert ("24/21", "24/20") in t.lines()


def test_r7_from_the_bar_the_larger_die_that_enters() -> None:
    # Either enters, and neither goes on to 18, which is closed.
    t = shuanglu("bar1 off14", "7:2 off13").roll("34")
    assert t.lines() == {("bar/21",)}
    t = shuanglu("bar1 off14", "7:2 off13", larger_die=False).roll("34")
    assert t.lines() == {("bar/21",), ("bar/22",)}
    t = shuanglu("bar1 off14", "7:2 4:2 off11").roll("34")
    assert t.lines() == {("bar/22",)}


def test_r7_from_the_bar_by_the_one_order_that_is_open() -> None:
    t = shuanglu("bar1 off14", "1:2 off13").roll("14")
    assert t.lines() == {("bar/21", "21/20")}


def test_r7_both_dice_also_when_one_would_bear_off_the_last() -> None:
    t = shuanglu("3:1 off14", bear_off="overshoot").roll("13")
    assert t.lines() == {("3/2", "2/off(3)")}
    t = shuanglu("4:1 off14").roll("13")
    assert t.lines() == {("4/3", "3/off"), ("4/1", "1/off")}


def test_r7_exact_one_die_wins_where_both_cannot_be_played() -> None:
    assert shuanglu("6:1 off14").roll("16").lines() == {("6/off",)}
    assert shuanglu("6:1 off14", larger_die=False).roll("16").lines() == {("6/off",), ("6/5",)}
    assert shuanglu("3:1 off14").roll("35").lines() == {("3/off",)}
    assert shuanglu("5:1 off14").roll("35").lines() == {("5/off",)}


def test_r7_overshoot_the_larger_die_wins_too() -> None:
    assert shuanglu("2:1 off14", bear_off="overshoot").roll("56").lines() == {("2/off(6)",)}
    t = shuanglu("2:1 off14", bear_off="overshoot", larger_die=False).roll("56")
    assert t.lines() == {("2/off(5)",), ("2/off(6)",)}


def test_r7_doubles_go_on_while_any_piece_can() -> None:
    # Ours 3 and 4 are closed: 8 cannot move, and 24 gets as far as 9.
    t = shuanglu("8:1 24:1 off13", "21:2 22:2 off11", doubles=4).roll("55")
    assert t.lines() == {("24/19", "19/14", "14/9")}
    t = shuanglu("8:1 24:1 off13", "21:2 22:2 off11").roll("55")
    assert t.lines() == {("24/19", "19/14")}


def test_r7_doubles_bring_home_and_then_bear_off() -> None:
    assert shuanglu("5:1 10:1 off13").roll("55").lines() == {("10/5", "5/off")}
    assert shuanglu("5:1 10:1 off13", doubles=4).roll("55").lines() == {("10/5", "5/off", "5/off")}


def test_r7_a_forced_pass_is_a_turn_and_no_decision() -> None:
    t = shuanglu("bar1 6:14", "1:2 2:2 3:2 4:2 5:2 6:5", turn=7).roll("34")
    assert t.passed()
    assert t["turn"] == 8
    assert t.state.is_chance_node()


def test_r7_two_passes_give_the_throw_back() -> None:
    closed = "1:2 2:2 3:2 4:2 5:2 6:2 "
    t = shuanglu("bar3 " + closed, "bar3 " + closed).roll("34").roll("66")
    assert (t["phase"], t["player"], t["turn"], t["bar"]) == ("roll", 0, 2, [3, 3])


def test_r7_the_opening_throw_belongs_to_the_first_turn() -> None:
    t = new_game().open("31")
    assert t["turn"] == 0
    assert t.play("8/5", "6/5")["turn"] == 1


# ------------------------------------------------------------------------- R8 and R9, the end


@pytest.mark.parametrize("player", [0, 1])
def test_r8_the_first_to_bear_off_all_wins(player: int) -> None:
    t = shuanglu("1:1 2:1 off13", player=player, turn=30).roll("12").play("2/off", "1/off")
    assert t.state.is_terminal()
    assert t.state.current_player() == sarai.TERMINAL
    assert (t["winner"], t["points_won"], t["turn"]) == (player, 1, 30)
    assert list(t.state.returns()) == ([1.0, -1.0] if player == 0 else [-1.0, 1.0])


def test_r8_a_win_with_a_die_left_leaves_none() -> None:
    t = shuanglu("5:1 off14", doubles=4).roll("55").play("5/off")
    assert (t["phase"], t["dice"], t["player"], t["winner"]) == ("over", [], None, 0)
    t = shuanglu("3:1 off14").roll("35").play("3/off")
    assert (t["phase"], t["dice"], t["winner"]) == ("over", [], 0)


GAMMONS = [
    ("6:15", 2),  # nothing off, nobody in the winner's home
    ("18:15", 2),  # the winner's 7
    ("19:1 1:14", 3),  # the winner's 6
    ("24:1 2:14", 3),
    ("bar1 6:14", 3),
    ("bar1 6:13 off1", 1),
    ("19:1 6:13 off1", 1),
    ("6:14 off1", 1),
]


@pytest.mark.parametrize(("enemy", "points"), GAMMONS)
@pytest.mark.parametrize("player", [0, 1])
def test_r9_gammon_counts_two_or_three(enemy: str, points: int, player: int) -> None:
    t = shuanglu("3:1 off14", enemy, player=player, scoring="gammon").roll("35").play("3/off")
    assert t["points_won"] == points
    assert t.state.returns()[player] == points
    assert sum(t.state.returns()) == 0


@pytest.mark.parametrize(("enemy", "points"), GAMMONS)
def test_r9_single_counts_one(enemy: str, points: int) -> None:
    t = shuanglu("3:1 off14", enemy, scoring="single").roll("35").play("3/off")
    assert points >= t["points_won"] == 1
    assert list(t.state.returns()) == [1.0, -1.0]


def test_r9_a_piece_hit_by_the_last_turn_is_on_the_bar() -> None:
    t = shuanglu("5:1 off14", "22:1 6:14", scoring="gammon").roll("23").play("5/3*", "3/off")
    assert (t["winner"], t["points_won"], t.side(1)) == (0, 3, "bar1 6:14")
    assert pieces(t.side(1)).bar == 1


def test_r9_nothing_is_won_before_the_end() -> None:
    t = shuanglu("3:2 off13", scoring="gammon").roll("35").play("3/off")
    assert (t["winner"], t["points_won"]) == (None, 0)
    assert list(t.state.returns()) == [0.0, 0.0]
