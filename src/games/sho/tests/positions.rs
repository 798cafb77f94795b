//! The worked positions of the rule book.

use super::*;

const S8: &str = "59:2 30:7 | h9";

#[test]
fn r9_s1_the_example_of_the_source() {
    let mut t = Table::new(two(), "10:1 23:2 h6 | 12:1 40:2 h6");
    t.roll(1, 1);
    assert_eq!((t.phase(), t.pool()), (Phase::Reroll, &[2][..]));
    t.roll(5, 6);
    assert_eq!(t.legal(), ["value 2", "value 11", "value 13"]);
    let nine = ["hand/2", "10/12*", "23/25", "hand/11", "10/21", "23/34", "hand/13", "10/23+", "23/36"];
    assert_eq!(t.pairs(), nine);
    t.play("value 2").play("10/12*");
    assert_eq!((t.side(0), t.side(1)), ("h6 12:1 23:2".into(), "h7 40:2".into()));
    t.throws_again(&[11]);
    t.roll(3, 4);
    assert_eq!(t.pool(), [7, 11]);
    assert_eq!(t.legal(), ["value 7", "value 11", "value 18"]);
    t.play("value 11").play("12/23+");
    assert_eq!(t.side(0), "h6 23:3");
    t.throws_again(&[7]);
    t.roll(2, 3);
    assert_eq!(t.pool(), [5, 7]);
    assert_eq!(t.legal(), ["value 5", "value 7", "value 12"]);
    t.play("value 12").play("23/35");
    assert_eq!(t.side(0), "h6 35:3");
    t.turn_is_over();
}

#[test]
fn r6_s2_equal_stack_is_killed() {
    let sides = "5:2 h7 | 9:2 12:3 h4";
    let mut t = Table::new(two(), sides);
    t.roll(1, 3);
    assert_eq!(t.legal(), ["hand/4", "5/9*"]);
    t.play("5/9*");
    assert_eq!((t.side(0), t.side(1)), ("h7 9:2".into(), "h6 12:3".into()));
    let mut t = Table::new(two(), sides);
    t.roll(3, 4);
    assert_eq!(t.legal(), ["hand/7"]);
}

#[test]
fn r7_s3_nothing_is_legal() {
    let mut t = Table::new(two(), "h9 | 8:2 h7");
    t.roll(3, 5);
    t.turn_is_over();
    assert_eq!((t.side(0), t.side(1)), ("h9".into(), "h7 8:2".into()));
}

#[test]
fn r7_r11_s4_a_kill_throws_again_unless_the_last_one_ends_the_turn() {
    let sides = "3:1 h8 | 8:1 h8";
    let mut t = Table::new(two(), sides);
    t.roll(2, 3);
    assert_eq!(t.legal(), ["hand/5", "3/8*"]);
    t.play("3/8*").throws_again(&[]);
    assert_eq!(t.side(1), "h9 cleared");
    let mut t = Table::new(Rules { last_kill_ends_turn: true, ..two() }, sides);
    t.roll(2, 3);
    assert_eq!(t.legal(), ["hand/5", "3/8*"]);
    t.play("3/8*").turn_is_over();
    assert_eq!(t.side(1), "h9 cleared");
}

#[test]
fn r12_s5_six_three() {
    let rules = Rules { six_three: true, ..two() };
    let after = |sides, one, other| {
        let mut t = Table::new(rules.clone(), sides);
        t.roll(one, other);
        t
    };
    let mut t = after("h9 cleared | h9", 6, 3);
    assert_eq!(t.legal(), ["hand/9", "hand/9 all"]);
    t.play("hand/9 all").turn_is_over();
    assert_eq!(t.side(0), "h0 9:9");
    assert_eq!(after("h9 cleared | h9", 5, 4).legal(), ["hand/9"]);
    assert_eq!(after("h9 cleared | 9:1 h8", 6, 3).legal(), ["hand/9*"]);
    assert_eq!(after("h9 | h9", 6, 3).legal(), ["hand/9"]);
    let mut start = Table::start(rules.clone());
    start.roll(6, 3);
    assert_eq!(start.legal(), ["hand/9"]);
    let mut t = after("h9 cleared | h9", 1, 1);
    t.roll(6, 3);
    assert_eq!(t.legal(), ["value 2", "value 9", "value 11"]);
    assert_eq!(t.pairs(), ["hand/2", "hand/9", "hand/9 all", "hand/11"]);
    t.play("value 9").play("hand/9 all").turn_is_over();
}

#[test]
fn r10_s6_a_stack_of_all_nine() {
    let sides = "14:1 20:8 | h9";
    let mut t = Table::new(two(), sides);
    t.roll(3, 3);
    assert_eq!(t.legal(), ["14/20+", "20/26"]);
    let mut t = Table::new(Rules { niner_stack: false, ..two() }, sides);
    t.roll(3, 3);
    assert_eq!(t.legal(), ["20/26"]);
}

#[test]
fn r8_s7_the_last_coin_off_wins_at_once() {
    let mut t = Table::new(two(), "60:1 o8 | h9");
    t.roll(5, 6);
    assert_eq!(t.legal(), ["60/off"]);
    t.play("60/off");
    assert_eq!(t.phase(), Phase::Over);
    assert_eq!(t.state.winner.map(|side| side.0), Some(0));
    assert_eq!(t.state.turn, 0);
}

#[test]
fn r14_s8_overflow() {
    let mut t = Table::new(two(), S8);
    t.roll(5, 6);
    assert_eq!(t.legal(), ["30/41", "59/off"]);
    t.play("59/off").turn_is_over();
    let mut t = Table::new(Rules { finish_overflow: true, ..two() }, S8);
    t.roll(5, 6);
    assert_eq!(t.legal(), ["30/41", "59/off"]);
    t.play("59/off");
    assert_eq!((t.phase(), t.state.value), (Phase::Overflow, 6));
    assert_eq!(t.legal(), ["30/36", "decline"]);
}

#[test]
fn r2_s9_the_last_position_is_on_the_track() {
    let mut t = Table::new(two(), S8);
    t.roll(2, 3);
    assert_eq!(t.legal(), ["30/35", "59/off"]);
    let mut t = Table::new(two(), S8);
    t.roll(1, 3);
    assert_eq!(t.legal(), ["30/34", "59/63"]);
    t.play("59/63");
    assert_eq!(t.side(0), "h0 30:7 63:2");
}

#[test]
fn r9_s10_a_pool_of_three_grows_to_four() {
    let mut t = Table::at(two(), &value_of("2,2,5"), "10:1 12:1 40:1 h6 | h9");
    assert_eq!(t.legal(), [2, 4, 5, 7, 9].map(|v| format!("value {v}")));
    t.play("value 2").play("10/12+").throws_again(&[2, 5]);
    t.roll(1, 1);
    assert_eq!(t.phase(), Phase::Reroll);
    t.roll(3, 3);
    assert_eq!(t.pool(), [2, 2, 5, 6]);
    assert_eq!(t.legal(), [2, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15].map(|v| format!("value {v}")));
}

#[test]
fn r9_s11_the_sum_spends_the_whole_pool() {
    let mut t = Table::at(two(), &value_of("2,8"), "10:1 20:1 h7 | h9");
    t.play("value 10").play("10/20+").throws_again(&[]);
}

#[test]
fn r9_s12_a_place_loses_the_rest() {
    let mut t = Table::at(two(), &value_of("2,8"), "10:1 20:1 h7 | h9");
    t.play("value 8").play("10/18").turn_is_over();
}

#[test]
fn r9_s13_only_the_sum_can_be_played() {
    let mut t = Table::new(two(), "h9 | 2:2 8:2 h5");
    t.roll(1, 1).roll(5, 3);
    assert_eq!(t.legal(), ["value 10"]);
    assert_eq!(t.pairs(), ["hand/10"]);
}

#[test]
fn r13_s14_flexible() {
    let split = |sides| {
        let mut t = Table::new(flexible(), sides);
        t.roll(1, 1).roll(5, 6);
        t
    };
    let mut t = split("10:1 20:1 h7 | h9");
    let values: Vec<String> = (1..13).map(|v| format!("value {v}")).collect();
    assert_eq!(t.legal(), values);
    t.play("value 4");
    assert_eq!(t.legal(), ["hand/4", "10/14", "20/24"]);
    t.play("10/14");
    assert_eq!((t.pool(), t.state.value, t.state.moved), (&[9][..], 9, 14));
    assert_eq!(t.legal(), ["hand/9", "20/29"]);
    t.play("20/29").turn_is_over();

    let mut t = split("10:1 20:1 29:1 h6 | h9");
    t.play("value 4").play("10/14").play("20/29+").throws_again(&[]);
    assert_eq!(t.state.moved, 0);

    let mut t = split("10:1 20:1 h7 | 14:1 40:1 h7");
    t.play("value 4").play("10/14*").play("20/29").turn_is_over();

    let mut t = split("10:1 20:1 h7 | h9");
    t.play("value 1").play("10/11").play("20/32").turn_is_over();
}
