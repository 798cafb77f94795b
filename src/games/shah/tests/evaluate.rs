//! The evaluation: alike for both sides, and what a person would prefer.

use super::*;
use crate::rules::game::Evaluate;
use crate::testing::judges_sides_alike;

#[test]
fn it_judges_both_sides_alike() {
    for preset in Shah::PRESETS {
        judges_sides_alike::<Shah>(
            (preset.rules)(),
            |state| {
                state.stones.swap(0, 1);
                state.hand.swap(0, 1);
                state.player = state.player.next(2);
            },
            |seat| seat.next(2),
        );
    }
}

/// What seat 0 may expect with these stones, seat 0 to move.
fn worth(own: &[usize], enemy: &[usize]) -> f64 {
    let game = Shah::new(Rules::default()).expect("the rules are valid");
    let set = |points: &[usize]| points.iter().fold(0, |set, point| set | 1 << point);
    let mut state = game.initial_state();
    state.stones = [set(own), set(enemy)];
    (state.hand, state.phase, state.turn) = ([0, 0], Phase::Slide, 60);
    game.evaluate(&state)[Player(0)]
}

#[test]
fn it_prefers_what_a_person_would() {
    let enemy = [15, 17, 19, 22];
    // A stone more; a mill to three stones apart; two stones of a line with the third at hand to none; room to none.
    assert!(worth(&[0, 4, 9, 13, 7], &enemy) > worth(&[0, 4, 9, 13], &enemy));
    assert!(worth(&[0, 1, 2, 13], &enemy) > worth(&[0, 4, 11, 13], &enemy));
    assert!(worth(&[0, 1, 14, 13], &enemy) > worth(&[0, 5, 11, 13], &enemy));
    assert!(worth(&[4, 10, 13, 7], &enemy) > worth(&[0, 2, 21, 23], &enemy));
    // A lead is worth more the larger it is, and never as much as a win.
    assert!(worth(&[0, 1, 2, 3, 4, 5, 6, 7, 8], &[15, 17, 19]) < 1.0);
}
