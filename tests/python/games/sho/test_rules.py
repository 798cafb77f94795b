"""Sho: the rules R1 to R12."""

from __future__ import annotations

import pytest

import sarai
from games.sho.table import S14, new_game, sho, side

# ---------------------------------------------------------------------------- R1-R8, the basic game


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r1_each_player_is_a_side(players: int) -> None:
    t = new_game(players=players)
    assert t.game.num_players == players
    assert list(t.game.sides) == list(range(players))
    assert t["sides"] == [side("h9")] * players


def test_r1_partners_share_one_set_of_coins() -> None:
    t = sho("10:1 h8", "h9", players=4, teams=True, player=2)
    assert list(t.game.sides) == [0, 1, 0, 1]
    t.roll("12").play("10/13")
    assert t["player"] == 3
    assert t.side(0) == side("13:1 h8")
    t.roll("12").play("hand/3")
    assert t["player"] == 0
    assert t.side(1) == side("3:1 h8")
    assert t.roll("13").moves() == {"hand/4", "13/17"}


def test_r1_a_coin_of_the_partner_is_stacked_on() -> None:
    t = new_game(players=4, teams=True).roll("12").play("hand/3").roll("13").play("hand/4").roll("12")
    assert t.moves() == {"hand/3+", "3/6"}


@pytest.mark.parametrize(("num_shells", "throw", "name"), [(12, "66", "hand/off"), (13, "66", "hand/12")])
def test_r2_a_hand_coin_can_finish_on_a_short_board(num_shells: int, throw: str, name: str) -> None:
    assert new_game(num_shells=num_shells).roll(throw).moves() == {name}


def test_r2_no_exact_throw_is_needed() -> None:
    t = sho("63:3 h6", "h9").roll("66").play("63/off")
    assert t.side(0) == side("h6 off3")


def test_r3_coins_enter_singly() -> None:
    t = new_game().roll("25").play("hand/7")
    assert t.side(0) == side("7:1 h8")
    assert t.turn_ended()


def test_r3_no_move_from_an_empty_hand() -> None:
    assert sho("10:9", "h9").roll("12").moves() == {"10/13"}


def test_r4_a_stack_moves_as_one_and_is_never_split() -> None:
    t = sho("10:4 h5", "h9").roll("13").play("10/14")
    assert t.side(0) == side("14:4 h5")


def test_r4_all_coins_of_a_killed_stack_go_back() -> None:
    t = sho("10:4 h5", "14:3 20:1 h5").roll("13").play("10/14*")
    assert [t.side(0), t.side(1)] == [side("14:4 h5"), side("20:1 h8")]


def test_r5_only_the_total_counts() -> None:
    for throw in ("15", "24", "33"):
        t = sho("10:1 20:2 h6", "h9").roll(throw)
        assert t["pool"] == [6]
        assert t["value"] == 6
        assert t.moves() == {"hand/6", "10/16", "20/26"}


def test_r5_the_only_legal_move_must_be_played() -> None:
    t = sho("h9", "h9").roll("12")
    assert t["phase"] == "source"
    assert t.state.current_player() == 0
    assert t.moves() == {"hand/3"}
    with pytest.raises(sarai.IllegalActionError):
        t.state.apply_action(129)


def test_r6_passing_over_anything_is_free() -> None:
    t = sho("3:1 h8", "4:3 5:3 6:3", "7:9").roll("23")
    assert t.moves() == {"3/8"}


@pytest.mark.parametrize("victim", [1, 2])
def test_r6_any_opponent_can_be_killed(victim: int) -> None:
    others = ["h9", "h9"]
    others[victim - 1] = "5:1 h8"
    t = sho("h9", *others).roll("23").play("hand/5*")
    assert t.goes_on()
    assert t.side(victim) == side("h9 cleared")
    assert t.side(3 - victim) == side("h9")


def test_r6_own_coins_are_stacked_whatever_their_number() -> None:
    t = sho("5:6 h3", "h9").roll("23").play("hand/5+")
    assert t.goes_on()
    assert t.side(0) == side("5:7 h2")


def test_r7_a_place_ends_the_turn() -> None:
    assert sho("10:1 h8", "h9").roll("12").play("10/13").turn_ended()


def test_r7_a_stack_rolls_again_and_again() -> None:
    t = sho("10:1 13:1 20:1 h6", "h9").roll("12").play("10/13+")
    assert t.goes_on()
    t.roll("34").play("13/20+")
    assert t.goes_on()
    assert t.side(0) == side("20:3 h6")
    assert t.roll("12").play("20/23").turn_ended()


def test_r7_play_passes_round_the_table() -> None:
    t = new_game(players=3)
    for turn, throw in enumerate(["12", "13", "14", "15"]):
        assert (t["player"], t["turn"]) == (turn % 3, turn)
        t.roll(throw).play(f"hand/{turn + 3}")


def test_r8_the_game_goes_on_while_a_coin_is_left() -> None:
    t = sho("60:1 h1 off7", "h9").roll("56").play("60/off")
    assert t.turn_ended()
    assert t.side(0) == side("h1 off8")
    assert list(t.state.returns()) == [0.0, 0.0]


def test_r8_a_stack_can_win() -> None:
    t = sho("h9", "60:8 off1", "h9", player=1).roll("13").play("60/off")
    assert t["winner"] == 1
    assert t.side(1) == side("off9")


# ---------------------------------------------------------------------------------------- R9, pa ra


def test_r9_pa_ra_rolls_again_before_moving() -> None:
    t = new_game().roll("11")
    assert t["phase"] == "reroll"
    assert t["pool"] == [2]
    assert t["player"] == 0
    assert t["value"] is None
    assert t.state.is_chance_node()
    assert t.state.legal_actions() == []
    assert len(t.state.chance_outcomes()) == 21


def test_r9_only_the_values_that_can_be_played_are_offered() -> None:
    t = sho("10:1 h8", "12:2 2:2 h5", pool=(2,)).roll("35")
    assert t["phase"] == "value"
    assert t.values() == [8, 10]


def test_r9_a_leftover_joins_a_plain_roll() -> None:
    t = sho("10:1 h8", "h9", pool=(11,)).roll("34")
    assert t["pool"] == [7, 11]
    assert t.values() == [7, 11, 18]
    assert t.sources(18) == {"hand/18", "10/28"}


def test_r9_the_pool_is_lost_when_no_part_of_it_can_be_played() -> None:
    assert sho("h9", "2:2 8:2 10:2 h3", pool=(2,)).roll("35").turn_ended()


def test_r9_a_finish_loses_what_is_left() -> None:
    assert sho("60:1 30:1 h7", "h9").roll("11", "26").play("value 8", "60/off").turn_ended()


def test_r9_the_chosen_value_stays_in_the_pool_until_the_source_is_played() -> None:
    t = sho("10:1 18:1 h7", "h9").roll("11", "26").play("value 8")
    assert t["phase"] == "source"
    assert t["value"] == 8
    assert t["pool"] == [2, 8]
    assert t["moved"] is None
    t.play("10/18+")
    assert t.goes_on()
    assert t["pool"] == [2]
    assert t["value"] is None


@pytest.mark.parametrize(
    ("leftover", "throw", "value", "left"),
    [
        ((2, 2), "13", 4, [2, 2]),  # one value before two
        ((2, 5, 5), "26", 10, [5, 5]),  # 8+2 before 5+5
        ((3, 4, 7), "26", 11, [4, 7]),  # 8+3 before 7+4
        ((2, 3, 5, 6), "34", 15, [3, 5]),  # 7+6+2 before 7+5+3
        ((2, 2, 6, 6), "26", 12, [2, 2, 8]),  # 6+6 before 8+2+2
        ((2, 2, 2, 6), "24", 6, [2, 2, 2, 6]),  # a single 6, not three twos
    ],
)
def test_r9_of_equal_sums_the_fewest_then_the_largest_values_are_spent(
    leftover: tuple[int, ...], throw: str, value: int, left: list[int]
) -> None:
    t = sho(f"20:1 {20 + value}:1 h7", "h9", pool=leftover).roll(throw)
    t.play(f"value {value}", f"20/{20 + value}+")
    assert t.goes_on()
    assert t["pool"] == left


def test_r9_the_eighth_value_gives_no_further_roll() -> None:
    t = new_game().roll(*["11"] * 7)
    assert t["phase"] == "reroll"
    assert t["pool"] == [2] * 7
    t.roll("11")
    assert t["pool"] == [2] * 8
    assert t.values() == [2, 4, 6, 8, 10, 12, 14, 16]


def test_r9_a_seven_value_leftover_takes_one_more() -> None:
    t = sho("h9", "h9", pool=(2,) * 7).roll("11")
    assert t["phase"] == "value"
    assert t["pool"] == [2] * 8


def test_r9_a_sum_above_64_is_not_offered() -> None:
    t = sho("h9", "h9", pool=(4, 12, 12, 12, 12, 12)).roll("66")  # up to 76
    assert t.values() == [4, 12, 16, 24, 28, 36, 40, 48, 52, 60, 64]
    assert t.sources(64) == {"hand/off"}


# -------------------------------------------------------------------------- R10-R12, three variants


def test_r10_the_coins_off_count_as_well() -> None:
    assert sho("14:1 20:7 off1", "h9", niner_stack=False).roll("33").moves() == {"14/20+", "20/26"}


def test_r10_the_last_hand_coin_may_not_complete_the_stack() -> None:
    assert sho("7:8 h1", "h9", niner_stack=False).roll("34").moves() == {"7/14"}
    assert sho("7:8 h1", "h9").roll("34").moves() == {"hand/7+", "7/14"}


def test_r10_means_all_coins_of_a_side_however_few() -> None:
    assert sho("5:1 h1", "h2", coins=2, niner_stack=False).roll("23").moves() == {"5/10"}


def test_r11_a_victim_with_another_stack_does_not_end_the_turn() -> None:
    t = sho("3:1 h8", "8:1 20:1 h7", last_kill_ends_turn=True).roll("23").play("3/8*")
    assert t.goes_on()


def test_r11_looks_at_the_victim_alone() -> None:
    t = sho("3:1 h8", "8:1 h8", "20:1 h8", last_kill_ends_turn=True).roll("23").play("3/8*")
    assert t.turn_ended()
    assert t.side(1) == side("h9 cleared")


def test_r11_coins_off_do_not_save_the_turn() -> None:
    t = sho("3:1 h8", "8:1 h7 off1", last_kill_ends_turn=True).roll("23").play("3/8*")
    assert t.turn_ended()
    assert t.side(1) == side("h8 off1")


def test_r11_the_pool_is_lost() -> None:
    t = sho("3:1 h8", "5:1 h8", last_kill_ends_turn=True).roll("11", "26").play("value 2", "3/5*")
    assert t.turn_ended()


def test_r11_holds_in_an_overflow_move() -> None:
    t = sho("59:2 30:7", "36:1 h8", last_kill_ends_turn=True, finish_overflow=True)
    assert t.roll("56").play("59/off", "30/36*").turn_ended()


def test_r11_in_the_first_part_of_a_split_ends_the_turn_at_once() -> None:
    t = sho(S14, "14:1 h8", pa_ra="flexible", last_kill_ends_turn=True).roll("11", "56")
    t.play("value 4", "10/14*")
    assert t.turn_ended()
    assert t.side(0) == side("14:1 20:1 h7")


def test_r11_then_no_second_part_need_be_playable() -> None:
    one_stack = ("10:1 off8", "14:1 h8")
    t = sho(*one_stack, pa_ra="flexible", last_kill_ends_turn=True).roll("11", "56")
    assert t.values() == [4]
    assert t.sources(4) == {"10/14*"}
    assert t.play("value 4", "10/14*").turn_ended()
    assert sho(*one_stack, pa_ra="flexible").roll("11", "56").values() == [13]


def test_r12_needs_the_option() -> None:
    assert sho("h9 cleared", "h9").roll("36").moves() == {"hand/9"}


def test_r12_cleared_means_every_coin_in_hand_because_of_a_kill() -> None:
    t = sho("5:1 h8", "10:1 h7 off1", "20:1 h8").roll("23").play("5/10*")
    assert t.side(1) == side("h8 off1")
    t = sho("5:1 h8", "10:1 h8", "20:1 h8").roll("23").play("5/10*")
    assert t.side(1) == side("h9 cleared")


def test_r12_a_coin_that_leaves_the_hand_ends_it() -> None:
    t = sho("h9 cleared", "20:1 h8", six_three=True).roll("36").play("hand/9")
    assert t.side(0) == side("9:1 h8")


@pytest.mark.parametrize(("num_shells", "moves"), [(9, {"hand/off"}), (10, {"hand/9", "hand/9 all"})])
def test_r12_needs_a_position_9(num_shells: int, moves: set[str]) -> None:
    t = sho("h9 cleared", "h9", six_three=True, num_shells=num_shells).roll("36")
    assert t.moves() == moves


def test_r12_is_never_part_of_a_split() -> None:
    t = sho("h9 cleared", "20:1 h8", six_three=True, pa_ra="flexible").roll("11", "36")
    assert t.sources(9) == {"hand/9"}
    assert t.play("value 2", "hand/2").moves() == {"hand/9"}


def test_r12_plain_roll_under_flexible_pa_ra() -> None:
    t = sho("h9 cleared", "20:1 h8", six_three=True, pa_ra="flexible").roll("36")
    assert t.moves() == {"hand/9", "hand/9 all"}


def test_r12_the_roll_is_remembered_until_a_move_or_the_next_roll() -> None:
    t = sho("10:1 h8", "h9", six_three=True).roll("36")
    assert t["six_three_roll"] is True
    t.play("10/19")
    assert t["six_three_roll"] is False
    t = sho("h9", "9:2 h7", six_three=True).roll("36")
    assert t.turn_ended()
    assert t["six_three_roll"] is True
    assert t.roll("45")["six_three_roll"] is False
    assert sho("10:1 h8", "h9").roll("36")["six_three_roll"] is False
