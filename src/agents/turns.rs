//! The distinct positions in which a turn can end.

use std::hash::Hash;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::base::stable_hash;
use crate::rules::{Action, Game, Turn};

/// A table of this size is dropped after use: clearing it costs more than making a small one.
const LARGE: usize = 1 << 12;

/// How many positions a turn may go through, however few it may end in.
const MOST_WITHIN: usize = 1 << 16;

/// A list would have more positions than allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooMany;

/// A position within the turn.
#[derive(Clone, Copy, Debug)]
struct Node<S> {
    state: S,
    /// The node before it, and the action that led here; the first has neither.
    before: u32,
    action: u16,
}

/// The positions of a turn, in the order found: by the number of actions, then by their ids. Reused from turn to turn.
#[derive(Debug)]
pub(crate) struct TurnEnds<S> {
    /// Positions within the turn.
    within: Vec<Node<S>>,
    /// Its ends.
    ends: Vec<Node<S>>,
    within_known: Known<S>,
    ends_known: Known<S>,
}

impl<S> Default for TurnEnds<S> {
    fn default() -> Self {
        TurnEnds {
            within: Vec::new(),
            ends: Vec::new(),
            within_known: Known::default(),
            ends_known: Known::default(),
        }
    }
}

/// Keys of positions, each once.
#[derive(Debug)]
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
    #[cfg_attr(fast, inline(always))]
    fn clear(&mut self) {
        self.keys.clear();
        if self.table.capacity() > LARGE {
            self.table = HashTable::new();
        } else {
            self.table.clear();
        }
    }

    /// The index of a key.
    fn find(&self, key: &S) -> Option<usize> {
        let hashed = stable_hash(key);
        self.table.find(hashed, |&at| self.keys[at as usize] == *key).map(|&at| at as usize)
    }

    /// Takes a key up; whether it was not known.
    #[cfg_attr(fast, inline(always))]
    fn is_new(&mut self, key: S) -> bool {
        let keys = &self.keys;
        let again = |&at: &u32| stable_hash(&keys[at as usize]);
        match self.table.entry(stable_hash(&key), |&at| keys[at as usize] == key, again) {
            Entry::Occupied(_) => return false,
            Entry::Vacant(place) => place.insert(keys.len() as u32),
        };
        self.keys.push(key);
        true
    }
}

impl<S: Copy + Hash + Eq> TurnEnds<S> {
    /// Lists the distinct positions in which the turn of the player to act can end, at most `limit`; none where no player is to act.
    #[cfg_attr(fast, inline(always))]
    pub(crate) fn list<G: Game<State = S>>(
        &mut self,
        game: &G,
        state: &S,
        limit: usize,
    ) -> Result<(), TooMany> {
        let TurnEnds { within, ends, within_known, ends_known } = self;
        within.clear();
        ends.clear();
        let Turn::Player(mover) = game.turn(state) else { return Ok(()) };
        within_known.clear();
        ends_known.clear();
        within.push(Node { state: *state, before: 0, action: 0 });
        // Where a seat may act for several turns, a position may come back: it does not go on from there again.
        within_known.is_new(game.key(state));
        let mut at = 0;
        while at < within.len() {
            let before = within[at].state;
            for action in game.legal_actions(&before) {
                let mut next = before;
                game.apply(&mut next, action, &mut ());
                // Made only where it is kept: most positions are known already, and copying one costs.
                let node = |state| Node { state, before: at as u32, action: action.0 };
                if game.turn(&next) == Turn::Player(mover) {
                    if within_known.is_new(game.key(&next)) {
                        if within.len() > limit.max(MOST_WITHIN) {
                            return Err(TooMany);
                        }
                        within.push(node(next));
                    }
                } else if ends_known.is_new(game.key(&next)) {
                    if ends.len() == limit {
                        return Err(TooMany);
                    }
                    ends.push(node(next));
                }
            }
            at += 1;
        }
        Ok(())
    }

    /// How many there are.
    #[cfg_attr(fast, inline(always))]
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// One of them.
    #[cfg_attr(fast, inline(always))]
    pub(crate) fn end(&self, index: usize) -> &S {
        &self.ends[index].state
    }

    /// Which of them has this key.
    pub(crate) fn find(&self, key: &S) -> Option<usize> {
        self.ends_known.find(key)
    }

    /// The actions that lead to one of them, the last first.
    #[cfg_attr(fast, inline(always))]
    pub(crate) fn actions_back(&self, index: usize) -> impl Iterator<Item = Action> + '_ {
        let mut node = Some(&self.ends[index]);
        std::iter::from_fn(move || {
            let here = node?;
            node = (here.before != 0).then(|| &self.within[here.before as usize]);
            Some(Action(here.action))
        })
    }
}
