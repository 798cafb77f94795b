//! What a game tells those who solve it: its positions without their clock as numbers, and how moves connect them; and the
//! phase before, where every turn leads one layer on, so that backward induction needs one pass over each layer.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::base::error::Error;
use crate::rules::rule_book;
use crate::rules::{Game, Show};

/// A table of positions: how many pieces the side to move has, and how many the other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(from = "[u8; 2]", into = "[u8; 2]")]
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
    /// use sarai::exact::solvable::Pair;
    /// assert_eq!(Pair { own: 3, other: 4 }.turned(), Pair { own: 4, other: 3 });
    /// ```
    pub fn turned(self) -> Pair {
        Pair { own: self.other, other: self.own }
    }
}

impl From<[u8; 2]> for Pair {
    fn from([own, other]: [u8; 2]) -> Self {
        Pair { own, other }
    }
}

impl From<Pair> for [u8; 2] {
    fn from(pair: Pair) -> Self {
        [pair.own, pair.other]
    }
}

/// A table: of a layer, by how many turns have passed, or of the phase that is tabled where there is none; and its pair.
pub type Key = (Option<u16>, Pair);

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

impl Place {
    /// Its number in a table of so many columns.
    #[cfg_attr(fast, inline(always))]
    pub fn index(self, columns: u32) -> usize {
        self.row as usize * columns as usize + self.column as usize
    }
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

/// How many targets the turns from one table have at most.
pub const TARGETS: usize = 4;

/// What a turn leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// A position.
    Position {
        /// The number of its table among [`Layers::targets`].
        target: usize,
        /// Where it stands there.
        place: Place,
        /// The side that has had the turn is the one the value there is for, else the other.
        again: bool,
    },
    /// The end: who has had the turn has won.
    Win,
}

/// Positions of a game with two sides and no dice, in layers by how many turns have passed. Every turn leads from a layer
/// to the next, and from the last into the phase that is tabled.
///
/// The methods trust what they are given: layers that there are, pairs of [`Layers::pairs`], rows and columns of their
/// table.
pub trait Layers: Send + Sync {
    /// A position seen by who acts.
    type Position: Copy + PartialEq + std::fmt::Debug + Send + Sync;
    /// What is worked out once for a row, for all of its positions.
    type Row;

    /// The version of the numbering: another number, another meaning of rows and columns.
    const VERSION: u32;

    /// How many layers there are.
    fn count(&self) -> u16;
    /// The tables of a layer: how many pieces who acts has on the board, and how many the other.
    fn pairs(&self, layer: u16) -> &[Pair];
    /// What the turns from a table lead to, each under its number.
    fn targets(&self, layer: u16, pair: Pair) -> [Option<Key>; TARGETS];
    /// How many rows a table has.
    fn rows(&self, layer: u16, pair: Pair) -> u32;
    /// How many columns each of them has.
    fn columns(&self, layer: u16, pair: Pair) -> u32;
    /// A row of a table.
    fn row(&self, layer: u16, pair: Pair, row: u32) -> Self::Row;
    /// The position in a column of a row.
    fn position(&self, row: &Self::Row, column: u32) -> Self::Position;
    /// The pair of a position, and where it stands.
    fn place(&self, layer: u16, position: Self::Position) -> (Pair, Place);
    /// How many positions stand for each of this row, itself among them, when all symmetries are told apart.
    fn weight(&self, layer: u16, pair: Pair, row: u32) -> u32;
    /// Where a place stands for the same position as an earlier one of its row, the column of that.
    fn same_as(&self, row: &Self::Row, column: u32) -> Option<u32>;
    /// Shows what each turn from a position leads to; there is one at least.
    fn successors(&self, layer: u16, position: Self::Position, visit: impl FnMut(Next));
}

/// A game whose positions have tables.
pub trait Solvable: Show {
    /// Its tables.
    type Tables: Tables;
    /// The layers of turns before them.
    type Layers: Layers;

    /// The rules on which the values in the tables depend, in the order of the rule book.
    const DECISIVE: &'static [&'static str];
    /// The rules on which the values in the layers depend: more than those of the tables.
    const LAYERED: &'static [&'static str];

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

    /// The layers of this rule book, to ask for positions of those up to this one, or of all.
    fn layers(&self, last: u16) -> Self::Layers;

    /// The layer of a state and its position there; `None` in the middle of a turn, at a chance node, and outside the
    /// layers.
    fn layer_of(&self, state: &Self::State) -> Option<(u16, <Self::Layers as Layers>::Position)>;

    /// A state with this position.
    fn state_in(&self, layer: u16, position: <Self::Layers as Layers>::Position) -> Self::State;

    /// The number of a state in which a turn begins, without its clock, the same for all that a symmetry makes equal to it.
    fn number(&self, layers: &Self::Layers, state: &Self::State) -> u64;

    /// A state with this number; the number is one that [`Solvable::number`] gives.
    fn numbered(&self, number: u64) -> Self::State;
}

/// Some options of a game by name, with what they are as text.
pub(super) fn values_of<G: Game>(game: &G, names: &[&'static str]) -> Vec<(&'static str, String)> {
    let rules = rule_book::to_value::<G>(game.rules());
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    names.iter().map(|&name| (name, text(&rules[name]))).collect()
}

/// Refuses a game that differs in one of these options; `what` begins the sentence.
///
/// # Errors
/// Says what they should be.
pub(super) fn same_values<G: Game>(
    what: &str,
    due: &G,
    game: Option<&G>,
    names: &[&'static str],
) -> Result<(), Error> {
    let due = values_of(due, names);
    if game.is_some_and(|game| values_of(game, names) == due) {
        return Ok(());
    }
    let rules: Vec<String> = due.iter().map(|(name, value)| format!("{name}={value}")).collect();
    Err(Error::new(format!("{what} of {} with {}", G::NAME, rules.join(", "))))
}
