//! The agent "random".

use super::rng::Stream;
use crate::rules::{Action, ActionSet};

/// One of the actions, each equally likely.
///
/// # Panics
/// When there is none.
#[cfg_attr(fast, inline(always))]
pub fn random(legal: ActionSet, rng: &mut Stream) -> Action {
    legal.nth(rng.below(legal.len() as u32) as usize).expect("a player to act has an action")
}
