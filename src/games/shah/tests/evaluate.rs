//! The evaluation: alike for both sides, and what a person would prefer.

use super::*;
use crate::rules::Evaluate;
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

/// What seat 0 may expect with these stones when this seat moves.
fn worth(rules: Rules, own: &[usize], enemy: &[usize], player: u8) -> f64 {
    let table = Table::moving(rules, own, enemy, player);
    table.game.evaluate(&table.state)[Player(0)]
}

/// Seat 0, who is to move, would rather have the first, own stones before the enemy's, under the rules of both presets.
#[track_caller]
fn prefers(better: [&[usize]; 2], worse: [&[usize]; 2]) {
    for preset in Shah::PRESETS {
        let [better, worse] = [better, worse].map(|[own, enemy]| worth((preset.rules)(), own, enemy, 0));
        assert!(better > worse, "{}: {better} is not more than {worse}", preset.name);
    }
}

/// Four stones in a corner of the board, out of the way.
const APART: &[usize] = &[15, 17, 19, 22];

#[test]
fn a_stone_more_is_better() {
    prefers([&[0, 4, 9, 13, 7], APART], [&[0, 4, 9, 13], APART]);
}

#[test]
fn a_stone_more_is_better_than_a_mill() {
    prefers([&[0, 4, 11, 13, 21], APART], [&[0, 1, 2, 13], APART]);
}

#[test]
fn a_mill_is_better_than_three_stones_apart() {
    prefers([&[0, 1, 2, 13], APART], [&[0, 4, 11, 13], APART]);
}

#[test]
fn an_enemy_mill_is_worse_than_three_enemy_stones_apart() {
    prefers([APART, &[0, 5, 11, 13]], [APART, &[0, 1, 2, 13]]);
}

#[test]
fn two_of_a_line_are_better_with_a_third_at_hand_than_with_one_far_away() {
    prefers([&[0, 1, 14, 6], APART], [&[0, 1, 12, 6], APART]);
}

#[test]
fn two_of_a_line_are_better_open_than_stopped_by_the_enemy() {
    prefers([&[0, 1, 14, 6], &[15, 17, 19, 21]], [&[0, 1, 14, 6], &[15, 17, 19, 2]]);
}

#[test]
fn two_lines_about_to_be_filled_are_better_than_one() {
    // 0-1-2 by the stone on 14, and 12-13-14 by the one on 8, which would leave 2 to nobody.
    prefers([&[0, 1, 14, 13, 8], APART], [&[0, 1, 14, 11, 8], APART]);
}

#[test]
fn a_running_mill_is_better_than_a_mill_and_a_line_about_to_be_filled() {
    // The stone on 1 leaves 0-1-2 and fills 3-4-5, and then goes back: a capture with every move. The stone on 22 fills
    // 18-19-20 once.
    let enemy = &[6, 8, 15, 17];
    prefers([&[0, 1, 2, 3, 5, 21], enemy], [&[0, 1, 2, 18, 20, 22], enemy]);
}

#[test]
fn a_mill_that_can_open_is_better_than_one_shut_in() {
    prefers([&[0, 1, 2, 18], &[6, 8, 15, 17]], [&[0, 1, 2, 18], &[4, 9, 14, 22]]);
}

#[test]
fn crossings_are_better_than_corners() {
    prefers([&[4, 10, 13, 7], APART], [&[0, 2, 21, 23], APART]);
}

#[test]
fn to_move_is_better_than_to_wait() {
    for preset in Shah::PRESETS {
        let [moves, waits] = [0, 1].map(|player| worth((preset.rules)(), &[0, 4, 11, 13], APART, player));
        assert!(moves > waits, "{}: {moves} and {waits}", preset.name);
    }
}

#[test]
fn four_stones_to_three_are_better_than_nine_to_eight() {
    let rules = Rules::default;
    let few = worth(rules(), &[0, 4, 11, 13], &[15, 17, 22], 0);
    let many = worth(rules(), &[0, 4, 11, 13, 5, 2, 9, 7, 23], &[15, 17, 22, 20, 18, 10, 12, 21], 0);
    assert!(few > many, "{few} and {many}");
}

#[test]
fn while_stones_come_from_the_hand_two_of_a_line_are_better_wherever_the_others_stand() {
    let [line, apart] = ["a7 f2 d7 c3", "a7 f2 f4 c3"].map(|names| {
        let mut table = Table::start(Rules::default());
        table.plays(names);
        table.game.evaluate(&table.state)[Player(0)]
    });
    assert!(line > apart, "{line} and {apart}");
}

#[test]
fn three_stones_that_fly_are_better_with_two_in_a_line_from_wherever() {
    let gain = |rules: fn() -> Rules| {
        let [line, apart] = [&[0, 1, 20], &[0, 8, 20]].map(|own| worth(rules(), own, &[15, 17, 22, 10], 0));
        line - apart
    };
    assert!(gain(morris) > 0.0 && gain(morris) > gain(Rules::default));
}

#[test]
fn a_larger_lead_is_better_but_never_a_win() {
    let [some, much] = [&[0, 1, 2, 3, 4, 5][..], &[0, 1, 2, 3, 4, 5, 6, 7, 8]]
        .map(|own| worth(Rules::default(), own, &[15, 17, 19], 0));
    assert!(some < much && much < 1.0, "{some} and {much}");
}

#[test]
fn lines_looked_at_together_are_lines_looked_at_one_by_one() {
    use crate::agents::rng::Stream;
    use crate::games::shah::board::{ALL, LINES, full, in_lines, in_mills, neighbours};
    use crate::games::shah::greedy::{Reach, threats};
    let mut rng = Stream::new(5, 0);
    for _ in 0..20_000 {
        let mut some = || rng.below(1 << 24);
        let (stones, others) = (some() & some(), some());
        let empty = ALL & !stones & !others;
        let mills: Vec<u32> = LINES.into_iter().filter(|line| stones & line == *line).collect();
        assert_eq!(full(in_lines(stones)).count_ones() as usize, mills.len());
        assert_eq!(in_mills(stones), mills.iter().fold(0, |all, line| all | line));
        let open = |line: &u32| (stones & line).count_ones() == 2 && empty & line != 0;
        let anywhere = LINES.iter().filter(|line| open(line)).count();
        let beside = |line: &u32| neighbours(empty & line) & stones & !line != 0;
        let near = LINES.iter().filter(|line| open(line) && beside(line)).count();
        assert_eq!(threats(stones, empty, Reach::Anywhere).count_ones() as usize, anywhere);
        assert_eq!(threats(stones, empty, Reach::Neighbours).count_ones() as usize, near);
    }
}
