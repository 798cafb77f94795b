//! How a position looks to a player, as numbers.
//!
//! Everything is relative to the viewer: plane 0 and seat 0 are the viewer's own. Sets of points become cells by a
//! table, eight at a time.

use super::Shah;
use super::board::POINTS;
use super::state::{NO_POINT, Phase, State};
use crate::rules::game::ObservationPart;
use crate::rules::player::Player;

/// Turns and moves left are told apart up to this number.
const LEFT_CAP: u32 = 127;

const OWN: usize = 0;
const ENEMY: usize = OWN + POINTS;
const EMPTY: usize = ENEMY + POINTS;
const LIFTED: usize = EMPTY + POINTS;
const TO_ACT: usize = LIFTED + POINTS;
const PHASE: usize = TO_ACT + 2;
const HAND: usize = PHASE + 6;
const BEGINNER: usize = HAND + 2;
const PLACING: usize = BEGINNER + 2;
const OPENING_REMOVALS: usize = PLACING + 1;
const EXTRA: usize = OPENING_REMOVALS + 1;
const MOVES_LEFT: usize = EXTRA + 1;
const TURNS_LEFT: usize = MOVES_LEFT + 1;

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
    part("own", OWN, ENEMY, 1, "1 where a stone of the viewer stands, one cell a point"),
    part("enemy", ENEMY, EMPTY, 1, "1 where a stone of the opponent stands"),
    part("empty", EMPTY, LIFTED, 1, "1 where no stone stands"),
    part("lifted", LIFTED, TO_ACT, 1, "1 on the point from which a stone was lifted to fly"),
    part("to_act", TO_ACT, PHASE, 1, "1 for who acts, the viewer first; both 0 in phases first and over"),
    part("phase", PHASE, HAND, 1, "1 for the phase, of first, place, remove, slide, land, over"),
    part("hand", HAND, BEGINNER, 12, "stones in hand, the viewer's first"),
    part(
        "beginner",
        BEGINNER,
        PLACING,
        1,
        "1 for who begins the moving phase, the viewer first; both 0 while open",
    ),
    part("placing", PLACING, OPENING_REMOVALS, 1, "1 until the last placement is complete, with its capture"),
    part("opening_removals", OPENING_REMOVALS, EXTRA, 2, "opening removals still to be made"),
    part("extra", EXTRA, MOVES_LEFT, 1, "1 when the move due is an extra one"),
    part(
        "moves_left",
        MOVES_LEFT,
        TURNS_LEFT,
        127,
        "moves without a capture until the game is a draw, 127 for that many and more, and for no limit",
    ),
    part("turns_left", TURNS_LEFT, LEN, 127, "turns until the game is a draw, 127 for that many and more"),
];

/// The bits of a byte as cells, lowest first.
static CELLS: [[i8; 8]; 256] = {
    let mut cells = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            cells[byte][bit] = (byte >> bit & 1) as i8;
            bit += 1;
        }
        byte += 1;
    }
    cells
};

/// Writes a set of points as a plane.
#[inline(always)]
fn plane(out: &mut [i8; LEN], start: usize, set: u32) {
    for byte in 0..3 {
        let at = start + 8 * byte;
        out[at..at + 8].copy_from_slice(&CELLS[(set >> (8 * byte)) as u8 as usize]);
    }
}

impl Shah {
    #[inline(always)]
    pub(super) fn write_observation(&self, s: &State, viewer: Player, out: &mut [i8]) {
        let out: &mut [i8; LEN] = out.try_into().expect("an observation of Shah has LEN cells");
        let (me, enemy) = (viewer.index() & 1, 1 - (viewer.index() & 1));
        plane(out, OWN, s.stones[me]);
        plane(out, ENEMY, s.stones[enemy]);
        plane(out, EMPTY, s.empty());
        plane(out, LIFTED, if s.lifted == NO_POINT { 0 } else { 1 << s.lifted });
        // Two cells for who acts and six for the phase: a byte of bits.
        let acts = !matches!(s.phase, Phase::First | Phase::Over) as usize;
        let seat = (s.player.index() != me) as usize;
        let bits = acts << seat | 4 << s.phase as usize;
        out[TO_ACT..HAND].copy_from_slice(&CELLS[bits & 255]);
        out[HAND] = s.hand[me] as i8;
        out[HAND + 1] = s.hand[enemy] as i8;
        out[BEGINNER] = (s.beginner as usize == me) as i8;
        out[BEGINNER + 1] = (s.beginner as usize == enemy) as i8;
        let turns_placing = 2 * self.rules.pieces as u16;
        out[PLACING] = (s.turn < turns_placing) as i8;
        out[OPENING_REMOVALS] = s.opening_removals as i8;
        out[EXTRA] = s.extra as i8;
        let limit = self.rules.no_capture_limit as u32;
        let moves_left = if limit == 0 { LEFT_CAP } else { limit - s.no_capture };
        out[MOVES_LEFT] = moves_left.min(LEFT_CAP) as i8;
        out[TURNS_LEFT] = ((self.rules.max_turns - s.turn) as u32).min(LEFT_CAP) as i8;
    }
}
