"""Moves as people write them: in any order, several steps at once, hits with and without their mark."""

from __future__ import annotations

import itertools

import pytest

import sarai
from sarai import Record, State

BACKGAMMON = sarai.make("shuanglu", preset="backgammon")
START = "24:2 13:5 8:3 6:5"
# One more player's piece stands alone on his points 5 and 7: on 20 and 18 here.
SHOTS = "24:2 13:5 8:1 6:5 7 5"


def place(dice: tuple[int, int], own: str = START, other: str = START) -> State:
    return BACKGAMMON.position(player=0, own=own, other=other, dice=dice)


def names(state: State, text: str) -> list[str]:
    told, state = [], state.clone()
    for action in state.string_to_actions(text):
        told.append(state.action_to_string(action))
        state.apply_action(action)
    return told


@pytest.mark.parametrize(
    ("dice", "pieces", "text", "told"),
    [
        ((6, 4), (), "24/14", "24/20 20/14"),
        ((6, 4), (), "24/18/14", "24/18 18/14"),
        ((6, 4), (), "13/9, 24/18", "13/9 24/18"),
        ((6, 4), (), "24/20", "24/20"),
        ((3, 3), (), "8/5(2) 6/3(2)", "8/5 8/5 6/3 6/3"),
        ((3, 3), (), "13/7(2)", "13/10 10/7 13/10 10/7"),
        ((5, 2), ("24 bar 13:5 8:3 6:5", "24:2 13:5 8:3 6:4 20"), "13/11 bar/20", "bar/20 13/11"),
        ((5, 2), ("24 bar 13:5 8:3 6:5", "24:2 13:5 8:3 6:4 20"), "25/18", "bar/23 23/18"),
        ((5, 2), ("24 bar 13:5 8:3 6:5", "24:2 13:5 8:3 6:4 20"), "Bar/20", "bar/20"),
        ((6, 5), ("5 4", START), "5/off 4/off", "5/off 4/off(6)"),
        ((6, 5), ("5 4", START), "4/0 5/0", "5/off 4/off(6)"),
        ((6, 5), ("5 4", START), "4/off(6) 5/off", "5/off 4/off(6)"),
        ((6, 6), ("5:2 4:2", START), "5/off(2) 4/off(2)", "5/off(6) 5/off(6) 4/off(6) 4/off(6)"),
        # A piece may go by two ways: by the one on which nothing is hit, if no mark says otherwise.
        ((6, 4), (START, "24:2 13:5 8:2 6:5 7"), "24/14", "24/20 20/14"),
        ((6, 4), (START, "24:2 13:5 8:2 6:5 7"), "24/18*/14", "24/18* 18/14"),
        ((6, 4), (START, SHOTS), "24/18/14", "24/18* 18/14"),
        ((6, 4), (START, SHOTS), "24/20* 24/18", "24/20* 24/18*"),
    ],
)
def test_turns_are_read(dice: tuple[int, int], pieces: tuple[str, ...], text: str, told: str) -> None:
    assert names(place(dice, *pieces), text) == told.split()


@pytest.mark.parametrize(
    ("dice", "pieces", "text", "told"),
    [
        ((6, 4), (), "13/8", "'13/8': from 13 a piece can go to 9 or 7, not to 8"),
        ((6, 4), (), "11/5", "no piece can move from 11 here; pieces can move from 6, 8, 13 or 24"),
        ((6, 4), (), "bar/22", "no piece can move from the bar here"),
        ((6, 4), (), "24/18(2)", "from 24 a piece can go to 20, not to 18"),
        ((6, 4), (), "24/14 13/11", "the turn is over before 13/11"),
        ((6, 4), (), "24/18*", r"'24/18\*': nothing is hit on 18"),
        ((6, 4), (), "24/", "'24/' is no move: write where a piece moves from and to, such as 13/8"),
        ((6, 4), (), "24/18(99)", r"'24/18\(99\)' is no move"),
        ((6, 4), (), "24/18 " * 17, "has more than 16 moves"),
        ((6, 4), (), "x" * 500, "is longer than any turn"),
        ((6, 4), (), " ", "there is no move in an empty text"),
        (
            (6, 4),
            (),
            "go",
            r"'go' is not the name of a legal action; the legal ones are 6/2, .* \(7 in all\)",
        ),
        ((6, 4), (START, SHOTS), "24/14", r"may be '24/20\* 20/14' or '24/18\* 18/14': write every step"),
        ((5, 2), ("24 bar 13:5 8:3 6:5", "24:2 13:5 8:3 6:4 20"), "13/8", "pieces can move from the bar"),
    ],
)
def test_what_cannot_be_played_is_named(
    dice: tuple[int, int], pieces: tuple[str, ...], text: str, told: str
) -> None:
    state = place(dice, *pieces)
    before = str(state)
    with pytest.raises(ValueError, match=told):
        state.string_to_actions(text)
    assert str(state) == before


def test_one_action_is_one() -> None:
    state = place((6, 4))
    assert state.string_to_action("24/18") == state.string_to_actions("24/18")[0]
    with pytest.raises(ValueError, match="'24/14' is 2 actions; string_to_actions reads them"):
        state.string_to_action("24/14")
    with pytest.raises(ValueError, match="no action is legal at a chance node"):
        BACKGAMMON.new_initial_state().string_to_actions("24/14")


@pytest.mark.parametrize(
    "game", ["sho", "shah", "shah(preset=nine_mens_morris)", "tshupu", "shuanglu", str(BACKGAMMON)]
)
def test_turns_by_their_names_are_what_was_played(game: str) -> None:
    for seed in range(6):
        record = Record.play(game, "random", seed=seed)
        state = record.initial_state
        for turn in turns(record):
            if turn[0].player >= 0:
                begun = state.clone()
                for action in state.string_to_actions(", ".join(step.name for step in turn)):
                    begun.apply_action(action)
            for step in turn:
                state.apply_action(step.id)
            if turn[0].player >= 0:
                assert begun == state, (game, seed, turn)


def turns(record: Record) -> list[list[sarai.records.Step]]:
    groups = itertools.groupby(enumerate(record.steps), lambda step: step[1].player)
    return [[step for _, step in group] for _, group in groups]


TYPED = """\
sarai record 1
game: shuanglu
rules: {"bear_off": "overshoot", "doubles": 4}
result: unfinished

1. [62] 0: 24/16
2. [4-2] 1: 8/4, 6/4
3. [33] 0: 8/5(2) 6/3(2)
4. [5-6] 1: 24/13
"""


def test_records_are_read_as_they_are_typed() -> None:
    record = Record.from_text(TYPED)
    assert [step.name for step in record.steps if step.player < 0] == ["6-2", "2-4", "3-3", "5-6"]
    moves = " ".join(step.name for step in record.steps if step.player >= 0)
    assert moves == "24/22 22/16 8/4 6/4 8/5 8/5 6/3 6/3 24/18 18/13"
    assert Record.from_text(record.to_text()) == record


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("24/13", "24/12", "line 9, step 12: '24/12': from 24 a piece can go to 18, not to 12"),
        ("[33]", "[37]", "line 8, step 6: '37' names no outcome; here are 1-1, 1-2"),
        ("8/5(2) 6/3(2)", "8/5(2) 6/3(3)", "line 8, step 7: .*the turn is over before 6/3"),
        # The other order of the opening throw would be another player's turn.
        ("[62]", "[26]", "line 6, step 1: player 0 is to play .* but it is player 1's turn"),
    ],
)
def test_wrong_records_say_what_is_wrong(old: str, new: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        Record.from_text(TYPED.replace(old, new))
