//! Agents: who chooses the actions of a seat.

mod mixed;

use std::fmt::{self, Display};
use std::str::FromStr;

use serde_json::{Value, json};

pub use self::mixed::Mixed;
use super::analysis::{Analysis, at_a_glance, of_search};
use super::greedy::greedy;
use super::mcts::{Leaf, Settings};
use super::perfect::Source;
use super::random::random;
use super::{Evaluator, alphabeta, expectimax, mcts};
use crate::agents::rng::Stream;
use crate::base::control::Control;
use crate::base::error::{BadRequest, did_you_mean, shorten};
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
/// # Ok::<(), sarai::base::error::BadRequest>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
    AlphaBeta {
        /// How many moves it looks ahead.
        depth: u8,
        /// The megabytes of its table, for each thread.
        table_mb: u16,
        /// Who judges positions.
        evaluator: Evaluator,
        /// Where it looks exact values up, if anywhere.
        tables: Option<&'static Source>,
    },
    /// The way to the end of the turn that a network likes best, of equals the one with fewer actions, then smaller ids.
    Network(&'static Named),
    /// What tables of exact values hold to be best, of equals the smallest id; see [`super::perfect`].
    Perfect(&'static Source),
    /// At every decision one of several agents, drawn by their weights.
    Mixed(&'static Mixed),
}

/// The names of agents, as an error message gives them.
const NAMES: &str = "\"random\", \"greedy\", \"mcts:N\" with N simulations a decision, \"expectimax:N\" that looks N turns \
                     ahead, \"alphabeta:N\" that looks N moves ahead, \"perfect\" that plays by tables of exact values, \
                     \"net:FILE\" that plays by a network, \
                     \"epsilon:P[AGENT]\" that plays at random with \
                     a chance of P, or \"mixture:W[AGENT]+W[AGENT]\" that draws by weight which agent decides";

/// A number of a name, from `least` to `most`.
fn number<T: FromStr + PartialOrd + Display>(
    name: &str,
    text: &str,
    what: &str,
    range: [T; 2],
) -> Result<T, BadRequest> {
    let [least, most] = range;
    match text.parse() {
        Ok(number) if number >= least && number <= most => Ok(number),
        _ => Err(BadRequest::new(format!(
            "agent '{}' needs {what} from {least} to {most}, not '{}'",
            shorten(name),
            shorten(text)
        ))),
    }
}

/// A number with so many decimals at most, 5 or fewer, in units of the last of them; `None` where it is none, or has more
/// than five digits before the point.
pub(super) fn decimal(text: &str, places: usize) -> Option<u32> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let fits = digits(whole) && digits(decimals) && decimals.len() <= places && whole.len() <= 5;
    fits.then(|| format!("{whole}{decimals:0<places$}").parse().ok()).flatten()
}

/// A number from 0.01 to 100 with two decimals at most, in hundredths.
fn hundredths(name: &str, text: &str) -> Result<u16, BadRequest> {
    match decimal(text, 2) {
        Some(number) if (1..=10_000).contains(&number) => Ok(number as u16),
        _ => Err(BadRequest::new(format!(
            "agent '{}' needs an exploration from 0.01 to 100 with two decimals at most, not '{}'",
            shorten(name),
            shorten(text)
        ))),
    }
}

/// The network of an agent, by what stands in the agent's name.
fn named(name: &str, file: &str) -> Result<&'static Named, BadRequest> {
    if file.is_empty() {
        return Err(BadRequest::new(format!(
            "agent '{}' needs the file of a network, as in \"net:FILE\"",
            shorten(name)
        )));
    }
    Named::parse(file)
}

/// The last parameter of a name, but for tables.
fn network(f: &mut fmt::Formatter<'_>, network: Option<&Named>) -> fmt::Result {
    network.map_or(Ok(()), |named| write!(f, ",net={named}"))
}

/// Parameters, with the network where there is one.
fn with_network(mut parameters: Value, evaluator: Evaluator) -> Value {
    if let Some(named) = evaluator.network() {
        parameters["evaluator"] = json!(format!("net:{named}"));
    }
    parameters
}

impl FromStr for Agent {
    type Err = BadRequest;

    fn from_str(name: &str) -> Result<Self, BadRequest> {
        let (kind, rest) = name.split_once(':').map_or((name, None), |(kind, rest)| (kind, Some(rest)));
        if kind == "perfect" {
            // A folder's name may hold anything.
            return Source::parse(name, rest).map(Agent::Perfect);
        }
        if kind == "net" {
            return named(name, rest.unwrap_or_default()).map(Agent::Network);
        }
        if let Some(mixed) = Mixed::parse(name, kind, rest.unwrap_or_default()) {
            return mixed.map(Agent::Mixed);
        }
        // The last parameter: a folder's name may hold commas.
        let (rest, tables) = match rest.unwrap_or_default().split_once(",tables") {
            Some((rest, tables)) if kind == "alphabeta" && (tables.is_empty() || tables.starts_with('=')) => {
                (Some(rest), Some(Source::parse(name, tables.strip_prefix('='))?))
            }
            _ => (rest, None),
        };
        // So may that of a file; only tables come after it.
        let (rest, network) = match rest.unwrap_or_default().split_once(",net=") {
            Some((rest, file)) if matches!(kind, "mcts" | "expectimax" | "alphabeta") => {
                (Some(rest), Some(named(name, file)?))
            }
            _ => (rest, None),
        };
        let evaluator = network.map_or(Evaluator::Heuristic, Evaluator::Network);
        let mut parts = rest.unwrap_or_default().split(',');
        let first = parts.next().unwrap_or_default();
        let mut agent = match kind {
            "random" if rest.is_none() => return Ok(Agent::Random),
            "greedy" if rest.is_none() => return Ok(Agent::Greedy),
            "mcts" => Agent::mcts(number(name, first, "simulations", [1, mcts::MAX_SIMULATIONS])?),
            "expectimax" => Agent::Expectimax {
                depth: number(name, first, "a depth", [1, expectimax::MAX_DEPTH])?,
                filter: expectimax::FILTER,
                evaluator,
            },
            "alphabeta" => Agent::AlphaBeta {
                depth: number(name, first, "a depth", [1, alphabeta::MAX_DEPTH])?,
                table_mb: alphabeta::TABLE_MB,
                evaluator,
                tables,
            },
            _ => {
                let known = [
                    "random",
                    "greedy",
                    "mcts",
                    "expectimax",
                    "alphabeta",
                    "net",
                    "perfect",
                    "epsilon",
                    "mixture",
                ];
                let hint = did_you_mean(kind, known.into_iter().filter(|known| *known != kind));
                return Err(BadRequest::new(format!(
                    "unknown agent '{}'{hint}; agents are {NAMES}",
                    shorten(name)
                )));
            }
        };
        let mut seen = Vec::new();
        for part in parts {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            if seen.contains(&key) {
                return Err(BadRequest::new(format!("agent '{}' has {key} twice", shorten(name))));
            }
            if matches!(key, "playout" | "evaluator") && !seen.is_empty() {
                return Err(BadRequest::new(format!(
                    "agent '{}' has a playout and an evaluator; give one of them",
                    shorten(name)
                )));
            }
            seen.push(key);
            agent.set(name, key, value)?;
        }
        if let (Agent::Mcts(settings), Some(network)) = (&mut agent, network) {
            if seen.iter().any(|key| matches!(*key, "playout" | "evaluator")) {
                return Err(BadRequest::new(format!(
                    "agent '{}' has a network beside a playout or an evaluator; give one of them",
                    shorten(name)
                )));
            }
            settings.leaf = Leaf::Network(network);
        }
        Ok(agent)
    }
}

/// The name that parses back to an equal agent.
impl Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Agent::Random => f.write_str("random"),
            Agent::Greedy => f.write_str("greedy"),
            Agent::Mcts(settings) => {
                let Settings { simulations, leaf, exploration, greedy_priors, solver } = settings;
                let usual = Settings::new(simulations);
                write!(f, "mcts:{simulations}")?;
                match leaf {
                    Leaf::Random | Leaf::Network(_) => (),
                    Leaf::Greedy => f.write_str(",playout=greedy")?,
                    Leaf::Heuristic => f.write_str(",evaluator=heuristic")?,
                }
                if greedy_priors {
                    f.write_str(",priors=greedy")?;
                }
                if exploration != usual.exploration {
                    write!(f, ",exploration={}", f64::from(exploration) / 100.0)?;
                }
                if !solver {
                    f.write_str(",solver=false")?;
                }
                network(f, leaf.network())
            }
            Agent::Expectimax { depth, filter: (one, other), evaluator } => {
                write!(f, "expectimax:{depth}")?;
                if (one, other) != expectimax::FILTER {
                    write!(f, ",filter={one}/{other}")?;
                }
                network(f, evaluator.network())
            }
            Agent::AlphaBeta { depth, table_mb, evaluator, tables } => {
                write!(f, "alphabeta:{depth}")?;
                if table_mb != alphabeta::TABLE_MB {
                    write!(f, ",table_mb={table_mb}")?;
                }
                network(f, evaluator.network())?;
                match tables.map(Source::folder) {
                    None => Ok(()),
                    Some(None) => f.write_str(",tables"),
                    Some(Some(folder)) => write!(f, ",tables={folder}"),
                }
            }
            Agent::Network(named) => write!(f, "net:{named}"),
            Agent::Perfect(source) => source.fmt(f),
            Agent::Mixed(mixed) => mixed.fmt(f),
        }
    }
}

impl Agent {
    /// A tree search that plays so many random games a decision.
    pub const fn mcts(simulations: u32) -> Self {
        Agent::Mcts(Settings::new(simulations))
    }

    /// Takes up a parameter of a name.
    fn set(&mut self, name: &str, key: &str, value: &str) -> Result<(), BadRequest> {
        match (&mut *self, key, value) {
            (Agent::Mcts(settings), "playout", "random") => settings.leaf = Leaf::Random,
            (Agent::Mcts(settings), "playout", "greedy") => settings.leaf = Leaf::Greedy,
            (Agent::Mcts(settings), "evaluator", "heuristic") => settings.leaf = Leaf::Heuristic,
            (Agent::Mcts(settings), "priors", "greedy") => settings.greedy_priors = true,
            (Agent::Mcts(settings), "priors", "none") => settings.greedy_priors = false,
            (Agent::Mcts(settings), "solver", "true") => settings.solver = true,
            (Agent::Mcts(settings), "solver", "false") => settings.solver = false,
            // An agent is a value: no game keeps anything for it from one decision to the next.
            (Agent::Mcts(_), "reuse_tree", "false") => {}
            (Agent::Mcts(_), "reuse_tree", "true") => {
                return Err(BadRequest::new(format!(
                    "agent '{}': reuse_tree=true is not offered, since keeping the tree from one decision to the next wins \
                     little (docs/agents.md); give more simulations instead",
                    shorten(name)
                )));
            }
            (Agent::Mcts(settings), "exploration", _) => settings.exploration = hundredths(name, value)?,
            (Agent::Expectimax { filter, .. }, "filter", _) => {
                let (one, other) = value.split_once('/').unwrap_or((value, ""));
                *filter = (
                    number(name, one, "a filter N/M with N", [1, u16::MAX])?,
                    number(name, other, "a filter N/M with M", [1, u16::MAX])?,
                );
            }
            (Agent::AlphaBeta { table_mb, .. }, "table_mb", _) => {
                *table_mb = number(name, value, "a table_mb", [1, alphabeta::MAX_TABLE_MB])?;
            }
            _ => {
                let takes = match self {
                    Agent::Mcts(_) => {
                        "playout=random, playout=greedy or evaluator=heuristic, and priors=greedy, exploration=X, \
                         solver=false, or last net=FILE"
                    }
                    Agent::Expectimax { .. } => "filter=N/M, and last net=FILE",
                    Agent::AlphaBeta { .. } => "table_mb=N, and last net=FILE, then tables or tables=FOLDER",
                    _ => "nothing",
                };
                let (name, given) = (shorten(name), shorten(&format!("{key}={value}")));
                let given = given.trim_end_matches('=');
                return Err(BadRequest::new(format!(
                    "agent '{name}' has '{given}'; \"{}\" takes {takes}",
                    self.kind()
                )));
            }
        }
        Ok(())
    }

    /// The network by which it judges positions, if it does.
    fn network(self) -> Option<&'static Named> {
        match self {
            Agent::Network(named) => Some(named),
            Agent::Mcts(Settings { leaf, .. }) => leaf.network(),
            Agent::Expectimax { evaluator, .. } | Agent::AlphaBeta { evaluator, .. } => evaluator.network(),
            Agent::Random | Agent::Greedy | Agent::Perfect(_) | Agent::Mixed(_) => None,
        }
    }

    /// Whether one choice may take so long that somebody wants to cancel it.
    pub fn is_slow(self) -> bool {
        match self {
            Agent::Mixed(mixed) => mixed.agents().any(Agent::is_slow),
            agent => !matches!(agent, Agent::Random | Agent::Greedy | Agent::Network(_) | Agent::Perfect(_)),
        }
    }

    /// The word that its name begins with.
    pub fn kind(self) -> &'static str {
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
    pub fn describe(self) -> Value {
        let parameters = match self {
            Agent::Random | Agent::Greedy => json!({}),
            Agent::Mcts(Settings { simulations, leaf, exploration, greedy_priors, solver }) => {
                let (playout, evaluator) = match leaf {
                    Leaf::Random => (Some("random"), None),
                    Leaf::Greedy => (Some("greedy"), None),
                    Leaf::Heuristic => (None, Some("heuristic".to_owned())),
                    Leaf::Network(named) => (None, Some(format!("net:{named}"))),
                };
                let priors = greedy_priors.then_some("greedy");
                let exploration = f64::from(exploration) / 100.0;
                json!({
                    "simulations": simulations, "playout": playout, "evaluator": evaluator, "priors": priors,
                    "exploration": exploration, "solver": solver,
                })
            }
            Agent::Expectimax { depth, filter: (one, other), evaluator } => {
                with_network(json!({ "depth": depth, "filter": [one, other] }), evaluator)
            }
            Agent::AlphaBeta { depth, table_mb, evaluator, tables } => {
                let tables = tables.map(|source| source.folder().map_or(json!(true), |folder| json!(folder)));
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
    pub fn fits<G: Game>(self, game: &G) -> Result<(), BadRequest> {
        if let Agent::Perfect(source) = self {
            return source.ready(game, &self);
        }
        if let Agent::Mixed(mixed) = self {
            return mixed.agents().try_for_each(|agent| agent.fits(game));
        }
        if let Some(Err(why)) = self.network().map(|named| named.net().fits(game)) {
            return Err(BadRequest::new(format!("the network of agent '{self}' {why}")));
        }
        let two_without_dice = !G::DICE && game.num_players() == 2;
        if matches!(self, Agent::AlphaBeta { .. }) && !two_without_dice {
            return Err(BadRequest::new(format!(
                "agent '{self}' plays games of two players without chance, and {} is none; \"expectimax:N\" plays it",
                G::NAME
            )));
        }
        if let Agent::AlphaBeta { tables: Some(source), .. } = self {
            source.ready(game, &self)?;
        }
        Ok(())
    }

    /// What one choice costs, roughly, in units of a random decision: by this, work is shared among threads.
    pub fn cost(self) -> u64 {
        match self {
            Agent::Random => 1,
            Agent::Greedy => 16,
            // A simulation plays a game to its end.
            Agent::Mcts(Settings { simulations, .. }) => 100 * u64::from(simulations),
            Agent::Network(_) => 100,
            // A turn has some twenty ends, and some twenty throws follow each that is looked at.
            Agent::Expectimax { depth, .. } => 100 * 400u64.pow(u32::from(depth) - 1),
            Agent::Perfect(_) => 200,
            Agent::AlphaBeta { depth, .. } => 20 * 3u64.saturating_pow(u32::from(depth)),
            Agent::Mixed(mixed) => mixed.cost(),
        }
    }

    /// What it thinks of a position where it is a player's turn, drawing what it would draw to choose there; `None` where it
    /// cannot choose, see [`Agent::why_not`].
    ///
    /// When it is cancelled a search tells what it has found so far.
    pub fn analyse<G: Heuristic + Evaluate>(
        self,
        game: &G,
        state: &G::State,
        rng: &mut Stream,
        control: &Control,
    ) -> Option<Analysis> {
        match self {
            Agent::Mcts(settings) => mcts::analyse(game, state, settings, rng, control),
            Agent::Expectimax { depth, filter, evaluator } => {
                let found = expectimax::analyse(game, state, depth, filter, evaluator, control)?;
                Some(of_search(game, state, found))
            }
            Agent::Network(named) => {
                let judge = Evaluator::Network(named);
                let found = expectimax::analyse(game, state, 1, expectimax::FILTER, judge, control)?;
                Some(of_search(game, state, found))
            }
            Agent::AlphaBeta { depth, table_mb, evaluator, tables } => {
                let settings = alphabeta::Settings { depth, table_mb, evaluator, tables };
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
    pub fn why_not<G: Game>(self, game: &G, state: &G::State) -> BadRequest {
        self.refusal(game, state).unwrap_or_else(no_memory)
    }

    /// What it lacks to choose in this state, where that is no memory.
    fn refusal<G: Game>(self, game: &G, state: &G::State) -> Option<BadRequest> {
        match self {
            Agent::Perfect(source) => {
                source.choose(game, state).is_none().then(|| source.why_not(game, state))
            }
            Agent::AlphaBeta { tables, .. } => tables.and_then(Source::failure),
            Agent::Mixed(mixed) => mixed.agents().find_map(|agent| agent.refusal(game, state)),
            Agent::Random | Agent::Greedy | Agent::Mcts(_) | Agent::Expectimax { .. } | Agent::Network(_) => {
                None
            }
        }
    }

    /// Chooses one of the legal actions, of which there is at least one; `None` where it cannot, see [`Agent::why_not`].
    ///
    /// When it is cancelled it may choose any, soon: the game will not be finished.
    #[inline(always)]
    pub fn choose<G: Heuristic + Evaluate>(
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
            Agent::Mcts(settings) => mcts::search(game, state, settings, rng, control),
            // Nothing to think about.
            Agent::Expectimax { .. } | Agent::AlphaBeta { .. } | Agent::Network(_) if legal.len() == 1 => {
                legal.nth(0)
            }
            Agent::Expectimax { depth, filter, evaluator } => {
                expectimax::search(game, state, depth, filter, evaluator, control).map(|found| found.action)
            }
            Agent::Network(named) => {
                let judge = Evaluator::Network(named);
                expectimax::search(game, state, 1, expectimax::FILTER, judge, control)
                    .map(|found| found.action)
            }
            Agent::AlphaBeta { depth, table_mb, evaluator, tables } => {
                let settings = alphabeta::Settings { depth, table_mb, evaluator, tables };
                alphabeta::chosen(game, state, settings, control)
            }
            Agent::Perfect(source) => source.choose(game, state),
            Agent::Mixed(mixed) => mixed.choose(game, state, legal, rng, control),
        }
    }
}

fn no_memory() -> BadRequest {
    BadRequest::no_memory("not enough memory for a search; use fewer threads or fewer simulations")
}
