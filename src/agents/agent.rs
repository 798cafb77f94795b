//! Agents: who chooses the actions of a seat.

mod decimal;
mod mixed;
mod name;

use std::sync::Arc;

use serde_json::{Value, json};

pub use self::mixed::Mixed;
use super::analysis::{Analysis, from_search, one_ply};
use super::evaluator::Evaluator;
use super::greedy::greedy;
use super::mcts::SearchTree;
use super::perfect::{Source, Tables};
use super::random::random;
use super::{alphabeta, expectimax, mcts, policy};
use crate::agents::Stream;
use crate::base::{Control, Error};
use crate::nets::Named;
use crate::rules::{Action, ActionSet, Evaluate, Game, Heuristic};

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
///
/// As names parse to it, it is plain data; [`Agent::bind`] prepares it for a game. `T` is how it holds tables of exact values:
/// by where they are, or open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Agent<T = Arc<Source>> {
    /// Every legal action is equally likely.
    Random,
    /// The action with the best [`Heuristic::score`], of equals the smallest id.
    Greedy,
    /// Monte Carlo tree search, see [`mcts::search`].
    Mcts(mcts::Settings),
    /// Every end of the turn rated, dice averaged, see [`expectimax::search`].
    Expectimax(expectimax::Settings),
    /// For two sides without chance, see [`alphabeta::search`].
    AlphaBeta(alphabeta::Settings<T>),
    /// The way to the end of the turn that a network likes best, of equals the one with fewer actions, then smaller ids.
    Network(expectimax::Settings),
    /// The action with the highest logit of a network, or one drawn by the logits, see [`policy`].
    Policy(policy::Settings),
    /// The best action by tables of exact values, of equals the smallest id; see [`super::perfect`].
    Perfect(T),
    /// At every decision one of several agents, drawn by their weights.
    Mixed(Arc<Mixed<T>>),
}

/// An agent bound to a game: its networks fit, and its tables are open.
pub type BoundAgent<G> = Agent<Arc<Tables<G>>>;

impl Agent {
    /// A tree search that plays so many random games a decision.
    pub const fn mcts(simulations: u32) -> Self {
        Agent::Mcts(mcts::Settings::new(simulations))
    }

    /// The agent that plays by a network alone.
    pub fn network(named: Arc<Named>) -> Self {
        let evaluator = Evaluator::Network(named);
        Agent::Network(expectimax::Settings { evaluator, ..expectimax::Settings::new(1) })
    }

    /// The word that its name begins with.
    pub fn kind(&self) -> &'static str {
        match self {
            Agent::Random => "random",
            Agent::Greedy => "greedy",
            Agent::Mcts(_) => "mcts",
            Agent::Expectimax(_) => "expectimax",
            Agent::AlphaBeta(_) => "alphabeta",
            Agent::Network(_) => "net",
            Agent::Policy(_) => "policy",
            Agent::Perfect(_) => "perfect",
            Agent::Mixed(mixed) => mixed.kind(),
        }
    }

    /// Its name, kind and parameters, as JSON.
    ///
    /// ```
    /// use sarai::agents::Agent;
    /// let description = Agent::mcts(50).describe();
    /// assert_eq!(description["name"], "mcts:50");
    /// assert_eq!(description["parameters"]["simulations"], 50);
    /// ```
    pub fn describe(&self) -> Value {
        let network = self.evaluator().and_then(Evaluator::network);
        let mut parameters = match self {
            Agent::Random | Agent::Greedy => json!({}),
            Agent::Mcts(settings) => {
                let mcts::Settings { simulations, evaluator, exploration, priors, solver, reuse_tree } =
                    settings;
                let (playout, evaluator) = match evaluator {
                    Evaluator::Playouts(_) => (Some("random"), None),
                    Evaluator::GreedyPlayout => (Some("greedy"), None),
                    judge => (None, Some(judge.to_string())),
                };
                let priors = match priors {
                    mcts::Priors::Even => None,
                    mcts::Priors::Greedy => Some("greedy".to_owned()),
                    mcts::Priors::Policy(named) => Some(format!("policy:{named}")),
                };
                json!({
                    "simulations": simulations, "playout": playout, "evaluator": evaluator,
                    "priors": priors, "exploration": f64::from(*exploration) / 100.0,
                    "solver": solver, "reuse_tree": reuse_tree,
                })
            }
            Agent::Expectimax(expectimax::Settings { depth, filter: (one, other), .. }) => {
                json!({ "depth": depth, "filter": [one, other] })
            }
            Agent::AlphaBeta(alphabeta::Settings { depth, table_mb, tables, .. }) => {
                let tables =
                    tables.as_ref().map(|source| source.folder().map_or(json!(true), |folder| json!(folder)));
                json!({ "depth": depth, "table_mb": table_mb, "tables": tables })
            }
            Agent::Network(_) => json!({ "network": network.map(Named::name) }),
            Agent::Policy(policy::Settings { network, temperature }) => json!({
                "network": network.name(), "head": "policy", "sample": *temperature > 0,
                "temperature": if *temperature > 0 { f64::from(*temperature) / 100.0 } else { 1.0 },
            }),
            Agent::Perfect(source) => json!({ "tables": source.folder() }),
            Agent::Mixed(mixed) => mixed.parameters(),
        };
        // Without a word it would play by its logits.
        if let (Agent::Network(_), true) = (self, network.is_some_and(|named| named.net().logits() > 0)) {
            parameters["head"] = json!("value");
        }
        if let (Agent::Expectimax(_) | Agent::AlphaBeta(_), Some(named)) = (self, network) {
            parameters["evaluator"] = json!(format!("net:{named}"));
        }
        json!({ "name": self.to_string(), "kind": self.kind(), "parameters": parameters })
    }

    /// The agent ready to play a game, with its tables open.
    ///
    /// # Errors
    /// When it cannot play the game.
    pub fn bind<G: Game>(&self, game: &G) -> Result<BoundAgent<G>, Error> {
        if let Some(evaluator) = self.evaluator() {
            evaluator.fits(game, format_args!("agent '{self}'"))?;
        }
        if let Agent::Policy(policy::Settings { network, .. })
        | Agent::Mcts(mcts::Settings { priors: mcts::Priors::Policy(network), .. }) = self
        {
            let refused = |why| Error::new(format!("the network of agent '{self}' {why}"));
            network.net().chooses(game).map_err(refused)?;
        }
        Ok(match self {
            Agent::Random => Agent::Random,
            Agent::Greedy => Agent::Greedy,
            Agent::Mcts(settings) => Agent::Mcts(settings.clone()),
            Agent::Expectimax(settings) => Agent::Expectimax(settings.clone()),
            Agent::AlphaBeta(_) if G::DICE || game.num_players() != 2 => {
                return Err(Error::new(format!(
                    "agent '{self}' only plays two-player games without dice, and {} is not one; try \"expectimax:N\"",
                    G::NAME
                )));
            }
            Agent::AlphaBeta(alphabeta::Settings { depth, table_mb, evaluator, tables }) => {
                let tables = tables.as_ref().map(|source| source.bind(game, self)).transpose()?;
                let (depth, table_mb, evaluator) = (*depth, *table_mb, evaluator.clone());
                Agent::AlphaBeta(alphabeta::Settings { depth, table_mb, evaluator, tables })
            }
            Agent::Network(settings) => Agent::Network(settings.clone()),
            Agent::Policy(settings) => Agent::Policy(settings.clone()),
            Agent::Perfect(source) => Agent::Perfect(source.bind(game, self)?),
            Agent::Mixed(mixed) => Agent::Mixed(Arc::new(mixed.bind(game)?)),
        })
    }
}

impl<T> Agent<T> {
    /// Who judges positions for it, if it has them judged.
    fn evaluator(&self) -> Option<&Evaluator> {
        match self {
            Agent::Mcts(settings) => Some(&settings.evaluator),
            Agent::Expectimax(settings) | Agent::Network(settings) => Some(&settings.evaluator),
            Agent::AlphaBeta(settings) => Some(&settings.evaluator),
            Agent::Random | Agent::Greedy | Agent::Policy(_) | Agent::Perfect(_) | Agent::Mixed(_) => None,
        }
    }

    /// Whether one choice may take so long that somebody wants to cancel it.
    pub fn is_slow(&self) -> bool {
        match self {
            Agent::Mixed(mixed) => mixed.agents().any(Agent::is_slow),
            agent => !matches!(agent, Agent::Random | Agent::Greedy | Agent::Perfect(_)),
        }
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
            Agent::Mcts(mcts::Settings { simulations, reuse_tree: true, .. }) => 2 * *simulations + 1,
            Agent::Mixed(mixed) => mixed.agents().map(Agent::keeps).max().unwrap_or(0),
            _ => 0,
        }
    }

    /// The rough cost of one choice, in units of a random decision, at most 2^40: by this, work is shared among threads.
    pub fn cost(&self) -> u64 {
        let cost = match self {
            Agent::Random => 1,
            Agent::Greedy => 16,
            // A simulation plays a game to its end.
            Agent::Mcts(settings) => 100 * u64::from(settings.simulations),
            Agent::Network(_) | Agent::Policy(_) => 100,
            // A turn has some twenty ends, and some twenty throws follow each that is looked at.
            Agent::Expectimax(settings) => {
                400u64.saturating_pow(u32::from(settings.depth) - 1).saturating_mul(100)
            }
            Agent::Perfect(_) => 200,
            Agent::AlphaBeta(settings) => 3u64.saturating_pow(u32::from(settings.depth)).saturating_mul(20),
            Agent::Mixed(mixed) => mixed.cost(),
        };
        // Sums of these cannot overflow.
        cost.min(1 << 40)
    }
}

impl<G: Heuristic + Evaluate> BoundAgent<G> {
    /// What it expects in a position where it is a player's turn, drawing what it would draw to choose there.
    ///
    /// When it is cancelled a search returns what it has found so far.
    ///
    /// # Errors
    /// As for [`Agent::choose`].
    pub fn analyse(
        &self,
        game: &G,
        state: &G::State,
        rng: &mut Stream,
        control: &Control,
    ) -> Result<Analysis, Error> {
        Ok(match self {
            Agent::Mcts(settings) => mcts::analyse(game, state, settings, rng, control),
            Agent::Expectimax(settings) | Agent::Network(settings) => {
                from_search(game, state, expectimax::analyse(game, state, settings, rng, control))
            }
            // Not built for such a game: see `bind`.
            Agent::AlphaBeta(_) if G::DICE => unreachable!("alpha-beta is for games without dice"),
            Agent::AlphaBeta(settings) => {
                from_search(game, state, alphabeta::analyse(game, state, settings, rng, control)?)
            }
            Agent::Policy(settings) => policy::analyse(game, state, settings, rng),
            Agent::Perfect(tables) => tables.analyse(game, state)?,
            Agent::Mixed(mixed) => mixed.analyse(game, state, rng, control)?,
            Agent::Random | Agent::Greedy => {
                let legal = game.legal_actions(state);
                let mut told = one_ply(game, state);
                let best = self.choose(game, state, legal, rng, control, &mut None)?;
                told.best = Some(best);
                let even = 1.0 / legal.len() as f64;
                for line in &mut told.lines {
                    line.probability = match self {
                        Agent::Random => even,
                        _ => f64::from(u8::from(line.action == best)),
                    };
                }
                told
            }
        })
    }

    /// Chooses one of the legal actions, of which there is at least one. `kept` is where a game keeps the tree of a seat's
    /// agent until its next decision.
    ///
    /// When it is cancelled it may choose any, soon: the game will not be finished.
    ///
    /// # Errors
    /// When its tables lack the position or cannot be read, or there is no memory for the table of a search.
    #[cfg_attr(fast, inline(always))]
    pub fn choose(
        &self,
        game: &G,
        state: &G::State,
        legal: ActionSet,
        rng: &mut Stream,
        control: &Control,
        kept: &mut Option<Box<SearchTree<G::State>>>,
    ) -> Result<Action, Error> {
        match self {
            Agent::Random => Ok(random(legal, rng)),
            Agent::Greedy => Ok(greedy(game, state, legal)),
            Agent::Mcts(settings) => Ok(mcts::search(game, state, settings, rng, control, kept)),
            // Nothing to think about.
            Agent::Expectimax(_) | Agent::AlphaBeta(_) | Agent::Network(_) | Agent::Policy(_)
                if legal.len() == 1 =>
            {
                Ok(legal.nth(0).expect("one action"))
            }
            Agent::Expectimax(settings) | Agent::Network(settings) => {
                Ok(expectimax::search(game, state, settings, rng, control).action)
            }
            Agent::AlphaBeta(_) if G::DICE => unreachable!("alpha-beta is for games without dice"),
            Agent::AlphaBeta(settings) => {
                alphabeta::search(game, state, settings, rng, control).map(|found| found.action)
            }
            Agent::Policy(settings) => Ok(policy::choose(game, state, legal, settings, rng)),
            Agent::Perfect(tables) => tables.choose(game, state),
            Agent::Mixed(mixed) => mixed.choose(game, state, legal, rng, control, kept),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deepest_search_has_a_cost_that_can_be_added_up() {
        let [deepest, greedy]: [Agent; 2] = ["alphabeta:64", "greedy"].map(|name| name.parse().unwrap());
        assert!(deepest.cost() > greedy.cost());
        assert!(deepest.cost().checked_mul(1 << 20).is_some());
    }
}
