"""The worked positions H1-H14 of Shah's rule book, exactly as it gives them; W is player 0, B player 1."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sarai
from games.shah.table import FULL, POINTS, REST, Table, captures, moving, names, new_game, place_all

# ------------------------------------------------------------------------------------------- placing


def test_h1_r3_the_first_mill_earns_the_privilege_and_captures_nothing() -> None:
    t = new_game().play("a7", "b6", "d7", "d6")
    assert t["beginner"] is None
    t.play("g7")
    assert t["beginner"] == 0
    assert t.to_move(1, phase="place")
    assert t["turn"] == 5
    assert (t.stones(0), t.stones(1)) == ({0, 1, 2}, {3, 4})


def test_h1_r3_a_later_mill_changes_nothing() -> None:
    t = new_game().play("a7", "b6", "d7", "d6", "g7", "f6")
    assert t["beginner"] == 0
    assert t.to_move(0, phase="place")
    assert (t.stones(0), t.stones(1)) == ({0, 1, 2}, {3, 4, 5})


def full_board() -> Table:
    return place_all(new_game(), FULL, REST)


def test_h2_r3_without_a_mill_the_last_to_place_begins() -> None:
    t = place_all(new_game(), FULL - {21}, REST - {23})
    assert t["beginner"] is None
    t.play("a1", "g1")
    assert (t.stones(0), t.stones(1)) == (FULL, REST)
    assert t["beginner"] == 1
    assert t.to_move(1, phase="remove")
    assert t["turn"] == 24


def test_h3_r4_each_removes_one_of_twelve_then_the_beginner_moves() -> None:
    t = full_board()
    assert t.to_move(1, phase="remove")
    assert t["opening_removals"] == 2
    assert t.moves() == captures(FULL)
    t.play("xd3")
    assert t.to_move(0, phase="remove")
    assert t["opening_removals"] == 1
    assert t["turn"] == 25
    assert t.moves() == captures(REST)
    t.play("xa7")
    assert t.to_move(1)
    assert t["opening_removals"] == 0
    assert t["turn"] == 26
    assert (t.stones(0), t.stones(1)) == (FULL - {16}, REST - {0})


def test_h5_r3_two_mills_at_once_are_still_the_one_privilege() -> None:
    t = new_game().play("d7", "b6", "g7", "d6", "a4", "c5", "a1", "e5")
    assert t.stones(0) == {1, 2, 9, 21}
    assert t["beginner"] is None
    t.play("a7")
    assert t["beginner"] == 0
    assert t.to_move(1, phase="place")
    assert t.stones(1) == {3, 4, 6, 8}


# -------------------------------------------------------------------------------------- moves and mills


def test_h4_r5_exactly_the_slides_to_neighbouring_empty_points() -> None:
    t = moving({0, 1, 6, 14}, {3, 4, 5, 20, 23})
    assert t.moves() == names("a7-a4 d7-g7 c5-d5 c5-c4 g4-g7 g4-f4")


def test_h4_r6_a_mill_removes_any_stone_also_one_in_a_mill() -> None:
    t = moving({0, 1, 6, 14}, {3, 4, 5, 20, 23}).play("g4-g7")
    assert t.to_move(0, phase="remove")
    assert t.moves() == captures({3, 4, 5, 20, 23})
    t.play("xd6")
    assert t.to_move(1)
    assert t.stones(1) == {3, 5, 20, 23}
    assert t["turn"] == 101


# ------------------------------------------------------------------------------------------- R7

CORNERS = {0, 2, 21}


def blocker(white: set[int], black: set[int]) -> Table:
    """Black would be to move but cannot, so White makes an extra move."""
    return moving(white, black, extra=True)


def test_h6_r7_every_move_that_opens_is_legal() -> None:
    t = blocker({1, 9, 14, 22}, CORNERS)
    assert t.moves() == names("d7-d6 a4-b4 g4-f4 g4-g1 d1-d2 d1-g1")


def test_h6_r7_the_blocking_move_leads_there() -> None:
    t = moving({1, 9, 14, 19}, CORNERS).play("d2-d1")
    assert t.to_move(0, extra=True)
    assert t["turn"] == 100
    assert t.moves() == names("d7-d6 a4-b4 g4-f4 g4-g1 d1-d2 d1-g1")


@pytest.mark.parametrize("move", ["d7-d6", "a4-b4", "g4-f4", "g4-g1", "d1-d2", "d1-g1"])
def test_h6_r7_then_the_opponent_moves(move: str) -> None:
    t = blocker({1, 9, 14, 22}, CORNERS).play(move)
    assert t.to_move(1)
    assert t["turn"] == 101


def test_h7_r7_a_mill_made_by_an_extra_move_captures_nothing() -> None:
    t = blocker({1, 3, 9, 14, 18, 22}, CORNERS)
    assert t.moves() == names("d7-d6 a4-b4 g4-f4 g4-g1 d1-d2 d1-g1")
    t.play("a4-b4")
    assert t.stones(0) == {1, 3, 10, 14, 18, 22}
    assert t.stones(1) == CORNERS
    assert t.to_move(1)


def test_h8_r7_moves_that_do_not_open_are_illegal() -> None:
    t = blocker({1, 9, 14, 16, 22}, CORNERS)
    assert t.moves() == names("d7-d6 a4-b4 g4-f4 g4-g1 d1-d2 d1-g1")
    assert not t.moves() & {"d3-c3", "d3-e3", "d3-d2"}


H9 = {1, 4, 9, 10, 13, 14, 19, 22, 23}


def test_h9_r7_if_no_move_opens_all_are_legal() -> None:
    t = blocker(H9, CORNERS)
    slides = "d6-b6 d6-f6 d6-d5 b4-b6 b4-c4 b4-b2 f4-f6 f4-e4 f4-f2 d2-d3 d2-b2 d2-f2"
    assert t.moves() == names(slides)
    assert len(t.moves()) == 12


def test_h9_r7_after_an_extra_move_the_opponent_may_still_be_blocked() -> None:
    t = blocker(H9, CORNERS).play("d6-d5")
    assert t.to_move(0, extra=True)
    assert t["turn"] == 101
    assert t.moves() == {"d7-d6"}
    t.play("d7-d6")
    assert t.to_move(1)
    assert t["turn"] == 102


def after_the_mill() -> Table:
    t = moving({1, 3, 9, 11, 14, 18, 22}, {0, 2, 17, 21}).play("c4-b4")
    assert t.moves() == captures({0, 2, 17, 21})
    return t


def test_h10_r7_a_capture_that_blocks_is_followed_by_an_extra_move() -> None:
    t = after_the_mill().play("xe3")
    assert t.to_move(0, extra=True)
    assert t["turn"] == 100
    assert t.moves() == names("d7-d6 g4-f4 g4-g1 d1-d2 d1-g1")
    for move in t.moves():
        after = t.copy().play(move)
        assert after.to_move(1)
        assert after.stones(1) == CORNERS
        assert after["turn"] == 101


@pytest.mark.parametrize("captured", ["xa7", "xg7", "xa1"])
def test_h10_r7_after_another_capture_the_opponent_moves(captured: str) -> None:
    t = after_the_mill().play(captured)
    assert t.to_move(1)
    assert t["turn"] == 101
    assert t.moves() == names("e3-e4 e3-d3")


H11_A = {2, 3, 4, 5, 10, 13, 17, 18, 19, 20, 21}
H11_B = {1, 6, 7, 8, 9, 11, 12, 14, 15, 16, 22}


def test_h11_r7_the_beginner_blocked_after_the_removals() -> None:
    t = moving(H11_A, H11_B, player=1, extra=True, turn=26)
    assert t.moves() == names("d7-a7 a4-a7 g4-g1 d1-g1")
    t.play("d7-a7")
    assert t.to_move(0)
    assert t["turn"] == 27


def test_h11_r7_the_second_removal_leads_there() -> None:
    t = new_game().play("b6", "d7", "d6", "c5", "f6", "d5")  # the first mill: A begins
    place_all(t, H11_A - {3, 4, 5} | {0}, H11_B - {1, 6, 7} | {23})
    assert t["beginner"] == 0
    t.play("xg1", "xa7")
    assert t.to_move(1, extra=True)
    assert t["turn"] == 26
    assert t["opening_removals"] == 0
    assert t.moves() == names("d7-a7 a4-a7 g4-g1 d1-g1")


def test_h12_r5_three_stones_do_not_fly() -> None:
    t = blocker({4, 9, 14, 20}, {0, 1, 2})
    assert t.moves() == names("d6-b6 d6-f6 d6-d5 a4-b4 a4-a1 g4-f4 g4-g1")


@pytest.mark.parametrize("captured", [3, 16, 23])
def test_h13_r8_a_capture_that_leaves_two_stones_wins_at_once(captured: int) -> None:
    t = moving({0, 1, 6, 14}, {3, 16, 23}).play("g4-g7", f"x{POINTS[captured]}")
    assert t.over(winner=0)
    assert t["turn"] == 100
    assert t.stones(1) == {3, 16, 23} - {captured}


# ------------------------------------------------------------------------------------------- R9: series

# Three stones each: whoever is to win places a7-d7-g7 and captures; nobody mills with these.
QUIET = {0: [4, 8, 15], 1: [5, 7, 18]}
QUICK = {"pieces": 3, "opening_removals": "none", "placement_captures": True, "no_capture_limit": 1}


class Script:
    """Plays a series for both seats, so that its games end as written: 0 and 1 win, None is a draw."""

    def __init__(self, *results: int | None) -> None:
        self.results = list(results)
        self.game = -1

    def choose(self, seat: int, observation: NDArray[np.int8], mask: NDArray[np.int8]) -> int:
        if not observation[:48].any():  # neither own nor enemy stones: a new game
            self.game += 1
        legal = mask.nonzero()[0].tolist()
        places = [0, 1, 2] if self.results[self.game] == seat else QUIET[seat]
        return next((p for p in places if p in legal), legal[0])

    def seat(self, seat: int) -> Any:
        def policy(observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
            return np.array([self.choose(seat, *row) for row in zip(observations, masks, strict=True)])

        return policy

    def series(self, **options: Any) -> sarai.Series:
        agents = [self.seat(0), self.seat(1)]
        games = len(self.results)
        series = sarai.play_series("shah", agents, rules={**QUICK, **options}, max_games=games)
        played = [None if winner < 0 else int(winner) for winner in series.winners]
        assert played == self.results[: len(series)]
        return series


def test_h14_r9_a_loss_ends_the_streak_and_the_series_goes_on() -> None:
    series = Script(0, 0, 0, 0, 1, 0).series()
    assert series.streaks.tolist() == [[1, 0], [2, 0], [3, 0], [4, 0], [0, 1], [1, 0]]
    assert series.winner == -1
    assert series.starters.tolist() == [0, 0, 0, 0, 0, 1]


def test_r9_five_games_in_a_row_win_the_series() -> None:
    series = Script(0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1).series()
    assert len(series) == 10
    assert series.winner == 0
    assert series.streaks[-1].tolist() == [5, 0]


def test_r9_a_draw_leaves_streaks_and_starter_as_they_are() -> None:
    series = Script(1, None, 1, None, None, 1, 1, 1).series()
    assert series.streaks[:, 1].tolist() == [1, 1, 2, 2, 2, 3, 4, 5]
    assert not series.streaks[:, 0].any()
    assert series.starters.tolist() == [0, 1, 1, 1, 1, 1, 1, 1]
    assert series.winner == 1


@pytest.mark.parametrize("first", [0, 1])
def test_r9_first_player_begins_the_first_game_only(first: int) -> None:
    series = Script(None, 1 - first, first, None).series(first_player=first)
    assert series.starters.tolist() == [first, first, 1 - first, first]
