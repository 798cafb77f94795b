//! Agents: who chooses the actions of a seat.

mod decimal;
mod mixed;
mod name;

use std::sync::Arc;

use serde_json::{Value, json};

pub use self::mixed::Mixed;
use super::analysis::{Analysis, at_a_glance, of_search};
use super::greedy::greedy;
use super::mcts::{Kept, Leaf, Settings};
use super::perfect::Source;
use super::random::random;
use super::{Evaluator, alphabeta, expectimax, mcts};
use crate::agents::rng::Stream;
use crate::base::control::Control;
use crate::base::error::Error;
use crate::nets::Named;
use crate::rules::action::{Action, ActionSet};
use crate::rules::game::{Evaluate, Game, Heuristic};

/// An agent that plays inside the engine. It knows the whole position, but never the coming dice.
///
/// ```
/// use sarai::agents::Agent;
/// assert_eq!("greedy".parse(), Ok(Agent::Greedy));
/// assert_eq!("mcts:200".parse(), Ok(Agent::mcts(200)));
/// let agent: Agent = "alphabeta:8,table_mb=16".parse()?;
/// assert_eq!(agent.to_string(), "alphabeta:8,table_mb=16");
/// assert!("clever".parse::<Agent>().is_err());
/// assert!("mcts:0".parse::<Agent>().is_err());
/// assert_eq!("mcts:5,evaluator=heuristic".parse::<Agent>()?.to_string(), "mcts:5,evaluator=heuristic");
/// assert!("mcts:5,filter=8/4".parse::<Agent>().is_err());
/// # Ok::<(), sarai::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Agent {
    /// Every legal action is equally likely.
    Random,
    /// The action with the best [`Heuristic::score`], of equals the smallest id.
    Greedy,
    /// Monte Carlo tree search, see [`mcts::search`].
    Mcts(Settings),
    /// Every end of the turn weighed, dice averaged, see [`expectimax::search`].
    Expectimax {
        /// How many turns it looks ahead.
        depth: u8,
        /// How many ends of a turn are looked at beyond the first glance: of the first turn, and of every later one.
        filter: (u16, u16),
        /// Who weighs them.
        evaluator: Evaluator,
    },
    /// For two sides without chance, see [`alphabeta::search`].
    AlphaBeta(alphabeta::Settings),
    /// The way to the end of the turn that a network likes best, of equals the one with fewer actions, then smaller ids.
    Network(Arc<Named>),
    /// What tables of exact values hold to be best, of equals the smallest id; see [`super::perfect`].
    Perfect(Arc<Source>),
    /// At every decision one of several agents, drawn by their weights.
    Mixed(Arc<Mixed>),
}

impl Agent {
    /// A tree search that plays so many random games a decision.
    pub const fn mcts(simulations: u32) -> Self {
        Agent::Mcts(Settings::new(simulations))
    }

    /// The network by which it judges positions, if it does.
    fn network(&self) -> Option<&Named> {
        match self {
            Agent::Network(named) => Some(named),
            Agent::Mcts(Settings { leaf, .. }) => leaf.network(),
            Agent::Expectimax { evaluator, .. } | Agent::AlphaBeta(alphabeta::Settings { evaluator, .. }) => {
                evaluator.network()
            }
            Agent::Random | Agent::Greedy | Agent::Perfect(_) | Agent::Mixed(_) => None,
        }
    }

    /// Whether one choice may take so long that somebody wants to cancel it.
    pub fn is_slow(&self) -> bool {
        match self {
            Agent::Mixed(mixed) => mixed.agents().any(Agent::is_slow),
            agent => !matches!(agent, Agent::Random | Agent::Greedy | Agent::Perfect(_)),
        }
    }

    /// The word that its name begins with.
    pub fn kind(&self) -> &'static str {
        match self {
            Agent::Random => "random",
            Agent::Greedy => "greedy",
            Agent::Mcts(_) => "mcts",
            Agent::Expectimax { .. } => "expectimax",
            Agent::AlphaBeta { .. } => "alphabeta",
            Agent::Network(_) => "net",
            Agent::Perfect(_) => "perfect",
            Agent::Mixed(mixed) => mixed.kind(),
        }
    }

    /// Its name, kind and parameters, as JSON.
    ///
    /// ```
    /// use sarai::agents::Agent;
    /// let told = Agent::mcts(50).describe();
    /// assert_eq!(told["name"], "mcts:50");
    /// assert_eq!(told["parameters"]["simulations"], 50);
    /// ```
    pub fn describe(&self) -> Value {
        let parameters = match self {
            Agent::Random | Agent::Greedy => json!({}),
            Agent::Mcts(settings) => {
                let Settings { simulations, leaf, exploration, greedy_priors, solver, reuse_tree } = settings;
                let (playout, evaluator) = match leaf {
                    Leaf::Random => (Some("random"), None),
                    Leaf::Greedy => (Some("greedy"), None),
                    Leaf::Heuristic => (None, Some("heuristic".to_owned())),
                    Leaf::Network(named) => (None, Some(format!("net:{named}"))),
                };
                let priors = greedy_priors.then_some("greedy");
                let exploration = f64::from(*exploration) / 100.0;
                json!({
                    "simulations": simulations, "playout": playout, "evaluator": evaluator, "priors": priors,
                    "exploration": exploration, "solver": solver, "reuse_tree": reuse_tree,
                })
            }
            Agent::Expectimax { depth, filter: (one, other), evaluator } => {
                with_network(json!({ "depth": depth, "filter": [one, other] }), evaluator)
            }
            Agent::AlphaBeta(alphabeta::Settings { depth, table_mb, evaluator, tables }) => {
                let tables =
                    tables.as_ref().map(|source| source.folder().map_or(json!(true), |folder| json!(folder)));
                with_network(json!({ "depth": depth, "table_mb": table_mb, "tables": tables }), evaluator)
            }
            Agent::Network(named) => json!({ "network": named.name() }),
            Agent::Perfect(source) => json!({ "tables": source.folder() }),
            Agent::Mixed(mixed) => mixed.parameters(),
        };
        json!({ "name": self.to_string(), "kind": self.kind(), "parameters": parameters })
    }

    /// Refuses an agent that cannot play a game.
    ///
    /// # Errors
    /// When it cannot.
    pub fn fits<G: Game>(&self, game: &G) -> Result<(), Error> {
        if let Agent::Perfect(source) = self {
            return source.ready(game, self);
        }
        if let Agent::Mixed(mixed) = self {
            return mixed.agents().try_for_each(|agent| agent.fits(game));
        }
        if let Some(Err(why)) = self.network().map(|named| named.net().fits(game)) {
            return Err(Error::new(format!("the network of agent '{self}' {why}")));
        }
        let two_without_dice = !G::DICE && game.num_players() == 2;
        if matches!(self, Agent::AlphaBeta(_)) && !two_without_dice {
            return Err(Error::new(format!(
                "agent '{self}' only plays two-player games without dice, and {} is not one; try \"expectimax:N\"",
                G::NAME
            )));
        }
        if let Agent::AlphaBeta(alphabeta::Settings { tables: Some(source), .. }) = self {
            source.ready(game, self)?;
        }
        Ok(())
    }

    /// How many nodes of a tree it keeps at most from one decision to the next of the same game.
    ///
    /// ```
    /// use sarai::agents::Agent;
    /// assert_eq!("mcts:50,reuse_tree=true".parse::<Agent>()?.keeps(), 101);
    /// assert_eq!(Agent::mcts(50).keeps(), 0);
    /// # Ok::<(), sarai::Error>(())
    /// ```
    pub fn keeps(&self) -> u32 {
        match self {
            Agent::Mcts(Settings { simulations, reuse_tree: true, .. }) => 2 * *simulations + 1,
            Agent::Mixed(mixed) => mixed.agents().map(Agent::keeps).max().unwrap_or(0),
            _ => 0,
        }
    }

    /// What one choice costs, roughly, in units of a random decision, at most 2^40: by this, work is shared among threads.
    pub fn cost(&self) -> u64 {
        let cost = match self {
            Agent::Random => 1,
            Agent::Greedy => 16,
            // A simulation plays a game to its end.
            Agent::Mcts(Settings { simulations, .. }) => 100 * u64::from(*simulations),
            Agent::Network(_) => 100,
            // A turn has some twenty ends, and some twenty throws follow each that is looked at.
            Agent::Expectimax { depth, .. } => {
                400u64.saturating_pow(u32::from(*depth) - 1).saturating_mul(100)
            }
            Agent::Perfect(_) => 200,
            Agent::AlphaBeta(settings) => 3u64.saturating_pow(u32::from(settings.depth)).saturating_mul(20),
            Agent::Mixed(mixed) => mixed.cost(),
        };
        // Nobody tells longer choices apart, and sums of these cannot overflow.
        cost.min(1 << 40)
    }

    /// What it thinks of a position where it is a player's turn, drawing what it would draw to choose there; `None` where it
    /// cannot choose, see [`Agent::why_not`].
    ///
    /// When it is cancelled a search tells what it has found so far.
    pub fn analyse<G: Heuristic + Evaluate>(
        &self,
        game: &G,
        state: &G::State,
        rng: &mut Stream,
        control: &Control,
    ) -> Option<Analysis> {
        match self {
            Agent::Mcts(settings) => mcts::analyse(game, state, settings, rng, control),
            Agent::Expectimax { depth, filter, evaluator } => {
                let found = expectimax::analyse(game, state, *depth, *filter, evaluator.lent(), control)?;
                Some(of_search(game, state, found))
            }
            Agent::Network(named) => {
                let judge = Evaluator::Network(&**named);
                let found = expectimax::analyse(game, state, 1, expectimax::FILTER, judge, control)?;
                Some(of_search(game, state, found))
            }
            // It does not play where there are dice, see `fits`; so it need not be built for such a game.
            Agent::AlphaBeta(_) if G::DICE => None,
            Agent::AlphaBeta(settings) => {
                let found = alphabeta::told(game, state, settings, control)?;
                Some(of_search(game, state, found))
            }
            Agent::Perfect(source) => source.analyse(game, state),
            Agent::Mixed(mixed) => mixed.analyse(game, state, rng, control),
            Agent::Random | Agent::Greedy => {
                let legal = game.legal_actions(state);
                let mut told = at_a_glance(game, state);
                let best = self.choose(game, state, legal, rng, control)?;
                told.best = Some(best);
                let even = 1.0 / legal.len() as f64;
                for line in &mut told.lines {
                    line.probability = match self {
                        Agent::Random => even,
                        _ => f64::from(u8::from(line.action == best)),
                    };
                }
                Some(told)
            }
        }
    }

    /// Why [`Agent::choose`] or [`Agent::analyse`] gave nothing in this state.
    #[cold]
    pub fn why_not<G: Game>(&self, game: &G, state: &G::State) -> Error {
        self.refusal(game, state).unwrap_or_else(no_memory)
    }

    /// What it lacks to choose in this state, where that is no memory.
    fn refusal<G: Game>(&self, game: &G, state: &G::State) -> Option<Error> {
        match self {
            Agent::Perfect(source) => {
                source.choose(game, state).is_none().then(|| source.why_not(game, state))
            }
            Agent::AlphaBeta(settings) => settings.tables.as_ref().and_then(|source| source.failure()),
            Agent::Mixed(mixed) => mixed.agents().find_map(|agent| agent.refusal(game, state)),
            Agent::Random | Agent::Greedy | Agent::Mcts(_) | Agent::Expectimax { .. } | Agent::Network(_) => {
                None
            }
        }
    }

    /// Chooses one of the legal actions, of which there is at least one; `None` where it cannot, see [`Agent::why_not`].
    ///
    /// When it is cancelled it may choose any, soon: the game will not be finished.
    #[cfg_attr(fast, inline(always))]
    pub fn choose<G: Heuristic + Evaluate>(
        &self,
        game: &G,
        state: &G::State,
        legal: ActionSet,
        rng: &mut Stream,
        control: &Control,
    ) -> Option<Action> {
        self.choose_on(game, state, legal, rng, control, &mut None)
    }

    /// The same in a game that keeps, for each seat, what its agent wants kept until its next decision.
    #[cfg_attr(fast, inline(always))]
    pub fn choose_on<G: Heuristic + Evaluate>(
        &self,
        game: &G,
        state: &G::State,
        legal: ActionSet,
        rng: &mut Stream,
        control: &Control,
        kept: &mut Option<Box<Kept<G::State>>>,
    ) -> Option<Action> {
        match self {
            Agent::Random => Some(random(legal, rng)),
            Agent::Greedy => Some(greedy(game, state, legal)),
            Agent::Mcts(settings) => mcts::search(game, state, settings, rng, control, kept),
            // Nothing to think about.
            Agent::Expectimax { .. } | Agent::AlphaBeta(_) | Agent::Network(_) if legal.len() == 1 => {
                legal.nth(0)
            }
            Agent::Expectimax { depth, filter, evaluator } => {
                expectimax::search(game, state, *depth, *filter, evaluator.lent(), control)
                    .map(|found| found.action)
            }
            Agent::Network(named) => {
                let judge = Evaluator::Network(&**named);
                expectimax::search(game, state, 1, expectimax::FILTER, judge, control)
                    .map(|found| found.action)
            }
            Agent::AlphaBeta(_) if G::DICE => None,
            Agent::AlphaBeta(settings) => alphabeta::chosen(game, state, settings, control),
            Agent::Perfect(source) => source.choose(game, state),
            Agent::Mixed(mixed) => mixed.choose(game, state, legal, rng, control, kept),
        }
    }
}

/// Parameters, with the network where there is one.
fn with_network(mut parameters: Value, evaluator: &Evaluator) -> Value {
    if let Some(named) = evaluator.network() {
        parameters["evaluator"] = json!(format!("net:{named}"));
    }
    parameters
}

fn no_memory() -> Error {
    Error::no_memory("not enough memory for a search; use fewer threads or fewer simulations")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deepest_search_has_a_cost_that_can_be_added_up() {
        let deepest: Agent = "alphabeta:64".parse().unwrap();
        assert!(deepest.cost() > Agent::Greedy.cost());
        assert!(deepest.cost().checked_mul(1 << 20).is_some());
    }
}
