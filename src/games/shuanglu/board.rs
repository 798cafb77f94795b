//! The track as numbers: every player counts the points from his own end.

/// Pieces a player has (R1).
pub(super) const PIECES: u8 = 15;

/// The index of the pieces borne off, next to the points 1 to 24.
pub(super) const OFF: usize = 0;

/// The index of the pieces on the bar: one pip behind the farthest point.
pub(super) const BAR: usize = 25;

/// The enemy's number of the same point.
#[cfg_attr(fast, inline(always))]
pub(super) const fn mirrored(index: usize) -> usize {
    BAR - index
}

/// The bits of the points 1 to 24.
pub(super) const POINTS: u32 = 0x1ff_fffe;

/// The points from which pieces are borne off are those below this one (R6).
pub(super) const OUTSIDE_FROM: usize = 7;

/// Whether at most one bit is set.
#[cfg_attr(fast, inline(always))]
pub(super) const fn at_most_one(word: u32) -> bool {
    word & word.wrapping_sub(1) == 0
}
