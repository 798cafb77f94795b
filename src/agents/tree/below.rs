//! The subtree of a later position.

use std::hash::Hash;

use super::{Edge, NONE, Node, Tree, links, push};

impl<S: Copy + Eq + Hash> Tree<S> {
    /// How often simulations have come through a node.
    pub(crate) fn visits(&self, node: u32) -> u32 {
        self.nodes[node as usize].visits
    }

    /// The part of a tree that begins in this position, with all that was learnt and proven there, as a tree of its own.
    /// Of several nodes with that position, the one visited most. Its [`Tree::mean`] is not known. `None` where no
    /// simulation went on from there.
    ///
    /// A tree that was judged ([`Tree::evaluate`]) cannot be cut: its logits would be lost.
    pub(crate) fn below(&self, state: &S) -> Option<Tree<S>> {
        debug_assert!(self.logits.is_empty(), "a tree without logits");
        let met = (0..self.nodes.len() as u32).filter(|&node| self.state(node) == state);
        let root = met.filter(|&node| self.visits(node) > 0).max_by_key(|&node| self.visits(node))?;
        let mut tree = Tree::new(state, self.player(root), self.sums.as_slice().len(), self.most);
        tree.scale = self.scale;
        let links = self.links.all();
        // The number that each node and proof had, by the number that it has now, and the other way round.
        let (mut old, mut proofs) = (vec![root], vec![NONE; self.proofs.len()]);
        let mut at = 0;
        while let Some(&from) = old.get(at) {
            let first = tree.edges.len() as u32;
            let from_first = self.nodes[from as usize].edges;
            for (edge, number) in self.edges(from).iter().zip(from_first..) {
                let mut copied = Edge { child: NONE, ..*edge };
                copied.proof = tree.copy_proof(self, edge.proof, &mut proofs);
                if let Some(child) = edge.only_child() {
                    copied.child = tree.copy_node(self, child, &mut old);
                }
                let to = push(&mut tree.edges, copied);
                let begin = links.partition_point(|&(edge, _)| edge < number);
                for &(_, child) in links[begin..].iter().take_while(|&&(edge, _)| edge == number) {
                    let node = tree.copy_node(self, child, &mut old);
                    tree.links.add(to, links::hash(to, self.state(child)), node);
                }
            }
            let proof = tree.copy_proof(self, self.nodes[from as usize].proof, &mut proofs);
            let edges = if self.is_expanded(from) { first } else { 0 };
            tree.nodes[at] = Node { edges, proof, ..self.nodes[from as usize] };
            at += 1;
        }
        Some(tree)
    }

    /// Gives a node of another tree an index in this one, where it is filled in later.
    fn copy_node(&mut self, from: &Tree<S>, node: u32, old: &mut Vec<u32>) -> u32 {
        old.push(node);
        self.add(from.state(node), from.player(node))
    }

    /// Copies a proof of another tree, once, and returns its index; [`NONE`] for none.
    fn copy_proof(&mut self, from: &Tree<S>, proof: u32, known: &mut [u32]) -> u32 {
        let Some(known) = known.get_mut(proof as usize) else { return NONE };
        if *known == NONE {
            *known = push(&mut self.proofs, from.proofs[proof as usize]);
        }
        *known
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::agents::mcts::{Priors, SearchTree, Settings, grow, search};
    use crate::agents::playout::settle;
    use crate::agents::random::random;
    use crate::agents::rng::Stream;
    use crate::base::control::Control;
    use crate::games::{shah, sho, shuanglu};
    use crate::rules::{Evaluate, Game, Heuristic, Turn};

    /// All that a node knows, the nodes below it included, in an order that does not hang on their numbers.
    fn told<S: Copy + Eq + Hash + std::fmt::Debug>(tree: &Tree<S>, node: u32, all: &mut Vec<String>) {
        let known = &tree.nodes[node as usize];
        all.push(format!(
            "{:?} {:?} {} {:x} {} {} {} {:?}",
            tree.state(node),
            known.player,
            known.visits,
            known.harmonic.to_bits(),
            known.num_edges,
            known.tried,
            known.proven,
            tree.proof(node),
        ));
        let links = tree.links.all();
        for (edge, number) in tree.edges(node).iter().zip(known.edges..) {
            let (visits, total) = (edge.visits, edge.total.to_bits());
            all.push(format!(
                "{:?} {} {visits} {total:x} {:?}",
                edge.action,
                edge.prior,
                tree.proof_of(edge)
            ));
            let by_chance = links.iter().filter(|link| link.0 == number).map(|link| link.1);
            let mut children: Vec<u32> = edge.only_child().into_iter().chain(by_chance).collect();
            children.sort_by_key(|&child| (tree.visits(child), format!("{:?}", tree.state(child))));
            all.push(format!("{} children", children.len()));
            children.into_iter().for_each(|child| told(tree, child, all));
        }
    }

    /// Cuts trees at what was met in them, and compares the parts with what they were.
    fn cuts_are_whole<G: Heuristic + Evaluate>(game: &G, settings: &Settings) {
        let (mut dice, mut cuts, mut proven) = (Stream::new(5, 0), 0, 0);
        for _ in 0..40 {
            let mut state = game.initial_state();
            for _ in 0..dice.below(60) {
                let Turn::Player(_) = settle(game, &mut state, &mut dice, &mut ()) else { break };
                let action = random(game.legal_actions(&state), &mut dice);
                game.apply(&mut state, action, &mut ());
            }
            let Turn::Player(_) = settle(game, &mut state, &mut dice, &mut ()) else { continue };
            let tree = grow(game, &state, settings, &mut dice, &Control::default(), None);
            // The same position may have been met on several ways: that which was gone most often counts.
            let mut most = HashMap::new();
            for node in 0..tree.nodes.len() as u32 {
                let visits: &mut u32 = most.entry(*tree.state(node)).or_default();
                *visits = (*visits).max(tree.visits(node));
            }
            for (node, state) in (0..tree.nodes.len() as u32).map(|node| (node, *tree.state(node))) {
                let visits = tree.visits(node);
                if visits == 0 || visits < most[&state] {
                    assert!(most[&state] > 0 || tree.below(&state).is_none());
                    continue;
                }
                let below = tree.below(&state).unwrap();
                assert_eq!((below.scale, below.most, below.visits(0)), (tree.scale, tree.most, visits));
                let (mut was, mut is) = (Vec::new(), Vec::new());
                told(&tree, node, &mut was);
                told(&below, 0, &mut is);
                // Of two that were gone equally often either may be taken.
                let alone = (0..tree.nodes.len() as u32).all(|other| {
                    other == node || tree.visits(other) != visits || *tree.state(other) != state
                });
                assert!(!alone || was == is, "{was:#?}\n{is:#?}");
                let nodes = is.iter().filter(|line| line.ends_with("children")).count();
                assert_eq!(nodes, below.edges.len());
                cuts += 1;
                proven += u32::from(below.proof(0).is_some());
            }
        }
        assert!(cuts > 100, "{cuts}");
        // Games with dice end too far away for proofs.
        assert!(G::DICE || proven > 0);
    }

    #[test]
    fn what_is_left_of_a_tree_is_as_it_was() {
        let settings = Settings { priors: Priors::Greedy, reuse_tree: true, ..Settings::new(80) };
        cuts_are_whole(&sho::Sho::new(Default::default()).unwrap(), &settings);
        cuts_are_whole(&shuanglu::Shuanglu::new(Default::default()).unwrap(), &settings);
        let opening_removals = shah::OpeningRemovals::None;
        let short = shah::Rules { pieces: 3, opening_removals, max_turns: 12, ..Default::default() };
        cuts_are_whole(&shah::Shah::new(short).unwrap(), &settings);
    }

    /// A game in which both sides keep their trees: how many simulations a decision ended with, beyond its own.
    fn kept_in_a_game<G: Heuristic + Evaluate>(game: &G, settings: &Settings) -> Vec<u32> {
        let (mut dice, mut choices, control) = (Stream::new(6, 0), Stream::new(6, 1), Control::default());
        let mut state = game.initial_state();
        let mut kept: [Option<Box<SearchTree<G::State>>>; 4] = Default::default();
        let mut more = Vec::new();
        while let Turn::Player(player) = settle(game, &mut state, &mut dice, &mut ()) {
            let own = &mut kept[player.index()];
            let action = search(game, &state, settings, &mut choices, &control, own);
            if game.legal_actions(&state).len() > 1 {
                let tree = &own.as_ref().unwrap().tree;
                assert_eq!(tree.state(0), &state);
                if tree.proof(0).is_none() {
                    // A win that is looked for and proven counts as one more.
                    assert!(tree.visits(0) <= 2 * settings.simulations + 1);
                    more.push(tree.visits(0) - settings.simulations);
                }
            }
            game.apply(&mut state, action, &mut ());
        }
        more
    }

    #[test]
    fn a_game_goes_on_with_what_its_seats_have_found_out() {
        let settings = Settings { reuse_tree: true, ..Settings::new(60) };
        let mean = |more: Vec<u32>| more.iter().sum::<u32>() / more.len() as u32;
        assert!(mean(kept_in_a_game(&shah::Shah::new(Default::default()).unwrap(), &settings)) > 0);
        assert!(mean(kept_in_a_game(&sho::Sho::new(Default::default()).unwrap(), &settings)) > 0);
        // A tree of other settings, or of another game, is no use.
        let game = shah::Shah::new(Default::default()).unwrap();
        let (mut rng, control, mut kept) = (Stream::new(1, 1), Control::default(), None);
        let state = game.initial_state();
        let Turn::Player(_) = settle(&game, &mut state.clone(), &mut rng, &mut ()) else {
            panic!("a decision")
        };
        for simulations in [60, 61] {
            let other = Settings { simulations, ..settings.clone() };
            search(&game, &state, &other, &mut rng, &control, &mut kept);
            assert_eq!(kept.as_ref().unwrap().tree.visits(0), simulations);
        }
        let other = Settings { reuse_tree: false, ..settings };
        search(&game, &state, &other, &mut rng, &control, &mut kept);
        assert!(kept.is_none());
    }
}
