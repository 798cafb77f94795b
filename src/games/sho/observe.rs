//! How a position of Sho looks to a player, as numbers.
//!
//! Sides and seats are relative to the viewer: side 0 is the viewer's own, and with single players side `k` is that of
//! the seat `k` places after the viewer's in the order of play. A side that does not exist has zeros.

use super::{Phase, Sho, State};
use crate::rules::{Encode, MAX_PLAYERS, ObservationPart, Player, keep, observation};

/// Cells of one side's track: the hand, then the positions.
const TRACK_CELLS: usize = 64;
/// Turns left are told apart up to this number.
const TURNS_LEFT_CAP: u16 = 127;

observation! {
    /// 64 cells for each side, the viewer's first: coins in hand, then the size of the side's stack on 1, 2, ... 63
    track: [0..=9; TRACK_CELLS * MAX_PLAYERS],
    /// coins off, one cell for each side
    off: [0..=9; MAX_PLAYERS],
    /// 1 for each side that was killed so that all its coins are in hand
    cleared: [0..=1; MAX_PLAYERS],
    /// 1 for the seat whose turn it is, counted from the viewer's; all 0 in phases first and over
    to_act: [0..=1; MAX_PLAYERS],
    /// 1 for the current phase: first, roll, reroll, value, source, overflow, over
    phase: [0..=1; 7],
    /// the values of the pool, ascending, then zeros
    pool: [0..=25; 8],
    /// the distance of the next move; in overflow the counts left over; 0 if none is chosen
    value: [0..=64; 1],
    /// where the first stack of a split is, 64 if it is off; 0 if there is no split
    moved: [0..=64; 1],
    /// 1 if R12 applies, the latest throw was 6-3 and no move has followed
    six_three_roll: [0..=1; 1],
    /// turns until the game is a draw, 127 for 127 or more
    turns_left: [0..=127; 1],
}

impl Encode for Sho {
    const OBSERVATION: &'static [ObservationPart] = PARTS;

    /// Seen from the other team there are two sides, seen from a single player as many as players.
    #[cfg_attr(fast, inline(always))]
    fn observe(&self, s: &State, viewer: Player, out: &mut [i8]) {
        let out: &mut [i8; LEN] = out.try_into().expect("an observation of Sho has LEN cells");
        out.fill(0);
        let own = self.side_index(viewer);
        for side in 0..self.num_sides {
            let seen = side + if side < own { self.num_sides } else { 0 } - own;
            let plane = AT.track + TRACK_CELLS * seen;
            let sizes = keep(&s.size, s.track[side]);
            for (cell, size) in out[plane..plane + TRACK_CELLS].iter_mut().zip(sizes) {
                *cell = size as i8;
            }
            out[plane] = s.hand[side] as i8;
            out[AT.off + seen] = s.off[side] as i8;
            out[AT.cleared + seen] = (s.cleared >> side & 1) as i8;
        }
        if !matches!(s.phase, Phase::First | Phase::Over) {
            let players = self.rules.players as usize;
            let after = s.player.index() + players - viewer.index();
            out[AT.to_act + if after >= players { after - players } else { after }] = 1;
        }
        out[AT.phase + s.phase as usize] = 1;
        for (cell, &value) in out[AT.pool..AT.value].iter_mut().zip(s.pool.as_slice()) {
            *cell = value as i8;
        }
        out[AT.value] = s.value as i8;
        out[AT.moved] = s.moved as i8;
        out[AT.six_three_roll] = s.six_three_roll as i8;
        out[AT.turns_left] = (self.rules.max_turns - s.turn).min(TURNS_LEFT_CAP) as i8;
    }
}
