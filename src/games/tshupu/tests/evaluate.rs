//! The evaluation: alike for both teams and both partners, and what a person would prefer.

use super::*;
use crate::games::tshupu::board::Pieces;
use crate::rules::game::Evaluate;
use crate::testing::judges_sides_alike;

#[test]
fn it_judges_all_seats_alike() {
    for preset in TshuPu::PRESETS {
        judges_sides_alike::<TshuPu>(
            (preset.rules)(),
            |state| state.pieces.rotate_right(1),
            |seat| seat.next(MAX_PLAYERS),
        );
    }
}

/// What seat 0 may expect when it has these pieces, seat 1 those, and the others none on the board.
fn worth(own: [u8; 4], enemy: [u8; 4]) -> f64 {
    let game = TshuPu::new(Rules::default()).expect("the rules are valid");
    let mut state = game.initial_state();
    state.pieces = [own, enemy, [0; 4], [0; 4]].map(Pieces::new);
    game.evaluate(&state)[Player(0)]
}

#[test]
fn it_prefers_what_a_person_would() {
    // Farther on; off to the centre, and the centre to a square; hit enemies to enemies on their way.
    assert!(worth([0, 0, 0, 8], [0; 4]) > worth([0, 0, 0, 2], [0; 4]));
    assert!(worth([0, 0, 0, 33], [0; 4]) > worth([0, 0, 0, 32], [0; 4]));
    assert!(worth([0, 0, 0, 32], [0; 4]) > worth([0, 0, 0, 28], [0; 4]));
    assert!(worth([0, 0, 0, 8], [0; 4]) > worth([0, 0, 0, 8], [0, 0, 0, 20]));
}
