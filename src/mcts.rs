//! Monte Carlo tree search for games with chance and with more than two players.
//!
//! The tree holds the players' decisions and the chance outcomes met between them. A decision node keeps, for each of its
//! actions, the mean return of the player who decides there, and takes the action with the best upper bound (UCB1); a
//! chance outcome is drawn, never chosen. From the first new node on the game is played out at random, and every node on
//! the way learns the return of its own player (max^n).

use std::sync::atomic::{AtomicBool, Ordering};

use crate::action::{Action, ActionSet};
use crate::game::{Game, Turn};
use crate::player::{PerPlayer, Player};
use crate::playout::{random_playout, settle};
use crate::rng::Stream;

/// The most simulations a decision may take: a node each, so some tens of megabytes a thread.
pub const MAX_SIMULATIONS: u32 = 100_000;

/// How far curiosity weighs against what is known, in units of the largest return seen.
const EXPLORATION: f64 = 1.4;

struct Edge {
    action: Action,
    visits: u32,
    total: f64,
    /// The nodes this action has led to, one for each position that the chance outcomes on the way made.
    children: Vec<usize>,
}

struct Node<S> {
    state: S,
    player: Player,
    visits: u32,
    untried: ActionSet,
    edges: Vec<Edge>,
}

impl<S: Copy> Node<S> {
    fn new<G: Game<State = S>>(game: &G, state: &S, player: Player) -> Self {
        Node { state: *state, player, visits: 0, untried: game.legal_actions(state), edges: Vec::new() }
    }
}

/// The action that most of the simulations took, of equals the smallest id.
///
/// When `cancel` is set the search stops at once with what it knows.
///
/// # Panics
/// When it is no player's turn.
pub fn search<G: Game>(
    game: &G,
    state: &G::State,
    simulations: u32,
    rng: &mut Stream,
    cancel: &AtomicBool,
) -> Action {
    let Turn::Player(player) = game.turn(state) else {
        panic!("a search starts where a player chooses");
    };
    let mut nodes = vec![Node::new(game, state, player)];
    let only = nodes[0].untried;
    if only.len() == 1 {
        return only.nth(0).expect("there is one");
    }
    let mut path: Vec<(usize, usize)> = Vec::new();
    // Returns may be in any unit (a stake, a gammon): the bound is scaled by the largest one met.
    let mut scale = f64::MIN_POSITIVE;
    for _ in 0..simulations {
        if cancel.load(Ordering::Relaxed) {
            break;
        }
        let mut position = *state;
        path.clear();
        let returns = descend(game, &mut nodes, &mut path, &mut position, scale, rng);
        for &(node, edge) in &path {
            let gain = returns[nodes[node].player];
            scale = scale.max(gain.abs());
            nodes[node].visits += 1;
            nodes[node].edges[edge].visits += 1;
            nodes[node].edges[edge].total += gain;
        }
    }
    let best = nodes[0].edges.iter().max_by_key(|edge| (edge.visits, std::cmp::Reverse(edge.action)));
    best.map_or_else(|| only.nth(0).expect("a player to act has an action"), |edge| edge.action)
}

/// One simulation: down the tree, one node more, and a random game from there. The returns at its end.
fn descend<G: Game>(
    game: &G,
    nodes: &mut Vec<Node<G::State>>,
    path: &mut Vec<(usize, usize)>,
    position: &mut G::State,
    scale: f64,
    rng: &mut Stream,
) -> PerPlayer<f64> {
    let mut at = 0;
    loop {
        let edge = choose(&mut nodes[at], scale, rng);
        path.push((at, edge));
        game.apply(position, nodes[at].edges[edge].action, &mut ());
        let turn = settle(game, position, rng, &mut ());
        let Turn::Player(player) = turn else {
            return game.returns(position);
        };
        let mut known = nodes[at].edges[edge].children.iter();
        if let Some(&child) = known.find(|&&child| nodes[child].state == *position) {
            at = child;
            continue;
        }
        let child = nodes.len();
        nodes.push(Node::new(game, position, player));
        nodes[at].edges[edge].children.push(child);
        random_playout(game, position, rng);
        return game.returns(position);
    }
}

/// The index of an untried action's new edge, or of the edge with the best upper bound.
fn choose<S>(node: &mut Node<S>, scale: f64, rng: &mut Stream) -> usize {
    if !node.untried.is_empty() {
        let action = crate::agent::random(node.untried, rng);
        let [a, b, c] = *node.untried.words();
        let mut words = [a, b, c];
        words[action.index() >> 6] &= !(1 << (action.0 & 63));
        node.untried = ActionSet::from_words(words);
        node.edges.push(Edge { action, visits: 0, total: 0.0, children: Vec::new() });
        return node.edges.len() - 1;
    }
    let log = f64::from(node.visits.max(1)).ln();
    let bound = |edge: &Edge| {
        let visits = f64::from(edge.visits.max(1));
        edge.total / visits + EXPLORATION * scale * (log / visits).sqrt()
    };
    let mut best = 0;
    for index in 1..node.edges.len() {
        if bound(&node.edges[index]) > bound(&node.edges[best]) {
            best = index;
        }
    }
    best
}
