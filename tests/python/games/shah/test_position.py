"""Positions of Shah from the stones that a person sees."""

from __future__ import annotations

from typing import Any

import pytest

import sarai
from helpers import seen
from helpers.by_name import legal

# The points in the order of their numbers: rank by rank from the top, the files of each from the left.
FILES = {7: "adg", 6: "bdf", 5: "cde", 4: "abcefg", 3: "cde", 2: "bdf", 1: "adg"}
NAMES = [f"{file}{rank}" for rank, files in FILES.items() for file in files]
GAMES = [
    *(f"shah(preset={preset})" for preset in sarai.presets("shah")),
    "shah(first_player=1)",
    "shah(first_player=random,flying=true,no_capture_limit=10)",
    "shah(pieces=5,opening_removals=none)",
    "shah(preset=nine_mens_morris,first_player=random,pieces=4)",
    "shah(pieces=11,opening_removals=none,blocked=loses,first_player=1)",
    "shah(opening_removals=none,begin=first_player)",
    "shah(placement_captures=true,opening_removals=none,max_turns=30)",
]
OUTER, MIDDLE = "a7 d7 g7 a4 g4 a1 d1 g1", "b6 d6 f6 b4 f4 b2 d2 f2"


def keywords(state: dict[str, Any]) -> dict[str, Any]:
    """What a person sees of a state."""
    stones = [
        " ".join(name for name, held in zip(NAMES, state["board"], strict=True) if held == seat)
        for seat in "01"
    ]
    found: dict[str, Any] = {"player": state["player"], "white": stones[0], "black": stones[1]}
    placing = any(state["hand"])
    if placing:
        found["in_hand"] = tuple(state["hand"])
    if state["phase"] == "remove" and (placing or not state["opening_removals"]):
        found["removing"] = True
    if state["phase"] == "slide":
        found["extra"] = state["extra"]
    if state["lifted"] is not None:
        found["lifted"] = NAMES[state["lifted"]]
    if state["winner"] is not None:
        found["winner"] = state["winner"]
    elif state["phase"] == "over":
        found |= {"turn": state["turn"], "no_capture": state["no_capture"]}
    return found


@pytest.mark.parametrize("game", GAMES)
def test_what_is_seen_of_games(game: str) -> None:
    seen.check(sarai.make(game), keywords, {"turn", "no_capture", "beginner"})


def test_a_board_is_in_the_moving_phase_once_both_have_three_stones() -> None:
    state = sarai.make("shah").position(player=1, white="a1 d1 g7", black="b4 d6 a4").to_dict()
    assert (state["phase"], state["player"], state["hand"], state["turn"]) == ("slide", 1, [0, 0], 26)
    assert state["board"] == "..0.1....11..........00."


def test_stones_in_hand_are_still_to_be_placed() -> None:
    game = sarai.make("shah")
    # Who has fewer than three on the board has not placed the others yet.
    assert game.position(white="a1 d1 g7", black="b4 d6") == game.position(
        player=1, white="a1 d1 g7", black="b4 d6", in_hand=(9, 10)
    )
    state = game.position(white="a1 d1 g7", black="b4 d6 d7", in_hand=(9, 9)).to_dict()
    assert (state["phase"], state["player"], state["turn"]) == ("place", 0, 6)
    assert game.position(player=0, white="", black="") == game.new_initial_state()


def test_a_full_board_is_before_the_opening_removals() -> None:
    game = sarai.make("shah")
    white = f"{OUTER} c5 d5 e5 c4"
    black = f"{MIDDLE} e4 c3 d3 e3"
    first = game.position(player=1, white=white, black=black)
    assert first.to_dict()["opening_removals"] == 2
    second = first.child(first.string_to_action("xa7"))
    assert game.position(white=white.removeprefix("a7 "), black=black) == second
    moving = second.child(second.string_to_action("xb6"))
    again = game.position(player=1, white=white[3:], black=black[3:], beginner=1, extra=False)
    assert again == moving


def test_a_mill_removes_a_stone() -> None:
    game = sarai.make("shah", preset="nine_mens_morris")
    state = game.position(player=0, white="a7 d7 g7 a1", black="d6 d5 b4 f4", removing=True)
    assert set(legal(state)) == {"xd6", "xd5", "xb4", "xf4"}
    placed = game.position(white="a7 d7 g7", black="d6 b4", in_hand=(6, 7), removing=True)
    assert placed.to_dict()["player"] == 0
    flight = game.position(player=0, white="a7 d7", black="d6 d5 b4 f4", lifted="g7")
    assert "g7" not in legal(flight)
    assert "g1" in legal(flight)


def test_who_blocks_the_other_makes_an_extra_move() -> None:
    game = sarai.make("shah")
    stones: dict[str, Any] = {"player": 0, "white": "d7 a4 g4 d1", "black": "a7 g7 g1"}
    assert game.position(**stones).to_dict()["extra"] is True
    assert game.position(**stones, extra=False).to_dict()["extra"] is False
    assert sarai.make("shah", blocked="loses").position(**stones).to_dict()["extra"] is False


def test_games_that_are_over() -> None:
    game = sarai.make("shah")
    won = game.position(white="a7 d7 g7", black="d6 d5", in_hand=(0, 0))
    assert (won.is_terminal(), won.winner) == (True, 0)
    drawn = game.position(white="a7 d7 b6", black="d5 e5 c3", no_capture=200)
    assert (drawn.is_terminal(), drawn.winner) == (True, -1)
    loses = sarai.make("shah", blocked="loses")
    shut = loses.position(white="d7 a4 g4 d1 c5", black="a7 g7 g1", winner=0)
    assert (shut.winner, shut.to_dict()["no_capture"]) == (0, 1)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"white": "a7 a7"}, "white has a7 twice"),
        ({"white": "a7,d7"}, "white has 'a7,d7', which is no point"),
        ({"white": "a7 d7 d6", "black": "a7 b4 b2"}, "a white and a black stone on a7"),
        ({"white": " ".join(NAMES[:13]), "black": "a1 d1 g1"}, "player 0 has 13 stones"),
        ({"white": "a7 d7 d6", "black": "a1 b4", "in_hand": (9, 9)}, "player 1 has 11 stones, not 12"),
        ({"white": "a7 d7 d6", "black": "a1 b4 b2", "removing": True}, "removes a stone without a mill"),
        ({"white": "a7 d7 d6", "black": "a1 b4 b2", "extra": True}, "extra is true, but player 1 can move"),
        ({"white": "a7 d7", "black": "a1 b4 b2", "lifted": "g7"}, "phase land needs flying=true"),
        ({"white": "a7 d7", "black": "a1 b4 b2", "lifted": "g7 d6"}, "lifted takes one point"),
        ({"player": 0, "white": "a7 d7 g7", "black": "a1 b4", "in_hand": (0, 0)}, "leave player out"),
        ({"white": "a7 d7 d6", "black": "a1 b4 b2", "winner": 0}, "player 1 has 3 stones and can move"),
        ({"white": "a7 d7 d6", "black": "a1 b4 b2", "turn": 3}, "turn 3"),
    ],
)
def test_what_contradicts_the_rules_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        sarai.make("shah").position(**given)
