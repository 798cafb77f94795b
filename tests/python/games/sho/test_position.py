"""Positions of Sho from the coins that a person sees, and from what is on the pad."""

from __future__ import annotations

from typing import Any

import pytest

import sarai
from helpers import seen
from helpers.by_name import legal

GAMES = [
    *(f"sho(preset={preset})" for preset in sarai.presets("sho")),
    "sho(players=2,first_player=1)",
    "sho(players=4,first_player=random,pa_ra=flexible,finish_overflow=true,num_shells=20,coins=4)",
    "sho(players=4,teams=true,pa_ra=none,six_three=true,finish_overflow=true,num_shells=12)",
    "sho(players=2,num_shells=10,coins=3,entry_coins=3,finish_overflow=true,six_three=true)",
    "sho(players=2,max_turns=3)",
]


def keywords(state: dict[str, Any]) -> dict[str, Any]:
    """What a person sees of a state."""
    found: dict[str, Any] = {"player": state["player"]}
    for letter, side in zip("abcd", state["sides"], strict=False):
        places = [f"{place}:{coins}" for place, coins in side["stacks"].items()]
        if side["off"]:
            places.append(f"off:{side['off']}")
        if side["cleared"]:
            places.append("cleared")
        found[f"side_{letter}"] = " ".join(places)
    phase = state["phase"]
    if phase == "roll":
        found |= {"pool": state["pool"], "dice": ()}
    elif phase == "reroll":
        found |= {"pool": state["pool"], "dice": (1, 1)}
    elif phase == "overflow":
        found |= {"pool": state["pool"], "overflow": state["value"]}
    elif phase != "over":
        found |= {"pool": state["pool"], "value": state["value"], "moved": state["moved"]}
        if state["six_three_roll"]:
            found["dice"] = (6, 3)
    elif state["winner"] is None:
        found["turn"] = state["turn"]
    return found


@pytest.mark.parametrize("game", GAMES)
def test_what_is_seen_of_games(game: str) -> None:
    seen.check(sarai.make(game), keywords, {"turn"})


def test_coins_that_are_not_named_are_in_hand() -> None:
    game = sarai.make("sho")
    state = game.position(player=1, side_a="10:1 23:2", side_b="12:2 off:3").to_dict()
    assert [side["hand"] for side in state["sides"]] == [6, 4, 9]
    assert (state["phase"], state["player"]) == ("roll", 1)
    assert game.position(side_a="hand:9") == game.new_initial_state()


def test_a_throw_is_what_may_be_moved() -> None:
    game = sarai.make("sho", players=2)
    assert set(legal(game.position(side_a="10:1 23:2", side_b="12:2 31:1", dice=(5, 3)))) == {
        "hand/8",
        "10/18",
        "23/31*",
    }
    again = game.position(side_a="10:1", dice=(1, 1))
    assert (again.is_chance_node(), again.to_dict()["pool"]) == (True, [2])
    chosen = game.position(side_a="10:1", pool=(2, 8))
    assert set(legal(chosen)) == {"value 2", "value 8", "value 10"}
    assert set(legal(game.position(side_a="10:1", pool=(2, 8), value=10))) == {"hand/10+", "10/20"}
    # After a stack or a kill, the rest of the pool is kept while the dice are thrown.
    assert game.position(side_a="10:2", pool=(8,), dice=()).is_chance_node()
    plain = sarai.make("sho", players=2, pa_ra="none")
    assert set(legal(plain.position(dice=(1, 1)))) == {"hand/2"}


def test_rules_that_look_at_the_dice_and_at_the_past() -> None:
    lhasa = sarai.make("sho", preset="lhasa", players=2)
    assert "hand/9 all" in legal(lhasa.position(side_a="cleared", side_b="20:1", dice=(3, 6)))
    assert "hand/9 all" not in legal(lhasa.position(side_a="cleared", side_b="20:1", dice=(4, 5)))
    assert "hand/9 all" not in legal(lhasa.position(side_b="20:1", dice=(3, 6)))
    split = sarai.make("sho", preset="flexible", players=2)
    assert set(legal(split.position(side_a="10:1 20:1", pool=(4,), moved=10))) == {"hand/4", "20/24"}
    overflow = sarai.make("sho", preset="variants", players=2)
    rest = overflow.position(side_a="10:1 off:2", overflow=3)
    assert set(legal(rest)) == {"hand/3", "10/13", "decline"}


def test_partners_share_their_coins() -> None:
    game = sarai.make("sho", preset="teams")
    state = game.position(player=2, side_a="10:1", side_b="30:9", dice=(2, 3))
    assert set(legal(state)) == {"hand/5", "10/15"}
    with pytest.raises(TypeError, match=r"no 'side_c'.*; it takes player, side_a, side_b, dice"):
        game.position(side_c="10:1")


def test_a_side_with_everything_off_has_won() -> None:
    state = sarai.make("sho").position(side_b="off:9")
    assert (state.is_terminal(), state.winner) == (True, 1)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"side_a": "0:1"}, "side_a has '0', which is no place"),
        ({"side_a": "10:0"}, "a number from 1 to 255"),
        ({"side_a": "10 10"}, "side_a has 10 twice"),
        ({"side_a": "10", "side_b": "10"}, "two sides are on position 10"),
        ({"side_a": "10:10"}, "side 0 has 10 coins, not 9"),
        ({"side_a": "hand:3 10:2"}, "side 0 has 5 coins, not 9"),
        ({"side_a": "10 cleared"}, "side 0 is cleared with 8 of its 9 coins in hand"),
        ({"side_a": "off:9", "side_b": "off:9"}, "two sides have all their coins off"),
        ({"side_a": "off:9", "dice": (3, 4)}, "the game is over in this position, so leave dice out"),
        ({"dice": (3,)}, "dice takes both dice"),
        ({"dice": (7, 1)}, "dice has 7; it takes numbers from 1 to 6"),
        ({"pool": (2, 5), "value": 6}, "value is 6, which the pool"),
        ({"dice": (1, 1), "value": 2}, "value is 2 in phase reroll"),
        ({"value": 3, "overflow": 3}, "either a value to move or an overflow"),
        ({"overflow": 3}, "overflow needs finish_overflow=true"),
        ({"side_a": "5:1", "moved": 5, "pool": (4,)}, "moved is 5"),
        ({"turn": 5001}, "turn is 5001"),
    ],
)
def test_what_contradicts_the_rules_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        sarai.make("sho").position(**given)
