//! What a game tells about the phase before the one that is tabled, where every turn leads one layer on: backward induction
//! needs one pass over each layer.

use crate::rules::solvable::{Pair, Place, Solvable};

/// The table that turns lead to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// One of the next layer.
    Layer(Pair),
    /// One of the phase that is tabled, of the class [`Solvable::Tables`].
    Tables(Pair),
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
    fn len(&self) -> u16;
    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The tables of a layer: how many pieces who acts has on the board, and how many the other.
    fn pairs(&self, layer: u16) -> &[Pair];
    /// What the turns from a table lead to, each under its number.
    fn targets(&self, layer: u16, pair: Pair) -> [Option<Target>; TARGETS];
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

/// A game that has layers before its tables.
pub trait Layered: Solvable {
    /// Its layers.
    type Layers: Layers;

    /// The rules on which the values in the layers depend, with what they are: more than those of the tables.
    fn layer_rules(&self) -> Vec<(&'static str, String)>;

    /// The layers of this rule book.
    fn layers(&self) -> Self::Layers;

    /// The layer of a state and its position there; `None` in the middle of a turn, at a chance node, and outside the
    /// layers.
    fn layer_of(&self, state: &Self::State) -> Option<(u16, <Self::Layers as Layers>::Position)>;

    /// A state with this position.
    fn state_in(&self, layer: u16, position: <Self::Layers as Layers>::Position) -> Self::State;
}
