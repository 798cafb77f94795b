//! The track as numbers: squares 1 to [`TRACK`], which both players walk upwards.

/// How many squares the track has.
pub(super) const TRACK: usize = 12;

/// Where a piece in hand stands: before the first square.
pub(super) const HAND: usize = 0;

/// Where a piece goes that is borne off: behind the last square.
pub(super) const OFF: usize = TRACK + 1;

/// The bits of the squares.
pub(super) const SQUARES: u32 = (1 << OFF) - (1 << 1);
