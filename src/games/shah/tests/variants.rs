//! Flying and protected mills in the moving phase: R13, R14, and what decides the end of nine men's morris.

use super::*;

fn flying() -> Rules {
    Rules { flying: true, ..Rules::default() }
}

#[test]
fn r14_three_stones_fly_lift_and_land_anywhere_but_back() {
    let mut t = Table::moving(flying(), &[0, 10, 23], &[1, 3, 9, 14], 0);
    t.legal_are("fly:a7 fly:b4 fly:g1");
    t.plays("fly:a7").legal_are("c5 c4 c3 d6 d5 f6 e5 e4 f4 e3 d3 b2 d2 f2 a1 d1 g7");
    t.plays("g7").stands(Phase::Slide, 1, 31);
}

#[test]
fn r14_only_three_stones_and_only_an_empty_hand_fly() {
    let t = Table::moving(flying(), &[0, 10, 23, 12], &[1, 3, 9, 14], 0);
    assert!(t.legal().iter().all(|name| name.contains('-')), "{:?}", t.legal());
    let t = Table::moving(Rules::default(), &[0, 10, 23], &[1, 3, 9, 14], 0);
    assert!(t.legal().iter().all(|name| name.contains('-')), "{:?}", t.legal());
    let mut t = Table::start(Rules { flying: true, ..plain(4) });
    t.plays("a7 b6 d7 d6 a1 g1").stands(Phase::Place, 0, 6);
    assert_eq!(t.actions().len(), 18);
}

#[test]
fn r14_a_landing_that_makes_a_mill_captures() {
    let mut t = Table::moving(flying(), &[0, 1, 15], &[3, 4, 5, 23], 0);
    t.plays("fly:c3 g7").stands(Phase::Remove, 0, 30);
    assert_eq!((t.state.no_capture, t.state.lifted), (0, super::super::state::NO_POINT));
    t.legal_are("xb6 xd6 xf6 xg1");
    t.plays("xb6").stands(Phase::Slide, 1, 31);
    // Three stones are left, and they fly too.
    assert!(t.legal().iter().all(|name| name.starts_with("fly")), "{:?}", t.legal());
}

#[test]
fn r14_a_lifted_stone_is_not_on_the_board_and_its_flight_is_one_move() {
    let mut t = Table::moving(flying(), &[0, 10, 23], &[1, 3, 9, 14], 0);
    t.plays("fly:a7").stands(Phase::Land, 0, 30);
    assert_eq!((t.state.lifted, t.state.stones[0], t.state.no_capture), (0, set(&[10, 23]), 0));
    assert_eq!(t.actions().len(), 24 - 6 - 1);
    assert!(!t.legal().contains(&"a7".to_owned()));
    t.plays("c5").stands(Phase::Slide, 1, 31);
    assert_eq!((t.state.stones[0], t.state.no_capture), (set(&[6, 10, 23]), 1));
}

#[test]
fn r14_who_flies_is_never_blocked() {
    let rules = Rules { blocked: Blocked::Loses, ..flying() };
    let mut t = Table::moving(rules, &[1, 9, 13, 22], &[0, 2, 21], 0);
    t.plays("f4-g4").stands(Phase::Slide, 1, 31);
    let mut t = Table::moving(flying(), &[1, 9, 13, 22], &[0, 2, 21], 0);
    t.plays("f4-g4").stands(Phase::Slide, 1, 31);
    assert!(!t.state.extra);
}

#[test]
fn r14_who_flies_never_makes_extra_moves() {
    // Three stones shut in at most three others, and those fly: every larger set has four neighbours at least.
    for stones in 0u32..1 << 24 {
        if stones.count_ones() > 3 && stones.count_ones() <= 12 {
            let around = super::super::board::neighbours(stones) & !stones;
            assert!(around.count_ones() > 3, "{stones:024b}");
        }
    }
}

#[test]
fn r13_protected_mills_in_the_moving_phase() {
    let rules = Rules { mill_protection: MillProtection::UnlessAllInMills, ..Rules::default() };
    let mut t = Table::moving(rules.clone(), &[0, 1, 14, 20], &[3, 4, 5, 23], 0);
    t.plays("g4-g7").legal_are("xg1");
    let mut t = Table::moving(rules.clone(), &[0, 1, 14, 20], &[3, 4, 5, 10, 18], 0);
    t.plays("g4-g7").legal_are("xb6 xd6 xf6 xb4 xb2");
    let mut t = Table::moving(rules, &[0, 1, 14, 20], &[3, 4, 5, 10, 18, 19], 0);
    t.plays("g4-g7").legal_are("xd2");
}

#[test]
fn nine_mens_morris_ends_by_blocking_by_two_stones_and_after_200_turns() {
    let mut t = Table::moving(morris(), &[1, 9, 13, 22, 4], &[0, 2, 21], 0);
    t.plays("f4-g4").stands(Phase::Slide, 1, 31);
    let blocked = [0, 2, 21, 23];
    let mut t = Table::moving(morris(), &[1, 9, 13, 22], &blocked, 0);
    t.plays("f4-g4").ends(Some(0), 30);
    let mut t = Table::moving(morris(), &[0, 1, 14, 20], &[3, 4, 23], 0);
    t.plays("g4-g7 xb6").ends(Some(0), 30);
    let mut t = Table::changed(morris(), &[0, 1, 14, 20], &[3, 4, 5, 23], |s| {
        s.turn = 199;
        s.no_capture = 150;
    });
    t.plays("g4-f4").ends(None, 200);
}

#[test]
fn nine_mens_morris_starts_both_phases_with_player_0() {
    let mut t = Table::start(morris());
    t.stands(Phase::Place, 0, 0);
    t.plays(&placements(&[0, 2, 4, 6, 8, 9, 16, 18, 20], &[1, 3, 5, 7, 10, 11, 12, 13, 15]));
    t.stands(Phase::Slide, 0, 18);
    assert_eq!(t.state.beginner, 0);
}
