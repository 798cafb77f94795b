//! How a position of Sho looks to a player, as numbers.
//!
//! Sides and seats are relative to the viewer: side 0 is the viewer's own, and with single players side `k` is that of
//! the seat `k` places after the viewer's in the order of play. A side that does not exist has zeros.

use super::Sho;
use super::board::bits;
use super::state::{Phase, State};
use crate::rules::game::ObservationPart;
use crate::rules::player::{MAX_PLAYERS, Player};

/// Cells of one side's track: the hand, then the positions.
const TRACK_CELLS: usize = 64;
/// Turns left are told apart up to this number.
const TURNS_LEFT_CAP: u16 = 127;

const TRACK: usize = 0;
const OFF: usize = TRACK + TRACK_CELLS * MAX_PLAYERS;
const CLEARED: usize = OFF + MAX_PLAYERS;
const TO_ACT: usize = CLEARED + MAX_PLAYERS;
const PHASE: usize = TO_ACT + MAX_PLAYERS;
const POOL: usize = PHASE + 7;
const VALUE: usize = POOL + 8;
const MOVED: usize = VALUE + 1;
const SIX_THREE: usize = MOVED + 1;
const TURNS_LEFT: usize = SIX_THREE + 1;

/// The number of cells.
pub(super) const LEN: usize = TURNS_LEFT + 1;

const fn part(
    name: &'static str,
    start: usize,
    end: usize,
    high: i8,
    meaning: &'static str,
) -> ObservationPart {
    ObservationPart { name, start, len: end - start, low: 0, high, meaning }
}

/// The parts, in order.
pub(super) const PARTS: &[ObservationPart] = &[
    part(
        "track",
        TRACK,
        OFF,
        9,
        "64 cells a side, own side first: coins in hand, then the size of the side's stack on 1, 2, ... 63",
    ),
    part("off", OFF, CLEARED, 9, "coins off, one cell a side"),
    part(
        "cleared",
        CLEARED,
        TO_ACT,
        1,
        "1 for a side killed so that all its coins are in hand, one cell a side",
    ),
    part(
        "to_act",
        TO_ACT,
        PHASE,
        1,
        "1 for the seat whose turn it is, counted from the viewer's; all 0 in phases first and over",
    ),
    part("phase", PHASE, POOL, 1, "1 for the phase, of first, roll, reroll, value, source, overflow, over"),
    part("pool", POOL, VALUE, 25, "the values of the pool, ascending, then zeros"),
    part(
        "value",
        VALUE,
        MOVED,
        64,
        "the distance of the next move; in overflow the counts left; 0 where none is chosen",
    ),
    part(
        "moved",
        MOVED,
        SIX_THREE,
        64,
        "where the first stack of a split stands, 64 when off; 0 where no split is under way",
    ),
    part(
        "six_three_roll",
        SIX_THREE,
        TURNS_LEFT,
        1,
        "1 when R12 is on, the latest throw was 6-3, and no move has followed",
    ),
    part("turns_left", TURNS_LEFT, LEN, 127, "turns until the game is a draw, 127 for that many and more"),
];

impl Sho {
    /// Seen from the other team there are two sides, seen from a single player as many as players.
    #[inline(always)]
    pub(super) fn write_observation(&self, s: &State, viewer: Player, out: &mut [i8]) {
        let out: &mut [i8; LEN] = out.try_into().expect("an observation of Sho has LEN cells");
        out.fill(0);
        let own = self.side_index(viewer);
        for side in 0..self.num_sides {
            let seen = side + if side < own { self.num_sides } else { 0 } - own;
            let plane = TRACK + TRACK_CELLS * seen;
            out[plane] = s.hand[side] as i8;
            for position in bits(s.track[side]) {
                out[plane + position as usize] = s.size[position as usize] as i8;
            }
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
