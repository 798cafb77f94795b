//! Rules and simulation of traditional games: the engine under the Python package `sarai`, usable without Python.
//!
//! - A [`Game`] is a rule book: immutable, without position or randomness. [`games`] holds them all; each one's module
//!   documentation is its rule book.
//! - A [`Position`] is one game in progress, played with checks. Chance is explicit: [`Chance`] nodes have integer
//!   weights, and whoever plays draws or scripts their outcomes.
//! - [`agents`] choose actions. [`play::run`] plays many games to their ends, [`play::batch`] steps many lanes
//!   together, on any number of threads with the same results.
//! - A game draws itself with what [`draw`] has, and says its positions in words: [`Draw`].
//! - [`api`] is the same without knowing the game at compile time.
//! - [`record`] writes a game down, and [`session`] is one under way that people play.
//!
//! ```
//! use sarai::games::sho::{Rules, Sho};
//! use sarai::agents::playout::random_playout;
//! use sarai::agents::rng::Stream;
//! use sarai::Game;
//! let game = Sho::new(Rules { players: 2, ..Rules::default() })?;
//! let mut state = game.initial_state();
//! random_playout(&game, &mut state, &mut Stream::new(7, 0));
//! assert_eq!(game.returns(&state).as_slice().iter().sum::<f64>(), 0.0);
//! # Ok::<(), sarai::Error>(())
//! ```
#![deny(unsafe_code)]

pub mod agents;
pub mod api;
pub mod base;
pub mod draw;
#[cfg(not(target_family = "wasm"))]
pub mod exact;
/// What `make new-game` writes: built, tested and formatted here, so that a change of the engine cannot pass it by.
#[cfg(test)]
#[path = "../scripts/new_game/src/games/gamename/mod.rs"]
pub mod gamename;
pub mod games;
pub mod nets;
pub mod play;
pub mod record;
pub mod rules;
pub mod session;
#[cfg(test)]
mod testing;

pub use base::error::Error;
pub use rules::action::{Action, ActionSet};
pub use rules::chance::{Chance, Outcome};
pub use rules::game::{Draw, Encode, Evaluate, FullGame, Game, Heuristic, SetUp, Show, Tally, Turn};
pub use rules::perft::perft;
pub use rules::player::{FirstPlayer, PerPlayer, Player, Side};
pub use rules::position::Position;
