//! Positions that can come back without chance between them: who can force what, from the ends back.
//!
//! A way out of the component is worth what it leads to, and play without end nothing. The best that the side of seat 0
//! can force above nothing is found first, in the order of falling value and rising number of turns: a position of this
//! side is settled with the first of what follows it, one of the other side when all that follows is. What the other side
//! can force below nothing is the same with the signs turned. The rest is worth nothing.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::graph::Graph;
use super::values::{self, BY_CHANCE, ENDLESS, Mover, Values};
use crate::rules::Game;

/// A value above nothing that the hunting side can have at a place of the component, and in how many turns.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Offer {
    value: f64,
    turns: u32,
    place: u32,
}

impl Eq for Offer {}

impl Ord for Offer {
    /// The best last: much, then soon, then the first place.
    fn cmp(&self, other: &Self) -> Ordering {
        let soon = |offer: &Offer| (Reverse(offer.turns), Reverse(offer.place));
        self.value.total_cmp(&other.value).then(soon(self).cmp(&soon(other)))
    }
}

impl PartialOrd for Offer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A component, and what is settled of it.
struct Hunt<'a, S> {
    graph: &'a Graph<S>,
    nodes: &'a [u32],
    /// The place of each node that is one of the component.
    places: &'a [u32],
    high: Vec<bool>,
    /// How many turns pass on each way from a place, in the order of the ways.
    begins: Vec<u32>,
    passed: Vec<u8>,
    /// The places before each place, with the turns that pass.
    before_begins: Vec<u32>,
    before: Vec<(u32, u8)>,
    value: Vec<f64>,
    turns: Vec<u32>,
}

/// Solves the component of these nodes, none of which is chance's or an end. `places` has the place of each of them.
pub(super) fn solve<G: Game>(
    game: &G,
    graph: &Graph<G::State>,
    values: &mut Values,
    nodes: &[u32],
    places: &[u32],
) {
    let mut hunt = Hunt::of(game, graph, nodes, places);
    let (mut by_chance, mut exact) = (false, true);
    for &next in nodes.iter().flat_map(|&node| graph.after(node as usize)) {
        if hunt.place(next).is_none() {
            by_chance |= values.turns[next as usize] == BY_CHANCE;
            exact &= values.lower[next as usize] == values.upper[next as usize];
        }
    }
    hunt.run(&values.lower, &values.turns);
    for (place, &node) in nodes.iter().enumerate() {
        values.lower[node as usize] = hunt.value[place];
        values.turns[node as usize] = if by_chance { BY_CHANCE } else { hunt.turns[place] };
    }
    if !exact {
        // More for a way out is never less for what leads to it: the upper values are those of the upper ways out.
        hunt.run(&values.upper, &values.turns);
    }
    for (place, &node) in nodes.iter().enumerate() {
        values.upper[node as usize] = hunt.value[place];
    }
}

impl<'a, S: Copy + Eq + std::hash::Hash> Hunt<'a, S> {
    fn of<G: Game<State = S>>(game: &G, graph: &'a Graph<S>, nodes: &'a [u32], places: &'a [u32]) -> Self {
        let len = nodes.len();
        let ways: usize = nodes.iter().map(|&node| graph.after(node as usize).len()).sum();
        let mut hunt = Hunt {
            graph,
            nodes,
            places,
            high: vec![false; len],
            begins: vec![0; len + 1],
            passed: vec![0; ways],
            before_begins: vec![0; len + 1],
            before: Vec::new(),
            value: vec![0.0; len],
            turns: vec![0; len],
        };
        let mut way = 0;
        for (place, &node) in nodes.iter().enumerate() {
            let key = graph.key(node as usize);
            hunt.high[place] = values::mover(game, key) == Mover::High;
            hunt.begins[place] = way as u32;
            for (action, &next) in game.legal_actions(key).into_iter().zip(graph.after(node as usize)) {
                hunt.passed[way] = values::passed(game, key, graph.key(next as usize), action) as u8;
                way += 1;
                if let Some(to) = hunt.place(next) {
                    hunt.before_begins[to + 1] += 1;
                }
            }
        }
        hunt.begins[len] = way as u32;
        for place in 0..len {
            hunt.before_begins[place + 1] += hunt.before_begins[place];
        }
        hunt.before = vec![(0, 0); hunt.before_begins[len] as usize];
        let mut filled = hunt.before_begins.clone();
        for (place, &node) in nodes.iter().enumerate() {
            let passed = &hunt.passed[hunt.begins[place] as usize..];
            for (&next, &passed) in graph.after(node as usize).iter().zip(passed) {
                if let Some(to) = hunt.place(next) {
                    hunt.before[filled[to] as usize] = (place as u32, passed);
                    filled[to] += 1;
                }
            }
        }
        hunt
    }

    /// The place of a node that is one of the component.
    #[cfg_attr(fast, inline(always))]
    fn place(&self, node: u32) -> Option<usize> {
        let place = self.places[node as usize] as usize;
        (self.nodes.get(place) == Some(&node)).then_some(place)
    }

    /// What follows a place, with the turns that pass.
    fn after(&self, place: usize) -> impl Iterator<Item = (u32, u32)> {
        let passed = &self.passed[self.begins[place] as usize..];
        let after = self.graph.after(self.nodes[place] as usize);
        after.iter().zip(passed).map(|(&next, &passed)| (next, u32::from(passed)))
    }

    /// Settles every place, from these values and turns of the ways out.
    fn run(&mut self, out: &[f64], out_turns: &[u32]) {
        self.value.fill(0.0);
        self.turns.fill(ENDLESS);
        self.hunt(true, out, out_turns);
        self.hunt(false, out, out_turns);
    }

    /// Settles what the high side can force above nothing, or the low side below it.
    fn hunt(&mut self, high: bool, out: &[f64], out_turns: &[u32]) {
        let sign = if high { 1.0 } else { -1.0 };
        let len = self.nodes.len();
        // How many of what follows a place of the hunted are not settled yet; those that are not worth it never will be.
        let mut left = vec![0u32; len];
        // The best of all is the first to be taken.
        let mut offers = BinaryHeap::new();
        let turns_of =
            |next: u32| if out_turns[next as usize] < ENDLESS { out_turns[next as usize] } else { 0 };
        for (place, left) in left.iter_mut().enumerate() {
            for (next, passed) in self.after(place) {
                let value = sign * out[next as usize];
                if self.place(next).is_some() {
                    *left += 1;
                } else if value <= 0.0 {
                    *left = u32::MAX / 2;
                } else if self.high[place] == high {
                    offers.push(Offer { value, turns: turns_of(next) + passed, place: place as u32 });
                }
            }
        }
        while let Some(offer) = offers.pop() {
            let place = offer.place as usize;
            if self.turns[place] != ENDLESS {
                continue;
            }
            self.value[place] = sign * offer.value;
            self.turns[place] = offer.turns;
            let (begin, end) = (self.before_begins[place], self.before_begins[place + 1]);
            for at in begin as usize..end as usize {
                let (before, passed) = self.before[at];
                let before = before as usize;
                if self.turns[before] != ENDLESS {
                    continue;
                }
                if self.high[before] == high {
                    let turns = offer.turns + u32::from(passed);
                    offers.push(Offer { value: offer.value, turns, place: before as u32 });
                    continue;
                }
                left[before] -= 1;
                if left[before] == 0 {
                    // All is settled: the least value, and of equals the longest game.
                    let mut worst = Offer { value: f64::MAX, turns: 0, place: before as u32 };
                    for (next, passed) in self.after(before) {
                        let (value, turns) = match self.place(next) {
                            Some(place) => (sign * self.value[place], self.turns[place]),
                            None => (sign * out[next as usize], turns_of(next)),
                        };
                        if value < worst.value {
                            (worst.value, worst.turns) = (value, turns + passed);
                        } else if value == worst.value {
                            worst.turns = worst.turns.max(turns + passed);
                        }
                    }
                    offers.push(worst);
                }
            }
        }
    }
}
