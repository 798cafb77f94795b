//! Placing, who begins, and the opening removals: R1 to R5, R13, worked positions H1, H2, H3, H5.

use super::*;

/// The full board of H2, without a mill on the way.
const FULL: [[usize; 12]; 2] =
    [[1, 2, 4, 5, 6, 8, 9, 10, 12, 16, 18, 21], [0, 3, 7, 11, 13, 14, 15, 17, 19, 20, 22, 23]];

fn full() -> Table {
    let mut t = Table::start(Rules::default());
    t.plays(&placements(&FULL[0], &FULL[1]));
    t
}

#[test]
fn r1_each_player_has_as_many_stones_as_the_option_says() {
    for pieces in 3..=12 {
        let t = Table::start(plain(pieces));
        assert_eq!(t.state.hand, [pieces, pieces]);
    }
    assert_eq!(Table::start(Rules::default()).state.hand, [12, 12]);
    assert_eq!(Table::start(morris()).state.hand, [9, 9]);
}

#[test]
fn r2_any_empty_point_may_be_taken_in_turn() {
    let mut t = Table::start(Rules::default());
    for placed in 0..24u16 {
        t.stands(Phase::Place, (placed % 2) as u8, placed);
        assert_eq!(t.actions().len(), 24 - placed as usize);
        assert!(t.actions().iter().all(|action| t.state.empty() >> action.0 & 1 != 0));
        let name = super::super::board::NAMES[placed as usize];
        t.plays(name);
    }
    t.stands(Phase::Remove, t.state.beginner, 24);
}

#[test]
fn r2_nothing_is_captured_while_placing() {
    let mut t = Table::start(Rules::default());
    t.plays("a7 b6 d7 d6 g7").stands(Phase::Place, 1, 5);
    t.plays("f6").stands(Phase::Place, 0, 6);
    assert_eq!(t.counts.0, [[0, 0], [1, 1], [0, 0]]);
}

#[test]
fn h1_the_first_mill_earns_the_right_to_begin() {
    let mut t = Table::start(Rules::default());
    t.plays("a7 b6 d7 d6");
    assert_eq!(t.state.beginner, State::NOBODY);
    t.plays("g7").stands(Phase::Place, 1, 5);
    assert_eq!((t.state.beginner, t.state.stones), (0, [set(&[0, 1, 2]), set(&[3, 4])]));
    t.plays("f6").stands(Phase::Place, 0, 6);
    assert_eq!(t.state.beginner, 0);
}

#[test]
fn h2_without_a_mill_the_last_to_place_begins() {
    let t = full();
    assert_eq!(t.counts.0[super::super::MILLS], [0, 0]);
    t.stands(Phase::Remove, 1, 24);
    assert_eq!((t.state.beginner, t.state.opening_removals), (1, 2));
    let mut t = Table::start(Rules { first_player: FirstPlayer::Seat(Player(1)), ..Rules::default() });
    t.plays(&placements(&FULL[0], &FULL[1])).stands(Phase::Remove, 0, 24);
    assert_eq!(t.state.beginner, 0);
}

#[test]
fn h3_the_beginner_removes_one_of_twelve_and_then_the_other_player_does() {
    let mut t = full();
    t.stands(Phase::Remove, 1, 24);
    assert_eq!(t.actions().len(), 12);
    assert!(t.actions().iter().all(|action| t.state.stones[0] >> (action.0 - 88) & 1 != 0));
    t.plays("xd7").stands(Phase::Remove, 0, 25);
    assert_eq!((t.actions().len(), t.state.opening_removals), (12, 1));
    assert!(t.actions().iter().all(|action| t.state.stones[1] >> (action.0 - 88) & 1 != 0));
    t.plays("xd1");
    t.stands(Phase::Slide, 1, 26);
    assert_eq!((t.state.opening_removals, t.state.stones.map(u32::count_ones)), (0, [11, 11]));
    assert_eq!(t.counts.0[super::super::CAPTURES], [1, 1]);
}

#[test]
fn r4_opening_removals_take_stones_in_mills_too() {
    let rules = Rules { mill_protection: MillProtection::UnlessAllInMills, ..Rules::default() };
    let mut t = Table::start(rules);
    t.plays("a7 b6 d7 d6 g7 f6");
    while t.state.phase == Phase::Place {
        let name = t.legal()[0].clone();
        t.plays(&name);
    }
    t.stands(Phase::Remove, 0, 24);
    assert_eq!(t.actions().len(), 12);
    t.plays("xb6").stands(Phase::Remove, 1, 25);
    assert_eq!(t.actions().len(), 12);
    t.plays("xa7");
    assert_eq!(t.state.turn, 26);
}

#[test]
fn r4_without_opening_removals_the_beginner_moves_at_once() {
    let mut t = Table::start(plain(3));
    t.plays("a7 b6 d7 d6 a1 g1").stands(Phase::Slide, 1, 6);
    assert_eq!((t.state.beginner, t.state.opening_removals), (1, 0));
    let mut t = Table::start(plain(3));
    t.plays("a7 b6 d7 d6 g7 g1").stands(Phase::Slide, 0, 6);
}

#[test]
fn r3_begin_first_player_is_whoever_placed_first() {
    let rules =
        |seat| Rules { begin: Begin::FirstPlayer, first_player: FirstPlayer::Seat(Player(seat)), ..plain(3) };
    for seat in 0..2 {
        let mut t = Table::start(rules(seat));
        assert_eq!(t.state.beginner, seat);
        // The second player makes the only mill.
        t.plays("a7 b6 d7 d6 g1 f6").stands(Phase::Slide, seat, 6);
        assert_eq!(t.state.beginner, seat);
    }
}

#[test]
fn h5_two_mills_at_once_are_one_privilege() {
    let mut t = Table::start(Rules::default());
    t.plays("d7 b6 g7 d6 a4 c3 a1 d2").stands(Phase::Place, 0, 8);
    assert_eq!(t.state.stones[0], set(&[1, 2, 9, 21]));
    t.plays("a7").stands(Phase::Place, 1, 9);
    assert_eq!((t.state.beginner, t.state.stones[1].count_ones()), (0, 4));
    assert_eq!(t.counts.0, [[0, 0], [1, 0], [0, 0]]);
}

#[test]
fn r13_a_mill_while_placing_captures_one_stone() {
    let mut t = Table::start(Rules { placement_captures: true, ..plain(9) });
    t.plays("d7 b6 g7 d6 a4 c3 a1 d2 a7").stands(Phase::Remove, 0, 8);
    t.legal_are("xb6 xd6 xc3 xd2");
    t.plays("xc3").stands(Phase::Place, 1, 9);
    assert_eq!((t.state.stones[1], t.state.hand, t.state.no_capture), (set(&[3, 4, 19]), [4, 5], 0));
    assert_eq!(t.counts.0, [[1, 0], [1, 0], [0, 0]]);
    // A point that a capture has freed may be taken again.
    assert!(t.legal().contains(&"c3".to_owned()));
}

#[test]
fn r13_the_last_placement_captures_before_the_moving_phase_begins() {
    let mut t = Table::start(Rules { placement_captures: true, ..plain(4) });
    t.plays("a7 b6 d7 d6 a1 g1 d1 f6").stands(Phase::Remove, 1, 7);
    assert_eq!((t.state.beginner, t.state.hand), (1, [0, 0]));
    t.plays("xa7").stands(Phase::Slide, 1, 8);
    assert_eq!(t.state.stones, [set(&[1, 21, 22]), set(&[3, 4, 5, 23])]);
}

#[test]
fn r13_who_has_fewer_than_three_stones_with_those_in_hand_has_lost_while_placing() {
    let mut t = Table::start(Rules { placement_captures: true, ..plain(3) });
    t.plays("a7 b6 d7 d6 g7").stands(Phase::Remove, 0, 4);
    t.plays("xb6").ends(Some(0), 4);
    assert_eq!((t.state.hand, t.state.beginner), ([0, 1], 0));
    // With one stone more in hand the game goes on.
    let mut t = Table::start(Rules { placement_captures: true, ..plain(4) });
    t.plays("a7 b6 d7 d6 g7 xb6").stands(Phase::Place, 1, 5);
}

#[test]
fn r13_mills_protect_unless_all_stones_are_in_mills() {
    let rules =
        Rules { placement_captures: true, mill_protection: MillProtection::UnlessAllInMills, ..plain(9) };
    let mut t = Table::start(rules);
    t.plays("a7 b6 d7 d6 a1 f6").stands(Phase::Remove, 1, 5);
    t.legal_are("xa7 xd7 xa1");
    t.plays("xa1 g7").stands(Phase::Remove, 0, 6);
    t.legal_are("xb6 xd6 xf6");
    t.plays("xf6 c3 g1 f6").stands(Phase::Remove, 1, 9);
    t.legal_are("xg1");
}

#[test]
fn r12_a_placement_with_its_capture_is_a_turn_and_each_opening_removal_is_one() {
    let mut t = Table::start(Rules { placement_captures: true, ..plain(9) });
    t.plays("a7 b6 d7 d6");
    assert_eq!(t.game.turns_passed(&t.state), 4);
    t.plays("g7");
    assert_eq!(t.game.turns_passed(&t.state), 4);
    t.plays("xb6");
    assert_eq!(t.game.turns_passed(&t.state), 5);
    let mut t = full();
    assert_eq!(t.state.turn, 24);
    t.plays("xd7");
    assert_eq!(t.state.turn, 25);
    t.plays("xd1");
    assert_eq!(t.state.turn, 26);
}

#[test]
fn r12_a_game_that_ends_during_the_opening_removals_keeps_what_was_still_to_make() {
    for (max_turns, removals, due) in [(24, "", 2), (25, "xd7", 1), (26, "xd7 xd1", 0)] {
        let mut t = Table::start(Rules { max_turns, ..Rules::default() });
        t.plays(&placements(&FULL[0], &FULL[1])).plays(removals).ends(None, max_turns);
        assert_eq!(t.state.opening_removals, due);
    }
}

#[test]
fn r7_a_full_board_at_the_start_of_the_moving_phase_is_a_draw() {
    let mut t = Table::start(plain(12));
    t.plays(&placements(&FULL[0], &FULL[1])).ends(None, 24);
    assert_eq!(t.state.opening_removals, 0);
    // R11, R12: where the blocked lose, the beginner has lost, and the turn is not counted.
    let mut t = Table::start(Rules { blocked: Blocked::Loses, ..plain(12) });
    t.plays(&placements(&FULL[0], &FULL[1])).ends(Some(0), 23);
    let mut t = Table::start(Rules { blocked: Blocked::Loses, max_turns: 24, ..plain(12) });
    t.plays(&placements(&FULL[0], &FULL[1])).ends(Some(0), 23);
}
