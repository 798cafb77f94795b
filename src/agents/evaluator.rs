//! Who judges the positions of a search.

use crate::nets::Named;
use crate::rules::game::Evaluate;
use crate::rules::player::PerPlayer;

/// Who judges the positions of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Evaluator {
    /// The game's own [`Evaluate`].
    Heuristic,
    /// A network that fits the game, see [`crate::nets::Net::evaluate`].
    Network(&'static Named),
}

impl Evaluator {
    /// What each player may expect in a position that is not over.
    #[cfg_attr(fast, inline(always))]
    pub fn evaluate<G: Evaluate>(self, game: &G, state: &G::State) -> PerPlayer<f64> {
        match self {
            Evaluator::Heuristic => game.evaluate(state),
            Evaluator::Network(named) => named.net().evaluate(game, state),
        }
    }

    /// The network, if it is one.
    pub fn network(self) -> Option<&'static Named> {
        match self {
            Evaluator::Heuristic => None,
            Evaluator::Network(named) => Some(named),
        }
    }
}
