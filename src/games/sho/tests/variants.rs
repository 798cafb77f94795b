//! R10 to R14 and the options without a number, beyond the worked positions.

use super::*;

fn overflow() -> Rules {
    Rules { finish_overflow: true, ..two() }
}

#[test]
fn r10_coins_off_count_among_all() {
    let rules = Rules { niner_stack: false, ..two() };
    let mut t = Table::new(rules.clone(), "14:1 20:7 o1 | h9");
    t.roll(3, 3).play("14/20+").throws_again(&[]);
    let mut t = Table::new(rules, "12:8 h1 | h9");
    t.roll(6, 6);
    assert_eq!(t.legal(), ["12/24"]);
}

#[test]
fn r11_only_the_last_stack_ends_the_turn() {
    let rules = Rules { last_kill_ends_turn: true, ..two() };
    let mut t = Table::new(rules.clone(), "3:1 h8 | 8:1 30:1 h7");
    t.roll(2, 3).play("3/8*").throws_again(&[]);
    let mut t = Table::new(rules.clone(), "3:1 h8 | 8:1 o8");
    t.roll(2, 3).play("3/8*").turn_is_over();
    assert_eq!(t.side(1), "h1 o8");
    // Another side's stacks do not matter.
    let mut t = Table::new(Rules { players: 3, ..rules.clone() }, "3:1 h8 | 8:1 h8 | 30:1 h8");
    t.roll(2, 3).play("3/8*").turn_is_over();
    // The pool is lost.
    let mut t = Table::at(rules, &value_of("2,5"), "3:1 h8 | 8:1 h8");
    t.play("value 5").play("3/8*").turn_is_over();
}

#[test]
fn r11_r14_holds_in_an_overflow_move() {
    let sides = "59:2 30:7 | 36:1 h8";
    let mut t = Table::new(overflow(), sides);
    t.roll(5, 6).play("59/off").play("30/36*").throws_again(&[]);
    let mut t = Table::new(Rules { last_kill_ends_turn: true, ..overflow() }, sides);
    t.roll(5, 6).play("59/off").play("30/36*").turn_is_over();
}

#[test]
fn r11_r13_holds_in_the_first_part_of_a_split() {
    let rules = Rules { last_kill_ends_turn: true, ..flexible() };
    let mut t = Table::new(rules.clone(), "10:1 20:1 h7 | 14:1 h8");
    t.roll(1, 1).roll(5, 6).play("value 4").play("10/14*").turn_is_over();
    assert_eq!(t.side(0), "h7 14:1 20:1");
    // The lone stack has no partner for a second part, but killing needs none; the whole 13 is then not offered.
    let mut t = Table::new(rules, "10:1 o8 | 14:1 h8");
    t.roll(1, 1).roll(5, 6);
    assert_eq!(t.legal(), ["value 4"]);
    t.play("value 4").play("10/14*").turn_is_over();
    let mut t = Table::new(flexible(), "10:1 o8 | 14:1 h8");
    t.roll(1, 1).roll(5, 6);
    assert_eq!(t.legal(), ["value 13"]);
}

#[test]
fn r12_never_on_a_board_without_position_nine() {
    for (num_shells, legal) in [(9, vec!["hand/off"]), (10, vec!["hand/9", "hand/9 all"])] {
        let mut t = Table::new(Rules { six_three: true, num_shells, ..two() }, "h9 cleared | h9");
        t.roll(6, 3);
        assert_eq!(t.legal(), legal);
    }
}

#[test]
fn r12_never_in_a_split() {
    let mut t = Table::new(Rules { six_three: true, ..flexible() }, "h9 cleared | h9");
    t.roll(1, 1).roll(6, 3).play("value 9");
    assert_eq!(t.legal(), ["hand/9"]);
    let mut t = Table::new(Rules { six_three: true, ..flexible() }, "h9 cleared | h9");
    t.roll(1, 1).roll(6, 3).play("value 2").play("hand/2");
    assert_eq!(t.legal(), ["hand/9"]);
    let mut t = Table::new(Rules { six_three: true, ..flexible() }, "h9 cleared | h9");
    t.roll(6, 3);
    assert_eq!(t.legal(), ["hand/9", "hand/9 all"]);
}

#[test]
fn r12_off_by_default_and_used_up_by_entering() {
    let mut t = Table::new(two(), "h9 cleared | h9");
    t.roll(6, 3);
    assert_eq!((t.legal(), t.state.six_three_roll), (vec!["hand/9".into()], false));
    let mut t = Table::new(Rules { six_three: true, ..two() }, "h9 cleared | h9");
    t.roll(1, 2).play("hand/3");
    assert_eq!(t.side(0), "h8 3:1");
}

#[test]
fn r12_the_mark_stays_until_a_move_or_another_throw() {
    let mut t = Table::new(Rules { six_three: true, ..two() }, "h9 | 9:2 h7");
    t.roll(6, 3).turn_is_over();
    assert!(t.state.six_three_roll);
    t.roll(1, 2);
    assert!(!t.state.six_three_roll);
    let mut t = Table::new(Rules { six_three: true, ..two() }, "h9 | h9");
    t.roll(6, 3);
    assert!(t.state.six_three_roll);
    t.play("hand/9");
    assert!(!t.state.six_three_roll);
}

#[test]
fn r12_a_side_is_cleared_by_the_kill_of_its_last_coins_only() {
    let mut t = Table::new(two(), "3:1 h8 | 8:1 30:1 h7");
    t.roll(2, 3).play("3/8*");
    assert_eq!(t.side(1), "h8 30:1");
    let mut t = Table::new(two(), "3:1 h8 | 8:2 h7");
    t.roll(2, 2).play("3/7");
    assert_eq!(t.side(1), "h7 8:2");
}

#[test]
fn r13_the_whole_total_where_no_split_is_legal() {
    let mut t = Table::new(flexible(), "10:1 o8 | 23:1 40:1 h7");
    t.roll(1, 1).roll(5, 6);
    assert_eq!(t.legal(), ["value 13"]);
    t.play("value 13");
    assert_eq!(t.legal(), ["10/23*"]);
    t.play("10/23*").throws_again(&[]);
    let mut t = Table::new(flexible(), "10:1 o8 | h9");
    t.roll(1, 1).roll(5, 6).play("value 13").play("10/23").turn_is_over();
}

#[test]
fn r13_second_parts_that_are_blocked() {
    let mut t = Table::new(flexible(), "h9 | 1:2 2:2 h5");
    t.roll(1, 1).roll(1, 2);
    assert_eq!(t.legal(), ["value 5"]);
    let mut t = Table::new(flexible(), "h9 | 1:2 2:2 5:2 h3");
    t.roll(1, 1).roll(1, 2).turn_is_over();
}

#[test]
fn r13_a_second_hand_coin_may_land_on_the_first() {
    let mut t = Table::start(flexible());
    t.roll(1, 1).roll(3, 3).play("value 4").play("hand/4");
    assert_eq!(t.legal(), ["hand/4+"]);
    t.play("hand/4+").throws_again(&[]);
    assert_eq!(t.side(0), "h7 4:2");
}

#[test]
fn r13_nothing_is_excluded_when_the_first_part_went_off() {
    let mut t = Table::new(flexible(), "60:1 20:1 o7 | h9");
    t.roll(1, 1).roll(5, 6).play("value 4").play("60/off");
    assert_eq!(t.state.moved, 64);
    assert_eq!(t.legal(), ["20/29"]);
    t.play("20/29").turn_is_over();
}

#[test]
fn r13_both_parts_may_finish_and_win() {
    let mut t = Table::new(flexible(), "60:1 61:1 o7 | h9");
    t.roll(1, 1).roll(5, 6).play("value 4").play("60/off").play("61/off");
    assert_eq!((t.phase(), t.state.winner.map(|side| side.0)), (Phase::Over, Some(0)));
}

#[test]
fn r13_a_further_pa_ra_adds_two_up_to_eight_values() {
    let mut t = Table::new(flexible(), "10:1 20:1 h7 | h9");
    for _ in 0..7 {
        t.roll(1, 1);
        assert_eq!(t.phase(), Phase::Reroll);
    }
    t.roll(1, 1);
    assert_eq!((t.phase(), t.pool(), t.legal().len()), (Phase::Value, &[2; 8][..], 15));
}

#[test]
fn r13_the_stack_that_the_first_part_joined_does_not_move_again() {
    let mut t = Table::new(flexible(), "10:1 14:1 20:1 h6 | h9");
    t.roll(1, 1).roll(5, 6).play("value 4").play("10/14+");
    assert_eq!(t.legal(), ["hand/9", "20/29"]);
}

#[test]
fn r13_without_pa_ra_snake_eyes_are_a_plain_two() {
    let mut t = Table::new(Rules { pa_ra: PaRa::None, ..two() }, "10:1 h8 | h9");
    t.roll(1, 1);
    assert_eq!(
        (t.phase(), t.pool(), t.legal()),
        (Phase::Source, &[2][..], vec!["hand/2".into(), "10/12".into()])
    );
    t.play("10/12").turn_is_over();
}

#[test]
fn r13_r14_overflow_follows_the_second_part_only() {
    let rules = Rules { finish_overflow: true, ..flexible() };
    let mut t = Table::new(rules.clone(), "60:1 20:1 o7 | h9");
    t.roll(1, 1).roll(5, 6).play("value 11").play("60/off");
    assert_eq!((t.phase(), t.state.value), (Phase::Source, 2));
    t.play("20/22").turn_is_over();
    let mut t = Table::new(rules, "60:1 59:1 30:1 o6 | h9");
    t.roll(1, 1).roll(5, 6).play("value 2").play("60/62").play("59/off");
    assert_eq!((t.phase(), t.state.value), (Phase::Overflow, 6));
    assert_eq!(t.legal(), ["30/36", "62/off", "decline"]);
}

#[test]
fn r13_r14_a_whole_total_never_overflows() {
    // If another source could move the unused counts, finishing exactly and then moving it would be a legal split.
    let rules = Rules { finish_overflow: true, ..flexible() };
    let mut t = Table::new(rules, "62:1 h1 o7 | 1:2 2:2 3:1 5:2 h2");
    t.roll(1, 1).roll(1, 2);
    // 62 moves a, then the hand coin moves 5 - a: onto 4 (vacant) or 3 (a single coin).
    assert_eq!(t.pairs(), ["62/63", "62/off", "hand/3*", "hand/4"]);
    let rules = Rules { finish_overflow: true, ..flexible() };
    let mut t = Table::new(rules, "62:1 h1 o7 | 1:2 2:2 3:2 4:2 h1");
    t.roll(1, 1).roll(1, 2);
    assert_eq!(t.legal(), ["value 5"]);
    t.play("value 5").play("62/off").turn_is_over();
    let rules = Rules { finish_overflow: true, num_shells: 10, ..flexible() };
    let mut t = Table::new(rules, "8:1 h1 o7 | 1:2 2:2 4:2 5:2 h1");
    t.roll(1, 1).roll(1, 2);
    assert_eq!(t.pairs(), ["8/off", "hand/3"]);
}

#[test]
fn r14_the_pool_stays_when_the_overflow_stacks() {
    let mut t = Table::at(overflow(), &value_of("2,11"), "59:2 30:6 36:1 | h9");
    t.play("value 11").play("59/off");
    assert_eq!((t.phase(), t.state.value, t.pool()), (Phase::Overflow, 6, &[2][..]));
    assert_eq!(t.legal(), ["30/36+", "36/42", "decline"]);
    t.play("30/36+").throws_again(&[2]);
    let mut t = Table::at(overflow(), &value_of("2,11"), "59:2 30:6 36:1 | h9");
    t.play("value 11").play("59/off").play("36/42").turn_is_over();
    let mut t = Table::at(overflow(), &value_of("2,11"), "59:2 30:6 36:1 | h9");
    t.play("value 11").play("59/off").play("decline").turn_is_over();
}

#[test]
fn r14_the_phase_needs_counts_and_a_move() {
    let mut t = Table::new(overflow(), "59:2 30:7 | h9");
    t.roll(2, 3).play("59/off").turn_is_over();
    let mut t = Table::new(overflow(), "59:2 30:1 o6 | 36:2 h7");
    t.roll(5, 6).play("59/off").turn_is_over();
    let mut t = Table::new(overflow(), "59:2 o7 | h9");
    t.roll(5, 6).play("59/off");
    assert_eq!(t.phase(), Phase::Over);
    let mut t = Table::new(overflow(), "59:2 h7 | h9");
    t.roll(5, 6).play("59/off");
    assert_eq!(t.legal(), ["hand/6", "decline"]);
}

#[test]
fn r14_no_second_overflow() {
    let mut t = Table::new(overflow(), "59:1 62:1 30:1 o6 | h9");
    t.roll(5, 6).play("59/off");
    assert_eq!(t.legal(), ["30/36", "62/off", "decline"]);
    t.play("62/off").turn_is_over();
    let mut t = Table::new(overflow(), "59:1 62:1 o7 | h9");
    t.roll(5, 6).play("59/off").play("62/off");
    assert_eq!((t.phase(), t.state.winner.map(|side| side.0)), (Phase::Over, Some(0)));
}

#[test]
fn entry_coins_enter_as_one_stack() {
    let rules = Rules { entry_coins: 2, ..two() };
    let entered = |rules: &Rules, sides| {
        let mut t = Table::new(rules.clone(), sides);
        t.roll(2, 3);
        let name = t.legal()[0].clone();
        t.play(&name);
        (name, t.side(0))
    };
    assert_eq!(entered(&rules, "h9 | h9"), ("hand/5".into(), "h7 5:2".into()));
    assert_eq!(entered(&rules, "h9 cleared | h9"), ("hand/5".into(), "h7 5:2".into()));
    assert_eq!(entered(&rules, "h9 | 5:2 h7"), ("hand/5*".into(), "h7 5:2".into()));
    // One at a time once a coin is on the track or off.
    assert_eq!(entered(&rules, "40:1 h8 | h9"), ("hand/5".into(), "h7 5:1 40:1".into()));
    assert_eq!(entered(&rules, "h8 o1 | h9"), ("hand/5".into(), "h7 o1 5:1".into()));
    let short = Rules { num_shells: 4, entry_coins: 3, ..two() };
    assert_eq!(entered(&short, "h9 | h9"), ("hand/off".into(), "h6 o3".into()));
    let few = Rules { coins: 2, entry_coins: 3, ..two() };
    assert_eq!(entered(&few, "h2 | h2"), ("hand/5".into(), "h0 5:2".into()));
    let mut t = Table::new(rules, "h9 | 5:3 h6");
    t.roll(2, 3).turn_is_over();
}

#[test]
fn entry_coins_with_six_three() {
    let lhasa = Rules { entry_coins: 2, six_three: true, ..two() };
    let mut t = Table::new(lhasa.clone(), "h9 cleared | h9");
    t.roll(6, 3);
    assert_eq!(t.legal(), ["hand/9", "hand/9 all"]);
    t.play("hand/9");
    assert_eq!(t.side(0), "h7 9:2");
    let mut t = Table::new(lhasa, "h9 cleared | 9:2 h7");
    t.roll(6, 3);
    assert_eq!(t.legal(), ["hand/9*"]);
}
