//! The spiral of shells as numbers.

/// The position that stands for a side's hand, where every coin starts.
pub(super) const HAND: u8 = 0;

/// Where a stack that has left the track stands, in the field `moved`.
pub(super) const OFF: u8 = 64;

/// How many values a pool holds at most (R9).
pub(super) const MAX_POOL: usize = 8;

/// The position to which R12 brings all coins, and the throw that does.
pub(super) const NINE: u8 = 9;
