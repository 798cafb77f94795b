//! Tables in use: the files of a folder, of which blocks are read when positions of them are looked up.

mod before;

use std::cell::Cell as Mutable;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use before::Before;

use super::blocks::Blocks;
use super::cell::Cell;
use super::file::{Stored, no_tables};
use super::header::{Fingerprint, Header, path_in};
use super::values::write_values;
use super::worth::{Found, Judge, Worth};
use crate::base::control::Control;
use crate::base::cpu::{self, Work};
use crate::base::error::Error;
use crate::base::lock::lock;
use crate::base::memory::room_for;
use crate::base::threads::{Plan, share_out};
use crate::rules::action::Action;
use crate::rules::game::Turn;
use crate::rules::layered::Layered;
use crate::rules::solvable::{Pair, Tables};

/// How tables are opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening {
    /// Whether every file is looked through for damage now; otherwise each block is when it is read.
    pub check: bool,
    /// How many bytes of blocks are kept in memory at most.
    pub room: u64,
    /// How many threads look through the files.
    pub threads: usize,
}

/// The tables of one folder, for the states of any rule book whose values they hold.
pub struct Loaded<G: Layered> {
    game: G,
    folder: PathBuf,
    numbering: G::Tables,
    /// The pairs in ascending order; each has the number of its table.
    pairs: Vec<Pair>,
    /// The number of each pair's table, by [`slot`].
    numbers: Vec<Option<usize>>,
    /// The tables of the turns before, which have the numbers that follow.
    before: Before<G>,
    blocks: Blocks,
}

/// What stands in a column of turns where there are none.
pub const NO_TURNS: i16 = -1;

/// How many states a thread looks up at a time.
const PIECE: usize = 1 << 12;

/// A column of [`Loaded::numbers`]; a side has at most so many pieces.
const MOST: usize = u8::MAX as usize + 1;

/// What is said of a state that no table has.
pub fn no_position(row: usize) -> Error {
    Error::new(format!("row {row}: the tables do not have this position"))
}

fn slot(pair: Pair) -> usize {
    pair.own as usize * MOST + pair.other as usize
}

impl<G: Layered> Loaded<G> {
    /// Opens the tables of a folder.
    ///
    /// # Errors
    /// When there are none, or one cannot be read, is damaged or of other rules.
    pub fn open(folder: &Path, game: &G, opening: Opening) -> Result<Self, Error> {
        let fingerprint = Fingerprint::of(game);
        let game = game.without_limits();
        let (least, most) = game.pieces();
        let (mut pairs, mut blocks) = (Vec::new(), Blocks::new(opening.room));
        let mut numbers = vec![None; MOST * MOST];
        for own in least..=most {
            for other in least..=most {
                let pair = Pair { own, other };
                let path = path_in(folder, G::NAME, pair);
                if !path.exists() {
                    continue;
                }
                let stored = Stored::open(&path, &fingerprint, pair)?;
                if opening.check {
                    stored.check(opening.threads)?;
                }
                numbers[slot(pair)] = Some(pairs.len());
                pairs.push(pair);
                blocks.push(stored)?;
            }
        }
        let largest = pairs.iter().map(|pair| pair.own.max(pair.other)).max();
        let largest = largest.ok_or_else(|| no_tables(folder, G::NAME))?;
        let numbering = game.tables(largest);
        let before = Before::open(folder, &game, opening, pairs.len(), &mut blocks)?;
        Ok(Loaded { numbering, folder: folder.to_owned(), game, pairs, numbers, before, blocks })
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The pairs that there are tables of, in ascending order.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// How many tables there are of the turns before.
    pub fn tables_before(&self) -> usize {
        self.before.len()
    }

    /// What the tables are of.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(&self.game)
    }

    /// What each pair's file says about its table.
    pub fn headers(&self) -> impl Iterator<Item = &Header> {
        self.files().map(Stored::header)
    }

    /// The pairs' files, without those of the turns before.
    fn files(&self) -> impl Iterator<Item = &Stored> {
        self.blocks.files().take(self.pairs.len())
    }

    /// Writes what the tables say, without turns, into another folder; see [`write_values`].
    ///
    /// # Errors
    /// As there.
    pub fn write_values(
        &self,
        folder: &Path,
        threads: usize,
        control: &Control,
        tell: impl FnMut(&Header),
    ) -> Result<bool, Error> {
        write_values(self.files(), folder, threads, control, tell)
    }

    /// Fails where a table has no turns, which `what` needs.
    ///
    /// # Errors
    /// Names the first such table.
    pub fn with_turns(self, what: &str) -> Result<Self, Error> {
        let without = self.files().find(|stored| !stored.header().has_turns());
        let problem = without.map(|stored| stored.needs_turns(what));
        problem.map_or(Ok(self), Err)
    }

    /// Where a position stands: the number of its table, and the place in it; `None` where there is no such table.
    #[inline]
    fn stands(&self, board: <G::Tables as Tables>::Board) -> Option<(usize, u64)> {
        let table = self.numbers[slot(self.numbering.pair(board))]?;
        let place = self.numbering.place(board);
        let columns = self.numbering.columns(self.pairs[table]);
        Some((table, place.row as u64 * columns as u64 + place.column as u64))
    }

    /// Where a state in which a turn begins stands, and whether the value there is that of who acts; `None` within a turn.
    #[inline]
    fn index(&self, state: &G::State) -> Option<(Option<(usize, u64)>, bool)> {
        if let Some((board, acts)) = self.game.board(state) {
            return Some((self.stands(board), acts));
        }
        let (layer, position) = self.game.layer_of(state)?;
        Some((self.before.stands(&self.game, layer, position), true))
    }

    /// What the tables say of a state.
    #[inline]
    fn found(&self, state: &G::State) -> Result<Found, Error> {
        Ok(match self.index(state) {
            None => Found::InTurn,
            Some((None, _)) => Found::Missing,
            Some((Some((table, index)), acts)) => Found::Cell(self.blocks.get(table, index)?, acts),
        })
    }

    /// Asks the judge about the key of a state, and tells a missing table from one that cannot be read.
    fn judged<R>(
        &self,
        state: &G::State,
        ask: impl FnOnce(Judge<'_, G, &dyn Fn(&G::State) -> Found>, &G::State) -> Option<R>,
    ) -> Result<Option<R>, Error> {
        if !self.game.is_tabled(state) {
            if self.game.turn(state) == Turn::Over {
                return Ok(None);
            }
            self.before.problem()?;
            if self.before.len() == 0 {
                return Ok(None);
            }
        }
        let problem = OnceLock::new();
        let lookup = |state: &G::State| {
            self.found(state).unwrap_or_else(|error| {
                let _ = problem.set(error);
                Found::Missing
            })
        };
        let found = ask(Judge { game: &self.game, lookup: &lookup }, &self.game.key(state));
        problem.into_inner().map_or(Ok(found), Err)
    }

    /// What a state is worth to who acts; `None` where the tables do not have it.
    ///
    /// # Errors
    /// When a file cannot be read.
    #[inline]
    pub fn value(&self, state: &G::State) -> Result<Option<Worth>, Error> {
        match self.found(state)? {
            Found::Cell(cell, acts) => Ok(Some(Worth::seen(cell, acts))),
            Found::Missing | Found::InTurn => self.judged(state, |judge, state| judge.state(state)),
        }
    }

    /// What each of many states is worth. Where the tables do not fit into memory, those of one block are looked up one
    /// after another, so that it is read once.
    ///
    /// # Errors
    /// When a file cannot be read, or the tables do not have a state; the first of them is named.
    pub fn values(
        &self,
        states: &[G::State],
        out: (&mut [i8], &mut [i16]),
        threads: usize,
    ) -> Result<(), Error> {
        let problem: Mutex<Option<(usize, Error)>> = Mutex::new(None);
        let look_up = |row: usize| {
            let missing = match self.value(&states[row]) {
                Ok(Some(worth)) => return (worth.value, worth.turns.map_or(NO_TURNS, |turns| turns as i16)),
                Ok(None) => no_position(row),
                Err(error) => error,
            };
            let mut problem = lock(&problem);
            if problem.as_ref().is_none_or(|&(earlier, _)| row < earlier) {
                *problem = Some((row, missing));
            }
            (0, NO_TURNS)
        };
        let plan = Plan { threads, piece: 1 };
        if self.blocks.all_fit() {
            let pieces = out.0.chunks_mut(PIECE).zip(out.1.chunks_mut(PIECE)).enumerate();
            let mut pieces: Vec<_> = pieces.collect();
            share_out(plan, &mut pieces[..], None, |pieces| {
                cpu::run(LookUp { pieces, look_up: &look_up });
            })?;
        } else {
            let mut order = room_for(states.len())?;
            order.extend(states.iter().enumerate().map(|(row, state)| {
                let place = self.index(state).and_then(|(place, _)| place);
                (place.unwrap_or((0, 0)), row, (0, NO_TURNS))
            }));
            order.sort_unstable_by_key(|&(place, row, _)| (place, row));
            let mut pieces: Vec<_> = order.chunks_mut(PIECE).collect();
            share_out(plan, &mut pieces[..], None, |pieces| {
                for (_, row, found) in pieces.iter_mut().flat_map(|piece| piece.iter_mut()) {
                    *found = look_up(*row);
                }
            })?;
            for (_, row, found) in order {
                (out.0[row], out.1[row]) = found;
            }
        }
        let problem = problem.into_inner().unwrap_or_else(PoisonError::into_inner);
        problem.map_or(Ok(()), |(_, error)| Err(error))
    }

    /// What each action makes a state worth to who acts, the best first; `None` where the tables do not have all of them.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn moves(&self, state: &G::State) -> Result<Option<Vec<(Action, Worth)>>, Error> {
        self.judged(state, |judge, state| judge.moves(state))
    }

    /// The first of [`Loaded::moves`].
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn best(&self, state: &G::State) -> Result<Option<(Action, Worth)>, Error> {
        self.judged(state, |judge, state| judge.best_of(state))
    }

    /// The first position of a pair's table whose win takes the longest; `None` where there is no such table, or no win.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn longest_win(&self, pair: Pair) -> Result<Option<<G::Tables as Tables>::Board>, Error> {
        let Some((table, header)) = self.headers().enumerate().find(|(_, header)| header.pair() == pair)
        else {
            return Ok(None);
        };
        if !header.has_turns() {
            let stored = self.files().nth(table).expect("a table with a header");
            return Err(stored.needs_turns("the longest win"));
        }
        let (longest, columns) = (header.summary.longest_win, header.columns as u64);
        let found = self.blocks.find(table, Cell::won(longest))?;
        Ok(found.map(|index| {
            let row = self.numbering.row(pair, (index / columns) as u32);
            self.numbering.board(&row, (index % columns) as u32)
        }))
    }

    /// The largest pair of a state and of what its moves lead to whose table is missing; `None` where none is, and where
    /// the state is of a phase that has no tables.
    pub fn missing(&self, state: &G::State) -> Option<Pair> {
        if !self.game.is_tabled(state) {
            return None;
        }
        let state = self.game.key(state);
        let missing: Mutable<Option<Pair>> = Mutable::new(None);
        let lookup = |state: &G::State| {
            let Some((board, _)) = self.game.board(state) else { return Found::InTurn };
            let pair = self.numbering.pair(board);
            if self.numbers[slot(pair)].is_none() {
                let larger = |pair: Pair| (pair.own as u32 + pair.other as u32, pair);
                let known = missing.get();
                missing.set(Some(
                    known.map_or(pair, |known| if larger(pair) > larger(known) { pair } else { known }),
                ));
            }
            // Any value will do: all that matters is what is asked for.
            Found::Cell(Cell::DRAWN, true)
        };
        let judge = Judge { game: &self.game, lookup };
        judge.state(&state);
        judge.moves(&state);
        missing.into_inner()
    }
}

/// Rows of values and turns, by the number of their piece.
type Piece<'a> = (usize, (&'a mut [i8], &'a mut [i16]));

/// Looks states up in their order.
struct LookUp<'p, 'a, 'l, L> {
    pieces: &'p mut [Piece<'a>],
    look_up: &'l L,
}

impl<L: Fn(usize) -> (i8, i16)> Work for LookUp<'_, '_, '_, L> {
    type Output = ();

    #[cfg_attr(fast, inline(always))]
    fn run(self) {
        for (number, (values, turns)) in self.pieces {
            for (at, (value, turns)) in values.iter_mut().zip(turns.iter_mut()).enumerate() {
                (*value, *turns) = (self.look_up)(*number * PIECE + at);
            }
        }
    }
}
