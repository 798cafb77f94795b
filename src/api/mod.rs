//! Rule books that are not known at compile time, and the registry that finds them by name. The bindings work with these, and
//! with the traits that stand beside positions, batches and runs in [`crate::play`] and beside tables in `exact`.

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
