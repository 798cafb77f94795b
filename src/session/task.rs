//! What somebody has to think about: the next step of a game, or advice.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::catalogue::plays;
use super::request::Request;
use crate::agents::Agent;
use crate::agents::playout::sample;
use crate::agents::rng::Streams;
use crate::api::{AnyGame, registry};
use crate::base::control::Control;
use crate::base::error::Error;
use crate::base::lock::lock;
use crate::play::position::AnyPosition;
use crate::rules::game::Turn;

/// The agents that were asked lately, by their names: what they play by need not be read again for every step.
pub(super) type Asked = Mutex<BTreeMap<String, Agent>>;

/// So many of them are kept.
const MOST_ASKED: usize = 8;

/// A position, and what is asked about it. It needs nothing of its session, so that another thread can do it, or another
/// engine that is given it as JSON.
#[derive(Debug)]
pub struct Task {
    pub(super) game: Arc<dyn AnyGame>,
    pub(super) position: Box<dyn AnyPosition>,
    /// Who is asked; `None` is chance.
    pub(super) agent: Option<String>,
    /// The agents of the session.
    pub(super) asked: Arc<Asked>,
    /// Whether that is no agent of the engine: the host asks it.
    pub(super) is_guest: bool,
    /// Whether all moves are to be judged, and not one chosen.
    pub(super) analyses: bool,
    pub(super) seed: u64,
    /// How many steps the game has: each has streams of its own, so that one that is taken back and comes again is the same.
    pub(super) number: u64,
}

impl Task {
    /// The guest who is to choose, whom the host asks.
    pub fn guest(&self) -> Option<&str> {
        self.agent.as_deref().filter(|_| self.is_guest)
    }

    /// The rules.
    pub fn game(&self) -> &Arc<dyn AnyGame> {
        &self.game
    }

    /// The position.
    pub fn position(&self) -> &dyn AnyPosition {
        &*self.position
    }

    /// Does it: the step as `{"action": id}`, or the analysis. When it is cancelled it may answer anything, soon.
    ///
    /// # Errors
    /// When the agent cannot choose.
    pub fn work(&self, control: &Control) -> Result<Value, Error> {
        let mut streams = Streams::new(self.seed, self.number);
        let id = match (self.position.turn(), &self.agent) {
            (Turn::Player(player), Some(agent)) => {
                let agent = self.engine(agent)?;
                let rng = &mut streams.seats[player.index()];
                if self.analyses {
                    return self.position.analyse(&agent, rng, control);
                }
                self.position.choose(&agent, rng, control)?.0
            }
            (Turn::Chance, None) => {
                let chance = self.position.chance().expect("it is chance's turn");
                u16::from(sample(chance, &mut streams.dice).0)
            }
            _ => return Err(Error::new("nobody is to act here, or not the one who is asked")),
        };
        Ok(json!({"action": id}))
    }

    /// The agent of a name, if it plays the game.
    fn engine(&self, name: &str) -> Result<Agent, Error> {
        if let Some(agent) = lock(&self.asked).get(name) {
            return Ok(agent.clone());
        }
        let agent = plays(&*self.game, name)?;
        let mut asked = lock(&self.asked);
        if asked.len() >= MOST_ASKED {
            asked.clear();
        }
        asked.insert(name.to_owned(), agent.clone());
        Ok(agent)
    }

    /// The task as JSON, for an engine elsewhere; [`Task::from_request`] reads it.
    pub fn to_json(&self) -> Value {
        json!({
            "do": "think",
            "game": self.game.name(),
            "rules": self.game.rules(),
            "position": self.position.text(),
            "agent": self.agent,
            "analyses": self.analyses,
            "seed": self.seed.to_string(),
            "number": self.number,
        })
    }

    /// The task that a request is.
    ///
    /// # Errors
    /// When it is none.
    pub fn from_request(mut request: Request) -> Result<Self, Error> {
        let rules = request.take("rules").unwrap_or_else(|| json!({}));
        let game = registry::find(&request.text_needed("game")?)?
            .make(None, &rules.to_string())
            .map_err(|error| Error::new(error.to_string()))?;
        let position = request.text_needed("position")?;
        let position = game.parse(&position).map_err(|error| Error::new(error.to_string()))?;
        let task = Task {
            position,
            game,
            agent: request.text("agent")?,
            asked: Arc::default(),
            is_guest: false,
            analyses: request.take("analyses") == Some(Value::Bool(true)),
            seed: request.whole("seed")?.unwrap_or(0),
            number: request.whole("number")?.unwrap_or(0),
        };
        request.done()?;
        Ok(task)
    }
}
