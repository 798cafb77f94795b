"""Sho: the options and presets, and what actions and dicts hold."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

import sarai
from games.sho.table import DICE, flexible, new_game, overflow, s1, sho, side

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
