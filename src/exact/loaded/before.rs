//! The tables of the turns before those of the pairs, in use.

use std::path::Path;
use std::sync::OnceLock;

use super::super::blocks::Blocks;
use super::super::file::{Stored, fingerprint_of};
use super::super::header::{Fingerprint, has_layers};
use super::super::plan::{Group, layer_groups};
use super::Opening;
use crate::base::error::Error;
use crate::exact::solvable::{Key, Layers, Solvable};

/// Which of these tables there are.
pub(super) struct Before<G: Solvable> {
    /// Made when it is needed: most folders have none of them.
    layers: OnceLock<G::Layers>,
    /// The layer and pair of each table, in ascending order, with its number.
    numbers: Vec<(Key, usize)>,
    /// Why those that there are cannot be used.
    problem: Option<Error>,
}

impl<G: Solvable> Before<G> {
    /// Opens what there is in a folder; the first of the tables gets this number.
    ///
    /// Layers depend on more rules than the tables of pairs. Where they are of other ones, [`Before::problem`] says so: the
    /// tables of pairs can be used all the same.
    pub(super) fn open(
        folder: &Path,
        game: &G,
        opening: Opening,
        first: usize,
        blocks: &mut Blocks,
    ) -> Result<Self, Error> {
        let mut before = Before { layers: OnceLock::new(), numbers: Vec::new(), problem: None };
        if !has_layers::<G>(folder) {
            return Ok(before);
        }
        for (layer, pair) in layer_groups(game).iter().flat_map(Group::keys) {
            let due = Fingerprint::of(game, layer);
            let path = due.path_in(folder, pair);
            if !path.exists() {
                continue;
            }
            let stored = match Stored::open(&path, &due, pair) {
                Ok(stored) => stored,
                Err(error) => {
                    let own = fingerprint_of(&path)?;
                    if own == due {
                        return Err(error);
                    }
                    Stored::open(&path, &own, pair)?;
                    before.problem = Some(error);
                    break;
                }
            };
            if opening.check {
                stored.check(opening.threads)?;
            }
            before.numbers.push(((layer, pair), first + before.numbers.len()));
            blocks.push(stored)?;
        }
        before.numbers.sort_unstable();
        Ok(before)
    }

    /// How many tables there are.
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Fails where there are tables that cannot be used.
    pub(super) fn problem(&self) -> Result<(), Error> {
        self.problem.clone().map_or(Ok(()), Err)
    }

    /// Where a position stands: the number of its table, and the place in it; `None` where there is no such table.
    pub(super) fn stands(
        &self,
        game: &G,
        layer: u16,
        position: <G::Layers as Layers>::Position,
    ) -> Option<(usize, u64)> {
        if self.numbers.is_empty() {
            return None;
        }
        let layers = self.layers.get_or_init(|| game.layers());
        let (pair, place) = layers.place(layer, position);
        let at = self.numbers.binary_search_by_key(&(Some(layer), pair), |&(key, _)| key).ok()?;
        let columns = layers.columns(layer, pair) as u64;
        Some((self.numbers[at].1, place.row as u64 * columns + place.column as u64))
    }
}
