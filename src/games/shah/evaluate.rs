//! How good a position of Shah looks: stones, mills, mills to come, and room to move.

use super::Shah;
use super::board::{LINES, neighbours};
use super::greedy::threats;
use super::state::State;
use crate::rules::game::Evaluate;
use crate::rules::player::{PerPlayer, Player};

/// A stone more than the enemy, on the board or in the hand: stones decide the game.
const STONE: f64 = 100.0;
/// A line of three own stones: it can open and close again.
const MILL: f64 = 25.0;
/// A line that one move would fill.
const THREAT: f64 = 15.0;
/// A point to which some stone can move.
const ROOM: f64 = 4.0;
/// To be on move.
const TURN: f64 = 8.0;
/// The lead that is worth half a win.
const HALF: f64 = 300.0;

impl Evaluate for Shah {
    fn evaluate(&self, s: &State) -> PerPlayer<f64> {
        let empty = s.empty();
        let side = |seat: usize| {
            let stones = s.stones[seat];
            let mills = LINES.iter().filter(|&&line| stones & line == line).count() as f64;
            let room = (neighbours(stones) & empty).count_ones();
            STONE * f64::from(stones.count_ones() + u32::from(s.hand[seat]))
                + MILL * mills
                + THREAT * f64::from(threats(stones, empty, self.reach(s, seat)))
                + ROOM * f64::from(room)
        };
        let turn = if s.player == Player(0) { TURN } else { -TURN };
        let lead = side(0) - side(1) + turn;
        let value = lead / (lead.abs() + HALF);
        let mut values = PerPlayer::new(2, value);
        values[Player(1)] = -value;
        values
    }
}
