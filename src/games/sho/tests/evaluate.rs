//! The evaluation: alike for all sides, and what a person would prefer.

use super::*;
use crate::rules::game::Evaluate;
use crate::testing::judges_sides_alike;

#[test]
fn it_judges_all_sides_alike() {
    for players in 2..=4 {
        judges_sides_alike::<Sho>(
            Rules { players, ..Rules::default() },
            |state| {
                let sides = players as usize;
                state.track[..sides].rotate_right(1);
                state.hand[..sides].rotate_right(1);
                state.off[..sides].rotate_right(1);
                state.player = state.player.next(sides);
            },
            |seat| seat.next(players as usize),
        );
    }
}

/// What seat 0 of two may expect with its stacks and the enemy's at these places, all other coins in hand.
fn worth(own: &[(usize, u8)], enemy: &[(usize, u8)]) -> f64 {
    let rules = Rules { players: 2, ..Rules::default() };
    let game = Sho::new(rules).expect("the rules are valid");
    let mut state = game.initial_state();
    for (side, stacks) in [own, enemy].into_iter().enumerate() {
        for &(at, size) in stacks {
            state.track[side] |= 1 << at;
            state.size[at] = size;
            state.hand[side] -= size;
        }
    }
    game.evaluate(&state)[Player(0)]
}

#[test]
fn it_prefers_what_a_person_would() {
    // Farther on; on the track to in hand; one stack to two; out of the enemy's reach; the enemy back in hand.
    assert!(worth(&[(40, 2)], &[]) > worth(&[(20, 2)], &[]));
    assert!(worth(&[(9, 2)], &[]) > worth(&[(9, 1)], &[]));
    assert!(worth(&[(30, 4)], &[]) > worth(&[(29, 2), (31, 2)], &[]));
    assert!(worth(&[(30, 2), (40, 1)], &[(31, 3)]) > worth(&[(30, 1), (40, 2)], &[(31, 3)]));
    assert!(worth(&[(30, 2)], &[]) > worth(&[(30, 2)], &[(50, 2)]));
}
