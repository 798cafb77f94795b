//! Retrograde analysis: from the ends of the game back to every position that a side can force into one.
//!
//! A pair and the turned one are solved together, after the smaller pairs that captures lead to. Each position keeps count
//! of its moves that are not known to lose. Level by level, d = 0, 1, 2, ..., the positions that are decided in d turns are
//! looked up, and what leads to them is told: a position with a move to a lost one is won, and a position whose moves
//! have all turned out to lose is lost. What is left when no level has anything to tell is drawn.
//!
//! A move that blocks the opponent and the first extra move after it are one turn. The way into a blocked position
//! therefore takes no turn, and the way out of it one, so that a level begins with the blocked positions.
//!
//! Positions that a symmetry makes equal share a place, or have several equal ones. Moves and places then no longer
//! correspond one to one, and counting would go wrong: where the row of a position or that of its successor is
//! symmetric, all of its moves are looked up again instead. So are those of blocked positions.
//!
//! Whatever order threads work in, a level makes the same changes: wins take the smallest number of turns, counts only
//! fall, and what is looked up again goes by positions that were decided before the level began.

mod solver;

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU16, Ordering};

use super::{Cell, Finished, MAX_LEFT, MAX_TURNS, Pair, Place, Status, Tables};
use crate::base::control::Control;
use crate::base::cpu::multiversion;
use crate::base::error::Error;
use crate::base::lock::lock;
use crate::base::threads::{Plan, share_out};
use solver::{Open, Solver};

/// About how many cells a thread takes at a time.
const PIECE: u32 = 1 << 16;

/// How much is told at a time: enough for the processor to fetch many cells at once.
const BATCH: usize = 128;

multiversion! {
    /// Fills some rows with what is known from the start. Gives the numbers of the blocked positions and the highest level.
    fn begin[T: Tables](solver: &Solver<'_, T>, at: usize, rows: Range<u32>) -> (Vec<u32>, u16) {
        let table = &solver.open[at];
        let (mut blocked, mut highest) = (Vec::new(), 0);
        for number in rows {
            let row = solver.tables.row(table.pair, number);
            for column in 0..table.columns {
                let board = solver.tables.board(&row, column);
                let cell = solver.beginning(at, board);
                let index = table.index(Place { row: number, column });
                if !cell.is_open() {
                    highest = highest.max(cell.distance());
                    table.note(index, cell.distance());
                } else if cell.left() == MAX_LEFT && solver.tables.status(board) == Status::Blocked {
                    blocked.push(index as u32);
                }
                table.cells[index].store(cell.to_bits(), Ordering::Relaxed);
            }
        }
        (blocked, highest)
    }
}

multiversion! {
    /// Tells about the positions of some rows that are decided at a level and are not blocked. Gives the highest level.
    fn tell[T: Tables](solver: &Solver<'_, T>, at: usize, rows: Range<u32>, level: u16) -> u16 {
        let table = &solver.open[at];
        let (won, lost) = (Cell::won(level), Cell::lost(level));
        let (mut updates, mut highest) = (Vec::with_capacity(2 * BATCH), 0);
        for number in rows {
            let mut row = None;
            let symmetric = solver.tables.is_symmetric(table.pair, number);
            let begin = table.index(Place { row: number, column: 0 });
            for index in table.spans(number, level).flatten() {
                let cell = table.load(index);
                if cell != won && cell != lost {
                    continue;
                }
                let row = row.get_or_insert_with(|| solver.tables.row(table.pair, number));
                let board = solver.tables.board(row, (index - begin) as u32);
                if solver.tables.status(board) == Status::Blocked {
                    continue;
                }
                solver.report(&mut updates, at, row, (board, false, cell == won, symmetric));
                if updates.len() >= BATCH {
                    highest = highest.max(solver.tell(&mut updates, level));
                }
            }
        }
        highest.max(solver.tell(&mut updates, level))
    }
}

multiversion! {
    /// The same for some of the blocked positions.
    fn tell_blocked[T: Tables](solver: &Solver<'_, T>, at: usize, numbers: &[u32], level: u16) -> u16 {
        let table = &solver.open[at];
        let (won, lost) = (Cell::won(level), Cell::lost(level));
        let (mut updates, mut highest) = (Vec::with_capacity(2 * BATCH), 0);
        for &index in numbers {
            let cell = table.load(index as usize);
            if cell != won && cell != lost {
                continue;
            }
            let number = index / table.columns;
            let row = solver.tables.row(table.pair, number);
            let board = solver.tables.board(&row, index % table.columns);
            let symmetric = solver.tables.is_symmetric(table.pair, number);
            solver.report(&mut updates, at, &row, (board, true, cell == won, symmetric));
            if updates.len() >= BATCH {
                highest = highest.max(solver.tell(&mut updates, level));
            }
        }
        highest.max(solver.tell(&mut updates, level))
    }
}

/// How a pair is solved.
#[derive(Clone, Copy, Debug)]
pub struct Effort<'a> {
    /// On how many threads.
    pub threads: usize,
    /// Who may stop it.
    pub control: &'a Control,
}

/// How many bytes [`solve`] takes for a pair while it works, besides the smaller tables.
///
/// ```
/// use sarai::exact::retrograde::memory_for;
/// use sarai::games::shah::{Rules, Shah};
/// use sarai::exact::solvable::{Pair, Solvable};
/// use sarai::Game;
/// let tables = Shah::new(Rules::default())?.tables(4);
/// assert!(memory_for(&tables, Pair { own: 3, other: 4 }) > memory_for(&tables, Pair { own: 3, other: 3 }));
/// # Ok::<(), sarai::Error>(())
/// ```
pub fn memory_for<T: Tables>(tables: &T, pair: Pair) -> u64 {
    let cells = |pair| tables.rows(pair) as u64 * tables.columns(pair) as u64;
    let both = if pair == pair.turned() { cells(pair) } else { cells(pair) + cells(pair.turned()) };
    // Two bytes a cell, and a 64th of a byte for its levels.
    2 * both + both / 64
}

/// Solves a pair and the turned one. `smaller` gives the solved tables that captures lead to; it is not asked where a
/// capture ends the game. Gives the pair's table, and the turned one's where that is another.
///
/// # Errors
/// When there is no memory or no thread for it, a game lasts longer than a cell can hold, or it was stopped.
pub fn solve<'a, T: Tables>(
    tables: &T,
    pair: Pair,
    smaller: impl Fn(Pair) -> Option<&'a Finished>,
    effort: Effort<'_>,
) -> Result<Vec<Finished>, Error> {
    let pairs = if pair == pair.turned() { vec![pair] } else { vec![pair, pair.turned()] };
    let mut known = [None; 2];
    let mut open = Vec::new();
    for (at, &pair) in pairs.iter().enumerate() {
        let captured = Pair { own: pair.other - 1, other: pair.own };
        known[at] = if tables.covers(captured) { smaller(captured) } else { None };
        open.push(Open::new(tables, pair)?);
    }
    let mut solver = Solver { tables, open, known, alone: effort.threads == 1 };
    let mut highest = 0;
    for at in 0..solver.open.len() {
        let found = Mutex::new((Vec::new(), 0));
        solver.each_row(at, effort, |rows| {
            let (mut blocked, level) = begin(&solver, at, rows);
            let mut found = lock(&found);
            found.0.append(&mut blocked);
            found.1 = found.1.max(level);
        })?;
        let (blocked, level) = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        solver.open[at].blocked = blocked;
        highest = highest.max(level);
    }
    let mut level = 0;
    while level <= highest && !effort.control.is_cancelled() {
        if level == MAX_TURNS {
            return Err(Error::new(format!("a game of the table {pair} takes more than {MAX_TURNS} turns")));
        }
        let come_up = AtomicU16::new(highest);
        let note = |level| _ = come_up.fetch_max(level, Ordering::Relaxed);
        for at in 0..solver.open.len() {
            let all = &solver.open[at].blocked;
            let plan = Plan { threads: effort.threads, piece: 1 << 10 };
            share_out(plan, 0..all.len() as u32, None, |piece: Range<u32>| {
                let numbers = &all[piece.start as usize..piece.end as usize];
                note(tell_blocked(&solver, at, numbers, level));
            })?;
        }
        for at in 0..solver.open.len() {
            solver.each_row(at, effort, |rows| {
                note(tell(&solver, at, rows, level));
            })?;
        }
        highest = come_up.into_inner();
        level += 1;
    }
    effort.control.check()?;
    let finished = solver.open.into_iter().map(|table| {
        let cells = || table.cells.iter().map(|cell| Cell::from_bits(cell.load(Ordering::Relaxed)).settled());
        Finished::of(table.pair, table.columns, table.cells.len(), cells)
    });
    finished.collect()
}

impl<T: Tables> Solver<'_, T> {
    /// Does `work` on all rows of a table, some at a time, unless it is stopped.
    fn each_row(&self, at: usize, effort: Effort<'_>, work: impl Fn(Range<u32>) + Sync) -> Result<(), Error> {
        let Open { rows, columns, .. } = self.open[at];
        let plan = Plan { threads: effort.threads, piece: (PIECE / columns).max(1) as usize };
        share_out(plan, 0..rows, Some(effort.control), |piece: Range<u32>| {
            if !effort.control.is_cancelled() {
                work(piece);
            }
        })
    }
}
