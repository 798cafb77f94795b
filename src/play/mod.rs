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
