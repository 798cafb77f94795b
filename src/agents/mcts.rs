//! Monte Carlo tree search for games with chance and with more than two players.
//!
//! A simulation goes down the tree (`tree.rs`): every action once, then by the best upper bound (UCB1). From the first
//! new node on the game is played out, or played on for a little and judged.

use std::fmt::{self, Debug};
use std::hash::Hash;
use std::sync::Arc;

use super::analysis::{Analysis, Line};
use super::evaluator::Evaluator;
use super::policy;
use super::random::random;
use super::result::ValueKind;
use super::tree::{Arrival, Edge, Rule, Tree};
use super::turns::TurnEnds;
use crate::agents::{Stream, settle};
use crate::base::Control;
use crate::nets::Named;
use crate::rules::{Action, Encode, Evaluate, Heuristic, PerPlayer, Player, Turn};

/// The most simulations a decision may take: a node each, so some tens of megabytes a thread.
pub const MAX_SIMULATIONS: u32 = 100_000;

/// How many random decisions are played from a new node before the position is judged: they settle what is at stake.
const PLAY_ON: u32 = 10;

/// How much the promise of an action weighs against what is known, in units of the largest return seen, before it fades.
const BIAS: f64 = 1.0;

/// The most ends of a turn among which a win at once is looked for.
const MOST_ENDS: usize = 1 << 12;

/// The default exploration, in hundredths. Evaluations scatter less than the ends of games, so that less of it is needed; but
/// near the end there is little to judge, and with half of it wrong moves are taken for the best.
pub const fn default_exploration(evaluator: &Evaluator) -> u16 {
    if evaluator.plays_out() { 140 } else { 100 }
}

/// How an agent searches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// How many games are played on from the position for each decision, 1 to [`MAX_SIMULATIONS`].
    pub simulations: u32,
    /// Who judges new positions; [`Evaluator::Heuristic`] after ten random decisions, and a network, where there are dice, at
    /// the best end of the turn, unless it has logits and so knows positions where a player decides.
    pub evaluator: Evaluator,
    /// How far curiosity weighs against what is known, in hundredths of the largest return seen.
    pub exploration: u16,
    /// What is tried first, and favoured as long as little is known.
    pub priors: Priors,
    /// Whether wins and losses are proven, and never searched again.
    pub solver: bool,
    /// Whether a game keeps the tree from one decision of a seat to the next, where it begins with what is left of it.
    pub reuse_tree: bool,
}

/// What a search favours before it knows better.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Priors {
    /// Nothing.
    Even,
    /// What [`Heuristic::score`] likes.
    Greedy,
    /// What a network likes that has logits of actions.
    Policy(Arc<Named>),
}

/// The tree of a seat's last search, for its next one.
pub struct SearchTree<S> {
    settings: Settings,
    pub(super) tree: Tree<S>,
}

impl<S> Debug for SearchTree<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchTree").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl Settings {
    /// The default settings: a random game for each simulation.
    pub const fn new(simulations: u32) -> Self {
        let evaluator = Evaluator::Playouts(1);
        let exploration = default_exploration(&evaluator);
        Settings {
            simulations,
            evaluator,
            exploration,
            priors: Priors::Even,
            solver: true,
            reuse_tree: false,
        }
    }
}

/// The action that most of the simulations took, of equals the smallest id, unless it is proven that another is better.
///
/// When it is cancelled the search stops at once with what it knows.
///
/// With [`Settings::reuse_tree`] it begins with the subtree of this position in `kept`, if that has the same
/// settings, and leaves its own tree there. The tree then grows by as many simulations as any other, but to at most twice
/// as many, which bounds its memory.
///
/// # Panics
/// When it is no player's turn.
pub fn search<G: Heuristic + Evaluate>(
    game: &G,
    state: &G::State,
    settings: &Settings,
    rng: &mut Stream,
    control: &Control,
    kept: &mut Option<Box<SearchTree<G::State>>>,
) -> Action {
    let legal = game.legal_actions(state);
    let first = legal.nth(0).expect("a search starts where a player chooses");
    if legal.len() == 1 {
        return first;
    }
    let old = kept.take().filter(|kept| settings.reuse_tree && kept.settings == *settings);
    let tree = grow(game, state, settings, rng, control, old.map(|kept| kept.tree));
    let best = tree.best(0).map_or(first, |edge| edge.action);
    if settings.reuse_tree {
        *kept = Some(Box::new(SearchTree { settings: settings.clone(), tree }));
    }
    best
}

/// The same with all that the search found out.
pub(crate) fn analyse<G: Heuristic + Evaluate>(
    game: &G,
    state: &G::State,
    settings: &Settings,
    rng: &mut Stream,
    control: &Control,
) -> Analysis {
    analysis_of(&grow(game, state, settings, rng, control, None))
}

/// The analysis of the root of a tree.
pub(crate) fn analysis_of<S: Copy + Eq + Hash>(tree: &Tree<S>) -> Analysis {
    let player = tree.player(0);
    let visits: u64 = tree.edges(0).iter().map(|edge| u64::from(edge.visits)).sum();
    let line = |edge: &Edge| Line {
        action: edge.action,
        value: tree.proof_of(edge).map(|proof| proof[player]).or(edge.mean()),
        visits: u64::from(edge.visits),
        probability: f64::from(edge.visits) / visits.max(1) as f64,
        kind: ValueKind::exact_if(tree.proof_of(edge).is_some()),
        turns: None,
        actions: most_visited(tree, edge),
    };
    let lines: Vec<_> = tree.edges(0).iter().map(line).collect();
    let best = tree.best(0).map(|edge| edge.action);
    let depth = lines.iter().map(|line| line.actions.len() as u32).max().unwrap_or(0);
    Analysis { player, best, values: tree.mean(), lines, depth, work: visits }
}

/// The actions that follow one another where the search looked most, up to the next chance.
fn most_visited<S: Copy + Eq + Hash>(tree: &Tree<S>, first: &Edge) -> Vec<Action> {
    let mut actions = vec![first.action];
    let mut edge = *first;
    while let Some(child) = edge.only_child() {
        let Some(next) = tree.best(child) else { break };
        actions.push(next.action);
        edge = *next;
    }
    actions
}

/// A tree of so many simulations, and of those that an older one has made from here on.
pub(super) fn grow<G: Heuristic + Evaluate>(
    game: &G,
    state: &G::State,
    settings: &Settings,
    rng: &mut Stream,
    control: &Control,
    old: Option<Tree<G::State>>,
) -> Tree<G::State> {
    let Turn::Player(player) = game.turn(state) else {
        panic!("a search starts where a player chooses");
    };
    let most = settings.solver.then(|| game.returns_range().1);
    let mut tree = match old.and_then(|old| old.below(state)) {
        Some(left) => left,
        None => Tree::new(state, player, game.num_players(), most),
    };
    let simulations = settings.simulations.min((2 * settings.simulations).saturating_sub(tree.visits(0)));
    let (mut path, mut turns) = (Vec::new(), TurnEnds::default());
    expand(game, &mut tree, 0, settings);
    if settings.solver && tree.proof(0).is_none() {
        win_at_once(game, &mut tree, settings, rng);
    }
    let bias = if settings.priors == Priors::Even { 0.0 } else { BIAS };
    let rule = Rule::Bound { exploration: f64::from(settings.exploration) / 100.0, bias };
    for _ in 0..simulations {
        if tree.proof(0).is_some() || control.is_cancelled() {
            break;
        }
        path.clear();
        let mut at = 0;
        let (returns, sure) = loop {
            expand(game, &mut tree, at, settings);
            let edge = tree.choose(at, rule, rng);
            match tree.follow(game, at, edge, &mut path, rng) {
                Arrival::Over(returns) | Arrival::Proven(returns) => break (returns, true),
                Arrival::Known(child) => at = child,
                Arrival::New(child) => {
                    break (evaluate(game, tree.state(child), &settings.evaluator, rng, &mut turns), false);
                }
            }
        };
        tree.backpropagate(&path, &returns, sure);
    }
    tree
}

/// Gives a node its edges, where it has none yet.
fn expand<G: Heuristic + Encode>(game: &G, tree: &mut Tree<G::State>, at: u32, settings: &Settings) {
    if tree.is_expanded(at) {
        return;
    }
    tree.expand(game, at, 0.0);
    let state = *tree.state(at);
    match &settings.priors {
        Priors::Even => {}
        Priors::Greedy => {
            let scores = || game.legal_actions(&state).into_iter().map(|action| game.score(&state, action));
            let least = scores().min().unwrap_or(0);
            let most = scores().max().unwrap_or(0);
            let range = (most - least).max(1) as f32;
            for (edge, score) in tree.edges_mut(at).iter_mut().zip(scores()) {
                edge.prior = (score - least) as f32 / range;
            }
        }
        Priors::Policy(network) => {
            let player = tree.player(at);
            let edges = tree.edges_mut(at);
            policy::priors(game, &state, player, network, |edge, prior| edges[edge].prior = prior);
        }
    }
}

/// Looks whether the turn can end in a win, and proves it if so.
fn win_at_once<G: Heuristic + Encode>(
    game: &G,
    tree: &mut Tree<G::State>,
    settings: &Settings,
    rng: &mut Stream,
) {
    let player = tree.player(0);
    let mut turns = TurnEnds::default();
    // Too many ends to look through: then the simulations have to find it.
    if turns.list(game, &tree.state(0).to_owned(), MOST_ENDS).is_err() {
        return;
    }
    let mut best = (0.0, None);
    for end in (0..turns.len()).filter(|&end| game.turn(turns.end(end)) == Turn::Over) {
        let gain = game.returns(turns.end(end))[player];
        if gain > best.0 {
            best = (gain, Some(end));
        }
    }
    let Some(end) = best.1 else { return };
    let mut actions: Vec<_> = turns.actions_back(end).collect();
    actions.reverse();
    let (mut path, mut at) = (Vec::new(), 0);
    for action in actions {
        expand(game, tree, at, settings);
        let edge = tree.take(at, action);
        match tree.follow(game, at, edge, &mut path, rng) {
            Arrival::Over(returns) | Arrival::Proven(returns) => {
                return tree.backpropagate(&path, &returns, true);
            }
            Arrival::Known(child) | Arrival::New(child) => at = child,
        }
    }
}

/// What each player may expect in the position of a new node; the ends of its turn are listed in `turns`.
pub(crate) fn evaluate<G: Heuristic + Evaluate>(
    game: &G,
    state: &G::State,
    evaluator: &Evaluator,
    rng: &mut Stream,
    turns: &mut TurnEnds<G::State>,
) -> PerPlayer<f64> {
    match (evaluator, game.turn(state)) {
        (Evaluator::Heuristic, _) => {
            let mut state = *state;
            for _ in 0..PLAY_ON {
                let Turn::Player(_) = settle(game, &mut state, rng, &mut ()) else { break };
                let action = random(game.legal_actions(&state), rng);
                game.apply(&mut state, action, &mut ());
            }
            if game.turn(&state) == Turn::Over { game.returns(&state) } else { game.evaluate(&state) }
        }
        (Evaluator::Network(named), Turn::Player(player)) if G::DICE && named.net().logits() == 0 => {
            best_end(game, state, player, named, turns)
        }
        _ => evaluator.evaluate(game, state, rng),
    }
}

/// What a network expects at the end of the turn that it likes best; of the position itself where there are too many ends.
fn best_end<G: Evaluate>(
    game: &G,
    position: &G::State,
    player: Player,
    named: &Named,
    turns: &mut TurnEnds<G::State>,
) -> PerPlayer<f64> {
    if turns.list(game, position, MOST_ENDS).is_err() {
        return named.net().evaluate(game, position);
    }
    let mut best: Option<PerPlayer<f64>> = None;
    for end in (0..turns.len()).map(|end| turns.end(end)) {
        let values = match game.turn(end) {
            Turn::Over => game.returns(end),
            Turn::Player(_) | Turn::Chance => named.net().evaluate(game, end),
        };
        if best.is_none_or(|best| values[player] > best[player]) {
            best = Some(values);
        }
    }
    best.unwrap_or_else(|| named.net().evaluate(game, position))
}
