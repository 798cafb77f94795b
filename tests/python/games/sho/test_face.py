"""Sho at the Python face: options as keywords, positions in and out, moves by their names, what was won.

The rules themselves are held by the tests in src/games/sho/tests and by the reference engine beside this file.
"""

from __future__ import annotations

from typing import Any

import gymnasium

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
