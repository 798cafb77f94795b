//! Which nodes an action has led to by chance.

use std::hash::Hash;

use crate::base::{digest, soon};

/// The size of a table when there is one, a power of 2.
const FIRST: usize = 16;

/// No node.
const NONE: u32 = u32::MAX;

/// A hash table with open addressing, at most half full. A list for each edge would be smaller, but walking it waits for
/// memory at each step.
#[derive(Default)]
pub(super) struct Links {
    table: Vec<Link>,
    used: usize,
}

#[derive(Clone, Copy)]
struct Link {
    /// Of the edge and the position: most others have another, and need not be compared.
    hash: u32,
    edge: u32,
    /// [`NONE`] where the place is free.
    node: u32,
}

impl Links {
    /// The node that an edge has led to, of those with this [`hash`] the one that it is.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn find(&self, edge: u32, hash: u32, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        let last = self.table.len().checked_sub(1)?;
        let mut at = hash as usize & last;
        loop {
            let link = self.table[at];
            if link.node == NONE {
                return None;
            }
            if link.hash == hash && link.edge == edge && is_it(link.node) {
                return Some(link.node);
            }
            at = (at + 1) & last;
        }
    }

    /// Has the place fetched where [`Links::find`] begins.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn soon(&self, hash: u32) {
        soon(&self.table, hash as usize & self.table.len().saturating_sub(1));
    }

    /// Notes that an edge has led to a node.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn add(&mut self, edge: u32, hash: u32, node: u32) {
        if 2 * self.used >= self.table.len() {
            self.grow();
        }
        self.used += 1;
        place(&mut self.table, Link { hash, edge, node });
    }

    /// Every edge that has led to a node by chance, with that node, in the order of their numbers.
    pub(super) fn all(&self) -> Vec<(u32, u32)> {
        let used = self.table.iter().filter(|link| link.node != NONE);
        let mut all: Vec<_> = used.map(|link| (link.edge, link.node)).collect();
        all.sort_unstable();
        all
    }

    /// Makes the table twice as large.
    #[cold]
    fn grow(&mut self) {
        let size = (2 * self.table.len()).max(FIRST);
        let mut larger = vec![Link { hash: 0, edge: 0, node: NONE }; size];
        self.table.iter().filter(|link| link.node != NONE).for_each(|&link| place(&mut larger, link));
        self.table = larger;
    }
}

/// A hash of an edge and the position that chance has led to from there.
#[cfg_attr(fast, inline(always))]
pub(super) fn hash(edge: u32, position: &impl Hash) -> u32 {
    digest(position, [edge]) as u32
}

/// Puts a link where it belongs in a table that is not full.
#[cfg_attr(fast, inline(always))]
fn place(table: &mut [Link], link: Link) {
    let last = table.len() - 1;
    let mut at = link.hash as usize & last;
    while table[at].node != NONE {
        at = (at + 1) & last;
    }
    table[at] = link;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_of_the_same_hash_are_told_apart() {
        let mut links = Links::default();
        assert_eq!(links.find(3, 7, |_| true), None);
        links.soon(7);
        for node in 0..100 {
            // All at one place of the table, whatever its size; each edge leads to two of them.
            links.add(node / 2, 7, node);
        }
        for node in 0..100 {
            assert_eq!(links.find(node / 2, 7, |found| found == node), Some(node));
        }
        assert_eq!(links.find(3, 7, |_| false), None);
        assert_eq!(links.find(50, 7, |_| true), None);
        assert_eq!(links.find(3, 8, |_| true), None);
    }
}
