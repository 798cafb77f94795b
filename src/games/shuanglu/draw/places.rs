//! The places of the board, which moves touch.

use super::super::PLAYERS;
use super::super::board::{BAR, OFF};
use super::tray::place;

/// The middle of where a point's horses stand, from the rim.
pub(super) const FROM_RIM: f64 = 30.0;

/// A place of the board.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Spot {
    /// By player 0's number.
    Point(usize),
    /// Where the caught horses of a player wait.
    Bar(usize),
    /// What a player has borne off.
    Off(usize),
}

/// All of them, as they are read: the upper row, the lower one, the panels below.
pub(super) fn spots() -> impl Iterator<Item = Spot> {
    let points = |points: std::ops::Range<usize>| points.map(Spot::Point);
    let lower = |points: std::ops::Range<usize>| points.rev().map(Spot::Point);
    points(13..19)
        .chain([Spot::Bar(0)])
        .chain(points(19..25))
        .chain(lower(7..13))
        .chain([Spot::Bar(1)])
        .chain(lower(1..7))
        .chain((0..PLAYERS).map(Spot::Off))
}

/// Where a player has a piece that is at this index of the counts.
pub(super) fn spot(player: usize, index: usize) -> Spot {
    match index {
        BAR => Spot::Bar(player),
        OFF => Spot::Off(player),
        _ => Spot::Point(place(player, index)),
    }
}
