//! Rules and simulation of traditional games: the engine under the Python package `sarai`, usable without Python.
//!
//! - A [`Game`] is a rule book: immutable, without position or randomness. [`games`] holds them all; each one's module
//!   documentation is its rule book.
//! - A [`Position`] is one game in progress, played with checks. Chance is explicit: [`Chance`] nodes have integer
//!   weights, and whoever plays draws or scripts their outcomes.
//! - [`playout`] plays whole games, [`rollout`] many of them into columns, [`batch`] steps many lanes together, on any
//!   number of [`threads`] with the same results. [`agent`] and [`mcts`] choose actions.
//! - [`erased`] is the same without knowing the game at compile time.
//!
//! ```
//! use sarai::games::sho::{Rules, Sho};
//! use sarai::playout::random_playout;
//! use sarai::rng::Stream;
//! use sarai::Game;
//! let game = Sho::new(Rules { players: 2, ..Rules::default() })?;
//! let mut state = game.initial_state();
//! random_playout(&game, &mut state, &mut Stream::new(7, 0));
//! assert_eq!(game.returns(&state).as_slice().iter().sum::<f64>(), 0.0);
//! # Ok::<(), sarai::error::RulesError>(())
//! ```
#![deny(unsafe_code)]

pub mod action;
pub mod agent;
pub mod batch;
pub mod chance;
pub mod control;
#[allow(unsafe_code, reason = "what newer processors have is used after asking for it")]
pub mod cpu;
pub mod erased;
pub mod error;
pub mod forms;
pub mod game;
pub mod games;
pub mod mcts;
pub mod memory;
pub mod options;
mod perft;
pub mod player;
pub mod playout;
mod position;
#[cfg(feature = "python")]
#[allow(unsafe_code, reason = "what pyo3's macros write")]
mod python;
pub mod registry;
pub mod rng;
pub mod rollout;
pub mod series;
#[cfg(test)]
mod testing;
pub mod threads;
pub mod window;

pub use action::{Action, ActionSet};
pub use chance::{Chance, Outcome};
pub use game::{Encode, FullGame, Game, Heuristic, Show, Tally, Turn};
pub use perft::perft;
pub use player::{FirstPlayer, PerPlayer, Player, Side};
pub use position::Position;
