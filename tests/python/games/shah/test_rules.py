"""Shah's rules R1-R9 one by one, at the Python face; the worked positions are in test_shah_positions.py."""

from __future__ import annotations

from typing import Any

import pytest

from games.shah.table import FULL, POINTS, REST, captures, moving, names, new_game, place_all, placing

# ------------------------------------------------------------------------------- R1, R2: the placing


def test_r1_two_players_with_twelve_stones_each() -> None:
    t = new_game()
    assert t.game.num_players == 2
    assert t["hand"] == [12, 12]
    assert t["board"] == "." * 24


@pytest.mark.parametrize("pieces", [3, 9, 12])
def test_r1_pieces_is_the_number_of_stones(pieces: int) -> None:
    assert new_game(pieces=pieces, opening_removals="none")["hand"] == [pieces, pieces]


def test_r2_a_stone_is_placed_on_any_empty_point_in_turn() -> None:
    t = new_game()
    for turn, point in enumerate([4, 0, 23]):
        assert t.to_move(turn % 2, phase="place")
        assert t["turn"] == turn
        assert t.moves() == set(POINTS) - {POINTS[p] for p in (4, 0, 23)[:turn]}
        t.play(POINTS[point])
    assert t["hand"] == [10, 11]
    assert (t.stones(0), t.stones(1)) == ({4, 23}, {0})


def test_r2_the_last_stone_goes_on_the_last_point() -> None:
    t = placing(FULL, REST - {23}, (0, 1), player=1)
    assert t.moves() == {"g1"}


# ----------------------------------------------------------------------------- R3: who begins to move


def test_r3_the_second_player_earns_the_privilege_too() -> None:
    t = new_game().play("a4", "a7", "d6", "d7", "b6", "g7")
    assert t["beginner"] == 1
    assert t.to_move(0, phase="place")


def test_r3_the_privilege_is_kept_to_the_end() -> None:
    t = new_game(pieces=3, opening_removals="none", max_turns=8)
    t.play("a7", "b6", "d7", "d6", "g7", "c5")
    assert t.to_move(0)
    t.play("a7-a4", "c5-d5")
    assert t.over(winner=None)
    assert t["beginner"] == 0


def test_r3_a_mill_with_the_last_stone_decides() -> None:
    t = new_game(pieces=3, opening_removals="none").play("a7", "b6", "d7", "d6", "c5", "f6")
    assert t["beginner"] == 1
    assert t.to_move(1)


@pytest.mark.parametrize("first", [0, 1])
def test_r3_without_a_mill_who_placed_last_begins(first: int) -> None:
    t = new_game(pieces=3, opening_removals="none", first_player=first)
    t.play("a7", "b6", "d7", "d6", "c5")
    assert t["beginner"] is None
    t.play("e5")
    assert t["beginner"] == 1 - first
    assert t.to_move(1 - first)


@pytest.mark.parametrize("first", [0, 1])
def test_r3_begin_first_player_is_the_beginner_whoever_mills(first: int) -> None:
    t = new_game(pieces=3, opening_removals="none", first_player=first, begin="first_player")
    assert t["beginner"] == first
    t.play("a7", "b6", "d7", "d6", "c5", "f6")
    assert t["beginner"] == first
    assert t.to_move(first)


def test_r3_begin_first_player_is_known_when_the_lot_is_drawn() -> None:
    t = new_game(first_player="random", begin="first_player")
    assert t["beginner"] is None
    t.state.apply_action(1)
    assert t["beginner"] == 1


# -------------------------------------------------------------------------- R4: the opening removals


def full_board(**options: Any) -> Any:
    return place_all(new_game(**options), FULL, REST)


def test_r4_no_removals_before_all_stones_are_placed() -> None:
    assert new_game()["opening_removals"] == 2
    assert place_all(new_game(), FULL - {21}, REST - {23}).to_move(0, phase="place")


def test_r4_removals_are_free_of_mill_protection() -> None:
    t = new_game(mill_protection="unless_all_in_mills").play("a7", "b6", "d7", "d6", "g7", "c5")
    place_all(t, {9, 10, 12, 13, 15, 16, 18, 19, 23}, {5, 7, 8, 11, 14, 17, 20, 21, 22})
    assert t.to_move(0, phase="remove")
    assert t.moves() == captures({3, 4, 6, 5, 7, 8, 11, 14, 17, 20, 21, 22})
    t.play("xc5")
    assert t.moves() == captures({0, 1, 2, 9, 10, 12, 13, 15, 16, 18, 19, 23})


def test_r4_removals_count_no_moves_without_a_capture() -> None:
    t = full_board().play("xd3", "xa7")
    assert t["no_capture"] == 0


def test_r4_begin_first_player_removes_first() -> None:
    t = full_board(begin="first_player").play("xa7")
    assert t.to_move(1, phase="remove")
    assert t.play("xd3").to_move(0)


# --------------------------------------------------------------------------------- R5: slides


def test_r5_along_the_lines_to_neighbouring_empty_points() -> None:
    t = moving({4, 9, 23}, {0, 8, 15, 18})
    assert t.moves() == names("d6-d7 d6-b6 d6-f6 d6-d5 a4-a1 a4-b4 g1-d1 g1-g4")
    t.play("d6-d5")
    assert t.stones(0) == {7, 9, 23}
    assert t.to_move(1)


def test_r5_no_jumping() -> None:
    t = moving({0, 2, 21, 23}, {1, 3, 5, 14, 18})
    assert t.moves() == names("a7-a4 a1-a4 a1-d1 g1-d1")


def test_r5_turns_alternate() -> None:
    t = moving({4, 9, 23}, {0, 8, 15, 18}).play("d6-d5", "b2-b4", "d5-d6")
    assert t.to_move(1)
    assert t["turn"] == 103


# ------------------------------------------------------------------------------------ R6: the mills


def test_r6_after_a_mill_the_same_player_must_remove() -> None:
    t = moving({1, 2, 9, 20}, {6, 12, 16, 18, 22}, no_capture=7).play("a4-a7")
    assert t.to_move(0, phase="remove")
    assert t.moves() == captures({6, 12, 16, 18, 22})
    assert (t["turn"], t["no_capture"]) == (100, 7)
    t.play("xc5")
    assert t.to_move(1)
    assert t.stones(1) == {12, 16, 18, 22}
    assert (t["turn"], t["no_capture"]) == (101, 0)


def test_r6_opening_and_closing_the_same_mill_counts_each_time() -> None:
    t = moving({1, 2, 9, 20}, {6, 12, 16, 18, 22}).play("a4-a7", "xc5", "e4-e5", "a7-a4")
    assert t.to_move(1)
    t.play("e5-e4", "a4-a7")
    assert t.to_move(0, phase="remove")


def test_r6_a_mill_that_stands_already_captures_nothing() -> None:
    assert moving({0, 1, 2, 20}, {6, 12, 16, 18, 22}).play("f2-d2").to_move(1)


def test_r6_leaving_a_mill_captures_nothing() -> None:
    assert moving({0, 1, 2, 20}, {6, 12, 16, 18, 22}).play("d7-d6").to_move(1)


def test_r6_a_mill_of_the_opponent_captures_nothing() -> None:
    assert moving({1, 2, 10, 20}, {6, 7, 8, 18}).play("b4-b6").to_move(1)


# ------------------------------------------------------------------------- R7: who cannot move at all

LOSES = {"blocked": "loses"}
THREE = {"pieces": 3, "opening_removals": "none"}


def test_r7_loses_by_a_move() -> None:
    t = moving({1, 9, 14, 19}, {0, 2, 21}, **LOSES).play("d2-d1")
    assert t.over(winner=0)
    assert t["turn"] == 100


def test_r7_loses_by_a_capture() -> None:
    t = moving({1, 3, 9, 11, 14, 18, 22}, {0, 2, 17, 21}, **LOSES).play("c4-b4", "xe3")
    assert t.over(winner=0)
    assert t.stones(1) == {0, 2, 21}
    assert (t["turn"], t["no_capture"]) == (100, 0)


def test_r7_loses_by_another_capture_goes_on() -> None:
    t = moving({1, 3, 9, 11, 14, 18, 22}, {0, 2, 17, 21}, **LOSES).play("c4-b4", "xa7")
    assert t.to_move(1)


BEGINNER_BLOCKED = ("a7", "a4", "d7", "g4", "g7", "d6")  # the first mill, then shut in


def test_r7_the_beginner_blocked_by_the_last_placement() -> None:
    t = new_game(**THREE).play(*BEGINNER_BLOCKED)
    assert t["beginner"] == 0
    assert t.to_move(1, extra=True)
    assert t["turn"] == 6
    assert t.moves() == names("d6-b6 d6-f6 d6-d5 a4-b4 a4-a1 g4-f4 g4-g1")
    t.play("d6-d5")
    assert t.to_move(0)
    assert (t["turn"], t["no_capture"]) == (7, 1)


def test_r7_loses_at_the_start_of_the_moving_phase_after_a_placement() -> None:
    t = new_game(**THREE, **LOSES).play(*BEGINNER_BLOCKED)
    assert t.over(winner=1)
    assert (t["turn"], t["no_capture"]) == (5, 0)


def test_r7_loses_at_the_start_of_the_moving_phase_after_the_removals() -> None:
    t = full_board(**LOSES).play("xd7", "xa7")  # only White stands beside the two empty points
    assert t["beginner"] == 1
    assert t.over(winner=0)
    assert (t["turn"], t["opening_removals"]) == (25, 0)


def test_r7_the_same_start_with_extra_moves() -> None:
    t = full_board().play("xd7", "xa7")
    assert t.to_move(0, extra=True)
    assert t["turn"] == 26
    assert t.moves() == names("g7-d7 d6-d7")


@pytest.mark.parametrize("removed", [("xd3", "xa7"), ("xd7", "xb6")])
def test_r7_loses_only_without_a_move(removed: tuple[str, str]) -> None:
    t = full_board(**LOSES).play(*removed)
    assert t.to_move(1)


def test_r7_a_full_board_is_a_draw() -> None:
    t = full_board(opening_removals="none")
    assert t.over(winner=None)
    assert t["turn"] == 24
    assert t["beginner"] == 1


def test_r7_loses_on_a_full_board_the_beginner_has_lost() -> None:
    t = full_board(opening_removals="none", **LOSES)
    assert t.over(winner=0)
    assert t["turn"] == 23


def test_r7_loses_leaves_an_opponent_who_can_move_alone() -> None:
    t = moving({1, 9, 14, 19}, {0, 2, 21, 11}, **LOSES).play("d2-d1")
    assert t.to_move(1)


def test_r7_no_extra_move_while_the_opponent_can_move() -> None:
    t = moving({1, 9, 14, 19}, {0, 2, 21, 11}).play("d2-d1")
    assert t.to_move(1)
    assert t.moves() == names("c4-b4 c4-c5 c4-c3")


def test_r7_the_second_player_makes_extra_moves_too() -> None:
    t = moving({0, 2, 21}, {1, 9, 14, 19}, player=1).play("d2-d1")
    assert t.to_move(1, extra=True)
    assert t.moves() == names("d7-d6 a4-b4 g4-f4 g4-g1 d1-d2 d1-g1")


# -------------------------------------------------------------------------------------- R8: the win


def test_r8_stones_in_hand_count() -> None:
    t = new_game(pieces=4, opening_removals="none", placement_captures=True)
    t.play("a7", "b6", "d7", "d6", "g7", "xb6")
    assert t.stones(1) == {4}
    assert t["hand"] == [1, 2]
    assert t.to_move(1, phase="place")


def test_r8_a_win_while_placing() -> None:
    t = new_game(pieces=3, opening_removals="none", placement_captures=True)
    t.play("a7", "b6", "d7", "d6", "g7", "xb6")
    assert t.over(winner=0)
    assert t["hand"] == [0, 1]
    assert t["turn"] == 4


def test_r8_a_win_with_the_last_stone() -> None:
    t = new_game(pieces=3, opening_removals="none", placement_captures=True)
    t.play("a7", "b6", "d7", "d6", "c5", "f6", "xa7")
    assert t.over(winner=1)
    assert t["turn"] == 5


def test_r8_the_second_player_wins() -> None:
    t = moving({3, 16, 23}, {0, 1, 6, 14}, player=1).play("g4-g7", "xd3")
    assert t.over(winner=1)


def test_r8_three_stones_are_enough_to_go_on() -> None:
    assert moving({0, 1, 6, 14}, {3, 16, 23, 18}).play("g4-g7", "xb6").to_move(1)


# ------------------------------------------------------------------------- R9: who begins the game


@pytest.mark.parametrize("first", [0, 1])
def test_r9_first_player_begins(first: int) -> None:
    t = new_game(first_player=first)
    assert t.to_move(first, phase="place")
    assert t.play("a7").to_move(1 - first, phase="place")


@pytest.mark.parametrize("first", [0, 1])
def test_r9_first_player_random_is_a_chance_node(first: int) -> None:
    t = new_game(first_player="random")
    assert (t["phase"], t["player"]) == ("first", None)
    assert t.state.chance_outcomes() == [(0, 0.5), (1, 0.5)]
    t.state.apply_action(first)
    assert t.to_move(first, phase="place")
    assert t["turn"] == 0
