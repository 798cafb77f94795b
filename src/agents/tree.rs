//! The tree of a search: decisions, the chance outcomes between them, their statistics, and what is proven.
//!
//! A decision node keeps, for each of its actions, the mean return of the player who decides there. A chance outcome is
//! drawn, never chosen. Every node on the path of a simulation adds the return of its own player (max^n).
//!
//! An action that ends the game, or leads without chance to a proven node, is proven. A node is proven once one of its
//! actions has the best return of the game, or all of them are proven. Nothing below a proven node is searched again.
//!
//! Only additions, multiplications, divisions and square roots decide: unlike logarithms, they are the same on every
//! machine.

mod below;
mod choosing;
mod following;
mod links;

use std::hash::Hash;

pub(crate) use self::choosing::Rule;
use self::choosing::first_best;
pub(crate) use self::following::Arrival;
#[cfg(not(target_family = "wasm"))]
pub(crate) use self::following::{ChanceStep, Followed};
use self::links::Links;

use crate::base::soon;
use crate::rules::{Action, ActionSet, Game, PerPlayer, Player};

/// Nothing: the end of a list, and no proof.
const NONE: u32 = u32::MAX;

/// The edges and logits reserved for each node. With half as many, searches in nine men's morris were a tenth slower.
const EDGES: usize = 8;
const LOGITS: usize = 16;

/// An action of a node.
#[derive(Clone, Copy)]
pub(crate) struct Edge {
    pub(crate) action: Action,
    /// Its prior, 0 to 1.
    pub(crate) prior: f32,
    pub(crate) visits: u32,
    /// The sum of the returns of the player who chooses it.
    pub(crate) total: f64,
    /// The only node that it can lead to without chance, once known.
    child: u32,
    /// The index of its proof.
    proof: u32,
}

impl Edge {
    /// The node that it leads to without chance, once known.
    #[cfg_attr(fast, inline(always))]
    pub(crate) fn only_child(&self) -> Option<u32> {
        (self.child != NONE).then_some(self.child)
    }

    /// Its mean return; `None` if it was never tried.
    #[cfg_attr(fast, inline(always))]
    pub(crate) fn mean(&self) -> Option<f64> {
        (self.visits > 0).then(|| self.total / f64::from(self.visits))
    }
}

/// A decision; its position is in a list of its own.
struct Node {
    player: Player,
    /// The sum of `1 / n` over the visits: their logarithm but for [`EULER`].
    harmonic: f64,
    /// The evaluated return of the player: the value of an action before it is tried.
    hope: f64,
    visits: u32,
    /// The index of its first edge once it is expanded: one edge for each legal action, those tried first. Before that, the
    /// index of its first logit, if it was evaluated with some.
    edges: u32,
    num_edges: u16,
    tried: u16,
    /// How many of its edges are proven.
    proven: u16,
    /// The index of its proof.
    proof: u32,
    evaluated: bool,
}

/// A choice on the way down.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    node: u32,
    edge: u32,
    /// Whether no chance came before the next choice.
    certain: bool,
}

/// See the module.
pub(crate) struct Tree<S> {
    nodes: Vec<Node>,
    states: Vec<S>,
    /// The nodes that actions have led to by chance.
    links: Links,
    edges: Vec<Edge>,
    /// The logits of the legal actions of nodes that were judged.
    logits: Vec<f32>,
    proofs: Vec<PerPlayer<f64>>,
    /// The largest return met: they may be in any unit (a stake, a gammon), and bounds are scaled by it.
    scale: f64,
    /// The best return that the game gives, where proofs are wanted.
    most: Option<f64>,
    /// The sum of each player's returns over all simulations, and their number.
    sums: PerPlayer<f64>,
    simulations: u32,
}

/// Adds an item and returns its index. The limits on simulations keep every index far below `u32::MAX`.
#[cfg_attr(fast, inline(always))]
fn push<T>(all: &mut Vec<T>, item: T) -> u32 {
    all.push(item);
    (all.len() - 1) as u32
}

impl<S: Copy + Eq + Hash> Tree<S> {
    /// A tree with this position as its root and `player` to move; `most` is the best return of the game, for a tree that
    /// proves.
    pub(crate) fn new(state: &S, player: Player, num_players: usize, most: Option<f64>) -> Self {
        let mut tree = Tree {
            nodes: Vec::new(),
            states: Vec::new(),
            links: Links::default(),
            edges: Vec::new(),
            logits: Vec::new(),
            proofs: Vec::new(),
            scale: f64::MIN_POSITIVE,
            most,
            sums: PerPlayer::new(num_players, 0.0),
            simulations: 0,
        };
        tree.add(state, player);
        tree
    }

    #[cfg_attr(fast, inline(always))]
    fn add(&mut self, state: &S, player: Player) -> u32 {
        let node = Node {
            player,
            harmonic: 0.0,
            hope: 0.0,
            visits: 0,
            edges: 0,
            num_edges: 0,
            tried: 0,
            proven: 0,
            proof: NONE,
            evaluated: false,
        };
        self.states.push(*state);
        push(&mut self.nodes, node)
    }

    /// Reserves room for so many nodes, with [`EDGES`] edges each and, where they will be judged with logits, [`LOGITS`] of
    /// these: faster than growing bit by bit. Pages that are never written usually take no memory.
    pub(crate) fn reserve(&mut self, nodes: usize, with_logits: bool) {
        self.nodes.reserve(nodes);
        self.states.reserve(nodes);
        self.edges.reserve(EDGES * nodes);
        self.logits.reserve(if with_logits { LOGITS * nodes } else { 0 });
    }

    /// Prefetches a node.
    #[cfg_attr(fast, inline(always))]
    pub(crate) fn node_soon(&self, node: u32) {
        soon(&self.nodes, node as usize);
        soon(&self.states, node as usize);
    }

    /// Prefetches the edges of a node, or its logits.
    #[cfg_attr(fast, inline(always))]
    pub(crate) fn edges_soon(&self, node: u32) {
        let node = &self.nodes[node as usize];
        let first = node.edges as usize;
        if node.num_edges == 0 {
            soon(&self.logits, first);
        } else {
            // Two edges are a line of the cache.
            (first..first + node.num_edges as usize).step_by(2).for_each(|edge| soon(&self.edges, edge));
        }
    }

    /// Prefetches what backpropagation along this path will change, and a node at its end that will be evaluated.
    #[cfg_attr(fast, inline(always))]
    pub(crate) fn path_soon(&self, path: &[Step], end: Option<u32>) {
        for step in path {
            soon(&self.nodes, step.node as usize);
            soon(&self.edges, step.edge as usize);
        }
        if let Some(end) = end {
            soon(&self.nodes, end as usize);
            soon(&self.logits, self.logits.len());
        }
    }

    /// The position of a node.
    #[cfg_attr(fast, inline(always))]
    pub(crate) fn state(&self, node: u32) -> &S {
        &self.states[node as usize]
    }

    /// Who chooses at a node.
    #[cfg_attr(fast, inline(always))]
    pub(crate) fn player(&self, node: u32) -> Player {
        self.nodes[node as usize].player
    }

    /// Whether the node is expanded.
    #[cfg_attr(fast, inline(always))]
    pub(crate) fn is_expanded(&self, node: u32) -> bool {
        self.nodes[node as usize].num_edges > 0
    }

    /// The proven returns of a node.
    #[cfg_attr(fast, inline(always))]
    pub(crate) fn proof(&self, node: u32) -> Option<&PerPlayer<f64>> {
        self.proofs.get(self.nodes[node as usize].proof as usize)
    }

    /// What each player may expect at the root: what is proven, or what the simulations brought on average. `None` before
    /// the first.
    pub(crate) fn mean(&self) -> Option<PerPlayer<f64>> {
        if let Some(proof) = self.proof(0) {
            return Some(*proof);
        }
        let mut mean = self.sums;
        mean.as_mut_slice().iter_mut().for_each(|sum| *sum /= f64::from(self.simulations));
        (self.simulations > 0).then_some(mean)
    }

    /// The edges of a node; none while it is not open.
    #[cfg_attr(fast, inline(always))]
    pub(crate) fn edges(&self, node: u32) -> &[Edge] {
        let node = &self.nodes[node as usize];
        let first = node.edges as usize;
        self.edges.get(first..first + node.num_edges as usize).unwrap_or_default()
    }

    /// The same of an open node, to give them priors.
    pub(crate) fn edges_mut(&mut self, node: u32) -> &mut [Edge] {
        let node = &self.nodes[node as usize];
        &mut self.edges[node.edges as usize..][..node.num_edges as usize]
    }

    /// The proven returns of an edge.
    #[cfg_attr(fast, inline(always))]
    pub(crate) fn proof_of(&self, edge: &Edge) -> Option<&PerPlayer<f64>> {
        self.proofs.get(edge.proof as usize)
    }

    /// Gives a node its edges; `hope` is the value of an action that was never tried.
    #[cfg_attr(fast, inline(always))]
    pub(crate) fn expand<G: Game<State = S>>(&mut self, game: &G, node: u32, hope: f64) {
        let legal = game.legal_actions(self.state(node));
        let node = &mut self.nodes[node as usize];
        let first = self.edges.len() as u32;
        let blank = |action| Edge { action, prior: 0.0, visits: 0, total: 0.0, child: NONE, proof: NONE };
        self.edges.extend(legal.iter().map(blank));
        (node.edges, node.num_edges, node.hope) = (first, legal.len() as u16, hope);
    }

    /// Whether the node was evaluated.
    #[cfg_attr(fast, inline(always))]
    pub(crate) fn is_evaluated(&self, node: u32) -> bool {
        self.nodes[node as usize].evaluated
    }

    /// Stores the evaluation of a node: the expected return of its player, and the logits of its legal actions, if any. Most
    /// nodes are never visited again; the others get their edges, which take much more memory, by [`Tree::expand_evaluated`].
    #[cfg_attr(fast, inline(always))]
    pub(crate) fn evaluate(&mut self, node: u32, hope: f64, logits: Option<(ActionSet, &[f32])>) {
        let mut first = NONE;
        if let Some((legal, logits)) = logits {
            first = self.logits.len() as u32;
            self.logits.extend(legal.iter().map(|action| logits[action.index()]));
        }
        // Until a first simulation has come back, the scale would be 0, and the priors of the root would have no weight.
        self.scale = self.scale.max(hope.abs());
        let node = &mut self.nodes[node as usize];
        (node.edges, node.hope, node.evaluated) = (first, hope, true);
    }

    /// Expands a node that was evaluated, if it is not yet; the priors are the softmax of its logits.
    #[cfg_attr(fast, inline(always))]
    pub(crate) fn expand_evaluated<G: Game<State = S>>(&mut self, game: &G, at: u32) {
        let Node { edges: first, num_edges: 0, hope, .. } = self.nodes[at as usize] else { return };
        self.expand(game, at, hope);
        let node = &self.nodes[at as usize];
        let edges = &mut self.edges[node.edges as usize..][..node.num_edges as usize];
        let even = 1.0 / edges.len() as f32;
        let Some(logits) = self.logits.get(first as usize..) else {
            edges.iter_mut().for_each(|edge| edge.prior = even);
            return;
        };
        let logits = &logits[..edges.len()];
        let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let mut sum = 0.0;
        for (edge, logit) in edges.iter_mut().zip(logits) {
            edge.prior = libm::expf(logit - most);
            sum += edge.prior;
        }
        edges.iter_mut().for_each(|edge| edge.prior /= sum);
    }

    /// The edge with a legal action of an open node, which counts as tried from now on.
    pub(crate) fn take(&mut self, at: u32, action: Action) -> u32 {
        let node = &mut self.nodes[at as usize];
        let first = node.edges as usize;
        let edges = &mut self.edges[first..][..node.num_edges as usize];
        let edge = edges.iter().position(|edge| edge.action == action).expect("a legal action");
        let tried = node.tried as usize;
        if edge < tried {
            return (first + edge) as u32;
        }
        edges.swap(edge, tried);
        node.tried += 1;
        (first + tried) as u32
    }

    /// Adds the returns of a simulation to every node on its path; `sure` if they are certain to follow the last step.
    #[cfg_attr(fast, inline(always))]
    pub(crate) fn backpropagate(&mut self, path: &[Step], returns: &PerPlayer<f64>, sure: bool) {
        for &Step { node, edge, .. } in path {
            let node = &mut self.nodes[node as usize];
            let gain = returns[node.player];
            self.scale = self.scale.max(gain.abs());
            node.visits += 1;
            node.harmonic += 1.0 / f64::from(node.visits);
            let edge = &mut self.edges[edge as usize];
            edge.visits += 1;
            edge.total += gain;
        }
        for (sum, value) in self.sums.as_mut_slice().iter_mut().zip(returns.as_slice()) {
            *sum += value;
        }
        self.simulations += 1;
        if let (Some(most), true) = (self.most, sure) {
            self.prove(path, returns, most);
        }
    }

    /// Proves nodes, from the last step back.
    fn prove(&mut self, path: &[Step], returns: &PerPlayer<f64>, most: f64) {
        let mut proof = NONE;
        for &Step { node, edge, certain } in path.iter().rev() {
            if !certain || self.edges[edge as usize].proof != NONE {
                break;
            }
            if proof == NONE {
                proof = push(&mut self.proofs, *returns);
            }
            self.edges[edge as usize].proof = proof;
            let player = self.nodes[node as usize].player;
            let known = &mut self.nodes[node as usize];
            known.proven += 1;
            if self.proofs[proof as usize][player] < most {
                if known.proven < known.num_edges {
                    break;
                }
                // All is known here: the best of it.
                let edges = self.edges(node);
                let worth = |edge: &Edge| self.proof_of(edge).map_or(f64::MIN, |proof| proof[player]);
                proof = edges[first_best(edges.iter().map(worth))].proof;
            }
            self.nodes[node as usize].proof = proof;
        }
    }

    /// The edge that a search of this tree plays at a node: the one that was taken most, of equals the smallest action,
    /// unless a proven one is better. A proven loss is played only where everything else is known to be no better.
    /// `None` where nothing was tried.
    pub(crate) fn best(&self, node: u32) -> Option<&Edge> {
        let player = self.player(node);
        let open = self.edges(node).iter().filter(|edge| edge.visits > 0 && edge.proof == NONE);
        let open = open.max_by_key(|edge| (edge.visits, std::cmp::Reverse(edge.action)));
        let worth = |edge: &&Edge| self.proof_of(edge).map(|proof| proof[player]);
        let mut proven: Option<(&Edge, f64)> = None;
        for edge in self.edges(node) {
            let Some(value) = worth(&edge) else { continue };
            // Of equals the one that was hardest to prove: where all is lost, the longest resistance.
            let rank = |edge: &Edge| (edge.visits, std::cmp::Reverse(edge.action));
            let better =
                |(known, most): (&Edge, f64)| value > most || (value == most && rank(edge) > rank(known));
            if proven.is_none_or(better) {
                proven = Some((edge, value));
            }
        }
        match (open, proven) {
            (Some(open), Some((edge, value))) if open.mean().is_none_or(|mean| value > mean) => Some(edge),
            (Some(open), _) => Some(open),
            (None, proven) => proven.map(|(edge, _)| edge),
        }
    }
}
