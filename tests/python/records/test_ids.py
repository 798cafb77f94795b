"""Positions of backgammon as GNU Backgammon and eXtreme Gammon write them."""

from __future__ import annotations

from typing import Any

import pytest

import sarai
from helpers import gnubg
from sarai import State
from sarai.records import match_facts

BACKGAMMON = sarai.make("shuanglu", preset="backgammon")
XGID = "XGID=-b----E-C---eE---c-e----B-:1:-1:1:63:1:2:0:7:10"


def positions(count: int, seed: int) -> list[State]:
    """Positions in which a turn begins, the dice thrown or not."""
    found = []
    for number in range(count):
        states = sarai.Record.play(BACKGAMMON, "random", seed=seed, number=number).states()
        begin = [i for i in range(2, len(states) - 1) if states[i].is_chance_node()]
        at = begin[number * 7 % len(begin)]
        found += [states[at], states[at + 1]]
    return [state for state in found if not state.is_terminal()]


def seen(state: State) -> dict[str, Any]:
    return {key: value for key, value in state.to_dict().items() if key != "turn"}


def test_the_examples_of_the_manual() -> None:
    state = BACKGAMMON.parse("4HPwATDgc/ABMA:QYkqASAAIAAA")
    assert state == BACKGAMMON.position(player=1, dice=(5, 2))
    told = match_facts("4HPwATDgc/ABMA:QYkqASAAIAAA")
    assert (told["cube"], told["cube_owner"], told["match_length"], told["score"]) == (2, 0, 9, (2, 4))
    assert state.to_text("gnubg", told) == "4HPwATDgc/ABMA:QYkqASAAIAAA"
    assert sarai.parse("4HPwATDgc/ABMA") == BACKGAMMON.position(player=0)


@pytest.mark.parametrize("form", ["gnubg", "xgid"])
def test_positions_come_back(form: str) -> None:
    for state in positions(60, seed=4):
        text = state.to_text(form)
        assert seen(BACKGAMMON.parse(text)) == seen(state), text
        assert BACKGAMMON.parse(text).to_text(form, match_facts(text)) == text
        assert sarai.parse(f" {text}\n").get_game() == BACKGAMMON


def test_facts_come_back() -> None:
    told = match_facts(XGID)
    assert told == {
        "cube": 2,
        "cube_owner": 1,
        "doubled": False,
        "match_length": 7,
        "score": (1, 2),
        "crawford": False,
        "jacoby": False,
        "beavers": False,
        "max_cube": 1024,
        "resigned": 0,
    }
    state = BACKGAMMON.parse(XGID)
    assert state.to_text("xgid", told) == XGID
    assert match_facts(state.to_text("gnubg", told)) == told
    for more in (
        {"crawford": True},
        {"match_length": 0, "jacoby": True, "beavers": True},
        {"cube_owner": None},
    ):
        assert match_facts(state.to_text("xgid", {**told, **more})) == {**told, **more}
    rolling = BACKGAMMON.position(player=0)
    assert match_facts(rolling.to_text("xgid", {"doubled": True}))["doubled"]
    assert match_facts(rolling.to_text("gnubg", {"doubled": True, "resigned": 2}))["resigned"] == 2


def test_other_rules_have_the_same_positions() -> None:
    game = sarai.make("shuanglu")
    state = game.position(player=1, dice=(4, 4))
    assert game.parse(state.to_text("xgid")) == state
    assert state.to_text("gnubg") == BACKGAMMON.position(player=1, dice=(4, 4)).to_text("gnubg")


def test_gnu_backgammon_reads_them_alike() -> None:
    if gnubg.program() is None:
        pytest.skip("GNU Backgammon is not installed")
    states = positions(15, seed=5)
    facts = {"match_length": 7, "score": (3, 2), "cube": 4, "cube_owner": 1}
    texts = [state.to_text("xgid", facts) for state in states]
    # It lets player 1 have the turn, whosever it is in the XGID.
    for state, found in zip(states, gnubg.ids(f"set xgid {text[5:]}" for text in texts), strict=True):
        back, told, mover = BACKGAMMON.parse(found), match_facts(found), state.to_dict()["player"]
        other = back.to_dict()
        assert other["player"] == 1
        for key in ("points", "bar", "off"):
            assert other[key] == state.to_dict()[key][:: 1 if mover == 1 else -1]
        assert other["dice"] == state.to_dict()["dice"]
        assert told["score"] == ((3, 2) if mover == 1 else (2, 3))
        assert (told["cube"], told["cube_owner"]) == (4, int(mover == 1))
    plain = [state.to_text("gnubg", facts) for state in states]
    assert gnubg.ids(f"set gnubgid {text}" for text in plain) == plain


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("XGID=", "XGID is wrong at character 6: its board has 0 characters, not 26"),
        (XGID[:-3], "XGID is wrong at character 32: 8 fields follow the board, not 9"),
        (XGID.replace("E-C", "E-z"), "XGID is wrong at character 14: 'z' is no number of pieces"),
        (XGID.replace("=-b", "=Ab"), "character 6: this is the bar of the other player"),
        (XGID.replace(":63:", ":70:"), "character 40: the dice is '70'"),
        (XGID.replace("E-C", "H-C"), "player 0 has 18 pieces, not 15"),
        (XGID.replace("=-b", "=-d"), "player 1 has 17 pieces, not 15"),
        ("4HPwATDgc/ABMA:cAk", "match ID is wrong at character 16: it has 3 characters, not 12"),
        ("4HPwATDgc/ABMA:cAkAAAAAAA-A", "match ID is wrong at character 26: '-' is not a letter"),
        ("4HPwATDgc/ABMA:AAAAAAAAAAAA", "no game is in progress in it"),
        ("4HPwATDgc/ABMA:cIkLAAAAAAAE", "its dice are 7 and 2"),
        ("/////////////w", "position ID is wrong at character 1: its bits are no position"),
    ],
)
def test_wrong_ids_are_refused(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        BACKGAMMON.parse(text)


@pytest.mark.parametrize(
    ("state", "facts", "told"),
    [
        (BACKGAMMON.new_initial_state(), {}, "the game has not begun: the opening throw is due"),
        (BACKGAMMON.position(own=""), {}, "the game is over"),
        (BACKGAMMON.position(player=0, dice=(4,)), {}, "no place for a turn that has begun"),
        (
            sarai.make("sho").new_initial_state(),
            {},
            "'xgid' is a notation of backgammon, and this is a state of sho",
        ),
        (BACKGAMMON.position(player=0), {"cube": 3}, "cube got 3; it takes a power of 2"),
        (BACKGAMMON.position(player=0), {"score": 3}, r"score got 3; it takes two numbers"),
        (
            BACKGAMMON.position(player=0),
            {"match_length": 10**6},
            "match_length got 1000000; it takes 0 to 32767",
        ),
        (BACKGAMMON.position(player=0), {"points": 3}, "facts has no 'points'; it takes cube, cube_owner"),
        (BACKGAMMON.position(player=0), {"resigned": 1}, "an XGID has no place for a resignation"),
    ],
)
def test_what_has_no_id_is_refused(state: State, facts: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        state.to_text("xgid", facts)
