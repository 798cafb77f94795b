//! The rules R1 to R9, beyond the worked positions.

use super::*;

#[test]
fn r1_two_players_with_fifteen_pieces_each() {
    for rules in [Rules::default(), Rules { setup: Setup::FromOrigin, ..Rules::default() }] {
        let t = Table::start(rules);
        assert_eq!(t.game.num_players(), 2);
        assert_eq!([0, 1].map(|seat| t.game.side(Player(seat))), [Side(0), Side(1)]);
        for counts in t.state.counts {
            assert_eq!(counts.iter().sum::<u8>(), 15);
        }
        assert_eq!(t.pieces(0), t.pieces(1));
    }
}

#[test]
fn r1_both_setups() {
    assert_eq!(Table::start(Rules::default()).pieces(0), ENGLISH);
    let catalogue = Rules { setup: Setup::FromOrigin, ..Rules::default() };
    assert_eq!(Table::start(catalogue).pieces(1), "19:5 17:3 12:5 1:2");
}

#[test]
fn r2_thirty_equal_opening_throws() {
    let t = Table::start(Rules::default());
    assert_eq!(t.game.chance(&t.state).weights(), &[1; 30]);
    assert_eq!(t.game.max_chance_outcomes(), 30);
    assert!(OPENING_FACES.is_sorted(), "in lexicographic order");
    for (outcome, [one, other]) in OPENING_FACES.into_iter().enumerate() {
        let mut t = Table::start(Rules::default());
        t.resolve(outcome);
        assert_eq!(t.player(), (other > one) as u8);
        assert_eq!(t.state.dice(), [one.max(other), one.min(other)]);
    }
}

#[test]
fn r2_the_opening_throw_is_the_first_turn() {
    let mut t = Table::start(Rules::default());
    t.open(2, 6).play("24/18").play("13/11");
    assert_eq!((t.phase(), t.player(), t.state.turn), (Phase::Roll, 0, 1));
    assert_eq!(t.game.chance(&t.state).weights().len(), 21);
}

#[test]
fn r3_two_pieces_or_one_with_both_dice() {
    let mut t = thrown(Rules::default(), "24:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5", 6, 2);
    t.play("13/11").play("24/18").turn_is_over();
    assert_eq!(t.pieces(0), "24:1 18:1 13:4 11:1 8:3 6:5");
    let mut t = thrown(Rules::default(), "24:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5", 6, 2);
    t.play("24/18").play("18/16").turn_is_over();
    assert_eq!(t.pieces(0), "24:1 16:1 13:5 8:3 6:5");
}

#[test]
fn r3_a_piece_touches_down_in_between() {
    // 17 is free in both, but 24 reaches it only where 19 or 22 is free too.
    thrown(Rules::default(), "24:1 1:14 | 6:2 3:2 20:11", 5, 2).turn_is_over();
    let free = thrown(Rules::default(), "24:1 1:14 | 6:2 4:2 20:11", 5, 2);
    assert_eq!(free.results().into_iter().collect::<Vec<_>>(), ["17:1 1:14"]);
}

#[test]
fn r3_doubles_give_two_moves_or_four_and_no_further_throw() {
    for (rules, moves) in [(Rules::default(), 2), (four(), 4)] {
        let mut t = thrown(rules, "24:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5", 1, 1);
        for left in (1..=moves).rev() {
            assert_eq!(t.state.dice(), vec![1; left]);
            t.play(["6/5", "8/7", "6/5", "8/7"][left - 1]);
        }
        t.turn_is_over();
    }
}

#[test]
fn r4_two_enemies_bar_a_point_and_one_is_hit() {
    let mut t = thrown(Rules::default(), "13:15 | 14:1 15:2 6:12", 2, 3);
    assert_eq!(t.legal(), ["13/11*"]);
    t.play("13/11*");
    assert_eq!(t.pieces(1), "bar1 15:2 6:12");
    // A block of the enemy does not hinder what steps beyond it.
    assert_eq!(t.legal(), ["11/8"]);
    t.play("11/8").turn_is_over();
}

#[test]
fn r4_pieces_borne_off_or_on_the_bar_bar_nothing() {
    let t = thrown(Rules::default(), "24:1 2:1 off13 | bar5 off10", 1, 2);
    assert_eq!(t.legal(), ["2/1", "24/23", "24/22"]);
}

#[test]
fn r4_own_pieces_bar_nothing() {
    let mut t = thrown(Rules::default(), "13:8 11:7 | 6:15", 2, 2);
    t.play("13/11").play("13/11").turn_is_over();
    assert_eq!(t.pieces(0), "13:6 11:9");
}

#[test]
fn r5_entering_by_each_die() {
    for die in 1..=6u8 {
        let mut t = thrown(Rules::default(), "bar2 13:13 | 13:15", die, die);
        let name = format!("bar/{}", 25 - die);
        assert_eq!(t.legal(), [&*name]);
        t.play(&name).play(&name).turn_is_over();
        assert_eq!(t.pieces(0), format!("{}:2 13:13", 25 - die));
    }
}

#[test]
fn r5_entering_hits() {
    let mut t = thrown(Rules::default(), "bar1 13:14 | 4:1 6:14", 4, 6);
    assert_eq!(t.legal(), ["bar/21*"]);
    t.play("bar/21*");
    assert_eq!(t.pieces(1), "bar1 6:14");
}

#[test]
fn r5_nothing_else_moves_and_nothing_is_borne_off() {
    // Entry by the 1 only; then the 5 is played by what may play it.
    let mut t = thrown(Rules::default(), "bar1 5:7 1:7 | 5:2 6:13", 5, 1);
    assert_eq!(t.legal(), ["bar/24"]);
    t.play("bar/24").turn_is_over();
    // Entered by the 1, nothing could play the 5: 19 and 8 are barred.
    let mut t = thrown(Rules::default(), "bar1 13:1 1:13 | 6:2 17:2 7:11", 5, 1);
    assert_eq!(t.legal(), ["bar/20"]);
    t.play("bar/20").play("13/12").turn_is_over();
    // Either die enters, and the other is lost: the larger.
    let players = "bar1 1:14 | 6:2 12:13";
    let mut t = thrown(Rules::default(), players, 5, 1);
    assert_eq!(t.legal(), ["bar/20"]);
    t.play("bar/20").turn_is_over();
    let t = thrown(Rules { larger_die: false, ..Rules::default() }, players, 5, 1);
    assert_eq!(t.legal(), ["bar/24", "bar/20"]);
}

#[test]
fn r6_nothing_is_borne_off_before_all_are_home() {
    let t = thrown(overshoot(), "7:1 6:14 | 1:15", 6, 6);
    assert_eq!(t.legal(), ["7/1"]);
    let mut t = thrown(overshoot(), "7:1 6:14 | 1:15", 6, 6);
    t.play("7/1");
    assert_eq!(t.legal(), ["6/off"]);
    // A piece that was hit must come home again.
    thrown(Rules::default(), "bar1 1:4 off10 | 6:2 5:13", 6, 5).turn_is_over();
}

#[test]
fn r6_exactly_from_the_point_of_the_die() {
    let players = "6:1 4:2 2:1 off11 | 6:15";
    for (die, names) in [(6, vec!["6/off"]), (5, vec!["6/1"]), (3, vec!["4/1", "6/3"])] {
        let t = thrown(Rules::default(), players, die, die);
        assert_eq!(t.legal(), names);
    }
    assert_eq!(thrown(Rules::default(), players, 2, 2).legal(), ["2/off", "4/2", "6/4"]);
    thrown(Rules::default(), "4:2 2:1 off12 | 6:15", 6, 5).turn_is_over();
}

#[test]
fn r6_overshoot_takes_the_highest_point_and_no_other() {
    let t = thrown(overshoot(), "4:2 2:1 off12 | 6:15", 6, 5);
    assert_eq!(t.legal(), ["4/off(5)", "4/off(6)"]);
    // Not where a higher point has a piece, even one that cannot move.
    thrown(overshoot(), "6:1 4:2 2:1 off11 | 24:2 6:13", 5, 5).turn_is_over();
    let mut t = thrown(backgammon(), "4:2 2:1 1:3 off9 | 6:15", 5, 5);
    t.play("4/off(5)").play("4/off(5)").play("2/off(5)").play("1/off(5)").turn_is_over();
}

#[test]
fn r7_a_step_that_would_lose_the_other_die_is_not_legal() {
    // 8 and 4 are barred, so that only 16/10 plays the 6; 16/14 is free, but would lose it.
    let t = thrown(Rules::default(), "16:1 10:1 3:13 | 17:2 21:2 6:11", 6, 2);
    assert_eq!(t.legal(), ["3/1", "16/10"]);
    assert_eq!(t.results().into_iter().collect::<Vec<_>>(), ["10:2 3:12 1:1"]);
    // Nor does the larger die come before the use of both: after 13/7 nothing would play the 2.
    let t = thrown(Rules::default(), "16:1 13:1 1:13 | 20:2 17:2 11:11", 6, 2);
    assert_eq!(t.legal(), ["13/11", "16/10"]);
}

#[test]
fn r7_the_order_that_uses_both_dice() {
    let mut t = thrown(Rules::default(), "8:1 1:14 | 6:15", 6, 1);
    assert_eq!(t.legal(), ["8/7", "8/2"]);
    t.play("8/2").play("2/1").turn_is_over();
    // After 8/7 all but one are home, and 7/1 uses the 6.
    let mut t = thrown(Rules::default(), "8:1 1:14 | 6:15", 6, 1);
    t.play("8/7").play("7/1").turn_is_over();
}

#[test]
fn r7_bringing_the_last_piece_home_lets_the_other_die_bear_off() {
    // The 1 brings 7 home; only then does the 6 have a piece to take.
    let mut t = thrown(Rules::default(), "7:1 2:14 | 24:2 6:13", 6, 1);
    assert_eq!(t.legal(), ["7/6"], "1 is barred");
    t.play("7/6").play("6/off").turn_is_over();
    // Also where the 1 could be played without bringing it home.
    let t = thrown(Rules::default(), "7:1 6:1 5:13 | 24:2 21:13", 6, 1);
    assert_eq!(t.legal(), ["7/6"], "after 6/5 nothing plays the 6");
}

#[test]
fn r7_a_win_by_one_die_is_not_legal_where_two_can_be_used() {
    let mut t = thrown(overshoot(), "5:1 off14 | 6:15", 5, 2);
    assert_eq!(t.legal(), ["5/3"]);
    t.play("5/3");
    assert_eq!(t.legal(), ["3/off(5)"]);
    t.play("3/off(5)");
    assert_eq!((t.phase(), t.game.winner(&t.state)), (Phase::Over, Some(Side(0))));
    // Exactly, the 5 alone wins, and no other order uses two dice.
    let mut t = thrown(Rules::default(), "5:1 off14 | 6:15", 5, 2);
    assert_eq!(t.legal(), ["5/off"]);
    t.play("5/off");
    assert_eq!((t.phase(), t.state.dice()), (Phase::Over, vec![]));
}

#[test]
fn r7_the_larger_die_where_both_would_win() {
    let t = thrown(overshoot(), "2:1 off14 | 6:15", 6, 5);
    assert_eq!(t.legal(), ["2/off(6)"]);
    let t = thrown(Rules { larger_die: false, ..overshoot() }, "2:1 off14 | 6:15", 6, 5);
    assert_eq!(t.legal(), ["2/off(5)", "2/off(6)"]);
}

#[test]
fn r7_as_many_moves_of_a_double_as_possible() {
    // 13 can take two steps, 24 one; the fourth move is lost.
    let mut t = thrown(four(), "24:1 13:1 2:13 | 24:2 9:13", 4, 4);
    assert_eq!(t.legal(), ["13/9", "24/20"]);
    t.play("24/20");
    assert_eq!(t.state.dice(), [4, 4, 4]);
    assert_eq!(t.legal(), ["13/9"]);
    t.play("13/9").play("9/5").turn_is_over();
}

#[test]
fn r7_with_no_step_the_turn_passes_and_counts() {
    let t = thrown(Rules::default(), "bar1 1:14 | 6:8 5:7", 6, 5);
    t.turn_is_over();
    assert_eq!(t.game.turns_passed(&t.state), 2);
}

#[test]
fn r8_the_first_to_bear_off_everything_wins() {
    let mut t = Table::at(Rules::default(), &ROLL.replace("player=0", "player=1"), "6:15 | 2:1 off14");
    t.roll(6, 2).play("2/off");
    assert_eq!((t.phase(), t.game.turn(&t.state)), (Phase::Over, Turn::Over));
    assert_eq!(t.game.winner(&t.state), Some(Side(1)));
    assert_eq!((t.state.turn, t.state.dice()), (1, vec![]));
    assert!(t.actions().is_empty());
    assert_eq!(t.game.returns(&t.state).as_slice(), [-1.0, 1.0]);
}

#[test]
fn r9_a_gammon_counts_two_and_a_far_piece_three() {
    let gammon = Rules { scoring: Scoring::Gammon, ..Rules::default() };
    let over = "over player=- turn=40 dice=- winner=0 points_won=";
    let cases = [
        ("off15 | 24:1 off14", 1),
        ("off15 | 7:15", 2),
        ("off15 | 18:15", 2),
        ("off15 | 19:1 6:14", 3),
        ("off15 | 24:1 6:14", 3),
        ("off15 | bar1 6:14", 3),
        ("off15 | bar1 6:13 off1", 1),
    ];
    for (players, points) in cases {
        let t = Table::at(gammon.clone(), &format!("{over}{points}"), players);
        assert_eq!(t.game.returns(&t.state).as_slice(), [points as f64, -points as f64], "{players}");
        let t = Table::at(Rules::default(), &format!("{over}1"), players);
        assert_eq!(t.game.returns(&t.state).as_slice(), [1.0, -1.0], "{players}");
    }
}
