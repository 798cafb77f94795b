//! The evaluation: alike for all sides, and what a person would prefer.

use super::*;
use crate::rules::Evaluate;
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

/// What seat 0 may expect when it throws next, written side after side as in the other tests.
fn worth(rules: Rules, sides: &str) -> f64 {
    let table = Table::read(rules, &line(ROLL, sides));
    table.game.evaluate(&table.state)[Player(0)]
}

/// What seat 0 of two may expect when seat 1 throws next.
fn worth_waiting(sides: &str) -> f64 {
    let table = Table::read(two(), &line(&ROLL.replace("player=0", "player=1"), sides));
    table.game.evaluate(&table.state)[Player(0)]
}

/// Seat 0 of two would rather have the first.
#[track_caller]
fn prefers(better: &str, worse: &str) {
    let (better, worse) = (worth(two(), better), worth(two(), worse));
    assert!(better > worse, "{better} is not more than {worse}");
}

#[test]
fn a_stack_farther_on_is_better() {
    prefers("40:2 h7 | h9", "20:2 h7 | h9");
}

#[test]
fn a_coin_on_the_track_is_better_than_one_in_hand() {
    prefers("9:2 h7 | h9", "9:1 h8 | h9");
}

#[test]
fn a_stack_is_better_than_two_halves_of_it_as_far_on() {
    prefers("30:4 h5 | h9", "29:2 31:2 h5 | h9");
}

#[test]
fn coins_off_are_better_than_coins_just_before_the_end() {
    prefers("30:2 o3 h4 | 29:2 h7", "30:2 62:3 h4 | 29:2 h7");
}

#[test]
fn an_enemy_killed_is_better_than_one_on_his_way() {
    prefers("30:2 h7 | h9", "30:2 h7 | 50:2 h7");
}

#[test]
fn of_two_stacks_the_larger_is_better_out_of_reach() {
    prefers("30:2 45:3 h4 | 25:4 h5", "30:3 45:2 h4 | 25:4 h5");
}

#[test]
fn an_enemy_who_has_passed_is_better_than_one_about_to_kill() {
    prefers("30:2 h7 | 31:3 h6", "30:2 h7 | 24:3 h6");
}

#[test]
fn an_enemy_too_small_to_kill_is_better_than_one_large_enough() {
    prefers("30:3 h6 | 24:2 23:1 h6", "30:3 h6 | 24:3 h6");
}

#[test]
fn thirteen_shells_ahead_of_a_killer_are_better_than_eight() {
    prefers("37:2 50:1 h6 | 24:3 h6", "32:2 57:1 h6 | 24:3 h6");
}

#[test]
fn one_shell_ahead_of_a_killer_is_better_than_seven() {
    // No throw of two dice is 1; six of the 36 are 7.
    prefers("30:2 50:1 h6 | 29:3 h6", "36:2 46:1 h6 | 29:3 h6");
}

#[test]
fn one_killer_behind_is_better_than_two() {
    prefers("30:2 h7 | 25:2 33:2 h5", "30:2 h7 | 25:2 23:2 h5");
}

#[test]
fn a_danger_to_one_coin_is_better_than_one_to_four() {
    prefers("30:4 50:1 h4 | 44:5 h4", "30:4 50:1 h4 | 24:5 h4");
}

#[test]
fn an_enemy_within_reach_is_better_than_one_who_has_been_passed() {
    prefers("25:3 h6 | 31:2 h7", "25:3 h6 | 24:2 h7");
}

#[test]
fn a_coin_beyond_the_reach_of_the_hand_is_better_than_one_within() {
    // When the enemy throws: on the seventh shell the coin is within reach of its own hand as well.
    let (beyond, within) = (worth_waiting("13:1 30:1 h7 | h9"), worth_waiting("7:1 38:1 h7 | h9"));
    assert!(beyond > within, "{beyond} is not more than {within}");
}

#[test]
fn to_throw_next_is_better_than_to_wait() {
    let sides = "30:3 12:1 h5 | 31:3 13:1 h5";
    assert!(worth(two(), sides) > worth_waiting(sides));
}

#[test]
fn of_two_enemies_the_leader_is_the_better_one_to_kill() {
    let three = Rules::default;
    let (leader, other) =
        (worth(three(), "30:2 h7 | 29:2 h7 | h9"), worth(three(), "30:2 h7 | h9 | 50:6 h3"));
    assert!(leader > other, "{leader} and {other}");
}

#[test]
fn partners_share_what_they_may_expect() {
    let rules = Rules { players: 4, teams: true, ..Rules::default() };
    let table = Table::read(rules, &line(ROLL, "40:3 h6 | 30:3 h6"));
    let values = table.game.evaluate(&table.state);
    assert!(values[Player(0)] > values[Player(1)]);
    assert_eq!((values[Player(0)], values[Player(1)]), (values[Player(2)], values[Player(3)]));
}

#[test]
fn two_stacks_within_a_throw_of_each_other_are_better_than_two_that_are_not() {
    prefers("30:2 37:2 h5 | h9", "27:2 40:2 h5 | h9");
}

#[test]
fn an_enemy_within_a_throw_is_better_than_one_beyond_it() {
    prefers("30:3 h6 | 37:1 h8", "30:3 h6 | 31:1 h8");
}

#[test]
fn an_enemy_larger_than_all_who_reach_him_cannot_be_killed() {
    prefers("30:3 23:2 h4 | 37:3 h6", "30:2 23:3 h4 | 37:3 h6");
}
