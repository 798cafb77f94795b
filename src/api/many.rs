//! What is asked of any rule book where there is more than a board: many games at once, and states as dicts.

use std::any::Any;

use super::dict::read;
use crate::base::{Control, Error};
use crate::exact::small::{AnySolution, Limits, solve_from};
use crate::nets::Net;
use crate::play::run::{self, Run, RunConfig};
use crate::play::{
    AnyBatch, AnyForest, AnyPosition, AnyStates, AnyTrainer, Batch, BatchConfig, Forest, ForestConfig,
    Snapshot, States, Trainer, Training, check_length,
};
use crate::rules::keywords::{Given, Misfit, Value};
use crate::rules::{FullGame, Position, Symmetry};

/// Any rule book by which many games are played at once. What fails here, and why, is said where it is linked.
pub trait Many {
    /// The position that a state dict describes, given as JSON; an error where it describes none, or one that breaks an
    /// invariant.
    fn parse_json(&self, text: &str) -> Result<Box<dyn AnyPosition>, Error>;
    /// The position that a person sees, by the keywords of [`crate::SetUp::keywords`].
    ///
    /// # Errors
    /// When a keyword is none of the game's or got what it does not take, or the position breaks an invariant.
    fn set_up(&self, given: Vec<(String, Value)>) -> Result<Box<dyn AnyPosition>, Misfit>;
    /// A batch of this game, which may go on from a snapshot: [`Batch::new`].
    fn batch(&self, config: &BatchConfig, snapshot: Option<&Snapshot>) -> Result<Box<dyn AnyBatch>, Error>;
    /// Trees for positions of this game: [`Forest::new`].
    fn forest(&self, roots: &dyn AnyStates, config: ForestConfig) -> Result<Box<dyn AnyForest>, Error>;
    /// So many games at their start: [`States::new`].
    fn states(&self, rows: usize) -> Result<Box<dyn AnyStates>, Error>;
    /// A run of games of this game; see [`run::run`].
    fn run(&self, config: RunConfig) -> Result<Box<dyn Run>, Error>;
    /// See [`Training::of`].
    fn usual_training(&self, seed: u64) -> Training;
    /// A network that learns this game; see [`Trainer::new`].
    fn trainer(&self, hidden: usize, training: Training) -> Result<Box<dyn AnyTrainer>, Error>;
    /// One that goes on learning; see [`Trainer::resumed`].
    fn trainer_from(&self, net: &Net, training: Option<Training>) -> Result<Box<dyn AnyTrainer>, Error>;
    /// See [`crate::Encode::symmetries`].
    fn symmetries(&self) -> Vec<Symmetry>;
    /// See [`solve_from`].
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
    fn batch(&self, config: &BatchConfig, snapshot: Option<&Snapshot>) -> Result<Box<dyn AnyBatch>, Error> {
        Ok(Box::new(Batch::new(self.clone(), config, snapshot)?))
    }
    fn forest(&self, roots: &dyn AnyStates, config: ForestConfig) -> Result<Box<dyn AnyForest>, Error> {
        Ok(Box::new(Forest::new(self.clone(), roots, config)?))
    }
    fn states(&self, rows: usize) -> Result<Box<dyn AnyStates>, Error> {
        Ok(Box::new(States::new(self.clone(), rows)?))
    }
    fn run(&self, config: RunConfig) -> Result<Box<dyn Run>, Error> {
        run::run(self.clone(), config)
    }
    fn usual_training(&self, seed: u64) -> Training {
        Training::of::<G>(seed)
    }
    fn trainer(&self, hidden: usize, training: Training) -> Result<Box<dyn AnyTrainer>, Error> {
        Ok(Box::new(Trainer::new(self.clone(), hidden, training)?))
    }
    fn trainer_from(&self, net: &Net, training: Option<Training>) -> Result<Box<dyn AnyTrainer>, Error> {
        Ok(Box::new(Trainer::resumed(self.clone(), net, training)?))
    }
    fn symmetries(&self) -> Vec<Symmetry> {
        crate::Encode::symmetries(self)
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
