"""Positions of Shuanglu from the pieces that a person sees, and the dice."""

from __future__ import annotations

from typing import Any

import pytest

import sarai
from helpers import seen
from helpers.by_name import legal

START = "24:2 13:5 8:3 6:5"
GAMES = [
    *(f"shuanglu(preset={preset})" for preset in sarai.presets("shuanglu")),
    "shuanglu(scoring=gammon,larger_die=false)",
    "shuanglu(doubles=4,max_turns=5)",
]


def keywords(state: dict[str, Any]) -> dict[str, Any]:
    """What a person sees of a state."""
    sides = []
    for points, bar in zip(state["points"], state["bar"], strict=True):
        places = [f"{at + 1}:{pieces}" for at, pieces in enumerate(points) if pieces]
        sides.append(" ".join([*places, f"bar:{bar}"] if bar else places))
    player, dice = state["player"], state["dice"]
    found: dict[str, Any] = {"player": player, "own": sides[player or 0], "other": sides[1 - (player or 0)]}
    found["dice"] = dice[:2] or None
    if len(set(dice)) < len(dice):
        found["moves_left"] = len(dice)
    if state["phase"] == "over" and state["winner"] is None:
        found["turn"] = state["turn"]
    return found


@pytest.mark.parametrize("game", GAMES)
def test_what_is_seen_of_games(game: str) -> None:
    seen.check(sarai.make(game), keywords, {"turn"})


def test_the_setup_without_a_player_is_the_start() -> None:
    game = sarai.make("shuanglu")
    assert game.position(own=START, other=START) == game.new_initial_state()
    # With one, the throw of that player is due.
    assert game.position(player=1, own=START).to_dict()["phase"] == "roll"


def test_the_opening_of_a_game() -> None:
    state = sarai.make("shuanglu").position(player=0, own=START, other=START, dice=(2, 6))
    assert set(legal(state)) >= {"24/18", "13/11", "8/2"}
    assert state.to_dict()["dice"] == [6, 2]
    # Each counts from the own end, and own are the pieces of the player.
    turned = sarai.make("shuanglu").position(player=1, own="24:1 6:14", other="20:2 4:13")
    assert turned.to_dict()["points"][1][23] == 1
    assert turned.to_dict()["points"][0][3] == 13


def test_pieces_that_are_not_named_are_off() -> None:
    state = sarai.make("shuanglu").position(player=0, own="6:2 3:1", other="24:1 1:4 bar", dice=(6, 2))
    assert (state.to_dict()["off"], state.to_dict()["bar"]) == ([12, 9], [0, 1])
    assert set(legal(state)) == {"6/off", "6/4", "3/1*"}


def test_a_double_gives_all_its_moves_unless_it_says_how_many_are_left() -> None:
    game = sarai.make("shuanglu", preset="backgammon")
    assert game.position(player=0, dice=(3, 3)).to_dict()["dice"] == [3] * 4
    assert game.position(player=0, dice=(3, 3), moves_left=2).to_dict()["dice"] == [3, 3]
    one = game.position(player=0, dice=(3,))
    assert one == game.position(player=0, dice=(3, 3), moves_left=1)
    assert sarai.make("shuanglu").position(player=0, dice=(3, 3)).to_dict()["dice"] == [3, 3]


def test_who_has_everything_off_has_won() -> None:
    game = sarai.make("shuanglu", scoring="gammon")
    state = game.position(player=1, own="", other="13:15")
    assert (state.winner, state.returns()) == (1, [-2.0, 2.0])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"own": "25:1"}, "own has '25', which is no place; places are 1 to 24, bar and off"),
        ({"own": "24:x"}, "own has '24:x'"),
        ({"own": "24 24"}, "own has 24 twice"),
        ({"own": "24:9 6:7"}, "player 0 has 16 pieces, not 15"),
        ({"own": "24:9 off:7"}, "player 0 has 16 pieces, not 15"),
        ({"own": "24:9 off:5"}, "player 0 has 14 pieces, not 15"),
        ({"own": "24:2", "other": "1:2"}, "and both have pieces there"),
        ({"own": "", "other": ""}, "both players have borne off everything"),
        ({"own": "", "dice": (6, 2)}, "the game is over in this position, so leave dice out"),
        ({"dice": (6, 2, 1)}, "dice has more than 2 numbers"),
        ({"dice": (6, 2), "moves_left": 1}, "moves_left is for a double"),
        ({"dice": (6, 6), "moves_left": 3}, "a double gives 2 moves"),
        ({"own": "bar:2 6:13", "other": "6:2 5:2 4:2 3:2 2:2 1:5", "dice": (6, 2)}, "no legal step"),
        ({"turn": 2001}, "turn is 2001; max_turns is 2000"),
        ({"player": 2}, "player got 2; it takes 0 to 1"),
    ],
)
def test_what_contradicts_the_rules_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        sarai.make("shuanglu").position(**given)
