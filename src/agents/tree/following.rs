//! How a simulation follows an edge.

use std::hash::Hash;

use super::{Step, Tree, links};
use crate::agents::{Stream, settle};
use crate::rules::{Game, PerPlayer, Player, Turn};

/// Where an action leads, before the tree looks up the node.
pub(crate) enum Followed<S> {
    /// Nothing to look up.
    Clear(Arrival),
    /// To a known node, which may be proven.
    To(u32),
    /// By chance to a position where this player chooses.
    Chance(ChanceStep, S),
}

/// A position that chance has led to.
#[derive(Clone, Copy)]
pub(crate) struct ChanceStep {
    edge: u32,
    player: Player,
    /// [`links::hash`].
    hash: u32,
}

/// Where a simulation is after following an edge.
pub(crate) enum Arrival {
    /// The game is over: what each player gets.
    Over(PerPlayer<f64>),
    /// It is proven what each player gets.
    Proven(PerPlayer<f64>),
    /// At a known node.
    Known(u32),
    /// At a new node.
    New(u32),
}

impl<S: Copy + Eq + Hash> Tree<S> {
    /// Plays the action of an edge, and chance after it, and notes the step.
    #[cfg_attr(fast, inline(always))]
    pub(crate) fn follow<G: Game<State = S>>(
        &mut self,
        game: &G,
        node: u32,
        edge: u32,
        path: &mut Vec<Step>,
        rng: &mut Stream,
    ) -> Arrival {
        match self.lead(game, node, edge, path, rng) {
            Followed::Clear(met) => met,
            Followed::To(child) => self.met(child),
            Followed::Chance(chanced, position) => self.arrive(chanced, &position),
        }
    }

    /// The first half of [`Tree::follow`], up to the position that chance has led to. The second half is [`Tree::arrive`],
    /// which reads memory that [`Tree::link_soon`] and [`Tree::child_soon`] fetch.
    #[cfg_attr(fast, inline(always))]
    pub(crate) fn lead<G: Game<State = S>>(
        &mut self,
        game: &G,
        node: u32,
        edge: u32,
        path: &mut Vec<Step>,
        rng: &mut Stream,
    ) -> Followed<S> {
        let taken = self.edges[edge as usize];
        if let Some(proof) = self.proof_of(&taken) {
            let proof = *proof;
            path.push(Step { node, edge, certain: false });
            return Followed::Clear(Arrival::Proven(proof));
        }
        if let Some(child) = taken.only_child() {
            path.push(Step { node, edge, certain: true });
            return Followed::To(child);
        }
        let mut position = *self.state(node);
        game.apply(&mut position, taken.action, &mut ());
        let certain = game.turn(&position) != Turn::Chance;
        path.push(Step { node, edge, certain });
        let Turn::Player(player) = settle(game, &mut position, rng, &mut ()) else {
            return Followed::Clear(Arrival::Over(game.returns(&position)));
        };
        if certain {
            // The first time: from now on the edge has its child.
            let node = self.add(&position, player);
            self.edges[edge as usize].child = node;
            return Followed::Clear(Arrival::New(node));
        }
        let hash = links::hash(edge, &position);
        Followed::Chance(ChanceStep { edge, player, hash }, position)
    }

    /// Prefetches the link to this position.
    #[cfg_attr(fast, inline(always))]
    pub(crate) fn link_soon(&self, ChanceStep { hash, .. }: ChanceStep) {
        self.links.soon(hash);
    }

    /// Prefetches the node that very likely has this position; false if there is none.
    #[cfg_attr(fast, inline(always))]
    pub(crate) fn child_soon(&self, ChanceStep { edge, hash, .. }: ChanceStep) -> bool {
        let child = self.links.find(edge, hash, |_| true);
        child.inspect(|&child| self.node_soon(child)).is_some()
    }

    /// The node of a position that chance has led to.
    #[cfg_attr(fast, inline(always))]
    pub(crate) fn arrive(&mut self, ChanceStep { edge, player, hash }: ChanceStep, position: &S) -> Arrival {
        if let Some(child) = self.links.find(edge, hash, |node| self.state(node) == position) {
            return self.met(child);
        }
        let node = self.add(position, player);
        self.links.add(edge, hash, node);
        Arrival::New(node)
    }

    /// Arrival at a known node.
    #[cfg_attr(fast, inline(always))]
    fn met(&self, node: u32) -> Arrival {
        match self.proof(node) {
            Some(proof) => Arrival::Proven(*proof),
            None => Arrival::Known(node),
        }
    }
}
