//! The positions in which a turn can end, each once.

use std::hash::{BuildHasher, Hash};

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use super::expansion::{Grow, Grown, Stopped, push};
use crate::rules::game::{Game, Turn};

/// A table of this size is thrown away after use: to empty it would cost more than to make a small one anew.
const LARGE: usize = 1 << 12;

/// How many positions a turn may go through, however few it may end in.
const MOST_WITHIN: usize = 1 << 16;

/// Every way to play a turn.
pub(super) struct Turns;

/// A position within the turn.
#[derive(Clone, Copy)]
struct Node<S> {
    state: S,
    /// The node before it, and the action that led here; the first has neither.
    before: u32,
    action: u16,
}

/// The positions of a turn, in the order in which they were found: by the number of actions, then by their ids.
pub(super) struct Scratch<S> {
    /// Where the turn goes on.
    within: Vec<Node<S>>,
    /// Where it ends.
    ends: Vec<Node<S>>,
    within_known: Known<S>,
    ends_known: Known<S>,
}

impl<S> Default for Scratch<S> {
    fn default() -> Self {
        Scratch {
            within: Vec::new(),
            ends: Vec::new(),
            within_known: Known::default(),
            ends_known: Known::default(),
        }
    }
}

/// Keys of positions, each once.
struct Known<S> {
    keys: Vec<S>,
    /// Their indices.
    table: HashTable<u32>,
}

impl<S> Default for Known<S> {
    fn default() -> Self {
        Known { keys: Vec::new(), table: HashTable::new() }
    }
}

impl<S: Copy + Hash + Eq> Known<S> {
    /// Forgets all.
    #[inline(always)]
    fn clear(&mut self) {
        self.keys.clear();
        if self.table.capacity() > LARGE {
            self.table = HashTable::new();
        } else {
            self.table.clear();
        }
    }

    /// Takes a key up; whether it was not known.
    #[inline(always)]
    fn is_new(&mut self, key: S) -> Result<bool, Stopped> {
        let hash = |key: &S| FixedState::default().hash_one(key);
        let (keys, hashed) = (&self.keys, hash(&key));
        if self.table.find(hashed, |&at| keys[at as usize] == key).is_some() {
            return Ok(false);
        }
        let again = |&at: &u32| hash(&keys[at as usize]);
        self.table.try_reserve(1, again).map_err(|_| Stopped::NoMemory)?;
        self.table.insert_unique(hashed, keys.len() as u32, again);
        push(&mut self.keys, key)?;
        Ok(true)
    }
}

impl<G: Game> Grow<G> for Turns {
    type Scratch = Scratch<G::State>;

    #[inline(always)]
    fn grow(
        &self,
        game: &G,
        state: &G::State,
        limit: usize,
        scratch: &mut Scratch<G::State>,
        into: &mut Grown<G::State>,
    ) -> Result<(), Stopped> {
        let Turn::Player(mover) = game.turn(state) else { return Ok(()) };
        let Scratch { within, ends, within_known, ends_known } = scratch;
        within.clear();
        ends.clear();
        within_known.clear();
        ends_known.clear();
        push(within, Node { state: *state, before: 0, action: 0 })?;
        // Where a seat may act for several turns, a position may come back: it does not go on from there again.
        within_known.is_new(game.key(state))?;
        let mut at = 0;
        while at < within.len() {
            let before = within[at].state;
            for action in game.legal_actions(&before) {
                let mut next = before;
                game.apply(&mut next, action, &mut ());
                let node = Node { state: next, before: at as u32, action: action.0 };
                if game.turn(&next) == Turn::Player(mover) {
                    if within_known.is_new(game.key(&next))? {
                        if within.len() > limit.max(MOST_WITHIN) {
                            return Err(Stopped::Full);
                        }
                        push(within, node)?;
                    }
                } else {
                    if ends_known.is_new(game.key(&next))? {
                        if ends.len() == limit {
                            return Err(Stopped::Full);
                        }
                        push(ends, node)?;
                    }
                }
            }
            at += 1;
        }
        for end in ends.iter() {
            push(&mut into.states, end.state)?;
            let first = into.ids.len();
            let mut node = end;
            loop {
                push(&mut into.ids, i32::from(node.action))?;
                if node.before == 0 {
                    break;
                }
                node = &within[node.before as usize];
            }
            into.ids[first..].reverse();
            push(&mut into.lengths, (into.ids.len() - first) as u32)?;
        }
        Ok(())
    }
}
