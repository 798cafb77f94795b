"""Sho: flexible pa ra (R13), overflow (R14) and the stake (R15)."""

from __future__ import annotations

import pytest

from games.sho.table import S14, flexible, overflow, sho, side

# ------------------------------------------------------------------------------ R13, flexible pa ra


def test_r13_a_further_pa_ra_adds_two_and_rolls_again() -> None:
    t = flexible("10:1 20:1 off7", "h9").roll("11", "11")
    assert t["phase"] == "reroll"
    assert t["pool"] == [2, 2]
    t.roll("12")
    assert t["pool"] == [2, 2, 3]
    assert t.values() == [1, 2, 3, 4, 5, 6]


def test_r13_the_second_part_is_a_different_stack() -> None:
    t = flexible("10:1 20:1 off7", "h9").roll("11", "56").play("value 4", "10/14")
    assert t.moves() == {"20/29"}


def test_r13_the_second_hand_coin_is_different_and_may_land_on_the_first() -> None:
    t = flexible("h9", "h9").roll("11", "24").play("value 4", "hand/4")
    assert t.moves() == {"hand/4+"}
    t.play("hand/4+")
    assert t.goes_on()
    assert t.side(0) == side("4:2 h7")


def test_r13_only_splits_whose_second_part_can_be_played() -> None:
    t = flexible("10:1 20:1 off7", "29:2 h7").roll("11", "56")
    assert t.sources(4) == {"20/24"}
    t.play("value 9")
    assert t.moves() == {"10/19"}


def test_r13_a_merged_stack_is_no_second_stack() -> None:
    t = flexible("10:1 14:1 off7", "h9").roll("11", "56")
    assert t.sources(4) == {"14/18"}


def test_r13_after_a_first_part_that_goes_off_nothing_is_excluded() -> None:
    t = flexible("60:1 30:1 off7", "h9").roll("11", "56").play("value 4", "60/off")
    assert t["moved"] == 64
    assert t["pool"] == [9]
    assert t.moves() == {"30/39"}
    assert t.play("30/39").turn_ended()


def test_r13_off_is_written_64_on_a_short_board_too() -> None:
    t = flexible("19:1 3:1 off7", "h9", num_shells=20).roll("11", "56").play("value 4", "19/off")
    assert t["moved"] == 64


def test_r13_the_total_alone_when_no_split_is_legal() -> None:
    t = flexible("10:1 off8", "23:1 h8").roll("11", "56")
    assert t.values() == [13]
    assert t.sources(13) == {"10/23*"}
    t.play("value 13")
    assert t["pool"] == [2, 11]
    assert t["value"] == 13
    assert t["moved"] is None
    t.play("10/23*")
    assert t.goes_on()
    assert t["pool"] == []


def test_r13_the_turn_ends_when_not_even_the_total_can_be_played() -> None:
    assert flexible("10:1 off8", "23:2 h7").roll("11", "56").turn_ended()


def test_r13_a_second_part_that_kills_rolls_again() -> None:
    t = flexible("10:1 20:1 off7", "29:1 h8").roll("11", "56").play("value 4", "10/14", "20/29*")
    assert t.goes_on()
    assert t["pool"] == []
    assert t["moved"] is None


def test_r13_a_second_part_can_win() -> None:
    t = flexible("60:1 59:1 off7", "h9").roll("11", "56").play("value 4", "60/off", "59/off")
    assert t["phase"] == "over"
    assert t["winner"] == 0


def test_r13_the_eighth_value_gives_no_further_roll() -> None:
    t = flexible("h9", "h9").roll(*["11"] * 8)
    assert t["pool"] == [2] * 8
    assert t.values() == list(range(1, 16))


def test_r13_other_throws_are_plain() -> None:
    t = flexible(S14, "h9").roll("56")
    assert t["phase"] == "source"
    assert t.moves() == {"hand/11", "10/21", "20/31"}


def test_r13_counts_left_over_by_the_first_part_are_lost() -> None:
    t = flexible("60:1 30:1 off7", "h9", finish_overflow=True).roll("11", "56").play("value 10", "60/off")
    assert t["phase"] == "source"
    assert t["value"] == 3
    assert t.moves() == {"30/33"}
    assert t.play("30/33").turn_ended()


def test_r13_overflow_follows_the_second_part() -> None:
    t = flexible("60:1 40:1 30:1 off6", "h9", finish_overflow=True).roll("11", "56")
    t.play("value 4", "40/44", "60/off")
    assert t["phase"] == "overflow"
    assert t["value"] == 5
    assert t["pool"] == []
    assert t["moved"] is None
    assert t.moves() == {"30/35", "44/49", "decline"}


def test_r13_none_makes_pa_ra_a_plain_two() -> None:
    t = sho("10:1 h8", "h9", pa_ra="none").roll("11")
    assert t["phase"] == "source"
    assert t["pool"] == [2]
    assert t.moves() == {"hand/2", "10/12"}


# ------------------------------------------------------------------------ R14, R15: overflow, stake


def test_r14_declining_ends_the_turn() -> None:
    t = overflow("59:2 30:7", "h9").roll("56").play("59/off", "decline")
    assert t.turn_ended()
    assert t.side(0) == side("30:7 off2")


def test_r14_a_place_ends_the_turn() -> None:
    t = overflow("59:2 30:7", "h9").roll("56").play("59/off", "30/36")
    assert t.turn_ended()
    assert t.side(0) == side("36:7 off2")


@pytest.mark.parametrize(
    ("a", "b", "name"), [("59:2 30:6 36:1", "h9", "30/36+"), ("59:2 30:7", "36:1 h8", "30/36*")]
)
def test_r14_a_stack_or_a_kill_rolls_again(a: str, b: str, name: str) -> None:
    assert overflow(a, b).roll("56").play("59/off", name).goes_on()


def test_r14_a_hand_coin_can_use_the_counts() -> None:
    assert overflow("59:2 h7", "h9").roll("56").play("59/off").moves() == {"hand/6", "decline"}


def test_r14_an_exact_finish_leaves_nothing() -> None:
    assert overflow("53:2 30:7", "h9").roll("56").play("53/off").turn_ended()


def test_r14_no_legal_move_no_question() -> None:
    assert overflow("59:2 30:7", "36:8 h1").roll("56").play("59/off").turn_ended()


def test_r14_a_won_game_has_no_overflow() -> None:
    assert overflow("60:1 off8", "h9").roll("56").play("60/off")["phase"] == "over"


def test_r14_no_second_overflow() -> None:
    t = overflow("59:1 60:1 30:7", "h9").roll("56").play("59/off")
    assert t.moves() == {"30/36", "60/off", "decline"}
    assert t.play("60/off").turn_ended()
    assert t.side(0) == side("30:7 off2")


def test_r14_an_overflow_can_win() -> None:
    t = overflow("59:1 60:8", "h9").roll("56").play("59/off", "60/off")
    assert t["winner"] == 0


def test_r14_the_pool_waits_for_the_overflow() -> None:
    t = overflow("59:1 30:1 36:1 h6", "h9").roll("11", "56").play("value 11", "59/off")
    assert t["phase"] == "overflow"
    assert t["pool"] == [2]
    assert t["value"] == 6
    t.play("30/36+")
    assert t.goes_on()
    assert t["pool"] == [2]
    assert t.roll("12").values() == [2, 3, 5]


def test_r14_declining_loses_the_pool() -> None:
    t = overflow("59:1 30:1 36:1 h6", "h9").roll("11", "56").play("value 11", "59/off", "decline")
    assert t.turn_ended()


def test_r14_a_stack_moved_before_in_the_turn_may_move() -> None:
    t = overflow("10:1 12:1 59:1 h6", "h9").roll("11", "56").play("value 2", "10/12+").roll("12")
    t.play("value 11", "59/off")
    assert "12/18" in t.moves()


@pytest.mark.parametrize(("players", "stake"), [(2, 1.0), (3, 2.5), (4, 0.5)])
def test_r15_the_winner_takes_every_stake(players: int, stake: float) -> None:
    t = sho("h9", "60:1 off8", *["h9"] * (players - 2), player=1, stake=stake).roll("56").play("60/off")
    expected = [-stake] * players
    expected[1] = (players - 1) * stake
    assert list(t.state.returns()) == expected


def test_r15_partners_each_gain_one_stake() -> None:
    t = sho("h9", "60:1 off8", players=4, teams=True, player=3, stake=2.5).roll("56").play("60/off")
    assert t["winner"] == 1
    assert list(t.state.returns()) == [-2.5, 2.5, -2.5, 2.5]
