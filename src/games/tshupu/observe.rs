//! How a position of T'shu-p'u looks to a player, as numbers.
//!
//! Seats are relative to the viewer: seat `k` is the one `k` places after the viewer's in turn order, so 0 is the viewer,
//! 2 the partner, 1 and 3 are the enemies. The board looks alike from every seat: the square with progress `p` of seat
//! `k` is that with progress `p - 7k` of the viewer's, plus 28 where that is below 1.

use super::TshuPu;
use super::board::{FACES, MAX_PIECES, OFF, mode};
use super::state::{Phase, State};
use crate::rules::game::Encode;
use crate::rules::observation::{ObservationPart, cells, layout};
use crate::rules::player::{MAX_PLAYERS, Player};

/// Cells of one seat's course: a progress each, 0 to 33.
const COURSE: usize = OFF as usize + 1;
/// Turns left are told apart up to this number.
const TURNS_LEFT_CAP: u16 = 127;

/// The parts, in order.
const PARTS: [ObservationPart; 6] = layout([
    (
        "pieces",
        COURSE * MAX_PLAYERS,
        MAX_PIECES as i8,
        "34 cells for each seat in turn order, the viewer's first: how many of its pieces have progress 0, 1, ... 33",
    ),
    (
        "to_act",
        MAX_PLAYERS,
        1,
        "1 for the seat whose turn it is, counted from the viewer's; all 0 in phases first and over",
    ),
    ("phase", 5, 1, "1 for the current phase: first, roll, move, second, over"),
    ("dice", FACES.len(), 2, "how many dice still to play show 1, 3, 4, 6"),
    (
        "moved",
        1,
        OFF as i8,
        "where the first piece is while the second die is still to be played, 33 if it is off; otherwise 0",
    ),
    ("turns_left", 1, TURNS_LEFT_CAP as i8, "turns until the game is a draw, 127 for 127 or more"),
]);

/// The number of cells.
const LEN: usize = cells(&PARTS);

const PIECES: usize = PARTS[0].start;
const TO_ACT: usize = PARTS[1].start;
const PHASE: usize = PARTS[2].start;
const DICE: usize = PARTS[3].start;
const MOVED: usize = PARTS[4].start;
const TURNS_LEFT: usize = PARTS[5].start;

impl Encode for TshuPu {
    const OBSERVATION_LEN: usize = LEN;
    const OBSERVATION: &'static [ObservationPart] = &PARTS;

    #[cfg_attr(fast, inline(always))]
    fn observe(&self, s: &State, viewer: Player, out: &mut [i8]) {
        let out: &mut [i8; LEN] = out.try_into().expect("an observation of T'shu-p'u has LEN cells");
        out.fill(0);
        let without_piece = (MAX_PIECES - self.rules.pieces as usize) as i8;
        for seen in 0..MAX_PLAYERS {
            let course = &mut out[PIECES + COURSE * seen..][..COURSE];
            for progress in s.pieces[(viewer.index() + seen) % MAX_PLAYERS].values() {
                course[progress.min(OFF) as usize] += 1;
            }
            course[OFF as usize] -= without_piece;
        }
        let due = !matches!(s.phase, Phase::First | Phase::Over);
        out[TO_ACT + (s.player.index() + MAX_PLAYERS - viewer.index()) % MAX_PLAYERS] = due as i8;
        out[PHASE + s.phase as usize] = 1;
        for face in s.dice {
            out[DICE + mode(face) as usize % FACES.len()] += (face != 0) as i8;
        }
        out[MOVED] = s.moved as i8;
        out[TURNS_LEFT] = (self.rules.max_turns - s.turn).min(TURNS_LEFT_CAP) as i8;
    }
}
