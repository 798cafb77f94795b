//! The track as numbers: squares 1 to [`TRACK`], along which both players move upwards.

/// How many squares the track has.
pub(super) const TRACK: usize = 12;

/// The place of a piece in hand: before the first square.
pub(super) const HAND: usize = 0;

/// The place of a piece that is borne off: past the last square.
pub(super) const OFF: usize = TRACK + 1;

/// A bit for each square.
pub(super) const SQUARES: u32 = (1 << OFF) - (1 << 1);
