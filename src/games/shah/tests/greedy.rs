//! What the greedy agent takes.

use super::*;
use crate::agents::greedy;

impl Table {
    fn greedy(&self) -> String {
        self.game
            .action_name(&self.state, greedy(&self.game, &self.state, self.game.legal_actions(&self.state)))
    }
}

#[test]
fn greedy_makes_mills_and_else_hinders_them() {
    let mut t = Table::start(Rules::default());
    t.plays("a7 b6 d7 d6");
    assert_eq!(t.greedy(), "g7");
    let mut t = Table::start(Rules { placement_captures: true, ..plain(9) });
    t.plays("a7 b6 d7");
    assert_eq!(t.greedy(), "g7");
    // An own mill comes before hindering the enemy's.
    t.plays("d6 g1");
    assert_eq!(t.greedy(), "f6");
}

#[test]
fn greedy_takes_the_win() {
    // g4-g7 makes a mill that captures; a4-b4 blocks nobody.
    let t = Table::moving(Rules::default(), &[0, 1, 9, 14], &[3, 4, 20, 22], 0);
    assert_eq!(t.greedy(), "g4-g7");
    // Where the blocked lose, f4-g4 wins at once.
    let rules = Rules { blocked: Blocked::Loses, ..Rules::default() };
    let t = Table::moving(rules, &[1, 9, 13, 22], &[0, 2, 21, 23], 0);
    assert_eq!(t.greedy(), "f4-g4");
}

#[test]
fn greedy_prefers_the_mill_that_wins_to_one_that_does_not() {
    // Two mills are on offer; of three enemies either wins, of four neither does.
    let t = Table::moving(Rules::default(), &[0, 1, 14, 20], &[3, 4, 23], 0);
    assert_eq!(t.greedy(), "g4-g7");
}

#[test]
fn greedy_removes_what_threatens() {
    // Seat 1 threatens b6-d6-f6 by f4-f6; a stone of the three is taken rather than the one on a1.
    let mut t = Table::moving(Rules::default(), &[0, 1, 14, 16], &[3, 4, 13, 21], 0);
    t.plays("g4-g7");
    let taken = t.greedy();
    assert!(["xb6", "xd6", "xf4"].contains(&&*taken), "{taken}");
}

#[test]
fn greedy_lifts_the_stone_that_lands_in_a_mill() {
    let rules = Rules { flying: true, ..Rules::default() };
    let mut t = Table::moving(rules, &[0, 1, 15], &[3, 4, 13, 21], 0);
    assert_eq!(t.greedy(), "fly c3");
    t.plays("fly:c3");
    assert_eq!(t.greedy(), "g7");
}

#[test]
fn greedy_gains_nothing_from_mills_of_extra_moves() {
    let t = Table::extra(Rules::default(), &[1, 3, 9, 14, 18, 22], &[0, 2, 21], 0);
    let scores: Vec<i32> =
        t.actions().iter().map(|&a| crate::rules::game::Heuristic::score(&t.game, &t.state, a)).collect();
    assert!(scores.iter().all(|score| score.abs() < 10_000), "{scores:?}");
}
