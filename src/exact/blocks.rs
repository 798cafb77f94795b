//! Tables on disk as an array that is read block by block: as many blocks are kept in memory as there is room for.
//!
//! What is kept changes how long an answer takes, never the answer.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use super::{Cell, Stored, code};
use crate::base::error::Error;
use crate::base::lock::lock;

/// How many bytes of blocks are kept where nothing else is said.
pub const ROOM: u64 = 256 << 20;

/// A block that may be in memory.
#[derive(Default)]
struct Slot {
    /// The numbers of its places, see [`super::file`].
    codes: RwLock<Option<Arc<[u8]>>>,
    /// Whether it was asked for since it was last thought of giving it up.
    asked: AtomicBool,
}

/// A file, and those of its blocks that are in memory.
struct Table {
    stored: Stored,
    palette: Vec<Cell>,
    slots: Vec<Slot>,
    /// How many places a block has.
    block: u64,
    /// How many bits a place has.
    bits: u8,
}

impl Table {
    fn cell(&self, codes: &[u8], place: usize) -> Cell {
        self.palette[code(self.bits, codes, place)]
    }

    /// Reads a block, and looks whether its numbers are in the palette.
    fn read(&self, number: u64) -> Result<Arc<[u8]>, Error> {
        let codes = self.stored.block(number)?;
        let places = 0..self.stored.header().places(number);
        let most = places.map(|place| code(self.bits, &codes, place)).max();
        if most.is_some_and(|most| most >= self.palette.len()) {
            return Err(self.stored.damaged(number));
        }
        Ok(codes.into())
    }
}

/// Where the search for a block to give up goes on.
#[derive(Default)]
struct Hand {
    table: usize,
    slot: usize,
}

/// The tables of one folder.
pub(super) struct Blocks {
    tables: Vec<Table>,
    /// How many bytes of blocks may be kept.
    room: u64,
    kept: AtomicU64,
    hand: Mutex<Hand>,
}

impl Blocks {
    /// No tables, and room for so many bytes of their blocks.
    pub(super) fn new(room: u64) -> Self {
        Blocks { tables: Vec::new(), room, kept: AtomicU64::new(0), hand: Mutex::default() }
    }

    /// Takes in a file, which gets the next number, from 0.
    ///
    /// # Errors
    /// When its palette is not sound.
    pub(super) fn push(&mut self, stored: Stored) -> Result<(), Error> {
        let header = stored.header();
        let (block, bits) = (header.block, header.bits);
        let slots = (0..header.blocks()).map(|_| Slot::default()).collect();
        self.tables.push(Table { palette: stored.palette()?, block, bits, slots, stored });
        Ok(())
    }

    /// The files, by their numbers.
    pub(super) fn files(&self) -> impl Iterator<Item = &Stored> {
        self.tables.iter().map(|table| &table.stored)
    }

    /// Whether all blocks can be kept at once.
    pub(super) fn all_fit(&self) -> bool {
        let bytes = |table: &Table| table.stored.header().summary.places as u128 * u128::from(table.bits) / 8;
        self.tables.iter().map(bytes).sum::<u128>() <= u128::from(self.room)
    }

    /// A cell of a table.
    ///
    /// # Errors
    /// When its block cannot be read or has been changed.
    #[inline]
    pub(super) fn get(&self, table: usize, index: u64) -> Result<Cell, Error> {
        let known = &self.tables[table];
        let (number, place) = (index / known.block, (index % known.block) as usize);
        let slot = &known.slots[number as usize];
        {
            let kept = slot.codes.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(codes) = &*kept {
                if !slot.asked.load(Ordering::Relaxed) {
                    slot.asked.store(true, Ordering::Relaxed);
                }
                return Ok(known.cell(codes, place));
            }
        }
        let codes = self.fetch(table, number)?;
        Ok(known.cell(&codes, place))
    }

    /// The first place of a table with this cell; `None` where there is none. Nothing is kept.
    ///
    /// # Errors
    /// When a block cannot be read or has been changed.
    pub(super) fn find(&self, table: usize, cell: Cell) -> Result<Option<u64>, Error> {
        let table = &self.tables[table];
        for number in 0..table.slots.len() as u64 {
            let codes = table.read(number)?;
            let mut places = 0..table.stored.header().places(number);
            if let Some(place) = places.find(|&place| table.cell(&codes, place) == cell) {
                return Ok(Some(number * table.block + place as u64));
            }
        }
        Ok(None)
    }

    /// Reads a block and keeps it.
    #[cold]
    fn fetch(&self, table: usize, number: u64) -> Result<Arc<[u8]>, Error> {
        let slot = &self.tables[table].slots[number as usize];
        // Two threads may read the same block: better than that one waits for a lock while it is read.
        let codes = self.tables[table].read(number)?;
        {
            let mut kept = slot.codes.write().unwrap_or_else(PoisonError::into_inner);
            if let Some(codes) = &*kept {
                return Ok(Arc::clone(codes));
            }
            *kept = Some(Arc::clone(&codes));
            slot.asked.store(true, Ordering::Relaxed);
            // Counted before another thread can give it up.
            self.kept.fetch_add(codes.len() as u64, Ordering::Relaxed);
        }
        if self.kept.load(Ordering::Relaxed) > self.room {
            self.give_up();
        }
        Ok(codes)
    }

    /// Gives blocks up until the others fit: going round, those that were not asked for since the last time.
    fn give_up(&self) {
        let mut hand = lock(&self.hand);
        let slots: usize = self.tables.iter().map(|table| table.slots.len()).sum();
        // Twice round is enough: after the first time nothing counts as asked for but what others ask for meanwhile.
        for _ in 0..2 * slots {
            if self.kept.load(Ordering::Relaxed) <= self.room {
                return;
            }
            let table = &self.tables[hand.table];
            let slot = &table.slots[hand.slot];
            hand.slot += 1;
            if hand.slot == table.slots.len() {
                *hand = Hand { table: (hand.table + 1) % self.tables.len(), slot: 0 };
            }
            if slot.asked.swap(false, Ordering::Relaxed) {
                continue;
            }
            if let Some(codes) = slot.codes.write().unwrap_or_else(PoisonError::into_inner).take() {
                self.kept.fetch_sub(codes.len() as u64, Ordering::Relaxed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;
    use crate::exact::file::write;
    use crate::exact::finished::Finished;
    use crate::exact::header::Fingerprint;
    use crate::exact::solvable::Pair;
    use crate::exact::summary::Summary;
    use crate::games::shah::Shah;

    #[test]
    fn cells_of_many_kinds_are_read_as_they_were_written() {
        let folder = std::env::temp_dir().join(format!("sarai-blocks-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let fingerprint = Fingerprint::of(&Shah::new(<Shah as Game>::Rules::default()).unwrap(), None);
        let pair = Pair { own: 3, other: 3 };
        // 300 different cells take two bytes each.
        let cells: Vec<Cell> = (0..600).map(|n| Cell::won(n * 7 % 300)).collect();
        let table = Finished::of(pair, 600, cells.len(), || cells.iter().copied()).unwrap();
        let summary = Summary { places: 600, ..Summary::default() };
        write(&folder, fingerprint.clone(), &table, summary, 1).unwrap();
        let path = fingerprint.path_in(&folder, pair);
        let blocks = |room| {
            let mut blocks = Blocks::new(room);
            blocks.push(Stored::open(&path, &fingerprint, pair).unwrap()).unwrap();
            blocks
        };
        let tight = blocks(1199);
        for (index, &cell) in cells.iter().enumerate() {
            assert_eq!(tight.get(0, index as u64).unwrap(), cell);
        }
        assert_eq!(tight.find(0, Cell::won(7)).unwrap(), Some(1));
        assert!(!tight.all_fit() && blocks(1200).all_fit());
        assert_eq!(Stored::open(&path, &fingerprint, pair).unwrap().read(1).unwrap(), table);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    /// A block that is given up before it is counted would let the count fall below zero.
    #[test]
    fn threads_count_what_is_kept() {
        let folder = std::env::temp_dir().join(format!("sarai-counted-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let fingerprint = Fingerprint::of(&Shah::new(<Shah as Game>::Rules::default()).unwrap(), None);
        let pair = Pair { own: 3, other: 3 };
        let places: usize = 8 << 15;
        let cells = |n| if n % 7 == 0 { Cell::won(3) } else { Cell::lost(2) };
        let table = Finished::of(pair, places as u32, places, || (0..places).map(cells)).unwrap();
        let summary = Summary { places: places as u64, ..Summary::default() };
        write(&folder, fingerprint.clone(), &table, summary, 1).unwrap();
        let path = fingerprint.path_in(&folder, pair);
        let mut blocks = Blocks::new(1);
        blocks.push(Stored::open(&path, &fingerprint, pair).unwrap()).unwrap();
        let (blocks, block) = (&blocks, blocks.tables[0].block);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(move || {
                    for number in 0..2_000 {
                        blocks.get(0, number % 8 * block).unwrap();
                        assert!(blocks.kept.load(Ordering::Relaxed) <= 8 * block, "less than none");
                    }
                });
            }
        });
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
