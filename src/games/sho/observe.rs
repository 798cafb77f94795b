//! How a position of Sho looks to a player, as numbers.
//!
//! Sides and seats are relative to the viewer: side 0 is the viewer's own, and with single players side `k` is that of
//! the seat `k` places after the viewer's in the order of play. A side that does not exist has zeros.

use super::Sho;
use super::state::{Phase, State};
use crate::rules::bits::keep;
use crate::rules::game::Encode;
use crate::rules::observation::{ObservationPart, cells, layout};
use crate::rules::player::{MAX_PLAYERS, Player};

/// Cells of one side's track: the hand, then the positions.
const TRACK_CELLS: usize = 64;
/// Turns left are told apart up to this number.
const TURNS_LEFT_CAP: u16 = 127;

/// The parts, in order.
const PARTS: [ObservationPart; 10] = layout([
    (
        "track",
        TRACK_CELLS * MAX_PLAYERS,
        9,
        "64 cells for each side, the viewer's first: coins in hand, then the size of the side's stack on 1, 2, ... 63",
    ),
    ("off", MAX_PLAYERS, 9, "coins off, one cell for each side"),
    ("cleared", MAX_PLAYERS, 1, "1 for each side that was killed so that all its coins are in hand"),
    (
        "to_act",
        MAX_PLAYERS,
        1,
        "1 for the seat whose turn it is, counted from the viewer's; all 0 in phases first and over",
    ),
    ("phase", 7, 1, "1 for the current phase: first, roll, reroll, value, source, overflow, over"),
    ("pool", 8, 25, "the values of the pool, ascending, then zeros"),
    ("value", 1, 64, "the distance of the next move; in overflow the counts left over; 0 if none is chosen"),
    ("moved", 1, 64, "where the first stack of a split is, 64 if it is off; 0 if there is no split"),
    ("six_three_roll", 1, 1, "1 if R12 applies, the latest throw was 6-3 and no move has followed"),
    ("turns_left", 1, 127, "turns until the game is a draw, 127 for 127 or more"),
]);

/// The number of cells.
const LEN: usize = cells(&PARTS);

const TRACK: usize = PARTS[0].start;
const OFF: usize = PARTS[1].start;
const CLEARED: usize = PARTS[2].start;
const TO_ACT: usize = PARTS[3].start;
const PHASE: usize = PARTS[4].start;
const POOL: usize = PARTS[5].start;
const VALUE: usize = PARTS[6].start;
const MOVED: usize = PARTS[7].start;
const SIX_THREE: usize = PARTS[8].start;
const TURNS_LEFT: usize = PARTS[9].start;

impl Encode for Sho {
    const OBSERVATION_LEN: usize = LEN;
    const OBSERVATION: &'static [ObservationPart] = &PARTS;

    /// Seen from the other team there are two sides, seen from a single player as many as players.
    #[cfg_attr(fast, inline(always))]
    fn observe(&self, s: &State, viewer: Player, out: &mut [i8]) {
        let out: &mut [i8; LEN] = out.try_into().expect("an observation of Sho has LEN cells");
        out.fill(0);
        let own = self.side_index(viewer);
        for side in 0..self.num_sides {
            let seen = side + if side < own { self.num_sides } else { 0 } - own;
            let plane = TRACK + TRACK_CELLS * seen;
            let sizes = keep(&s.size, s.track[side]);
            for (cell, size) in out[plane..plane + TRACK_CELLS].iter_mut().zip(sizes) {
                *cell = size as i8;
            }
            out[plane] = s.hand[side] as i8;
            out[OFF + seen] = s.off[side] as i8;
            out[CLEARED + seen] = (s.cleared >> side & 1) as i8;
        }
        if !matches!(s.phase, Phase::First | Phase::Over) {
            let players = self.rules.players as usize;
            let after = s.player.index() + players - viewer.index();
            out[TO_ACT + if after >= players { after - players } else { after }] = 1;
        }
        out[PHASE + s.phase as usize] = 1;
        for (cell, &value) in out[POOL..VALUE].iter_mut().zip(s.pool.as_slice()) {
            *cell = value as i8;
        }
        out[VALUE] = s.value as i8;
        out[MOVED] = s.moved as i8;
        out[SIX_THREE] = s.six_three_roll as i8;
        out[TURNS_LEFT] = (self.rules.max_turns - s.turn).min(TURNS_LEFT_CAP) as i8;
    }
}
