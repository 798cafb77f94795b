//! What goes wrong first, by place and not by time.

use std::sync::{Mutex, PoisonError};

use crate::base::error::Error;
use crate::base::lock::lock;

/// The first of the places where threads, working in any order, have found something wrong; and what.
pub(super) struct Earliest<T>(Mutex<Option<(u64, T)>>);

impl<T> Earliest<T> {
    pub(super) fn new() -> Self {
        Earliest(Mutex::new(None))
    }

    pub(super) fn note(&self, place: u64, what: impl FnOnce() -> T) {
        let mut earliest = lock(&self.0);
        if earliest.as_ref().is_none_or(|&(earlier, _)| place < earlier) {
            *earliest = Some((place, what()));
        }
    }

    pub(super) fn into_inner(self) -> Option<(u64, T)> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Earliest<Error> {
    pub(super) fn into_result(self) -> Result<(), Error> {
        self.into_inner().map_or(Ok(()), |(_, error)| Err(error))
    }
}
