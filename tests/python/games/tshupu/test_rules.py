"""T'shu-p'u's rules R1-R12 at the Python face, one small position for each thing that they say."""

from __future__ import annotations

import pytest

from games.tshupu.table import ALL_OFF, new_game, tshupu

SEATS = ["south", "west", "north", "east"]
ONE_LEFT = "1 33 33 33"
WAITING = "32 32 32 32"  # in the centre, in nobody's way


# ------------------------------------------------------------------ R1, R2: the players and their order


def test_r1_two_teams_of_opposite_seats_with_all_pieces_on_their_start_squares() -> None:
    t = new_game()
    assert t.game.num_players == 4
    assert list(t.game.sides) == [0, 1, 0, 1]
    assert t["pieces"] == [[1, 1, 1, 1]] * 4


def test_r1_the_dice_have_the_faces_1_3_4_and_6() -> None:
    t = new_game()
    outcomes = t.state.chance_outcomes()
    assert [outcome for outcome, _ in outcomes] == list(range(10))
    sixteenths = [1, 2, 2, 2, 1, 2, 2, 1, 2, 1]
    assert [chance for _, chance in outcomes] == pytest.approx([part / 16 for part in sixteenths])
    thrown = []
    for outcome, _ in outcomes:
        after = t.copy()
        after.state.apply_action(outcome)
        thrown.append(after["dice"])
    assert thrown == [[1, 1], [1, 3], [1, 4], [1, 6], [3, 3], [3, 4], [3, 6], [4, 4], [4, 6], [6, 6]]


def test_r2_turns_pass_clockwise() -> None:
    t = new_game()
    for turn in range(6):
        assert (t["player"], t["turn"]) == (turn % 4, turn)
        t.roll("11").play("1/2" if turn < 4 else "2/3", "1/2")


@pytest.mark.parametrize("seat", range(4))
def test_r2_pieces_go_anti_clockwise_round_the_board(seat: int) -> None:
    """Seven squares on is the start square of the seat that sits before, then of those before it."""
    for quarters in (1, 2, 3, 4):
        far = {SEATS[seat]: f"{7 * quarters - 6 + 3} 33 33 33"}
        before = (seat - quarters) % 4
        t = tshupu(**far, player=seat).roll("13")
        hits = before % 2 != seat % 2
        assert t.turns() == {f"{7 * quarters - 3}/{7 * quarters + 1}{'*' * hits} (both)"}
        t.play(*t.moves())
        assert (t.seat(before) == [0, 0, 0, 0]) == hits
        assert sum(pieces.count(0) for pieces in t["pieces"]) == 4 * hits


# ------------------------------------------------------------------ R3: a throw is played by one or two pieces


def test_r3_only_the_end_square_of_the_total_counts() -> None:
    # East waits on p4 and p5 of south: the total passes both by.
    t = tshupu(ONE_LEFT, east="25 26 1 1").roll("34").play("1/8* (both)")
    assert t.seat(3) == [0, 0, 25, 26]


def test_r3_two_dice_are_played_by_different_pieces() -> None:
    t = tshupu("5 9 33 33").roll("34")
    assert t.sequences() == {
        ("5/8*", "9/13"),
        ("9/13", "5/8*"),
        ("9/12", "5/9"),
        ("5/9", "9/12"),
        ("5/12 (both)",),
        ("9/16 (both)",),
    }


def test_r3_the_second_die_belongs_to_another_piece() -> None:
    t = tshupu("5 15 33 33").roll("34").play("5/9")
    assert (t["phase"], t["player"], t["dice"], t["moved"]) == ("second", 0, [3], 9)
    assert t.moves() == {"15/18"}
    assert t.state.current_player() == 0
    assert t["turn"] == 0


def test_r3_one_of_the_pieces_that_the_first_joined_is_another_piece() -> None:
    t = tshupu("5 9 33 33").roll("34").play("5/9")
    assert t["moved"] == 9
    assert t.moves() == {"9/12"}
    t = tshupu("5 33 33 33", west=WAITING, east=WAITING).roll("34")
    assert t.turns() == {"5/12 (both)"}


def test_r3_pieces_on_one_square_are_interchangeable() -> None:
    t = tshupu("10 10 10 10").roll("34").play("10/13")
    assert t.moves() == {"10/14"}
    assert t.play("10/14").seat(0) == [10, 10, 13, 14]


def test_r3_the_dice_may_come_in_any_order() -> None:
    ends = set()
    for order in (("5/9", "15/18"), ("15/18", "5/9")):
        ends.add(str(tshupu("5 15 33 33").roll("34").play(*order).state))
    assert len(ends) == 1


def test_r3_doubles_are_two_dice_of_one_face() -> None:
    t = tshupu("5 10 33 33", west=WAITING, east=WAITING).roll("44")
    assert t["dice"] == [4, 4]
    assert t.turns() == {"5/9 & 10/14", "5/13 (both)", "10/18 (both)"}
    t.play("10/14")
    assert (t["dice"], t["moved"]) == ([4], 14)
    assert t.moves() == {"5/9"}


# ------------------------------------------------------------------ R4: the player must play


def test_r4_a_first_die_that_spoils_the_second_is_illegal() -> None:
    # 10/11 would leave the 3 to the piece on 31, which cannot use it.
    t = tshupu("31 10 33 33").roll("13")
    assert t.moves() == {"31/32", "10/13", "10/14 (both)"}


def test_r4_either_die_alone_is_the_players_choice_and_ends_the_turn() -> None:
    # The total ends on the cross-cut p10, where an east piece stands; each die alone is free.
    t = tshupu("3 33 33 33", east="3 1 1 1").roll("34")
    assert t.sequences() == {("3/6",), ("3/7",)}
    for name, end in (("3/6", 6), ("3/7", 7)):
        after = t.copy().play(name)
        assert after["phase"] == "roll"
        assert (after["player"], after["turn"]) == (1, 1)
        assert after.seat(0) == [end, 33, 33, 33]


def test_r4_one_die_alone_when_only_that_one_fits() -> None:
    assert tshupu("29 29 33 33").roll("36").sequences() == {("29/32",)}
    assert tshupu("3 33 33 33", east="3 27 1 1").roll("34").sequences() == {("3/7",)}


def test_r4_two_pieces_that_both_want_the_same_die_play_one() -> None:
    assert tshupu("30 31 33 33").roll("13").sequences() == {("30/31",), ("31/32",)}


def test_r4_a_total_forbids_the_single_die_of_another_piece() -> None:
    # The 3 fits both pieces and the 6 neither (east holds p10), but the total takes 4 to 13.
    assert tshupu("4 29 33 33", east="3 1 1 1").roll("36").sequences() == {("4/13 (both)",)}


# ------------------------------------------------------------------ R5 to R8: landing


@pytest.mark.parametrize(("progress", "throw"), [(31, "36"), (30, "34"), (29, "46"), (27, "66")])
def test_r5_no_piece_moves_past_the_centre(progress: int, throw: str) -> None:
    assert tshupu(f"{progress} 33 33 33").roll(throw).turn_ended()


@pytest.mark.parametrize(("progress", "throw"), [(30, "11"), (28, "13"), (22, "46"), (20, "66")])
def test_r5_the_total_can_be_the_exact_throw(progress: int, throw: str) -> None:
    assert f"{progress}/32 (both)" in tshupu(f"{progress} 33 33 33").roll(throw).turns()


def test_r6_hit_pieces_go_to_their_owners_hands_and_enter_again() -> None:
    t = tshupu("1 33 33 33", west="12 33 33 33", east="26 33 33 33").roll("13").play("1/5* (both)")
    assert t["pieces"] == [[5, 33, 33, 33], [0, 33, 33, 33], [1, 1, 1, 1], [0, 33, 33, 33]]
    assert t.roll("13").moves() == {"hand/4 (both)"}


def test_r6_each_of_the_two_dice_can_hit() -> None:
    t = tshupu("1 10 33 33", west="12 21 33 33", east=WAITING).roll("44")
    assert t.turns() == {"1/5* & 10/14*", "1/9 (both)", "10/18 (both)"}
    t.play("1/5*", "10/14*")
    assert t.seat(1) == [0, 0, 33, 33]


def test_r6_own_and_partners_pieces_share_a_square() -> None:
    t = tshupu("1 5 33 33", north="19 33 33 33", west=WAITING, east=WAITING).roll("44").play("1/5", "5/9")
    assert (t.seat(0), t.seat(2)) == ([5, 9, 33, 33], [19, 33, 33, 33])


def test_r6_a_piece_on_its_second_visit_to_its_start_square_hits_there() -> None:
    t = tshupu("28 33 33 33", west="8 33 33 33", east="22 33 33 33").roll("14")
    assert t.turns() == {"28/29*", "28/32"}
    t.play("28/29*")
    assert t["pieces"] == [[29, 33, 33, 33], [0, 33, 33, 33], [1, 1, 1, 1], [0, 33, 33, 33]]


@pytest.mark.parametrize("own", [30, 31])
def test_r6_a_column_is_its_owners_alone(own: int) -> None:
    t = tshupu(f"{own - 1} 33 33 33", west=f"{own} 33 33 33", east=f"{own} 33 33 33").roll("16")
    t.play(f"{own - 1}/{own}")
    assert t["pieces"][1] == t["pieces"][3] == [own, 33, 33, 33]


CROSSCUTS = [3, 6, 10, 13, 17, 20, 24, 27]


def seen_from(progress: int, away: int) -> int:
    """The square of a seat's `progress` in the course of the seat `away` places on, as that one counts."""
    return (progress - 1 + 7 * away) % 28 + 1


@pytest.mark.parametrize("progress", CROSSCUTS)
@pytest.mark.parametrize("seat", range(4))
def test_r7_an_enemy_holds_a_cross_cut_and_the_partner_does_not(seat: int, progress: int) -> None:
    for away in (1, 2, 3):
        seats = dict.fromkeys(SEATS, WAITING)
        seats[SEATS[seat]] = f"{progress - 2} 33 33 33"
        seats[SEATS[(seat + away) % 4]] = f"{seen_from(progress, away)} 33 33 33"
        t = tshupu(**seats, player=seat).roll("11")
        total, one_die = f"{progress - 2}/{progress} (both)", f"{progress - 2}/{progress - 1}"
        assert t.moves() == ({total} if away == 2 else {one_die})


@pytest.mark.parametrize("progress", [p for p in range(2, 30) if p not in CROSSCUTS])
def test_r7_on_any_other_square_the_enemy_is_hit(progress: int) -> None:
    for seat, away in ((0, 1), (1, 3), (2, 1), (3, 3)):
        seats = dict.fromkeys(SEATS, WAITING)
        seats[SEATS[seat]] = f"{progress - 2} 33 33 33"
        enemy = (seat + away) % 4
        seats[SEATS[enemy]] = f"{seen_from(progress, away)} 33 33 33"
        t = tshupu(**seats, player=seat).roll("11")
        assert t.moves() == {f"{progress - 2 or 'hand'}/{progress}* (both)"}
        assert t.play(*t.moves()).seat(enemy) == [0, 33, 33, 33]


def test_r7_a_cross_cut_with_own_pieces_only_is_free() -> None:
    assert "1/3 (both)" in tshupu("1 3 3 33").roll("11").moves()


def test_r7_the_split_may_step_where_the_total_may_not() -> None:
    t = tshupu("1 1 33 33", east="24 33 33 33").roll("11")
    assert t.turns() == {"1/2 & 1/2"}


def test_r8_nobody_is_hit_in_the_centre() -> None:
    t = tshupu("31 33 33 33", west=WAITING, east=WAITING).roll("16").play("31/32")
    assert t["pieces"] == [[32, 33, 33, 33], [32] * 4, [1] * 4, [32] * 4]


# ------------------------------------------------------------------ R9, R10: into the game and out of it


@pytest.mark.parametrize(("throw", "faces"), [("13", (1, 3)), ("14", (1, 4)), ("36", (3, 6)), ("46", (4, 6))])
def test_r9_a_die_of_v_enters_on_the_vth_square(throw: str, faces: tuple[int, int]) -> None:
    t = tshupu("0 0 33 33", west=WAITING, east=WAITING).roll(throw)
    low, high = faces
    assert t.turns() == {f"hand/{low} & hand/{high}", f"hand/{low + high} (both)"}
    assert t.play(f"hand/{low}", f"hand/{high}").seat(0) == [low, high, 33, 33]


def test_r9_entering_hits() -> None:
    # West on p4 of south, where the total of 1-3 ends.
    t = tshupu("0 33 33 33", west="11 33 33 33").roll("13")
    assert t.moves() == {"hand/4* (both)"}
    assert t.play("hand/4* (both)").seat(1) == [0, 33, 33, 33]
    # West on its way home, on the start square of south itself.
    t = tshupu("0 0 33 33", west="8 8 33 33", east=WAITING).roll("11")
    assert t.turns() == {"hand/1* & hand/1", "hand/2 (both)"}
    t.play("hand/1*")
    assert t.seat(1) == [0, 0, 33, 33]
    assert t.moves() == {"hand/1"}


def test_r9_entering_is_blocked_by_an_enemy_on_the_cross_cut() -> None:
    t = tshupu("0 0 33 33", west="10 33 33 33", east=WAITING).roll("36")
    assert t.turns() == {"hand/9 (both)"}
    t = tshupu("0 33 33 33", west="10 13 33 33", east="26 30 33 33").roll("13")
    assert t.turns() == {"hand/4 (both)"}


def test_r9_entering_is_a_choice() -> None:
    t = tshupu("0 10 33 33", west=WAITING, east=WAITING).roll("34").play("10/17 (both)")
    assert t.turn_ended()
    assert t.seat(0) == [0, 17, 33, 33]


def test_r10_bearing_off_is_a_choice_while_something_else_plays_the_throw() -> None:
    t = tshupu("32 10 9 33", west=WAITING, east=WAITING).roll("14")
    assert t.turns() == {
        "9/10 & 10/14",
        "9/13 & 10/11",
        "9/13 & 32/off",
        "10/14 & 32/off",
        "9/14 (both)",
        "10/15 (both)",
    }


def test_r10_bearing_off_is_forced_when_nothing_else_plays_the_throw() -> None:
    t = tshupu("32 32 29 33").roll("13")
    assert t.turns() == {"29/32 & 32/off"}
    assert tshupu("32 32 33 33").roll("14").sequences() == {("32/off",)}


def test_r10_a_piece_that_comes_into_the_centre_stays_while_another_leaves_it() -> None:
    t = tshupu("32 29 33 33").roll("13").play("29/32")
    assert t["moved"] == 32
    assert t.play("32/off").seat(0) == [32, 33, 33, 33]
    # Alone in the centre it may not go on: it has played its die.
    assert tshupu("29 33 33 33").roll("13").play("29/32").seat(0) == [32, 33, 33, 33]


@pytest.mark.parametrize("throw", ["33", "34", "36", "44", "46", "66"])
def test_r10_only_a_1_bears_off(throw: str) -> None:
    assert tshupu("32 32 32 32").roll(throw).turn_ended()


def test_r10_the_total_never_bears_off() -> None:
    # From 31 the total of 1-1 would end on 33, from 32 past it.
    assert tshupu("31 33 33 33").roll("11").sequences() == {("31/32",)}
    assert tshupu("32 33 33 33").roll("11").sequences() == {("32/off",)}


# ------------------------------------------------------------------ R11, R12: the end, and those who are done


@pytest.mark.parametrize("seat", range(4))
def test_r11_a_team_wins_when_both_partners_are_off(seat: int) -> None:
    done = {SEATS[seat]: "32 32 33 33", SEATS[(seat + 2) % 4]: ALL_OFF}
    t = tshupu(**done, player=seat, turn=40 + seat).roll("11").play("32/off", "32/off")
    assert (t["phase"], t["player"], t["winner"], t["turn"]) == ("over", None, seat % 2, 40 + seat)
    assert list(t.state.returns()) == [1.0 if other % 2 == seat % 2 else -1.0 for other in range(4)]


def test_r11_one_partner_alone_does_not_win() -> None:
    t = tshupu("32 33 33 33").roll("11").play("32/off")
    assert t.turn_ended()
    assert not t.state.is_terminal()
    assert list(t.state.returns()) == [0.0] * 4


def test_r12_a_finished_player_passes_and_his_pass_counts() -> None:
    t = tshupu("1 1 1 1", west=ALL_OFF).roll("66").play("1/7", "1/7")
    assert t.turn_ended(turns=2)
    assert (t["player"], t["turn"]) == (2, 2)


def test_r12_two_finished_players_in_a_row_both_pass() -> None:
    t = tshupu("1 1 1 1", west=ALL_OFF, north=ALL_OFF).roll("66").play("1/13 (both)")
    assert t.turn_ended(turns=3)


def test_r12_a_turn_without_a_move_goes_to_the_next_who_plays() -> None:
    assert tshupu("29 33 33 33", west=ALL_OFF).roll("46").turn_ended(turns=2)


def test_r12_who_bears_off_the_last_is_passed_over_from_the_next_round() -> None:
    t = tshupu("32 33 33 33", west="10 33 33 33", north="10 33 33 33", east="10 33 33 33")
    t.roll("16").play("32/off")
    for seat in (1, 2, 3):
        assert t["player"] == seat
        t.roll("11").play("10/12 (both)")
    assert (t["player"], t["turn"]) == (1, 5)


def test_r12_the_partner_plays_a_finished_players_throw() -> None:
    t = tshupu(ALL_OFF, west=WAITING, north="1 5 33 33", east=WAITING, finished_player="partner_plays")
    assert t["player"] == 0
    t.roll("34")
    assert t.state.current_player() == 0
    assert t.turns() == {"1/4 & 5/9", "1/5 & 5/8", "1/8 (both)", "5/12 (both)"}
    t.play("5/9")
    assert (t["phase"], t["player"], t["dice"], t["moved"]) == ("second", 0, [3], 9)
    assert t.moves() == {"1/4"}
    t.play("1/4")
    assert t.turn_ended()
    assert (t.seat(0), t.seat(2)) == ([33] * 4, [4, 9, 33, 33])


def test_r12_a_finished_players_throw_hits_where_the_partners_pieces_land() -> None:
    t = tshupu(ALL_OFF, west=ONE_LEFT, north="15 33 33 33", finished_player="partner_plays").roll("34")
    assert t.moves() == {"15/22* (both)"}
    # p22 of north is the start of east.
    assert t.play("15/22* (both)")["pieces"] == [[33] * 4, [1, 33, 33, 33], [22, 33, 33, 33], [0] * 4]


def test_r12_who_bears_off_the_last_does_not_play_the_other_die_with_the_partners_pieces() -> None:
    t = tshupu("32 33 33 33", finished_player="partner_plays").roll("14")
    assert t.sequences() == {("32/off",)}
    assert t.play("32/off").turn_ended()


def test_r12_a_finished_player_can_win_with_the_partners_pieces() -> None:
    done = {"west": ALL_OFF, "east": "32 32 33 33"}
    t = tshupu(**done, player=1, finished_player="partner_plays").roll("11").play("32/off")
    assert (t["phase"], t["player"], t["moved"]) == ("second", 1, 33)
    t.play("32/off")
    assert (t["phase"], t["winner"], t["turn"]) == ("over", 1, 1)
    assert list(t.state.returns()) == [-1.0, 1.0, -1.0, 1.0]


def test_r12_the_throw_of_a_finished_player_passes_when_the_partner_cannot_play_it() -> None:
    t = tshupu(ALL_OFF, north="29 33 33 33", finished_player="partner_plays").roll("46")
    assert t.turn_ended()
    assert t.seat(2) == [29, 33, 33, 33]
