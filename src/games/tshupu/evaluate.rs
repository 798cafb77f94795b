//! How good a position of T'shu-p'u looks: how far the teams' pieces have come, less what they may lose.

use super::board::{CENTRE, OFF};
use super::{State, TshuPu};
use crate::rules::{Evaluate, Game, MAX_PLAYERS, PerPlayer, Player, Side};

/// In squares, as are all that follow: a piece in the centre is safe and has only to bear off.
const CENTRED: f64 = 20.0;
/// A piece that is off.
const BORNE_OFF: f64 = 40.0;
/// How much of what a piece may lose counts: it may move on before it is hit, or be hit no more than another.
const DANGER: f64 = 0.25;
/// What a piece loses beside its squares: it waits to enter again.
const ENTRY: f64 = 3.0;
/// To throw next: half a throw.
const TURN: f64 = 3.5;
/// The lead that is worth half a win.
const HALF: f64 = 50.0;

/// The chance that two four-sided dice bring a piece so far, by one of them or by both, in sixteenths.
const THROW: [u8; 13] = [0, 7, 1, 7, 9, 2, 8, 4, 1, 2, 2, 0, 1];

impl TshuPu {
    /// The chance, roughly, that the enemies' next throws hit a piece here.
    fn danger(&self, s: &State, owner: usize, progress: u8) -> f64 {
        let mut sixteenths = 0;
        self.enemies_behind(s, owner, progress, |distances| {
            let chances = distances.map(|distance| THROW.get(distance as usize).copied().unwrap_or(0));
            sixteenths += u32::from(chances[0].max(chances[1]));
        });
        f64::from(sixteenths) / 16.0
    }
}

impl Evaluate for TshuPu {
    fn evaluate(&self, s: &State) -> PerPlayer<f64> {
        let mut lead = 0.0;
        for seat in 0..MAX_PLAYERS {
            let mut worth = 0.0;
            for progress in s.pieces[seat].values() {
                worth += f64::from(progress);
                worth += match progress {
                    OFF => BORNE_OFF,
                    CENTRE => CENTRED,
                    _ => -DANGER * self.danger(s, seat, progress).min(1.0) * (f64::from(progress) + ENTRY),
                };
            }
            let own = self.side(Player(seat as u8)) == Side(0);
            lead += if own { worth } else { -worth };
        }
        if let Some(player) = self.player_on_turn(s) {
            lead += if self.side(player) == Side(0) { TURN } else { -TURN };
        }
        let value = lead / (lead.abs() + HALF);
        let mut values = PerPlayer::new(MAX_PLAYERS, value);
        for seat in (0..MAX_PLAYERS as u8).map(Player) {
            if self.side(seat) != Side(0) {
                values[seat] = -value;
            }
        }
        values
    }
}
