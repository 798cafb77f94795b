"""Positions of T'shu-p'u from the pieces that a person sees, and the dice."""

from __future__ import annotations

from typing import Any

import pytest

import sarai
from helpers import seen
from helpers.by_name import legal

COLOURS = ("red", "yellow", "green", "black")
GAMES = [
    *(f"tshupu(preset={preset})" for preset in sarai.presets("tshupu")),
    "tshupu(first_player=2,pieces=2)",
    "tshupu(first_player=random,same_piece_both_dice=true,pieces=1)",
    "tshupu(pieces=3,max_turns=6,finished_player=partner_plays)",
]


def keywords(state: dict[str, Any]) -> dict[str, Any]:
    """What a person sees of a state."""
    found: dict[str, Any] = {
        colour: " ".join(map(str, pieces)) for colour, pieces in zip(COLOURS, state["pieces"], strict=True)
    }
    found |= {"player": state["player"], "moved": state["moved"]}
    if state["dice"]:
        found["dice"] = state["dice"]
    if state["phase"] == "over" and state["winner"] is None:
        found["turn"] = state["turn"]
    return found


@pytest.mark.parametrize("game", GAMES)
def test_what_is_seen_of_games(game: str) -> None:
    seen.check(sarai.make(game), keywords, {"turn"})


def test_who_is_not_named_has_not_moved() -> None:
    game = sarai.make("tshupu")
    assert game.position(red="1:4", yellow="1 1 1 1") == game.new_initial_state()
    state = game.position(player=2, green="7 21 30", black="hand:2 32 off").to_dict()
    assert state["pieces"] == [[1] * 4, [1] * 4, [0, 7, 21, 30], [0, 0, 32, 33]]
    # Seats and turns keep step.
    assert (state["phase"], state["turn"]) == ("roll", 2)
    assert game.position(turn=7).to_dict()["player"] == 3
    drawn = sarai.make("tshupu", first_player="random")
    assert drawn.position(red="1:4") == drawn.new_initial_state()
    assert drawn.position(player=3).to_dict()["turn"] == 0


def test_a_throw_and_its_second_die() -> None:
    game = sarai.make("tshupu")
    state = game.position(player=2, red="7 21 30", yellow="15 19 23 24", green="10 20 30 32", dice=(4, 1))
    assert state.to_dict()["dice"] == [1, 4]
    assert {"32/off", "10/14"} <= set(legal(state))
    second = state.child(state.string_to_action("10/14"))
    again = game.position(
        player=2, red="7 21 30", yellow="15 19 23 24", green="14 20 30 32", dice=(1,), moved=14
    )
    assert again == second


def test_a_team_with_everything_off_has_won() -> None:
    state = sarai.make("tshupu").position(red="off:4", green="off:4")
    assert (state.is_terminal(), state.winner) == (True, 0)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"red": "34"}, "red has '34', which is no place; places are 1 to 32, hand and off"),
        ({"red": "home"}, "red has 'home'"),
        ({"red": "1 2 3 4 5"}, "red has more than 4 pieces"),
        ({"dice": (2, 3)}, "a die shows 2"),
        ({"moved": 3}, "moved is 3 in phase roll"),
        ({"player": 1, "turn": 2}, "player is 1 with turn 2"),
        ({"player": 0, "red": "off:4"}, "player 0 has all pieces off"),
        ({"red": "off:4", "green": "off:4", "dice": (3, 4)}, "so leave dice out"),
        (dict.fromkeys(COLOURS, "off:4"), "both teams have all their pieces off"),
        ({"player": 0, "red": "31:4", "dice": (6, 6)}, "no legal action in phase move"),
        ({"turn": 2001}, "turn is 2001; max_turns is 2000"),
    ],
)
def test_what_contradicts_the_rules_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        sarai.make("tshupu").position(**given)
