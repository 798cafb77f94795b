//! The result of a search.

use super::analysis::ValueKind;
use crate::rules::{Action, PerPlayer};

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The best action.
    pub action: Action,
    /// What each player may expect after it.
    pub values: PerPlayer<f64>,
    /// The depth of the last finished iteration, in moves or turns.
    pub depth: u8,
    /// The number of positions visited.
    pub nodes: u64,
    /// The value of each legal action in ascending order, if asked for.
    pub actions: Vec<ActionValue>,
}

/// The value of one action.
#[derive(Clone, Debug)]
pub struct ActionValue {
    /// The action.
    pub action: Action,
    /// What each player may expect after it.
    pub values: PerPlayer<f64>,
    /// How deep it was searched.
    pub depth: u8,
    /// How far the values can be trusted.
    pub kind: ValueKind,
    /// The number of turns to the end of the game, this one counted, where it was found.
    pub turns: Option<u16>,
    /// The principal variation: the action, then the best replies, as far as known.
    pub line: Vec<Action>,
}
