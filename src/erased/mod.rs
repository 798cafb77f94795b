//! The dyn face of games, positions, batches and rollouts, implemented once for every game.
//!
//! Whoever does not know the game at compile time (the Python binding, tests of every game) works with this; a batch
//! costs one dynamic call a step.
//!
//! Whatever is done with many games at once has no place in a browser, and would make most of what is loaded there.

mod analysis;
#[cfg(not(target_family = "wasm"))]
mod batch;
#[cfg(not(target_family = "wasm"))]
mod dict;
#[cfg(not(target_family = "wasm"))]
mod forest;
mod game;
#[cfg(not(target_family = "wasm"))]
mod many;
#[cfg(not(target_family = "wasm"))]
mod playing;
mod position;
pub mod registry;
mod scene;
pub mod spelling;
#[cfg(not(target_family = "wasm"))]
mod states;
mod text;
#[cfg(not(target_family = "wasm"))]
mod training;

#[cfg(not(target_family = "wasm"))]
pub use batch::AnyBatch;
#[cfg(not(target_family = "wasm"))]
pub use forest::AnyForest;
pub use game::AnyGame;
#[cfg(not(target_family = "wasm"))]
pub use many::Many;
#[cfg(not(target_family = "wasm"))]
pub use playing::{AnyMeasuring, AnyPlaying, AnyRollout, AnySeries};
pub use position::AnyPosition;
#[cfg(not(target_family = "wasm"))]
pub use states::{AnyExpansion, AnyStates, Way};
pub use text::MAX_STATE_TEXT;
#[cfg(not(target_family = "wasm"))]
pub use training::AnyTrainer;

/// There is nothing of it in a browser.
#[cfg(target_family = "wasm")]
mod many {
    /// Any rule book.
    pub trait Many {}

    impl<G> Many for G {}
}
