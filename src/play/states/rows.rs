//! Rows of a batch of states, shared among threads.

use crate::base::{Error, Items, Plan, share_out};

/// States that are changed.
pub(super) struct Rows<'a, S> {
    /// The number of the first row.
    pub(super) first: usize,
    pub(super) states: &'a mut [S],
}

/// States that are read, and beside each the `width` cells of what is written of it.
pub(super) struct Part<'a, S, T> {
    /// The number of the first row.
    pub(super) first: usize,
    pub(super) states: &'a [S],
    pub(super) out: &'a mut [T],
    width: usize,
}

impl<S: Send> Items for Rows<'_, S> {
    fn len(&self) -> usize {
        self.states.len()
    }

    fn take(&mut self, rows: usize) -> Self {
        let first = self.first;
        let states = self.states.take(rows);
        self.first += states.len();
        Rows { first, states }
    }
}

impl<'a, S, T> Part<'a, S, T> {
    /// All rows.
    ///
    /// # Panics
    /// When `out` does not have `width` cells a row.
    pub(super) fn all(states: &'a [S], out: &'a mut [T], width: usize) -> Self {
        assert_eq!(out.len(), states.len() * width, "{width} cells a row");
        Part { first: 0, states, out, width }
    }
}

impl<S: Sync, T: Send> Items for Part<'_, S, T> {
    fn len(&self) -> usize {
        self.states.len()
    }

    fn take(&mut self, rows: usize) -> Self {
        let rows = rows.min(self.states.len());
        let (first, width) = (self.first, self.width);
        self.first += rows;
        let (states, more) = self.states.split_at(rows);
        let (out, space) = std::mem::take(&mut self.out).split_at_mut(rows * width);
        (self.states, self.out) = (more, space);
        Part { first, states, out, width }
    }
}

/// How rows are shared that cost so much each, in units of a random decision.
pub(super) fn plan(rows: usize, cost: u64, threads: usize) -> Plan {
    Plan::new(rows, cost, threads, 1)
}

/// Writes `width` cells of each state.
pub(super) fn fill<S: Sync, T: Send>(
    states: &[S],
    out: &mut [T],
    width: usize,
    threads: usize,
    write: impl Fn(Part<'_, S, T>) + Sync,
) -> Result<(), Error> {
    share_out(plan(states.len(), 1, threads), Part::all(states, out, width), None, write)
}
