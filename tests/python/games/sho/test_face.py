"""Sho at the Python face: options as keywords, positions in and out, moves by their names, what was won.

The rules themselves are held by the tests in src/games/sho/tests and by the reference engine beside this file.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import pytest

import sarai
from helpers.by_name import legal, play, throw


def test_the_environment_has_its_id() -> None:
    assert gymnasium.spec("sarai/Sho-v0").kwargs == {"game": "sho"}


def test_options_go_on_top_of_a_preset() -> None:
    presets = sarai.presets("sho")
    assert sarai.make("sho").rules == presets["basic"]
    rules = sarai.make("sho", preset="lhasa", coins=5, stake=2.0).rules
    assert rules == {**presets["basic"], "entry_coins": 2, "six_three": True, "coins": 5, "stake": 2.0}
    assert sarai.make("sho", rules={"pa_ra": "none", "players": 2}).num_players == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"teams": True, "players": 3}, "'teams' needs players=4, not players=3"),
        ({"preset": "teams", "players": 3}, "'teams' needs players=4, not players=3"),
        ({"players": 2, "first_player": 2}, "'first_player' got 2; it takes 0, 1 or"),
        ({"niner_stack": False, "six_three": True}, "'six_three' = true needs niner_stack"),
        ({"niner_stack": False, "coins": 3, "entry_coins": 3}, "'niner_stack' = false needs coins"),
    ],
)
def test_options_that_contradict_each_other_are_named(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        sarai.make("sho", **options)


def position(*sides: dict[str, Any], players: int = 2, **options: Any) -> sarai.State:
    """Seat 0 about to throw; a side has its other coins in hand."""
    game = sarai.make("sho", players=players, **options)
    whole = [{"hand": 9, "off": 0, "stacks": {}, "cleared": False, **side} for side in sides]
    return game.state_from_dict({**game.new_initial_state().to_dict(), "sides": whole})


def test_a_worked_position_is_played_by_its_names() -> None:
    # S1 of the rule book: pa ra and an 11 give three values, and the kill carries the other over.
    state = position({"hand": 6, "stacks": {"10": 1, "23": 2}}, {"hand": 6, "stacks": {"12": 1, "40": 2}})
    throw(throw(state, "1-1"), "5-6")
    assert legal(state) == {"value 2": 65, "value 11": 74, "value 13": 76}
    play(state, "value 2")
    assert legal(state) == {"hand/2": 0, "10/12*": 10, "23/25": 23}
    play(state, "10/12*")
    d = state.to_dict()
    assert (d["phase"], d["player"], d["pool"]) == ("roll", 0, [11])
    assert d["sides"][1] == {"hand": 7, "off": 0, "stacks": {"40": 2}, "cleared": False}
    assert state.get_game().parse(str(state)) == state


def test_the_winner_takes_every_stake() -> None:
    last = {"hand": 0, "off": 8, "stacks": {"63": 1}}
    state = play(throw(position(last, {}, {}, players=3, stake=2.5), "2-3"), "63/off")
    assert (state.winner, list(state.returns())) == (0, [5.0, -2.5, -2.5])


def test_who_begins_may_be_drawn() -> None:
    state = sarai.make("sho", players=4, first_player="random").new_initial_state()
    assert state.chance_outcomes() == [(seat, 0.25) for seat in range(4)]
    state.apply_action(3)
    assert state.to_dict()["player"] == 3


def sho_dict(**changes: Any) -> dict[str, Any]:
    sides = [
        {"hand": 5, "off": 0, "stacks": {"3": 2, "7": 2}, "cleared": False},
        {"hand": 8, "off": 0, "stacks": {"9": 1}, "cleared": False},
        {"hand": 9, "off": 0, "stacks": {}, "cleared": False},
    ]
    return {**sarai.make("sho").new_initial_state().to_dict(), "sides": sides, **changes}


@pytest.mark.parametrize(
    ("side", "change"),
    [
        pytest.param(0, {"hand": 6}, id="ten coins"),
        pytest.param(0, {"hand": 4}, id="eight coins"),
        pytest.param(1, {"hand": 0, "stacks": {"20": 9, "21": 1}}, id="ten coins on the track"),
        pytest.param(1, {"stacks": {"7": 1}}, id="two sides on one position"),
        pytest.param(1, {"hand": 10, "stacks": {"9": -1}}, id="a stack of -1"),
        pytest.param(1, {"hand": 9, "stacks": {"9": 0}}, id="a stack of none"),
        pytest.param(1, {"stacks": {"0": 1}}, id="a position before the first"),
        pytest.param(1, {"stacks": {"64": 1}}, id="a position past the last"),
        pytest.param(1, {"stacks": {"-9": 1}}, id="a negative position"),
        pytest.param(1, {"stacks": {"09": 1}}, id="a position written oddly"),
        pytest.param(1, {"stacks": {"nine": 1}}, id="a position in words"),
        pytest.param(1, {"stacks": {"9": True}}, id="a bool for an int"),
        pytest.param(1, {"stacks": {"9": 1.0}}, id="a float for an int"),
        pytest.param(1, {"stacks": {"9": "1"}}, id="a text for an int"),
        pytest.param(1, {"stacks": [1]}, id="a list for the stacks"),
        pytest.param(1, {"hand": 10**30}, id="a huge int"),
        pytest.param(1, {"cleared": 0}, id="an int for a bool"),
        pytest.param(1, {"hand": None}, id="None for an int"),
    ],
)
def test_sides_that_cannot_be(side: int, change: dict[str, Any]) -> None:
    game = sarai.make("sho")
    good = sho_dict()
    assert game.state_from_dict(good).to_dict() == good
    bad = sho_dict()
    bad["sides"][side].update(change)
    with pytest.raises(ValueError, match=r"\w+ \w+"):
        game.state_from_dict(bad)


def test_lists_do_not_stand_for_dicts() -> None:
    bad = sho_dict()
    bad["sides"][0] = list(bad["sides"][0].values())
    with pytest.raises(ValueError, match=r"\w+ \w+"):
        sarai.make("sho").state_from_dict(bad)
