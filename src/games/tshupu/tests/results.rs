//! Statistics, counts of paths, and what a state weighs.

use super::*;
use crate::games::tshupu::{ENTRIES, HITS, PARTIAL_TURNS};
use crate::rules::perft::perft;

#[test]
fn hits_entries_and_partial_turns_are_counted_for_the_seat_that_moves() {
    let names: Vec<&str> = TshuPu::STATISTICS.iter().map(|statistic| statistic.name).collect();
    assert_eq!([names[HITS], names[ENTRIES], names[PARTIAL_TURNS]], ["hits", "entries", "partial_turns"]);
    // West enters on south's 22 twice, hitting both that stand there, and then plays one die.
    let mut t =
        Table::at(Rules::default(), &roll_line(1, 1, "10 10 22 22 | 0 0 33 33 | 33 33 33 33 | 10 10 10 10"));
    t.roll(1, 1).play("hand/1*").play("hand/1");
    assert_eq!(t.counts.0, [[0, 2, 0, 0], [0, 2, 0, 0], [0; 4]]);
    t.roll(1, 1).play("10/11").play("10/11");
    t.roll(1, 1).play("hand/1").play("hand/1");
    assert_eq!(t.counts.0, [[0, 2, 0, 0], [2, 2, 0, 0], [0; 4]]);
    let mut t = Table::at(Rules::default(), &roll_line(3, 3, "1 1 1 1 | 1 1 1 1 | 1 1 1 1 | 29 33 33 33"));
    t.roll(1, 6).play("29/30");
    assert_eq!(t.counts.0, [[0; 4], [0; 4], [0, 0, 0, 1]]);
}

#[test]
fn a_partial_turn_that_bears_off_counts() {
    let mut t = Table::new(Rules::default(), "32 33 33 33");
    t.roll(1, 6).play("32/off");
    assert_eq!(t.counts.0[PARTIAL_TURNS], [1, 0, 0, 0]);
    // A turn that passes is none.
    let mut t = Table::new(Rules::default(), "32 33 33 33");
    t.roll(6, 6);
    assert_eq!(t.counts.0, [[0; 4]; 3]);
}

#[test]
fn paths_from_the_start_are_those_counted_by_hand() {
    // Ten throws. A double is begun by one die or played by the total: two actions. Any other throw is begun by either
    // die or played by the total: three actions. The total 7 hits east's four pieces on their start square.
    let game = TshuPu::new(Rules::default()).expect("valid");
    let counts: Vec<u64> = (1..=2).map(|depth| perft(&game, &game.initial_state(), depth)).collect();
    assert_eq!(counts, [10, 4 * 2 + 6 * 3]);
    // The total 7 is barred where the start squares are cross-cuts: 1-6 and 3-4 have one action less.
    let game = TshuPu::new(ends()).expect("valid");
    assert_eq!(perft(&game, &game.initial_state(), 2), 4 * 2 + 6 * 3 - 2);
}

#[test]
fn a_state_is_small() {
    assert!(size_of::<State>() <= 28, "{} bytes", size_of::<State>());
}
