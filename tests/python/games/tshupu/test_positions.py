"""T'shu-p'u at the Python face: the worked positions T1-T16 of the rule book, to the letter."""

from __future__ import annotations

import pytest

import sarai
from games.tshupu.table import ALL_OFF, new_game, tshupu

IN_HAND = "0 0 0 0"
LAST_ONE_ENTERING = "0 33 33 33"
LAST_ONE_STARTING = "1 33 33 33"


def test_t1_r3_the_first_throw_is_split_or_hits_blacks_four() -> None:
    t = new_game().roll("34")
    assert t.turns() == {"1/4 & 1/5", "1/8* (both)"}
    t.play("1/8* (both)")
    assert t.turn_ended()
    assert t["pieces"] == [[1, 1, 1, 8], [1, 1, 1, 1], [1, 1, 1, 1], [0, 0, 0, 0]]


def test_t1_r7_start_squares_that_are_cross_cuts_leave_the_split_only() -> None:
    assert new_game(crosscuts="sides_and_ends").roll("34").turns() == {"1/4 & 1/5"}


def test_t2_r3_doubles_move_two_pieces_or_one() -> None:
    assert new_game().roll("11").turns() == {"1/2 & 1/2", "1/3 (both)"}
    assert new_game().roll("66").turns() == {"1/7 & 1/7", "1/13 (both)"}


def test_t3_r9_pieces_in_hand_enter_by_a_die_or_the_total() -> None:
    assert tshupu(IN_HAND).roll("13").turns() == {"hand/1 & hand/3", "hand/4 (both)"}
    assert tshupu(IN_HAND).roll("36").turns() == {"hand/3 & hand/6", "hand/9 (both)"}


def test_t4_r3_all_plays_of_a_throw() -> None:
    assert tshupu("0 10 10 10").roll("36").turns() == {
        "hand/3 & 10/16",
        "hand/6 & 10/13",
        "hand/9 (both)",
        "10/13 & 10/16",
        "10/19 (both)",
    }


@pytest.mark.parametrize(
    "enemy", [{"east": "24 1 1 1"}, {"west": "10 1 1 1"}], ids=["an east piece", "a west piece"]
)
def test_t5_r7_an_enemy_on_the_cross_cut_does_not_stop_the_total(enemy: dict[str, str]) -> None:
    assert tshupu(LAST_ONE_ENTERING, **enemy).roll("34").turns() == {"hand/7 (both)"}


def test_t5_r4_the_partner_does_not_block_and_the_full_play_is_still_the_only_one() -> None:
    assert tshupu(LAST_ONE_ENTERING, north="17 1 1 1").roll("34").turns() == {"hand/7 (both)"}


def test_t6_r4_a_blocked_total_and_no_second_piece_leave_one_die() -> None:
    t = tshupu(LAST_ONE_STARTING, east="24 1 1 1").roll("11")
    assert t.sequences() == {("1/2",)}
    assert t.play("1/2").turn_ended()
    assert t.seat(0) == [2, 33, 33, 33]


def test_t7_r7_passing_over_the_cross_cut_is_free() -> None:
    assert tshupu(LAST_ONE_STARTING, east="24 1 1 1").roll("13").turns() == {"1/5 (both)"}


def test_t8_r6_all_enemies_on_the_square_are_hit_and_the_partner_stays() -> None:
    t = tshupu(LAST_ONE_STARTING, west="12 1 1 1", north="19 1 1 1", east="26 26 1 1").roll("13")
    assert t.turns() == {"1/5* (both)"}
    t.play("1/5* (both)")
    assert t["pieces"] == [[5, 33, 33, 33], [0, 1, 1, 1], [1, 1, 1, 19], [0, 0, 1, 1]]


def test_t9_r4_no_full_play_leaves_the_choice_of_a_die() -> None:
    t = tshupu("29 33 33 33").roll("13")
    assert t.sequences() == {("29/30",), ("29/32",)}
    assert t.copy().play("29/30")["turn"] == t["turn"] + 1
    assert t.play("29/32").turn_ended()
    assert t.seat(0) == [32, 33, 33, 33]


def test_t9_r4_the_turn_passes_when_no_die_can_be_played() -> None:
    t = tshupu("29 33 33 33").roll("46")
    assert t.turn_ended()
    assert t.seat(0) == [29, 33, 33, 33]


def test_t9_r5_the_centre_takes_an_exact_throw() -> None:
    assert tshupu("31 33 33 33").roll("14").sequences() == {("31/32",)}


def test_t10_r10_a_1_bears_off_and_the_total_may_be_played_instead() -> None:
    t = tshupu("32 10 33 33").roll("14")
    assert t.turns() == {"10/14 & 32/off", "10/15 (both)"}
    assert t.moves() == {"32/off", "10/14", "10/15 (both)"}
    t.play("32/off")
    assert (t["phase"], t["dice"], t["moved"]) == ("second", [4], 33)
    assert t.play("10/14").turn_ended()
    assert t.seat(0) == [14, 33, 33, 33]


def test_t11_r10_two_1s_bear_two_off() -> None:
    t = tshupu("32 32 33 33").roll("11")
    assert t.sequences() == {("32/off", "32/off")}
    assert t.play("32/off", "32/off").turn_ended()
    assert t.seat(0) == [33, 33, 33, 33]


def test_t11_r10_another_throw_passes() -> None:
    assert tshupu("32 32 33 33").roll("34").turn_ended()


def test_t12_r4_only_the_full_play() -> None:
    assert tshupu("31 28 33 33").roll("14").sequences() == {("31/32", "28/32"), ("28/32", "31/32")}


def test_t13_r4_a_die_that_leaves_the_other_unplayed_is_no_first_move() -> None:
    t = tshupu("30 10 33 33").roll("16")
    assert t.turns() == {"10/16 & 30/31", "10/17 (both)"}
    assert t.moves() == {"30/31", "10/16", "10/17 (both)"}


def test_t14_r6_a_piece_back_on_its_own_start_square_can_be_hit() -> None:
    t = tshupu("29 33 33 33", west=LAST_ONE_STARTING, player=1).roll("16")
    assert t.turns() == {"1/8* (both)"}
    t.play("1/8* (both)")
    assert t["pieces"][:2] == [[0, 33, 33, 33], [8, 33, 33, 33]]


def test_t15_r11_the_last_piece_of_both_partners_wins() -> None:
    t = tshupu("32 33 33 33", north=ALL_OFF).roll("16")
    assert t.sequences() == {("32/off",)}
    t.play("32/off")
    assert (t["phase"], t["player"], t["winner"], t["turn"]) == ("over", None, 0, 0)
    assert (t["dice"], t["moved"]) == ([], None)
    assert t.state.is_terminal()
    assert t.state.current_player() == sarai.TERMINAL
    assert t.state.legal_actions() == []
    assert list(t.state.returns()) == [1.0, -1.0, 1.0, -1.0]


def test_t16_r4_one_piece_by_both_dice_is_a_full_play() -> None:
    t = tshupu("29 33 33 33", same_piece_both_dice=True).roll("13")
    assert t.sequences() == {("29/32", "32/off")}
    assert t.play("29/32", "32/off").turn_ended()
    assert t.seat(0) == [33, 33, 33, 33]
