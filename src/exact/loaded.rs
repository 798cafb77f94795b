//! Tables in use: the files of a folder, of which blocks are read when positions of them are looked up.

use std::any::Any;
use std::cell::Cell as Mutable;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::values::write_values;
use super::{
    Blocks, Cell, Earliest, Effort, ExactValue, Fingerprint, Found, Header, Judge, Key, Layers, Pair,
    Solvable, Stored, Tables, fingerprint_of, has_layers, no_tables, open, same_values, values_of,
};
use crate::base::control::Control;
use crate::base::cpu::multiversion;
use crate::base::error::Error;
use crate::base::memory::room_for;
use crate::base::threads::{Plan, share_out};
use crate::rules::rng::Stream;
use crate::rules::{Action, Game, Position, States, Turn};

/// How tables are opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening {
    /// Whether every file is looked through for damage now; otherwise each block is when it is read.
    pub check: bool,
    /// How many bytes of blocks are kept in memory at most.
    pub room: u64,
    /// How many threads look through the files.
    pub threads: usize,
    /// Whether tables of the turns before are passed over where they are of other rules; otherwise it is an error to look
    /// one of those turns up.
    pub pass_over: bool,
}

/// The tables of one folder, for the states of any rule book whose values they hold.
pub struct Loaded<G: Solvable> {
    game: G,
    folder: PathBuf,
    numbering: G::Tables,
    /// The pairs in ascending order; each has the number of its table.
    pairs: Vec<Pair>,
    /// The number of each pair's table, by [`slot`].
    numbers: Vec<Option<usize>>,
    /// The turns before, where there are tables of them.
    layers: Option<G::Layers>,
    /// The key of each of these tables, in ascending order, with its number: these follow those of the pairs.
    before: Vec<(Key, usize)>,
    /// Why those that there are cannot be used. Layers depend on more rules than the tables of pairs, which can be used all
    /// the same.
    problem: Option<Error>,
    blocks: Blocks,
}

/// What stands in a column of turns where there are none.
pub const NO_TURNS: i16 = -1;

/// How many states a thread looks up at a time.
const PIECE: usize = 1 << 12;

/// A column of [`Loaded::numbers`]; a side has at most so many pieces.
const MOST: usize = u8::MAX as usize + 1;

/// So many positions of a table are drawn for one in which somebody can move: more than any table needs that has some.
const MAX_TRIES: u32 = 1 << 16;

/// How often a row looks whether it is stopped, in positions drawn.
const TRIES_A_LOOK: u32 = 64;

/// What is said of a state that no table has.
fn no_position(row: usize) -> Error {
    Error::new(format!("row {row}: the tables do not have this position"))
}

fn slot(pair: Pair) -> usize {
    pair.own as usize * MOST + pair.other as usize
}

/// The tables of one game, for whoever knows the game but not that it has any. Look-ups fail when a file cannot be read.
pub trait Oracle<G: Game>: Send + Sync {
    /// What a state is worth to who acts; `None` where the tables do not have it.
    fn value(&self, state: &G::State) -> Result<Option<ExactValue>, Error>;

    /// The same of the phase that is tabled, and nothing of the turns before: who learns by the best of the first turns
    /// meets few others.
    fn value_of_tabled(&self, state: &G::State) -> Result<Option<ExactValue>, Error>;

    /// What each action makes a state worth to who acts, the best first; `None` where the tables do not have all of them.
    fn moves(&self, state: &G::State) -> Result<Option<Vec<(Action, ExactValue)>>, Error>;

    /// The first of [`Oracle::moves`].
    fn best(&self, state: &G::State) -> Result<Option<(Action, ExactValue)>, Error>;

    /// The largest pair of a state and of what its moves lead to whose table is missing; `None` where none is, and where
    /// the state is of a phase that has no tables.
    fn missing(&self, state: &G::State) -> Option<Pair>;

    /// The pairs that there are tables of, in ascending order.
    fn pairs(&self) -> &[Pair];

    /// How many tables there are of the turns before.
    fn tables_before(&self) -> usize;

    /// The folder.
    fn folder(&self) -> &Path;
}

/// Any [`Loaded`]. It takes a [`Position`] or [`States`] of its game, and refuses those of other rules; to fill states of
/// another game is a bug in the caller, and panics.
pub trait AnyLoaded: Send + Sync {
    /// What each pair's file says about its table.
    fn headers(&self) -> Vec<&Header>;

    /// [`Oracle::value`]; it fails where the position is of other rules, too.
    fn value(&self, position: &dyn Any) -> Result<Option<ExactValue>, Error>;

    /// [`Oracle::moves`]; it fails where the position is of other rules, too.
    fn moves(&self, position: &dyn Any) -> Result<Option<Vec<(Action, ExactValue)>>, Error>;

    /// What each of many states is worth. Where the tables do not fit into memory, those of one block are looked up one
    /// after another, so that it is read once.
    ///
    /// # Errors
    /// When a file cannot be read, the states are of other rules, or the tables do not have one; the first is named.
    fn values(&self, states: &dyn Any, out: (&mut [i8], &mut [i16]), threads: usize) -> Result<(), Error>;

    /// Takes states of the tables, or of one pair's, each position as likely as any other: row `i` comes from this
    /// seed's stream `i`. The clock has just begun, and seat 0 is the side to move.
    ///
    /// # Errors
    /// When there is no such table, nobody can move in its positions, there is no memory for them, or it was stopped.
    fn sample(
        &self,
        states: &mut dyn Any,
        rows: usize,
        pair: Option<Pair>,
        seed: u64,
        control: &Control,
    ) -> Result<(), Error>;

    /// Takes the first position of a pair's table whose win takes the longest.
    ///
    /// # Errors
    /// When there is no such table, no win in it or no turns, or the file cannot be read.
    fn longest_win(&self, states: &mut dyn Any, pair: Pair) -> Result<(), Error>;

    /// Writes what the tables say, without turns, into another folder: [`write_values`].
    fn write_values(
        &self,
        folder: &Path,
        effort: Effort<'_>,
        tell: &mut dyn FnMut(&Header),
    ) -> Result<(), Error>;
}

impl<G: Solvable> Loaded<G> {
    /// Opens the tables of a folder.
    ///
    /// # Errors
    /// When there are none, or one cannot be read, is damaged or of other rules.
    pub fn open(folder: &Path, game: &G, opening: Opening) -> Result<Self, Error> {
        let game = game.without_limits();
        let (least, most) = game.pieces();
        let (mut pairs, mut blocks) = (Vec::new(), Blocks::new(opening.room));
        let mut numbers = vec![None; MOST * MOST];
        for own in least..=most {
            for other in least..=most {
                let pair = Pair { own, other };
                let Some(stored) = open(folder, &game, (None, pair))? else { continue };
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
        let (mut before, mut problem) = (Vec::new(), None);
        let few = has_layers::<G>(folder).then(|| game.layers(0));
        let keys = few.iter().flat_map(|layers| {
            let of = |layer| layers.pairs(layer).iter().map(move |&pair| (Some(layer), pair));
            (0..layers.count()).flat_map(of)
        });
        for (layer, pair) in keys {
            let due = Fingerprint::of(&game, layer);
            let path = due.path_in(folder, pair);
            if !path.exists() {
                continue;
            }
            let stored = match Stored::open(&path, &due, pair) {
                Ok(stored) => stored,
                Err(error) => {
                    let own = fingerprint_of(&path)?;
                    if own == due {
                        return Err(error);
                    }
                    Stored::open(&path, &own, pair)?;
                    problem = (!opening.pass_over).then_some(error);
                    break;
                }
            };
            if opening.check {
                stored.check(opening.threads)?;
            }
            before.push(((layer, pair), pairs.len() + before.len()));
            blocks.push(stored)?;
        }
        before.sort_unstable();
        let layers = before.last().map(|&((last, _), _)| game.layers(last.unwrap_or(u16::MAX)));
        let folder = folder.to_owned();
        Ok(Loaded { numbering, folder, game, pairs, numbers, layers, before, problem, blocks })
    }

    /// The pairs' files, without those of the turns before.
    fn files(&self) -> impl Iterator<Item = &Stored> {
        self.blocks.files().take(self.pairs.len())
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
        let columns = self.numbering.columns(self.pairs[table]);
        Some((table, self.numbering.place(board).index(columns) as u64))
    }

    /// Where a state in which a turn begins stands, and whether the value there is that of who acts; `None` within a turn.
    #[inline]
    fn index(&self, state: &G::State) -> Option<(Option<(usize, u64)>, bool)> {
        if let Some((board, acts)) = self.game.board(state) {
            return Some((self.stands(board), acts));
        }
        let (layer, position) = self.game.layer_of(state)?;
        Some((self.stands_before(layer, position), true))
    }

    /// The same of a position of a layer.
    fn stands_before(&self, layer: u16, position: <G::Layers as Layers>::Position) -> Option<(usize, u64)> {
        let layers = self.layers.as_ref()?;
        // Positions of later layers have no numbers here.
        let (last, _) = self.before.last()?.0;
        if Some(layer) > last {
            return None;
        }
        let (pair, place) = layers.place(layer, position);
        let at = self.before.binary_search_by_key(&(Some(layer), pair), |&(key, _)| key).ok()?;
        Some((self.before[at].1, place.index(layers.columns(layer, pair)) as u64))
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
            if self.before.is_empty() {
                return self.problem.clone().map_or(Ok(None), Err);
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

    fn check_rules(&self, game: &G) -> Result<(), Error> {
        same_values("the tables are", &self.game, Some(game), G::DECISIVE)
    }

    /// The first state of the turns before the tables, where those are of other rules: they depend on more of them.
    fn first_of_others(&self, game: &G, states: &[G::State]) -> Option<usize> {
        let first = states.iter().position(|state| !game.is_tabled(state))?;
        (values_of(game, G::LAYERED) != values_of(&self.game, G::LAYERED)).then_some(first)
    }

    /// The state of a position of these rules; `None` where no table can have it.
    fn known<'a>(&self, position: &'a dyn Any) -> Result<Option<&'a G::State>, Error> {
        let position = position.downcast_ref::<Position<G>>();
        let position = position.ok_or_else(|| of_another::<G>("state"))?;
        self.check_rules(position.game())?;
        let state = position.state();
        Ok(self.first_of_others(position.game(), std::slice::from_ref(state)).is_none().then_some(state))
    }
}

fn of_another<G: Game>(what: &str) -> Error {
    Error::new(format!("the tables are of {}, the {what} of another game", G::NAME))
}

fn rows_of<G: Game>(states: &mut dyn Any) -> &mut Vec<G::State> {
    &mut states.downcast_mut::<States<G>>().expect("states of the game").rows
}

impl<G: Solvable> Oracle<G> for Loaded<G> {
    #[inline]
    fn value(&self, state: &G::State) -> Result<Option<ExactValue>, Error> {
        match self.found(state)? {
            Found::Cell(cell, acts) => Ok(Some(ExactValue::seen(cell, acts))),
            Found::Missing | Found::InTurn => self.judged(state, |judge, state| judge.state(state)),
        }
    }

    fn value_of_tabled(&self, state: &G::State) -> Result<Option<ExactValue>, Error> {
        if self.game.is_tabled(state) { Oracle::value(self, state) } else { Ok(None) }
    }

    fn moves(&self, state: &G::State) -> Result<Option<Vec<(Action, ExactValue)>>, Error> {
        self.judged(state, |judge, state| judge.moves(state))
    }

    fn best(&self, state: &G::State) -> Result<Option<(Action, ExactValue)>, Error> {
        self.judged(state, |judge, state| judge.best_of(state))
    }

    fn missing(&self, state: &G::State) -> Option<Pair> {
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

    fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    fn tables_before(&self) -> usize {
        self.before.len()
    }

    fn folder(&self) -> &Path {
        &self.folder
    }
}

impl<G: Solvable> AnyLoaded for Loaded<G> {
    fn headers(&self) -> Vec<&Header> {
        self.files().map(Stored::header).collect()
    }

    fn value(&self, position: &dyn Any) -> Result<Option<ExactValue>, Error> {
        self.known(position)?.map_or(Ok(None), |state| Oracle::value(self, state))
    }

    fn moves(&self, position: &dyn Any) -> Result<Option<Vec<(Action, ExactValue)>>, Error> {
        self.known(position)?.map_or(Ok(None), |state| Oracle::moves(self, state))
    }

    fn values(&self, states: &dyn Any, out: (&mut [i8], &mut [i16]), threads: usize) -> Result<(), Error> {
        let states = states.downcast_ref::<States<G>>();
        let States { game, rows: states } = states.ok_or_else(|| of_another::<G>("states"))?;
        self.check_rules(game)?;
        if let Some(row) = self.first_of_others(game, states) {
            return Err(no_position(row));
        }
        let problem = Earliest::new();
        let look_up = |row: usize| {
            let missing = match Oracle::value(self, &states[row]) {
                Ok(Some(worth)) => return (worth.value, worth.turns.map_or(NO_TURNS, |turns| turns as i16)),
                Ok(None) => no_position(row),
                Err(error) => error,
            };
            problem.note(row as u64, || missing);
            (0, NO_TURNS)
        };
        let plan = Plan { threads, piece: 1 };
        if self.blocks.all_fit() {
            let pieces = out.0.chunks_mut(PIECE).zip(out.1.chunks_mut(PIECE)).enumerate();
            let mut pieces: Vec<_> = pieces.collect();
            share_out(plan, &mut pieces[..], None, |pieces| {
                look_up_in_order(pieces, &look_up);
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
        problem.into_result()
    }

    fn write_values(
        &self,
        folder: &Path,
        effort: Effort<'_>,
        tell: &mut dyn FnMut(&Header),
    ) -> Result<(), Error> {
        write_values(self.files(), folder, effort, tell)
    }

    fn longest_win(&self, states: &mut dyn Any, pair: Pair) -> Result<(), Error> {
        let missing = || Error::new(format!("{} has no win of {pair}", self.folder.display()));
        let table = self.pairs.iter().position(|&known| known == pair).ok_or_else(missing)?;
        let header = self.headers()[table];
        if !header.has_turns() {
            let stored = self.files().nth(table).expect("a table of the pair");
            return Err(stored.needs_turns("the longest win"));
        }
        let (longest, columns) = (header.summary.longest_win, header.columns as u64);
        let found = self.blocks.find(table, Cell::won(longest))?;
        let index = found.ok_or_else(missing)?;
        let row = self.numbering.row(pair, (index / columns) as u32);
        let board = self.numbering.board(&row, (index % columns) as u32);
        *rows_of::<G>(states) = vec![Solvable::state(&self.game, board)];
        Ok(())
    }

    fn sample(
        &self,
        states: &mut dyn Any,
        rows: usize,
        pair: Option<Pair>,
        seed: u64,
        control: &Control,
    ) -> Result<(), Error> {
        let headers: Vec<&Header> = self
            .files()
            .map(Stored::header)
            .filter(|header| pair.is_none_or(|pair| header.pair == pair))
            .collect();
        if headers.is_empty() {
            let pair = pair.map_or(String::new(), |pair| pair.to_string());
            return Err(Error::new(format!("{} has no table {pair}", self.folder.display())));
        }
        let tables = &self.numbering;
        // How many positions the rows of each table stand for, up to and with each row.
        let upto = |header: &&Header| {
            let mut all = 0;
            let weights = (0..tables.rows(header.pair)).map(|row| {
                all += tables.weight(header.pair, row) as u64 * header.columns as u64;
                all
            });
            weights.collect::<Vec<u64>>()
        };
        let upto: Vec<Vec<u64>> = headers.iter().map(upto).collect();
        let total: u64 = upto.iter().filter_map(|rows| rows.last()).sum();
        let states = rows_of::<G>(states);
        *states = room_for(rows)?;
        for number in 0..rows {
            let mut rng = Stream::of_samples(seed, number as u64);
            let mut tries = 0;
            let state = loop {
                if tries == MAX_TRIES {
                    return Err(Error::new(format!(
                        "nobody can move in {MAX_TRIES} positions drawn{}, so there is no state to give",
                        pair.map_or(String::new(), |pair| format!(" of {pair}"))
                    )));
                }
                if tries % TRIES_A_LOOK == 0 {
                    control.check()?;
                }
                tries += 1;
                let mut drawn = ((u128::from(rng.next_u64()) * u128::from(total)) >> 64) as u64;
                let mut at = 0;
                while drawn >= upto[at][upto[at].len() - 1] {
                    drawn -= upto[at][upto[at].len() - 1];
                    at += 1;
                }
                let row = upto[at].partition_point(|&before| before <= drawn) as u32;
                let row = tables.row(headers[at].pair, row);
                let state = Solvable::state(&self.game, tables.board(&row, rng.below(headers[at].columns)));
                // Where nobody can move there is no state.
                if matches!(self.game.turn(&state), Turn::Player(_))
                    && !self.game.legal_actions(&state).is_empty()
                {
                    break state;
                }
            };
            states.push(state);
        }
        Ok(())
    }
}

/// Rows of values and turns, by the number of their piece.
type Piece<'a> = (usize, (&'a mut [i8], &'a mut [i16]));

multiversion! {
    /// Looks states up in their order.
    fn look_up_in_order[L: Fn(usize) -> (i8, i16)](pieces: &mut [Piece<'_>], look_up: &L) -> () {
        for (number, (values, turns)) in pieces {
            for (at, (value, turns)) in values.iter_mut().zip(turns.iter_mut()).enumerate() {
                (*value, *turns) = look_up(*number * PIECE + at);
            }
        }
    }
}
