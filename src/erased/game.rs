//! Any rule book.

use std::fmt::Debug;

use serde_json::Value;

use super::batch::AnyBatch;
use super::dict::{check_length, read};
use super::playing::{AnyMeasuring, AnyRollout, AnySeries};
use super::position::AnyPosition;
use super::small::{AnySolution, solve_any};
use super::states::AnyStates;
use super::training::AnyTrainer;
use crate::agents::playout::random_playouts;
use crate::base::control::Control;
use crate::base::error::BadRequest;
use crate::exact::small::Limits;
use crate::nets::Net;
use crate::play::batch::{Batch, BatchConfig, Snapshot, StepError};
use crate::play::metrics::{Measuring, MetricsConfig};
use crate::play::rollout::{Rollout, RolloutConfig, Start};
use crate::play::series::{SeriesConfig, SeriesRun};
use crate::play::states::States;
use crate::play::training::{Trainer, Training, epsilon_of};
use crate::rules::action::{Action, ActionFields};
use crate::rules::error::Broken;
use crate::rules::game::{FullGame, Game};
use crate::rules::observation::ObservationPart;
use crate::rules::player::{Player, Side};
use crate::rules::position::Position;
use crate::rules::rule_book;

/// Any rule book.
pub trait AnyGame: Debug + Send + Sync {
    /// See [`Game::NAME`].
    fn name(&self) -> &'static str;
    /// The options as a JSON object.
    fn rules(&self) -> Value;
    /// See [`Game::num_players`].
    fn num_players(&self) -> usize;
    /// See [`Game::side`].
    fn side(&self, player: Player) -> Side;
    /// See [`Game::NUM_ACTIONS`].
    fn num_actions(&self) -> usize;
    /// See [`crate::Encode::OBSERVATION_LEN`].
    fn observation_len(&self) -> usize;
    /// See [`crate::Encode::OBSERVATION`].
    fn observation(&self) -> &'static [ObservationPart];
    /// The names of [`Game::STATISTICS`].
    fn statistics(&self) -> Vec<&'static str>;
    /// See [`Game::returns_range`].
    fn returns_range(&self) -> (f64, f64);
    /// See [`Game::max_chance_outcomes`].
    fn max_chance_outcomes(&self) -> usize;
    /// What each action is, by its id.
    fn action_table(&self) -> Vec<ActionFields>;
    /// See [`crate::Draw::SHOWS_VALUES`].
    fn shows_values(&self) -> bool;
    /// The start of a game.
    fn new_position(&self) -> Box<dyn AnyPosition>;
    /// The position that a line of text describes.
    ///
    /// # Errors
    /// When it describes none, or one that breaks an invariant.
    fn parse(&self, text: &str) -> Result<Box<dyn AnyPosition>, Broken>;
    /// The position that a state dict describes, given as JSON.
    ///
    /// # Errors
    /// When it describes none, or one that breaks an invariant.
    fn parse_json(&self, text: &str) -> Result<Box<dyn AnyPosition>, Broken>;
    /// The same without holding it against the rules: to be drawn, never to be played on.
    ///
    /// # Errors
    /// When it describes none.
    fn parse_json_unchecked(&self, text: &str) -> Result<Box<dyn AnyPosition>, Broken>;
    /// See [`random_playouts`].
    fn random_playouts(&self, seed: u64, first_game: u64, num_games: u64) -> u64;
    /// A batch of this game.
    ///
    /// # Errors
    /// As [`Batch::new`].
    fn batch(&self, config: &BatchConfig) -> Result<Box<dyn AnyBatch>, StepError>;
    /// A batch that goes on from a snapshot.
    ///
    /// # Errors
    /// As [`Batch::from_snapshot`].
    fn batch_from(&self, config: &BatchConfig, snapshot: &Snapshot) -> Result<Box<dyn AnyBatch>, BadRequest>;
    /// So many games at their start.
    ///
    /// # Errors
    /// As [`States::new`].
    fn states(&self, rows: usize) -> Result<Box<dyn AnyStates>, BadRequest>;
    /// A rollout of this game.
    ///
    /// # Errors
    /// As [`Rollout::new`].
    fn rollout(&self, config: RolloutConfig) -> Result<Box<dyn AnyRollout>, BadRequest>;
    /// Games from each of these states: state `i` is where rows `i * games` to `(i + 1) * games` of the results start.
    ///
    /// # Errors
    /// As [`Rollout::from`]; also where the states are of another rule book, or fewer than the games need.
    fn rollout_from(
        &self,
        config: RolloutConfig,
        states: &dyn AnyStates,
        games: usize,
    ) -> Result<Box<dyn AnyRollout>, BadRequest>;
    /// Games of this game that are measured, from the start or from the one state that is given.
    ///
    /// # Errors
    /// As [`Measuring::new`]; also where the states are of another rule book, or none.
    fn measuring(
        &self,
        config: MetricsConfig,
        start: Option<&dyn AnyStates>,
    ) -> Result<Box<dyn AnyMeasuring>, BadRequest>;
    /// Series of this game.
    ///
    /// # Errors
    /// As [`SeriesRun::new`].
    fn series(&self, config: SeriesConfig) -> Result<Box<dyn AnySeries>, BadRequest>;
    /// A network that learns this game; see [`Trainer::new`]. Where nothing is said of exploration, it
    /// is [`epsilon_of`].
    ///
    /// # Errors
    /// As there.
    fn trainer(
        &self,
        hidden: usize,
        training: Training,
        epsilon: Option<f64>,
    ) -> Result<Box<dyn AnyTrainer>, BadRequest>;
    /// One that goes on learning; see [`Trainer::resumed`].
    ///
    /// # Errors
    /// As there.
    fn trainer_from(&self, net: &Net) -> Result<Box<dyn AnyTrainer>, BadRequest>;
    /// See [`crate::exact::small::solve`]: from these states, or from the start where there are none given.
    ///
    /// # Errors
    /// As there; also where the states are of another rule book, or none.
    fn solve_small(
        &self,
        starts: Option<&dyn AnyStates>,
        limits: Limits,
        control: &Control,
    ) -> Result<Option<Box<dyn AnySolution>>, BadRequest>;
}

impl<G: FullGame> AnyGame for G {
    fn name(&self) -> &'static str {
        G::NAME
    }
    fn rules(&self) -> Value {
        rule_book::to_value::<G>(Game::rules(self))
    }
    fn num_players(&self) -> usize {
        Game::num_players(self)
    }
    fn side(&self, player: Player) -> Side {
        Game::side(self, player)
    }
    fn num_actions(&self) -> usize {
        G::NUM_ACTIONS
    }
    fn observation_len(&self) -> usize {
        G::OBSERVATION_LEN
    }
    fn observation(&self) -> &'static [ObservationPart] {
        G::OBSERVATION
    }
    fn statistics(&self) -> Vec<&'static str> {
        G::STATISTICS.iter().map(|statistic| statistic.name).collect()
    }
    fn returns_range(&self) -> (f64, f64) {
        Game::returns_range(self)
    }
    fn max_chance_outcomes(&self) -> usize {
        Game::max_chance_outcomes(self)
    }
    fn action_table(&self) -> Vec<ActionFields> {
        (0..G::NUM_ACTIONS as u16).map(|id| G::action_fields(Action(id))).collect()
    }
    fn shows_values(&self) -> bool {
        G::SHOWS_VALUES
    }
    fn new_position(&self) -> Box<dyn AnyPosition> {
        Box::new(Position::new(self.clone()))
    }
    fn parse(&self, text: &str) -> Result<Box<dyn AnyPosition>, Broken> {
        check_length(text)?;
        let state = crate::Show::parse(self, text)?;
        Ok(Box::new(Position::from_state(self.clone(), state)?))
    }
    fn parse_json(&self, text: &str) -> Result<Box<dyn AnyPosition>, Broken> {
        let dict = read::<G::Dict>(text)?;
        let state = self.state_from_dict(dict)?;
        Ok(Box::new(Position::from_state(self.clone(), state)?))
    }
    fn parse_json_unchecked(&self, text: &str) -> Result<Box<dyn AnyPosition>, Broken> {
        let state = self.state_from_dict(read::<G::Dict>(text)?)?;
        Ok(Box::new(Position::trusted(self.clone(), state)))
    }
    fn random_playouts(&self, seed: u64, first_game: u64, num_games: u64) -> u64 {
        random_playouts(self, seed, first_game, num_games)
    }
    fn batch(&self, config: &BatchConfig) -> Result<Box<dyn AnyBatch>, StepError> {
        Ok(Box::new(Batch::new(self.clone(), config)?))
    }
    fn batch_from(&self, config: &BatchConfig, snapshot: &Snapshot) -> Result<Box<dyn AnyBatch>, BadRequest> {
        Ok(Box::new(Batch::from_snapshot(self.clone(), config, snapshot)?))
    }
    fn states(&self, rows: usize) -> Result<Box<dyn AnyStates>, BadRequest> {
        Ok(Box::new(States::new(self.clone(), rows)?))
    }
    fn rollout(&self, config: RolloutConfig) -> Result<Box<dyn AnyRollout>, BadRequest> {
        Ok(Box::new(Rollout::new(self.clone(), config)?))
    }
    fn rollout_from(
        &self,
        config: RolloutConfig,
        states: &dyn AnyStates,
        games: usize,
    ) -> Result<Box<dyn AnyRollout>, BadRequest> {
        let states = own_states(self, states)?;
        if (states.len() as u128) * (games as u128) < u128::from(config.num_games) {
            return Err(BadRequest::new("there are fewer states than the games need"));
        }
        let states = states.copy()?.into_rows();
        Ok(Box::new(Rollout::from(self.clone(), config, Start::From { states, games })?))
    }
    fn measuring(
        &self,
        config: MetricsConfig,
        start: Option<&dyn AnyStates>,
    ) -> Result<Box<dyn AnyMeasuring>, BadRequest> {
        let start = match start {
            None => None,
            Some(states) => {
                let first = own_states(self, states)?.rows().first();
                Some(*first.ok_or_else(|| BadRequest::new("there are fewer states than the games need"))?)
            }
        };
        Ok(Box::new(Measuring::new(self.clone(), config, start)?))
    }
    fn series(&self, config: SeriesConfig) -> Result<Box<dyn AnySeries>, BadRequest> {
        Ok(Box::new(SeriesRun::new(self.clone(), config)?))
    }
    fn trainer(
        &self,
        hidden: usize,
        training: Training,
        epsilon: Option<f64>,
    ) -> Result<Box<dyn AnyTrainer>, BadRequest> {
        let training = Training { epsilon: epsilon.unwrap_or_else(epsilon_of::<G>), ..training };
        Ok(Box::new(Trainer::new(self.clone(), hidden, training)?))
    }
    fn trainer_from(&self, net: &Net) -> Result<Box<dyn AnyTrainer>, BadRequest> {
        Ok(Box::new(Trainer::resumed(self.clone(), net)?))
    }
    fn solve_small(
        &self,
        starts: Option<&dyn AnyStates>,
        limits: Limits,
        control: &Control,
    ) -> Result<Option<Box<dyn AnySolution>>, BadRequest> {
        solve_any(self, starts, limits, control)
    }
}

/// The states of this same rule book.
fn own_states<'a, G: FullGame>(game: &G, states: &'a dyn AnyStates) -> Result<&'a States<G>, BadRequest> {
    let known = states.as_any().downcast_ref::<States<G>>();
    known
        .filter(|states| states.game().rules() == Game::rules(game))
        .ok_or_else(|| BadRequest::new("the states belong to another game or to other rules"))
}
