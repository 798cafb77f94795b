//! Rules and simulation of traditional games.
#![cfg_attr(not(feature = "python"), forbid(unsafe_code))]
#![deny(unsafe_code)]

pub mod action;
pub mod agent;
pub mod batch;
pub mod chance;
pub mod erased;
pub mod error;
pub mod forms;
pub mod game;
pub mod games;
pub mod mcts;
pub mod options;
mod perft;
pub mod player;
pub mod playout;
mod position;
#[cfg(feature = "python")]
#[allow(unsafe_code, reason = "what pyo3's macros write")]
mod python;
pub mod rng;
pub mod rollout;
pub mod threads;

pub use action::{Action, ActionSet};
pub use chance::{Chance, Outcome};
pub use game::{Encode, FullGame, Game, Heuristic, Show, Tally, Turn};
pub use perft::perft;
pub use player::{FirstPlayer, PerPlayer, Player, Side};
pub use position::Position;
