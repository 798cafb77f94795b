//! A game under way: its record, who has each seat, and the words for what happened.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::api::AnyGame;
use crate::base::error::Error;
use crate::play::position::AnyPosition;
use crate::record::{CHANCE, Origin, Record, Step};
use crate::rules::game::Turn;

/// Who has a seat that a person plays.
pub(super) const PERSON: &str = "person";

/// How records call a person.
const IN_RECORDS: &str = "human";

/// The most steps of a game under way.
const MOST_STEPS: usize = 20_000;

/// A game under way.
pub(super) struct Course {
    pub(super) record: Record,
    /// Who has each seat: [`PERSON`], or the name of an agent.
    pub(super) seats: Vec<String>,
    /// Where dice and the choices of agents come from.
    pub(super) seed: u64,
    /// Who threw, for each step of chance that somebody threw.
    throwers: Vec<Option<u64>>,
}

impl Course {
    /// A game that begins, and steps that were played before.
    pub(super) fn new(
        game: Arc<dyn AnyGame>,
        start: Option<Box<dyn AnyPosition>>,
        steps: impl IntoIterator<Item = i64>,
        seats: Vec<String>,
        seed: u64,
    ) -> Result<Self, Error> {
        let labels = seats.iter().map(|seat| if seat == PERSON { IN_RECORDS } else { seat }.to_owned());
        let origin = Origin { seed: Some(seed), number: None, agents: Some(labels.collect()) };
        origin.check(game.num_players())?;
        let record = Record::new(game, start, origin);
        let mut course = Course { record, seats, seed, throwers: Vec::new() };
        for step in steps {
            course.take(step)?;
        }
        Ok(course)
    }

    /// Takes a step: an action or an outcome of chance.
    pub(super) fn take(&mut self, id: i64) -> Result<(), Error> {
        if self.len() >= MOST_STEPS {
            return Err(Error::new("a game on a board has at most 20,000 steps: begin a new one"));
        }
        let is_chance = self.record.to_act() == Some(CHANCE);
        let thrower = is_chance.then(|| self.record.position.view()["state"]["player"].as_u64()).flatten();
        self.record.take(id)?;
        self.throwers.push(thrower);
        Ok(())
    }

    pub(super) fn len(&self) -> usize {
        self.record.steps.len()
    }

    /// Takes back all but so many steps.
    pub(super) fn back_to(&mut self, place: usize) -> Result<(), Error> {
        self.record = self.record.at(place)?;
        self.throwers.truncate(place);
        Ok(())
    }

    /// Whose turn it is.
    pub(super) fn player(&self) -> Option<usize> {
        match self.record.position.turn() {
            Turn::Player(player) => Some(player.index()),
            Turn::Chance | Turn::Over => None,
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.record.to_act().is_none()
    }

    /// Whether a person is to choose.
    pub(super) fn is_persons(&self) -> bool {
        self.player().is_some_and(|player| self.seats[player] == PERSON)
    }

    /// Whether it is for nobody else to go on.
    pub(super) fn waits(&self) -> bool {
        self.is_over() || self.is_persons()
    }

    fn seat(&self, step: &Step) -> Option<&String> {
        usize::try_from(step.player).ok().map(|seat| &self.seats[seat])
    }

    /// The latest of the first so many steps that a player chose.
    pub(super) fn last_choice(&self, place: usize) -> Option<&Step> {
        self.record.steps[..place].iter().rfind(|step| step.player != CHANCE)
    }

    /// Where the latest choice of a person stands among the steps.
    pub(super) fn last_of_a_person(&self) -> Option<usize> {
        self.record.steps.iter().rposition(|step| self.seat(step).is_some_and(|seat| seat == PERSON))
    }

    /// How a player is called in words.
    pub(super) fn who(&self, player: usize) -> String {
        match self.seats[player].as_str() {
            PERSON => format!("player {player}"),
            agent => format!("player {player} ({agent})"),
        }
    }

    /// A step in words, with how many steps there were after it.
    pub(super) fn told(&self, place: usize) -> Value {
        let (step, thrower) = (&self.record.steps[place], self.throwers[place]);
        let name = &step.name;
        let words = match (usize::try_from(step.player), thrower) {
            (Ok(player), _) => format!("{} plays {name}", self.who(player)),
            (Err(_), Some(thrower)) => format!("{} throws {name}", self.who(thrower as usize)),
            (Err(_), None) => format!("drawn: {name}"),
        };
        json!({"at": place + 1, "seat": step.player, "thrower": thrower, "name": name, "words": words})
    }

    /// The steps in words, from this place on.
    pub(super) fn log(&self, first: usize) -> Value {
        (first..self.len()).map(|place| self.told(place)).collect()
    }

    /// Who has won what; `None` while the game goes on.
    pub(super) fn result(&self) -> Option<String> {
        if !self.is_over() {
            return None;
        }
        let returns = self.record.position.returns();
        if returns.as_slice().iter().all(|&value| value == 0.0) {
            return Some("The game is a draw.".into());
        }
        let told = returns.as_slice().iter().enumerate().map(|(player, value)| {
            let verb = if *value > 0.0 { "wins" } else { "loses" };
            format!("{} {verb} {}", self.who(player), value.abs())
        });
        Some(format!("The game is over: {}.", told.collect::<Vec<_>>().join(", ")))
    }
}

/// Who has each seat in a record, by the words of a board; [`PERSON`] where nothing is known.
pub(super) fn persons_of(record: &Record) -> Vec<String> {
    let nobody = vec![PERSON.to_owned(); record.game.num_players()];
    let mut labels = record.origin.agents.clone().unwrap_or(nobody);
    labels.iter_mut().filter(|label| *label == IN_RECORDS).for_each(|label| *label = PERSON.to_owned());
    labels
}
