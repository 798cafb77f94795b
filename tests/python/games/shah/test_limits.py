"""Shah's rules R10-R12, at the Python face: draws, the order of the endings, and what counts as a turn."""

from __future__ import annotations

from typing import Any

import pytest

from games.shah.table import FULL, REST, Table, moving, new_game, place_all, placing

CORNERS = {0, 2, 21}
LOSES = {"blocked": "loses"}
NINE = {"preset": "nine_mens_morris"}


def about_to_block(**given: Any) -> Table:
    """White's d2-d1 shuts Black's three corner stones in."""
    return moving({1, 9, 14, 19}, CORNERS, **given)


def about_to_mill(**given: Any) -> Table:
    """White's g4-g7 makes a mill; Black has five stones."""
    return moving({0, 1, 6, 14}, {3, 4, 5, 20, 23}, **given)


# ------------------------------------------------------------------------- R10: moves without a capture


def test_r10_a_slide_counts_and_a_capture_starts_anew() -> None:
    t = about_to_mill(no_capture=3).play("c5-d5")
    assert t["no_capture"] == 4
    t = about_to_mill(no_capture=3).play("g4-g7")
    assert t["no_capture"] == 3
    assert t.play("xb6")["no_capture"] == 0


def test_r10_the_limit_is_a_draw_and_its_turn_counts() -> None:
    t = about_to_mill(no_capture=198).play("c5-d5")
    assert t.to_move(1)
    assert t["no_capture"] == 199
    t.play("f6-f4")
    assert t.over(winner=None)
    assert (t["no_capture"], t["turn"]) == (200, 102)


def test_r10_a_mill_with_the_last_move_still_captures() -> None:
    t = about_to_mill(no_capture=199).play("g4-g7")
    assert t.to_move(0, phase="remove")
    assert t["no_capture"] == 199
    assert t.play("xb6").to_move(1)
    assert t["no_capture"] == 0


@pytest.mark.parametrize("limit", [1, 7, 65535])
def test_r10_the_limit_is_an_option(limit: int) -> None:
    late = {"max_turns": 65535, "turn": 65000}
    t = about_to_mill(no_capture_limit=limit, no_capture=limit - 1, **late).play("c5-d5")
    assert t.over(winner=None)
    assert t["no_capture"] == limit


@pytest.mark.parametrize("counted", [0, 199, 254, 255, 65533])
def test_r10_without_a_limit_the_moves_are_counted_all_the_same(counted: int) -> None:
    t = about_to_mill(no_capture_limit=0, no_capture=counted, max_turns=65535, turn=65000).play("c5-d5")
    assert t.to_move(1)
    assert t["no_capture"] == counted + 1


def test_r10_more_moves_than_turns_are_counted() -> None:
    """A turn may hold a move and an extra move, so 65535 turns hold more moves than 65535."""
    given = {"no_capture_limit": 0, "max_turns": 65535, "turn": 65000}
    t = about_to_block(no_capture=65534, **given).play("d2-d1")
    assert t["no_capture"] == 65535
    assert t.play("d1-d2")["no_capture"] == 65536
    assert t.play("a1-d1")["no_capture"] == 65537
    assert t.game.parse(str(t.state)) == t.state


def test_r10_extra_moves_count() -> None:
    t = about_to_block(no_capture=5).play("d2-d1")
    assert t["no_capture"] == 6
    assert t.play("d1-g1")["no_capture"] == 7


def test_r10_an_extra_move_may_reach_the_limit() -> None:
    t = about_to_block(no_capture=198).play("d2-d1")
    assert t.to_move(0, extra=True)
    t.play("d1-g1")
    assert t.over(winner=None)
    assert (t["no_capture"], t["turn"]) == (200, 101)


def test_r10_a_move_that_blocks_may_reach_the_limit() -> None:
    """R11: the endings come after a complete move, and the extra move is another move."""
    t = about_to_block(no_capture=199).play("d2-d1")
    assert t.over(winner=None)
    assert (t["no_capture"], t["turn"]) == (200, 101)


def test_r10_an_extra_move_that_does_not_open_may_reach_the_limit() -> None:
    t = moving({1, 4, 9, 10, 13, 14, 19, 22, 23}, CORNERS, extra=True, no_capture=199).play("d6-d5")
    assert t.over(winner=None)
    assert t["turn"] == 101


def test_r10_a_fly_counts_when_the_stone_lands() -> None:
    t = moving({0, 1, 20}, {3, 4, 12, 23}, **NINE, no_capture=5).play("fly a7")
    assert t["no_capture"] == 5
    assert t.play("c5")["no_capture"] == 6


def test_r10_the_limit_reached_by_a_fly() -> None:
    t = moving({0, 1, 20}, {3, 4, 12, 23}, flying=True, no_capture=199).play("fly a7")
    assert t.to_move(0, phase="land")
    assert t.play("c5").over(winner=None)


# ---------------------------------------------------------------------------------- R10: max_turns


@pytest.mark.parametrize("max_turns", [1, 2, 23])
def test_r10_max_turns_while_placing(max_turns: int) -> None:
    t = new_game(max_turns=max_turns)
    while not t.state.is_terminal():
        assert t["turn"] < max_turns
        t.state.apply_action(t.state.legal_actions()[0])
    assert t.over(winner=None)
    assert t["turn"] == max_turns
    assert sum(t["hand"]) == 24 - max_turns
    assert t["opening_removals"] == 2


@pytest.mark.parametrize(("max_turns", "removals", "still"), [(24, [], 2), (25, ["xd3"], 1)])
def test_r12_a_game_that_ends_during_the_opening_removals_keeps_what_was_to_make(
    max_turns: int, removals: list[str], still: int
) -> None:
    t = place_all(new_game(max_turns=max_turns), FULL, REST).play(*removals)
    assert t.over(winner=None)
    assert (t["turn"], t["opening_removals"], t["beginner"]) == (max_turns, still, 1)


def test_r10_max_turns_after_the_second_removal() -> None:
    t = place_all(new_game(max_turns=26), FULL, REST).play("xd3", "xa7")
    assert t.over(winner=None)
    assert (t["turn"], t["opening_removals"]) == (26, 0)


def test_r10_max_turns_before_the_extra_moves_at_the_start() -> None:
    t = place_all(new_game(max_turns=26), FULL, REST).play("xd7", "xa7")
    assert t.over(winner=None)
    assert t["turn"] == 26


def test_r10_max_turns_in_the_moving_phase() -> None:
    t = about_to_mill(turn=999).play("c5-d5")
    assert t.over(winner=None)
    assert (t["turn"], t["no_capture"]) == (1000, 1)


def test_r10_max_turns_does_not_cut_a_capture_short() -> None:
    t = about_to_mill(turn=999).play("g4-g7")
    assert t.to_move(0, phase="remove")
    assert t["turn"] == 999
    t.play("xb6")
    assert t.over(winner=None)
    assert t["turn"] == 1000


def test_r10_max_turns_does_not_cut_an_extra_move_short() -> None:
    t = about_to_block(turn=999).play("d2-d1")
    assert t.to_move(0, extra=True)
    assert t["turn"] == 999
    t.play("d1-d2")
    assert t.over(winner=None)
    assert t["turn"] == 1000


def test_r10_max_turns_does_not_cut_a_fly_short() -> None:
    t = moving({0, 1, 20}, {3, 4, 12, 23}, **NINE, turn=199).play("fly a7")
    assert t.to_move(0, phase="land")
    assert t.play("c5").over(winner=None)
    assert t["turn"] == 200


def test_r10_max_turns_ends_extra_moves_that_do_not_open() -> None:
    t = moving({1, 4, 9, 10, 13, 14, 19, 22, 23}, CORNERS, extra=True, turn=999).play("d6-d5")
    assert t.over(winner=None)
    assert t["turn"] == 1000


# ------------------------------------------------------------------------- R11: the order of the endings


def test_r11_a_win_in_the_last_turn_counts() -> None:
    t = moving({0, 1, 6, 14}, {3, 16, 23}, turn=999).play("g4-g7", "xb6")
    assert t.over(winner=0)
    assert t["turn"] == 999


def test_r11_a_capture_to_two_stones_comes_before_an_extra_move() -> None:
    """The two stones that are left are shut in, too."""
    t = moving({1, 3, 9, 11, 14, 18, 22}, {0, 2, 17}).play("c4-b4", "xe3")
    assert t.over(winner=0)


def test_r11_blocked_comes_before_the_limit() -> None:
    t = about_to_block(**LOSES, no_capture=199).play("d2-d1")
    assert t.over(winner=0)
    assert (t["no_capture"], t["turn"]) == (200, 100)


def test_r11_blocked_comes_before_max_turns() -> None:
    t = about_to_block(**LOSES, turn=999).play("d2-d1")
    assert t.over(winner=0)
    assert t["turn"] == 999


def test_r11_blocked_at_the_start_comes_before_max_turns() -> None:
    t = place_all(new_game(**LOSES, max_turns=26), FULL, REST).play("xd7", "xa7")
    assert t.over(winner=0)
    assert t["turn"] == 25
    t = place_all(new_game(**LOSES, opening_removals="none", max_turns=24), FULL, REST)
    assert t.over(winner=0)
    assert t["turn"] == 23


def test_r11_the_limit_and_max_turns_together_count_one_turn() -> None:
    t = about_to_mill(no_capture=199, turn=999).play("c5-d5")
    assert t.over(winner=None)
    assert (t["no_capture"], t["turn"]) == (200, 1000)


# ------------------------------------------------------------------------------- R12: what a turn is


def test_r12_a_placement_with_its_capture_is_one_turn() -> None:
    t = placing({0, 1}, {3, 4}, (7, 7), beginner=0, **NINE).play("g7")
    assert t.to_move(0, phase="remove")
    assert t["turn"] == 4
    t.play("xb6")
    assert t.to_move(1, phase="place")
    assert t["turn"] == 5


def test_r12_the_last_placement_with_its_capture_is_one_turn() -> None:
    t = placing({3, 4, 6, 8}, {0, 1, 12}, (0, 1), player=1, beginner=0, **NINE).play("g7")
    assert t.to_move(1, phase="remove")
    assert t["turn"] == 17
    t.play("xb6")
    assert t.to_move(0)
    assert t["turn"] == 18


def test_r12_a_default_game_begins_to_move_at_turn_26() -> None:
    t = place_all(new_game(), FULL, REST)
    assert t["turn"] == 24
    assert t.play("xd3")["turn"] == 25
    assert t.play("xa7")["turn"] == 26
    assert t.to_move(1)


def test_r12_a_move_and_the_extra_move_that_follows_are_one_turn() -> None:
    t = about_to_block().play("d2-d1")
    assert t["turn"] == 100
    assert t.play("d1-g1")["turn"] == 101


def test_r12_a_capture_and_the_extra_move_that_follows_are_one_turn() -> None:
    t = moving({1, 3, 9, 11, 14, 18, 22}, {0, 2, 17, 21}).play("c4-b4", "xe3")
    assert t.to_move(0, extra=True)
    assert t["turn"] == 100
    assert t.play("d1-g1")["turn"] == 101


def test_r12_further_extra_moves_are_turns_of_their_own() -> None:
    turns = []
    t = moving({1, 4, 9, 10, 13, 14, 19, 22, 23}, CORNERS, extra=True)
    for move in ("d6-d5", "d7-d6"):
        t.play(move)
        turns.append(t["turn"])
    assert turns == [101, 102]


def test_r12_a_move_with_two_extra_moves_is_two_turns() -> None:
    """The first extra move, which does not open, belongs to the turn; the second does not."""
    t = moving({1, 4, 9, 10, 13, 14, 18, 22, 23}, CORNERS, no_capture=4)
    t.play("b2-d2")
    assert t.to_move(0, extra=True)
    assert (t["turn"], t["no_capture"]) == (100, 5)
    t.play("d6-d5")
    assert t.to_move(0, extra=True)
    assert (t["turn"], t["no_capture"]) == (101, 6)
    t.play("d7-d6")
    assert t.to_move(1)
    assert (t["turn"], t["no_capture"]) == (102, 7)


def test_r12_a_lift_and_its_landing_are_one_turn() -> None:
    t = moving({0, 1, 20}, {3, 4, 12, 23}, **NINE).play("fly a7")
    assert t["turn"] == 100
    assert t.play("c5")["turn"] == 101
