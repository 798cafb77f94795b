//! Many games played to their end, with their results as columns.
//!
//! Game `i` of seed `s` is played on stream `i` of that seed, whichever call, thread or window it falls into; so a
//! rollout can be split anywhere and run anywhere and stays the same.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::prelude::*;

use crate::action::{Action, ActionSet};
use crate::error::{BadRequest, IllegalAction, list_legal};
use crate::game::FullGame;
use crate::player::{PerPlayer, Player};
use crate::playout::{GameInPlay, Recorder, Seat, Stop};
use crate::rng::Stream;
use crate::threads;

/// The most games in one rollout; more are played in several calls, one after the other by `first_game`.
pub const MAX_GAMES: u64 = 100_000_000;

/// Games under way at a time: memory does not grow beyond them and the results.
const WINDOW: usize = 4096;

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
    /// Worker threads, as [`threads::resolve`] gives them.
    pub threads: usize,
    /// Keep every decision, at most so many in all; `None` keeps none.
    pub record: Option<u64>,
}

/// Shared between a rollout and who watches it.
#[derive(Debug, Default)]
pub struct Control {
    /// Set by the watcher: stop soon.
    pub cancel: AtomicBool,
    /// Games finished.
    pub done: AtomicU64,
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
    /// Turns played.
    pub turns: Vec<i32>,
    /// For each statistic of the game, games x players.
    pub statistics: Vec<Vec<i32>>,
    /// The decisions of all games, where they were asked for.
    pub steps: Option<Steps>,
}

/// Decisions, game after game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Steps {
    /// Decisions x cells: the view of who decided.
    pub observations: Vec<i8>,
    /// Decisions x actions: 1 where the action was legal.
    pub masks: Vec<i8>,
    /// What was chosen.
    pub actions: Vec<i32>,
    /// Who decided.
    pub players: Vec<i8>,
    /// Decisions x players: what followed at once, zero but at the end of a game.
    pub rewards: Vec<f32>,
    /// Where each game's decisions begin, and where the last end.
    pub offsets: Vec<i64>,
}

impl<G: FullGame> Recorder<G> for Option<Box<Steps>> {
    fn decision(&mut self, game: &G, state: &G::State, player: Player, legal: ActionSet, action: Action) {
        let Some(steps) = self else { return };
        let (cells, ids) = (G::OBSERVATION_LEN, G::NUM_ACTIONS);
        let at = steps.actions.len();
        steps.observations.resize((at + 1) * cells, 0);
        game.observe(state, player, &mut steps.observations[at * cells..]);
        steps.masks.resize((at + 1) * ids, 0);
        legal.write_mask(&mut steps.masks[at * ids..]);
        steps.actions.push(action.0 as i32);
        steps.players.push(player.0 as i8);
    }
}

/// Why a rollout stopped before its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RolloutError {
    /// It was asked for something that cannot be had.
    Refused(BadRequest),
    /// An outside agent chose what is not legal.
    Illegal(IllegalAction),
    /// [`Control::cancel`] was set.
    Cancelled,
}

impl From<BadRequest> for RolloutError {
    fn from(error: BadRequest) -> Self {
        RolloutError::Refused(error)
    }
}

#[derive(Debug)]
struct Playing<G: FullGame> {
    /// The row of the game in the columns.
    row: usize,
    game: GameInPlay<G>,
    recorded: Option<Box<Steps>>,
    /// What it waits for; `None` when it can be played on.
    stop: Option<Stop>,
}

/// A rollout under way: [`Rollout::advance`] plays until every game is over or waits for an outside agent.
#[derive(Debug)]
pub struct Rollout<G: FullGame> {
    game: G,
    config: RolloutConfig,
    playing: Vec<Playing<G>>,
    /// Games that have been taken up.
    begun: usize,
    columns: Columns,
    /// Recorded games that wait for an earlier one, by row.
    waiting: BTreeMap<usize, (Box<Steps>, PerPlayer<f64>)>,
    flushed: usize,
    recorded: AtomicU64,
}

/// A column of `len` zeros.
fn column<T: Clone + Default>(len: usize) -> Result<Vec<T>, BadRequest> {
    let mut column = Vec::new();
    column.try_reserve_exact(len).map_err(|_| {
        BadRequest::new(format!(
            "there is no memory for a column of {len} entries; play fewer games at a time, split by first_game"
        ))
    })?;
    column.resize(len, T::default());
    Ok(column)
}

impl<G: FullGame> Rollout<G> {
    /// A rollout of which nothing has been played yet.
    ///
    /// # Errors
    /// When a size is out of range, seats are not as many as players, or the results do not fit in memory.
    pub fn new(game: G, config: RolloutConfig) -> Result<Self, BadRequest> {
        let players = game.num_players();
        if !(1..=MAX_GAMES).contains(&config.num_games) {
            return Err(BadRequest::new(format!(
                "num_games got {}; it takes 1 to {MAX_GAMES}, more in several calls split by first_game",
                config.num_games
            )));
        }
        if config.first_game.checked_add(config.num_games).is_none() {
            return Err(BadRequest::new(format!(
                "first_game got {}; with num_games={} it takes 0 to {}",
                config.first_game,
                config.num_games,
                u64::MAX - config.num_games
            )));
        }
        if config.seats.len() != players {
            return Err(BadRequest::new(format!(
                "agents has {} entries; this game has {players} seats, one agent each",
                config.seats.len()
            )));
        }
        let games = config.num_games as usize;
        let statistics = G::STATISTICS.iter().map(|_| column(games * players));
        let columns = Columns {
            returns: column(games * players)?,
            winner: column(games)?,
            lengths: column(games)?,
            turns: column(games)?,
            statistics: statistics.collect::<Result<_, _>>()?,
            steps: config.record.map(|_| Steps { offsets: vec![0], ..Steps::default() }),
        };
        Ok(Rollout {
            game,
            config,
            playing: Vec::new(),
            begun: 0,
            columns,
            waiting: BTreeMap::new(),
            flushed: 0,
            recorded: AtomicU64::new(0),
        })
    }

    /// Plays on. True when all games are over; false when outside agents have to answer first.
    ///
    /// # Errors
    /// When cancelled, when more decisions come than may be recorded, or when threads cannot be had.
    pub fn advance(&mut self, control: &Control) -> Result<bool, RolloutError> {
        let games = self.config.num_games as usize;
        let inside = self.config.seats.iter().all(|seat| matches!(seat, Seat::Inside(_)));
        loop {
            while self.playing.len() < WINDOW && self.begun < games {
                let index = self.config.first_game + self.begun as u64;
                self.playing.push(Playing {
                    row: self.begun,
                    game: GameInPlay::new(&self.game, Stream::new(self.config.seed, index)),
                    recorded: self.config.record.map(|_| Box::default()),
                    stop: None,
                });
                self.begun += 1;
            }
            if self.playing.is_empty() {
                return Ok(true);
            }
            self.play_window(control)?;
            self.collect()?;
            if !inside && !self.playing.is_empty() && (self.begun == games || self.playing.len() == WINDOW) {
                return Ok(false);
            }
        }
    }

    /// Plays every game of the window until it is over or asks.
    fn play_window(&mut self, control: &Control) -> Result<(), RolloutError> {
        let (game, seats) = (&self.game, &self.config.seats[..]);
        let (limit, recorded) = (self.config.record.unwrap_or(u64::MAX), &self.recorded);
        let advance = |playing: &mut Playing<G>| {
            let before = playing.game.decisions;
            let cancel = &control.cancel;
            if cancel.load(Ordering::Relaxed) {
                playing.stop = Some(Stop::Cancelled);
                return;
            }
            let stop = if playing.recorded.is_some() {
                let stop = playing.game.advance(game, seats, &mut playing.recorded, cancel);
                let new = (playing.game.decisions - before) as u64;
                // Past the limit nothing more is worth playing: the others stop too.
                if recorded.fetch_add(new, Ordering::Relaxed) + new > limit { Stop::Cancelled } else { stop }
            } else {
                playing.game.advance(game, seats, &mut (), cancel)
            };
            playing.stop = Some(stop);
            if stop == Stop::Over {
                control.done.fetch_add(1, Ordering::Relaxed);
            }
        };
        let playing = &mut self.playing;
        if self.config.threads > 1 && playing.len() > 1 {
            threads::install(self.config.threads, || playing.par_iter_mut().for_each(advance))?;
        } else {
            playing.iter_mut().for_each(advance);
        }
        if self.recorded.load(Ordering::Relaxed) > limit {
            return Err(RolloutError::Refused(BadRequest::new(format!(
                "these games hold more than max_decisions={limit} decisions; ask for fewer games or allow more"
            ))));
        }
        if playing.iter().any(|playing| playing.stop == Some(Stop::Cancelled)) {
            return Err(RolloutError::Cancelled);
        }
        Ok(())
    }

    /// Writes the rows of the games that are over, and keeps the others in their order.
    fn collect(&mut self) -> Result<(), BadRequest> {
        let players = self.game.num_players();
        let columns = &mut self.columns;
        for playing in self.playing.iter_mut().filter(|playing| playing.stop == Some(Stop::Over)) {
            let (row, play) = (playing.row, &playing.game);
            let returns = self.game.returns(&play.state);
            let winner = self.game.winner(&play.state);
            for (cell, score) in columns.returns[row * players..].iter_mut().zip(returns.as_slice()) {
                *cell = *score as f32;
            }
            columns.winner[row] = winner.map_or(-1, |side| side.0 as i8);
            columns.lengths[row] = play.decisions as i32;
            columns.turns[row] = (self.game.turns_passed(&play.state) + winner.is_some() as u32) as i32;
            for (statistic, column) in columns.statistics.iter_mut().enumerate() {
                for player in 0..players {
                    let count = play.counts.get(statistic, Player(player as u8));
                    column[row * players + player] = count as i32;
                }
            }
            if let Some(steps) = playing.recorded.take() {
                self.waiting.insert(row, (steps, returns));
            }
        }
        self.playing.retain(|playing| playing.stop != Some(Stop::Over));
        while let Some((steps, returns)) = self.waiting.remove(&self.flushed) {
            if let Some(all) = &mut columns.steps {
                all.append(&steps, &returns)?;
            }
            self.flushed += 1;
        }
        Ok(())
    }

    /// For outside agent number `agent`, the rows in `playing` that wait for it.
    fn asking(&self, agent: usize) -> impl Iterator<Item = (usize, Player)> + '_ {
        self.playing.iter().enumerate().filter_map(move |(at, playing)| match playing.stop {
            Some(Stop::Asks { agent: asked, player }) if asked == agent => Some((at, player)),
            _ => None,
        })
    }

    /// How many games wait for this outside agent.
    pub fn questions(&self, agent: usize) -> usize {
        self.asking(agent).count()
    }

    /// Writes the observation and the mask of each game that waits for this outside agent, row by row.
    ///
    /// # Panics
    /// When a slice does not have a row for each of [`Rollout::questions`].
    pub fn ask(&self, agent: usize, observations: &mut [i8], masks: &mut [i8]) {
        let rows =
            observations.chunks_exact_mut(G::OBSERVATION_LEN).zip(masks.chunks_exact_mut(G::NUM_ACTIONS));
        for ((at, player), (observation, mask)) in self.asking(agent).zip(rows) {
            let state = &self.playing[at].game.state;
            self.game.observe(state, player, observation);
            self.game.legal_actions(state).write_mask(mask);
        }
    }

    /// Plays what an outside agent chose in each game that waits for it.
    ///
    /// # Errors
    /// When there is not one action for each of [`Rollout::questions`], or one is not legal. Nothing is played then.
    pub fn answer(&mut self, agent: usize, actions: &[i64]) -> Result<(), RolloutError> {
        let asked: Vec<(usize, Player)> = self.asking(agent).collect();
        if asked.len() != actions.len() {
            return Err(RolloutError::Refused(BadRequest::new(format!(
                "an agent returned {} actions for {} rows",
                actions.len(),
                asked.len()
            ))));
        }
        let mut chosen = Vec::with_capacity(asked.len());
        for (&(at, player), &action) in asked.iter().zip(actions) {
            let playing = &self.playing[at];
            let legal = self.game.legal_actions(&playing.game.state);
            let Some(fine) = u16::try_from(action).ok().map(Action).filter(|&action| legal.contains(action))
            else {
                let place = self.config.first_game + playing.row as u64;
                let error = IllegalAction::new(action, list_legal(legal));
                return Err(RolloutError::Illegal(error.at(format!("game {place}, {player}"))));
            };
            chosen.push((at, player, legal, fine));
        }
        for (at, player, legal, action) in chosen {
            let playing = &mut self.playing[at];
            playing.game.play(&self.game, player, legal, action, &mut playing.recorded);
            playing.stop = None;
            if self.config.record.is_some() {
                self.recorded.fetch_add(1, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    /// The results, once [`Rollout::advance`] has said that all games are over.
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

impl Steps {
    /// Adds the decisions of one game, which ended with these returns.
    fn append(&mut self, game: &Steps, returns: &PerPlayer<f64>) -> Result<(), BadRequest> {
        fn extend<T: Copy>(all: &mut Vec<T>, more: &[T]) -> Result<(), BadRequest> {
            all.try_reserve(more.len()).map_err(|_| {
                BadRequest::new("there is no memory for more decisions; ask for fewer games at a time")
            })?;
            all.extend_from_slice(more);
            Ok(())
        }
        extend(&mut self.observations, &game.observations)?;
        extend(&mut self.masks, &game.masks)?;
        extend(&mut self.actions, &game.actions)?;
        extend(&mut self.players, &game.players)?;
        let players = returns.as_slice().len();
        let mut rewards = vec![0.0; game.actions.len() * players];
        if let Some(last) = rewards.len().checked_sub(players) {
            for (cell, score) in rewards[last..].iter_mut().zip(returns.as_slice()) {
                *cell = *score as f32;
            }
        }
        extend(&mut self.rewards, &rewards)?;
        self.offsets.push(self.actions.len() as i64);
        Ok(())
    }
}

/// Plays a whole rollout of agents inside the engine.
///
/// # Errors
/// As [`Rollout::new`] and [`Rollout::advance`]; an outside seat is refused, because nobody would answer for it.
///
/// ```
/// use sarai::agent::Agent;
/// use sarai::games::sho::Sho;
/// use sarai::playout::Seat;
/// use sarai::rollout::{RolloutConfig, rollout};
/// use sarai::Game;
/// let game = Sho::new(Default::default())?;
/// let config = RolloutConfig {
///     num_games: 10,
///     first_game: 0,
///     seed: 7,
///     seats: vec![Seat::Inside(Agent::Random); 3],
///     threads: 1,
///     record: None,
/// };
/// let columns = rollout(game.clone(), config.clone()).unwrap();
/// assert_eq!(columns.winner.len(), 10);
/// assert_eq!(columns, rollout(game.clone(), RolloutConfig { threads: 2, ..config.clone() }).unwrap());
/// assert!(rollout(game, RolloutConfig { num_games: 0, ..config }).is_err());
/// # Ok::<(), sarai::error::RulesError>(())
/// ```
pub fn rollout<G: FullGame>(game: G, config: RolloutConfig) -> Result<Columns, RolloutError> {
    if config.seats.iter().any(|seat| matches!(seat, Seat::Outside(_))) {
        return Err(RolloutError::Refused(BadRequest::new("every seat needs an agent inside the engine")));
    }
    let mut rollout = Rollout::new(game, config)?;
    rollout.advance(&Control::default())?;
    Ok(rollout.into_columns())
}
