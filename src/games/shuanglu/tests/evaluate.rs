//! The evaluation: alike for both sides, and what a person would prefer.

use super::*;
use crate::rules::Evaluate;
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

/// What seat 0 may expect, player after player as in the other tests.
fn worth(rules: Rules, head: &str, players: &str) -> f64 {
    let table = Table::read(rules, &line(head, players));
    table.game.evaluate(&table.state)[Player(0)]
}

/// Seat 0, who throws next, would rather have the first, under the rules of every preset.
#[track_caller]
fn prefers(better: &str, worse: &str) {
    for preset in Shuanglu::PRESETS {
        let [better, worse] = [better, worse].map(|players| worth((preset.rules)(), ROLL, players));
        assert!(better > worse, "{}: {better} is not more than {worse}", preset.name);
    }
}

#[test]
fn fewer_pips_are_better_in_a_race() {
    prefers("8:2 5:4 3:4 off5 | 5:5 3:5 off5", "9:2 5:4 3:4 off5 | 5:5 3:5 off5");
}

#[test]
fn to_throw_next_is_better_than_to_wait() {
    let race = "4:10 off5 | 4:10 off5";
    let other = ROLL.replace("player=0", "player=1");
    assert!(worth(Rules::default(), ROLL, race) > worth(Rules::default(), &other, race));
}

#[test]
fn a_point_is_better_than_two_blots_facing_the_enemy_home() {
    prefers("22:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5", "23:1 21:1 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5");
}

#[test]
fn a_blot_that_takes_two_dice_to_hit_is_better_than_one_that_takes_one() {
    // The enemy stands seven and four pips before the blot, and needs as many pips.
    prefers("24:2 13:5 9:1 8:3 6:4 | 23:2 13:5 8:3 6:5", "24:2 13:5 9:1 8:3 6:4 | 20:2 15:3 13:2 8:3 6:5");
}

#[test]
fn a_blot_that_all_enemies_have_passed_is_no_worse_than_a_point() {
    let [alone, together] = ["20:1 4:1 3:13 | 4:15", "18:1 6:1 3:13 | 4:15"]
        .map(|players| worth(Rules::default(), ROLL, players));
    assert_eq!(alone, together);
}

#[test]
fn a_blot_just_entered_is_better_than_one_nearly_home() {
    // Both stand within a die of an enemy, and the pips are the same.
    prefers("21:1 13:4 8:3 6:5 5:2 | 24:2 13:5 8:3 6:5", "21:2 13:3 8:3 6:3 5:1 3:3 | 24:2 13:5 8:3 6:5");
}

#[test]
fn an_enemy_on_the_bar_is_better_than_one_on_the_board() {
    prefers("13:5 8:3 6:5 5:2 | bar1 24:1 13:5 8:3 6:5", "13:5 8:3 6:5 5:2 | 24:2 13:5 8:3 6:5");
}

#[test]
fn five_points_before_an_enemy_on_the_bar_are_better_than_two() {
    prefers("6:3 5:3 4:3 3:3 2:3 | bar1 6:14", "6:9 1:6 | bar1 6:14");
}

#[test]
fn points_in_a_row_are_better_than_points_apart() {
    prefers("7:4 6:4 5:4 4:3 | 24:2 6:13", "8:4 6:4 5:3 3:4 | 24:2 6:13");
}

#[test]
fn a_row_before_the_enemy_is_better_than_one_that_he_has_passed() {
    let gain = |enemy: &str| {
        let [row, apart] = ["7:4 6:4 5:4 4:3", "8:4 6:4 5:3 3:4"]
            .map(|own| worth(Rules::default(), ROLL, &format!("{own} | {enemy}")));
        row - apart
    };
    assert!(gain("24:2 6:13") > gain("12:2 6:13"));
}

#[test]
fn six_points_in_a_row_are_better_than_a_lead_of_thirteen_pips() {
    let value = worth(Rules::default(), ROLL, "7:3 6:3 5:3 4:2 3:2 2:2 | 24:1 3:7 2:7");
    assert!(value > 0.0, "{value}");
}

#[test]
fn a_point_at_home_is_better_than_one_behind_it() {
    prefers("24:2 13:4 8:3 6:4 5:2 | 24:2 13:5 8:3 6:5", "24:2 13:3 9:2 8:2 6:6 | 24:2 13:5 8:3 6:5");
}

#[test]
fn pieces_spread_over_points_are_better_than_a_heap() {
    prefers("24:2 13:3 8:2 7:2 6:3 5:3 | 24:2 13:5 8:3 6:5", "24:2 13:3 6:10 | 24:2 13:5 8:3 6:5");
}

#[test]
fn a_lead_near_the_end_is_better_than_the_same_lead_before() {
    let [near, far] = ["5:1 2:1 off13 | 5:3 2:1 off11", "6:14 5:1 | 6:14 15:1"]
        .map(|players| worth(Rules::default(), ROLL, players));
    assert!(near > far, "{near} and {far}");
}

#[test]
fn exact_dice_make_pieces_on_different_points_better_than_a_heap_on_one() {
    // Only a 1 takes a piece off from there, whereas something takes one off on most throws from the others.
    let [spread, heap] = ["5:1 3:1 1:1 off12 | 4:4 off11", "1:3 off12 | 4:4 off11"]
        .map(|players| worth(Rules::default(), ROLL, players));
    assert!(spread > heap, "{spread} and {heap}");
}
