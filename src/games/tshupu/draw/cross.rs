//! Where the squares, the piles and the panels lie.

use std::collections::BTreeMap;

use super::super::TshuPu;
use super::super::board::{CENTRE as CENTRAL, HAND, OFF, START_AGAIN};
use super::super::state::State;
use crate::draw::moves::Point;
use crate::rules::player::MAX_PLAYERS;

pub(super) const WIDTH: f64 = 600.0;
pub(super) const MARGIN: f64 = 12.0;
pub(super) const CELL: f64 = 64.0;
pub(super) const CENTRE: f64 = 300.0;
pub(super) const PANEL: f64 = 3.0 * CELL - 10.0;
/// Where the piles in hand and off stand, from the left of a panel.
pub(super) const PILES: [f64; 2] = [48.0, PANEL - 48.0];

/// A square: its column and row, from the upper left.
pub(super) type Square = (u8, u8);

/// The loop, anti-clockwise from the south end.
#[rustfmt::skip]
pub(super) const LOOP: [Square; 28] = [
    (4, 8), (5, 8), (5, 7), (5, 6), (6, 5), (7, 5), (8, 5), (8, 4), (8, 3), (7, 3), (6, 3), (5, 2), (5, 1), (5, 0),
    (4, 0), (3, 0), (3, 1), (3, 2), (2, 3), (1, 3), (0, 3), (0, 4), (0, 5), (1, 5), (2, 5), (3, 6), (3, 7), (3, 8),
];
pub(super) const STARTS: [usize; MAX_PLAYERS] = [0, 21, 14, 7];
pub(super) const COLUMNS: [[Square; 2]; MAX_PLAYERS] =
    [[(4, 7), (4, 6)], [(1, 4), (2, 4)], [(4, 1), (4, 2)], [(7, 4), (6, 4)]];
/// The middles of both sides of each arm.
pub(super) const SIDE_CROSSCUTS: [usize; 8] = [2, 5, 9, 12, 16, 19, 23, 26];
/// The upper left corner of each player's panel: at the right hand of his arm.
const PANEL_CORNERS: [Square; MAX_PLAYERS] = [(6, 6), (0, 6), (0, 0), (6, 0)];

/// The upper left corner of a square, as seat 0 sees it.
pub(super) fn corner_of((column, row): Square) -> Point {
    (MARGIN + CELL * f64::from(column), MARGIN + CELL * f64::from(row))
}

/// The square where a piece of that seat and progress (1 to 31) stands.
pub(super) fn square_of(seat: usize, progress: u8) -> Square {
    if progress > START_AGAIN {
        return COLUMNS[seat][usize::from(progress - START_AGAIN - 1)];
    }
    LOOP[(STARTS[seat] + usize::from(progress) - 1) % LOOP.len()]
}

/// How so many piles share a square, below its number: the radius, and the middles from the square's middle.
fn sharing(piles: usize) -> (f64, &'static [Point]) {
    match piles {
        1 => (17.0, &[(0.0, 7.0)]),
        2 => (13.0, &[(-15.0, 7.0), (15.0, 7.0)]),
        3 => (10.0, &[(-15.0, -3.0), (15.0, -3.0), (0.0, 19.0)]),
        4 => (10.0, &[(-15.0, -3.0), (15.0, -3.0), (-15.0, 19.0), (15.0, 19.0)]),
        _ => (9.0, &[(-19.0, -3.0), (19.0, -3.0), (-19.0, 20.0), (19.0, 20.0), (0.0, 8.5)]),
    }
}

/// A pile on the squares: whose, its progress, its middle and its radius.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub seat: usize,
    pub progress: u8,
    pub middle: Point,
    pub radius: f64,
}

/// Where the piles stand that share the squares.
pub(super) fn spots_of(game: &TshuPu, s: &State, view: View) -> Vec<Spot> {
    let mut held: BTreeMap<Square, Vec<(usize, u8)>> = BTreeMap::new();
    for seat in 0..MAX_PLAYERS {
        for progress in game.stands(s, seat).into_iter().filter(|p| (1..CENTRAL).contains(p)) {
            // A piece that has come round shares the start square with those that begin there.
            held.entry(square_of(seat, progress)).or_default().push((seat, progress));
        }
    }
    let mut spots = Vec::new();
    for (square, stacks) in held {
        let (radius, middles) = sharing(stacks.len());
        let (left, top) = view.corner_of(square);
        spots.extend(stacks.into_iter().zip(middles).map(|((seat, progress), (x, y))| Spot {
            seat,
            progress,
            middle: (left + CELL / 2.0 + x, top + CELL / 2.0 + y),
            radius,
        }));
    }
    spots
}

/// The cross as this seat sees it: turned by quarters until his arm is below.
#[derive(Clone, Copy)]
pub(super) struct View(pub usize);

impl View {
    /// The upper left corner of a square.
    pub fn corner_of(self, square: Square) -> Point {
        corner_of((0..self.0).fold(square, |(column, row), _| (row, 8 - column)))
    }

    /// The seat whose arm is there where seat 0 looks on.
    pub fn arm(self, seat: usize) -> usize {
        (seat + MAX_PLAYERS - self.0) % MAX_PLAYERS
    }

    /// Where a seat's pieces of that progress stand, if no others share their square.
    pub fn middle_of(self, seat: usize, progress: u8) -> Point {
        if progress == HAND || progress == OFF {
            let (left, top) = self.panel_corner(seat);
            return (left + PILES[usize::from(progress == OFF)], top + 105.0);
        }
        if progress == CENTRAL {
            // In the centre each seat has the side of its own arm.
            let (x, y) = [(0.0, 54.0), (-54.0, 0.0), (0.0, -54.0), (54.0, 0.0)][self.arm(seat)];
            return (CENTRE + x, CENTRE + y);
        }
        let (left, top) = self.corner_of(square_of(seat, progress));
        (left + CELL / 2.0, top + CELL / 2.0 + 7.0)
    }

    /// The upper left corner of a player's panel.
    pub fn panel_corner(self, seat: usize) -> Point {
        let (column, row) = PANEL_CORNERS[self.arm(seat)];
        let (left, top) = corner_of((column, row));
        // Away from the squares, flush with the outer edge.
        let away = |place: u8| if place > 0 { 10.0 } else { 0.0 };
        (left + away(column), top + away(row))
    }
}
