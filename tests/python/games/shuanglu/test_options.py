"""Shuanglu at the Python face: its options and presets, the numbers of its actions, its dict."""

from __future__ import annotations

import json
from typing import Any

import pytest

import sarai
from games.shuanglu.table import FROM_ORIGIN, OPENING, START, Table, new_game, shuanglu

DEFAULTS: dict[str, Any] = {
    "setup": "english",
    "doubles": 2,
    "bear_off": "exact",
    "larger_die": True,
    "scoring": "single",
    "max_turns": 2000,
}


def test_presets_are_those_of_the_rule_book() -> None:
    assert sarai.presets("shuanglu") == {
        "shuanglu": DEFAULTS,
        "backgammon": {**DEFAULTS, "doubles": 4, "bear_off": "overshoot"},
        "catalogue": {**DEFAULTS, "setup": "from_origin"},
    }


def test_a_preset_takes_further_options_on_top() -> None:
    assert sarai.make("shuanglu").rules == DEFAULTS
    rules = sarai.make("shuanglu", preset="backgammon", scoring="gammon", doubles=2).rules
    assert rules == {**DEFAULTS, "bear_off": "overshoot", "scoring": "gammon"}
    rules = sarai.make("shuanglu", rules={"larger_die": False, "max_turns": 9}).rules
    assert rules == {**DEFAULTS, "larger_die": False, "max_turns": 9}


def test_preset_shuanglu_two_moves_for_doubles_and_exact_throws() -> None:
    assert new_game(preset="shuanglu").side(0) == START
    assert shuanglu("2:4 off11", preset="shuanglu").roll("22")["dice"] == [2, 2]
    assert shuanglu("2:4 off11", preset="shuanglu").roll("33").passed()


def test_preset_backgammon_four_moves_for_doubles_and_overshoot() -> None:
    t = shuanglu("2:4 off11", preset="backgammon").roll("33")
    assert t["dice"] == [3, 3, 3, 3]
    assert t.lines() == {("2/off(3)",) * 4}
    assert new_game(preset="backgammon").side(0) == START


def test_preset_catalogue_sets_up_from_the_origin() -> None:
    t = new_game(preset="catalogue")
    assert t.side(0) == t.side(1) == FROM_ORIGIN
    assert t.open("61").moves() == {"17/11", "19/18", "17/16", "12/11"}


@pytest.mark.parametrize(("setup", "start"), [("english", START), ("from_origin", FROM_ORIGIN)])
def test_setup(setup: str, start: str) -> None:
    t = new_game(setup=setup)
    assert t.side(0) == t.side(1) == start
    points = t["points"]
    assert not any(mine and theirs for mine, theirs in zip(points[0], points[1][::-1], strict=True))


def test_max_turns_is_a_draw() -> None:
    t = shuanglu("24:2 off13", turn=4, max_turns=5).roll("12").play("24/22", "24/23")
    assert (t["phase"], t["player"], t["winner"], t["points_won"]) == ("over", None, None, 0)
    assert (t["turn"], t["dice"]) == (5, [])
    assert list(t.state.returns()) == [0.0, 0.0]
    assert t.state.is_terminal()


def test_max_turns_counts_a_forced_pass() -> None:
    t = shuanglu("bar1 6:14", "1:2 2:2 3:2 4:2 5:2 6:5", turn=1, max_turns=2).roll("34")
    assert (t["phase"], t["turn"], t["winner"]) == ("over", 2, None)


def test_max_turns_1_ends_after_the_opening_turn() -> None:
    t = new_game(max_turns=1).open("31").play("8/5")
    assert t["phase"] == "move"  # no turn is cut short
    assert t.play("6/5")["phase"] == "over"
    assert t["turn"] == 1


@pytest.mark.parametrize("scoring", ["single", "gammon"])
def test_max_turns_a_win_in_the_last_turn_counts(scoring: str) -> None:
    t = shuanglu("3:1 off14", turn=4, max_turns=5, scoring=scoring).roll("35").play("3/off")
    assert (t["winner"], t["turn"]) == (0, 4)
    assert t.state.returns()[0] == t["points_won"] == {"single": 1, "gammon": 2}[scoring]


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("setup", "from_origin"),
        ("doubles", 4),
        ("bear_off", "overshoot"),
        ("larger_die", False),
        ("scoring", "gammon"),
        ("max_turns", 1),
        ("max_turns", 65535),
    ],
)
def test_options_take_their_values(option: str, value: Any) -> None:
    assert sarai.make("shuanglu", **{option: value}).rules == {**DEFAULTS, option: value}


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("setup", "korean"),
        ("doubles", 1),
        ("doubles", 3),
        ("doubles", "two"),
        ("bear_off", "inexact"),
        ("bear_off", None),
        ("larger_die", 1),
        ("scoring", "backgammon"),
        ("max_turns", 0),
        ("max_turns", 65536),
        ("max_turns", -1),
        ("first_player", 0),  # the opening throw decides
        ("stake", 1.0),
    ],
)
def test_options_out_of_range_or_unknown_are_named(option: str, value: Any) -> None:
    with pytest.raises(ValueError, match=option):
        sarai.make("shuanglu", **{option: value})


# ------------------------------------------------------------------ what the actions and dicts hold


def test_action_ids_are_those_of_the_rule_book() -> None:
    assert sarai.make("shuanglu").num_actions == 150
    t = shuanglu("24:1 13:1 off13").roll("26")
    assert t.state.legal_actions() == [25 + 13, 25 + 24, 125 + 13, 125 + 24]
    t = shuanglu("bar1 13:1 off13", "24:15").roll("13")
    assert t.state.legal_actions() == [0, 50]
    assert shuanglu("6:1 off14", "24:15").roll("66").state.legal_actions() == [125 + 6]


def test_names_of_actions() -> None:
    t = shuanglu("bar1 4:1 13:1 off12", "4:1 6:14").roll("14")
    assert t.state.action_to_string(75) == "bar/21*"
    assert t.state.string_to_action("bar/21*") == 75
    t = shuanglu("4:1 2:1 off13", bear_off="overshoot").roll("46")
    assert [t.state.action_to_string(action) for action in t.state.legal_actions()] == ["4/off", "4/off(6)"]
    t.play("4/off(6)")
    assert t.moves() == {"2/off(4)"}


def test_outcomes_have_different_names() -> None:
    for t, number in ((new_game(), 30), (shuanglu(START, START), 21)):
        names = {t.state.outcome_to_string(outcome) for outcome, _ in t.state.chance_outcomes()}
        assert len(names) == number


def test_dict_of_the_initial_state_is_plain_data_with_exactly_the_keys() -> None:
    d = new_game().state.to_dict()
    points = [0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]
    assert d == {
        "phase": "opening",
        "player": None,
        "points": [points, points],
        "bar": [0, 0],
        "off": [0, 0],
        "dice": [],
        "turn": 0,
        "winner": None,
        "points_won": 0,
    }
    assert json.loads(json.dumps(d)) == d


def test_dice_are_told_descending_whoever_threw_them() -> None:
    for throws in OPENING:
        assert new_game().open(throws)["dice"] == sorted(map(int, throws), reverse=True)
    t = shuanglu(START, START).roll("26")
    assert t["dice"] == [6, 2]
    assert t.play("24/18")["dice"] == [2]


KEYS = ["phase", "player", "points", "bar", "off", "dice", "turn", "winner", "points_won"]


def some_dict(**changes: Any) -> dict[str, Any]:
    """Seat 0 with 4-1 to play from U4, and the changes."""
    d: dict[str, Any] = shuanglu("bar1 6:5 8:4 13:5", "6:2 5:2 4:2 3:2 2:2 13:5").roll("41").state.to_dict()
    return {**d, **changes}


def won(**changes: Any) -> dict[str, Any]:
    d: dict[str, Any] = (
        shuanglu("3:1 off14", "19:1 6:14", scoring="gammon").roll("35").play("3/off").state.to_dict()
    )
    return {**d, **changes}


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"bar": [2, 0]}, id="sixteen pieces"),
        pytest.param({"bar": [0, 0]}, id="fourteen pieces"),
        pytest.param({"off": [0, 15]}, id="thirty pieces"),
        pytest.param({"bar": [True, 0]}, id="a bool for an int"),
        pytest.param({"player": None}, id="nobody to move"),
        pytest.param({"player": 2}, id="a third player"),
        pytest.param({"dice": []}, id="no dice to play"),
        pytest.param({"dice": [1, 4]}, id="dice ascending"),
        pytest.param({"dice": [4, 1, 1]}, id="three dice"),
        pytest.param({"dice": [1, 1, 1]}, id="three of a double that gives two"),
        pytest.param({"dice": [7]}, id="a seven"),
        pytest.param({"dice": [0, 0]}, id="no eyes"),
        pytest.param({"dice": [6, 5]}, id="no legal step"),
        pytest.param({"phase": "roll"}, id="dice before the throw"),
        pytest.param({"phase": "opening", "dice": [], "player": None}, id="an opening from elsewhere"),
        pytest.param({"phase": "over", "dice": [], "player": None}, id="over without reason"),
        pytest.param({"turn": 2000}, id="too many turns"),
        pytest.param({"winner": 0}, id="a winner before the end"),
        pytest.param({"points_won": 1}, id="points before the end"),
        pytest.param({"stake": 1}, id="an unknown key"),
    ],
)
def test_dicts_that_cannot_be(changes: dict[str, Any]) -> None:
    game = sarai.make("shuanglu")
    assert game.state_from_dict(some_dict()).to_dict() == some_dict()
    with pytest.raises(ValueError, match=r"\w+ \w+"):
        game.state_from_dict(some_dict(**changes))


def test_dicts_with_pieces_of_both_on_one_point() -> None:
    bad = some_dict()
    bad["points"][0][12] -= 1
    bad["points"][0][24 - 13] += 1  # ours 12 is the enemy's 13
    with pytest.raises(ValueError, match=r"\w+ \w+"):
        sarai.make("shuanglu").state_from_dict(bad)


@pytest.mark.parametrize("key", KEYS)
def test_dicts_without_a_key(key: str) -> None:
    bad = some_dict()
    del bad[key]
    with pytest.raises(ValueError, match=key):
        sarai.make("shuanglu").state_from_dict(bad)


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"winner": 1}, id="the loser as winner"),
        pytest.param({"winner": None}, id="no winner"),
        pytest.param({"winner": None, "points_won": 0}, id="a draw with all pieces off"),
        pytest.param({"points_won": 2}, id="a piece in the winner's home forgotten"),
        pytest.param({"points_won": 0}, id="nothing won"),
        pytest.param({"dice": [5]}, id="a die left"),
        pytest.param({"player": 0}, id="somebody to play"),
        pytest.param({"phase": "roll", "player": 1}, id="the game going on"),
        pytest.param({"turn": 2000}, id="a win past the last turn"),
    ],
)
def test_ends_that_cannot_be(changes: dict[str, Any]) -> None:
    game = sarai.make("shuanglu", scoring="gammon")
    assert game.state_from_dict(won()).to_dict() == won()
    with pytest.raises(ValueError, match=r"\w+ \w+"):
        game.state_from_dict(won(**changes))


def test_doubles_4_takes_as_many_as_four_dice_of_a_kind() -> None:
    game = sarai.make("shuanglu", doubles=4)
    for dice in ([1], [1] * 2, [1] * 3, [1] * 4, [4, 1]):
        assert Table(game, game.state_from_dict(some_dict(dice=dice))).moves() == {"bar/24"}
    with pytest.raises(ValueError, match="dice"):
        game.state_from_dict(some_dict(dice=[1] * 5))


def test_an_illegal_action_is_an_error_and_changes_nothing() -> None:
    t = shuanglu("24:1 13:1 off13").roll("26")
    before = t.state.to_dict()
    for action in (0, 24, 25, 25 + 12, 50 + 13, 125, 148, 150, -1, 2**63, -(2**70)):
        with pytest.raises(sarai.IllegalActionError):
            t.state.apply_action(action)
    assert t.state.to_dict() == before
