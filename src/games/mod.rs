//! The registry: the only Rust file that lists the games.
//!
//! A new game is one folder here, its `pub mod` line, and its line in [`REGISTRY`].

pub mod shah;
pub mod sho;
pub mod shuanglu;
pub mod tshupu;

use crate::registry::Entry;

/// Every game, in the order in which users see them.
pub static REGISTRY: &[Entry] = &[
    Entry::of::<sho::Sho>(),
    Entry::of::<shah::Shah>(),
    Entry::of::<tshupu::TshuPu>(),
    Entry::of::<shuanglu::Shuanglu>(),
];
