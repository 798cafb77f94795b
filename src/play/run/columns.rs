//! The results of games as columns.

use std::collections::{BTreeMap, BTreeSet};
use std::iter::repeat_n;
use std::sync::Arc;

use super::Found;
use super::driver::{self, Finished, On, Played, Row};
use super::notes::{Notes, Room, Spent, Steps};
use crate::base::{Error, extend};
use crate::play::Stop;
use crate::rules::{FullGame, MAX_PLAYERS, PerPlayer, Player, Side};

/// One in so many games is timed: a look at the clock costs as much as a random decision.
const TIMED_EVERY: usize = 8;

/// The results, one entry a game and, where a game has several, all of a game's entries together.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Columns {
    /// Games x players: the final scores.
    pub returns: Vec<f32>,
    /// The side that won, -1 for a draw.
    pub winner: Vec<i8>,
    /// Decisions.
    pub lengths: Vec<i32>,
    /// Turns played.
    pub turns: Vec<i32>,
    /// For each statistic of the game, games x players.
    pub statistics: Vec<Vec<i32>>,
    /// What tells games apart: those that ended in the same position after as many decisions, turns and whatever the
    /// statistics count have the same.
    pub digests: Vec<u32>,
    /// The decisions of all games, where they were asked for.
    pub steps: Option<Steps>,
    /// The paths of the games to keep, by row: every step in order, outcomes of chance and actions.
    pub paths: BTreeMap<usize, Vec<u16>>,
    /// For each seat, how long its agent took to choose in the games that were timed: all else is the same whenever
    /// and wherever it is played.
    pub spent: [Spent; MAX_PLAYERS],
    /// What there is to each series, where games were played in series: the games of one together and in their order.
    pub series: Option<SeriesColumns>,
}

/// What there is to each series.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SeriesColumns {
    /// The side that won it, -1 for none.
    pub winner: Vec<i8>,
    /// What tells series apart, as [`Columns::digests`] does games.
    pub digests: Vec<u32>,
    /// Where each series' games begin, and where the last end.
    pub offsets: Vec<i64>,
    /// Games: the seat that began, -1 where nobody came to choose.
    pub starter: Vec<i8>,
}

/// A side as a number.
pub(super) fn number(side: Option<Side>) -> i8 {
    side.map_or(-1, |side| side.0 as i8)
}

impl Columns {
    /// Columns of no games yet.
    pub(super) fn of<G: FullGame>() -> Self {
        Columns { statistics: vec![Vec::new(); G::STATISTICS.len()], ..Columns::default() }
    }

    /// Adds rows for so many games.
    pub(super) fn grow(&mut self, games: usize, players: usize) -> Result<(), Error> {
        extend(&mut self.returns, repeat_n(0.0, games * players))?;
        extend(&mut self.winner, repeat_n(0, games))?;
        extend(&mut self.lengths, repeat_n(0, games))?;
        extend(&mut self.turns, repeat_n(0, games))?;
        extend(&mut self.digests, repeat_n(0, games))?;
        self.statistics.iter_mut().try_for_each(|column| extend(column, repeat_n(0, games * players)))
    }

    /// Writes a row.
    pub(super) fn write(&mut self, row: usize, game: &Finished) {
        let returns = game.returns.as_slice();
        let first = row * returns.len();
        for (cell, score) in self.returns[first..].iter_mut().zip(returns) {
            *cell = *score as f32;
        }
        self.winner[row] = number(game.winner);
        self.lengths[row] = game.decisions as i32;
        self.turns[row] = game.turns;
        self.digests[row] = game.digest as u32;
        for (statistic, column) in self.statistics.iter_mut().enumerate() {
            for (seat, cell) in column[first..][..returns.len()].iter_mut().enumerate() {
                *cell = game.counts.get(statistic, Player(seat as u8)) as i32;
            }
        }
    }
}

/// What comes in any order and is needed in the order of rows.
#[derive(Debug)]
pub(super) struct InOrder<T> {
    waiting: BTreeMap<usize, T>,
    next: usize,
}

impl<T> Default for InOrder<T> {
    fn default() -> Self {
        InOrder { waiting: BTreeMap::new(), next: 0 }
    }
}

impl<T> InOrder<T> {
    /// Takes in what belongs to a row.
    pub(super) fn put(&mut self, row: usize, item: T) {
        self.waiting.insert(row, item);
    }

    /// What comes next, if it is there.
    pub(super) fn next(&mut self) -> Option<T> {
        let item = self.waiting.remove(&self.next)?;
        self.next += 1;
        Some(item)
    }
}

/// Writes columns.
#[derive(Debug)]
pub(super) struct Sink {
    columns: Columns,
    room: Arc<Room>,
    keep: BTreeSet<usize>,
    timed: bool,
    steps: InOrder<(Steps, PerPlayer<f64>)>,
}

impl Sink {
    pub(super) fn new<G: FullGame>(
        game: &G,
        games: u64,
        room: Room,
        keep: BTreeSet<usize>,
        timed: bool,
    ) -> Result<Self, Error> {
        let mut columns = Columns::of::<G>();
        columns.grow(games as usize, game.num_players())?;
        columns.steps = room.takes_decisions().then(|| Steps { offsets: vec![0], ..Steps::default() });
        Ok(Sink { columns, room: Arc::new(room), keep, timed, steps: InOrder::default() })
    }
}

impl<G: FullGame> driver::Sink<G> for Sink {
    type Notes = Option<Box<Notes>>;

    fn notes(&mut self, row: usize, _: u64) -> Self::Notes {
        let steps = self.columns.steps.as_ref().map(|_| Steps::default());
        let path = self.keep.contains(&row).then(Vec::new);
        let spent = (self.timed && row.is_multiple_of(TIMED_EVERY)).then(Default::default);
        let some = steps.is_some() || path.is_some() || spent.is_some();
        some.then(|| Box::new(Notes { steps, path, spent, room: Arc::clone(&self.room), full: false }))
    }

    fn play(&self, played: &mut Played<G>, notes: &mut Self::Notes, on: &On<'_, G>) -> Stop {
        match notes {
            None => on.play(played, &mut ()),
            // Past a limit nothing more is worth playing.
            Some(_) if self.room.check().is_err() => Stop::Full,
            Some(notes) => on.play(played, &mut **notes),
        }
    }

    fn play_two(&self, one: &mut Row<G, Self::Notes>, other: &mut Row<G, Self::Notes>, on: &On<'_, G>) {
        if one.notes.is_none() && other.notes.is_none() {
            on.play_two((&mut one.played, &mut ()), (&mut other.played, &mut ()));
        }
    }

    fn check(&self) -> Result<(), Error> {
        self.room.check()
    }

    fn take(&mut self, played: &Played<G>, notes: Self::Notes, books: &[G]) -> Result<(), Error> {
        let (row, finished, columns) = (played.row, played.finished(books), &mut self.columns);
        columns.write(row, &finished);
        let Some(notes) = notes else { return Ok(()) };
        for (all, one) in columns.spent.iter_mut().zip(notes.spent.into_iter().flatten()) {
            all.time += one.time;
            all.choices += one.choices;
        }
        columns.paths.extend(notes.path.map(|path| (row, path)));
        if let (Some(mut steps), Some(all)) = (notes.steps, &mut columns.steps) {
            steps.end(&books[played.book], &played.game.state)?;
            self.steps.put(row, (steps, finished.returns));
            while let Some((steps, returns)) = self.steps.next() {
                all.append(&steps, &returns)?;
            }
        }
        Ok(())
    }

    fn found(mut self, _: G) -> Found {
        if let Some(steps) = &mut self.columns.steps {
            // Columns grow by doubling; what they did not need goes back.
            steps.observations.shrink_to_fit();
            steps.masks.shrink_to_fit();
            steps.rewards.shrink_to_fit();
            steps.finals.shrink_to_fit();
        }
        Found::Columns(Box::new(self.columns))
    }
}

#[cfg(test)]
mod tests {
    use super::super::driver::Driver;
    use super::super::{Run, RunConfig};
    use super::*;
    use crate::agents::Agent;
    use crate::base::control::Control;
    use crate::games::sho::Sho;
    use crate::play::game_in_play::Seat;
    use crate::rules::Game;

    #[test]
    fn a_limit_holds_while_games_are_recorded() {
        for (limit, threads) in [(1, 1), (1000, 1), (1000, 2)] {
            let game = Sho::new(Default::default()).unwrap();
            let config = RunConfig::new(vec![Seat::Inside(Agent::Random); 3], 10_000, 1);
            let seats = config.bind(&game).unwrap();
            let sink = Sink::new(&game, config.num, Room::new(Some(limit)), [0].into(), false).unwrap();
            let mut driver = Driver::new(vec![game], seats, RunConfig { threads, ..config }, sink);
            let refused = driver.advance(&Control::default()).unwrap_err();
            assert!(refused.to_string().contains("max_decisions"), "{refused:?}");
            let steps = driver.rows.iter().filter_map(|row| row.notes.as_ref()?.steps.as_ref());
            let steps = steps.chain(driver.sink.columns.steps.as_ref());
            let steps = steps.chain(driver.sink.steps.waiting.values().map(|(steps, _)| steps));
            let recorded: usize = steps.map(|steps| steps.actions.len()).sum();
            assert!(recorded as u64 <= limit, "{recorded} were recorded, {limit} allowed");
        }
    }
}
