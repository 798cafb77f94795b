//! What a search found.

use crate::rules::action::Action;
use crate::rules::player::PerPlayer;

/// What a search found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The action that it chose.
    pub action: Action,
    /// What each player may expect after it.
    pub values: PerPlayer<f64>,
    /// How deep the last search that was finished looked: moves or turns, as the search counts them.
    pub depth: u8,
    /// How many positions were looked at.
    pub nodes: u64,
    /// Each legal action in ascending order, where that was asked for.
    pub actions: Vec<Weighed>,
}

/// What a search found about one action.
#[derive(Clone, Debug)]
pub struct Weighed {
    /// The action.
    pub action: Action,
    /// What each player may expect after it.
    pub values: PerPlayer<f64>,
    /// How deep it was looked into.
    pub depth: u8,
    /// False where the values are only a bound: who plays it may expect no more.
    pub exact: bool,
    /// What is likely to be played from here on, the action first, as far as the search can tell.
    pub line: Vec<Action>,
}
