//! Trees of many positions at once, grown in rounds: every tree descends to a new position, these are evaluated together,
//! and every tree backpropagates its evaluation. AlphaZero searches like this.
//!
//! The trees are those of the agent "mcts", with PUCT as their rule: curiosity is shared out by priors. Row `i` draws
//! its dice from a stream of its own, so that no row depends on the others.

mod judging;
mod row;

use self::row::Row;
use serde_json::Value;

use crate::agents::tree::Tree;
use crate::agents::turns::TurnEnds;
use crate::agents::{Evaluator, Stream, Streams, mcts};
use crate::base::{Control, Error, Plan, copy_of, multiversion, share_out, soon};
use crate::play::analysis::to_json;
use crate::play::{AnyStates, States, Viewers};
use crate::rules::{FullGame, PerPlayer, Position, Turn};

/// The most simulations of all rows together: a node each.
pub const MAX_SIMULATIONS: u64 = 20_000_000;

/// The cost of a simulation apart from the evaluation, in units of a random decision.
const COST: u64 = 32;

/// The most nodes reserved for a tree at once.
const ROOM: u32 = 256;

/// The largest size of a value: far beyond any return, and small enough that sums of them stay numbers.
const MOST: f32 = 1e9;

/// How trees are grown.
#[derive(Clone, Debug)]
pub struct ForestConfig {
    /// How many simulations each row makes, at least 1.
    pub simulations: u32,
    /// The exploration constant, in units of the largest value seen.
    pub exploration: f64,
    /// Noise on the priors of the roots: the parameter of the Dirichlet distribution, and the share of the noise.
    pub noise: Option<(f64, f64)>,
    /// Whether the logits of a network of the engine are used as priors.
    pub priors: bool,
    /// The evaluator; `None` for one outside the engine.
    pub evaluator: Option<Evaluator>,
    /// Where the dice in the trees and the noise come from.
    pub seed: u64,
    /// For each row the number of its stream; where it is empty, row `i` has stream `i`.
    pub streams: Vec<u64>,
    /// On how many threads.
    pub threads: usize,
}

/// The rows that descend together: enough to hide the latency of memory.
const TOGETHER: usize = 16;

/// The rows of a piece of work: few enough that what they read is still in the cache.
const PIECE: usize = 64;

/// How many rows ahead prefetching runs.
const AHEAD: usize = 8;

/// See the module.
pub struct Forest<G: FullGame> {
    roots: States<G>,
    rows: Vec<Row<G::State>>,
    config: ForestConfig,
    /// The positions to be evaluated in this round.
    leaves: States<G>,
}

/// The results of the searches of some rows, row by row.
#[derive(Debug)]
pub struct SearchResults {
    /// The number of simulations that took each action.
    pub visits: Vec<i32>,
    /// Their shares; 1 for the best action where it is proven.
    pub policy: Vec<f32>,
    /// What each player may expect.
    pub values: Vec<f32>,
    /// The action that the search plays, -1 where no player is to act.
    pub best: Vec<i64>,
}

impl<G: FullGame> Forest<G> {
    /// Trees for these positions, nothing searched yet. Chance must be due in none of them.
    ///
    /// # Errors
    /// When the positions are of another rule book, there are more simulations than [`MAX_SIMULATIONS`], chance is due
    /// somewhere, or there is no memory.
    ///
    /// # Panics
    /// When there are streams, but not one a row.
    pub fn new(game: G, roots: &dyn AnyStates, config: ForestConfig) -> Result<Self, Error> {
        let roots = States::of(game.clone(), copy_of(States::own(&game, roots)?.rows())?);
        let all = roots.len() as u64 * u64::from(config.simulations);
        if all > MAX_SIMULATIONS {
            return Err(Error::new(format!(
                "{} rows with {} simulations each are {all} simulations; at most {MAX_SIMULATIONS} may be made at once: \
                 search fewer rows at a time",
                roots.len(),
                config.simulations
            )));
        }
        if let Some(evaluator) = &config.evaluator {
            evaluator.fits(&game, format_args!("evaluator '{evaluator}'"))?;
        }
        let most = Some(game.returns_range().1);
        let mut rows = Vec::with_capacity(roots.len());
        for (number, state) in roots.rows().iter().enumerate() {
            let mut rng = Stream::new(0, 0);
            let tree = match game.turn(state) {
                Turn::Over => None,
                Turn::Chance => {
                    return Err(Error::new(format!(
                        "row {number} is at a chance node; draw it first, with sample_chance"
                    )));
                }
                Turn::Player(player) => {
                    let stream = config.streams.get(number).copied().unwrap_or(number as u64);
                    rng = Streams::new(config.seed, stream).seats[player.index()].clone();
                    let mut tree = Tree::new(state, player, game.num_players(), most);
                    let nodes = config.simulations.min(ROOM) as usize;
                    tree.reserve(nodes, config.evaluator.is_none());
                    Some(tree)
                }
            };
            let left = if tree.is_some() { config.simulations } else { 0 };
            rows.push(Row::new(tree, rng, *state, left));
        }
        let leaves = States::of(game, Vec::new());
        Ok(Forest { roots, rows, config, leaves })
    }

    /// A round: the trees take the evaluations, and continue. Both at once, while a tree is in the cache.
    fn go_on(&mut self, told: Option<Answers<'_>>, control: &Control) -> Result<usize, Error> {
        let (game, config) = (self.roots.game(), &self.config);
        let (cost, together) = match config.evaluator {
            Some(_) => (COST.saturating_mul(u64::from(config.simulations)), 1),
            None => (COST, PIECE),
        };
        let plan = Plan::new(self.rows.len(), cost, config.threads, together);
        share_out(plan, &mut self.rows[..], Some(control), |rows| {
            round(rows, game, config, told, control);
        })?;
        let mut leaves =
            std::mem::replace(&mut self.leaves, States::of(game.clone(), Vec::new())).into_rows();
        leaves.clear();
        for row in &mut self.rows {
            if let (Some(bad), Some(Answers { logits: Some(logits), .. })) = (row.wrong, told) {
                return Err(Error::new(format!(
                    "the evaluator's logit for action {} in row {} is {}; the logits of legal actions are finite numbers",
                    bad.0,
                    row.asked,
                    logits[row.asked * G::NUM_ACTIONS + bad.index()]
                )));
            }
            if row.waits.is_some() {
                row.asked = leaves.len();
                leaves.push(row.leaf);
            }
        }
        self.leaves = States::of(self.roots.game().clone(), leaves);
        Ok(self.leaves.len())
    }
}

/// Any [`Forest`]. What grows trees or writes fails where the system starts no threads.
pub trait AnyForest: Send {
    /// Grows every tree until it has a position to be evaluated, or is done; returns how many have one. With an evaluator
    /// inside the engine, all are done.
    fn grow(&mut self, control: &Control) -> Result<usize, Error>;
    /// Writes the positions to be evaluated, each as the player to act sees it, and their masks of legal actions, into a
    /// cell for each.
    fn ask(&self, observations: &mut [i8], masks: &mut [i8]) -> Result<(), Error>;
    /// Gives each tree the evaluation of its position, and continues as [`AnyForest::grow`]: the expected return of each
    /// player, in the order of the seats, or one number for the player to act; and a logit for each action, if any. An
    /// error where one is no number, or beyond any return: the trees are of no use then.
    fn answer(&mut self, values: &[f32], logits: Option<&[f32]>, control: &Control) -> Result<usize, Error>;
    /// The results of the searches so far.
    fn results(&self) -> SearchResults;
    /// The analysis of one row, as of [`AnyPosition::analyse`](super::position::AnyPosition::analyse); `None` where no player
    /// is to act.
    fn analysis(&self, row: usize) -> Option<Value>;
}

impl<G: FullGame> AnyForest for Forest<G> {
    fn grow(&mut self, control: &Control) -> Result<usize, Error> {
        self.go_on(None, control)
    }

    fn ask(&self, observations: &mut [i8], masks: &mut [i8]) -> Result<(), Error> {
        self.leaves.observe(&Viewers::ToAct, observations, self.config.threads)?;
        self.leaves.masks(masks, self.config.threads)
    }

    fn answer(&mut self, values: &[f32], logits: Option<&[f32]>, control: &Control) -> Result<usize, Error> {
        let (players, actions) = (self.roots.game().num_players(), G::NUM_ACTIONS);
        let width = if values.len() == self.leaves.len() * players { players } else { 1 };
        assert_eq!(values.len(), self.leaves.len() * width, "values for each position");
        if let Some(at) = values.iter().position(|value| value.is_nan() || value.abs() > MOST) {
            return Err(Error::new(format!(
                "the evaluator's value in row {} is {}; values are numbers in the units of the returns",
                at / width,
                values[at]
            )));
        }
        if let Some(logits) = logits {
            assert_eq!(logits.len(), self.leaves.len() * actions, "a logit for each action");
        }
        self.go_on(Some(Answers { values, logits, width }), control)
    }

    fn results(&self) -> SearchResults {
        let (players, actions) = (self.roots.game().num_players(), G::NUM_ACTIONS);
        let mut found = SearchResults {
            visits: vec![0; self.rows.len() * actions],
            policy: vec![0.0; self.rows.len() * actions],
            values: vec![0.0; self.rows.len() * players],
            best: Vec::with_capacity(self.rows.len()),
        };
        for (number, (row, state)) in self.rows.iter().zip(self.roots.rows()).enumerate() {
            let values = match &row.tree {
                Some(tree) => tree.mean(),
                None => Some(self.roots.game().returns(state)),
            };
            let cells = &mut found.values[number * players..][..players];
            for (cell, value) in cells.iter_mut().zip(values.iter().flat_map(PerPlayer::as_slice)) {
                *cell = *value as f32;
            }
            let best = row.tree.as_ref().and_then(|tree| tree.best(0)).map(|edge| edge.action);
            found.best.push(best.map_or(-1, |action| i64::from(action.0)));
            let Some(tree) = &row.tree else { continue };
            let visits = &mut found.visits[number * actions..][..actions];
            for edge in tree.edges(0) {
                visits[edge.action.index()] = edge.visits as i32;
            }
            let policy = &mut found.policy[number * actions..][..actions];
            match best {
                Some(best) if tree.proof(0).is_some() => policy[best.index()] = 1.0,
                _ => {
                    let all = visits.iter().sum::<i32>().max(1) as f32;
                    policy.iter_mut().zip(visits).for_each(|(cell, &mut visits)| *cell = visits as f32 / all);
                }
            }
        }
        found
    }

    fn analysis(&self, row: usize) -> Option<Value> {
        let tree = self.rows.get(row)?.tree.as_ref()?;
        let position = Position::trusted(self.roots.game().clone(), self.roots.rows()[row]);
        Some(to_json(&position, &mcts::analysis_of(tree)))
    }
}

/// The evaluations of the positions of a round.
#[derive(Clone, Copy)]
struct Answers<'a> {
    values: &'a [f32],
    logits: Option<&'a [f32]>,
    width: usize,
}

multiversion! {
    /// The rows of one thread in a round.
    fn round[G: FullGame](
        rows: &mut [Row<G::State>],
        game: &G,
        config: &ForestConfig,
        told: Option<Answers<'_>>,
        control: &Control,
    ) -> () {
        if let Some(told) = told {
            learn(rows, game, config, told);
        }
        grow(rows, game, config, control);
    }
}

/// Gives each row the evaluation of its position.
#[cfg_attr(fast, inline(always))]
fn learn<G: FullGame>(rows: &mut [Row<G::State>], game: &G, config: &ForestConfig, told: Answers<'_>) {
    let Answers { values, logits, width } = told;
    for at in 0..rows.len() {
        if let Some(ahead) = rows.get(at + AHEAD) {
            soon(&ahead.path, 0);
        }
        if let Some(Row { tree: Some(tree), path, waits, .. }) = rows.get(at + AHEAD / 2) {
            tree.path_soon(path, *waits);
        }
        let row = &mut rows[at];
        if row.waits.is_some() {
            let values = &values[row.asked * width..][..width];
            let logits = logits.map(|logits| &logits[row.asked * G::NUM_ACTIONS..][..G::NUM_ACTIONS]);
            row.learn(game, config, values, logits);
        }
    }
}

/// Grows each row until it has a position to be evaluated, or no simulation is left. Trees are not in the cache: so some rows
/// descend together, and while one waits for memory the others work.
#[cfg_attr(fast, inline(always))]
fn grow<G: FullGame>(rows: &mut [Row<G::State>], game: &G, config: &ForestConfig, control: &Control) {
    let mut turns = TurnEnds::default();
    for together in rows.chunks_mut(TOGETHER) {
        let mut go_on = true;
        while go_on {
            go_on = false;
            for row in &mut *together {
                go_on |= row.step(game, config, control, &mut turns);
            }
        }
    }
}
