//! Metrics of a game, added up while games are played; nothing of the games is kept.
//!
//! The games are those of a rollout with the same seed: game `i` is the same game, whether it is measured or not.

mod boards;
mod heat;
mod judging;
mod totals;
mod trace;

use std::sync::Mutex;
use std::sync::atomic::AtomicU8;

pub use self::boards::{REGISTER_BITS, REGISTERS};
pub use self::heat::Heat;
pub use self::totals::{Moments, PHASES, QUANTITIES, Quantity, Ratio, Spread, Totals};

use self::boards::{Boards, see};
use self::heat::Watched;
use self::judging::{Judged, scale};
use self::totals::{DECISIONS, OfGame, TURNS};
use self::trace::{Looking, Trace};
use super::driver::{On, Played, Row, Sink};
use super::{Found, RunConfig};
use crate::agents::{Evaluator, Stream};
use crate::base::{Control, Error, lock, worker, zeros};
use crate::play::Stop;
use crate::rules::{FullGame, Player, Side};

/// What was measured.
#[derive(Clone, PartialEq, Debug)]
pub struct Measured {
    /// The sums.
    pub totals: Totals,
    /// Sketches x [`REGISTERS`]: the positions in which somebody decided, by doublings of the number of games: sketch `k`
    /// is of the games in rows `2^k - 1` to `2^(k + 1) - 2`.
    pub boards: Vec<u8>,
    /// [`REGISTERS`]: the ends of games, as a rollout's digests tell them apart.
    pub ends: Vec<u8>,
    /// What the places are called, by which [`Totals::heat`] counts.
    pub places: Vec<String>,
    /// How many of them, the last ones, are beside the board.
    pub beside: usize,
    /// Games x [`QUANTITIES`]: the values of each game, NaN where it has none; `None` where nobody asked.
    pub per_game: Option<Vec<f64>>,
}

/// What is noted of a game that is measured.
#[derive(Debug)]
pub(super) struct Notes {
    trace: Trace,
    judged: Option<Box<Judged>>,
    watched: Option<Box<Watched>>,
    /// Of a finished game, where the values of each game are asked for.
    values: Option<Box<OfGame>>,
}

impl Notes {
    /// Whether positions are looked at.
    fn looks(&self) -> bool {
        self.judged.is_some() || self.watched.is_some()
    }
}

/// Adds up games.
#[derive(Debug)]
pub(super) struct Measuring {
    seed: u64,
    boards: Boards,
    board_games: usize,
    judge: Option<Evaluator>,
    /// How many places are watched.
    places: usize,
    /// One for each thread, so that nobody waits for another.
    totals: Vec<Mutex<Totals>>,
    ends: Vec<AtomicU8>,
    /// A seat of each side.
    leads: Vec<(Side, Player)>,
    /// For games to come.
    spares: Vec<Trace>,
    /// See [`Measured::per_game`].
    per_game: Option<Vec<f64>>,
}

impl Measuring {
    pub(super) fn new<G: FullGame>(
        game: &G,
        config: &RunConfig,
        board_games: u64,
        judge: Option<Evaluator>,
        per_game: bool,
    ) -> Result<Self, Error> {
        if let Some(judge) = &judge {
            judge.fits(game, format_args!("evaluator '{judge}'"))?;
        }
        let mut leads: Vec<(Side, Player)> = Vec::new();
        for seat in (0..game.num_players()).map(|seat| Player(seat as u8)) {
            if leads.iter().all(|(side, _)| *side != game.side(seat)) {
                leads.push((game.side(seat), seat));
            }
        }
        let board_games = board_games.min(config.num);
        Ok(Measuring {
            seed: config.seed,
            boards: Boards::new(board_games),
            board_games: board_games as usize,
            judge,
            places: game.num_places() + G::BESIDE.len(),
            totals: (0..config.threads).map(|_| Mutex::new(Totals::new())).collect(),
            ends: (0..REGISTERS).map(|_| AtomicU8::default()).collect(),
            leads,
            spares: Vec::new(),
            per_game: per_game.then(|| zeros(config.num as usize * QUANTITIES.len())).transpose()?,
        })
    }

    /// Who looks at the positions of a row.
    fn looking<'a>(&'a self, row: usize, notes: &'a mut Notes, control: &'a Control) -> Looking<'a> {
        let Notes { trace, judged, watched, .. } = notes;
        let boards = (row < self.board_games).then(|| self.boards.of_row(row));
        let judged = self.judge.as_ref().zip(judged.as_deref_mut());
        Looking { trace, boards, watched: watched.as_deref_mut(), judged, control }
    }
}

impl<G: FullGame> Sink<G> for Measuring {
    type Notes = Notes;

    fn notes(&mut self, row: usize, number: u64) -> Notes {
        let judged = || Box::new(Judged::new(Stream::of_metrics(self.seed, number)));
        let watched = || Box::new(Watched::new(self.places, self.leads.len()));
        Notes {
            judged: self.judge.is_some().then(judged),
            watched: (row < self.board_games).then(watched),
            trace: self.spares.pop().unwrap_or_default(),
            values: None,
        }
    }

    fn play(&self, played: &mut Played<G>, notes: &mut Notes, on: &On<'_, G>) -> Stop {
        if !notes.looks() {
            return on.play(played, &mut notes.trace);
        }
        let mut looking = self.looking(played.row, notes, on.control);
        on.play(played, &mut looking)
    }

    fn play_two(&self, one: &mut Row<G, Notes>, other: &mut Row<G, Notes>, on: &On<'_, G>) {
        let (Row { played: one, notes, .. }, Row { played: other, notes: others, .. }) = (one, other);
        if !notes.looks() && !others.looks() {
            on.play_two((one, &mut notes.trace), (other, &mut others.trace));
        } else if self.judge.is_none() {
            let mut looking = self.looking(one.row, notes, on.control);
            let mut others = self.looking(other.row, others, on.control);
            on.play_two((one, &mut looking), (other, &mut others));
        }
    }

    fn over(&self, played: &mut Played<G>, notes: &mut Notes, books: &[G]) -> bool {
        let (book, state, finished) = (&books[played.book], &played.game.state, played.finished(books));
        let mut totals = lock(&self.totals[worker() % self.totals.len()]);
        let mut values = OfGame::default();
        totals.games += 1;
        values[TURNS] = Some(finished.turns as u64);
        values[DECISIONS] = Some(u64::from(finished.decisions));
        totals.add_options(notes.trace.options(), &mut values);
        match finished.winner {
            Some(side) => totals.wins[side.index()] += 1,
            None if book.is_timed_out(state) => totals.timeouts += 1,
            None => totals.draws += 1,
        }
        let (least, most) = book.returns_range();
        for (moments, score) in totals.returns.iter_mut().zip(finished.returns.as_slice()) {
            moments.add(scale(*score, least, most));
        }
        see(&self.ends, finished.digest);
        if let Some(watched) = notes.watched.take() {
            watched.end(book, state, &mut totals.heat);
        }
        if let Some(judged) = notes.judged.take() {
            judged.add_to(&mut totals, &mut values, &self.leads, finished.winner);
        }
        totals.add(&values);
        if self.per_game.is_some() {
            notes.values = Some(Box::new(values));
        }
        false
    }

    fn take(&mut self, played: &Played<G>, notes: Notes, _: &[G]) -> Result<(), Error> {
        if let (Some(per_game), Some(values)) = (&mut self.per_game, notes.values) {
            let row =
                per_game.chunks_exact_mut(QUANTITIES.len()).nth(played.row).expect("a row for each game");
            for ((cell, value), quantity) in row.iter_mut().zip(*values).zip(QUANTITIES) {
                *cell = value.map_or(f64::NAN, |value| value as f64 / (1u64 << quantity.bits) as f64);
            }
        }
        self.spares.push(notes.trace.emptied());
        Ok(())
    }

    fn found(self, book: G) -> Found {
        let mut totals = Totals::new();
        self.totals.iter().for_each(|some| totals.merge(&lock(some)));
        Found::Metrics(Box::new(Measured {
            totals,
            boards: self.boards.into_registers(),
            ends: self.ends.into_iter().map(AtomicU8::into_inner).collect(),
            places: book.all_places(),
            beside: G::BESIDE.len(),
            per_game: self.per_game,
        }))
    }
}
