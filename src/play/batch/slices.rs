//! Lanes shared out among threads.

use super::Out;
use super::lane::{Gate, Lane, Tallies};
use super::terms::Terms;
use crate::agents::rng::Choices;
use crate::base::threads::Items;

/// Lanes with everything that belongs to them, in the same order.
pub(super) struct Slices<'a, S> {
    /// The number of the first lane.
    pub(super) first: usize,
    pub(super) lanes: &'a mut [Lane<S>],
    pub(super) gates: &'a mut [Gate],
    /// Empty where nobody inside the engine draws choices.
    pub(super) choices: &'a mut [Choices],
    /// Empty where nothing is counted.
    pub(super) tallies: &'a mut [Tallies],
    pub(super) before: Before<'a, S>,
    pub(super) terms: &'a Terms<S>,
    /// As [`super::past::Played::choose`] writes them.
    pub(super) actions: &'a [u8],
    /// Which lanes are stepped: all where it is empty.
    pub(super) only: &'a [bool],
    pub(super) out: Out<'a>,
}

/// Where lanes are kept as they stand before they are stepped.
pub(super) struct Before<'a, S> {
    pub(super) lanes: &'a mut [Lane<S>],
    pub(super) gates: &'a mut [Gate],
    pub(super) choices: &'a mut [Choices],
    pub(super) tallies: &'a mut [Tallies],
}

/// Takes the first `items` of a slice away, or as many as there are.
fn take<'a, T>(slice: &mut &'a mut [T], items: usize) -> &'a mut [T] {
    let all = std::mem::take(slice);
    let (taken, rest) = all.split_at_mut(items.min(all.len()));
    *slice = rest;
    taken
}

impl<S: Send + Sync> Items for Slices<'_, S> {
    fn len(&self) -> usize {
        self.lanes.len()
    }

    fn take(&mut self, lanes: usize) -> Self {
        let of = self.lanes.len();
        let lanes = lanes.min(of);
        let first = self.first;
        self.first += lanes;
        let actions = self.actions.split_at(lanes.min(self.actions.len()));
        let only = self.only.split_at(lanes.min(self.only.len()));
        let out = std::mem::take(&mut self.out).split_at(lanes, of.max(1));
        (self.actions, self.only, self.out) = (actions.1, only.1, out.1);
        Slices {
            first,
            lanes: take(&mut self.lanes, lanes),
            gates: take(&mut self.gates, lanes),
            choices: take(&mut self.choices, lanes),
            tallies: take(&mut self.tallies, lanes),
            before: Before {
                lanes: take(&mut self.before.lanes, lanes),
                gates: take(&mut self.before.gates, lanes),
                choices: take(&mut self.before.choices, lanes),
                tallies: take(&mut self.before.tallies, lanes),
            },
            terms: self.terms,
            actions: actions.0,
            only: only.0,
            out: out.0,
        }
    }
}

impl<S: Clone> Slices<'_, S> {
    /// Keeps the lanes as they stand.
    pub(super) fn keep(&mut self) {
        self.before.lanes.clone_from_slice(self.lanes);
        self.before.gates.copy_from_slice(self.gates);
        self.before.choices.clone_from_slice(self.choices);
        self.before.tallies.copy_from_slice(self.tallies);
    }
}
