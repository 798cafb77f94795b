"""Sho: the worked positions S1 to S14 of the rule book."""

from __future__ import annotations

import pytest

import sarai
from games.sho.table import S14, Table, new_game, s1, sho, side


def test_s1_r9_pa_ra_then_11_gives_three_values_and_nine_moves() -> None:
    t = s1()
    assert t.values() == [2, 11, 13]
    assert t.sources(2) == {"hand/2", "10/12*", "23/25"}
    assert t.sources(11) == {"hand/11", "10/21", "23/34"}
    assert t.sources(13) == {"hand/13", "10/23+", "23/36"}


def test_s1_r9_a_kill_carries_the_unused_value_over() -> None:
    t = s1().play("value 2", "10/12*")
    assert t.goes_on()
    assert t["pool"] == [11]
    assert t.side(1) == side("40:2 h7")
    t.roll("34")
    assert t["pool"] == [7, 11]
    assert t.values() == [7, 11, 18]


def test_s1_r9_the_turn_goes_on_until_a_place() -> None:
    t = s1().play("value 2", "10/12*").roll("34").play("value 11", "12/23+")
    assert t.goes_on()
    assert t["pool"] == [7]
    assert t.side(0) == side("23:3 h6")
    t.roll("23")
    assert t["pool"] == [5, 7]
    assert t.values() == [5, 7, 12]
    t.play("value 12", "23/35")
    assert t.turn_ended()
    assert t.side(0) == side("35:3 h6")


def test_s2_r6_equal_stack_is_killed() -> None:
    t = sho("5:2 h7", "9:2 12:3 h4").roll("22")
    assert t.moves() == {"hand/4", "5/9*"}
    t.play("5/9*")
    assert t.goes_on()
    assert [t.side(0), t.side(1)] == [side("9:2 h7"), side("12:3 h6")]


def test_s2_r6_larger_stack_blocks() -> None:
    assert sho("5:2 h7", "9:2 12:3 h4").roll("34").moves() == {"hand/7"}


@pytest.mark.parametrize("throw", ["26", "35", "44"])
def test_s3_r7_a_player_with_no_legal_move_is_passed_over(throw: str) -> None:
    t = sho("h9", "8:2 h7").roll(throw)
    assert t.turn_ended()
    assert [t.side(0), t.side(1)] == [side("h9"), side("8:2 h7")]


def test_s4_r7_a_kill_rolls_again() -> None:
    t = sho("3:1 h8", "8:1 h8").roll("23")
    assert t.moves() == {"hand/5", "3/8*"}
    t.play("3/8*")
    assert t.goes_on()
    assert [t.side(0), t.side(1)] == [side("8:1 h8"), side("h9 cleared")]


def test_s4_r11_killing_the_last_stack_ends_the_turn() -> None:
    t = sho("3:1 h8", "8:1 h8", last_kill_ends_turn=True).roll("23")
    assert t.moves() == {"hand/5", "3/8*"}
    t.play("3/8*")
    assert t.turn_ended()
    assert [t.side(0), t.side(1)] == [side("8:1 h8"), side("h9 cleared")]


def test_s5_r12_six_three_brings_all_coins_to_9() -> None:
    t = sho("h9 cleared", "20:1 h8", six_three=True).roll("36")
    assert t.moves() == {"hand/9", "hand/9 all"}
    t.play("hand/9 all")
    assert t.turn_ended()
    assert t.side(0) == side("9:9")


def test_s5_r12_another_9_is_not_six_three() -> None:
    assert sho("h9 cleared", "20:1 h8", six_three=True).roll("45").moves() == {"hand/9"}


def test_s5_r12_an_occupied_9_leaves_the_single_kill() -> None:
    assert sho("h9 cleared", "9:1 h8", six_three=True).roll("36").moves() == {"hand/9*"}


def test_s5_r12_not_at_the_start_of_the_game() -> None:
    assert new_game(six_three=True).roll("36").moves() == {"hand/9"}


def test_s5_r12_six_three_inside_a_pool() -> None:
    t = sho("h9 cleared", "20:1 h8", six_three=True).roll("11", "36")
    assert t.values() == [2, 9, 11]
    assert t.sources(9) == {"hand/9", "hand/9 all"}
    assert t.sources(2) == {"hand/2"}
    assert t.sources(11) == {"hand/11"}
    assert t.play("value 9", "hand/9 all").turn_ended()


def test_s6_r10_stack_of_nine() -> None:
    assert sho("14:1 20:8", "h9").roll("33").moves() == {"14/20+", "20/26"}
    assert sho("14:1 20:8", "h9", niner_stack=False).roll("33").moves() == {"20/26"}


def test_s7_r8_the_last_coin_off_wins_at_once() -> None:
    t = sho("60:1 off8", "h9").roll("56")
    assert t.moves() == {"60/off"}
    t.play("60/off")
    assert t["phase"] == "over"
    assert t["winner"] == 0
    assert t["player"] is None
    assert t["turn"] == 0
    assert t.state.is_terminal()
    assert t.state.current_player() == sarai.TERMINAL
    assert t.state.legal_actions() == []
    assert list(t.state.returns()) == [1.0, -1.0]


def test_s8_r7_a_finish_ends_the_turn() -> None:
    t = sho("59:2 30:7", "h9").roll("56")
    assert t.moves() == {"59/off", "30/41"}
    t.play("59/off")
    assert t.turn_ended()
    assert t.side(0) == side("30:7 off2")


def test_s8_r14_the_unused_counts_move_another_stack() -> None:
    t = sho("59:2 30:7", "h9", finish_overflow=True).roll("56").play("59/off")
    assert t["phase"] == "overflow"
    assert t["value"] == 6
    assert t["pool"] == []
    assert t["player"] == 0
    assert t.state.current_player() == 0
    assert t.moves() == {"30/36", "decline"}


@pytest.mark.parametrize(("throw", "name"), [("23", "59/off"), ("13", "59/63")])
def test_s9_r2_the_last_position_is_63(throw: str, name: str) -> None:
    assert name in sho("59:2 30:7", "h9").roll(throw).moves()


def s10() -> Table:
    return sho("10:1 12:1 40:1 h6", "h9").roll("11", "11", "23")


def test_s10_r9_two_pa_ra_before_a_five() -> None:
    t = s10()
    assert t["pool"] == [2, 2, 5]
    assert t.values() == [2, 4, 5, 7, 9]


def test_s10_r9_a_pa_ra_joins_what_is_left_of_the_pool() -> None:
    t = s10().play("value 2", "10/12+")
    assert t.goes_on()
    assert t["pool"] == [2, 5]
    t.roll("11")
    assert t["phase"] == "reroll"
    assert t["pool"] == [2, 2, 5]
    t.roll("33")
    assert t["pool"] == [2, 2, 5, 6]
    assert t.values() == [2, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15]


def test_s11_r9_a_sum_that_stacks_spends_the_whole_pool() -> None:
    t = sho("10:1 20:1 h7", "h9").roll("11", "26").play("value 10", "10/20+")
    assert t.goes_on()
    assert t["pool"] == []


def test_s12_r9_a_place_loses_what_is_left() -> None:
    assert sho("10:1 20:1 h7", "h9").roll("11", "26").play("value 8", "10/18").turn_ended()


def test_s13_r9_only_values_that_some_source_can_play() -> None:
    t = sho("h9", "2:2 8:2 h5").roll("11", "35")
    assert t.values() == [10]
    assert t.sources(10) == {"hand/10"}


def test_s14_r13_any_split_of_the_total() -> None:
    t = sho(S14, "h9", pa_ra="flexible").roll("11", "56")
    assert t["pool"] == [2, 11]
    assert t.values() == list(range(1, 13))
    t.play("value 4", "10/14")
    assert t["phase"] == "source"
    assert t["pool"] == [9]
    assert t["value"] == 9
    assert t["moved"] == 14
    assert t.moves() == {"hand/9", "20/29"}
    assert t.play("20/29").turn_ended()


def test_s14_r13_a_second_move_that_stacks_rolls_again() -> None:
    t = sho("10:1 20:1 29:1 h6", "h9", pa_ra="flexible").roll("11", "56").play("value 4", "10/14", "20/29+")
    assert t.goes_on()
    assert t["pool"] == []


def test_s14_r13_a_first_move_that_kills_does_not_roll_again() -> None:
    t = sho(S14, "14:1 h8", pa_ra="flexible").roll("11", "56").play("value 4", "10/14*")
    assert t["phase"] == "source"
    assert t.side(1) == side("h9 cleared")
    assert t.play("20/29").turn_ended()


def test_s14_r13_one_is_a_legal_part() -> None:
    t = sho(S14, "h9", pa_ra="flexible").roll("11", "56").play("value 1", "10/11")
    assert "20/32" in t.moves()
