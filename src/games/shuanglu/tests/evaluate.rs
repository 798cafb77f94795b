//! The evaluation: alike for both sides, and what a person would prefer.

use super::*;
use crate::games::shuanglu::board::BAR;
use crate::rules::game::Evaluate;
use crate::testing::judges_sides_alike;

#[test]
fn it_judges_both_sides_alike() {
    for preset in Shuanglu::PRESETS {
        judges_sides_alike::<Shuanglu>(
            (preset.rules)(),
            |state| {
                state.counts.swap(0, 1);
                state.player = state.player.next(2);
            },
            |seat| seat.next(2),
        );
    }
}

/// What seat 0 may expect with its pieces and the enemy's on these points, each in its own numbers.
fn worth(own: &[(usize, u8)], enemy: &[(usize, u8)]) -> f64 {
    let game = Shuanglu::new(Rules::default()).expect("the rules are valid");
    let mut state = game.initial_state();
    for (counts, pieces) in state.counts.iter_mut().zip([own, enemy]) {
        *counts = [0; BAR + 1];
        for &(at, count) in pieces {
            counts[at] = count;
        }
    }
    game.evaluate(&state)[Player(0)]
}

#[test]
fn it_prefers_what_a_person_would() {
    let enemy = [(24, 2), (6, 13)];
    // Fewer pips in a race; two together to two apart within reach; an enemy on the bar; a blockade before his last pieces.
    assert!(worth(&[(3, 10), (0, 5)], &[(3, 12), (0, 3)]) > worth(&[(4, 10), (0, 5)], &[(3, 12), (0, 3)]));
    assert!(worth(&[(5, 2), (6, 13)], &enemy) > worth(&[(4, 1), (6, 14)], &enemy));
    assert!(worth(&[(4, 2), (6, 13)], &[(BAR, 1), (6, 14)]) > worth(&[(4, 2), (6, 13)], &[(24, 1), (6, 14)]));
    let (row, apart) = ([(4, 3), (5, 4), (6, 4), (7, 4)], [(3, 3), (5, 4), (6, 4), (8, 4)]);
    assert!(worth(&row, &enemy) > worth(&apart, &enemy));
}
