//! The games: the only Rust file that lists them.
//!
//! A new game is one folder here, its `pub mod` line, and its line in [`visit`].

pub mod shah;
pub mod sho;
pub mod shuanglu;
pub mod tshupu;

#[cfg(not(target_family = "wasm"))]
use std::any::Any;

#[cfg(not(target_family = "wasm"))]
use crate::exact::{bear_off::AnyRacing, solve::AnySolvable};
use crate::rules::FullGame;
#[cfg(not(target_family = "wasm"))]
use crate::rules::Game;

/// What is done with each game in turn.
pub trait Visit {
    /// Called with each game.
    fn game<G: FullGame>(&mut self);
}

/// Every game, in the order in which users see them.
pub fn visit(each: &mut impl Visit) {
    each.game::<sho::Sho>();
    each.game::<shah::Shah>();
    each.game::<tshupu::TshuPu>();
    each.game::<shuanglu::Shuanglu>();
}

/// The game as one that has tables of exact values; else the names of those that do.
///
/// # Errors
/// The names.
#[cfg(not(target_family = "wasm"))]
pub fn solvable(game: &dyn Any) -> Result<&dyn AnySolvable, &'static str> {
    game.downcast_ref::<shah::Shah>().map(|game| game as _).ok_or(shah::Shah::NAME)
}

/// The game as one that ends with pieces borne off from a home of six points; else the names of those that do.
///
/// # Errors
/// The names.
#[cfg(not(target_family = "wasm"))]
pub fn bears_off(game: &dyn Any) -> Result<&dyn AnyRacing, &'static str> {
    game.downcast_ref::<shuanglu::Shuanglu>().map(|game| game as _).ok_or(shuanglu::Shuanglu::NAME)
}
