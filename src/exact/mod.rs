//! What is known for certain: values of positions by retrograde analysis, in tables on disk; the bear-off; and any rule book
//! that is small enough. No game is named here: those that have tables implement [`solvable::Solvable`], and those that bear
//! off [`bear_off::BearsOff`].

pub mod bear_off;
pub mod blocks;
pub mod cell;
pub mod file;
pub mod finished;
pub mod header;
pub mod loaded;
mod pass;
pub mod plan;
pub mod retrograde;
pub mod small;
pub mod solvable;
pub mod solve;
pub mod summary;
pub mod values;
pub mod verify;
pub mod worth;
