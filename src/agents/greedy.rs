//! The agent "greedy".

use crate::rules::action::{Action, ActionSet};
use crate::rules::game::Heuristic;

/// The action with the best score, of equals the smallest id.
///
/// # Panics
/// When there is none.
pub fn greedy<G: Heuristic>(game: &G, state: &G::State, legal: ActionSet) -> Action {
    legal
        .iter()
        .max_by_key(|&action| (game.score(state, action), std::cmp::Reverse(action)))
        .expect("a player to act has an action")
}
