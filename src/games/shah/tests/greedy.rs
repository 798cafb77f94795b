//! What the greedy agent takes.

use proptest::prelude::*;

use super::super::board::{in_mills, lines_through, mills_at, neighbours};
use super::super::greedy::threats;
use super::super::moves::Move;
use super::walks::any_rules;
use super::*;
use crate::agents::greedy;
use crate::rules::bits;

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
        t.actions().iter().map(|&a| crate::rules::Heuristic::score(&t.game, &t.state, a)).collect();
    assert!(scores.iter().all(|score| score.abs() < 10_000), "{scores:?}");
}

/// What a move is worth, by playing it out and looking at the stones as they then stand.
fn worth(game: &Shah, s: &State, action: Action) -> i32 {
    let (me, enemy) = (s.player.index(), 1 - s.player.index());
    let standing = |after: &State| {
        let empty = after.empty();
        let of = |seat: usize| {
            let stones = after.stones[seat];
            let threats = threats(stones, empty, game.reach(after, seat));
            (threats.count_ones() as i32, (neighbours(stones) & empty).count_ones() as i32)
        };
        let (own, enemies) = (of(me), of(enemy));
        100 * own.0 - 500 * enemies.0 + own.1 - enemies.1
    };
    let arrival = |after: &State, to: usize| {
        let moving = s.phase != Phase::Place;
        let early = game.rules().placement_captures || s.beginner().is_none();
        let pays = if moving { !s.extra } else { early };
        let mut worth = standing(after);
        if pays && mills_at(after.stones[me], to) != 0 {
            let wins = moving && s.stones[enemy].count_ones() == 3;
            worth += if wins { 1_010_000 } else { 10_000 };
        }
        let blocked = !game.can_move(s.stones[enemy], after.empty());
        worth + if moving && game.rules().blocked == Blocked::Loses && blocked { 1_000_000 } else { 0 }
    };
    let mut after = *s;
    match Move::from_action(action).expect("an action of the game") {
        Move::Place(to) => {
            after.stones[me] |= 1 << to;
            after.hand[me] = s.hand[me].saturating_sub(1);
            arrival(&after, to as usize)
        }
        Move::Slide(from, to) => {
            after.stones[me] ^= 1 << from | 1 << to;
            arrival(&after, to as usize)
        }
        Move::Fly(from) => {
            let landing = |to: usize| {
                let mut after = *s;
                after.stones[me] ^= 1 << from | 1 << to;
                arrival(&after, to)
            };
            bits(s.empty().into()).map(landing).max().expect("a stone is lifted only to land")
        }
        Move::Remove(point) => {
            after.stones[enemy] &= !(1 << point);
            let beside =
                lines_through(point.into()).into_iter().filter(|rest| after.stones[enemy] & rest != 0);
            let of_mill = (in_mills(s.stones[enemy]) >> point & 1) as i32;
            standing(&after) + 100 * of_mill + beside.count() as i32
        }
    }
}

proptest! {
    #[test]
    fn greedy_weighs_all_moves_together_as_one_by_one(rules in any_rules(), seed in any::<u64>()) {
        testing::weighs_moves(rules, seed, worth);
    }
}
