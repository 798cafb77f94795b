//! What is asked of any rule book where there is more than a board: many games at once, and states as dicts.

use std::any::Any;

use super::batch::AnyBatch;
use super::dict::read;
use super::playing::{AnyMeasuring, AnyRollout, AnySeries};
use super::position::AnyPosition;
use super::states::AnyStates;
use super::text::check_length;
use super::training::AnyTrainer;
use crate::agents::playout::random_playouts;
use crate::base::control::Control;
use crate::base::error::Error;
use crate::exact::small::{AnySolution, Limits, solve_from};
use crate::nets::Net;
use crate::play::batch::{Batch, BatchConfig, Snapshot};
use crate::play::metrics::{Measuring, MetricsConfig};
use crate::play::rollout::{Rollout, RolloutConfig, Start};
use crate::play::series::{SeriesConfig, SeriesRun};
use crate::play::states::States;
use crate::play::training::{Trainer, Training};
use crate::rules::game::{FullGame, Game};
use crate::rules::keywords::{Given, Misfit, Value};
use crate::rules::position::Position;

/// Any rule book by which many games are played at once.
pub trait Many {
    /// The position that a state dict describes, given as JSON.
    ///
    /// # Errors
    /// When it describes none, or one that breaks an invariant.
    fn parse_json(&self, text: &str) -> Result<Box<dyn AnyPosition>, Error>;
    /// The position that a person sees, by the keywords of [`crate::SetUp::keywords`].
    ///
    /// # Errors
    /// When a keyword is none of the game's or got what it does not take, or the position breaks an invariant.
    fn set_up(&self, given: Vec<(String, Value)>) -> Result<Box<dyn AnyPosition>, Misfit>;
    /// See [`random_playouts`].
    fn random_playouts(&self, seed: u64, first_game: u64, num_games: u64) -> u64;
    /// A batch of this game.
    ///
    /// # Errors
    /// As [`Batch::new`].
    fn batch(&self, config: &BatchConfig) -> Result<Box<dyn AnyBatch>, Error>;
    /// A batch that goes on from a snapshot.
    ///
    /// # Errors
    /// As [`Batch::from_snapshot`].
    fn batch_from(&self, config: &BatchConfig, snapshot: &Snapshot) -> Result<Box<dyn AnyBatch>, Error>;
    /// So many games at their start.
    ///
    /// # Errors
    /// As [`States::new`].
    fn states(&self, rows: usize) -> Result<Box<dyn AnyStates>, Error>;
    /// A rollout of this game.
    ///
    /// # Errors
    /// As [`Rollout::new`].
    fn rollout(&self, config: RolloutConfig) -> Result<Box<dyn AnyRollout>, Error>;
    /// Games from each of these states: state `i` is where rows `i * games` to `(i + 1) * games` of the results start.
    ///
    /// # Errors
    /// As [`Rollout::from`]; also where the states are of another rule book, or fewer than the games need.
    fn rollout_from(
        &self,
        config: RolloutConfig,
        states: &dyn AnyStates,
        games: usize,
    ) -> Result<Box<dyn AnyRollout>, Error>;
    /// Games of this game that are measured, from the start or from the one state that is given.
    ///
    /// # Errors
    /// As [`Measuring::new`]; also where the states are of another rule book, or none.
    fn measuring(
        &self,
        config: MetricsConfig,
        start: Option<&dyn AnyStates>,
    ) -> Result<Box<dyn AnyMeasuring>, Error>;
    /// Series of this game.
    ///
    /// # Errors
    /// As [`SeriesRun::new`].
    fn series(&self, config: SeriesConfig) -> Result<Box<dyn AnySeries>, Error>;
    /// See [`Training::of`].
    fn usual_training(&self, seed: u64) -> Training;
    /// A network that learns this game; see [`Trainer::new`].
    ///
    /// # Errors
    /// As there.
    fn trainer(&self, hidden: usize, training: Training) -> Result<Box<dyn AnyTrainer>, Error>;
    /// One that goes on learning; see [`Trainer::resumed`].
    ///
    /// # Errors
    /// As there.
    fn trainer_from(&self, net: &Net) -> Result<Box<dyn AnyTrainer>, Error>;
    /// See [`solve_from`].
    ///
    /// # Errors
    /// As there.
    fn solve_small(
        &self,
        starts: Option<&dyn Any>,
        limits: Limits,
        control: &Control,
    ) -> Result<Box<dyn AnySolution>, Error>;
}

impl<G: FullGame> Many for G {
    fn parse_json(&self, text: &str) -> Result<Box<dyn AnyPosition>, Error> {
        let dict = read::<G::Dict>(text)?;
        let state = self.state_from_dict(dict)?;
        Ok(Box::new(Position::from_state(self.clone(), state)?))
    }
    fn set_up(&self, given: Vec<(String, Value)>) -> Result<Box<dyn AnyPosition>, Misfit> {
        for (_, value) in &given {
            if let Value::Text(text) = value {
                check_length(text)?;
            }
        }
        let state = crate::SetUp::set_up(self, &Given::new(G::NAME, &self.keywords(), given)?)?;
        Ok(Box::new(Position::from_state(self.clone(), state)?))
    }
    fn random_playouts(&self, seed: u64, first_game: u64, num_games: u64) -> u64 {
        random_playouts(self, seed, first_game, num_games)
    }
    fn batch(&self, config: &BatchConfig) -> Result<Box<dyn AnyBatch>, Error> {
        Ok(Box::new(Batch::new(self.clone(), config)?))
    }
    fn batch_from(&self, config: &BatchConfig, snapshot: &Snapshot) -> Result<Box<dyn AnyBatch>, Error> {
        Ok(Box::new(Batch::from_snapshot(self.clone(), config, snapshot)?))
    }
    fn states(&self, rows: usize) -> Result<Box<dyn AnyStates>, Error> {
        Ok(Box::new(States::new(self.clone(), rows)?))
    }
    fn rollout(&self, config: RolloutConfig) -> Result<Box<dyn AnyRollout>, Error> {
        Ok(Box::new(Rollout::new(self.clone(), config)?))
    }
    fn rollout_from(
        &self,
        config: RolloutConfig,
        states: &dyn AnyStates,
        games: usize,
    ) -> Result<Box<dyn AnyRollout>, Error> {
        let states = own_states(self, states)?;
        if (states.len() as u128) * (games as u128) < u128::from(config.num_games) {
            return Err(Error::new("there are fewer states than the games need"));
        }
        let states = states.copy()?.into_rows();
        Ok(Box::new(Rollout::from(self.clone(), config, Start::From { states, games })?))
    }
    fn measuring(
        &self,
        config: MetricsConfig,
        start: Option<&dyn AnyStates>,
    ) -> Result<Box<dyn AnyMeasuring>, Error> {
        let start = match start {
            None => None,
            Some(states) => {
                let first = own_states(self, states)?.rows().first();
                Some(*first.ok_or_else(|| Error::new("there are fewer states than the games need"))?)
            }
        };
        Ok(Box::new(Measuring::new(self.clone(), config, start)?))
    }
    fn series(&self, config: SeriesConfig) -> Result<Box<dyn AnySeries>, Error> {
        Ok(Box::new(SeriesRun::new(self.clone(), config)?))
    }
    fn usual_training(&self, seed: u64) -> Training {
        Training::of::<G>(seed)
    }
    fn trainer(&self, hidden: usize, training: Training) -> Result<Box<dyn AnyTrainer>, Error> {
        Ok(Box::new(Trainer::new(self.clone(), hidden, training)?))
    }
    fn trainer_from(&self, net: &Net) -> Result<Box<dyn AnyTrainer>, Error> {
        Ok(Box::new(Trainer::resumed(self.clone(), net)?))
    }
    fn solve_small(
        &self,
        starts: Option<&dyn Any>,
        limits: Limits,
        control: &Control,
    ) -> Result<Box<dyn AnySolution>, Error> {
        Ok(Box::new(solve_from(self, starts, limits, control)?))
    }
}

/// The states of this same rule book.
fn own_states<'a, G: FullGame>(game: &G, states: &'a dyn AnyStates) -> Result<&'a States<G>, Error> {
    let known = states.as_any().downcast_ref::<States<G>>();
    known
        .filter(|states| states.game().rules() == Game::rules(game))
        .ok_or_else(|| Error::new("the states belong to another game or to other rules"))
}
