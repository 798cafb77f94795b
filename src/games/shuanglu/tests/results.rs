//! What is counted, and what the greedy agent takes.

use super::*;
use crate::agents::greedy;
use crate::games::shuanglu::{FORCED_PASSES, GAMMONS, HITS};

#[test]
fn hits_are_counted_for_who_hits() {
    let mut t = thrown(Rules::default(), "13:15 | 14:1 17:1 6:13", 5, 2);
    t.play("13/11*").play("13/8*");
    assert_eq!(t.counts.0[HITS], [2, 0, 0, 0]);
    t.roll(6, 4).play("bar/21").play("bar/19");
    assert_eq!(t.counts.0[HITS], [2, 0, 0, 0]);
    let names: Vec<&str> = Shuanglu::STATISTICS.iter().map(|statistic| statistic.name).collect();
    assert_eq!([names[HITS], names[FORCED_PASSES], names[GAMMONS]], ["hits", "forced_passes", "gammons"]);
    assert_eq!(names.len(), 3);
}

#[test]
fn a_forced_pass_is_a_turn_without_a_step() {
    let head = ROLL.replace("player=0", "player=1");
    let mut t = Table::at(Rules::default(), &head, "6:8 5:7 | bar1 1:14");
    t.roll(6, 5);
    assert_eq!(t.counts.0[FORCED_PASSES], [0, 1, 0, 0]);
    // A die lost after a step is none.
    let mut t = thrown(Rules::default(), "bar2 14:13 | 6:8 12:7", 6, 5);
    t.play("bar/20").turn_is_over();
    assert_eq!(t.counts.0[FORCED_PASSES], [0; 4]);
    // Nor are moves of a double that are lost.
    let mut t = thrown(four(), "bar2 14:13 | 17:8 12:7", 6, 6);
    t.play("bar/19").play("bar/19").turn_is_over();
    assert_eq!(t.counts.0[FORCED_PASSES], [0; 4]);
}

#[test]
fn gammons_are_counted_whatever_the_scoring() {
    for scoring in [Scoring::Single, Scoring::Gammon] {
        for (loser, gammon) in [("6:15", 1), ("bar1 6:14", 1), ("6:14 off1", 0)] {
            let mut t = thrown(Rules { scoring, ..Rules::default() }, &format!("5:1 off14 | {loser}"), 5, 2);
            t.play("5/off");
            assert_eq!(t.counts.0[GAMMONS], [gammon, 0, 0, 0], "{scoring:?} {loser}");
        }
    }
}

/// What the greedy agent steps after this throw.
fn after(rules: Rules, players: &str, dice: (u8, u8)) -> String {
    let t = thrown(rules, players, dice.0, dice.1);
    t.name(greedy(&t.game, &t.state, t.game.legal_actions(&t.state)))
}

#[test]
fn greedy_bears_off_and_wins() {
    assert_eq!(after(Rules::default(), "6:2 5:2 4:1 off10 | 6:15", (5, 1)), "5/off");
    assert_eq!(after(overshoot(), "2:1 off14 | 6:15", (6, 1)), "2/1");
    assert_eq!(after(Rules::default(), "1:2 2:1 off12 | 6:15", (2, 1)), "2/off");
}

#[test]
fn greedy_hits_what_has_come_farthest() {
    assert_eq!(after(Rules::default(), "13:2 8:2 6:11 | 14:1 6:14", (2, 1)), "13/11*");
    // Both can be hit; the piece on 20 has come farther than that on 14.
    assert_eq!(after(Rules::default(), "13:2 8:2 6:11 | 20:1 14:1 6:13", (2, 1)), "6/5*");
}

#[test]
fn greedy_bears_off_before_it_hits_and_hits_before_all_else() {
    assert_eq!(after(Rules::default(), "6:7 5:6 off2 | 24:1 6:14", (6, 5)), "6/off");
    assert_eq!(after(Rules::default(), "6:7 5:6 off2 | 24:1 6:14", (4, 4)), "5/1*");
    // Though it breaks a point at home, and the other die would make one.
    assert_eq!(after(Rules::default(), "8:3 6:2 5:9 3:1 | 23:1 6:14", (4, 5)), "6/2*");
}

#[test]
fn greedy_makes_points_and_leaves_no_piece_alone() {
    assert_eq!(after(Rules::default(), "13:3 8:3 7:1 6:8 | 24:2 6:13", (6, 5)), "13/7");
    assert_eq!(after(Rules::default(), "13:3 8:2 6:10 | 24:2 6:13", (5, 4)), "13/8");
}

#[test]
fn greedy_moves_the_rearmost_where_nothing_else_tells() {
    // The enemy has passed: no piece is ever hit, and no point is made. By either die, so the smallest id.
    assert_eq!(after(Rules::default(), "18:1 11:1 6:13 | 2:15", (3, 2)), "18/16");
}
