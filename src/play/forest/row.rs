//! One of the positions, and the simulation under way in its tree.

use std::hash::Hash;

use super::ForestConfig;
use super::judging::{for_all, judge};
use crate::agents::tree::{Arrival, ChanceStep, Followed, Rule, Step, Tree};
use crate::agents::turns::TurnEnds;
use crate::agents::{Evaluator, Stream, mcts};
use crate::base::Control;
use crate::rules::{Action, FullGame, MAX_ACTIONS};

/// The stage of the simulation of a row.
enum Stage {
    /// None is under way.
    Idle,
    /// Before a node.
    Before(u32),
    /// At a node that was evaluated and is not proven.
    At(u32),
    /// At the position in `leaf` after chance, not yet looked up in the tree.
    After(ChanceStep),
    /// The same, where the tree very likely has it.
    Likely(ChanceStep),
}

/// One position and its tree.
pub(super) struct Row<S> {
    /// `None` where there is nothing to search, since no player is to act.
    pub(super) tree: Option<Tree<S>>,
    rng: Stream,
    pub(super) path: Vec<Step>,
    /// The number of simulations left.
    left: u32,
    stage: Stage,
    /// The node that waits for an evaluation.
    pub(super) waits: Option<u32>,
    /// Its position; while a simulation is under way, the one that chance has led to.
    pub(super) leaf: S,
    /// Its index in the round.
    pub(super) asked: usize,
    /// An action whose logit was not finite.
    pub(super) wrong: Option<Action>,
}

impl<S: Copy + Eq + Hash> Row<S> {
    /// A row of which nothing is searched yet.
    pub(super) fn new(tree: Option<Tree<S>>, rng: Stream, position: S, simulations: u32) -> Self {
        Row {
            tree,
            rng,
            path: Vec::new(),
            left: simulations,
            stage: Stage::Idle,
            waits: None,
            leaf: position,
            asked: 0,
            wrong: None,
        }
    }

    /// Takes a step, and prefetches what the next one needs; false if there is none.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn step<G>(
        &mut self,
        game: &G,
        config: &ForestConfig,
        control: &Control,
        turns: &mut TurnEnds<S>,
    ) -> bool
    where
        G: FullGame<State = S>,
    {
        let Some(tree) = &mut self.tree else { return false };
        let met = match std::mem::replace(&mut self.stage, Stage::Idle) {
            Stage::Idle => {
                if self.waits.is_some() || self.left == 0 || tree.proof(0).is_some() {
                    return false;
                }
                // Something has to be known of the root, however little time there is.
                if tree.is_evaluated(0) {
                    if control.is_cancelled() {
                        return false;
                    }
                    self.left -= 1;
                }
                self.path.clear();
                tree.node_soon(0);
                Arrival::Known(0)
            }
            Stage::Before(at) => match tree.proof(at) {
                Some(proof) => Arrival::Proven(*proof),
                None if tree.is_evaluated(at) => {
                    tree.edges_soon(at);
                    self.stage = Stage::At(at);
                    return true;
                }
                None => Arrival::New(at),
            },
            Stage::At(at) => {
                tree.expand_evaluated(game, at);
                let rule = Rule::Priors { exploration: config.exploration };
                let edge = tree.choose(at, rule, &mut self.rng);
                match tree.lead(game, at, edge, &mut self.path, &mut self.rng) {
                    Followed::Clear(met) => met,
                    Followed::To(child) => {
                        tree.node_soon(child);
                        Arrival::Known(child)
                    }
                    Followed::Chance(chanced, position) => {
                        tree.link_soon(chanced);
                        (self.stage, self.leaf) = (Stage::After(chanced), position);
                        return true;
                    }
                }
            }
            Stage::After(chanced) if tree.child_soon(chanced) => {
                self.stage = Stage::Likely(chanced);
                return true;
            }
            Stage::After(chanced) | Stage::Likely(chanced) => tree.arrive(chanced, &self.leaf),
        };
        let at = match met {
            Arrival::Over(returns) | Arrival::Proven(returns) => {
                tree.backpropagate(&self.path, &returns, true);
                return true;
            }
            Arrival::Known(child) => {
                self.stage = Stage::Before(child);
                return true;
            }
            Arrival::New(child) => child,
        };
        let Some(evaluator) = &config.evaluator else {
            (self.waits, self.leaf) = (Some(at), *tree.state(at));
            return false;
        };
        let (state, player) = (tree.state(at), tree.player(at));
        let mut logits = [0.0; MAX_ACTIONS];
        let (returns, logits) = match evaluator {
            Evaluator::Network(named) if named.net().logits() > 0 => {
                let legal = game.legal_actions(state);
                let mut found = [0.0; MAX_ACTIONS];
                let values = named.net().decide(game, state, player, legal, &mut found[..legal.len()]);
                for (action, logit) in legal.into_iter().zip(found) {
                    logits[action.index()] = logit;
                }
                (values.expect("a network with values"), config.priors.then_some((legal, &logits[..])))
            }
            _ => (mcts::evaluate(game, state, evaluator, &mut self.rng, turns), None),
        };
        judge(game, tree, at, returns[player], logits, config, &mut self.rng);
        tree.backpropagate(&self.path, &returns, false);
        true
    }

    /// Takes the evaluation of the position that waits.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn learn<G>(&mut self, game: &G, config: &ForestConfig, values: &[f32], logits: Option<&[f32]>)
    where
        G: FullGame<State = S>,
    {
        let (Some(tree), Some(node)) = (&mut self.tree, self.waits.take()) else { return };
        let returns = for_all(game, tree.player(node), values);
        let logits = logits.map(|logits| (game.legal_actions(&self.leaf), logits));
        if let Some((legal, logits)) = logits {
            // Logits of actions that are not legal are ignored.
            self.wrong = legal.iter().find(|action| !logits[action.index()].is_finite());
            if self.wrong.is_some() {
                return;
            }
        }
        judge(game, tree, node, returns[tree.player(node)], logits, config, &mut self.rng);
        tree.backpropagate(&self.path, &returns, false);
    }
}
