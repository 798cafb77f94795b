//! How the greedy agent rates the moves of Gamename: it prefers to bear off, then to capture, then to move the piece nearest
//! the end.

use super::Gamename;
use super::board::OFF;
use super::moves::Move;
use super::state::State;
use crate::rules::{Action, Heuristic};

const BEAR_OFF: i32 = 1000;
const CAPTURE: i32 = 100;

impl Heuristic for Gamename {
    fn score(&self, s: &State, action: Action) -> i32 {
        let Some(step) = Move::from_action(action) else {
            return i32::MIN;
        };
        let target = step.target(s.throw);
        let captures = s.on[s.player.index() ^ 1] >> target & 1 != 0;
        let gain = if target == OFF { BEAR_OFF } else { CAPTURE * captures as i32 };
        gain + step.source as i32
    }
}
