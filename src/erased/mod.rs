//! The dyn face of games and of exact play, implemented once for every game; that of games under way is in [`crate::play`].
//!
//! Whoever does not know the game at compile time (the Python binding, tests of every game) works with this; a batch
//! costs one dynamic call a step.

#[cfg(not(target_family = "wasm"))]
mod dict;
mod game;
#[cfg(not(target_family = "wasm"))]
mod many;
pub mod registry;
pub mod spelling;

pub use game::AnyGame;
#[cfg(not(target_family = "wasm"))]
pub use many::Many;

/// There is nothing of it in a browser.
#[cfg(target_family = "wasm")]
mod many {
    /// Any rule book.
    pub trait Many {}

    impl<G> Many for G {}
}
