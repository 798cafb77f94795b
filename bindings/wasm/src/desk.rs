//! What callers hold: rule books and games under way, by number.

use std::collections::BTreeMap;
use std::sync::Arc;

use sarai::agents::rng::Streams;
use sarai::api::AnyGame;
use sarai::base::error::Error;
use sarai::record::Record;
use sarai::session::Session;

/// A game under way, and the streams from which it draws on.
pub(crate) struct Course {
    pub(crate) record: Record,
    pub(crate) streams: Streams,
}

/// The most things that may be held at once: whoever holds more has forgotten to free them.
const MOST: usize = 10_000;

/// Something that is held.
enum Held {
    Game(Arc<dyn AnyGame>),
    State(Box<Course>),
    Session(Box<Session>),
}

/// Everything that is held. A number is given once.
pub(crate) struct Desk {
    held: BTreeMap<u64, Held>,
    last: u64,
}

impl Desk {
    pub(crate) const fn new() -> Self {
        Desk { held: BTreeMap::new(), last: 0 }
    }

    fn hold(&mut self, thing: Held) -> Result<u64, Error> {
        if self.held.len() >= MOST {
            return Err(Error::new(format!("{MOST} games and states are held already: free some first")));
        }
        self.last += 1;
        self.held.insert(self.last, thing);
        Ok(self.last)
    }

    /// Holds a rule book, and gives its number.
    pub(crate) fn hold_game(&mut self, game: Arc<dyn AnyGame>) -> Result<u64, Error> {
        self.hold(Held::Game(game))
    }

    /// Holds a game under way, and gives its number.
    pub(crate) fn hold_state(&mut self, course: Course) -> Result<u64, Error> {
        self.hold(Held::State(Box::new(course)))
    }

    /// Holds a game that people play, and gives its number.
    pub(crate) fn hold_session(&mut self, session: Session) -> Result<u64, Error> {
        self.hold(Held::Session(Box::new(session)))
    }

    /// The rule book of a number.
    pub(crate) fn game(&self, number: u64) -> Result<&Arc<dyn AnyGame>, Error> {
        match self.held.get(&number) {
            Some(Held::Game(game)) => Ok(game),
            _ => Err(unknown("game", number, "make")),
        }
    }

    /// The game under way of a number.
    pub(crate) fn state(&mut self, number: u64) -> Result<&mut Course, Error> {
        match self.held.get_mut(&number) {
            Some(Held::State(course)) => Ok(course),
            _ => Err(unknown("state", number, "start")),
        }
    }

    /// The game of a number that people play.
    pub(crate) fn session(&mut self, number: u64) -> Result<&mut Session, Error> {
        match self.held.get_mut(&number) {
            Some(Held::Session(session)) => Ok(session),
            _ => Err(unknown("session", number, "session")),
        }
    }

    /// Holds something no longer.
    pub(crate) fn free(&mut self, number: u64) -> Result<(), Error> {
        let known = self.held.remove(&number).map(drop);
        known.ok_or_else(|| Error::new(format!("nothing is held as number {number}")))
    }
}

fn unknown(what: &str, number: u64, verb: &str) -> Error {
    Error::new(format!(
        "no {what} is held as number {number}: it was freed, or never given; '{verb}' gives one"
    ))
}
