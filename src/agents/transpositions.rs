//! The transposition table of an alpha-beta search.

use crate::base::{Error, zeros};

/// An entry of the table.
#[derive(Clone, Copy, Default)]
pub(super) struct Entry {
    pub(super) hash: u64,
    pub(super) value: i32,
    /// The number of its search: entries of earlier searches do not count.
    pub(super) search: u32,
    pub(super) best: u16,
    pub(super) depth: u8,
    pub(super) bound: u8,
}

pub(super) const EXACT: u8 = 0;
pub(super) const AT_LEAST: u8 = 1;
pub(super) const AT_MOST: u8 = 2;

/// How many entries a table of about this size has: a power of two.
fn entries_in(megabytes: u16) -> usize {
    let entries = ((megabytes as usize) << 20) / size_of::<Entry>();
    1 << entries.max(1).ilog2()
}

/// A table and the number of the search that uses it.
#[derive(Default)]
pub(super) struct Table {
    /// As many as the largest search of this thread asked for since the table was freed.
    entries: Vec<Entry>,
    /// The mask for the bits of a hash that index its entry: one less than the entries in use.
    mask: usize,
    search: u32,
}

impl Table {
    /// Forgets all, and has about this size from now on.
    pub(super) fn clear(&mut self, megabytes: u16) -> Result<(), Error> {
        let entries = entries_in(megabytes);
        if self.entries.len() < entries {
            self.entries = Vec::new();
            (self.entries, self.search) = (zeros(entries)?, 0);
        }
        if self.search == u32::MAX {
            self.entries.fill(Entry::default());
            self.search = 0;
        }
        self.search += 1;
        self.mask = entries - 1;
        Ok(())
    }

    /// Frees the table, unless it is of this size at most.
    pub(super) fn free_above(&mut self, megabytes: u16) {
        if self.entries.len() > entries_in(megabytes) {
            *self = Table::default();
        }
    }

    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        self.entries.len() * size_of::<Entry>()
    }

    pub(super) fn find(&self, hash: u64) -> Option<Entry> {
        let entry = self.entries[hash as usize & self.mask];
        (entry.hash == hash && entry.search == self.search).then_some(entry)
    }

    pub(super) fn keep(&mut self, entry: Entry) {
        let place = entry.hash as usize & self.mask;
        let known = &mut self.entries[place];
        // What was searched deeper is worth more, unless it is of an earlier search.
        if known.search != self.search || known.hash == entry.hash || known.depth <= entry.depth {
            *known = Entry { search: self.search, ..entry };
        }
    }
}
