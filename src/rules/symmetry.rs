//! Symmetries of a game: other positions that are worth the same and played alike.

/// A symmetry takes each position to one in which the same play has the same result. What a number of the new position is,
/// is told by where it is found in the old one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symmetry {
    /// For each cell of the new observation, the cell of the old one, by the same viewer.
    pub observation: Vec<usize>,
    /// For each action in the new position, the action in the old one.
    pub actions: Vec<usize>,
    /// For each seat in the new position, the seat in the old one.
    pub seats: Vec<usize>,
}

impl Symmetry {
    /// The one that changes nothing.
    pub fn identity(cells: usize, actions: usize, seats: usize) -> Self {
        Symmetry {
            observation: (0..cells).collect(),
            actions: (0..actions).collect(),
            seats: (0..seats).collect(),
        }
    }
}
