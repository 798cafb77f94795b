"""Which dicts the engine takes as states of Shah: broken ones are refused, good ones accepted, as the naive
reference's own check says, and each broken one of a list written by hand."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

import sarai
from games.shah.random_positions import random_position, random_rules
from games.shah.reference import PRESETS, ReferenceShah, State
from games.shah.reference_check import fault
from games.shah.table import FULL, REST, draw, moving, new_game, place_all, placing

THREE = {"pieces": 3, "opening_removals": "none"}
NINE = {"preset": "nine_mens_morris"}


def spoil(d: State, rng: random.Random) -> State:
    """The dict with one or two of its values changed, mostly to something that the key can hold."""
    d = {**d, "hand": list(d["hand"])}
    seat: Callable[[], int | None] = lambda: rng.choice([None, 0, 1])  # noqa: E731
    for _ in range(rng.choice([1, 1, 2])):
        key = rng.choice(sorted(d))
        if key == "board":
            point = rng.randrange(24)
            d["board"] = d["board"][:point] + rng.choice(".01") + d["board"][point + 1 :]
        elif key == "hand":
            d["hand"][rng.randrange(2)] += rng.choice([-1, 1])
        elif key == "phase":
            d["phase"] = rng.choice(["first", "place", "remove", "slide", "land", "over"])
        elif key in ("player", "beginner", "winner"):
            d[key] = seat()
        elif key == "extra":
            d["extra"] = not d["extra"]
        elif key == "lifted":
            d["lifted"] = rng.choice([None, rng.randrange(24)])
        elif key == "opening_removals":
            d["opening_removals"] = rng.randrange(3)
        else:
            d[key] += rng.choice([-1, 1])
    return d


@pytest.mark.parametrize("seed", range(12))
def test_dicts_are_accepted_and_refused_as_the_reference_does(seed: int) -> None:
    rng = random.Random(seed)
    rules = {**PRESETS["shah"], **[{}, PRESETS["nine_mens_morris"], random_rules(rng)][min(seed, 2)]}
    game, ref = sarai.make("shah", **rules), ReferenceShah(rules)
    accepted = refused = 0
    for _ in range(60):
        good = random_position(rng, ref)
        assert game.state_from_dict(good).to_dict() == good
        for _ in range(5):
            d = spoil(good, rng)
            if fault(ref, d) is None:
                assert game.state_from_dict(d).to_dict() == d
                accepted += 1
            else:
                with pytest.raises(ValueError, match=r"\w"):
                    game.state_from_dict(d)
                refused += 1
    assert accepted > 5
    assert refused > 100


def refuses(d: State, preset: str | None = None, **options: Any) -> None:
    game = sarai.make("shah", preset=preset, **options)
    with pytest.raises(ValueError, match=r"\w"):
        game.state_from_dict(d)
    ref = ReferenceShah({**PRESETS[preset or "shah"], **options})
    assert fault(ref, d) is not None


SLIDING: State = {
    "phase": "slide",
    "player": 0,
    "board": draw({0, 1, 6, 14}, {3, 4, 5, 20, 23}),
    "hand": [0, 0],
    "beginner": 0,
    "opening_removals": 0,
    "extra": False,
    "lifted": None,
    "no_capture": 3,
    "turn": 100,
    "winner": None,
}


def test_the_position_that_the_broken_ones_are_made_of_is_good() -> None:
    assert sarai.make("shah").state_from_dict(SLIDING).to_dict() == SLIDING


@pytest.mark.parametrize(
    "change",
    [
        {"phase": "move"},
        {"phase": None},
        {"phase": "first", "player": None},
        {"phase": "place"},
        {"phase": "remove"},  # neither a mill nor an opening removal
        {"phase": "land"},
        {"phase": "over", "player": None},  # no reason to be over
        {"phase": "over", "player": None, "winner": 0},
        {"phase": "over"},
        {"player": None},
        {"player": 2},
        {"player": -1},
        {"player": "0"},
        {"board": ""},
        {"board": draw({0, 1, 6, 14}, {3, 4, 5, 20, 23})[:23]},
        {"board": draw({0, 1, 6, 14}, {3, 4, 5, 20, 23}) + "."},
        {"board": draw({0, 1, 6, 14}, {3, 4, 5, 20, 23}).replace("1", "2")},
        {"board": draw({0, 1, 6, 14}, {3, 4, 5, 20, 23}).replace("1", "é")},
        {"board": draw({0, 1}, {3, 4, 5, 20, 23})},  # R8
        {"board": draw({0, 1, 6, 14}, {3, 4})},
        {"board": draw(FULL, REST - {0})},  # R4: each has lost one
        {"board": draw({0, 2, 21}, {1, 9, 14, 22})},  # R7: who is on turn cannot act
        {"board": "." * 24},
        {"hand": [0]},
        {"hand": [0, 0, 0]},
        {"hand": [1, 0]},
        {"hand": [-1, 0]},
        {"hand": [0, 2**70]},
        {"hand": "00"},
        {"beginner": None},
        {"beginner": 2},
        {"opening_removals": 1},
        {"opening_removals": 2},
        {"opening_removals": 3},
        {"opening_removals": -1},
        {"extra": True},  # the opponent can move
        {"extra": 0},
        {"extra": None},
        {"lifted": 7},
        {"lifted": 24},
        {"no_capture": -1},
        {"no_capture": 200},  # over by the limit
        {"no_capture": 2**40},
        {"no_capture": 2**70},
        {"no_capture": 3.0},
        {"turn": -1},
        {"turn": 25},  # before the moving phase
        {"turn": 1000},  # over by max_turns
        {"turn": 1001},
        {"turn": 2**70},
        {"winner": 0},
        {"winner": 2},
        {"unknown": 0},
    ],
)
def test_a_broken_dict_of_the_moving_phase_is_refused(change: dict[str, Any]) -> None:
    refuses({**SLIDING, **change})


@pytest.mark.parametrize("key", sorted(SLIDING))
def test_a_dict_without_a_key_is_refused(key: str) -> None:
    refuses({k: value for k, value in SLIDING.items() if k != key})


def test_extra_moves_need_an_opponent_who_is_blocked() -> None:
    blocked = {**SLIDING, "board": draw({1, 9, 14, 22}, {0, 2, 21})}
    assert moving({1, 9, 14, 22}, {0, 2, 21}, extra=True).to_move(0, extra=True)
    refuses({**blocked, "extra": True}, blocked="loses")
    refuses({**blocked, "extra": True}, flying=True)  # three stones fly
    refuses({**blocked, "player": 1})  # who acts is the one who makes extra moves
    refuses({**blocked, "player": 1, "extra": True})


def test_no_draw_by_a_limit_that_is_off() -> None:
    d = {**SLIDING, "phase": "over", "player": None, "no_capture": 200}
    assert sarai.make("shah").state_from_dict(d).is_terminal()
    refuses(d, no_capture_limit=0)


@pytest.mark.parametrize(
    "change",
    [
        {"player": 1},
        {"turn": 3},
        {"turn": 5},
        {"hand": [10, 9]},
        {"hand": [9, 10]},
        {"hand": [11, 10]},
        {"beginner": 0},  # no mill so far
        {"beginner": 1},
        {"opening_removals": 0},
        {"opening_removals": 1},
        {"extra": True},
        {"lifted": 0},
        {"no_capture": 1},
        {"board": draw({0, 1, 9}, {3, 4})},
        {"board": draw({0}, {3, 4})},
        {"board": draw({0, 3}, {1})},
        {"phase": "slide"},
        {"phase": "remove"},
    ],
)
def test_a_broken_dict_of_the_placing_phase_is_refused(change: dict[str, Any]) -> None:
    d = placing({0, 1}, {3, 4}, (10, 10)).state.to_dict()
    refuses({**d, **change})


def test_a_mill_while_placing_makes_a_beginner() -> None:
    d = placing({0, 1, 2}, {3, 4}, (9, 10), player=1, beginner=0).state.to_dict()
    refuses({**d, "beginner": None})
    refuses({**d, "beginner": 1})


def test_begin_first_player_is_the_beginner_from_the_start() -> None:
    d = new_game(begin="first_player").state.to_dict()
    assert d["beginner"] == 0
    refuses({**d, "beginner": None}, begin="first_player")
    refuses({**d, "beginner": 1}, begin="first_player")


@pytest.mark.parametrize(
    "change",
    [
        {"player": 0},
        {"beginner": 0},
        {"beginner": None},
        {"opening_removals": 1},
        {"opening_removals": 0},
        {"turn": 23},
        {"turn": 25},
        {"board": draw(FULL, REST - {0})},
        {"no_capture": 1},
        {"phase": "slide"},
        {"phase": "place"},
        {"hand": [0, 1]},
    ],
)
def test_a_broken_dict_of_the_opening_removals_is_refused(change: dict[str, Any]) -> None:
    d = place_all(new_game(), FULL, REST).state.to_dict()
    assert d["player"] == d["beginner"] == 1
    refuses({**d, **change})


@pytest.mark.parametrize(
    "change",
    [
        {"player": 1},
        {"opening_removals": 1},
        {"extra": True},
        {"board": draw({0, 1, 7, 6}, {3, 4, 5, 20, 23})},  # no mill
        {"board": draw({0, 1, 2}, {3, 4})},
    ],
)
def test_a_broken_dict_of_a_capture_is_refused(change: dict[str, Any]) -> None:
    d = moving({0, 1, 6, 14}, {3, 4, 20, 23}).play("g4-g7").state.to_dict()
    assert d["phase"] == "remove"
    refuses({**d, **change})


@pytest.mark.parametrize(
    "change",
    [
        {"lifted": None},
        {"lifted": 1},  # a stone stands there
        {"lifted": 24},
        {"lifted": -1},
        {"board": draw({1}, {3, 4, 12, 23})},
        {"board": draw({1, 20, 21}, {3, 4, 12, 23})},
        {"player": 1},
        {"extra": True},
        {"phase": "slide"},
    ],
)
def test_a_broken_dict_of_a_fly_is_refused(change: dict[str, Any]) -> None:
    d = moving({0, 1, 20}, {3, 4, 12, 23}, **NINE).play("fly a7").state.to_dict()
    assert d["phase"] == "land"
    refuses({**d, **change}, **NINE)


def test_nobody_flies_without_the_option() -> None:
    d = moving({0, 1, 20}, {3, 4, 12, 23}, flying=True).play("fly a7").state.to_dict()
    refuses(d)


@pytest.mark.parametrize("change", [{"winner": 1}, {"winner": None}, {"player": 0}, {"extra": True}])
def test_a_broken_dict_of_an_end_is_refused(change: dict[str, Any]) -> None:
    d = moving({0, 1, 6, 14}, {3, 16, 23}).play("g4-g7", "xb6").state.to_dict()
    assert d["winner"] == 0
    refuses({**d, **change})


def test_more_stones_than_pieces_are_refused() -> None:
    d = {**SLIDING, "board": draw({0, 1, 6, 14}, {3, 4, 5})}
    refuses(d, **THREE)
    assert sarai.make("shah", **{**THREE, "pieces": 4}).state_from_dict(d).to_dict() == d


def test_a_dict_of_something_else_is_refused() -> None:
    for other in ({}, {"phase": "slide"}):
        refuses(other)


def test_a_position_made_by_hand_may_have_any_turn_of_the_moving_phase() -> None:
    for turn in (26, 27, 999):
        assert moving({0, 1, 6, 14}, {3, 4, 5, 20, 23}, turn=turn, no_capture=199)["turn"] == turn


def ended(board: str, turn: int, winner: int | None, no_capture: int = 0) -> State:
    over = {"phase": "over", "player": None, "board": board, "turn": turn, "winner": winner}
    return {**SLIDING, **over, "no_capture": no_capture}


def test_a_draw_by_the_limit_has_counted_its_turn() -> None:
    board = "0111101001000.0.10101101"
    refuses(ended(board, 26, None, no_capture=1), no_capture_limit=1)
    drawn = ended(board, 27, None, no_capture=1)
    assert sarai.make("shah", no_capture_limit=1).state_from_dict(drawn).is_terminal()


def test_who_is_shut_in_at_the_start_is_the_beginner() -> None:
    rules = {"begin": "first_player", "opening_removals": "none", "blocked": "loses"}
    board = "001110010110010110001110"
    assert sarai.make("shah", **rules).state_from_dict(ended(board, 23, 1)).is_terminal()
    refuses(ended(board, 23, 0), **rules)
    refuses(ended(board, 24, 1), **rules)  # neither a move nor a capture can have come last


def test_a_capture_while_placing_takes_a_mill_and_a_mill_makes_the_beginner() -> None:
    place = {**SLIDING, "phase": "place", "no_capture": 0}
    rules: State = {"placement_captures": True, "opening_removals": "none"}
    few = {**place, "board": ".................1...10.", "hand": [2, 1], "turn": 3, "beginner": None}
    three: State = {**rules, "pieces": 3, "first_player": 1}
    assert sarai.make("shah", **three).state_from_dict(few).to_dict() == few
    refuses({**few, "beginner": 1}, **three)  # two stones make no mill
    gone = {**place, "board": ".0100...1..11...0...00..", "hand": [6, 7], "turn": 11, "player": 1}
    assert sarai.make("shah", **rules).state_from_dict(gone).to_dict() == gone
    refuses({**gone, "beginner": None}, **rules)
