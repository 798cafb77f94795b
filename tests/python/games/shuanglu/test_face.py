"""Shuanglu at the Python face: positions in and out, moves by their names, what was won.

The rules themselves are held by the tests in src/games/shuanglu/tests and by the reference engine beside this file.
"""

from __future__ import annotations

from typing import Any

import gymnasium

import sarai
from helpers.by_name import legal, play, throw


def test_the_environment_has_its_id() -> None:
    assert gymnasium.spec("sarai/Shuanglu-v0").kwargs == {"game": "shuanglu"}


def points(**stacks: int) -> list[int]:
    """Point 1 first: `points(p6=5, p8=3)`."""
    return [stacks.get(f"p{place}", 0) for place in range(1, 25)]


def position(mine: list[int], other: list[int], **options: Any) -> sarai.State:
    """Seat 0 about to throw; what is not on a point is borne off."""
    game = sarai.make("shuanglu", **options)
    off = [15 - sum(mine), 15 - sum(other)]
    changes = {"phase": "roll", "player": 0, "points": [mine, other], "off": off, "turn": 9}
    return game.state_from_dict({**game.new_initial_state().to_dict(), **changes})


def test_a_throw_is_played_by_its_names() -> None:
    state = throw(position(points(p24=1, p13=1), points(p6=15)), "2-6")
    assert legal(state) == {"13/11": 38, "24/22": 49, "13/7": 138, "24/18": 149}
    play(state, "24/18")
    assert state.to_dict()["dice"] == [2]
    assert state.get_game().parse(str(state)) == state


def test_a_gammon_with_a_piece_far_back_counts_three() -> None:
    state = throw(position(points(p3=1), points(p6=14, p19=1), scoring="gammon"), "3-6")
    assert legal(state) == {"3/off": 53}
    play(state, "3/off")
    assert (state.winner, list(state.returns()), state.to_dict()["points_won"]) == (0, [3.0, -3.0], 3)
