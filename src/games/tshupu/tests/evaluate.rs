//! The evaluation: alike for both teams and both partners, and what a person would prefer.

use super::*;
use crate::rules::Evaluate;
use crate::testing::judges_sides_alike;

#[test]
fn it_judges_all_seats_alike() {
    for preset in TshuPu::PRESETS {
        judges_sides_alike::<TshuPu>(
            (preset.rules)(),
            |state| {
                state.pieces.rotate_right(1);
                state.player = state.player.next(MAX_PLAYERS);
            },
            |seat| seat.next(MAX_PLAYERS),
        );
    }
}

/// What seat 0 may expect when this seat throws next, seat after seat as in the other tests.
fn worth(player: u8, seats: &str) -> f64 {
    let table = Table::at(Rules::default(), &roll_line(player, player as u16, seats));
    table.game.evaluate(&table.state)[Player(0)]
}

/// Seat 0, who throws next, would rather have the first.
#[track_caller]
fn prefers(better: &str, worse: &str) {
    let (better, worse) = (worth(0, better), worth(0, worse));
    assert!(better > worse, "{better} is not more than {worse}");
}

#[test]
fn a_piece_farther_on_is_better() {
    let others = "32 32 32 32 | 0 0 0 0 | 32 32 32 32";
    prefers(&format!("0 0 0 12 | {others}"), &format!("0 0 0 7 | {others}"));
}

#[test]
fn a_piece_off_is_better_than_one_in_the_centre() {
    prefers("1 1 1 33", "1 1 1 32");
}

#[test]
fn a_piece_in_the_centre_is_better_than_two_squares_more_elsewhere() {
    prefers("0 0 1 32", "0 0 4 31");
}

#[test]
fn a_piece_on_the_start_is_better_than_one_in_hand() {
    let enemies = "32 32 32 32 | 0 0 0 0 | 32 32 32 32";
    prefers(&format!("0 0 0 1 | {enemies}"), &format!("0 0 0 0 | {enemies}"));
}

#[test]
fn an_enemy_in_hand_is_better_than_one_on_his_way() {
    prefers("1 1 1 1 | 0 1 1 1", "1 1 1 1 | 1 1 1 20");
}

#[test]
fn the_partner_s_piece_counts_like_an_own_one() {
    prefers("1 1 1 1 | 1 1 1 1 | 1 1 1 30", "1 1 1 12 | 1 1 1 1 | 1 1 1 1");
    let [own, partner] =
        ["1 1 1 30 | 1 1 1 1 | 1 1 1 1", "1 1 1 1 | 1 1 1 1 | 1 1 1 30"].map(|s| worth(0, s));
    assert_eq!(own, partner);
}

#[test]
fn a_cross_cut_is_better_than_the_square_after_it_under_attack() {
    // The squares of seat 1 have numbers that are larger by 7: it stands five squares before the cross-cut.
    let others = "0 0 0 22 | 0 0 0 0 | 32 32 32 32";
    prefers(&format!("0 0 0 20 | {others}"), &format!("0 0 0 21 | {others}"));
}

#[test]
fn an_enemy_who_has_passed_is_better_than_one_who_may_hit() {
    let own = "0 0 0 15";
    let others = "0 0 0 0 | 32 32 32 32";
    prefers(&format!("{own} | 0 0 8 24 | {others}"), &format!("{own} | 0 0 14 18 | {others}"));
}

#[test]
fn one_enemy_behind_is_better_than_two() {
    let others = "0 0 0 0 | 32 32 32 32";
    prefers(&format!("0 0 0 15 | 0 0 18 25 | {others}"), &format!("0 0 0 15 | 0 6 18 19 | {others}"));
}

#[test]
fn a_danger_to_a_piece_just_entered_is_better_than_one_to_a_piece_far_on() {
    let others = "32 32 32 32 | 32 32 32 32";
    prefers(&format!("0 0 5 19 | 0 4 8 13 | {others}"), &format!("0 0 5 19 | 1 1 1 22 | {others}"));
}

#[test]
fn two_squares_ahead_of_an_enemy_are_better_than_four() {
    // Only 1-1 makes two, and nine throws of sixteen make four.
    let others = "0 0 0 0 | 32 32 32 32";
    prefers(&format!("0 0 0 15 | 0 0 3 20 | {others}"), &format!("0 0 0 15 | 0 0 5 18 | {others}"));
}

#[test]
fn the_own_column_is_better_than_one_square_more_under_attack() {
    let others = "0 0 0 4 | 0 0 0 0 | 32 32 32 32";
    prefers(&format!("0 0 0 30 | {others}"), &format!("0 0 2 29 | {others}"));
}

#[test]
fn a_larger_lead_is_better_but_never_a_win() {
    let (some, much) =
        (worth(0, "32 33 33 33 | 0 0 0 0"), worth(0, "32 33 33 33 | 0 0 0 0 | 33 33 33 33 | 0 0 0 0"));
    assert!(some < much && much < 1.0, "{some} and {much}");
}

#[test]
fn to_throw_next_is_better_than_to_wait() {
    let alike = "1 9 18 30 | 1 9 18 30 | 1 9 18 30 | 1 9 18 30";
    assert!(worth(0, alike) > worth(1, alike));
    assert!(worth(0, alike) > 0.0);
}
