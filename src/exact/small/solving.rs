//! Works out what positions are worth to the side of seat 0, component by component.

use super::components::components;
use super::forced;
use super::graph::Graph;
use super::values::{BY_CHANCE, ENDLESS, Mover, Values, mover, passed, sign};
use crate::base::control::Control;
use crate::base::error::Error;
use crate::rules::{Game, Player};

/// How far apart the two sequences may end, beyond what they have from the values that they rest on: so much of the largest
/// of these.
pub const TOLERANCE: f64 = 1e-10;

/// Where no value changes by more than so much of it in a whole pass, more passes would not help.
const STILL: f64 = 1e-16;

/// The mean of what follows, and how much rounding may have changed it.
fn mean(weights: &[u32], total: u32, after: &[u32], values: &[f64]) -> (f64, f64) {
    let first = values[after[0] as usize];
    let (mut sum, mut most, mut same) = (0.0, 0.0f64, true);
    for (&weight, &next) in weights.iter().zip(after) {
        let value = values[next as usize];
        sum += value * weight as f64;
        most = most.max(value.abs());
        same &= value == first;
    }
    if same {
        return (first, 0.0);
    }
    // Each of the n products, n sums and the division is off by half an epsilon of what it gives, at most.
    (sum / total as f64, (weights.len() + 2) as f64 * f64::EPSILON * most)
}

impl Values {
    /// Works them all out.
    pub(super) fn of<G: Game>(game: &G, graph: &Graph<G::State>, control: &Control) -> Result<Values, Error> {
        let len = graph.len();
        let mut values = Values { lower: vec![0.0; len], upper: vec![0.0; len], turns: vec![0; len] };
        let mut places = vec![0u32; len];
        components(graph, control, |nodes| {
            if let [node] = *nodes
                && !graph.after(node as usize).contains(&node)
            {
                return values.settle(game, graph, node as usize);
            }
            if nodes.iter().any(|&node| mover(game, graph.key(node as usize)) == Mover::Chance) {
                return values.close_in(game, graph, nodes, control);
            }
            for (place, &node) in nodes.iter().enumerate() {
                places[node as usize] = place as u32;
            }
            forced::solve(game, graph, &mut values, nodes, &places);
            Ok(())
        })?;
        Ok(values)
    }

    /// A position that does not come back, after all that follows it.
    fn settle<G: Game>(&mut self, game: &G, graph: &Graph<G::State>, node: usize) -> Result<(), Error> {
        let key = graph.key(node);
        let mover = mover(game, key);
        if mover == Mover::Over {
            let returns = game.returns(key);
            let value = returns.as_slice()[0];
            let seats = returns.as_slice().iter().enumerate();
            if seats.into_iter().any(|(seat, &score)| score != sign(game, Player(seat as u8)) * value) {
                return Err(Error::new(format!(
                    "the players of one side do not get the same in this rule book of {}: it has no one value",
                    G::NAME
                )));
            }
            (self.lower[node], self.upper[node]) = (value, value);
            self.turns[node] = if value == 0.0 { ENDLESS } else { 0 };
            return Ok(());
        }
        (self.lower[node], self.upper[node]) = self.expected(game, graph, node, mover);
        let after = graph.after(node);
        self.turns[node] =
            if mover == Mover::Chance || after.iter().any(|&next| self.turns[next as usize] == BY_CHANCE) {
                BY_CHANCE
            } else if self.lower[node] == 0.0 {
                ENDLESS
            } else {
                let hurries = (self.lower[node] > 0.0) == (mover == Mover::High);
                let ways = game.legal_actions(key).into_iter().zip(after);
                let equal = ways.filter(|&(_, &next)| self.lower[next as usize] == self.lower[node]);
                let turns = equal.map(|(action, &next)| {
                    self.turns[next as usize] + passed(game, key, graph.key(next as usize), action)
                });
                let best = if hurries { turns.min() } else { turns.max() };
                best.expect("one action is the best")
            };
        Ok(())
    }

    /// What the values of what follows make a position worth, at least and at most.
    fn expected<G: Game>(&self, game: &G, graph: &Graph<G::State>, node: usize, mover: Mover) -> (f64, f64) {
        let after = graph.after(node);
        let best = |values: &[f64]| {
            let values = after.iter().map(|&next| values[next as usize]);
            if mover == Mover::High {
                values.fold(f64::MIN, f64::max)
            } else {
                values.fold(f64::MAX, f64::min)
            }
        };
        match mover {
            Mover::Chance => {
                let chance = game.chance(graph.key(node));
                let of = |values| mean(chance.weights(), chance.total(), after, values);
                let ((lower, below), (upper, above)) = (of(&self.lower), of(&self.upper));
                (lower - below, upper + above)
            }
            _ => (best(&self.lower), best(&self.upper)),
        }
    }

    /// Positions that can come back with chance between them.
    fn close_in<G: Game>(
        &mut self,
        game: &G,
        graph: &Graph<G::State>,
        nodes: &[u32],
        control: &Control,
    ) -> Result<(), Error> {
        // None is worth less than the worst way out, or than play without end, and none more than the best.
        let (mut least, mut most, mut before) = (0.0f64, 0.0f64, 0.0f64);
        for &node in nodes {
            // Set as its own end: what leads out of the component is what has been worked out.
            self.turns[node as usize] = BY_CHANCE;
            (self.lower[node as usize], self.upper[node as usize]) = (f64::INFINITY, f64::NEG_INFINITY);
        }
        for &node in nodes {
            for &next in graph.after(node as usize) {
                let (lower, upper) = (self.lower[next as usize], self.upper[next as usize]);
                if lower <= upper {
                    (least, most) = (least.min(lower), most.max(upper));
                    before = before.max(upper - lower);
                }
            }
        }
        let scale = most.max(-least);
        let mut movers = Vec::new();
        for &node in nodes {
            (self.lower[node as usize], self.upper[node as usize]) = (least, most);
            movers.push(mover(game, graph.key(node as usize)));
        }
        loop {
            let (mut widest, mut change) = (0.0f64, 0.0f64);
            // The last that was visited first: what follows comes before what leads to it.
            for (count, (&node, &mover)) in nodes.iter().zip(&movers).rev().enumerate() {
                if count % (1 << 12) == 0 {
                    control.check()?;
                }
                let node = node as usize;
                let (lower, upper) = self.expected(game, graph, node, mover);
                change = change.max(lower - self.lower[node]).max(self.upper[node] - upper);
                // Both only ever close in.
                self.lower[node] = self.lower[node].max(lower);
                self.upper[node] = self.upper[node].min(upper);
                widest = widest.max(self.upper[node] - self.lower[node]);
            }
            if widest <= before + TOLERANCE * scale || change <= STILL * scale {
                return Ok(());
            }
        }
    }
}
