//! The courses of the four seats as numbers, and the pieces of a seat as four bytes in one word.
//!
//! A piece's *progress* counts along its owner's course. The loop of 28 squares is shared, and each seat enters it seven
//! squares behind the seat before it in turn order; so a square has another number in each seat's course.

use crate::rules::const_for;
use std::fmt::{Debug, Formatter};

/// The progress of a piece in its owner's hand.
pub(super) const HAND: u8 = 0;
/// The progress of a piece on its owner's start square.
pub(super) const START: u8 = 1;
/// The same square again, at the end of the round.
pub(super) const START_AGAIN: u8 = 29;
/// The progress of a piece on the central square.
pub(super) const CENTRE: u8 = 32;
/// The progress of a piece that has been borne off.
pub(super) const OFF: u8 = 33;

/// Squares of the loop.
pub(super) const LOOP: usize = 28;
/// How far the start squares of neighbouring seats lie apart.
pub(super) const QUARTER: usize = 7;

/// How many pieces a word holds.
pub(super) const MAX_PIECES: usize = 4;

/// What the pieces of each seat are called by.
pub(super) const COLOURS: [&str; 4] = ["red", "yellow", "green", "black"];

/// Seats that come next and last in turn order, relative to one of them: its enemies.
pub(super) const ENEMIES: [usize; 2] = [1, 3];

/// The faces of a die, in the order of the action ids.
pub(super) const FACES: [u8; 4] = [1, 3, 4, 6];

/// The place of a face in [`FACES`].
#[cfg_attr(fast, inline(always))]
pub(super) const fn mode(face: u8) -> u32 {
    face as u32 >> 1
}

/// Bit `p` for each progress from 0 to [`CENTRE`].
pub(super) const UP_TO_CENTRE: u64 = (1 << (CENTRE + 1)) - 1;

/// For each enemy of [`ENEMIES`] and each progress of its piece (an index below 64, so that no bound is checked): the
/// square that it bars, as bits of one's own progress; none where it stands on no cross-cut.
pub(super) type Bars = [[u32; 64]; 2];

/// Cross-cuts on the sides of the arms.
pub(super) static BARS_SIDES: Bars = bars(false);
/// Cross-cuts on the sides and on the start squares.
pub(super) static BARS_SIDES_AND_ENDS: Bars = bars(true);

/// Whether the square at this distance from a start square along the loop is a cross-cut. The board looks alike from
/// all four seats.
pub(super) const fn is_crosscut(at: usize, ends: bool) -> bool {
    matches!(at % QUARTER, 2 | 5) || (ends && at.is_multiple_of(QUARTER))
}

/// Where one's own piece may be hit, as bits of progress: with cross-cuts on the sides of the arms.
pub(super) const OPEN_SIDES: u64 = open(false);
/// The same with cross-cuts on the start squares too.
pub(super) const OPEN_SIDES_AND_ENDS: u64 = open(true);

const fn open(ends: bool) -> u64 {
    let mut open = 0;
    const_for!(START as usize, START_AGAIN as usize + 1, |progress| {
        open |= (!is_crosscut(progress - 1, ends) as u64) << progress;
    });
    open
}

const fn bars(ends: bool) -> Bars {
    let mut bars = [[0; 64]; 2];
    const_for!(0, 2, |enemy| {
        const_for!(START as usize, START_AGAIN as usize + 1, |progress| {
            let at = seen_from(progress - 1, LOOP - QUARTER * ENEMIES[enemy]);
            if is_crosscut(at, ends) {
                // One's own start square is met twice.
                bars[enemy][progress] = 1 << (at + 1) | if at == 0 { 1 << START_AGAIN } else { 0 };
            }
        });
    });
    bars
}

const fn seen_from(at: usize, turned: usize) -> usize {
    (at + turned) % LOOP
}

/// How far one die or both can bring a piece, as bits.
const THROWS: u64 = 0b1_0111_1111_1110;

/// For each enemy of [`ENEMIES`] and each progress of its piece (an index below 64): a byte for each progress of one's own,
/// the first eight in the first word, with 16 where it stands on that square, and 1 where one die or both would bring it,
/// on its first way round or on its second. They can be added for all pieces there are.
pub(super) static ENEMY_NEAR: [[[u64; 4]; 64]; 2] = {
    let mut near = [[[0; 4]; 64]; 2];
    const_for!(START as usize, START_AGAIN as usize + 1, |progress| {
        const_for!(0, 2, |enemy| {
            let at = seen_from(progress - 1, QUARTER * ENEMIES[enemy]) + 1;
            const_for!(0, START_AGAIN as usize + 1, |from| {
                let far = START_AGAIN as usize - from;
                let starts = at == START as usize;
                let stands = at == from || starts && far == 0;
                let comes = at > from && THROWS >> (at - from) & 1 != 0 || starts && THROWS >> far & 1 != 0;
                let counts = if stands { 16 } else { 0 } + if comes { 1 } else { 0 };
                near[enemy][from][progress / 8] |= counts << (progress % 8 * 8);
            });
        });
    });
    near
};

/// A byte that no piece's progress equals.
const NOWHERE: u8 = 0x7f;

/// For each progress on which one's own piece lands (an index below 64): the progress that each enemy's pieces on that
/// square have, the first of [`ENEMIES`] in the lower four bytes, the other in the upper; and a second time, because a
/// start square has two.
pub(super) static MEETS: [[u64; 2]; 64] = {
    let mut meets = [[spread_pair(NOWHERE, NOWHERE); 2]; 64];
    const_for!(START as usize, START_AGAIN as usize + 1, |progress| {
        let mut at = [0; 2];
        let mut again = [NOWHERE; 2];
        const_for!(0, 2, |enemy| {
            at[enemy] = seen_from(progress - 1, QUARTER * ENEMIES[enemy]) as u8 + 1;
            if at[enemy] == START {
                again[enemy] = START_AGAIN;
            }
        });
        meets[progress] = [spread_pair(at[0], at[1]), spread_pair(again[0], again[1])];
    });
    meets
};

/// The numbers that a square of one's own course has in that of the enemy at this place of [`ENEMIES`]; no piece has the
/// numbers that stand for none.
pub(super) fn enemy_numbers(progress: u8, place: usize) -> [u8; 2] {
    MEETS[progress as usize & 63].map(|word| word.to_le_bytes()[4 * place])
}

const ONES: u32 = 0x0101_0101;

const fn spread_pair(low: u8, high: u8) -> u64 {
    (low as u32 * ONES) as u64 | ((high as u32 * ONES) as u64) << 32
}

/// The top bit of each byte that is the same in both words. No byte may be above 0x7f.
#[cfg_attr(fast, inline(always))]
pub(super) const fn equal_bytes(one: u64, other: u64) -> u64 {
    !((one ^ other) + 0x7f7f_7f7f_7f7f_7f7f) & 0x8080_8080_8080_8080
}

/// The pieces of a seat: the progress of each as a byte, ascending from the lowest byte. Where a seat has fewer than
/// four, the places that are left over count as off.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Pieces(u32);

impl Pieces {
    pub const ALL_OFF: Pieces = Pieces(OFF as u32 * ONES);

    /// So many pieces, all with the same progress.
    pub fn all_on(progress: u8, pieces: u8) -> Self {
        let mut values = [OFF; MAX_PIECES];
        values[..pieces as usize].fill(progress);
        Pieces::new(values)
    }

    /// The pieces with these values, ascending.
    #[cfg_attr(fast, inline(always))]
    pub const fn new(ascending: [u8; MAX_PIECES]) -> Self {
        Pieces(u32::from_le_bytes(ascending))
    }

    /// The progress of each piece, ascending, [`OFF`] in places without a piece.
    #[cfg_attr(fast, inline(always))]
    pub const fn values(self) -> [u8; MAX_PIECES] {
        self.0.to_le_bytes()
    }

    #[cfg_attr(fast, inline(always))]
    pub const fn word(self) -> u32 {
        self.0
    }

    /// Bit `p` where a piece has progress `p`, and bit `p` where two or more have.
    #[cfg_attr(fast, inline(always))]
    pub const fn occupied(self) -> (u64, u64) {
        let [a, b, c, d] = self.values();
        let (a, b, c, d) = (1 << (a & 63), 1 << (b & 63), 1 << (c & 63), 1 << (d & 63));
        // Equal values are neighbours.
        (a | b | c | d, (a & b) | (b & c) | (c & d))
    }

    /// The place of the first piece with a progress that some piece has.
    #[cfg_attr(fast, inline(always))]
    pub const fn find(self, progress: u8) -> usize {
        equal_bytes(self.0 as u64, (progress as u32 * ONES) as u64).trailing_zeros() as usize / 8
    }

    /// One piece goes from a progress that some piece has to a larger one.
    #[cfg_attr(fast, inline(always))]
    pub const fn advance(self, from: u8, to: u8) -> Self {
        let word = self.0;
        let found = equal_bytes(word as u64, (from as u32 * ONES) as u64) as u32;
        // The flag is the top bit of its byte: 24 keeps the number of the byte, as a shift.
        let below = (1u32 << (found.trailing_zeros() & 24)) - 1;
        let three = (word & below) | (word >> 8) & !below;
        // The flag of each byte that is not less than `to`, the fourth place for none.
        let above = ((three | 0x0080_8080) - to as u32 * 0x0001_0101) & 0x0080_8080 | 0x8000_0000;
        let shift = above.trailing_zeros() & 24;
        let below = (1u32 << shift) - 1;
        Pieces((three & below) | (to as u32) << shift | (three & !below) << 8)
    }

    /// The pieces that these flags mark, as [`equal_bytes`] gives them, go to the hand.
    #[cfg_attr(fast, inline(always))]
    pub const fn send_home(self, flags: u32) -> Self {
        let [a, b, c, d] = (self.0 & !((flags >> 7) * 0xff)).to_le_bytes();
        let ((a, b), (c, d)) = (in_order(a, b), in_order(c, d));
        let ((a, c), (b, d)) = (in_order(a, c), in_order(b, d));
        let (b, c) = in_order(b, c);
        Pieces::new([a, b, c, d])
    }
}

#[cfg_attr(fast, inline(always))]
const fn in_order(one: u8, other: u8) -> (u8, u8) {
    if one <= other { (one, other) } else { (other, one) }
}

impl Debug for Pieces {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        self.values().fmt(f)
    }
}
