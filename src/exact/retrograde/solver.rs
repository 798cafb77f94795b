//! What is known of a pair while it is being solved, and how a decided position is told to those that lead to it.

use std::sync::atomic::{AtomicU16, Ordering};

use crate::exact::cell::{Cell, MAX_LEFT};
use crate::exact::finished::Finished;
use crate::rules::solvable::{Pair, Place, Status, Step, Tables};

/// A table that is being solved.
pub(super) struct Open {
    pub(super) pair: Pair,
    pub(super) rows: u32,
    pub(super) columns: u32,
    pub(super) cells: Vec<AtomicU16>,
    /// The numbers of the blocked positions.
    pub(super) blocked: Vec<u32>,
}

impl Open {
    #[inline(always)]
    pub(super) fn index(&self, place: Place) -> usize {
        place.row as usize * self.columns as usize + place.column as usize
    }

    #[inline(always)]
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
pub(super) struct News<B> {
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
    #[inline(always)]
    fn turned(&self, at: usize) -> usize {
        (at + 1) % self.open.len()
    }

    /// Changes a cell, unless `change` gives `None`. Gives what it has become.
    #[inline(always)]
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
    #[inline(always)]
    fn turns_into(&self, board: T::Board) -> u16 {
        (self.tables.status(board) != Status::Blocked) as u16
    }

    /// What a position is before anything is known but its captures.
    #[inline(always)]
    pub(super) fn beginning(&self, at: usize, board: T::Board) -> Cell {
        match self.tables.status(board) {
            Status::Lost => return Cell::lost(0),
            // Nothing will ever be told to it.
            Status::Drawn | Status::Blocked => return Cell::open(MAX_LEFT, false),
            Status::Moves => {}
        }
        let (mut quiet, mut drawn, mut won, mut lost) = (0, false, u16::MAX, 0);
        self.tables.successors(board, |step| match step {
            Step::Quiet(_) => quiet += 1,
            Step::Win => won = 1,
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
        });
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
    #[inline(always)]
    fn captured(&self, at: usize, board: T::Board) -> Cell {
        match self.known[at] {
            Some(known) => known.get(self.tables.place(board)),
            None => Cell::DRAWN,
        }
    }

    /// The most turns that captures delay a loss, where all of them lose.
    fn longest_capture(&self, at: usize, board: T::Board) -> u16 {
        let mut longest = 0;
        self.tables.successors(board, |step| {
            if let Step::Capture(next) = step {
                longest = longest.max(self.captured(at, next).distance() + self.turns_into(next));
            }
        });
        longest
    }

    /// In how many turns the opponent of whoever chooses here wins, if every move is known to lose in `level` turns or
    /// less.
    fn all_lose(&self, at: usize, board: T::Board, blocked: bool, level: u16) -> Option<u16> {
        let next_table = if blocked { at } else { self.turned(at) };
        let (mut all, mut longest) = (true, 0);
        self.tables.successors(board, |step| {
            if !all {
                return;
            }
            let (cell, next) = match step {
                Step::Quiet(next) => {
                    let table = &self.open[next_table];
                    let cell = table.load(table.index(self.tables.place(next)));
                    // Others may be writing what is decided in more turns.
                    all = cell.distance() <= level;
                    (cell, next)
                }
                Step::Capture(next) => (self.captured(at, next), next),
                Step::Win => return all = false,
            };
            all &= cell.is_won();
            // After an extra move the turn is over, whatever it leads to.
            let turns = if blocked { 1 } else { self.turns_into(next) };
            longest = longest.max(cell.distance() + turns);
        });
        all.then_some(longest)
    }

    /// Tells predecessors about a level. Returns the highest level that has come up.
    #[inline(always)]
    pub(super) fn tell(&self, news: &mut Vec<News<T::Board>>, level: u16) -> u16 {
        // All cells are asked for before the first is waited for.
        for one in news.iter_mut() {
            one.seen = self.open[one.table as usize].load(one.index);
        }
        let mut highest = 0;
        for one in news.iter() {
            let table = one.table as usize;
            let turns = level + one.turns;
            let changed = if !one.won {
                // One move decides: the mover's to a lost position, or an extra move to one lost for who is blocked.
                let (decided, better) =
                    (if one.blocked { Cell::lost(turns) } else { Cell::won(turns) }, turns);
                self.change(table, one.index, |cell| {
                    (cell.is_open() || cell.distance() > better).then_some(decided)
                })
            } else if !one.seen.is_open() {
                None
            } else if one.again {
                self.all_lose(table, one.board, one.blocked, level).and_then(|longest| {
                    let decided = if one.blocked { Cell::won(longest) } else { Cell::lost(longest) };
                    self.change(table, one.index, |cell| cell.is_open().then_some(decided))
                })
            } else {
                self.change(table, one.index, |cell| match (cell.is_open(), cell.left()) {
                    (false, _) => None,
                    (true, 1) if cell.captures_lose() => {
                        Some(Cell::lost(turns.max(self.longest_capture(table, one.board))))
                    }
                    (true, 1) => Some(Cell::lost(turns)),
                    (true, _) => Some(cell.one_less()),
                })
            };
            if let Some(cell) = changed.filter(|cell| !cell.is_open()) {
                highest = highest.max(cell.distance());
            }
        }
        news.clear();
        highest
    }

    /// Adds what there is to tell about a decided position.
    #[inline(always)]
    pub(super) fn report(
        &self,
        news: &mut Vec<News<T::Board>>,
        at: usize,
        row: &T::Row,
        (board, blocked, won, symmetric): (T::Board, bool, bool, bool),
    ) {
        let before = self.turned(at);
        let table = &self.open[before];
        let turns = !blocked as u16;
        self.tables.predecessors(row, board, |board, place| {
            let mut tell = |board, place, again| {
                let (index, seen, table) = (table.index(place), Cell::DRAWN, before as u8);
                news.push(News { board, index, seen, table, turns, blocked: false, won, again });
            };
            if self.tables.is_symmetric(table.pair, place.row) {
                self.tables.equals(board, place.row, |board, place| tell(board, place, true));
            } else {
                tell(board, place, symmetric);
            }
        });
        let table = &self.open[at];
        self.tables.blocked_predecessors(board, |board, place| {
            let (index, seen) = (table.index(place), Cell::DRAWN);
            news.push(News {
                board,
                index,
                seen,
                table: at as u8,
                turns: 1,
                blocked: true,
                won,
                again: true,
            });
        });
    }
}
