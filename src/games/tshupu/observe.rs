//! How a position of T'shu-p'u looks to a player, as numbers.
//!
//! Seats are relative to the viewer: seat `k` is the one `k` places after the viewer's in turn order, so 0 is the viewer,
//! 2 the partner, 1 and 3 are the enemies. The board looks alike from every seat: the square with progress `p` of seat
//! `k` is that with progress `p - 7k` of the viewer's, plus 28 where that is below 1.

use super::TshuPu;
use super::board::{FACES, MAX_PIECES, OFF, mode};
use super::state::{Phase, State};
use crate::rules::game::ObservationPart;
use crate::rules::player::{MAX_PLAYERS, Player};

/// Cells of one seat's course: a progress each, 0 to 33.
const COURSE: usize = OFF as usize + 1;
/// Turns left are told apart up to this number.
const TURNS_LEFT_CAP: u16 = 127;

const PIECES: usize = 0;
const TO_ACT: usize = PIECES + COURSE * MAX_PLAYERS;
const PHASE: usize = TO_ACT + MAX_PLAYERS;
const DICE: usize = PHASE + 5;
const MOVED: usize = DICE + FACES.len();
const TURNS_LEFT: usize = MOVED + 1;

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
        "pieces",
        PIECES,
        TO_ACT,
        MAX_PIECES as i8,
        "34 cells a seat in turn order, the viewer's first: how many of its pieces have progress 0, 1, ... 33",
    ),
    part(
        "to_act",
        TO_ACT,
        PHASE,
        1,
        "1 for the seat whose turn it is, counted from the viewer's; all 0 in phases first and over",
    ),
    part("phase", PHASE, DICE, 1, "1 for the phase, of first, roll, move, second, over"),
    part("dice", DICE, MOVED, 2, "how many dice still to play show 1, 3, 4, 6"),
    part(
        "moved",
        MOVED,
        TURNS_LEFT,
        OFF as i8,
        "where the first piece stands while the second die is due, 33 when off; else 0",
    ),
    part(
        "turns_left",
        TURNS_LEFT,
        LEN,
        TURNS_LEFT_CAP as i8,
        "turns until the game is a draw, 127 for that many and more",
    ),
];

impl TshuPu {
    #[inline(always)]
    pub(super) fn write_observation(&self, s: &State, viewer: Player, out: &mut [i8]) {
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
