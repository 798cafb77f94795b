"""T'shu-p'u at the Python face: what each option and preset changes, and what ids, dicts and errors hold."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

import sarai
from games.tshupu.table import ALL_OFF, DICE, new_game, position, tshupu

DEFAULTS: dict[str, Any] = {
    "pieces": 4,
    "crosscuts": "sides",
    "same_piece_both_dice": False,
    "finished_player": "pass",
    "first_player": 0,
    "max_turns": 2000,
}
CHAUPAR_STYLE = {**DEFAULTS, "crosscuts": "sides_and_ends", "finished_player": "partner_plays"}
WAITING = "32 32 32 32"


# ------------------------------------------------------------------ presets


def test_presets_are_those_of_the_rule_book() -> None:
    assert sarai.presets("tshupu") == {"tshupu": DEFAULTS, "chaupar_style": CHAUPAR_STYLE}
    assert sarai.make("tshupu").rules == DEFAULTS


def test_a_preset_takes_further_options_on_top() -> None:
    rules = sarai.make("tshupu", preset="chaupar_style", pieces=2, max_turns=9).rules
    assert rules == {**CHAUPAR_STYLE, "pieces": 2, "max_turns": 9}


def test_preset_tshupu_plays_the_defaults() -> None:
    assert new_game(preset="tshupu").roll("34").turns() == {"1/4 & 1/5", "1/8* (both)"}
    t = tshupu("1 1 1 1", west=ALL_OFF, preset="tshupu").roll("11").play("1/3 (both)")
    assert t.turn_ended(turns=2)


def test_preset_chaupar_style_has_crosscut_ends_and_partners_who_play() -> None:
    assert new_game(preset="chaupar_style").roll("34").turns() == {"1/4 & 1/5"}
    t = tshupu("1 1 1 1", west=ALL_OFF, preset="chaupar_style").roll("11").play("1/3 (both)")
    assert t.turn_ended()
    # West is done and moves the pieces of east.
    assert t.roll("14").turns() == {"1/2 & 1/5", "1/6 (both)"}


# ------------------------------------------------------------------ options


@pytest.mark.parametrize("pieces", [1, 2, 3, 4])
def test_pieces_is_the_number_of_pieces_of_each_seat(pieces: int) -> None:
    t = new_game(pieces=pieces)
    assert t["pieces"] == [[1] * pieces] * 4
    split = {"1/4 & 1/5"} if pieces > 1 else set()
    assert t.roll("34").turns() == {"1/8* (both)"} | split


def test_pieces_one_wins_with_one_of_each_partner() -> None:
    t = tshupu("32", north="33", pieces=1).roll("13").play("32/off")
    assert t["winner"] == 0


@pytest.mark.parametrize("progress", [8, 22])
def test_crosscuts_at_the_ends_shelter_enemies_on_any_start_square(progress: int) -> None:
    others = {"west": f"{(progress + 6) % 28 + 1} 33 33 33", "north": WAITING, "east": WAITING}
    mine = f"{progress - 2} 33 33 33"
    assert tshupu(mine, **others).roll("11").moves() == {f"{progress - 2}/{progress}* (both)"}
    t = tshupu(mine, **others, crosscuts="sides_and_ends").roll("11")
    assert t.moves() == {f"{progress - 2}/{progress - 1}"}


def test_crosscuts_at_the_ends_block_entering_and_coming_home() -> None:
    options = {"west": "8 33 33 33", "east": WAITING}
    assert tshupu("0 33 33 33", **options).roll("11").moves() == {"hand/2 (both)"}
    assert tshupu("0 0 33 33", **options).roll("11").turns() == {"hand/1* & hand/1", "hand/2 (both)"}
    ends = {**options, "crosscuts": "sides_and_ends"}
    assert tshupu("0 0 33 33", **ends).roll("11").turns() == {"hand/2 (both)"}
    assert tshupu("28 33 33 33", **options).roll("16").moves() == {"28/29*"}
    assert tshupu("28 33 33 33", **ends).roll("16").turn_ended()


def test_crosscuts_at_the_ends_let_partners_share_a_start_square() -> None:
    t = tshupu("14 33 33 33", crosscuts="sides_and_ends").roll("16")
    assert t.moves() == {"14/21 (both)"}
    assert tshupu("13 33 33 33", crosscuts="sides_and_ends").roll("11").moves() == {"13/15 (both)"}


def test_crosscuts_of_the_sides_stay_with_the_ends() -> None:
    t = tshupu("1 33 33 33", east="24 1 1 1", crosscuts="sides_and_ends").roll("11")
    assert t.moves() == {"1/2"}


def test_same_piece_both_dice_touches_down_and_hits_in_between() -> None:
    options = {"west": "12 33 33 33", "east": WAITING}
    t = tshupu("1 33 33 33", **options, same_piece_both_dice=True).roll("34")
    assert t.sequences() == {("1/4", "4/8"), ("1/5*", "5/8"), ("1/8 (both)",)}
    t.play("1/5*")
    assert (t["phase"], t["dice"], t["moved"], t.seat(1)) == ("second", [3], 5, [0, 33, 33, 33])
    assert t.play("5/8").turn_ended()
    assert tshupu("1 33 33 33", **options).roll("34").sequences() == {("1/8 (both)",)}


def test_same_piece_both_dice_leaves_the_second_die_to_any_piece() -> None:
    t = tshupu("5 15 33 33", east=WAITING, same_piece_both_dice=True).roll("34").play("5/9")
    assert t.moves() == {"9/12", "15/18"}


def test_same_piece_both_dice_cannot_touch_down_on_an_enemys_cross_cut() -> None:
    t = tshupu("3 33 33 33", west="13 33 33 33", east=WAITING, same_piece_both_dice=True).roll("34")
    assert t.sequences() == {("3/7", "7/10"), ("3/10 (both)",)}


def test_same_piece_both_dice_enters_and_goes_on() -> None:
    t = tshupu("0 33 33 33", west=WAITING, east=WAITING, same_piece_both_dice=True).roll("13")
    assert t.sequences() == {("hand/1", "1/4"), ("hand/3", "3/4"), ("hand/4 (both)",)}


def test_same_piece_both_dice_is_full_and_forbids_a_single_die() -> None:
    t = tshupu("31 33 33 33", same_piece_both_dice=True).roll("11")
    assert t.sequences() == {("31/32", "32/off")}
    assert tshupu("31 33 33 33").roll("11").sequences() == {("31/32",)}
    # Where no piece can play both, a die alone is all there is.
    assert tshupu("31 33 33 33", same_piece_both_dice=True).roll("13").sequences() == {("31/32",)}


def test_same_piece_both_dice_can_win() -> None:
    t = tshupu("29 33 33 33", north=ALL_OFF, same_piece_both_dice=True).roll("13").play("29/32", "32/off")
    assert (t["phase"], t["winner"]) == ("over", 0)


def test_finished_player_decides_who_plays_the_throw() -> None:
    seats = ("10 33 33 33", ALL_OFF, "10 33 33 33", "10 33 33 33")
    assert tshupu(*seats).roll("11").play("10/12 (both)").turn_ended(turns=2)
    t = tshupu(*seats, finished_player="partner_plays").roll("11").play("10/12 (both)")
    assert t.turn_ended()
    assert t.roll("11").play("10/12 (both)").seat(3) == [12, 33, 33, 33]
    assert (t["player"], t["turn"]) == (2, 2)


@pytest.mark.parametrize("first", range(4))
def test_first_player_begins(first: int) -> None:
    t = new_game(first_player=first)
    assert (t["phase"], t["player"], t["turn"]) == ("roll", first, 0)
    t.roll("11").play("1/3 (both)")
    assert t.turn_ended()


def test_first_player_random_is_a_chance_node() -> None:
    t = new_game(first_player="random")
    assert (t["phase"], t["player"]) == ("first", None)
    assert t.state.current_player() == sarai.CHANCE
    assert t.state.chance_outcomes() == [(seat, 0.25) for seat in range(4)]
    for seat in range(4):
        after = t.copy()
        after.state.apply_action(seat)
        assert after.state.to_dict() == {**t.start, "phase": "roll", "player": seat}


def test_max_turns_is_a_draw() -> None:
    t = new_game(max_turns=2).roll("11").play("1/2", "1/2").roll("11").play("1/2")
    assert t["phase"] == "second"
    t.play("1/2")
    assert (t["phase"], t["player"], t["winner"], t["turn"]) == ("over", None, None, 2)
    assert (t["dice"], t["moved"]) == ([], None)
    assert list(t.state.returns()) == [0.0] * 4


def test_max_turns_counts_turns_without_a_move() -> None:
    t = tshupu("29 33 33 33", max_turns=1).roll("46")
    assert (t["phase"], t["turn"], t["dice"]) == ("over", 1, [])


def test_max_turns_counts_the_passes_of_finished_players() -> None:
    t = tshupu("1 1 1 1", west=ALL_OFF, max_turns=2).roll("11").play("1/3 (both)")
    assert (t["phase"], t["winner"], t["turn"]) == ("over", None, 2)
    t = tshupu("1 1 1 1", west=ALL_OFF, max_turns=3).roll("11").play("1/3 (both)")
    assert (t["phase"], t["player"], t["turn"]) == ("roll", 2, 2)


def test_max_turns_a_win_in_the_last_turn_counts() -> None:
    t = tshupu("32 33 33 33", north=ALL_OFF, turn=4, max_turns=5).roll("16").play("32/off")
    assert (t["winner"], t["turn"]) == (0, 4)


@pytest.mark.parametrize(
    ("option", "value"),
    [("pieces", 1), ("pieces", 4), ("first_player", 3), ("max_turns", 1), ("max_turns", 65535)],
)
def test_options_take_their_bounds(option: str, value: Any) -> None:
    assert sarai.make("tshupu", **{option: value}).rules == {**DEFAULTS, option: value}


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("pieces", 0),
        ("pieces", 5),
        ("crosscuts", "ends"),
        ("crosscuts", True),
        ("same_piece_both_dice", 1),
        ("same_piece_both_dice", None),
        ("finished_player", "stops"),
        ("first_player", 4),
        ("first_player", -1),
        ("first_player", "dealer"),
        ("max_turns", 0),
        ("max_turns", 65536),
        ("stake", 1.0),
        ("players", 4),
    ],
)
def test_options_out_of_range_or_unknown_are_named(option: str, value: Any) -> None:
    with pytest.raises(ValueError, match=option):
        sarai.make("tshupu", **{option: value})


# ------------------------------------------------------------------ what the actions and dicts hold


def test_action_ids_are_those_of_the_rule_book() -> None:
    game = sarai.make("tshupu")
    assert (game.num_actions, game.max_chance_outcomes) == (165, 10)
    state = tshupu("0 10 32 33", west=WAITING, east=WAITING).roll("13").state
    names = {
        33 * 0 + 0: "hand/1",
        33 * 0 + 10: "10/11",
        33 * 0 + 32: "32/off",
        33 * 1 + 0: "hand/3",
        33 * 1 + 10: "10/13",
        33 * 4 + 0: "hand/4 (both)",
        33 * 4 + 10: "10/14 (both)",
    }
    assert {action: state.action_to_string(action) for action in state.legal_actions()} == names
    assert {name: state.string_to_action(name) for name in names.values()} == {
        name: action for action, name in names.items()
    }
    assert tshupu("0 0 0 0").roll("46").state.legal_actions() == [66, 99, 132]


def test_dict_of_the_initial_state_is_plain_data_with_exactly_the_keys() -> None:
    d = new_game(pieces=2, first_player=3).state.to_dict()
    assert d == {
        "phase": "roll",
        "player": 3,
        "pieces": [[1, 1], [1, 1], [1, 1], [1, 1]],
        "dice": [],
        "moved": None,
        "turn": 0,
        "winner": None,
    }
    assert json.loads(json.dumps(d)) == d


def test_an_illegal_action_is_an_error_and_changes_nothing() -> None:
    t = tshupu("31 10 33 33").roll("13")
    before = t.state.to_dict()
    for action in (10, 33 + 31, 2 * 33 + 10, 4 * 33 + 31, 164, 165, -1, 2**63, -(2**70)):
        with pytest.raises(sarai.IllegalActionError):
            t.state.apply_action(action)
    assert t.state.to_dict() == before


def test_a_dict_with_both_teams_on_a_square_is_accepted_and_plays_by_the_rules() -> None:
    """It cannot come about, but a landing there still hits (R6) or is blocked (R7)."""
    shared = {"west": "12 33 33 33", "east": WAITING}
    t = tshupu("1 5 33 33", **shared).roll("44")
    assert t.turns() == {"1/5* & 5/9", "1/9 (both)", "5/13 (both)"}
    assert t.play("1/5*").seat(1) == [0, 33, 33, 33]
    shared = {"west": "10 33 33 33", "east": WAITING}
    assert tshupu("1 3 33 33", **shared).roll("11").turns() == {"1/2 & 3/4", "3/5 (both)"}


START = [[1] * 4] * 4
SOUTH_OFF = [[33] * 4, [1] * 4, [1] * 4, [1] * 4]
TEAM_OFF = [[33] * 4, [1] * 4, [33] * 4, [1] * 4]


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"pieces": [[1, 1, 1]] * 4}, id="three pieces"),
        pytest.param({"pieces": [[1] * 5] * 4}, id="five pieces"),
        pytest.param({"pieces": [[1] * 4] * 3}, id="three seats"),
        pytest.param({"pieces": [[1, 1, 2, 1], *START[1:]]}, id="not ascending"),
        pytest.param({"pieces": [[1, 1, 1, 34], *START[1:]]}, id="past off"),
        pytest.param({"pieces": [[-1, 1, 1, 1], *START[1:]]}, id="before the hand"),
        pytest.param({"pieces": [[1, 1, 1, True], *START[1:]]}, id="a bool for an int"),
        pytest.param({"pieces": [[1, 1, 1, 1.0], *START[1:]]}, id="a float for an int"),
        pytest.param({"phase": "value"}, id="another phase"),
        pytest.param({"phase": "first", "player": None}, id="lots without random"),
        pytest.param({"player": None}, id="nobody to throw"),
        pytest.param({"player": 4}, id="a fifth seat"),
        pytest.param({"player": 1}, id="not the seat whose turn it is"),
        pytest.param({"turn": 1}, id="not the turn of this seat"),
        pytest.param({"turn": -4}, id="a negative turn"),
        pytest.param({"turn": 2000}, id="past the limit"),
        pytest.param({"turn": 2000, "phase": "over"}, id="over with a player"),
        pytest.param({"phase": "over", "player": None}, id="over too soon"),
        pytest.param({"pieces": SOUTH_OFF}, id="a finished player about to throw"),
        pytest.param({"pieces": TEAM_OFF, "player": 1, "turn": 1}, id="a finished team and no winner"),
        pytest.param({"winner": 0}, id="a winner without a win"),
        pytest.param(
            {"pieces": TEAM_OFF, "phase": "over", "player": None, "winner": 1}, id="the other team's win"
        ),
        pytest.param(
            {"pieces": TEAM_OFF, "phase": "over", "player": None, "winner": 0, "turn": 2000},
            id="a win after the last turn",
        ),
        pytest.param(
            {"pieces": [[33] * 4] * 4, "phase": "over", "player": None, "winner": 0}, id="two finished teams"
        ),
        pytest.param({"dice": [1, 3]}, id="dice before the throw"),
        pytest.param({"phase": "move"}, id="no dice after the throw"),
        pytest.param({"phase": "move", "dice": [1]}, id="one die in move"),
        pytest.param({"phase": "move", "dice": [3, 1]}, id="dice not ascending"),
        pytest.param({"phase": "move", "dice": [1, 2]}, id="a face that the dice do not have"),
        pytest.param({"phase": "move", "dice": [1, 3], "moved": 1}, id="moved before a move"),
        pytest.param(
            {"phase": "move", "dice": [4, 6], "pieces": [[29, 33, 33, 33], *START[1:]]}, id="nothing to play"
        ),
        pytest.param({"phase": "second", "dice": [1]}, id="second without moved"),
        pytest.param({"phase": "second", "dice": [1, 3], "moved": 1}, id="two dice in second"),
        pytest.param({"phase": "second", "dice": [1], "moved": 2}, id="no piece where one has moved"),
        pytest.param(
            {"phase": "second", "dice": [1], "moved": 0, "pieces": [[0, 1, 1, 1], *START[1:]]},
            id="moved into the hand",
        ),
        pytest.param(
            {"phase": "second", "dice": [3], "moved": 5, "pieces": [[5, 33, 33, 33], *START[1:]]},
            id="no other piece for the second die",
        ),
    ],
)
def test_broken_dicts_are_refused(changes: dict[str, Any]) -> None:
    game, good = position("1 1 1 1")
    assert game.state_from_dict(good).to_dict() == good
    bad = copy.deepcopy({**good, **changes})
    with pytest.raises(ValueError, match=r"\w+ \w+"):
        game.state_from_dict(bad)


@pytest.mark.parametrize(
    ("options", "changes"),
    [
        ({"first_player": "random"}, {"player": 3}),
        ({"first_player": "random"}, {"phase": "first", "player": None}),
        ({"finished_player": "partner_plays"}, {"pieces": SOUTH_OFF}),
        ({"first_player": 3}, {"player": 1, "turn": 2}),
        ({}, {"phase": "over", "player": None, "winner": 0, "pieces": TEAM_OFF, "turn": 8}),
        ({}, {"phase": "over", "player": None, "turn": 2000}),
        ({}, {"phase": "second", "dice": [3], "moved": 33, "pieces": [[5, 33, 33, 33], *START[1:]]}),
        (
            {"same_piece_both_dice": True},
            {"phase": "second", "dice": [3], "moved": 5, "pieces": [[5, 33, 33, 33], *START[1:]]},
        ),
    ],
)
def test_dicts_that_a_rule_book_allows_are_accepted(options: dict[str, Any], changes: dict[str, Any]) -> None:
    game = sarai.make("tshupu", **options)
    d = {**position("1 1 1 1")[1], **copy.deepcopy(changes)}
    state = game.state_from_dict(d)
    assert state.to_dict() == d
    assert game.parse(str(state)) == state


def test_outcomes_are_named_by_their_dice() -> None:
    state = new_game().state
    named = [state.outcome_to_string(outcome) for outcome in range(10)]
    assert [[c for c in name if c.isdigit()] for name in named] == [list(throw) for throw in DICE]
