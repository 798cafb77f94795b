//! One of the positions, and where the simulation stands that its tree makes.

use std::hash::Hash;

use super::ForestConfig;
use super::judging::{for_all, judge};
use crate::agents::mcts;
use crate::agents::rng::Stream;
use crate::agents::tree::{Chanced, Led, Met, Rule, Step, Tree};
use crate::agents::turns::Turns;
use crate::base::control::Control;
use crate::rules::action::Action;
use crate::rules::game::FullGame;

/// Where the simulation of a row stands.
enum Stands {
    /// None is under way.
    Nowhere,
    /// Before a node, of which nothing was looked at.
    Before(u32),
    /// At a node that was judged and is not proven.
    At(u32),
    /// At the position in `leaf`, to which chance has led; whether the tree has it was not looked up.
    After(Chanced),
    /// The same, where the tree very likely has it.
    Likely(Chanced),
}

/// One position and its tree.
pub(super) struct Row<S> {
    /// `None` where there is nothing to search: it is nobody's turn.
    pub(super) tree: Option<Tree<S>>,
    rng: Stream,
    pub(super) path: Vec<Step>,
    /// How many simulations are to come.
    left: u32,
    stands: Stands,
    /// The node that is to be judged.
    pub(super) waits: Option<u32>,
    /// Its position; while a simulation is under way, the one that chance has led to.
    pub(super) leaf: S,
    /// Its number in the round.
    pub(super) asked: usize,
    /// An action of which the logit was no number.
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
            stands: Stands::Nowhere,
            waits: None,
            leaf: position,
            asked: 0,
            wrong: None,
        }
    }

    /// Goes a step on, and has fetched what the next one needs; whether there is a next one.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn step<G>(
        &mut self,
        game: &G,
        config: &ForestConfig,
        control: &Control,
        turns: &mut Turns<S>,
    ) -> bool
    where
        G: FullGame<State = S>,
    {
        let Some(tree) = &mut self.tree else { return false };
        let met = match std::mem::replace(&mut self.stands, Stands::Nowhere) {
            Stands::Nowhere => {
                if self.waits.is_some() || self.left == 0 || tree.proof(0).is_some() {
                    return false;
                }
                // Something has to be known of the root, however little time there is.
                if tree.is_judged(0) {
                    if control.is_cancelled() {
                        return false;
                    }
                    self.left -= 1;
                }
                self.path.clear();
                tree.node_soon(0);
                Met::Known(0)
            }
            Stands::Before(at) => match tree.proof(at) {
                Some(proof) => Met::Proven(*proof),
                None if tree.is_judged(at) => {
                    tree.edges_soon(at);
                    self.stands = Stands::At(at);
                    return true;
                }
                None => Met::New(at),
            },
            Stands::At(at) => {
                tree.open_judged(game, at);
                let rule = Rule::Priors { exploration: config.exploration };
                let edge = tree.choose(at, rule, &mut self.rng);
                match tree.lead(game, at, edge, &mut self.path, &mut self.rng) {
                    Led::Clear(met) => met,
                    Led::To(child) => {
                        tree.node_soon(child);
                        Met::Known(child)
                    }
                    Led::ByChance(chanced, position) => {
                        tree.link_soon(chanced);
                        (self.stands, self.leaf) = (Stands::After(chanced), position);
                        return true;
                    }
                }
            }
            Stands::After(chanced) if tree.child_soon(chanced) => {
                self.stands = Stands::Likely(chanced);
                return true;
            }
            Stands::After(chanced) | Stands::Likely(chanced) => tree.arrive(chanced, &self.leaf),
        };
        let at = match met {
            Met::Over(returns) | Met::Proven(returns) => {
                tree.learn(&self.path, &returns, true);
                return true;
            }
            Met::Known(child) => {
                self.stands = Stands::Before(child);
                return true;
            }
            Met::New(child) => child,
        };
        let Some(evaluator) = &config.evaluator else {
            (self.waits, self.leaf) = (Some(at), *tree.state(at));
            return false;
        };
        let returns = mcts::evaluate(game, tree.state(at), evaluator, &mut self.rng, turns);
        judge(game, tree, at, returns[tree.player(at)], None, config, &mut self.rng);
        tree.learn(&self.path, &returns, false);
        true
    }

    /// Learns what was said of the position that waits.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn learn<G>(&mut self, game: &G, config: &ForestConfig, values: &[f32], logits: Option<&[f32]>)
    where
        G: FullGame<State = S>,
    {
        let (Some(tree), Some(node)) = (&mut self.tree, self.waits.take()) else { return };
        let returns = for_all(game, tree.player(node), values);
        let logits = logits.map(|logits| (game.legal_actions(&self.leaf), logits));
        if let Some((legal, logits)) = logits {
            // What is said of an action that is not legal is not looked at.
            self.wrong = legal.iter().find(|action| !logits[action.index()].is_finite());
            if self.wrong.is_some() {
                return;
            }
        }
        judge(game, tree, node, returns[tree.player(node)], logits, config, &mut self.rng);
        tree.learn(&self.path, &returns, false);
    }
}
