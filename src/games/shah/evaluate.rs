//! How good a position of Shah looks: stones, mills, mills to come, and room to move.

use super::board::{across, full, in_lines, in_mills, neighbours};
use super::greedy::{Reach, threats};
use super::{Shah, State};
use crate::rules::{Evaluate, PerPlayer, Player};

/// A stone more than the enemy, on the board or in the hand: stones decide the game.
const STONE: i32 = 100;
/// A line of three own stones: it can open and close again.
const MILL: i32 = 25;
/// A line that one move would fill.
const THREAT: i32 = 15;
/// More where a stone of a mill would fill it, and come back to its mill with the next move.
const RUNNING: i32 = 20;
/// A point to which some stone can move.
const ROOM: i32 = 4;
/// To be on move.
const TURN: i32 = 8;
/// The lead that is worth half a win, for each stone that the two sides have.
const HALF: i32 = 20;

impl Shah {
    /// What the stones of a seat are worth but for their number.
    #[cfg_attr(fast, inline(always))]
    fn formation(&self, s: &State, seat: usize, empty: u32) -> i32 {
        let stones = s.stones[seat];
        let mills = full(in_lines(stones));
        let reach = self.reach(s, seat);
        let threats = threats(stones, empty, reach);
        let mut worth = MILL * mills.count_ones() as i32
            + THREAT * threats.count_ones() as i32
            + ROOM * (neighbours(stones) & empty).count_ones() as i32;
        if mills != 0 && threats != 0 && matches!(reach, Reach::Neighbours) {
            worth += RUNNING * (threats & across(in_mills(stones))).count_ones() as i32;
        }
        worth
    }
}

impl Evaluate for Shah {
    #[cfg_attr(fast, inline(always))]
    fn evaluate(&self, s: &State) -> PerPlayer<f64> {
        let empty = s.empty();
        let [own, enemy] =
            [0, 1].map(|seat: usize| s.stones[seat].count_ones() as i32 + i32::from(s.hand[seat]));
        let turn = if s.player == Player(0) { TURN } else { -TURN };
        let lead = STONE * (own - enemy) + self.formation(s, 0, empty) - self.formation(s, 1, empty) + turn;
        // The same lead counts for more as fewer stones are left.
        let value = f64::from(lead) / f64::from(lead.abs() + HALF * (own + enemy));
        let mut values = PerPlayer::new(2, value);
        values[Player(1)] = -value;
        values
    }
}
