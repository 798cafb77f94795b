//! A run of many games as Python declares it, once for all calls that play some: `sarai._playout.Run`.

use pyo3::prelude::*;

use crate::agents::Agents;
use crate::classes::Game;
use crate::convert::{num_threads, seed, whole_in};
use crate::states::States;
use sarai::play::game_in_play::MAX_RANDOM_PLIES;
use sarai::play::rollout::{MAX_GAMES, RolloutConfig};
use sarai::play::series::MAX_SERIES;

/// Who plays how many games of which rules, from where, with whose random numbers and on how many threads.
pub(crate) struct Run<'py> {
    pub(crate) game: Bound<'py, Game>,
    pub(crate) agents: Agents<'py>,
    /// How many games, or series.
    pub(crate) num: u64,
    /// The number of the first.
    pub(crate) first: u64,
    pub(crate) seed: u64,
    pub(crate) random_plies: u32,
    pub(crate) threads: usize,
    /// Where games begin, if not where the rules say, and how many from each state.
    pub(crate) start: Option<(Bound<'py, States>, usize)>,
}

impl Run<'_> {
    /// What the engine plays, with nothing recorded.
    pub(crate) fn config(&self) -> RolloutConfig {
        RolloutConfig {
            num_games: self.num,
            first_game: self.first,
            seed: self.seed,
            seats: self.agents.seats.clone(),
            random_plies: self.random_plies,
            threads: self.threads,
            record: None,
            keep: Default::default(),
        }
    }
}

impl<'py> Run<'py> {
    /// The run that an object of Python declares. What `extract` raises would speak of an argument called `run`.
    pub(crate) fn of(run: &Bound<'py, PyAny>) -> PyResult<Self> {
        let game = run.getattr("game")?.cast_into::<Game>()?;
        let agents = Agents::new(&game, run.getattr("agents")?.extract()?)?;
        let (num, first, most) = match run.getattr("unit")?.extract::<String>()?.as_str() {
            "series" => ("num_series", "first_series", MAX_SERIES),
            _ => ("num_games", "first_game", MAX_GAMES),
        };
        let threads = run.getattr("num_threads")?;
        let plies = whole_in(&run.getattr("random_plies")?, "random_plies", 0, MAX_RANDOM_PLIES as i128)?;
        Ok(Run {
            num: whole_in(&run.getattr("num")?, num, 1, most as i128)? as u64,
            first: whole_in(&run.getattr("first")?, first, 0, u64::MAX as i128)? as u64,
            seed: seed(&run.getattr("seed")?, "seed")?,
            random_plies: plies as u32,
            threads: num_threads((!threads.is_none()).then_some(&threads))?,
            start: run.getattr("start")?.extract()?,
            game,
            agents,
        })
    }
}
