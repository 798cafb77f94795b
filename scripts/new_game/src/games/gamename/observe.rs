//! What a player sees of a position of Gamename, as numbers relative to that player.

use super::Gamename;
use super::board::TRACK;
use super::state::{Phase, State};
use crate::rules::game::Encode;
use crate::rules::observation::{ObservationPart, cells, layout};
use crate::rules::player::Player;

/// The number of turns left is capped at this.
const TURNS_LEFT_CAP: u16 = 127;

/// The parts, in order.
const PARTS: [ObservationPart; 8] = layout([
    ("own", TRACK, 1, "1 where the viewer has a piece, squares 1, 2, ... 12"),
    ("enemy", TRACK, 1, "1 where the enemy has a piece"),
    ("hand", 2, 6, "pieces in hand, the viewer's and the enemy's"),
    ("off", 2, 6, "pieces borne off, the viewer's and the enemy's"),
    ("throw", 1, 4, "the number thrown; 0 outside phase move"),
    ("to_act", 2, 1, "1 for whose turn it is, the viewer's or the enemy's; both 0 when the game is over"),
    ("phase", 3, 1, "1 for the current phase: roll, move, over"),
    ("turns_left", 1, 127, "turns until the game is a draw, at most 127"),
]);

/// The number of cells.
const LEN: usize = cells(&PARTS);

const OWN: usize = PARTS[0].start;
const ENEMY: usize = PARTS[1].start;
const IN_HAND: usize = PARTS[2].start;
const BORNE_OFF: usize = PARTS[3].start;
const THROW: usize = PARTS[4].start;
const TO_ACT: usize = PARTS[5].start;
const PHASE: usize = PARTS[6].start;
const TURNS_LEFT: usize = PARTS[7].start;

impl Encode for Gamename {
    const OBSERVATION_LEN: usize = LEN;
    const OBSERVATION: &'static [ObservationPart] = &PARTS;

    #[cfg_attr(fast, inline(always))]
    fn observe(&self, s: &State, viewer: Player, out: &mut [i8]) {
        let out: &mut [i8; LEN] = out.try_into().expect("an observation of Gamename has LEN cells");
        out.fill(0);
        for (at, seat) in [viewer.index() & 1, viewer.index() & 1 ^ 1].into_iter().enumerate() {
            let cells = [OWN, ENEMY][at];
            for square in 0..TRACK {
                out[cells + square] = (s.on[seat] >> (square + 1) & 1) as i8;
            }
            out[IN_HAND + at] = self.hand(s, Player(seat as u8)) as i8;
            out[BORNE_OFF + at] = s.off[seat] as i8;
            out[TO_ACT + at] = (s.phase != Phase::Over && s.player.index() == seat) as i8;
        }
        out[THROW] = s.throw as i8;
        out[PHASE + s.phase as usize] = 1;
        out[TURNS_LEFT] = (self.rules.max_turns - s.turn).min(TURNS_LEFT_CAP) as i8;
    }
}
