//! What a player sees of a position of Gamename, as numbers relative to that player.

use super::Gamename;
use super::board::TRACK;
use super::state::{Phase, State};
use crate::rules::{Encode, ObservationPart, Player, observation};

/// The number of turns left is capped at this.
const TURNS_LEFT_CAP: u16 = 127;

observation! {
    /// 1 where the viewer has a piece, squares 1, 2, ... 12
    own: [0..=1; TRACK],
    /// 1 where the enemy has a piece
    enemy: [0..=1; TRACK],
    /// pieces in hand, the viewer's and the enemy's
    hand: [0..=6; 2],
    /// pieces borne off, the viewer's and the enemy's
    off: [0..=6; 2],
    /// the number thrown; 0 outside phase move
    throw: [0..=4; 1],
    /// 1 for whose turn it is, the viewer's or the enemy's; both 0 when the game is over
    to_act: [0..=1; 2],
    /// 1 for the current phase: roll, move, over
    phase: [0..=1; 3],
    /// turns until the game is a draw, at most 127
    turns_left: [0..=127; 1],
}

impl Encode for Gamename {
    const OBSERVATION: &'static [ObservationPart] = PARTS;

    #[cfg_attr(fast, inline(always))]
    fn observe(&self, s: &State, viewer: Player, out: &mut [i8]) {
        let out: &mut [i8; LEN] = out.try_into().expect("an observation of Gamename has LEN cells");
        out.fill(0);
        for (at, seat) in [viewer.index() & 1, viewer.index() & 1 ^ 1].into_iter().enumerate() {
            let cells = [AT.own, AT.enemy][at];
            for square in 0..TRACK {
                out[cells + square] = (s.on[seat] >> (square + 1) & 1) as i8;
            }
            out[AT.hand + at] = self.hand(s, Player(seat as u8)) as i8;
            out[AT.off + at] = s.off[seat] as i8;
            out[AT.to_act + at] = (s.phase != Phase::Over && s.player.index() == seat) as i8;
        }
        out[AT.throw] = s.throw as i8;
        out[AT.phase + s.phase as usize] = 1;
        out[AT.turns_left] = (self.rules.max_turns - s.turn).min(TURNS_LEFT_CAP) as i8;
    }
}
