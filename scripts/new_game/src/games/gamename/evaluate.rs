//! How good a position of Gamename is, judged by how far the pieces have come.

use super::board::OFF;
use super::state::State;
use super::{Gamename, PLAYERS};
use crate::rules::{Evaluate, PerPlayer, Player, bits};

impl Evaluate for Gamename {
    fn evaluate(&self, s: &State) -> PerPlayer<f64> {
        let come = |seat: usize| {
            let squares: usize = bits(u64::from(s.on[seat])).sum();
            (squares + OFF * s.off[seat] as usize) as f64
        };
        let lead = come(0) - come(1);
        let value = lead / (lead.abs() + 2.0 * OFF as f64);
        let mut values = PerPlayer::new(PLAYERS, value);
        values[Player(1)] = -value;
        values
    }
}
