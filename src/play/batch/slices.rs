//! Lanes shared out among threads.

use super::Out;
use super::lane::{Lane, Status, Tallies};
use super::terms::Terms;
use crate::agents::Choices;
use crate::base::Items;
use crate::rules::FullGame;

/// Lanes with everything that belongs to them, in the same order.
pub(super) struct Slices<'a, G: FullGame> {
    /// The number of the first lane.
    pub(super) first: usize,
    pub(super) lanes: &'a mut [Lane<G::State>],
    pub(super) statuses: &'a mut [Status],
    /// Empty where nobody inside the engine draws choices.
    pub(super) choices: &'a mut [Choices],
    /// Empty where nothing is counted.
    pub(super) tallies: &'a mut [Tallies],
    pub(super) terms: &'a Terms<G>,
    /// One a lane, or none for a reset; `u8::MAX` stands for every number that is no action.
    pub(super) actions: &'a [u8],
    /// Where they are policies' answers, for the lanes that have asked: the states in which the games of a reset begin.
    pub(super) answers: Option<&'a [G::State]>,
    pub(super) out: Out<'a>,
}

impl<G: FullGame> Items for Slices<'_, G> {
    fn len(&self) -> usize {
        self.lanes.len()
    }

    fn take(&mut self, lanes: usize) -> Self {
        let of = self.lanes.len();
        let lanes = lanes.min(of);
        let first = self.first;
        self.first += lanes;
        let actions = self.actions.split_at(lanes.min(self.actions.len()));
        let out = std::mem::take(&mut self.out).split_at(lanes, of.max(1));
        (self.actions, self.out) = (actions.1, out.1);
        Slices {
            first,
            lanes: self.lanes.take(lanes),
            statuses: self.statuses.take(lanes),
            choices: self.choices.take(lanes),
            tallies: self.tallies.take(lanes),
            terms: self.terms,
            actions: actions.0,
            answers: self.answers,
            out: out.0,
        }
    }
}
