//! What is known for certain: values of positions by retrograde analysis, in tables on disk; the bear-off; and any rule book
//! that is small enough. No game is named here: those that have tables implement [`solvable::Solvable`], and those that bear
//! off [`bear_off::BearsOff`].

pub mod bear_off;
pub mod blocks;
pub mod cell;
pub mod file;
pub mod finished;
pub mod header;
pub mod judge;
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

use std::sync::{Mutex, PoisonError};

use crate::base::error::Error;
use crate::base::lock::lock;

pub use cell::{Cell, MAX_TURNS};
pub use finished::{Codes, Finished};
pub use header::{Fingerprint, Header};
pub use judge::{ExactValue, Found, Judge};
pub use loaded::{AnyLoaded, Loaded, Opening, Oracle};
pub use plan::{Group, layer_groups};
pub use retrograde::Effort;
pub use solvable::{Key, Layers, Next, Pair, Place, Solvable, Status, Step, TARGETS, Tables};
pub use summary::Summary;
pub use verify::Checked;

use blocks::Blocks;
use cell::MAX_LEFT;
use file::{Stored, fingerprint_of, make_folder, no_tables};
use finished::Code;
use header::{VALUE_BITS, code, has_layers};
use plan::{needed, open};
use solvable::{same_values, values_of};

/// The first of the places where threads, working in any order, have found something wrong; and what.
struct Earliest<T>(Mutex<Option<(u64, T)>>);

impl<T> Earliest<T> {
    fn new() -> Self {
        Earliest(Mutex::new(None))
    }

    fn note(&self, place: u64, what: impl FnOnce() -> T) {
        let mut earliest = lock(&self.0);
        if earliest.as_ref().is_none_or(|&(earlier, _)| place < earlier) {
            *earliest = Some((place, what()));
        }
    }

    fn into_inner(self) -> Option<(u64, T)> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Earliest<Error> {
    fn into_result(self) -> Result<(), Error> {
        self.into_inner().map_or(Ok(()), |(_, error)| Err(error))
    }
}
