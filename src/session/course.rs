//! A game under way: its record, who has each seat, and the words for what happened.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::api::AnyGame;
use crate::base::error::Error;
use crate::draw::pieces::LETTERS;
use crate::play::position::AnyPosition;
use crate::record::{CHANCE, Origin, Record, Step};
use crate::rules::action::Action;
use crate::rules::game::Turn;
use crate::rules::player::Player;

/// Who has a seat that a person plays.
pub(super) const PERSON: &str = "person";

/// How the engine calls a player, before the number of the seat.
const PLAYER: &str = "player ";

/// How records call a person.
const IN_RECORDS: &str = "human";

/// The most steps of a game under way.
const MOST_STEPS: usize = 20_000;

/// What a step was.
struct Told {
    /// Who threw, if it is a step of chance that somebody threw.
    thrower: Option<u64>,
    words: String,
}

/// A game under way.
pub(super) struct Course {
    pub(super) record: Record,
    /// Who has each seat: [`PERSON`], or the name of an agent.
    pub(super) seats: Vec<String>,
    /// Where dice and the choices of agents come from.
    pub(super) seed: u64,
    /// What each player is called.
    pub(super) names: Vec<String>,
    /// What each step was.
    told: Vec<Told>,
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
        let names = record.game.seat_names();
        let mut course = Course { record, seats, seed, names, told: Vec::new() };
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
        let before = self.record.position.boxed();
        let step = self.record.take(id)?;
        let (player, name) = (usize::try_from(step.player).ok(), &step.name);
        let thrower = player.is_none().then(|| before.view()["state"]["player"].as_u64()).flatten();
        let words = match (player, thrower) {
            (Some(player), _) => {
                format!("{}: {}", self.names[player], before.action_words(Action(step.id as u16)))
            }
            (None, Some(thrower)) => format!("{} throws {name}", self.names[thrower as usize]),
            // Who begins, or what decides that.
            (None, None) if name.starts_with(PLAYER) => name.clone(),
            (None, None) => format!("thrown: {name}"),
        };
        let words = self.named(&words);
        self.told.push(Told { thrower, words: capital(&words) });
        Ok(())
    }

    pub(super) fn len(&self) -> usize {
        self.record.steps.len()
    }

    /// Takes back all but so many steps.
    pub(super) fn back_to(&mut self, place: usize) -> Result<(), Error> {
        self.record = self.record.at(place)?;
        self.told.truncate(place);
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

    /// What a player is called, and which agent it is.
    pub(super) fn who(&self, player: usize) -> String {
        match self.seats[player].as_str() {
            PERSON => self.names[player].clone(),
            agent => format!("{} ({agent})", self.names[player]),
        }
    }

    /// A text of the engine with the names of players: pictures and their words number seats and letter sides, as programs
    /// do, but people at a board see colours.
    pub(super) fn named(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (seat, name) in self.names.iter().enumerate() {
            // Partners who share a colour share the side.
            let colour = name.split(' ').next().unwrap_or(name);
            let side = LETTERS[self.record.game.side(Player(seat as u8)).index()];
            for (known, name) in
                [(format!("{PLAYER}{seat}"), name.as_str()), (format!("side {side}"), colour)]
            {
                text = text.replace(&known, name).replace(&capital(&known), &capital(name));
            }
        }
        text
    }

    /// A step in words, with how many steps there were after it.
    pub(super) fn told(&self, place: usize) -> Value {
        let (step, Told { thrower, words }) = (&self.record.steps[place], &self.told[place]);
        json!({"at": place + 1, "seat": step.player, "thrower": thrower, "name": step.name, "words": words})
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
        let winning = |player: &usize| returns.as_slice()[*player] > 0.0;
        let winners: Vec<usize> = (0..self.names.len()).filter(winning).collect();
        let Some(&first) = winners.first() else {
            return Some("The game is a draw.".into());
        };
        let names: Vec<&str> = winners.iter().map(|&player| self.names[player].as_str()).collect();
        let verb = if winners.len() > 1 { "win" } else { "wins" };
        let value = returns.as_slice()[first];
        let points =
            if value == self.usual_win(winners.len()) { String::new() } else { format!(" {value} points") };
        Some(format!("The game is over: {} {verb}{points}.", names.join(" and ")))
    }

    /// What each of so many winners gets where everybody else loses one point.
    pub(super) fn usual_win(&self, winners: usize) -> f64 {
        (self.names.len() - winners) as f64 / winners as f64
    }

    /// The dice of the latest throw among the first so many steps, with those that it was thrown again after.
    pub(super) fn thrown(&self, place: usize) -> Vec<&str> {
        let steps = &self.record.steps[..place];
        let is_thrown = |step: &&Step| step.player == CHANCE;
        let last = steps.iter().rposition(|step| is_thrown(&step)).map_or(0, |last| last + 1);
        let mut dice: Vec<&str> =
            steps[..last].iter().rev().take_while(is_thrown).map(|step| step.name.as_str()).collect();
        dice.reverse();
        dice
    }
}

/// A text with a capital.
fn capital(text: &str) -> String {
    let (first, rest) = text.split_at(text.len().min(1));
    first.to_ascii_uppercase() + rest
}

/// Who has each seat in a record, by the words of a board; [`PERSON`] where nothing is known.
pub(super) fn persons_of(record: &Record) -> Vec<String> {
    let nobody = vec![PERSON.to_owned(); record.game.num_players()];
    let mut labels = record.origin.agents.clone().unwrap_or(nobody);
    labels.iter_mut().filter(|label| *label == IN_RECORDS).for_each(|label| *label = PERSON.to_owned());
    labels
}
