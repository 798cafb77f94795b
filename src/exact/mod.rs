//! What is known for certain: values of positions by retrograde analysis, in tables on disk. No game is named here; those
//! that have tables implement [`crate::rules::solvable::Solvable`].

pub mod cell;
pub mod file;
pub mod finished;
pub mod layers;
pub mod loaded;
pub mod retrograde;
pub mod solve;
pub mod summary;
pub mod verify;
pub mod worth;
