//! How a simulation chooses on its way down a tree.

use std::hash::Hash;

use super::{Edge, Tree};
use crate::agents::Stream;

/// By how much the harmonic number of `n` exceeds the logarithm of `n`, when `n` is large: Euler's constant.
const EULER: f64 = 0.577_215_664_901_532_9;

/// How an action is chosen on the way down.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Rule {
    /// UCB1: every action once, in random order, or by what promises most where there are priors; then the one with the
    /// best upper bound, to which priors add what fades with visits.
    Bound {
        /// How far curiosity weighs against what is known, in units of the largest return seen.
        exploration: f64,
        /// How far the priors do.
        bias: f64,
    },
    /// PUCT: curiosity is shared out by the priors.
    Priors {
        /// As above.
        exploration: f64,
    },
}

impl<S: Copy + Eq + Hash> Tree<S> {
    /// The edge that a simulation takes from an open node.
    #[cfg_attr(fast, inline(always))]
    pub(crate) fn choose(&mut self, at: u32, rule: Rule, rng: &mut Stream) -> u32 {
        match rule {
            Rule::Bound { exploration, bias } => self.by_bound(at, exploration, bias, rng),
            Rule::Priors { exploration } => self.by_priors(at, exploration),
        }
    }

    fn by_bound(&mut self, at: u32, exploration: f64, bias: f64, rng: &mut Stream) -> u32 {
        let node = &mut self.nodes[at as usize];
        let first = node.edges as usize;
        let edges = &mut self.edges[first..][..node.num_edges as usize];
        let tried = node.tried as usize;
        if tried < edges.len() {
            let untried = &edges[tried..];
            let next = if bias > 0.0 {
                first_best(untried.iter().map(|edge| f64::from(edge.prior)))
            } else {
                rng.below(untried.len() as u32) as usize
            };
            edges.swap(tried, tried + next);
            node.tried += 1;
            return (first + tried) as u32;
        }
        let curiosity = (node.harmonic - EULER).max(0.0);
        let (scale, proofs, player) = (self.scale, &self.proofs, node.player);
        let bound = |edge: &Edge| {
            if let Some(proof) = proofs.get(edge.proof as usize) {
                return proof[player];
            }
            let visits = f64::from(edge.visits.max(1));
            let bias = bias * scale * f64::from(edge.prior) / (1.0 + visits);
            edge.total / visits + exploration * scale * (curiosity / visits).sqrt() + bias
        };
        (first + first_best(edges.iter().map(bound))) as u32
    }

    #[cfg_attr(fast, inline(always))]
    fn by_priors(&self, at: u32, exploration: f64) -> u32 {
        let node = &self.nodes[at as usize];
        let curiosity = exploration * self.scale * f64::from(node.visits.max(1)).sqrt();
        let bound = |edge: &Edge| {
            if let Some(proof) = self.proof_of(edge) {
                return proof[node.player];
            }
            let mean = edge.mean().unwrap_or(node.hope);
            mean + curiosity * f64::from(edge.prior) / f64::from(edge.visits + 1)
        };
        node.edges + first_best(self.edges(at).iter().map(bound)) as u32
    }
}

/// The index of the first of the largest; 0 if there is none.
#[cfg_attr(fast, inline(always))]
pub(super) fn first_best(values: impl Iterator<Item = f64>) -> usize {
    let (mut best, mut largest) = (0, f64::NEG_INFINITY);
    for (at, value) in values.enumerate() {
        if value > largest {
            (best, largest) = (at, value);
        }
    }
    best
}
