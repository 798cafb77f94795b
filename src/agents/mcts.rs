//! Monte Carlo tree search for games with chance and with more than two players.
//!
//! The tree holds the players' decisions and the chance outcomes met between them. A decision node keeps, for each of its
//! actions, the mean return of the player who decides there, and takes the action with the best upper bound (UCB1); a
//! chance outcome is drawn, never chosen. From the first new node on the game is played out, or played on for a little and
//! judged, and every node on the way learns the return of its own player (max^n).
//!
//! Only additions, divisions and square roots decide: those are the same on every machine, which logarithms are not.

use super::greedy::greedy;
use super::random::random;
use crate::agents::playout::{random_playout, settle};
use crate::agents::rng::Stream;
use crate::base::control::Control;
use crate::rules::action::Action;
use crate::rules::game::{Evaluate, Game, Heuristic, Turn};
use crate::rules::player::{PerPlayer, Player};

/// The most simulations a decision may take: a node each, so some tens of megabytes a thread.
pub const MAX_SIMULATIONS: u32 = 100_000;

/// How far curiosity weighs against what is known, in units of the largest return seen.
const EXPLORATION: f64 = 1.4;

/// By how much the harmonic number of `n` exceeds the logarithm of `n`, when `n` is large: Euler's constant.
const EULER: f64 = 0.577_215_664_901_532_9;

/// No node: the end of a list.
const NONE: u32 = u32::MAX;

/// How many random decisions are played from a new node before the position is judged: they settle what is at stake.
const PLAY_ON: u32 = 10;

/// How it is found out what a new node is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaf {
    /// By a random game to the end.
    Random,
    /// By a greedy game to the end.
    Greedy,
    /// By ten random decisions, and [`Evaluate`].
    Heuristic,
}

struct Edge {
    action: Action,
    visits: u32,
    total: f64,
    /// The nodes this action has led to, one for each position that the chance outcomes on the way made: the first, the
    /// others by [`Node::sibling`].
    child: u32,
}

struct Node<S> {
    state: S,
    player: Player,
    sibling: u32,
    visits: u32,
    /// The sum of `1 / n` over the visits: their logarithm but for [`EULER`].
    harmonic: f64,
    /// Where its edges stand, once it has been chosen from: one for each legal action, those tried first.
    edges: u32,
    num_edges: u16,
    tried: u16,
}

struct Tree<S> {
    nodes: Vec<Node<S>>,
    edges: Vec<Edge>,
    /// The largest return met: they may be in any unit (a stake, a gammon), and bounds are scaled by it.
    scale: f64,
}

/// Adds an item and says where it stands; `None` when there is no memory for it.
fn push<T>(all: &mut Vec<T>, item: T) -> Option<u32> {
    all.try_reserve(1).ok()?;
    all.push(item);
    u32::try_from(all.len() - 1).ok()
}

/// The action that most of the simulations took, of equals the smallest id; `None` when there is no memory for the tree.
///
/// When it is cancelled the search stops at once with what it knows.
///
/// # Panics
/// When it is no player's turn.
pub fn search<G: Heuristic + Evaluate>(
    game: &G,
    state: &G::State,
    simulations: u32,
    leaf: Leaf,
    rng: &mut Stream,
    control: &Control,
) -> Option<Action> {
    let Turn::Player(player) = game.turn(state) else {
        panic!("a search starts where a player chooses");
    };
    let legal = game.legal_actions(state);
    let first = legal.nth(0).expect("a player to act has an action");
    if legal.len() == 1 {
        return Some(first);
    }
    let mut tree = Tree { nodes: Vec::new(), edges: Vec::new(), scale: f64::MIN_POSITIVE };
    tree.add(state, player)?;
    let mut path: Vec<(u32, u32)> = Vec::new();
    for _ in 0..simulations {
        if control.is_cancelled() {
            break;
        }
        path.clear();
        let returns = tree.descend(game, *state, leaf, &mut path, rng)?;
        tree.learn(&path, &returns);
    }
    let best = tree.tried(0).iter().max_by_key(|edge| (edge.visits, std::cmp::Reverse(edge.action)));
    Some(best.map_or(first, |edge| edge.action))
}

/// What a new position is worth.
fn worth<G: Heuristic + Evaluate>(
    game: &G,
    position: &mut G::State,
    leaf: Leaf,
    rng: &mut Stream,
) -> PerPlayer<f64> {
    match leaf {
        Leaf::Random => drop(random_playout(game, position, rng)),
        Leaf::Greedy => {
            while let Turn::Player(_) = settle(game, position, rng, &mut ()) {
                let action = greedy(game, position, game.legal_actions(position));
                game.apply(position, action, &mut ());
            }
        }
        Leaf::Heuristic => {
            for _ in 0..PLAY_ON {
                let Turn::Player(_) = settle(game, position, rng, &mut ()) else { break };
                let action = random(game.legal_actions(position), rng);
                game.apply(position, action, &mut ());
            }
            if game.turn(position) != Turn::Over {
                return game.evaluate(position);
            }
        }
    }
    game.returns(position)
}

impl<S: Copy + PartialEq> Tree<S> {
    fn add(&mut self, state: &S, player: Player) -> Option<u32> {
        let node = Node {
            state: *state,
            player,
            sibling: NONE,
            visits: 0,
            harmonic: 0.0,
            edges: 0,
            num_edges: 0,
            tried: 0,
        };
        push(&mut self.nodes, node)
    }

    /// The edges of a node that have been taken at least once.
    fn tried(&self, node: u32) -> &[Edge] {
        let node = &self.nodes[node as usize];
        &self.edges[node.edges as usize..][..node.tried as usize]
    }

    /// One simulation: down the tree, one node more, and a random game from there. The returns at its end.
    fn descend<G: Heuristic<State = S> + Evaluate>(
        &mut self,
        game: &G,
        mut position: S,
        leaf: Leaf,
        path: &mut Vec<(u32, u32)>,
        rng: &mut Stream,
    ) -> Option<PerPlayer<f64>> {
        let mut at = 0;
        loop {
            let edge = self.choose(game, at, rng)?;
            path.try_reserve(1).ok()?;
            path.push((at, edge));
            game.apply(&mut position, self.edges[edge as usize].action, &mut ());
            let Turn::Player(player) = settle(game, &mut position, rng, &mut ()) else {
                return Some(game.returns(&position));
            };
            let mut child = self.edges[edge as usize].child;
            while child != NONE && self.nodes[child as usize].state != position {
                child = self.nodes[child as usize].sibling;
            }
            if child != NONE {
                at = child;
                continue;
            }
            let child = self.add(&position, player)?;
            self.nodes[child as usize].sibling = self.edges[edge as usize].child;
            self.edges[edge as usize].child = child;
            return Some(worth(game, &mut position, leaf, rng));
        }
    }

    /// An untried edge of a node, or the one with the best upper bound.
    fn choose<G: Game<State = S>>(&mut self, game: &G, at: u32, rng: &mut Stream) -> Option<u32> {
        let node = &mut self.nodes[at as usize];
        if node.num_edges == 0 {
            let legal = game.legal_actions(&node.state);
            let first = self.edges.len();
            self.edges.try_reserve(legal.len()).ok()?;
            self.edges.extend(legal.iter().map(|action| Edge { action, visits: 0, total: 0.0, child: NONE }));
            (node.edges, node.num_edges) = (u32::try_from(first).ok()?, legal.len() as u16);
        }
        let untried = node.num_edges - node.tried;
        if untried > 0 {
            let next = node.edges + node.tried as u32;
            let drawn = next + rng.below(untried as u32);
            self.edges.swap(next as usize, drawn as usize);
            node.tried += 1;
            return Some(next);
        }
        let curiosity = (node.harmonic - EULER).max(0.0);
        let bound = |edge: &Edge| {
            let visits = f64::from(edge.visits.max(1));
            edge.total / visits + EXPLORATION * self.scale * (curiosity / visits).sqrt()
        };
        let first = node.edges;
        let edges = self.tried(at);
        let mut best = 0;
        for index in 1..edges.len() {
            if bound(&edges[index]) > bound(&edges[best]) {
                best = index;
            }
        }
        Some(first + best as u32)
    }

    /// Every node on the way learns the return of its own player.
    fn learn(&mut self, path: &[(u32, u32)], returns: &PerPlayer<f64>) {
        for &(node, edge) in path {
            let node = &mut self.nodes[node as usize];
            let gain = returns[node.player];
            self.scale = self.scale.max(gain.abs());
            node.visits += 1;
            node.harmonic += 1.0 / f64::from(node.visits);
            let edge = &mut self.edges[edge as usize];
            edge.visits += 1;
            edge.total += gain;
        }
    }
}
