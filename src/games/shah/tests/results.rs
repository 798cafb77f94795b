//! Counts of paths, statistics, and what a state weighs.

use super::*;
use crate::rules::perft::perft;

#[test]
fn paths_of_placing_are_those_of_the_rule_book() {
    for rules in
        [Rules::default(), plain(3), plain(7), Rules { begin: Begin::FirstPlayer, ..Rules::default() }]
    {
        let game = Shah::new(rules).expect("valid");
        let counts: Vec<u64> = (1..=4).map(|depth| perft(&game, &game.initial_state(), depth)).collect();
        assert_eq!(counts, [24, 552, 12144, 255_024]);
    }
}

#[test]
fn paths_of_nine_mens_morris_are_those_of_the_rule_book() {
    let game = Shah::new(morris()).expect("valid");
    let counts: Vec<u64> = (1..=5).map(|depth| perft(&game, &game.initial_state(), depth)).collect();
    assert_eq!(counts, [24, 552, 12144, 255_024, 5_100_480]);
}

#[test]
fn statistics_are_counted_for_the_seat_that_acts() {
    let names: Vec<&str> = Shah::STATISTICS.iter().map(|statistic| statistic.name).collect();
    assert_eq!(names, ["captures", "mills", "extra_moves"]);
    let mut t = Table::moving(Rules::default(), &[3, 4, 20], &[0, 1, 14, 9], 1);
    t.plays("g4-g7 xf2");
    assert_eq!(t.counts.0, [[0, 1], [0, 1], [0, 0]]);
}

#[test]
fn a_state_is_small() {
    assert!(size_of::<State>() <= 32, "{} bytes", size_of::<State>());
}
