//! Agents by their names.

use std::fmt::{self, Display};
use std::str::FromStr;
use std::sync::Arc;

use super::decimal::decimal;
use super::{Agent, Mixed};
use crate::agents::perfect::Source;
use crate::agents::{Evaluator, alphabeta, expectimax, mcts, policy};
use crate::base::{Error, did_you_mean, shorten};
use crate::nets::Named;

/// The names of agents, as an error message gives them.
const NAMES: &str = "\"random\", \"greedy\", \"mcts:N\" with N simulations a decision, \"expectimax:N\" that looks N turns \
                     ahead, \"alphabeta:N\" that looks N moves ahead, \"perfect\" that plays by tables of exact values, \
                     \"net:FILE\" that plays by the values of a network, \"policy:FILE\" that plays by its logits, \
                     \"epsilon:P[AGENT]\" that plays at random with \
                     a chance of P, or \"mixture:W[AGENT]+W[AGENT]\" that draws by weight which agent decides";

/// A number of a name, from `least` to `most`.
fn number<T: FromStr + PartialOrd + Display>(
    name: &str,
    text: &str,
    what: &str,
    range: [T; 2],
) -> Result<T, Error> {
    let [least, most] = range;
    match text.parse() {
        Ok(number) if number >= least && number <= most => Ok(number),
        _ => Err(Error::new(format!(
            "agent '{}' needs {what} from {least} to {most}, not '{}'",
            shorten(name),
            shorten(text)
        ))),
    }
}

/// A number from 0.01 to 100 with two decimals at most, in hundredths.
fn hundredths(name: &str, what: &str, text: &str) -> Result<u16, Error> {
    match decimal(text, 2) {
        Some(number) if (1..=10_000).contains(&number) => Ok(number as u16),
        _ => Err(Error::new(format!(
            "agent '{}' needs {what} from 0.01 to 100 with two decimals at most, not '{}'",
            shorten(name),
            shorten(text)
        ))),
    }
}

/// The network in an agent's name.
fn named(name: &str, file: &str) -> Result<Arc<Named>, Error> {
    if file.is_empty() {
        return Err(Error::new(format!(
            "agent '{}' needs the file of a network, as in \"net:FILE\" or \"policy:FILE\"",
            shorten(name)
        )));
    }
    Named::parse(file)
}

/// An agent that plays by logits: a file alone, or a temperature and a file.
fn policy(name: &str, rest: &str) -> Result<Agent, Error> {
    let given = rest.strip_prefix("temperature=").and_then(|rest| rest.split_once(",net="));
    let (temperature, file) = match given {
        Some((temperature, file)) => (hundredths(name, "a temperature", temperature)?, file),
        None => (0, rest),
    };
    Ok(Agent::Policy(policy::Settings { network: named(name, file)?, temperature }))
}

/// The last parameter of a name, but for tables.
fn network(f: &mut fmt::Formatter<'_>, network: Option<&Named>) -> fmt::Result {
    network.map_or(Ok(()), |named| write!(f, ",net={named}"))
}

impl FromStr for Agent {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let (kind, rest) = name.split_once(':').map_or((name, None), |(kind, rest)| (kind, Some(rest)));
        if kind == "perfect" {
            // A folder's name may hold anything.
            return Source::parse(name, rest).map(Agent::Perfect);
        }
        if kind == "net" {
            return named(name, rest.unwrap_or_default()).map(Agent::network);
        }
        if kind == "policy" {
            return policy(name, rest.unwrap_or_default());
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
        let evaluator = network.clone().map_or(Evaluator::Heuristic, Evaluator::Network);
        let mut parts = rest.unwrap_or_default().split(',');
        let first = parts.next().unwrap_or_default();
        let mut agent = match kind {
            "random" if rest.is_none() => return Ok(Agent::Random),
            "greedy" if rest.is_none() => return Ok(Agent::Greedy),
            "mcts" => Agent::mcts(number(name, first, "simulations", [1, mcts::MAX_SIMULATIONS])?),
            "expectimax" => Agent::Expectimax(expectimax::Settings {
                depth: number(name, first, "a depth", [1, expectimax::MAX_DEPTH])?,
                filter: expectimax::FILTER,
                evaluator,
            }),
            "alphabeta" => Agent::AlphaBeta(alphabeta::Settings {
                depth: number(name, first, "a depth", [1, alphabeta::MAX_DEPTH])?,
                table_mb: alphabeta::TABLE_MB,
                evaluator,
                tables,
            }),
            _ => {
                let hint = did_you_mean(kind, Agent::KINDS.into_iter().filter(|known| *known != kind));
                return Err(Error::new(format!(
                    "unknown agent '{}'{hint}; agents are {NAMES}",
                    shorten(name)
                )));
            }
        };
        let judges = |key: &str| matches!(key, "playout" | "evaluator");
        let mut seen = Vec::new();
        let mut by_policy = false;
        for part in parts {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            if seen.contains(&key) {
                return Err(Error::new(format!("agent '{}' has {key} twice", shorten(name))));
            }
            if judges(key) && seen.iter().any(|seen| judges(seen)) {
                return Err(Error::new(format!(
                    "agent '{}' has a playout and an evaluator; give one of them",
                    shorten(name)
                )));
            }
            seen.push(key);
            match (&mut agent, key, value) {
                (Agent::Mcts(settings), "priors", "policy") => {
                    let network = network.clone().ok_or_else(|| {
                        Error::new(format!(
                            "agent '{}' has priors=policy and no network; add it last, as in \
                             \"mcts:200,priors=policy,net=FILE\"",
                            shorten(name)
                        ))
                    })?;
                    by_policy = true;
                    settings.priors = mcts::Priors::Policy(network);
                }
                (agent, ..) => agent.set(name, key, value)?,
            }
        }
        // A network that gives priors judges too, where it can and nothing else is to.
        let judged = seen.iter().any(|key| judges(key));
        let network =
            network.filter(|named| !by_policy || !judged && named.net().description().outputs.has_values());
        if let (Agent::Mcts(settings), Some(network)) = (&mut agent, network) {
            if judged {
                return Err(Error::new(format!(
                    "agent '{}' has a network beside a playout or an evaluator; give one of them",
                    shorten(name)
                )));
            }
            settings.evaluator = Evaluator::Network(network);
        }
        if let Agent::Mcts(settings) = &mut agent
            && !seen.contains(&"exploration")
        {
            settings.exploration = mcts::default_exploration(&settings.evaluator);
        }
        Ok(agent)
    }
}

/// The name that parses back to an equal agent.
impl Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Agent::Random => f.write_str("random"),
            Agent::Greedy => f.write_str("greedy"),
            Agent::Mcts(settings) => {
                let mcts::Settings { simulations, evaluator, exploration, priors, solver, reuse_tree } =
                    settings;
                let policy = match priors {
                    mcts::Priors::Policy(named) => Some(&**named),
                    mcts::Priors::Even | mcts::Priors::Greedy => None,
                };
                write!(f, "mcts:{simulations}")?;
                match evaluator {
                    // Otherwise the network of the priors would judge.
                    Evaluator::Playouts(_)
                        if policy.is_some_and(|named| named.net().description().outputs.has_values()) =>
                    {
                        f.write_str(",playout=random")?;
                    }
                    Evaluator::Playouts(_) | Evaluator::Network(_) => (),
                    Evaluator::GreedyPlayout => f.write_str(",playout=greedy")?,
                    Evaluator::Heuristic => f.write_str(",evaluator=heuristic")?,
                }
                match priors {
                    mcts::Priors::Even => (),
                    mcts::Priors::Greedy => f.write_str(",priors=greedy")?,
                    mcts::Priors::Policy(_) => f.write_str(",priors=policy")?,
                }
                if *exploration != mcts::default_exploration(evaluator) {
                    write!(f, ",exploration={}", f64::from(*exploration) / 100.0)?;
                }
                if !*solver {
                    f.write_str(",solver=false")?;
                }
                if *reuse_tree {
                    f.write_str(",reuse_tree=true")?;
                }
                network(f, evaluator.network().or(policy))
            }
            Agent::Expectimax(expectimax::Settings { depth, filter: (one, other), evaluator }) => {
                write!(f, "expectimax:{depth}")?;
                if (*one, *other) != expectimax::FILTER {
                    write!(f, ",filter={one}/{other}")?;
                }
                network(f, evaluator.network())
            }
            Agent::AlphaBeta(alphabeta::Settings { depth, table_mb, evaluator, tables }) => {
                write!(f, "alphabeta:{depth}")?;
                if *table_mb != alphabeta::TABLE_MB {
                    write!(f, ",table_mb={table_mb}")?;
                }
                network(f, evaluator.network())?;
                match tables.as_deref().map(Source::folder) {
                    None => Ok(()),
                    Some(None) => f.write_str(",tables"),
                    Some(Some(folder)) => write!(f, ",tables={folder}"),
                }
            }
            Agent::Network(settings) => settings.evaluator.fmt(f),
            Agent::Policy(policy::Settings { network, temperature: 0 }) => write!(f, "policy:{network}"),
            Agent::Policy(policy::Settings { network, temperature }) => {
                write!(f, "policy:temperature={},net={network}", f64::from(*temperature) / 100.0)
            }
            Agent::Perfect(source) => source.fmt(f),
            Agent::Mixed(mixed) => mixed.fmt(f),
        }
    }
}

impl Agent {
    /// What names of agents begin with: every [`Agent::kind`].
    ///
    /// ```
    /// use sarai::agents::Agent;
    /// assert!(Agent::KINDS.contains(&Agent::mcts(50).kind()));
    /// ```
    pub const KINDS: [&str; 10] = [
        "random",
        "greedy",
        "mcts",
        "expectimax",
        "alphabeta",
        "net",
        "policy",
        "perfect",
        "epsilon",
        "mixture",
    ];

    /// Sets a parameter of a name.
    fn set(&mut self, name: &str, key: &str, value: &str) -> Result<(), Error> {
        match (&mut *self, key, value) {
            (Agent::Mcts(settings), "playout", "random") => settings.evaluator = Evaluator::Playouts(1),
            (Agent::Mcts(settings), "playout", "greedy") => settings.evaluator = Evaluator::GreedyPlayout,
            (Agent::Mcts(settings), "evaluator", "heuristic") => settings.evaluator = Evaluator::Heuristic,
            (Agent::Mcts(settings), "priors", "greedy") => settings.priors = mcts::Priors::Greedy,
            (Agent::Mcts(settings), "priors", "none") => settings.priors = mcts::Priors::Even,
            (Agent::Mcts(settings), "solver", "true") => settings.solver = true,
            (Agent::Mcts(settings), "solver", "false") => settings.solver = false,
            (Agent::Mcts(settings), "reuse_tree", "true") => settings.reuse_tree = true,
            (Agent::Mcts(settings), "reuse_tree", "false") => settings.reuse_tree = false,
            (Agent::Mcts(settings), "exploration", _) => {
                settings.exploration = hundredths(name, "an exploration", value)?
            }
            (Agent::Expectimax(settings), "filter", _) => {
                let (one, other) = value.split_once('/').unwrap_or((value, ""));
                settings.filter = (
                    number(name, one, "a filter N/M with N", [1, u16::MAX])?,
                    number(name, other, "a filter N/M with M", [1, u16::MAX])?,
                );
            }
            (Agent::AlphaBeta(settings), "table_mb", _) => {
                settings.table_mb = number(name, value, "a table_mb", [1, alphabeta::MAX_TABLE_MB])?;
            }
            _ => {
                let takes = match self {
                    Agent::Mcts(_) => {
                        "playout=random, playout=greedy or evaluator=heuristic, and priors=greedy or priors=policy, \
                         exploration=X, solver=false, reuse_tree=true, or last net=FILE"
                    }
                    Agent::Expectimax(_) => "filter=N/M, and last net=FILE",
                    Agent::AlphaBeta(_) => "table_mb=N, and last net=FILE, then tables or tables=FOLDER",
                    _ => "nothing",
                };
                let (name, given) = (shorten(name), shorten(&format!("{key}={value}")));
                let given = given.trim_end_matches('=');
                // Each parameter that it takes.
                let known = takes.split([' ', ',']).filter(|word| word.contains('='));
                return Err(Error::new(format!(
                    "agent '{name}' has '{given}'{}; \"{}\" takes {takes}",
                    did_you_mean(given, known),
                    self.kind()
                )));
            }
        }
        Ok(())
    }
}
