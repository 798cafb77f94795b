//! Many games played to their ends, and what is collected of them.
//!
//! Game `i` of seed `s` is played on stream `i` of that seed, whichever call, thread or window it falls into, and whatever is
//! collected; so a run can be split anywhere and run anywhere and stays the same.

mod columns;
mod driver;
pub mod metrics;
mod notes;
mod samples;
mod series;

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::Arc;

pub use self::columns::{Columns, SeriesColumns};
pub use self::notes::{MAX_KEPT_STEPS, Spent, Steps};
pub use self::series::{Goal, MAX_GAMES_A_SERIES, MAX_SERIES, MAX_TARGET};

use self::driver::Driver;
use self::metrics::{Measured, Measuring};
use self::notes::Room;
use self::samples::Samples;
use self::series::SeriesSink;
use crate::agents::Evaluator;
use crate::base::{Control, Error, counted};
use crate::play::{AnyStates, BoundSeat, MAX_RANDOM_PLIES, Seat, States};
use crate::rules::FullGame;

/// The most games in one run; more are played in several calls, one after the other by `first`.
pub const MAX_GAMES: u64 = 100_000_000;

/// What is to be played, and what is collected.
#[derive(Clone, Debug)]
pub struct RunConfig {
    /// How many games, 1 to [`MAX_GAMES`], or series, 1 to [`MAX_SERIES`].
    pub num: u64,
    /// The number of the first.
    pub first: u64,
    /// The seed of all streams.
    pub seed: u64,
    /// Who plays each seat.
    pub seats: Vec<Seat>,
    /// With how many random decisions each game begins, 0 to [`MAX_RANDOM_PLIES`]; they are the same whoever plays.
    pub random_plies: u32,
    /// Worker threads, as [`crate::base::threads::resolve`] gives them.
    pub threads: usize,
    /// The states in which games begin, if not where the rules say, and how many games in each, one state after the other.
    /// What has been counted and how many turns were played is counted from there. Series begin where the rules say.
    pub start: Option<(Arc<dyn AnyStates>, usize)>,
    /// What is collected.
    pub collect: Collect,
}

/// What is collected of games.
#[derive(Clone, Debug)]
pub enum Collect {
    /// Their results, as [`Columns`].
    Columns {
        /// Keep every decision, at most so many in all; `None` keeps none.
        record: Option<u64>,
        /// Keep the paths of the games in these rows, [`MAX_KEPT_STEPS`] steps in all.
        keep: BTreeSet<usize>,
        /// Take the time of what agents inside the engine choose in every eighth game; see [`Columns::spent`].
        timed: bool,
    },
    /// The same of games in series, in which the winner of a game begins the next.
    Series {
        /// When a series is won.
        goal: Goal,
        /// A series without a winner ends after so many games, 1 to [`MAX_GAMES_A_SERIES`].
        max_games: u32,
    },
    /// Their metrics.
    Metrics {
        /// In how many of the games, from the first on, positions are looked at: the different ones are counted, and where
        /// pieces stand.
        board_games: u64,
        /// Who judges positions, if anybody does.
        judge: Option<Evaluator>,
        /// Whether the values of each game are kept.
        per_game: bool,
    },
    /// A state of each, drawn uniformly from those in which somebody decided; the end where nobody decided anything.
    States,
}

/// What was collected.
#[derive(Debug)]
pub enum Found {
    /// Of [`Collect::Columns`] and [`Collect::Series`].
    Columns(Box<Columns>),
    /// Of [`Collect::Metrics`].
    Metrics(Box<Measured>),
    /// Of [`Collect::States`]: a row a game.
    States(Box<dyn AnyStates>),
}

impl Found {
    /// The columns; none where something else was collected.
    pub fn into_columns(self) -> Columns {
        if let Found::Columns(columns) = self { *columns } else { Columns::default() }
    }
}

impl RunConfig {
    /// So many games of this seed from the first on, of which columns and nothing else are kept, on one thread.
    pub fn new(seats: Vec<Seat>, num: u64, seed: u64) -> Self {
        let collect = Collect::Columns { record: None, keep: BTreeSet::new(), timed: false };
        RunConfig { num, first: 0, seed, seats, random_plies: 0, threads: 1, start: None, collect }
    }

    /// Refuses what cannot be played, and binds who plays.
    fn bind<G: FullGame>(&self, game: &G) -> Result<Vec<BoundSeat<G>>, Error> {
        let (unit, most) = match self.collect {
            Collect::Series { .. } => ("series", MAX_SERIES),
            _ => ("game", MAX_GAMES),
        };
        let s = if unit == "game" { "s" } else { "" };
        within(&format!("num_{unit}{s}"), self.num, 1, most)?;
        if self.first.checked_add(self.num).is_none() {
            return Err(Error::new(format!(
                "first_{unit} got {}; with num_{unit}{s}={} it takes 0 to {}",
                self.first,
                self.num,
                u64::MAX - self.num
            )));
        }
        within("random_plies", self.random_plies.into(), 0, MAX_RANDOM_PLIES.into())?;
        let players = game.num_players();
        if self.seats.len() != players {
            return Err(Error::new(format!(
                "agents has {}; this game has {players} seats and needs an agent for each",
                counted(self.seats.len(), "entry", "entries")
            )));
        }
        if let Some((states, games)) = &self.start {
            let rows = States::own(game, &**states)?.rows().len();
            if (rows as u128) * (*games as u128) < u128::from(self.num) {
                return Err(Error::new("there are fewer states than the games need"));
            }
        }
        self.seats.iter().map(|seat| seat.bind(game)).collect()
    }
}

/// Refuses a number that is out of range.
fn within(name: &str, given: u64, min: u64, max: u64) -> Result<(), Error> {
    if (min..=max).contains(&given) {
        return Ok(());
    }
    Err(Error::new(format!("{name} got {given}; it takes {min} to {max}")))
}

/// Games under way, some of whose seats may belong to agents outside the engine.
pub trait Run: Debug + Send {
    /// Plays on. True when all games are over; false when outside agents have to answer first. An error when cancelled, when
    /// more comes than may be kept, when an agent cannot choose, or when threads or memory cannot be had.
    fn advance(&mut self, control: &Control) -> Result<bool, Error>;
    /// How many games wait for this outside agent.
    fn questions(&self, agent: usize) -> usize;
    /// Where each of them stands.
    fn asked(&self, agent: usize) -> Box<dyn AnyStates>;
    /// Writes the observation and the mask of each of them, row by row.
    fn ask(&self, agent: usize, observations: &mut [i8], masks: &mut [i8]);
    /// Takes what the agent chose in each of them; none where they are not as many, or one is not legal.
    fn answer(&mut self, agent: usize, actions: &[i64]) -> Result<(), Error>;
    /// What was collected, once [`Run::advance`] has said that all games are over.
    fn found(self: Box<Self>) -> Found;
}

/// A run of which nothing has been played yet.
///
/// # Errors
/// When a number is out of range, seats are not as many as players, an agent or a judge cannot play the game, states are of
/// another rule book or fewer than the games need, or the results do not fit in memory.
///
/// ```
/// use sarai::agents::Agent;
/// use sarai::base::control::Control;
/// use sarai::games::sho::Sho;
/// use sarai::play::game_in_play::Seat;
/// use sarai::play::run::{Collect, Found, RunConfig, run};
/// use sarai::Game;
/// use sarai::play::run::metrics::QUANTITIES;
/// let game = Sho::new(Default::default())?;
/// let found = |config: &RunConfig| {
///     let mut run = run(game.clone(), config.clone())?;
///     assert_eq!(run.advance(&Control::default()), Ok(true));
///     Ok::<_, sarai::Error>(run.found())
/// };
/// let mut config = RunConfig::new(vec![Seat::Inside(Agent::Random); 3], 10, 7);
/// config.collect = Collect::Columns { record: None, keep: [2].into(), timed: false };
/// let columns = found(&config)?.into_columns();
/// assert_eq!((columns.winner.len(), columns.paths.len()), (10, 1));
/// assert_eq!(columns, found(&RunConfig { threads: 2, ..config.clone() })?.into_columns());
/// config.collect = Collect::Metrics { board_games: 10, judge: None, per_game: true };
/// let Found::Metrics(measured) = found(&config)? else { panic!("metrics were asked for") };
/// let totals = &measured.totals;
/// assert_eq!(measured.per_game.as_ref().map(Vec::len), Some(10 * QUANTITIES.len()));
/// assert_eq!(totals.wins.iter().sum::<u64>() + totals.draws + totals.timeouts, 10);
/// assert!(found(&RunConfig { num: 0, ..config }).is_err());
/// # Ok::<(), sarai::Error>(())
/// ```
pub fn run<G: FullGame>(game: G, mut config: RunConfig) -> Result<Box<dyn Run>, Error> {
    let seats = config.bind(&game)?;
    Ok(match std::mem::replace(&mut config.collect, Collect::States) {
        Collect::Columns { record, keep, timed } => {
            let sink = columns::Sink::new(&game, config.num, Room::new(record), keep, timed)?;
            Box::new(Driver::new(vec![game], seats, config, sink))
        }
        Collect::Series { goal, max_games } => {
            let sink = SeriesSink::new::<G>(config.num, goal, max_games)?;
            Box::new(Driver::new(series::books(&game)?, seats, config, sink))
        }
        Collect::Metrics { board_games, judge, per_game } => {
            let sink = Measuring::new(&game, &config, board_games, judge, per_game)?;
            Box::new(Driver::new(vec![game], seats, config, sink))
        }
        Collect::States => {
            let sink = Samples::new(&game, &config)?;
            Box::new(Driver::new(vec![game], seats, config, sink))
        }
    })
}
