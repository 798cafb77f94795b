//! The basic rules, R1 to R9 and R15, beyond the worked positions.

use super::*;
use crate::rules::Side;

#[test]
fn r1_two_to_four_sides_or_two_teams() {
    for players in 2..=4 {
        let t = Table::start(Rules { players, ..Rules::default() });
        assert_eq!(t.game.num_players(), players as usize);
        for seat in 0..players {
            assert_eq!(t.game.side(Player(seat)), Side(seat));
            assert_eq!(t.side(seat as usize), "h9");
        }
        assert_eq!(t.game.text(&t.state).matches(" | ").count(), players as usize);
    }
}

#[test]
fn r1_partners_move_the_same_coins() {
    let rules = Rules { players: 4, teams: true, ..Rules::default() };
    let mut t = Table::new(rules, "10:1 h8 | 16:1 h8");
    assert_eq!([0, 1, 2, 3].map(|seat| t.game.side(Player(seat)).0), [0, 1, 0, 1]);
    t.roll(2, 3).play("10/15");
    assert_eq!(t.player(), 1);
    t.roll(2, 3).play("16/21");
    assert_eq!(t.player(), 2);
    t.roll(2, 4);
    assert_eq!(t.legal(), ["hand/6", "15/21*"]);
    t.play("15/21*");
    assert_eq!((t.player(), t.side(1)), (2, "h9 cleared".into()));
    t.roll(1, 2).play("hand/3");
    assert_eq!(t.player(), 3);
    t.roll(1, 2);
    assert_eq!(t.legal(), ["hand/3*"]);
}

#[test]
fn r2_no_exact_throw_is_needed() {
    let rules = Rules { num_shells: 10, ..two() };
    for (dice, name) in [((1, 3), "5/9"), ((2, 3), "5/off"), ((6, 6), "5/off")] {
        let mut t = Table::new(rules.clone(), "5:9 | h9");
        t.roll(dice.0, dice.1);
        assert_eq!(t.legal(), [name]);
    }
}

#[test]
fn r2_a_hand_coin_may_cross_a_short_board() {
    let mut t = Table::start(Rules { num_shells: 4, ..two() });
    t.roll(2, 3);
    assert_eq!(t.legal(), ["hand/off"]);
    t.play("hand/off").turn_is_over();
    assert_eq!(t.side(0), "h8 o1");
    let mut t = Table::start(Rules { num_shells: 4, ..two() });
    t.roll(1, 2).play("hand/3").turn_is_over();
    assert_eq!(t.side(0), "h8 3:1");
}

#[test]
fn r3_coins_enter_singly() {
    let mut t = Table::start(Rules { coins: 5, ..two() });
    assert_eq!(t.side(0), "h5");
    t.roll(3, 4);
    assert_eq!(t.legal(), ["hand/7"]);
    t.play("hand/7").turn_is_over();
    assert_eq!(t.side(0), "h4 7:1");
}

#[test]
fn r4_a_stack_moves_as_one_and_dies_as_one() {
    let mut t = Table::new(two(), "10:3 h6 | 15:2 30:1 h6");
    t.roll(2, 3).play("10/15*");
    assert_eq!((t.side(0), t.side(1)), ("h6 15:3".into(), "h8 30:1".into()));
    t.roll(4, 4).play("15/23").roll(3, 4);
    assert_eq!((t.player(), t.legal()), (1, vec!["hand/7".into(), "30/37".into()]));
}

#[test]
fn r4_r6_a_stack_grows() {
    let mut t = Table::new(two(), "10:2 15:3 h4 | h9");
    t.roll(2, 3).play("10/15+").throws_again(&[]);
    assert_eq!(t.side(0), "h4 15:5");
}

#[test]
fn r5_only_the_total_counts_and_a_move_is_forced() {
    let names = [(4, 2), (5, 1), (3, 3)].map(|(one, other)| {
        let mut t = Table::new(two(), "10:1 h8 | h9");
        t.roll(one, other);
        t.legal()
    });
    for legal in names {
        assert_eq!(legal, ["hand/6", "10/16"]);
    }
}

#[test]
fn r5_a_single_legal_move_is_asked_for() {
    let mut t = Table::new(two(), "63:1 o8 | h9");
    t.roll(3, 4);
    assert_eq!((t.phase(), t.legal()), (Phase::Source, vec!["63/off".into()]));
}

#[test]
fn r6_passing_over_anything_is_free() {
    let mut t = Table::new(two(), "5:1 h8 | 2:2 6:4 9:3");
    t.roll(2, 5);
    assert_eq!(t.legal(), ["hand/7", "5/12"]);
}

#[test]
fn r6_a_larger_stack_blocks_and_a_smaller_one_dies() {
    let mut t = Table::new(two(), "10:2 11:4 12:3 h0 | 15:3 16:3 17:3");
    t.roll(1, 4);
    assert_eq!(t.legal(), ["11/16*", "12/17*"]);
}

#[test]
fn r6_a_kill_may_hit_any_other_side() {
    let rules = Rules { players: 4, ..Rules::default() };
    let mut t = Table::new(rules, "10:1 h8 | 14:1 h8 | h9 | 15:1 h8");
    t.roll(2, 3).play("10/15*");
    assert_eq!([1, 2, 3].map(|side| t.side(side)), ["h8 14:1", "h9", "h9 cleared"]);
}

#[test]
fn r7_a_finish_and_a_place_end_the_turn() {
    let mut t = Table::new(two(), "63:1 20:1 h7 | h9");
    t.roll(3, 4).play("63/off").turn_is_over();
    assert_eq!(t.side(0), "h7 o1 20:1");
    let mut t = Table::new(two(), "63:1 20:1 h7 | h9");
    t.roll(3, 4).play("20/27").turn_is_over();
}

#[test]
fn r7_the_turn_ends_when_the_earned_throw_cannot_be_moved() {
    let mut t = Table::new(two(), "3:1 8:8 | 20:9");
    t.roll(2, 3).play("3/8+").throws_again(&[]);
    // A stack of nine kills whatever stands in its way, so a lone smaller one is needed to be stuck.
    let mut t = Table::new(two(), "3:1 8:1 o7 | 20:9");
    t.roll(2, 3).play("3/8+").throws_again(&[]);
    t.roll(6, 6);
    t.turn_is_over();
    assert_eq!(t.side(0), "h0 o7 8:2");
}

#[test]
fn r8_the_first_side_with_all_coins_off_wins() {
    let rules = Rules { coins: 1, num_shells: 4, ..two() };
    let mut t = Table::start(rules);
    t.roll(1, 2).play("hand/3").roll(3, 3).play("hand/off");
    assert_eq!(t.phase(), Phase::Over);
    assert_eq!(t.game.winner(&t.state), Some(Side(1)));
    assert_eq!(t.game.turn(&t.state), Turn::Over);
    assert!(t.actions().is_empty());
}

#[test]
fn r9_a_further_pa_ra_adds_a_two() {
    let mut t = Table::new(two(), "10:1 h8 | h9");
    t.roll(1, 1).roll(1, 1);
    assert_eq!((t.phase(), t.pool()), (Phase::Reroll, &[2, 2][..]));
    t.roll(1, 2);
    assert_eq!(t.pool(), [2, 2, 3]);
    assert_eq!(t.legal(), ["value 2", "value 3", "value 4", "value 5", "value 7"]);
}

#[test]
fn r9_a_pool_holds_eight_values() {
    let head =
        |pool| format!("reroll player=0 turn=0 pool={pool} value=- moved=- six_three_roll=false winner=-");
    let mut t = Table::at(two(), &head("2,2,2,2,2,2"), "10:1 h8 | h9");
    t.roll(1, 1);
    assert_eq!((t.phase(), t.pool().len()), (Phase::Reroll, 7));
    t.roll(1, 1);
    assert_eq!((t.phase(), t.pool()), (Phase::Value, &[2; 8][..]));
    assert_eq!(t.legal(), [2, 4, 6, 8, 10, 12, 14, 16].map(|v| format!("value {v}")));
    // The bound holds for a pool that was carried over, too.
    let mut t = Table::at(two(), &ROLL.replace("pool=-", "pool=2,3,4,5,6,7,8"), "10:1 h8 | h9");
    t.roll(1, 1);
    assert_eq!((t.phase(), t.pool()), (Phase::Value, &[2, 2, 3, 4, 5, 6, 7, 8][..]));
}

#[test]
fn r9_a_sum_above_64_is_not_offered() {
    let t = Table::at(two(), &value_of("12,12,12,12,12,12"), "1:1 h8 | h9");
    assert_eq!(t.legal(), [12, 24, 36, 48, 60].map(|v| format!("value {v}")));
    let t = Table::at(two(), &value_of("4,12,12,12,12,12"), "1:1 h8 | h9");
    assert_eq!(t.legal().last().map(String::as_str), Some("value 64"));
    assert_eq!(t.pairs()[t.pairs().len() - 2..], ["hand/off", "1/off"]);
}

#[test]
fn r9_a_finish_loses_the_rest() {
    let mut t = Table::at(two(), &value_of("2,8"), "60:1 h8 | h9");
    t.play("value 8").play("60/off").turn_is_over();
}

#[test]
fn r9_no_value_can_be_played() {
    let mut t = Table::new(two(), "h9 | 2:2 3:2 5:2 h3");
    t.roll(1, 1).roll(1, 2);
    t.turn_is_over();
}

#[test]
fn r15_the_winner_takes_all() {
    let over = "over player=- turn=4 pool=- value=- moved=- six_three_roll=false winner=";
    let returns = |rules: Rules, winner: &str, sides: &str| {
        let t = Table::at(rules, &format!("{over}{winner}"), sides);
        t.game.returns(&t.state).as_slice().to_vec()
    };
    assert_eq!(returns(two(), "0", "o9 | h9"), [1.0, -1.0]);
    assert_eq!(returns(Rules { stake: 2.5, ..Rules::default() }, "1", "h9 | o9 | h9"), [-2.5, 5.0, -2.5]);
    let four = Rules { players: 4, ..Rules::default() };
    assert_eq!(returns(four.clone(), "3", "h9 | h9 | h9 | o9"), [-1.0, -1.0, -1.0, 3.0]);
    let teams = Rules { teams: true, stake: 2.0, ..four };
    assert_eq!(returns(teams.clone(), "0", "o9 | h9"), [2.0, -2.0, 2.0, -2.0]);
    assert_eq!(returns(teams, "1", "h9 | o9"), [-2.0, 2.0, -2.0, 2.0]);
    assert_eq!(returns(Rules { max_turns: 4, ..two() }, "-", "h9 | h9"), [0.0, 0.0]);
    let start = Table::start(two());
    assert_eq!(start.game.returns(&start.state).as_slice(), [0.0, 0.0]);
}
