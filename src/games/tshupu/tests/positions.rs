//! The worked positions of the rule book, in its order and under its numbers.

use super::*;

#[test]
fn t1_start_three_four() {
    Table::start(Rules::default()).plays(3, 4, &["1/4 & 1/5", "1/8* (both)"]);
    Table::start(ends()).plays(3, 4, &["1/4 & 1/5"]);
    let mut t = Table::start(Rules::default());
    t.roll(3, 4).play("1/8* (both)").thrower(1, 1);
    assert_eq!((t.seat(0), t.seat(3)), ([1, 1, 1, 8], [0; 4]));
    assert_eq!(t.counts.0[0], [4, 0, 0, 0]);
}

#[test]
fn t2_start_doubles() {
    Table::start(Rules::default()).plays(1, 1, &["1/2 & 1/2", "1/3 (both)"]);
    Table::start(Rules::default()).plays(6, 6, &["1/7 & 1/7", "1/13 (both)"]);
}

#[test]
fn t3_four_in_hand() {
    Table::new(Rules::default(), "0 0 0 0").plays(1, 3, &["hand/1 & hand/3", "hand/4 (both)"]);
    Table::new(Rules::default(), "0 0 0 0").plays(3, 6, &["hand/3 & hand/6", "hand/9 (both)"]);
}

#[test]
fn t4_one_in_hand_and_three_together() {
    Table::new(Rules::default(), "0 10 10 10").plays(
        3,
        6,
        &["hand/3 & 10/16", "hand/6 & 10/13", "hand/9 (both)", "10/13 & 10/16", "10/19 (both)"],
    );
}

#[test]
fn t5_an_enemy_on_the_first_crosscut() {
    let east = "0 33 33 33 | 1 1 1 1 | 1 1 1 1 | 1 1 1 24";
    Table::new(Rules::default(), east).plays(3, 4, &["hand/7 (both)"]);
    let west = "0 33 33 33 | 1 1 1 10 | 1 1 1 1 | 1 1 1 1";
    Table::new(Rules::default(), west).plays(3, 4, &["hand/7 (both)"]);
    // The partner's does not block, but playing the 3 alone is no full play.
    let north = "0 33 33 33 | 1 1 1 1 | 1 1 1 17 | 1 1 1 1";
    Table::new(Rules::default(), north).plays(3, 4, &["hand/7 (both)"]);
}

#[test]
fn t6_one_die_alone() {
    let mut t = Table::new(Rules::default(), "1 33 33 33 | 1 1 1 1 | 1 1 1 1 | 1 1 1 24");
    t.plays(1, 1, &["1/2"]);
    t.play("1/2").thrower(1, 1);
    assert_eq!(t.counts.0[2], [1, 0, 0, 0]);
}

#[test]
fn t7_passing_over_a_barred_crosscut() {
    Table::new(Rules::default(), "1 33 33 33 | 1 1 1 1 | 1 1 1 1 | 1 1 1 24").plays(1, 3, &["1/5 (both)"]);
}

#[test]
fn t8_three_hit_at_once() {
    let mut t = Table::new(Rules::default(), "1 33 33 33 | 1 1 1 12 | 1 1 1 19 | 1 1 26 26");
    t.plays(1, 3, &["1/5* (both)"]).play("1/5* (both)");
    assert_eq!((t.seat(1), t.seat(2), t.seat(3)), ([0, 1, 1, 1], [1, 1, 1, 19], [0, 0, 1, 1]));
    assert_eq!(t.counts.0, [[3, 0, 0, 0], [0; 4], [0; 4]]);
}

#[test]
fn t9_a_lone_piece_near_the_centre() {
    Table::new(Rules::default(), "29 33 33 33").plays(1, 3, &["29/30", "29/32"]);
    Table::new(Rules::default(), "29 33 33 33").passes(4, 6);
    Table::new(Rules::default(), "31 33 33 33").plays(1, 4, &["31/32"]);
}

#[test]
fn t10_bearing_off_with_one_die() {
    Table::new(Rules::default(), "10 32 33 33").plays(1, 4, &["32/off & 10/14", "10/15 (both)"]);
}

#[test]
fn t11_two_in_the_centre() {
    let mut t = Table::new(Rules::default(), "32 32 33 33");
    t.plays(1, 1, &["32/off & 32/off"]).play("32/off").play("32/off");
    assert_eq!(t.seat(0), [33; 4]);
    Table::new(Rules::default(), "32 32 33 33").passes(3, 4);
}

#[test]
fn t12_one_split_alone() {
    Table::new(Rules::default(), "28 31 33 33").plays(1, 4, &["31/32 & 28/32"]);
}

#[test]
fn t13_in_the_own_column() {
    Table::new(Rules::default(), "10 30 33 33").plays(1, 6, &["30/31 & 10/16", "10/17 (both)"]);
}

#[test]
fn t14_a_start_square_met_again_is_no_refuge() {
    let mut t = Table::at(Rules::default(), &roll_line(1, 1, "1 1 1 29 | 1 33 33 33"));
    t.roll(1, 6);
    assert!(t.legal().contains(&"1/8* (both)".to_owned()), "{:?}", t.legal());
    t.play("1/8* (both)");
    assert_eq!((t.seat(0), t.counts.0[0]), ([0; 4], [0, 4, 0, 0]));
    let mut t = Table::at(Rules::default(), &roll_line(1, 1, "3 4 5 29 | 1 33 33 33"));
    t.roll(1, 6).play("1/8* (both)");
    assert_eq!((t.seat(0), t.counts.0[0]), ([0, 3, 4, 5], [0, 1, 0, 0]));
}

#[test]
fn t15_the_last_piece_of_a_team() {
    let mut t = Table::new(Rules::default(), "32 33 33 33 | 1 1 1 1 | 33 33 33 33");
    t.plays(1, 6, &["32/off"]).play("32/off");
    assert_eq!((t.state.phase, t.game.winner(&t.state).map(|team| team.0)), (Phase::Over, Some(0)));
    assert_eq!(t.game.returns(&t.state).as_slice(), [1.0, -1.0, 1.0, -1.0]);
    assert_eq!(t.state.turn, 0);
}

#[test]
fn t16_one_piece_by_both_dice() {
    let mut t = Table::new(same_piece(), "29 33 33 33");
    t.roll(1, 3);
    assert_eq!(t.turns(), ["29/32 & 32/off"]);
    t.play("29/32").play("32/off").thrower(1, 1);
    assert_eq!((t.seat(0), t.counts.0[2]), ([33; 4], [0; 4]));
}
