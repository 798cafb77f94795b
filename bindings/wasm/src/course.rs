//! A game under way: where it began, every step, and the streams from which it draws.

use std::sync::Arc;

use sarai::agents::rng::Streams;
use sarai::base::error::{BadRequest, counted, shorten};
use sarai::erased::{AnyGame, AnyPosition};
use sarai::rules::game::Turn;

/// The most steps of a game, as of a record.
pub(crate) const MAX_STEPS: usize = 1_000_000;

/// The longest label of a seat.
const MAX_LABEL: usize = 1000;

/// Stands for chance where a step says who took it, as in Python.
pub(crate) const CHANCE: i64 = -1;

/// One step: who took it, [`CHANCE`] or a seat; its number and its name.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Step {
    pub(crate) player: i64,
    pub(crate) id: i64,
    pub(crate) name: String,
}

/// A game under way.
pub(crate) struct Course {
    pub(crate) game: Arc<dyn AnyGame>,
    /// Where it began, if not as every game does.
    pub(crate) start: Option<Box<dyn AnyPosition>>,
    pub(crate) position: Box<dyn AnyPosition>,
    pub(crate) steps: Vec<Step>,
    /// What a record says of it.
    pub(crate) origin: Origin,
    /// From which it draws on.
    pub(crate) streams: Streams,
}

/// Where a game comes from, as a record says it.
#[derive(Clone, Default)]
pub(crate) struct Origin {
    pub(crate) seed: Option<u64>,
    pub(crate) number: Option<u64>,
    pub(crate) agents: Option<Vec<String>>,
}

impl Origin {
    /// Refuses labels that are not one for each seat, or too long.
    pub(crate) fn check(&self, seats: usize) -> Result<(), BadRequest> {
        let Some(agents) = &self.agents else { return Ok(()) };
        if agents.len() != seats {
            return Err(BadRequest::new(format!(
                "agents has {}; this game has {seats} seats, one label each",
                counted(agents.len(), "label", "labels")
            )));
        }
        match agents.iter().map(|label| label.chars().count()).find(|&length| length > MAX_LABEL) {
            None => Ok(()),
            Some(length) => Err(BadRequest::new(format!(
                "an agent's label has {length} characters; it takes up to {MAX_LABEL}"
            ))),
        }
    }
}

impl Course {
    /// A game that begins, where it is said, or as every game does.
    pub(crate) fn new(game: Arc<dyn AnyGame>, start: Option<Box<dyn AnyPosition>>, origin: Origin) -> Self {
        let position = start.as_ref().map_or_else(|| game.new_position(), |start| start.boxed());
        let streams = Streams::new(origin.seed.unwrap_or(0), origin.number.unwrap_or(0));
        Course { game, start, position, steps: Vec::new(), origin, streams }
    }

    /// Who is to act, as a step says it; `None` where the game is over.
    pub(crate) fn to_act(&self) -> Option<i64> {
        match self.position.turn() {
            Turn::Player(player) => Some(i64::from(player.0)),
            Turn::Chance => Some(CHANCE),
            Turn::Over => None,
        }
    }

    /// Takes a step: an action, or an outcome of chance.
    pub(crate) fn take(&mut self, id: i64) -> Result<&Step, BadRequest> {
        let Some(player) = self.to_act() else {
            return Err(BadRequest::new("the game is over, so no step can follow"));
        };
        if self.steps.len() >= MAX_STEPS {
            return Err(BadRequest::new(format!(
                "a game has at most {MAX_STEPS} steps, and these are as many"
            )));
        }
        let name =
            if player == CHANCE { self.position.outcome_name(id) } else { self.position.action_name(id) };
        self.position.play_any(id).map_err(|error| BadRequest::new(error.to_string()))?;
        self.steps.push(Step { player, id, name: name.unwrap_or_default() });
        Ok(&self.steps[self.steps.len() - 1])
    }

    /// The step that a text names: an action's name, or that of an outcome of chance.
    pub(crate) fn named(&self, name: &str) -> Result<i64, BadRequest> {
        let Some(chance) = self.position.chance() else {
            let found = self.position.action_named(name);
            return found
                .map(|action| i64::from(action.0))
                .map_err(|error| BadRequest::new(error.to_string()));
        };
        let names: Vec<String> =
            (0..chance.weights().len() as i64).filter_map(|id| self.position.outcome_name(id)).collect();
        names.iter().position(|known| known == name).map(|id| id as i64).ok_or_else(|| {
            BadRequest::new(format!("'{}' names no outcome; here are {}", shorten(name), names.join(", ")))
        })
    }

    /// The same game after its first so many steps.
    pub(crate) fn at(&self, place: usize) -> Result<Course, BadRequest> {
        if place > self.steps.len() {
            let length = self.steps.len();
            return Err(BadRequest::new(format!(
                "the game has no step {place} yet; 'at' takes 0 to {length}"
            )));
        }
        let start = self.start.as_ref().map(|start| start.boxed());
        let mut course = Course::new(self.game.clone(), start, self.origin.clone());
        course.streams = self.streams.clone();
        if place == self.steps.len() {
            // Steps need not be played again where none is left out.
            course.position = self.position.boxed();
            course.steps.clone_from(&self.steps);
            return Ok(course);
        }
        for step in &self.steps[..place] {
            course.take(step.id)?;
        }
        Ok(course)
    }
}
