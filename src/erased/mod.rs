//! The dyn face of games, positions, batches and rollouts, implemented once for every game.
//!
//! Whoever does not know the game at compile time (the Python binding, tests of every game) works with this; a batch
//! costs one dynamic call a step.

mod analysis;
mod batch;
pub mod bear_off;
mod dict;
pub mod exact;
mod forest;
mod game;
pub mod layers;
mod playing;
mod position;
pub mod registry;
mod scene;
mod small;
mod states;
mod training;

pub use batch::AnyBatch;
pub use dict::MAX_STATE_TEXT;
pub use forest::AnyForest;
pub use game::AnyGame;
pub use playing::{AnyMeasuring, AnyPlaying, AnyRollout, AnySeries};
pub use position::AnyPosition;
pub use small::AnySolution;
pub use states::{AnyExpansion, AnyStates, Way};
pub use training::AnyTrainer;
