//! Agents: who chooses the actions of a seat.

use std::str::FromStr;

use super::greedy::greedy;
use super::mcts;
use super::random::random;
use crate::agents::rng::Stream;
use crate::base::control::Control;
use crate::base::error::{BadRequest, did_you_mean, shorten};
use crate::rules::action::{Action, ActionSet};
use crate::rules::game::Heuristic;

/// An agent that plays inside the engine. It knows the whole position, but never the coming dice.
///
/// ```
/// use sarai::agents::Agent;
/// assert_eq!("greedy".parse(), Ok(Agent::Greedy));
/// assert_eq!("mcts:200".parse(), Ok(Agent::Mcts { simulations: 200 }));
/// assert!("clever".parse::<Agent>().is_err());
/// assert!("mcts:0".parse::<Agent>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Agent {
    /// Every legal action is equally likely.
    Random,
    /// The action with the best [`Heuristic::score`], of equals the smallest id.
    Greedy,
    /// Monte Carlo tree search, see [`mcts::search`].
    Mcts {
        /// How many games are played on from the position for each decision.
        simulations: u32,
    },
}

/// The names of agents, as an error message gives them.
const NAMES: &str = "\"random\", \"greedy\" or \"mcts:N\" with N simulations a decision";

impl FromStr for Agent {
    type Err = BadRequest;

    fn from_str(name: &str) -> Result<Self, BadRequest> {
        match name {
            "random" => return Ok(Agent::Random),
            "greedy" => return Ok(Agent::Greedy),
            _ => {}
        }
        if let Some(simulations) = name.strip_prefix("mcts:") {
            return match simulations.parse() {
                Ok(simulations @ 1..=mcts::MAX_SIMULATIONS) => Ok(Agent::Mcts { simulations }),
                _ => Err(BadRequest::new(format!(
                    "agent '{}' needs 1 to {} simulations, as in \"mcts:200\"",
                    shorten(name),
                    mcts::MAX_SIMULATIONS
                ))),
            };
        }
        let kind = name.split(':').next().unwrap_or_default();
        let hint = did_you_mean(kind, ["random", "greedy", "mcts"]);
        Err(BadRequest::new(format!("unknown agent '{}'{hint}; agents are {NAMES}", shorten(name))))
    }
}

impl Agent {
    /// Whether one choice may take so long that somebody wants to cancel it.
    pub fn is_slow(self) -> bool {
        matches!(self, Agent::Mcts { .. })
    }

    /// What one choice costs, roughly, in units of a random decision: by this, work is shared among threads.
    pub fn cost(self) -> u64 {
        match self {
            Agent::Random => 1,
            Agent::Greedy => 16,
            // A simulation plays a game to its end.
            Agent::Mcts { simulations } => 100 * simulations as u64,
        }
    }

    /// Chooses one of the legal actions, of which there is at least one; `None` when a search finds no memory.
    ///
    /// When it is cancelled it may choose any, soon: the game will not be finished.
    #[inline(always)]
    pub fn choose<G: Heuristic>(
        self,
        game: &G,
        state: &G::State,
        legal: ActionSet,
        rng: &mut Stream,
        control: &Control,
    ) -> Option<Action> {
        match self {
            Agent::Random => Some(random(legal, rng)),
            Agent::Greedy => Some(greedy(game, state, legal)),
            Agent::Mcts { simulations } => mcts::search(game, state, simulations, rng, control),
        }
    }
}
