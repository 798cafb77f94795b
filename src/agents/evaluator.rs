//! Who judges the positions of a search.

use std::sync::Arc;

use crate::nets::Named;
use crate::rules::game::Evaluate;
use crate::rules::player::PerPlayer;

/// Who judges the positions of a search. Agents hold their networks; a search borrows them, see [`Evaluator::lent`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Evaluator<N = Arc<Named>> {
    /// The game's own [`Evaluate`].
    Heuristic,
    /// A network that fits the game, see [`crate::nets::Net::evaluate`].
    Network(N),
}

impl Evaluator {
    /// The same for a search.
    pub fn lent(&self) -> Evaluator<&Named> {
        match self {
            Evaluator::Heuristic => Evaluator::Heuristic,
            Evaluator::Network(named) => Evaluator::Network(named),
        }
    }

    /// The network, if it is one.
    pub fn network(&self) -> Option<&Named> {
        match self {
            Evaluator::Heuristic => None,
            Evaluator::Network(named) => Some(named),
        }
    }
}

impl Evaluator<&Named> {
    /// What each player may expect in a position that is not over.
    #[cfg_attr(fast, inline(always))]
    pub fn evaluate<G: Evaluate>(self, game: &G, state: &G::State) -> PerPlayer<f64> {
        match self {
            Evaluator::Heuristic => game.evaluate(state),
            Evaluator::Network(named) => named.net().evaluate(game, state),
        }
    }
}
