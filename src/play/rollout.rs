//! Many games played to their end, with their results as columns.
//!
//! Game `i` of seed `s` is played on stream `i` of that seed, whichever call, thread or window it falls into; so a
//! rollout can be split anywhere and run anywhere and stays the same.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::agents::Agent;
use crate::agents::rng::Streams;
use crate::base::control::Control;
use crate::base::error::Error;
use crate::base::memory::{self, zeros};
use crate::play::game_in_play::{BoundSeat, GameInPlay, MAX_RANDOM_PLIES, Opening, Seat, Stop, Trees};
use crate::play::recording::{Drawn, MAX_KEPT_STEPS, Notes, Room, Spent, Steps};
use crate::play::states::States;
use crate::play::window::{Asking, Playing, Row, Window};
use crate::rules::action::{Action, ActionSet};
use crate::rules::game::FullGame;
use crate::rules::player::{MAX_PLAYERS, PerPlayer, Player};

/// The most games in one rollout; more are played in several calls, one after the other by `first_game`.
pub const MAX_GAMES: u64 = 100_000_000;

/// One in so many games is timed: a look at the clock costs as much as a random decision.
const TIMED_EVERY: usize = 8;

/// Games under way at a time: memory does not grow beyond them and the results.
pub(super) const WINDOW: usize = 4096;

/// What is to be played.
#[derive(Clone, Debug)]
pub struct RolloutConfig {
    /// How many games, 1 to [`MAX_GAMES`].
    pub num_games: u64,
    /// The number of the first game.
    pub first_game: u64,
    /// The seed of all streams.
    pub seed: u64,
    /// Who plays each seat.
    pub seats: Vec<Seat>,
    /// With how many random decisions each game begins, 0 to [`MAX_RANDOM_PLIES`]; they are the same whoever plays.
    pub random_plies: u32,
    /// Worker threads, as [`crate::base::threads::resolve`] gives them.
    pub threads: usize,
    /// Keep every decision, at most so many in all; `None` keeps none.
    pub record: Option<u64>,
    /// Keep the paths of the games in these rows, [`MAX_KEPT_STEPS`] steps in all.
    pub keep: BTreeSet<usize>,
}

/// Where games start.
#[derive(Clone, Debug)]
pub enum Start<S> {
    /// Where every game of the rule book does.
    Initial,
    /// In these states, so many games in each, one after the other.
    From {
        /// The states.
        states: Vec<S>,
        /// How many games start in each, at least 1.
        games: usize,
    },
}

impl<S: Copy> Start<S> {
    /// Where the game in this row starts; `None` for [`Start::Initial`].
    fn of(&self, row: usize) -> Option<S> {
        match self {
            Start::Initial => None,
            Start::From { states, games } => Some(states[row / games]),
        }
    }
}

/// The results, one entry a game and, where a game has several, all of a game's entries together.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Columns {
    /// Games x players: the final scores.
    pub returns: Vec<f32>,
    /// The side that won, -1 for a draw.
    pub winner: Vec<i8>,
    /// Decisions.
    pub lengths: Vec<i32>,
    /// TurnEnds played.
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
}

/// A game of a rollout.
#[derive(Debug)]
struct OneGame<G: FullGame> {
    /// Its number among all games of the seed.
    number: u64,
    /// Its row in the columns.
    row: usize,
    game: GameInPlay<G>,
    trees: Trees<G>,
    /// The random decisions that are still to be played.
    opening: Option<Opening>,
    notes: Option<Box<Notes<G::State>>>,
}

impl<G: FullGame> OneGame<G> {
    /// Plays the random decisions of the beginning, if there are any and they have not been played yet.
    fn begin(&mut self, book: &G) {
        if let Some(mut opening) = self.opening.take() {
            opening.begin(&mut self.game, book, &mut self.notes);
        }
    }
}

impl<G: FullGame> Row<G> for OneGame<G> {
    fn book(&self) -> usize {
        0
    }
    fn state(&self) -> &G::State {
        &self.game.state
    }
    fn play(&mut self, book: &G, player: Player, legal: ActionSet, action: Action) {
        self.game.play(book, player, legal, action, &mut self.notes);
    }
    fn advance_two(one: &mut Self, other: &mut Self, books: &[G], seats: &[BoundSeat<G>], control: &Control) {
        let random = |seat: &BoundSeat<G>| matches!(seat, Seat::Inside(Agent::Random));
        if G::IN_PAIRS && one.notes.is_none() && other.notes.is_none() && seats.iter().all(random) {
            one.begin(&books[0]);
            other.begin(&books[0]);
            let (one, other) = (&mut one.game, &mut other.game);
            GameInPlay::advance_two_at_random(&books[0], one, other, (&mut (), &mut ()), control);
        }
    }
    fn place(&self) -> String {
        format!("game {}", self.number)
    }
}

/// A rollout under way: [`Playing::advance`] plays until every game is over or waits for an outside agent.
#[derive(Debug)]
pub struct Rollout<G: FullGame> {
    config: RolloutConfig,
    start: Start<G::State>,
    window: Window<G, OneGame<G>>,
    /// Games that have been taken up.
    begun: usize,
    columns: Columns,
    /// Recorded games that wait for an earlier one, by row.
    waiting: BTreeMap<usize, (Steps, PerPlayer<f64>)>,
    flushed: usize,
    room: Arc<Room>,
    /// For each row, a state that was drawn from those in which somebody decided.
    drawn: Option<Vec<G::State>>,
    timed: bool,
}

impl<G: FullGame> Rollout<G> {
    /// A rollout of which nothing has been played yet.
    ///
    /// # Errors
    /// When a size is out of range, seats are not as many as players, or the results do not fit in memory.
    pub fn new(game: G, config: RolloutConfig) -> Result<Self, Error> {
        Rollout::from(game, config, Start::Initial)
    }

    /// The same for games that start elsewhere. What has been counted and how many turns were played is counted from
    /// there.
    ///
    /// # Errors
    /// As [`Rollout::new`].
    ///
    /// # Panics
    /// When there is not a state for each game.
    pub fn from(game: G, config: RolloutConfig, start: Start<G::State>) -> Result<Self, Error> {
        check_games(config.num_games, config.first_game, config.random_plies)?;
        if let Start::From { states, games } = &start {
            let enough = states.len() as u128 * *games as u128 >= config.num_games as u128;
            assert!(enough, "a state for each game");
        }
        let players = game.num_players();
        let window = Window::new(vec![game], config.seats.clone(), config.threads, WINDOW)?;
        let games = config.num_games as usize;
        let statistics = G::STATISTICS.iter().map(|_| zeros(games * players));
        let columns = Columns {
            returns: zeros(games * players)?,
            winner: zeros(games)?,
            lengths: zeros(games)?,
            turns: zeros(games)?,
            statistics: statistics.collect::<Result<_, _>>()?,
            digests: zeros(games)?,
            steps: config.record.map(|_| Steps { offsets: vec![0], ..Steps::default() }),
            paths: BTreeMap::new(),
            spent: Default::default(),
        };
        let room = Arc::new(Room {
            decisions: AtomicU64::new(0),
            max_decisions: config.record.unwrap_or(u64::MAX),
            kept: AtomicU64::new(0),
            max_kept: MAX_KEPT_STEPS,
        });
        Ok(Rollout {
            config,
            start,
            window,
            begun: 0,
            columns,
            waiting: BTreeMap::new(),
            flushed: 0,
            room,
            drawn: None,
            timed: false,
        })
    }

    /// From now on takes the time of what agents inside the engine choose in every eighth game; see [`Columns::spent`].
    pub fn time_choices(&mut self) {
        self.timed = true;
    }

    /// From now on draws a state from each game, uniformly from those in which somebody decided; see
    /// [`Rollout::into_drawn`].
    ///
    /// # Errors
    /// When there is not enough memory for them.
    pub fn draw_states(&mut self) -> Result<(), Error> {
        let games = self.config.num_games as usize;
        let mut drawn = memory::room_for(games)?;
        drawn.resize(games, self.window.books()[0].initial_state());
        self.drawn = Some(drawn);
        Ok(())
    }

    /// Plays every game of the window until it is over or asks.
    fn play(&mut self, control: &Control) -> Result<(), Error> {
        let played = self.window.play(control, |one, books, seats| {
            one.begin(&books[0]);
            let OneGame { game, trees, notes, .. } = one;
            match notes {
                None => game.advance(&books[0], seats, trees, &mut (), control),
                // Past a limit nothing more is worth playing.
                Some(notes) if notes.room.decisions_are_over() || notes.room.kept_are_over() => Stop::Full,
                Some(_) => game.advance(&books[0], seats, trees, notes, control),
            }
        });
        let (room, limit) = (&self.room, self.room.max_decisions);
        if room.kept_are_over() {
            return Err(Error::new(format!(
                "the games to keep have more than {MAX_KEPT_STEPS} steps; keep fewer of them"
            )));
        }
        if room.decisions_are_over() {
            return Err(Error::new(format!(
                "these games have more than max_decisions={limit} decisions; ask for fewer games or allow more"
            )));
        }
        if self.window.rows().any(|one| one.notes.as_ref().is_some_and(|notes| notes.no_memory)) {
            return Err(Error::no_memory(
                "not enough memory for more decisions; ask for fewer games at a time",
            ));
        }
        played
    }

    /// Writes the rows of the games that are over.
    fn collect(&mut self) -> Result<(), Error> {
        let book = self.window.books()[0].clone();
        let players = book.num_players();
        let columns = &mut self.columns;
        for mut one in self.window.take_over() {
            let (row, play) = (one.row, &one.game);
            let returns = book.returns(&play.state);
            let winner = book.winner(&play.state);
            for (cell, score) in columns.returns[row * players..].iter_mut().zip(returns.as_slice()) {
                *cell = *score as f32;
            }
            columns.winner[row] = winner.map_or(-1, |side| side.0 as i8);
            columns.lengths[row] = play.decisions as i32;
            let before = self.start.of(row).map_or(0, |start| turns_played(&book, &start));
            columns.turns[row] = turns_played(&book, &play.state) - before;
            columns.digests[row] = play.digest(columns.turns[row]) as u32;
            for (statistic, column) in columns.statistics.iter_mut().enumerate() {
                for player in 0..players {
                    let count = play.counts.get(statistic, Player(player as u8));
                    column[row * players + player] = count as i32;
                }
            }
            if let Some(notes) = one.notes.take() {
                let Notes { steps, path, drawn, spent, .. } = *notes;
                for (all, one) in columns.spent.iter_mut().zip(spent.into_iter().flatten()) {
                    all.time += one.time;
                    all.choices += one.choices;
                }
                if let (Some(all), Some(drawn)) = (&mut self.drawn, drawn) {
                    all[row] = drawn.state.unwrap_or(play.state);
                }
                columns.paths.extend(path.map(|path| (row, path)));
                self.waiting.extend(steps.map(|steps| (row, (steps, returns))));
            }
        }
        while let Some((steps, returns)) = self.waiting.remove(&self.flushed) {
            if let Some(all) = &mut columns.steps {
                all.append(&steps, &returns)?;
            }
            self.flushed += 1;
        }
        Ok(())
    }

    /// The states that were drawn, a row a game, once [`Playing::advance`] has said that all games are over; the end of
    /// a game in which nobody decided anything, and none unless [`Rollout::draw_states`] was called before.
    pub fn into_drawn(self) -> States<G> {
        States::of(self.window.books()[0].clone(), self.drawn.unwrap_or_default())
    }

    /// The results, once [`Playing::advance`] has said that all games are over.
    pub fn into_columns(mut self) -> Columns {
        if let Some(steps) = &mut self.columns.steps {
            // Columns grow by doubling; what they did not need goes back.
            steps.observations.shrink_to_fit();
            steps.masks.shrink_to_fit();
            steps.rewards.shrink_to_fit();
        }
        self.columns
    }
}

impl<G: FullGame> Playing for Rollout<G> {
    type Game = G;

    fn advance(&mut self, control: &Control) -> Result<bool, Error> {
        let games = self.config.num_games as usize;
        loop {
            while !self.window.is_full() && self.begun < games {
                let number = self.config.first_game + self.begun as u64;
                let book = &self.window.books()[0];
                let notes = Notes {
                    steps: self.config.record.map(|_| Steps::default()),
                    path: self.config.keep.contains(&self.begun).then(Vec::new),
                    drawn: self.drawn.is_some().then(|| Drawn::new(self.config.seed, number)),
                    spent: (self.timed && self.begun.is_multiple_of(TIMED_EVERY)).then(Default::default),
                    room: Arc::clone(&self.room),
                    full: false,
                    no_memory: false,
                };
                let notes = (!notes.is_empty()).then(|| Box::new(notes));
                let start = self.start.of(self.begun).unwrap_or_else(|| book.initial_state());
                let game = GameInPlay::new(start, Streams::new(self.config.seed, number));
                let opening = Opening::new(self.config.random_plies, self.config.seed, number);
                self.window.push(OneGame {
                    number,
                    row: self.begun,
                    game,
                    trees: Trees::<G>::default(),
                    opening,
                    notes,
                });
                self.begun += 1;
            }
            if self.window.len() == 0 {
                return Ok(true);
            }
            self.play(control)?;
            self.collect()?;
            let full = self.begun == games || self.window.is_full();
            if self.window.asks() && self.window.len() > 0 && full {
                return Ok(false);
            }
        }
    }

    fn asking(&self) -> &dyn Asking<G> {
        &self.window
    }

    fn asking_mut(&mut self) -> &mut dyn Asking<G> {
        &mut self.window
    }
}

/// Refuses numbers of games that are out of range.
///
/// # Errors
/// With what is allowed.
pub(super) fn check_games(num_games: u64, first_game: u64, random_plies: u32) -> Result<(), Error> {
    if !(1..=MAX_GAMES).contains(&num_games) {
        return Err(Error::new(format!(
            "num_games got {}; it takes 1 to {MAX_GAMES}, and more in several calls with different first_game",
            num_games
        )));
    }
    if first_game.checked_add(num_games).is_none() {
        return Err(Error::new(format!(
            "first_game got {}; with num_games={} it takes 0 to {}",
            first_game,
            num_games,
            u64::MAX - num_games
        )));
    }
    if random_plies > MAX_RANDOM_PLIES {
        return Err(Error::new(format!(
            "random_plies got {}; it takes 0 to {MAX_RANDOM_PLIES}",
            random_plies
        )));
    }
    Ok(())
}

/// How many turns a game took so far: a win ends a turn that has not passed.
pub(crate) fn turns_played<G: FullGame>(game: &G, state: &G::State) -> i32 {
    (game.turns_passed(state) + game.winner(state).is_some() as u32) as i32
}

/// Plays a whole rollout of agents inside the engine.
///
/// # Errors
/// As [`Rollout::new`] and [`Playing::advance`]; an outside seat is refused, because nobody would answer for it.
///
/// ```
/// use sarai::agents::Agent;
/// use sarai::games::sho::Sho;
/// use sarai::play::game_in_play::Seat;
/// use sarai::play::rollout::{RolloutConfig, rollout};
/// use sarai::Game;
/// let game = Sho::new(Default::default())?;
/// let config = RolloutConfig {
///     num_games: 10,
///     first_game: 0,
///     seed: 7,
///     seats: vec![Seat::Inside(Agent::Random); 3],
///     random_plies: 0,
///     threads: 1,
///     record: None,
///     keep: [2].into(),
/// };
/// let columns = rollout(game.clone(), config.clone()).unwrap();
/// assert_eq!((columns.winner.len(), columns.paths.len()), (10, 1));
/// assert_eq!(columns, rollout(game.clone(), RolloutConfig { threads: 2, ..config.clone() }).unwrap());
/// assert!(rollout(game, RolloutConfig { num_games: 0, ..config }).is_err());
/// # Ok::<(), sarai::Error>(())
/// ```
pub fn rollout<G: FullGame>(game: G, config: RolloutConfig) -> Result<Columns, Error> {
    if config.seats.iter().any(|seat| matches!(seat, Seat::Outside(_))) {
        return Err(Error::new("every seat needs an agent inside the engine"));
    }
    let mut rollout = Rollout::new(game, config)?;
    rollout.advance(&Control::default())?;
    Ok(rollout.into_columns())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::sho::Sho;
    use crate::rules::game::Game;

    #[test]
    fn a_limit_holds_while_games_are_recorded() {
        for (limit, threads) in [(1, 1), (1000, 1), (1000, 2)] {
            let config = RolloutConfig {
                num_games: 10_000,
                first_game: 0,
                seed: 1,
                seats: vec![Seat::Inside(Agent::Random); 3],
                random_plies: 0,
                threads,
                record: Some(limit),
                keep: [0].into(),
            };
            let mut rollout = Rollout::new(Sho::new(Default::default()).unwrap(), config).unwrap();
            let refused = rollout.advance(&Control::default()).unwrap_err();
            assert!(matches!(refused, _), "{refused:?}");
            let steps = rollout.window.rows().filter_map(|one| one.notes.as_ref()?.steps.as_ref());
            let steps = steps.chain(rollout.columns.steps.as_ref());
            let steps = steps.chain(rollout.waiting.values().map(|(steps, _)| steps));
            let recorded: usize = steps.map(|steps| steps.actions.len()).sum();
            assert!(recorded as u64 <= limit, "{recorded} were recorded, {limit} allowed");
        }
    }
}
