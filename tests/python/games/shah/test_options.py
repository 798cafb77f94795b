"""Shah's rules R13 and R14, its options and presets, and what its actions and dicts hold, at the Python face."""

from __future__ import annotations

import json
from typing import Any

import pytest

import sarai
from games.shah.table import POINTS, captures, moving, names, new_game, placing

CAPTURES = {"placement_captures": True, "opening_removals": "none"}
PROTECTED = {"mill_protection": "unless_all_in_mills"}
NINE = {"preset": "nine_mens_morris"}

DEFAULTS = {
    "pieces": 12,
    "placement_captures": False,
    "begin": "first_mill",
    "opening_removals": "both",
    "mill_protection": "none",
    "flying": False,
    "blocked": "opponent_opens",
    "no_capture_limit": 200,
    "first_player": 0,
    "max_turns": 1000,
}

# --------------------------------------------------------- R13: captures by placements, and protection


def test_r13_a_placement_that_makes_a_mill_captures_one() -> None:
    t = placing({0, 1}, {3, 4}, (10, 10), **CAPTURES).play("g7")
    assert t["beginner"] == 0
    assert t.to_move(0, phase="remove")
    assert t.moves() == names("xb6 xd6")
    t.play("xd6")
    assert t.to_move(1, phase="place")
    assert (t.stones(0), t.stones(1)) == ({0, 1, 2}, {3})
    assert t["hand"] == [9, 10]
    assert t["no_capture"] == 0


def test_r13_two_mills_at_once_capture_one() -> None:
    t = placing({1, 2, 9, 21}, {3, 4, 6, 8}, (8, 8), **CAPTURES).play("a7")
    assert t.moves() == captures({3, 4, 6, 8})
    t.play("xb6")
    assert t.to_move(1, phase="place")
    assert t.stones(1) == {4, 6, 8}


def test_r13_a_point_that_was_emptied_can_be_filled_again() -> None:
    t = placing({0, 1}, {3, 4}, (10, 10), **CAPTURES).play("g7", "xb6")
    assert "b6" in t.moves()


def test_r13_the_last_placement_captures_before_the_moving_phase() -> None:
    t = placing({3, 4, 6, 8, 10}, {0, 1, 12}, (0, 1), player=1, beginner=0, **NINE).play("g7")
    assert t.to_move(1, phase="remove")
    t.play("xb6")
    assert t.to_move(0)
    assert t.moves() == names("d6-b6 d6-f6 d6-d5 c5-d5 c5-c4 e5-d5 b4-b6 b4-a4 b4-c4 b4-b2")


def test_r13_the_player_with_the_first_mill_begins_though_it_is_gone() -> None:
    t = placing({3, 4, 5, 9}, {0, 1, 12}, (0, 1), player=1, beginner=0, pieces=9, **CAPTURES)
    t.play("g7", "xd6")
    assert t["beginner"] == 0
    assert t.to_move(0)


def test_r13_protection_stones_in_mills_are_left_alone() -> None:
    t = moving({0, 1, 6, 14}, {3, 4, 5, 20, 23}, **PROTECTED).play("g4-g7")
    assert t.moves() == names("xf2 xg1")


def test_r13_protection_unless_all_are_in_mills() -> None:
    t = moving({0, 1, 6, 14}, {3, 4, 5}, **PROTECTED).play("g4-g7")
    assert t.moves() == names("xb6 xd6 xf6")
    t = moving({0, 1, 6, 14}, {3, 4, 5, 13, 20}, **PROTECTED).play("g4-g7")
    assert t.moves() == names("xb6 xd6 xf6 xf4 xf2")


def test_r13_protection_holds_while_placing() -> None:
    t = placing({0, 1, 15}, {3, 4, 5, 16}, (6, 5), player=0, beginner=1, first_player=1, **NINE)
    t.play("g7")
    assert t.moves() == {"xd3"}
    t = placing({0, 1, 15}, {3, 4, 5, 16}, (6, 5), beginner=1, pieces=9, first_player=1, **CAPTURES)
    t.play("g7")
    assert t.moves() == names("xb6 xd6 xf6 xd3")


def test_r13_protection_none_takes_any_stone() -> None:
    t = moving({0, 1, 6, 14}, {3, 4, 5, 20, 23}).play("g4-g7")
    assert t.moves() == captures({3, 4, 5, 20, 23})


# ------------------------------------------------------------------------------------- R14: flying

FLY = {"flying": True}


def test_r14_three_stones_have_only_fly_actions() -> None:
    t = moving({0, 1, 20}, {3, 4, 12, 23}, **FLY)
    assert t.moves() == {"fly a7", "fly d7", "fly f2"}


def test_r14_a_lifted_stone_lands_on_another_empty_point() -> None:
    t = moving({0, 1, 20}, {3, 4, 12, 23}, **FLY).play("fly a7")
    assert t.to_move(0, phase="land")
    assert t["lifted"] == 0
    assert t["board"][0] == "."
    assert t.moves() == set(POINTS) - {POINTS[p] for p in (0, 1, 20, 3, 4, 12, 23)}
    t.play("a1")
    assert t.to_move(1)
    assert t.stones(0) == {1, 20, 21}
    assert t["lifted"] is None


def test_r14_a_fly_that_makes_a_mill_captures() -> None:
    t = moving({0, 1, 20}, {3, 4, 12, 23}, **FLY).play("fly f2", "g7")
    assert t.to_move(0, phase="remove")
    assert t["lifted"] is None
    assert t.moves() == captures({3, 4, 12, 23})
    assert t.play("xb6").to_move(1)


def test_r14_a_fly_within_its_own_mill_makes_none() -> None:
    assert moving({0, 1, 2}, {3, 4, 12, 23}, **FLY).play("fly g7", "a4").to_move(1)


def test_r14_four_stones_do_not_fly() -> None:
    t = moving({0, 1, 6, 14}, {3, 4, 5}, **FLY)
    assert t.moves() == names("a7-a4 d7-g7 c5-d5 c5-c4 g4-g7 g4-f4 g4-g1")


def test_r14_a_capture_down_to_three_stones_lets_the_opponent_fly() -> None:
    t = moving({0, 1, 6, 14}, {3, 4, 5, 23}, **FLY).play("g4-g7", "xg1")
    assert t.to_move(1)
    assert t.moves() == {"fly b6", "fly d6", "fly f6"}


def test_r14_who_flies_is_never_blocked() -> None:
    t = moving({1, 9, 14, 19}, {0, 2, 21}, **FLY).play("d2-d1")
    assert t.to_move(1)
    assert t.moves() == {"fly a7", "fly g7", "fly a1"}


def test_r14_without_flying_three_stones_slide() -> None:
    t = moving({0, 1, 20}, {3, 4, 12, 23})
    assert t.moves() == names("a7-a4 d7-g7 f2-f4 f2-d2")


def test_r14_not_while_stones_are_in_hand() -> None:
    t = placing({0, 5, 7}, {1, 3, 20}, (6, 6), **NINE, beginner=0)
    assert t.to_move(0, phase="place")
    assert t.moves() == set(POINTS) - {POINTS[p] for p in (0, 5, 7, 1, 3, 20)}


def test_r14_both_fly() -> None:
    t = moving({0, 1, 20}, {3, 4, 12}, **FLY).play("fly a7", "a1")
    assert t.moves() == {"fly b6", "fly d6", "fly e4"}


def test_r14_with_three_pieces_everybody_flies_at_once() -> None:
    t = new_game(pieces=3, opening_removals="none", flying=True)
    t.play("a7", "b6", "d7", "d6", "c5", "e5")
    assert t.to_move(1)
    assert t.moves() == {"fly b6", "fly d6", "fly e5"}


# -------------------------------------------------------------------------------- options, presets


def test_presets_are_those_of_the_rule_book() -> None:
    nine = {
        "pieces": 9,
        "placement_captures": True,
        "begin": "first_player",
        "opening_removals": "none",
        "mill_protection": "unless_all_in_mills",
        "flying": True,
        "blocked": "loses",
        "no_capture_limit": 0,
        "max_turns": 200,
    }
    assert sarai.presets("shah") == {"shah": DEFAULTS, "nine_mens_morris": {**DEFAULTS, **nine}}


def test_options_on_top_of_a_preset() -> None:
    game = sarai.make("shah", preset="nine_mens_morris", flying=False, first_player=1)
    nine = sarai.presets("shah")["nine_mens_morris"]
    assert game.rules == {**nine, "flying": False, "first_player": 1}


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("no_capture_limit", 0),
        ("no_capture_limit", 65535),
        ("first_player", 1),
        ("first_player", "random"),
        ("max_turns", 1),
        ("max_turns", 65535),
        ("begin", "first_player"),
        ("blocked", "loses"),
        ("mill_protection", "unless_all_in_mills"),
        ("opening_removals", "none"),
        ("flying", True),
    ],
)
def test_options_take_their_values(option: str, value: Any) -> None:
    assert sarai.make("shah", **{option: value}).rules == {**DEFAULTS, option: value}


@pytest.mark.parametrize("pieces", [3, 4, 11, 12])
def test_options_pieces_take_their_bounds(pieces: int) -> None:
    rules = sarai.make("shah", pieces=pieces, opening_removals="none").rules
    assert rules == {**DEFAULTS, "pieces": pieces, "opening_removals": "none"}


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("pieces", 2),
        ("pieces", 13),
        ("pieces", 9.5),
        ("placement_captures", "yes"),
        ("begin", "last_player"),
        ("opening_removals", "one"),
        ("mill_protection", "all"),
        ("flying", 3),
        ("blocked", "draw"),
        ("no_capture_limit", -1),
        ("no_capture_limit", 65536),
        ("first_player", 2),
        ("first_player", -1),
        ("first_player", "winner"),
        ("max_turns", 0),
        ("max_turns", 65536),
        ("dice", 2),
    ],
)
def test_options_out_of_range_or_unknown_are_named(option: str, value: Any) -> None:
    with pytest.raises(ValueError, match=option):
        sarai.make("shah", **{"opening_removals": "none", option: value})


@pytest.mark.parametrize(
    "options",
    [
        {"pieces": 11},
        {"pieces": 9, "opening_removals": "both"},
        {"placement_captures": True},
        {"preset": "nine_mens_morris", "opening_removals": "both"},
    ],
)
def test_options_that_contradict_each_other_are_named(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="opening_removals"):
        sarai.make("shah", **options)


# ------------------------------------------------------------------ what the actions and dicts hold


def test_action_ids_are_those_of_the_rule_book() -> None:
    assert sarai.make("shah").num_actions == 136
    assert new_game().state.legal_actions() == list(range(24))
    t = moving({0, 1, 23}, {3, 4, 5})
    assert t.state.legal_actions() == [25, 27, 86, 87]
    shown = [t.state.action_to_string(a) for a in t.state.legal_actions()]
    assert shown == ["a7-a4", "d7-g7", "g1-g4", "g1-d1"]
    t = moving({0, 1, 6, 14}, {3, 4, 5, 20, 23}).play("g4-g7")
    assert t.state.legal_actions() == [88 + p for p in (3, 4, 5, 20, 23)]
    t = moving({0, 1, 20}, {3, 4, 12, 23}, **FLY)
    assert t.state.legal_actions() == [112, 113, 132]
    assert t.play("fly f2").state.legal_actions() == [
        p for p in range(24) if p not in (0, 1, 20, 3, 4, 12, 23)
    ]


def test_action_ids_of_the_first_and_last_slides() -> None:
    t = moving({0, 22, 10}, {3, 4, 5})
    by_name = {t.state.action_to_string(a): a for a in t.state.legal_actions()}
    assert by_name["a7-d7"] == 24
    assert by_name["a7-a4"] == 25
    assert moving({1, 22, 10}, {3, 4, 5}).state.string_to_action("d7-a7") == 26
    assert moving({1, 23, 10}, {3, 4, 5}).state.string_to_action("g1-d1") == 87


def test_dict_of_the_initial_state_is_plain_data_with_exactly_the_keys() -> None:
    d = new_game().state.to_dict()
    assert d == {
        "phase": "place",
        "player": 0,
        "board": "." * 24,
        "hand": [12, 12],
        "beginner": None,
        "opening_removals": 2,
        "extra": False,
        "lifted": None,
        "no_capture": 0,
        "turn": 0,
        "winner": None,
    }
    assert json.loads(json.dumps(d)) == d


def test_dict_before_the_first_player_is_drawn() -> None:
    t = new_game(first_player="random", preset="nine_mens_morris")
    initial = new_game(preset="nine_mens_morris").state.to_dict()
    assert t.state.to_dict() == {**initial, "phase": "first", "player": None, "beginner": None}


def test_an_illegal_action_is_an_error_and_changes_nothing() -> None:
    t = moving({0, 1, 6, 14}, {3, 4, 5, 20, 23})
    before = t.state.to_dict()
    for action in (0, 23, 24, 87, 88, 91, 112, 135, 136, -1, 2**63, -(2**70)):
        with pytest.raises(sarai.IllegalActionError):
            t.state.apply_action(action)
    assert t.state.to_dict() == before


def test_only_who_begins_is_ever_drawn() -> None:
    assert sarai.make("shah").max_chance_outcomes == 0
    assert sarai.make("shah", preset="nine_mens_morris").max_chance_outcomes == 0
    assert sarai.make("shah", first_player="random").max_chance_outcomes == 2
