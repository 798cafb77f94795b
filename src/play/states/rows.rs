//! Rows of a batch of states, shared among threads.

use crate::base::cpu::{self, Work};
use crate::base::error::Error;
use crate::base::threads::{Items, Plan, share_out};

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

/// Something that is written of each state. What it calls is inlined, see [`cpu`].
pub(super) trait Look<S>: Sync {
    /// What a cell holds.
    type Cell: Send;
    /// Writes every cell of a part.
    fn look(&self, part: Part<'_, S, Self::Cell>);
}

struct Looking<'a, S, L: Look<S>> {
    look: &'a L,
    part: Part<'a, S, L::Cell>,
}

impl<S, L: Look<S>> Work for Looking<'_, S, L> {
    type Output = ();

    #[cfg_attr(fast, inline(always))]
    fn run(self) {
        self.look.look(self.part);
    }
}

/// How rows are shared that cost so much each, in units of a random decision.
pub(super) fn plan(rows: usize, cost: u64, threads: usize) -> Plan {
    Plan::new(rows, cost, threads, 1)
}

/// Writes every cell.
///
/// # Errors
/// When threads cannot be had.
///
/// # Panics
/// When `out` does not have `width` cells a row.
pub(super) fn fill<S: Sync, L: Look<S>>(
    look: &L,
    states: &[S],
    out: &mut [L::Cell],
    width: usize,
    threads: usize,
) -> Result<(), Error> {
    let all = Part::all(states, out, width);
    share_out(plan(states.len(), 1, threads), all, None, |part| cpu::run(Looking { look, part }))
}
