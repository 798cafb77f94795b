//! Games under way: one, many to their ends, many in lanes, and their results in columns.
//!
//! Each is generic over the game; beside it stands a trait, `Any...`, by which whoever does not know the game at compile time
//! works with it. Whatever is done with many games at once has no place in a browser, and would make most of what is loaded
//! there.

mod analysis;
#[cfg(not(target_family = "wasm"))]
pub mod batch;
#[cfg(not(target_family = "wasm"))]
pub mod draft;
#[cfg(not(target_family = "wasm"))]
pub mod forest;
#[cfg(not(target_family = "wasm"))]
pub mod game_in_play;
pub mod position;
#[cfg(not(target_family = "wasm"))]
pub mod run;
mod scene;
#[cfg(not(target_family = "wasm"))]
pub mod states;
#[cfg(not(target_family = "wasm"))]
pub mod training;

#[cfg(not(target_family = "wasm"))]
pub use batch::{
    AnyBatch, Autoreset, Batch, BatchConfig, IllegalActions, Lineup, Lineups, MAX_LANES, Out, Seeds, Snapshot,
};
#[cfg(not(target_family = "wasm"))]
pub use forest::{AnyForest, Forest, ForestConfig, SearchResults};
#[cfg(not(target_family = "wasm"))]
pub use game_in_play::{BoundSeat, Counts, MAX_RANDOM_PLIES, Recorder, Seat, Stop};
pub use position::AnyPosition;
pub(crate) use position::check_length;
#[cfg(not(target_family = "wasm"))]
pub use run::{MAX_GAMES, Run, RunConfig, Spent};
#[cfg(not(target_family = "wasm"))]
pub use states::{AnyStates, Expansion, MAX_STATES, States, TERMINAL, Taken, Viewers, Way};
#[cfg(not(target_family = "wasm"))]
pub use training::{AnyTrainer, MAX_AHEAD, Trainer, Training};
