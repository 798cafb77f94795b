//! The games: the only Rust file that lists them.
//!
//! A new game is one folder here, its `pub mod` line, and its line in [`visit`].

pub mod shah;
pub mod sho;
pub mod shuanglu;
pub mod tshupu;

use crate::rules::game::FullGame;
use crate::rules::layered::Layered;
use crate::rules::racing::BearsOff;

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

/// What is done with each game that has tables.
pub trait VisitSolvable {
    /// Called with each of them.
    fn game<G: FullGame + Layered>(&mut self);
}

/// The games that have tables of exact values, in the order of [`visit`].
pub fn visit_solvable(each: &mut impl VisitSolvable) {
    each.game::<shah::Shah>();
}

/// What is done with each game that bears off.
pub trait VisitRacing {
    /// Called with each of them.
    fn game<G: FullGame + BearsOff>(&mut self);
}

/// The games that end with pieces borne off from a home of six points, in the order of [`visit`].
pub fn visit_racing(each: &mut impl VisitRacing) {
    each.game::<shuanglu::Shuanglu>();
}
