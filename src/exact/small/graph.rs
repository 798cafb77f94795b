//! All positions that can be reached, and what follows each.

use std::hash::Hash;

use hashbrown::HashTable;

use super::Limits;
use crate::base::control::Control;
use crate::base::error::Error;
use crate::base::hash::stable_hash;
use crate::rules::{Game, Outcome, Turn};

/// How many positions are followed between two looks at the control and the memory.
const STRIDE: usize = 1 << 10;
/// What solving takes besides the graph, for each position and each of what follows them, at most, but for what waits to be
/// settled.
const BYTES_A_POSITION: u64 = 80;
const BYTES_A_WAY: u64 = 12;

/// The positions by number, in the order in which they were found, and what follows each, in the order of actions or
/// outcomes.
#[derive(Debug)]
pub(super) struct Graph<S> {
    keys: Vec<S>,
    table: HashTable<u32>,
    /// Where what follows a position begins; one more at the end.
    begins: Vec<usize>,
    after: Vec<u32>,
}

/// Adds an item; the room grows by a quarter, not to twice as much, or half of the memory would stand empty.
fn push<T>(all: &mut Vec<T>, item: T) {
    if all.len() == all.capacity() {
        all.reserve_exact(all.len() / 4 + STRIDE);
    }
    all.push(item);
}

impl<S: Copy + Eq + Hash> Graph<S> {
    /// Finds every position that can be reached from these.
    pub(super) fn walk<G: Game<State = S>>(
        game: &G,
        starts: &[S],
        limits: Limits,
        control: &Control,
    ) -> Result<Self, Error> {
        let mut graph =
            Graph { keys: Vec::new(), table: HashTable::new(), begins: Vec::new(), after: Vec::new() };
        let room = |graph: &Self| match graph.len() > limits.positions {
            false => Ok(()),
            true => Err(Error::new(format!(
                "there are more than {} positions: {} were found, and what follows {} of them is still unknown; make the \
                 rule book smaller, begin nearer to the end, or allow more with max_positions",
                limits.positions,
                graph.len(),
                graph.len() - graph.begins.len()
            ))),
        };
        for start in starts {
            graph.number(game.key(start));
            room(&graph)?;
        }
        while graph.begins.len() < graph.len() {
            let at = graph.begins.len();
            if at.is_multiple_of(STRIDE) {
                control.done.store(graph.len() as u64, std::sync::atomic::Ordering::Relaxed);
                control.check()?;
                graph.check_memory(limits)?;
            }
            let begin = graph.after.len();
            push(&mut graph.begins, begin);
            let key = graph.keys[at];
            match game.turn(&key) {
                Turn::Over => {}
                Turn::Chance => {
                    for outcome in 0..game.chance(&key).weights().len() {
                        let mut next = key;
                        game.resolve(&mut next, Outcome(outcome as u8), &mut ());
                        graph.follow(game.key(&next));
                    }
                }
                Turn::Player(_) => {
                    for action in game.legal_actions(&key) {
                        let mut next = key;
                        game.apply(&mut next, action, &mut ());
                        graph.follow(game.key(&next));
                    }
                }
            }
            room(&graph)?;
        }
        let end = graph.after.len();
        push(&mut graph.begins, end);
        graph.check_memory(limits)?;
        Ok(graph)
    }

    /// The number of a position, a new one if need be.
    fn number(&mut self, key: S) -> u32 {
        let (keys, hashed) = (&self.keys, stable_hash(&key));
        if let Some(&known) = self.table.find(hashed, |&at| keys[at as usize] == key) {
            return known;
        }
        let number = self.keys.len() as u32;
        let again = |&at: &u32| stable_hash(&keys[at as usize]);
        self.table.insert_unique(hashed, number, again);
        push(&mut self.keys, key);
        number
    }

    fn follow(&mut self, key: S) {
        let number = self.number(key);
        push(&mut self.after, number);
    }

    /// Refuses where the graph, and what solving it takes, need more than allowed.
    fn check_memory(&self, limits: Limits) -> Result<(), Error> {
        let Some(allowed) = limits.bytes else { return Ok(()) };
        let held = self.keys.capacity() * size_of::<S>()
            + self.table.capacity() * (size_of::<u32>() + 1)
            + self.begins.capacity() * size_of::<usize>()
            + self.after.capacity() * size_of::<u32>();
        let needed =
            held as u64 + self.len() as u64 * BYTES_A_POSITION + self.after.len() as u64 * BYTES_A_WAY;
        if needed <= allowed {
            return Ok(());
        }
        Err(Error::no_memory(format!(
            "the {} positions found so far take {needed} bytes to solve, and {allowed} are free; make the rule book smaller, \
             or begin nearer to the end",
            self.len()
        )))
    }

    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    pub(super) fn find(&self, key: &S) -> Option<usize> {
        let found = self.table.find(stable_hash(key), |&at| self.keys[at as usize] == *key);
        found.map(|&at| at as usize)
    }

    #[cfg_attr(fast, inline(always))]
    pub(super) fn key(&self, node: usize) -> &S {
        &self.keys[node]
    }

    /// What follows a position, in the order of its actions or outcomes.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn after(&self, node: usize) -> &[u32] {
        &self.after[self.begins[node]..self.begins[node + 1]]
    }
}
