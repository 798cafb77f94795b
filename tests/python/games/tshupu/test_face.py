"""T'shu-p'u at the Python face: positions in and out, moves by their names, what was won.

The rules themselves are held by the tests in src/games/tshupu/tests and by the reference engine beside this file.
"""

from __future__ import annotations

from typing import Any

import gymnasium

import sarai
from helpers.by_name import legal, play, throw


def test_the_environment_has_its_id() -> None:
    assert gymnasium.spec("sarai/TshuPu-v0").kwargs == {"game": "tshupu"}


def position(*seats: list[int], **options: Any) -> sarai.State:
    """South about to throw, with the progress of the pieces of all four."""
    game = sarai.make("tshupu", **options)
    return game.state_from_dict({**game.new_initial_state().to_dict(), "pieces": list(seats)})


START, OFF = [1, 1, 1, 1], [33, 33, 33, 33]


def test_a_throw_is_played_by_its_names() -> None:
    state = throw(position([0, 10, 32, 33], [5] * 4, START, [5] * 4), "1-3")
    singles = {"hand/1": 0, "10/11": 10, "32/off": 32, "hand/3": 33, "10/13": 43}
    assert legal(state) == {**singles, "hand/4 (both)": 132, "10/14 (both)": 142}
    play(state, "10/13")
    d = state.to_dict()
    assert (d["phase"], d["dice"], d["moved"], d["pieces"][0]) == ("second", [1], 13, [0, 13, 32, 33])
    assert state.get_game().parse(str(state)) == state


def test_a_team_wins_together() -> None:
    state = play(throw(position([32, 33, 33, 33], START, OFF, START), "1-6"), "32/off")
    assert (state.winner, list(state.returns())) == (0, [1.0, -1.0, 1.0, -1.0])
