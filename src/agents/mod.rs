//! Who chooses: agents, the streams of random numbers that they and the dice draw from, and random playouts.

mod agent;
pub mod alphabeta;
pub mod expectimax;
mod greedy;
pub mod mcts;
pub mod playout;
pub(crate) mod random;
pub mod rng;
pub(crate) mod turns;

pub use agent::Agent;
pub use greedy::greedy;
pub use random::random;
