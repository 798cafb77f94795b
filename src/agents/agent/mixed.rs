//! Agents made of others, one of which is drawn for each decision.

use std::fmt::{self, Display};
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::Agent;
use super::decimal::decimal;
use crate::agents::Stream;
use crate::agents::analysis::Analysis;
use crate::agents::mcts::SearchTree;
use crate::agents::perfect::{Source, Tables};
use crate::base::{Control, Error, counted, shorten};
use crate::rules::{Action, ActionSet, Evaluate, Game, Heuristic};

/// A chance or a weight of 1, which is counted in parts of this.
const ONE: u32 = 10_000;

/// The most agents that a mixture may have.
const MAX_PARTS: usize = 16;

/// The largest weight. So many of them still have a sum that a u32 holds.
const MAX_WEIGHT: u32 = 10_000 * ONE;

/// The most levels of agents within agents.
const MAX_WITHIN: usize = 8;

/// An agent that leaves each decision to one of several others, drawn by weight.
#[derive(PartialEq, Eq, Debug)]
pub struct Mixed<T = Arc<Source>> {
    kind: Kind,
    /// In the order of their names; under [`Kind::Epsilon`] the agent, then the one that plays at random.
    parts: Vec<(u32, Agent<T>)>,
    /// Of the weights.
    total: u32,
}

/// How it is named.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Epsilon,
    Mixture,
}

impl Mixed {
    /// Parses what follows `kind` and its colon; `None` for a kind that is not one of these.
    pub(super) fn parse(name: &str, kind: &str, rest: &str) -> Option<Result<Arc<Self>, Error>> {
        match kind {
            "epsilon" => Some(Self::epsilon(name, rest).map(Arc::new)),
            "mixture" => Some(Self::mixture(name, rest).map(Arc::new)),
            _ => None,
        }
    }

    fn epsilon(name: &str, rest: &str) -> Result<Self, Error> {
        let refused = |what: &str| {
            let name = shorten(name);
            Error::new(format!("agent '{name}' {what}, as in \"epsilon:0.1[greedy]\""))
        };
        let (chance, inner) = rest.split_once('[').unwrap_or((rest, ""));
        let Some(epsilon) = decimal(chance, 4).filter(|&epsilon| epsilon <= ONE) else {
            return Err(refused("needs a chance from 0 to 1 with four decimals at most"));
        };
        let inner = inner.strip_suffix(']').ok_or_else(|| refused("needs an agent in brackets"))?;
        let parts = vec![(ONE - epsilon, part(name, inner)?), (epsilon, Agent::Random)];
        Ok(Mixed { kind: Kind::Epsilon, parts, total: ONE })
    }

    fn mixture(name: &str, rest: &str) -> Result<Self, Error> {
        let refused = |what: &str| {
            let name = shorten(name);
            Error::new(format!("agent '{name}' {what}, as in \"mixture:0.5[greedy]+0.5[random]\""))
        };
        let mut parts: Vec<(u32, Agent)> = Vec::new();
        let mut left = rest;
        loop {
            let (weight, after) = left.split_once('[').unwrap_or((left, ""));
            let weight =
                decimal(weight, 4).filter(|weight| (1..=MAX_WEIGHT).contains(weight)).ok_or_else(|| {
                    refused(
                        "needs before each agent a weight above 0, at most 10000, with four decimals at most",
                    )
                })?;
            let end = closing(after).ok_or_else(|| refused("needs each of its agents in brackets"))?;
            let agent = part(name, &after[..end])?;
            if parts.iter().any(|(_, known)| *known == agent) {
                let name = shorten(name);
                return Err(Error::new(format!("agent '{name}' has {agent} twice; give each agent once")));
            }
            parts.push((weight, agent));
            left = match after[end + 1..].strip_prefix('+') {
                Some(left) => left,
                None if end + 1 == after.len() => break,
                None => return Err(refused("needs a + between its agents")),
            };
        }
        if !(2..=MAX_PARTS).contains(&parts.len()) {
            let has = counted(parts.len(), "agent", "agents");
            return Err(refused(&format!("has {has}; it takes 2 to {MAX_PARTS}")));
        }
        parts.sort_by_cached_key(|(_, agent)| agent.to_string());
        let total = parts.iter().map(|(weight, _)| weight).sum();
        Ok(Mixed { kind: Kind::Mixture, parts, total })
    }

    /// The word that its name begins with.
    pub(super) fn kind(&self) -> &'static str {
        match self.kind {
            Kind::Epsilon => "epsilon",
            Kind::Mixture => "mixture",
        }
    }

    /// Its parameters, as JSON.
    pub(super) fn parameters(&self) -> Value {
        let number = |weight: u32| f64::from(weight) / f64::from(ONE);
        match (self.kind, &self.parts[..]) {
            (Kind::Epsilon, [(_, agent), (epsilon, _)]) => {
                json!({ "agent": agent.to_string(), "epsilon": number(*epsilon) })
            }
            (_, parts) => {
                let parts = parts.iter().map(|(weight, agent)| (agent.to_string(), json!(number(*weight))));
                json!({ "agents": parts.collect::<Map<_, _>>() })
            }
        }
    }

    /// Its agents bound to a game.
    pub(super) fn bind<G: Game>(&self, game: &G) -> Result<Mixed<Arc<Tables<G>>>, Error> {
        let parts = self.parts.iter().map(|(weight, agent)| Ok((*weight, agent.bind(game)?)));
        Ok(Mixed { kind: self.kind, parts: parts.collect::<Result<_, Error>>()?, total: self.total })
    }
}

impl<T> Mixed<T> {
    /// The agents that it is made of.
    pub(super) fn agents(&self) -> impl Iterator<Item = &Agent<T>> {
        self.parts.iter().map(|(_, agent)| agent)
    }

    /// See [`Agent::cost`]: what a decision costs on average.
    pub(super) fn cost(&self) -> u64 {
        let cost = |(weight, agent): &(u32, Agent<T>)| u128::from(*weight) * u128::from(agent.cost());
        let mean = self.parts.iter().map(cost).sum::<u128>() / u128::from(self.total);
        u64::try_from(mean).unwrap_or(u64::MAX).max(1)
    }

    /// Draws which of the agents decides.
    fn draw(&self, rng: &mut Stream) -> usize {
        let mut drawn = rng.below(self.total);
        let mut at = 0;
        while drawn >= self.parts[at].0 {
            drawn -= self.parts[at].0;
            at += 1;
        }
        at
    }
}

impl<G: Heuristic + Evaluate> Mixed<Arc<Tables<G>>> {
    /// See [`Agent::choose`].
    pub(super) fn choose(
        &self,
        game: &G,
        state: &G::State,
        legal: ActionSet,
        rng: &mut Stream,
        control: &Control,
        kept: &mut Option<Box<SearchTree<G::State>>>,
    ) -> Result<Action, Error> {
        let (_, agent) = &self.parts[self.draw(rng)];
        agent.choose(game, state, legal, rng, control, kept)
    }

    /// See [`Agent::analyse`]: how likely each action is, over all the agents. The values and lines are those of the agent
    /// that decides most often, of equals the first.
    pub(super) fn analyse(
        &self,
        game: &G,
        state: &G::State,
        rng: &mut Stream,
        control: &Control,
    ) -> Result<Analysis, Error> {
        let drawn = self.draw(rng);
        let mut likely = [0.0; crate::rules::MAX_ACTIONS];
        let mut best = None;
        let mut told: Option<(u32, Analysis)> = None;
        for (at, (weight, agent)) in self.parts.iter().enumerate().filter(|(_, (weight, _))| *weight > 0) {
            // The agent that was drawn advances the stream, as if it chose; the others use a copy.
            let mut aside = rng.clone();
            let here = agent.analyse(game, state, if at == drawn { rng } else { &mut aside }, control)?;
            for line in &here.lines {
                likely[line.action.index()] += line.probability * f64::from(*weight) / f64::from(self.total);
            }
            if at == drawn {
                best = here.best;
            }
            if told.as_ref().is_none_or(|(most, _)| weight > most) {
                told = Some((*weight, here));
            }
        }
        let (_, mut told) = told.expect("some agent has a weight");
        told.best = best;
        told.lines.iter_mut().for_each(|line| line.probability = likely[line.action.index()]);
        Ok(told)
    }
}

/// The name that parses back to an equal agent.
impl Display for Mixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.kind, &self.parts[..]) {
            (Kind::Epsilon, [(_, agent), (epsilon, _)]) => write!(f, "epsilon:{}[{agent}]", Weight(*epsilon)),
            (_, parts) => {
                f.write_str("mixture:")?;
                for (at, (weight, agent)) in parts.iter().enumerate() {
                    let plus = if at > 0 { "+" } else { "" };
                    write!(f, "{plus}{}[{agent}]", Weight(*weight))?;
                }
                Ok(())
            }
        }
    }
}

/// A weight, as it is written.
struct Weight(u32);

impl Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, decimals) = (self.0 / ONE, format!("{:04}", self.0 % ONE));
        match decimals.trim_end_matches('0') {
            "" => write!(f, "{whole}"),
            decimals => write!(f, "{whole}.{decimals}"),
        }
    }
}

/// An agent in brackets within the name of another.
fn part(name: &str, inner: &str) -> Result<Agent, Error> {
    if inner
        .bytes()
        .scan(0, |depth, byte| {
            *depth += i64::from(byte == b'[') - i64::from(byte == b']');
            Some(*depth)
        })
        .any(|depth| depth >= MAX_WITHIN as i64)
    {
        let name = shorten(name);
        return Err(Error::new(format!(
            "agent '{name}' has agents within agents more than {MAX_WITHIN} deep"
        )));
    }
    inner.parse()
}

/// Where the bracket closes that was opened just before this text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 1;
    text.bytes().position(|byte| {
        depth += i64::from(byte == b'[') - i64::from(byte == b']');
        depth == 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::shah::Shah;

    fn agent(name: &str) -> Agent {
        name.parse().unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    #[test]
    fn names_parse_back_to_equal_agents_however_they_are_nested() {
        for (given, canonical) in [
            ("epsilon:0.1[greedy]", "epsilon:0.1[greedy]"),
            ("epsilon:1[mcts:5,playout=random]", "epsilon:1[mcts:5]"),
            (
                "epsilon:0[epsilon:0.0125[expectimax:2,filter=9/3]]",
                "epsilon:0[epsilon:0.0125[expectimax:2,filter=9/3]]",
            ),
            ("mixture:2.50[random]+10000[greedy]", "mixture:10000[greedy]+2.5[random]"),
            (
                "mixture:1[random]+1[epsilon:0.5[mixture:3[greedy]+1[mcts:5,evaluator=heuristic]]]",
                "mixture:1[epsilon:0.5[mixture:3[greedy]+1[mcts:5,evaluator=heuristic]]]+1[random]",
            ),
        ] {
            assert_eq!(agent(given).to_string(), canonical);
            assert_eq!(agent(canonical), agent(given));
        }
        assert_ne!(agent("epsilon:0.1[greedy]"), agent("epsilon:0.2[greedy]"));
        assert_ne!(agent("epsilon:0.1[greedy]"), agent("mixture:0.9[greedy]+0.1[random]"));
    }

    #[test]
    fn names_that_say_too_little_or_too_much_are_refused() {
        let deep = format!("{}greedy{}", "epsilon:0.5[".repeat(9), "]".repeat(9));
        let many: Vec<_> = (1..=17).map(|n| format!("1[mcts:{n}]")).collect();
        for (name, why) in [
            ("epsilon", "needs a chance from 0 to 1"),
            ("epsilon:", "needs a chance from 0 to 1"),
            ("epsilon:1.0001[greedy]", "needs a chance from 0 to 1"),
            ("epsilon:0.00001[greedy]", "needs a chance from 0 to 1"),
            ("epsilon:-0.1[greedy]", "needs a chance from 0 to 1"),
            ("epsilon:0.1", "needs an agent in brackets"),
            ("epsilon:0.1[greedy],depth=2", "needs an agent in brackets"),
            ("epsilon:0.1[clever]", "unknown agent 'clever'"),
            ("epsilon:0.1[greedy]]", "unknown agent 'greedy]'"),
            ("mixture:1[greedy]", "has 1 agent; it takes 2 to 16"),
            (&format!("mixture:{}", many.join("+")), "has 17 agents; it takes 2 to 16"),
            ("mixture:0[greedy]+1[random]", "needs before each agent a weight above 0"),
            ("mixture:10001[greedy]+1[random]", "needs before each agent a weight above 0"),
            ("mixture:[greedy]+1[random]", "needs before each agent a weight above 0"),
            ("mixture:1[greedy+1[random]", "needs each of its agents in brackets"),
            ("mixture:1[greedy]1[random]", "needs a + between its agents"),
            ("mixture:1[greedy]+2[greedy]", "has greedy twice"),
            ("mixture:1[greedy]+1[mcts:0]", "needs simulations from 1 to 100000"),
            (&deep, "agents within agents more than 8 deep"),
        ] {
            let error = name.parse::<Agent>().expect_err(name).to_string();
            assert!(error.contains(why), "{name}: {error}");
        }
    }

    #[test]
    fn each_agent_decides_as_often_as_its_weight_says() {
        let Agent::Mixed(mixed) = agent("mixture:1[expectimax:1]+2[greedy]+0.5[random]") else {
            panic!("a mixture");
        };
        let mut rng = Stream::new(5, 0);
        let mut counts = [0_i64; 3];
        for _ in 0..35_000 {
            counts[mixed.draw(&mut rng)] += 1;
        }
        for (count, expected) in counts.into_iter().zip([10_000, 20_000, 5_000]) {
            assert!((count - expected).abs() < 600, "{counts:?}");
        }
    }

    #[test]
    fn an_analysis_says_what_is_likely_and_chooses_as_the_agent_does() {
        let game = Shah::new(Default::default()).expect("the default rules");
        let state = game.initial_state();
        let legal = game.legal_actions(&state);
        let agent = agent("epsilon:0.25[mixture:1[greedy]+3[alphabeta:1]]").bind(&game).expect("it fits");
        let control = Control::default();
        for stream in 0..40 {
            let told = agent.analyse(&game, &state, &mut Stream::new(1, stream), &control).expect("memory");
            let mut rng = Stream::new(1, stream);
            let chosen = agent.choose(&game, &state, legal, &mut rng, &control, &mut None);
            assert_eq!(told.best, chosen.ok());
            let sum: f64 = told.lines.iter().map(|line| line.probability).sum();
            assert!((sum - 1.0).abs() < 1e-12, "{sum}");
            let least = 0.25 / legal.len() as f64;
            assert!(told.lines.iter().all(|line| line.probability >= least - 1e-12));
            assert!(told.lines.iter().any(|line| line.probability > 0.5));
        }
    }
}
