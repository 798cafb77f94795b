"""Sho at the Python face: the worked positions S1-S14 of the rule book, its rules, options and presets.

Positions are written as in the rule book: ``sho("10:1 23:2 h6", "12:1 h8")`` is side A with one coin on 10,
two on 23 and six in hand, to move against side B. A throw is the two digits of its dice, a move its name.
"""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

import sarai

DICE = [f"{low}{high}" for low in range(1, 7) for high in range(low, 7)]


def side(text: str) -> dict[str, Any]:
    """The dict of a side from "10:1 23:2 h6 off1 cleared"."""
    coins: dict[str, Any] = {"hand": 0, "off": 0, "stacks": {}, "cleared": False}
    for word in text.split():
        if ":" in word:
            position, size = word.split(":")
            coins["stacks"][position] = int(size)
        elif word == "cleared":
            coins["cleared"] = True
        else:
            key, number = ("off", word[3:]) if word.startswith("off") else ("hand", word[1:])
            coins[key] = int(number)
    return coins


class Table:
    """A game in progress, played in the words of the rule book."""

    def __init__(self, game: Any, state: Any) -> None:
        self.game = game
        self.state = state
        self.start = state.to_dict()

    def __getitem__(self, key: str) -> Any:
        return self.state.to_dict()[key]

    def roll(self, *throws: str) -> Table:
        for throw in throws:
            assert self["phase"] in ("roll", "reroll")
            assert self.state.current_player() == sarai.CHANCE
            self.state.apply_action(DICE.index(throw))
        return self

    def play(self, *names: str) -> Table:
        for name in names:
            by_name = {self.state.action_to_string(a): a for a in self.state.legal_actions()}
            assert name in by_name
            self.state.apply_action(by_name[name])
        return self

    def moves(self) -> set[str]:
        """The names of the legal actions, none of them twice."""
        names = [self.state.action_to_string(a) for a in self.state.legal_actions()]
        assert len(names) == len(set(names))
        return set(names)

    def values(self) -> list[int]:
        assert self["phase"] == "value"
        names = [self.state.action_to_string(a) for a in self.state.legal_actions()]
        assert all(name.startswith("value ") for name in names)
        return [int(name.removeprefix("value ")) for name in names]

    def sources(self, value: int) -> set[str]:
        """The moves by a value, in the phase that asks for the value."""
        return Table(self.game, self.state.clone()).play(f"value {value}").moves()

    def side(self, number: int) -> dict[str, Any]:
        sides: list[dict[str, Any]] = self["sides"]
        return sides[number]

    def goes_on(self) -> bool:
        """Whether the player on turn at the start is to roll again, in the same turn."""
        kept = all(self[key] == self.start[key] for key in ("player", "turn"))
        return kept and self["phase"] == "roll"

    def turn_ended(self) -> bool:
        """Whether the next seat is to roll, with nothing left over from the turn before."""
        passed = self["turn"] == self.start["turn"] + 1
        seat = (self.start["player"] + 1) % self.game.num_players
        nothing_left = (self["pool"], self["value"], self["moved"]) == ([], None, None)
        return passed and nothing_left and self["phase"] == "roll" and self["player"] == seat


def sho(*sides: str, player: int = 0, pool: tuple[int, ...] = (), turn: int = 0, **options: Any) -> Table:
    """Seat `player` about to roll; as many players as sides unless `players` says otherwise."""
    options.setdefault("players", len(sides))
    game = sarai.make("sho", **options)
    coins = [side(text) for text in sides]
    for c in coins:  # a slip of the pen in a position should not look like a fault of the engine
        assert c["hand"] + c["off"] + sum(c["stacks"].values()) == game.rules["coins"]
    d = {
        "phase": "roll",
        "player": player,
        "sides": coins,
        "pool": list(pool),
        "six_three_roll": False,
        "value": None,
        "moved": None,
        "turn": turn,
        "winner": None,
    }
    return Table(game, game.state_from_dict(d))


def new_game(**options: Any) -> Table:
    game = sarai.make("sho", **options)
    return Table(game, game.new_initial_state())


# --------------------------------------------------------------------- S1-S14, the worked positions


def s1() -> Table:
    return sho("10:1 23:2 h6", "12:1 40:2 h6").roll("11", "56")


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


S14 = "10:1 20:1 h7"


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


# ------------------------------------------------------------------------------ R13, flexible pa ra


def flexible(*sides: str, **options: Any) -> Table:
    return sho(*sides, pa_ra="flexible", **options)


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


def overflow(*sides: str, **options: Any) -> Table:
    return sho(*sides, finish_overflow=True, **options)


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


# ---------------------------------------------------------------------- the options and the presets

DEFAULTS: dict[str, Any] = {
    "players": 3,
    "teams": False,
    "num_shells": 64,
    "coins": 9,
    "entry_coins": 1,
    "niner_stack": True,
    "six_three": False,
    "last_kill_ends_turn": False,
    "pa_ra": "choose",
    "finish_overflow": False,
    "first_player": 0,
    "stake": 1.0,
    "max_turns": 5000,
}


def test_presets_are_those_of_the_rule_book() -> None:
    assert sarai.presets("sho") == {
        "basic": DEFAULTS,
        "variants": {**DEFAULTS, "six_three": True, "last_kill_ends_turn": True, "finish_overflow": True},
        "no_niner": {**DEFAULTS, "niner_stack": False},
        "flexible": {**DEFAULTS, "pa_ra": "flexible"},
        "teams": {**DEFAULTS, "players": 4, "teams": True},
        "lhasa": {**DEFAULTS, "entry_coins": 2, "six_three": True},
    }


def test_a_preset_takes_further_options_on_top() -> None:
    assert sarai.make("sho").rules == DEFAULTS
    rules = sarai.make("sho", preset="lhasa", coins=5, stake=2.0).rules
    assert rules == {**DEFAULTS, "entry_coins": 2, "six_three": True, "coins": 5, "stake": 2.0}
    rules = sarai.make("sho", rules={"pa_ra": "none", "players": 2}).rules
    assert rules == {**DEFAULTS, "pa_ra": "none", "players": 2}


def test_preset_variants_plays_r11_r12_and_r14() -> None:
    t = sho("3:1 h8", "8:1 h8", preset="variants").roll("23").play("3/8*")
    assert t.turn_ended()
    assert t.roll("36").moves() == {"hand/9", "hand/9 all"}
    assert "decline" in sho("59:2 30:7", "h9", preset="variants").roll("56").play("59/off").moves()


def test_preset_no_niner_plays_r10() -> None:
    assert sho("14:1 20:8", "h9", preset="no_niner").roll("33").moves() == {"20/26"}


def test_preset_flexible_plays_r13() -> None:
    assert sho("10:1 20:1 h7", "h9", preset="flexible").roll("11", "12").values() == [1, 2, 3, 4]


def test_preset_teams_plays_r1() -> None:
    t = new_game(preset="teams")
    assert t["sides"] == [side("h9")] * 2
    assert t.game.num_players == 4


def test_preset_lhasa_enters_two_coins_and_plays_r12() -> None:
    t = sho("h9 cleared", "h9", preset="lhasa").roll("36")
    assert t.moves() == {"hand/9", "hand/9 all"}
    assert t.play("hand/9").side(0) == side("9:2 h7")


@pytest.mark.parametrize("entry_coins", [1, 2, 3])
def test_entry_coins_enter_together_then_singly(entry_coins: int) -> None:
    t = new_game(players=2, entry_coins=entry_coins).roll("23").play("hand/5")
    assert t.side(0) == side(f"5:{entry_coins} h{9 - entry_coins}")
    t.roll("12").play("hand/3").roll("13").play("hand/4")
    assert t.side(0) == side(f"5:{entry_coins} 4:1 h{8 - entry_coins}")


def test_entry_coins_singly_once_a_coin_is_off() -> None:
    t = sho("h8 off1", "h9", entry_coins=3).roll("12").play("hand/3")
    assert t.side(0) == side("3:1 h7 off1")


def test_entry_coins_kill_as_a_stack_of_that_size() -> None:
    assert sho("h9", "5:2 h7", entry_coins=2).roll("23").moves() == {"hand/5*"}
    assert sho("h9", "5:3 h6", entry_coins=2).roll("23").turn_ended()


def test_entry_coins_finish_as_a_stack_of_that_size() -> None:
    t = sho("h9", "h9", entry_coins=3, num_shells=6).roll("24").play("hand/off")
    assert t.side(0) == side("h6 off3")


def test_entry_coins_are_at_most_those_in_hand() -> None:
    assert sho("h2", "h2", coins=2, entry_coins=3).roll("23").play("hand/5").side(0) == side("5:2 h0")


def test_entry_coins_only_the_first_part_of_a_split_enters_together() -> None:
    t = flexible("h9", "h9", entry_coins=2).roll("11", "24").play("value 4", "hand/4", "hand/4+")
    assert t.side(0) == side("4:3 h6")


@pytest.mark.parametrize("first", [0, 1, 2])
def test_first_player_starts(first: int) -> None:
    t = new_game(first_player=first)
    assert t["player"] == first
    assert t["phase"] == "roll"
    assert t["turn"] == 0


def test_first_player_random_is_a_chance_node() -> None:
    t = new_game(players=4, first_player="random")
    assert t["phase"] == "first"
    assert t["player"] is None
    assert t.state.current_player() == sarai.CHANCE
    assert t.state.chance_outcomes() == [(seat, 0.25) for seat in range(4)]
    t.state.apply_action(3)
    assert t["player"] == 3
    assert t["phase"] == "roll"
    assert t["turn"] == 0


def test_max_turns_is_a_draw_and_counts_turns_without_a_move() -> None:
    t = sho("h9", "8:2 h7", max_turns=2).roll("44")
    assert t["turn"] == 1
    assert not t.state.is_terminal()
    t.roll("36").play("8/17")
    assert t["phase"] == "over"
    assert t["winner"] is None
    assert t["player"] is None
    assert t["turn"] == 2
    assert t["pool"] == []
    assert t["value"] is None
    assert list(t.state.returns()) == [0.0, 0.0]


def test_max_turns_does_not_cut_a_turn_short() -> None:
    t = sho("10:1 13:1 h7", "h9", max_turns=1).roll("12").play("10/13+")
    assert t.goes_on()
    assert t.roll("12").play("13/16")["phase"] == "over"


def test_max_turns_a_win_in_the_last_turn_counts() -> None:
    t = sho("60:1 off8", "h9", turn=4, max_turns=5).roll("56").play("60/off")
    assert t["winner"] == 0
    assert t["turn"] == 4


def test_max_turns_a_draw_forgets_the_six_three_roll() -> None:
    t = sho("h9", "9:2 h7", six_three=True, turn=4, max_turns=5).roll("36")
    assert t["phase"] == "over"
    assert t["six_three_roll"] is False
    assert t["pool"] == []


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("players", 2),
        ("players", 4),
        ("num_shells", 4),
        ("num_shells", 64),
        ("coins", 1),
        ("entry_coins", 3),
        ("first_player", 2),
        ("stake", 0.01),
        ("max_turns", 1),
        ("max_turns", 65535),
    ],
)
def test_options_take_their_bounds(option: str, value: Any) -> None:
    assert sarai.make("sho", **{option: value}).rules == {**DEFAULTS, option: value}


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("players", 1),
        ("players", 5),
        ("num_shells", 3),
        ("num_shells", 65),
        ("coins", 0),
        ("coins", 10),
        ("entry_coins", 0),
        ("entry_coins", 4),
        ("pa_ra", "sometimes"),
        ("first_player", 3),
        ("first_player", -1),
        ("first_player", "dealer"),
        ("stake", 0.0),
        ("stake", -1.0),
        ("stake", math.nan),
        ("max_turns", 0),
        ("max_turns", 65536),
        ("dice", 2),
    ],
)
def test_options_out_of_range_or_unknown_are_named(option: str, value: Any) -> None:
    with pytest.raises(ValueError, match=option):
        sarai.make("sho", **{option: value})


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"teams": True, "players": 2}, "teams"),
        ({"teams": True, "players": 3}, "teams"),
        ({"players": 2, "first_player": 2}, "first_player"),
        ({"niner_stack": False, "six_three": True}, "six_three"),  # R12
        ({"niner_stack": False, "coins": 1}, "niner_stack"),  # R10
        ({"niner_stack": False, "coins": 3, "entry_coins": 3}, "niner_stack"),
    ],
)
def test_options_that_contradict_each_other_are_named(options: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        sarai.make("sho", **options)


# ------------------------------------------------------------------ what the actions and dicts hold


def test_chance_outcomes_are_the_21_throws_in_order() -> None:
    t = new_game()
    outcomes = t.state.chance_outcomes()
    assert [outcome for outcome, _ in outcomes] == list(range(21))
    weights = [1 if throw[0] == throw[1] else 2 for throw in DICE]
    assert [p for _, p in outcomes] == pytest.approx([w / 36 for w in weights])


def test_action_ids_are_those_of_the_rule_book() -> None:
    assert sarai.make("sho").num_actions == 130
    assert sho("10:1 23:2 h6", "h9").roll("34").state.legal_actions() == [0, 10, 23]
    assert s1().state.legal_actions() == [63 + 2, 63 + 11, 63 + 13]
    assert sho("h9 cleared", "h9", six_three=True).roll("36").state.legal_actions() == [0, 128]
    assert overflow("59:2 30:7", "h9").roll("56").play("59/off").state.legal_actions() == [30, 129]


def test_dict_of_the_initial_state_is_plain_data_with_exactly_the_keys() -> None:
    d = new_game(players=2, coins=4).state.to_dict()
    assert d == {
        "phase": "roll",
        "player": 0,
        "sides": [{"hand": 4, "off": 0, "stacks": {}, "cleared": False}] * 2,
        "pool": [],
        "six_three_roll": False,
        "value": None,
        "moved": None,
        "turn": 0,
        "winner": None,
    }
    assert json.loads(json.dumps(d)) == d


def test_an_illegal_action_is_an_error_and_changes_nothing() -> None:
    t = sho("10:1 h8", "h9").roll("34")
    before = t.state.to_dict()
    for action in (1, 9, 11, 63 + 7, 128, 129, 130, -1, 2**63, -(2**70)):
        with pytest.raises(sarai.IllegalActionError):
            t.state.apply_action(action)
    assert t.state.to_dict() == before
