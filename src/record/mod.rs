//! A game written down: where it began, every step by its number and name, and where it comes from. `docs/records.md`
//! describes the two forms in which it is written, as JSON and as text.

mod json;
#[cfg(not(target_family = "wasm"))]
mod notation;
mod reader;
mod writer;

use std::sync::Arc;

#[cfg(not(target_family = "wasm"))]
pub use notation::actions;
pub use reader::read;

use crate::api::AnyGame;
use crate::base::error::{Error, counted, shorten};
use crate::play::position::AnyPosition;
use crate::rules::Turn;

/// The most steps of a record.
pub const MAX_STEPS: usize = 1_000_000;

/// The longest label of a seat.
const MAX_LABEL: usize = 1000;

/// The version of both forms.
const VERSION: u64 = 1;

/// Stands for chance where a step says who took it, as in Python.
pub const CHANCE: i64 = -1;

/// One step.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// Who took it: [`CHANCE`] or a seat.
    pub player: i64,
    /// The action or the outcome.
    pub id: i64,
    /// Its name.
    pub name: String,
}

/// Where a game comes from.
#[derive(Clone, Default, Debug)]
pub struct Origin {
    /// What its dice came from.
    pub seed: Option<u64>,
    /// Its number among the games of the seed.
    pub number: Option<u64>,
    /// Who had each seat.
    pub agents: Option<Vec<String>>,
}

impl Origin {
    /// Refuses labels that are not one for each seat, or too long.
    ///
    /// # Errors
    /// Says what is wrong with them.
    pub fn check(&self, seats: usize) -> Result<(), Error> {
        let Some(agents) = &self.agents else { return Ok(()) };
        if agents.len() != seats {
            return Err(Error::new(format!(
                "agents has {}; this game has {seats} seats, one label each",
                counted(agents.len(), "label", "labels")
            )));
        }
        match agents.iter().map(|label| label.chars().count()).find(|&length| length > MAX_LABEL) {
            None => Ok(()),
            Some(length) => Err(Error::new(format!(
                "an agent's label has {length} characters; it takes up to {MAX_LABEL}"
            ))),
        }
    }
}

/// A game and what was played of it.
#[derive(Debug)]
pub struct Record {
    /// The rules.
    pub game: Arc<dyn AnyGame>,
    /// Where it began, if not as every game does.
    pub start: Option<Box<dyn AnyPosition>>,
    /// Where it stands after all steps.
    pub position: Box<dyn AnyPosition>,
    /// What was played.
    pub steps: Vec<Step>,
    /// Where it comes from.
    pub origin: Origin,
}

impl Clone for Record {
    fn clone(&self) -> Self {
        Record {
            game: self.game.clone(),
            start: self.start.as_ref().map(|start| start.boxed()),
            position: self.position.boxed(),
            steps: self.steps.clone(),
            origin: self.origin.clone(),
        }
    }
}

impl Record {
    /// A game that begins, where it is said, or as every game does.
    ///
    /// ```
    /// use sarai::api::registry;
    /// use sarai::record::{Origin, Record, read};
    /// let game = registry::find("shah")?.make(None, "{}")?;
    /// let mut record = Record::new(game, None, Origin::default());
    /// assert_eq!(record.take(4)?.name, "d6");
    /// assert_eq!(read(&record.to_json())?.to_text()?, record.to_text()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(game: Arc<dyn AnyGame>, start: Option<Box<dyn AnyPosition>>, origin: Origin) -> Self {
        let position = start.as_ref().map_or_else(|| game.new_position(), |start| start.boxed());
        Record { game, start, position, steps: Vec::new(), origin }
    }

    /// Who is to act, as a step says it; `None` where the game is over.
    pub fn to_act(&self) -> Option<i64> {
        match self.position.turn() {
            Turn::Player(player) => Some(i64::from(player.0)),
            Turn::Chance => Some(CHANCE),
            Turn::Over => None,
        }
    }

    /// Takes a step: an action, or an outcome of chance.
    ///
    /// # Errors
    /// When it is not legal, or there are too many; nothing has changed.
    pub fn take(&mut self, id: i64) -> Result<&Step, Error> {
        let Some(player) = self.to_act() else {
            return Err(Error::new("the game is over, so no step can follow"));
        };
        if self.steps.len() >= MAX_STEPS {
            return Err(Error::new("a record holds at most 1,000,000 steps, and there are more here"));
        }
        let name =
            if player == CHANCE { self.position.outcome_name(id) } else { self.position.action_name(id) };
        self.position.play_any(id).map_err(|error| Error::new(error.to_string()))?;
        self.steps.push(Step { player, id, name: name.unwrap_or_default() });
        Ok(&self.steps[self.steps.len() - 1])
    }

    /// The step that a text names: an action's name, or that of an outcome of chance.
    ///
    /// # Errors
    /// When it names none.
    pub fn named(&self, name: &str) -> Result<i64, Error> {
        let Some(chance) = self.position.chance() else {
            let found = self.position.action_named(name);
            return found.map(|action| i64::from(action.0)).map_err(|error| Error::new(error.to_string()));
        };
        let names: Vec<String> =
            (0..chance.weights().len() as i64).filter_map(|id| self.position.outcome_name(id)).collect();
        names.iter().position(|known| known == name).map(|id| id as i64).ok_or_else(|| {
            Error::new(format!("'{}' names no outcome; here are {}", shorten(name), names.join(", ")))
        })
    }

    /// The same game after its first so many steps.
    ///
    /// # Errors
    /// When it has not so many.
    pub fn at(&self, place: usize) -> Result<Record, Error> {
        if place >= self.steps.len() {
            return match place == self.steps.len() {
                // Steps need not be played again where none is left out.
                true => Ok(self.clone()),
                false => Err(Error::new(format!(
                    "the game has no step {place} yet; 'at' takes 0 to {}",
                    self.steps.len()
                ))),
            };
        }
        let start = self.start.as_ref().map(|start| start.boxed());
        let mut record = Record::new(self.game.clone(), start, self.origin.clone());
        for step in &self.steps[..place] {
            record.position.play_any(step.id).map_err(|error| Error::new(error.to_string()))?;
        }
        record.steps = self.steps[..place].to_vec();
        Ok(record)
    }
}
