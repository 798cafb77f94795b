//! The agent "greedy".

use crate::rules::{Action, ActionSet, Heuristic};

/// The action with the best score, of equals the smallest id.
///
/// # Panics
/// When there is none.
#[cfg_attr(fast, inline(always))]
pub fn greedy<G: Heuristic>(game: &G, state: &G::State, legal: ActionSet) -> Action {
    game.best(state, legal).expect("a player to act has an action")
}
