//! Who chooses: agents, the streams of random numbers that they and the dice draw from, and random playouts.

mod agent;
pub mod alphabeta;
mod analysis;
mod evaluator;
pub mod expectimax;
mod greedy;
pub mod mcts;
#[cfg_attr(target_family = "wasm", path = "no_tables.rs")]
pub mod perfect;
pub mod playout;
pub mod policy;
pub(crate) mod random;
pub mod result;
pub use crate::rules::rng;
pub use crate::rules::rng::{Choices, Draws, Stream, Streams};
mod transpositions;
#[cfg_attr(
    target_family = "wasm",
    allow(dead_code, reason = "forests, which fetch and judge nodes by themselves, are left out there")
)]
pub(crate) mod tree;
pub(crate) mod turns;

pub use agent::{Agent, BoundAgent, Mixed};
pub use analysis::{Analysis, Line};
pub use evaluator::{Evaluator, MAX_PLAYOUTS};
pub use greedy::greedy;
pub use playout::{sample, settle, settle_told};
pub use random::random;
pub use result::ValueKind;
