//! What is known of a pair while it is being solved, and how a decided position is told to those that lead to it.

use std::ops::ControlFlow::{Break, Continue};
use std::ops::Range;
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering};

use super::super::{Cell, Finished, MAX_LEFT, Pair, Place, Status, Step, Tables};
use crate::base::error::Error;
use crate::base::memory::room_for;

/// A table that is being solved.
pub(super) struct Open {
    pub(super) pair: Pair,
    pub(super) rows: u32,
    pub(super) columns: u32,
    pub(super) cells: Vec<AtomicU16>,
    /// Of each span of cells, which levels there may be among those that are decided: a bit each.
    levels: Vec<[AtomicU64; 2]>,
    /// The numbers of the blocked positions.
    pub(super) blocked: Vec<u32>,
}

/// How many cells, as a power of two, share a word of levels: so few that most words have few bits.
const SPAN: u32 = 10;

/// The last bit of a word of levels stands for all levels from here on.
const LAST_LEVEL: u16 = 127;

impl Open {
    /// A table of which nothing is known.
    pub(super) fn new<T: Tables>(tables: &T, pair: Pair) -> Result<Open, Error> {
        let (rows, columns) = (tables.rows(pair), tables.columns(pair));
        let len = rows as usize * columns as usize;
        u32::try_from(len).map_err(|_| Error::new(format!("the table {pair} has {len} places: too many")))?;
        let mut cells = room_for(len)?;
        cells.resize_with(len, AtomicU16::default);
        let spans = (len >> SPAN) + 1;
        let mut levels = room_for(spans)?;
        levels.resize_with(spans, Default::default);
        Ok(Open { pair, rows, columns, cells, levels, blocked: Vec::new() })
    }

    /// Where the word of levels of a cell is, and its bit for a level.
    #[cfg_attr(fast, inline(always))]
    fn level_bit(&self, index: usize, level: u16) -> (&AtomicU64, u64) {
        let level = level.min(LAST_LEVEL);
        (&self.levels[index >> SPAN][level as usize / 64], 1 << (level % 64))
    }

    /// Remembers that a cell is decided at a level.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn note(&self, index: usize, level: u16) {
        let (word, bit) = self.level_bit(index, level);
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// The numbers of the cells of a row that may be decided at a level, in spans.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn spans(&self, row: u32, level: u16) -> impl Iterator<Item = Range<usize>> {
        let begin = self.index(Place { row, column: 0 });
        let end = begin + self.columns as usize;
        (begin >> SPAN..=(end - 1) >> SPAN).filter_map(move |span| {
            let (word, bit) = self.level_bit(span << SPAN, level);
            let cells = begin.max(span << SPAN)..end.min((span + 1) << SPAN);
            (word.load(Ordering::Relaxed) & bit != 0).then_some(cells)
        })
    }

    #[cfg_attr(fast, inline(always))]
    pub(super) fn index(&self, place: Place) -> usize {
        place.index(self.columns)
    }

    #[cfg_attr(fast, inline(always))]
    pub(super) fn load(&self, index: usize) -> Cell {
        Cell::from_bits(self.cells[index].load(Ordering::Relaxed))
    }
}

/// A pair and the turned one, being solved.
pub(super) struct Solver<'a, T> {
    pub(super) tables: &'a T,
    /// One where the pair is its own turned one, else two.
    pub(super) open: Vec<Open>,
    /// Of each of them, the table that captures lead to, unless they end the game.
    pub(super) known: [Option<&'a Finished>; 2],
    /// No other thread changes cells.
    pub(super) alone: bool,
}

/// A decided position has a predecessor: what is to be told to it.
#[derive(Clone, Copy)]
pub(super) struct Update<B> {
    board: B,
    index: usize,
    seen: Cell,
    /// The table of the predecessor, as in [`Solver::open`].
    table: u8,
    /// How many turns the way from it takes.
    turns: u16,
    /// A blocked position, to which an extra move leads back.
    blocked: bool,
    /// The decided position is won, else lost.
    won: bool,
    /// Its moves are not counted.
    again: bool,
}

impl<'a, T: Tables> Solver<'a, T> {
    /// The table of the positions after a quiet move from table `at`.
    #[cfg_attr(fast, inline(always))]
    fn turned(&self, at: usize) -> usize {
        (at + 1) % self.open.len()
    }

    /// Changes a cell, unless `change` gives `None`. Gives what it has become.
    #[cfg_attr(fast, inline(always))]
    fn change(&self, table: usize, index: usize, change: impl Fn(Cell) -> Option<Cell>) -> Option<Cell> {
        let cell = &self.open[table].cells[index];
        let mut bits = cell.load(Ordering::Relaxed);
        loop {
            let next = change(Cell::from_bits(bits))?;
            if self.alone {
                cell.store(next.to_bits(), Ordering::Relaxed);
                return Some(next);
            }
            match cell.compare_exchange_weak(bits, next.to_bits(), Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some(next),
                Err(other) => bits = other,
            }
        }
    }

    /// How many turns the way to this position takes, which is known to be legal.
    #[cfg_attr(fast, inline(always))]
    fn turns_into(&self, board: T::Board) -> u16 {
        (self.tables.status(board) != Status::Blocked) as u16
    }

    /// What a position is before anything is known but its captures.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn beginning(&self, at: usize, board: T::Board) -> Cell {
        match self.tables.status(board) {
            Status::Lost => return Cell::lost(0),
            // Nothing will ever be told to it.
            Status::Drawn | Status::Blocked => return Cell::open(MAX_LEFT, false),
            Status::Moves => {}
        }
        let (mut quiet, mut drawn, mut won, mut lost) = (0, false, u16::MAX, 0);
        self.tables.successors(
            board,
            #[cfg_attr(fast, inline(always))]
            |step| {
                match step {
                    Step::Quiet(_) => quiet += 1,
                    Step::Win => {
                        // Nothing is quicker.
                        won = 1;
                        return Break(());
                    }
                    Step::Capture(next) => {
                        let cell = self.captured(at, next);
                        if cell.is_open() {
                            drawn = true;
                        } else {
                            let turns = cell.distance() + self.turns_into(next);
                            if cell.is_lost() {
                                won = won.min(turns);
                            } else {
                                lost = lost.max(turns);
                            }
                        }
                    }
                }
                Continue(())
            },
        );
        if won != u16::MAX {
            Cell::won(won)
        } else if drawn {
            // One more than will ever be told: it cannot be lost.
            Cell::open(quiet + 1, false)
        } else if quiet == 0 {
            Cell::lost(lost)
        } else {
            Cell::open(quiet, lost > 0)
        }
    }

    /// The value after a capture from table `at`.
    #[cfg_attr(fast, inline(always))]
    fn captured(&self, at: usize, board: T::Board) -> Cell {
        match self.known[at] {
            Some(known) => known.get(self.tables.place(board)),
            None => Cell::DRAWN,
        }
    }

    /// The most turns that captures delay a loss, where all of them lose.
    fn longest_capture(&self, at: usize, board: T::Board) -> u16 {
        let mut longest = 0;
        self.tables.successors(
            board,
            #[cfg_attr(fast, inline(always))]
            |step| {
                if let Step::Capture(next) = step {
                    longest = longest.max(self.captured(at, next).distance() + self.turns_into(next));
                }
                Continue(())
            },
        );
        longest
    }

    /// In how many turns the opponent of whoever chooses here wins, if every move is known to lose in `level` turns or
    /// less.
    #[cfg_attr(fast, inline(always))]
    fn all_lose(&self, at: usize, board: T::Board, blocked: bool, level: u16) -> Option<u16> {
        let next_table = if blocked { at } else { self.turned(at) };
        let (mut all, mut longest) = (true, 0);
        self.tables.successors(
            board,
            #[cfg_attr(fast, inline(always))]
            |step| {
                let (cell, next) = match step {
                    Step::Quiet(next) => {
                        let table = &self.open[next_table];
                        let cell = table.load(table.index(self.tables.place(next)));
                        (cell, next)
                    }
                    Step::Capture(next) => (self.captured(at, next), next),
                    Step::Win => (Cell::lost(0), board),
                };
                // Others may be writing what is decided in more turns.
                all = cell.is_won() && (cell.distance() <= level || matches!(step, Step::Capture(_)));
                if !all {
                    return Break(());
                }
                // After an extra move the turn is over, whatever it leads to.
                let turns = if blocked { 1 } else { self.turns_into(next) };
                longest = longest.max(cell.distance() + turns);
                Continue(())
            },
        );
        all.then_some(longest)
    }

    /// Tells predecessors about a level. Returns the highest level that has come up.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn tell(&self, updates: &mut Vec<Update<T::Board>>, level: u16) -> u16 {
        // All cells are asked for before the first is waited for.
        for one in updates.iter_mut() {
            one.seen = self.open[one.table as usize].load(one.index);
        }
        let mut highest = 0;
        for one in updates.iter() {
            let table = one.table as usize;
            let turns = level + one.turns;
            let changed = if !one.won {
                // One move decides: the mover's to a lost position, or an extra move to one lost for who is blocked.
                let (decided, better) =
                    (if one.blocked { Cell::lost(turns) } else { Cell::won(turns) }, turns);
                self.change(
                    table,
                    one.index,
                    #[cfg_attr(fast, inline(always))]
                    |cell| (cell.is_open() || cell.distance() > better).then_some(decided),
                )
            } else if !one.seen.is_open() {
                None
            } else if one.again {
                self.all_lose(table, one.board, one.blocked, level).and_then(|longest| {
                    let decided = if one.blocked { Cell::won(longest) } else { Cell::lost(longest) };
                    self.change(
                        table,
                        one.index,
                        #[cfg_attr(fast, inline(always))]
                        |cell| cell.is_open().then_some(decided),
                    )
                })
            } else {
                self.change(
                    table,
                    one.index,
                    #[cfg_attr(fast, inline(always))]
                    |cell| match (cell.is_open(), cell.left()) {
                        (false, _) => None,
                        (true, 1) if cell.captures_lose() => {
                            Some(Cell::lost(turns.max(self.longest_capture(table, one.board))))
                        }
                        (true, 1) => Some(Cell::lost(turns)),
                        (true, _) => Some(cell.one_less()),
                    },
                )
            };
            if let Some(cell) = changed.filter(|cell| !cell.is_open()) {
                highest = highest.max(cell.distance());
                self.open[table].note(one.index, cell.distance());
            }
        }
        updates.clear();
        highest
    }

    /// Adds what there is to tell about a decided position.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn report(
        &self,
        updates: &mut Vec<Update<T::Board>>,
        at: usize,
        row: &T::Row,
        (board, blocked, won, symmetric): (T::Board, bool, bool, bool),
    ) {
        let before = self.turned(at);
        let table = &self.open[before];
        let turns = !blocked as u16;
        self.tables.predecessors(
            row,
            board,
            #[cfg_attr(fast, inline(always))]
            |board, place| {
                let (seen, number) = (Cell::DRAWN, before as u8);
                let one = |board, index, again| Update {
                    board,
                    index,
                    seen,
                    table: number,
                    turns,
                    blocked: false,
                    won,
                    again,
                };
                if !self.tables.is_symmetric(table.pair, place.row) {
                    return updates.push(one(board, table.index(place), symmetric));
                }
                self.tables.equals(
                    board,
                    place.row,
                    #[cfg_attr(fast, inline(always))]
                    |board, place| updates.push(one(board, table.index(place), true)),
                );
            },
        );
        let table = &self.open[at];
        self.tables.blocked_predecessors(
            board,
            #[cfg_attr(fast, inline(always))]
            |board, place| {
                let (index, seen) = (table.index(place), Cell::DRAWN);
                updates.push(Update {
                    board,
                    index,
                    seen,
                    table: at as u8,
                    turns: 1,
                    blocked: true,
                    won,
                    again: true,
                });
            },
        );
    }
}
