//! What a game tells retrograde analysis: its positions without their clock as numbers, and how moves connect them.

use std::ops::ControlFlow;

use crate::rules::game::Game;

/// A table of positions: how many pieces the side to move has, and how many the other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pair {
    /// The pieces of the side to move.
    pub own: u8,
    /// The pieces of the other side.
    pub other: u8,
}

impl Pair {
    /// The pair in which the other side is to move.
    ///
    /// ```
    /// use sarai::rules::solvable::Pair;
    /// assert_eq!(Pair { own: 3, other: 4 }.turned(), Pair { own: 4, other: 3 });
    /// ```
    pub fn turned(self) -> Pair {
        Pair { own: self.other, other: self.own }
    }
}

impl std::fmt::Display for Pair {
    /// "3-4".
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.own, self.other)
    }
}

/// Where a position stands in the table of its pair. Positions that a symmetry makes equal may share a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The row: what the pieces of the side to move are, up to symmetry.
    pub row: u32,
    /// The column in it: where the other pieces are.
    pub column: u32,
}

/// How a position goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// The side to move chooses among its moves; there is one at least.
    Moves,
    /// The side to move cannot, so that the other chooses among extra moves, after each of which the same side is to
    /// move again.
    Blocked,
    /// The side to move has lost.
    Lost,
    /// Nobody can move.
    Drawn,
}

/// What a move leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step<B> {
    /// A position of the same pieces: after a move the turned pair, after an extra move the same.
    Quiet(B),
    /// A position with one piece less; the opponent is to move.
    Capture(B),
    /// The end: who moved has won.
    Win,
}

/// Positions of a game with two sides and no dice, in tables by how many pieces each side has. A capture leads into a
/// smaller table, every other move stays with the same pieces: a pair and the [`Pair::turned`] one depend on each other and
/// on smaller ones only.
///
/// The methods trust what they are given: pairs that [`Tables::covers`], rows and columns of their table.
pub trait Tables: Send + Sync {
    /// A position without its clock, seen by the side to move.
    type Board: Copy + PartialEq + std::fmt::Debug + Send + Sync;
    /// What is worked out once for a row, for all of its positions.
    type Row;

    /// The version of the numbering: another number, another meaning of rows and columns.
    const VERSION: u32;

    /// The pairs that this numbering reaches: the smallest and the largest number of pieces of one side.
    fn reach(&self) -> (u8, u8);
    /// Whether there is a table for this pair.
    fn covers(&self, pair: Pair) -> bool {
        let (least, most) = self.reach();
        [pair.own, pair.other].iter().all(|count| (least..=most).contains(count))
    }
    /// How many rows the table of a pair has.
    fn rows(&self, pair: Pair) -> u32;
    /// How many columns each of them has.
    fn columns(&self, pair: Pair) -> u32;
    /// A row of a pair's table.
    fn row(&self, pair: Pair, row: u32) -> Self::Row;
    /// The position in a column of a row.
    fn board(&self, row: &Self::Row, column: u32) -> Self::Board;
    /// The pair of a position.
    fn pair(&self, board: Self::Board) -> Pair;
    /// Where a position stands.
    fn place(&self, board: Self::Board) -> Place;
    /// How many positions stand for each of this row, itself among them, when all symmetries are told apart.
    fn weight(&self, pair: Pair, row: u32) -> u32;
    /// Whether a symmetry other than none leaves the row as it is, so that places of it are equal to others.
    fn is_symmetric(&self, pair: Pair, row: u32) -> bool;
    /// How a position goes on.
    fn status(&self, board: Self::Board) -> Status;
    /// Shows what each move leads to, or each extra move of the other side where the position is [`Status::Blocked`],
    /// until it has seen enough.
    fn successors(&self, board: Self::Board, visit: impl FnMut(Step<Self::Board>) -> ControlFlow<()>);
    /// Shows every position of a symmetric row that a symmetry makes equal to one of that row, itself among them.
    fn equals(&self, board: Self::Board, row: u32, visit: impl FnMut(Self::Board, Place));
    /// Shows every position from which a quiet move leads to this position of the row, and where it stands.
    fn predecessors(&self, row: &Self::Row, board: Self::Board, visit: impl FnMut(Self::Board, Place));
    /// Shows every blocked position from which an extra move leads to this one. They are of the same row.
    fn blocked_predecessors(&self, board: Self::Board, visit: impl FnMut(Self::Board, Place));
}

/// A game whose positions have tables.
pub trait Solvable: Game {
    /// Its tables.
    type Tables: Tables;

    /// The rules on which the values in the tables depend, with what they are, in the order of the rule book.
    fn decisive_rules(&self) -> Vec<(&'static str, String)>;

    /// The smallest and the largest number of pieces of one side in positions that are tabled.
    fn pieces(&self) -> (u8, u8);

    /// The tables of this rule book, up to so many pieces of one side; fewer where the rules allow no more.
    fn tables(&self, most: u8) -> Self::Tables;

    /// The position of a state in the tables, and whether the side that acts is the one the value is for: it is not where
    /// that side is blocked. `None` for states in the middle of a turn, outside the phase that is tabled, and at the end.
    fn board(&self, state: &Self::State) -> Option<(<Self::Tables as Tables>::Board, bool)>;

    /// Whether a state is of the phase that is tabled, or in the middle of a turn of it.
    fn is_tabled(&self, state: &Self::State) -> bool;

    /// A state with this position: seat 0 is the side to move, and the clock has just begun.
    fn state(&self, board: <Self::Tables as Tables>::Board) -> Self::State;
}
