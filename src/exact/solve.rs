//! All tables of a game up to some number of pieces, or all of the layers before them, one after another into a folder. What
//! is there is not solved again.

use std::any::Any;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;

use super::file::write;
use super::pass;
use super::plan::plan;
use super::retrograde;
use super::strategy::{self, Strategy};
use super::verify::verify;
use super::{
    AnyLoaded, Checked, Effort, Fingerprint, Finished, Group, Header, Key, Loaded, Opening, Oracle, Pair,
    Solvable, Summary, layer_groups, make_folder, needed, no_tables, open,
};
use crate::base::error::Error;

/// What has just been done.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Event<'a> {
    /// These tables were there already.
    Found(&'a Group),
    /// They are being solved from now on.
    Begun(&'a Group),
    /// One of them has been written.
    Written {
        /// Its layer, if it is of one.
        #[serde(skip_serializing_if = "Option::is_none")]
        layer: Option<u16>,
        /// Its pair.
        pair: Pair,
        /// What it holds.
        summary: Summary,
        /// Its digest.
        digest: &'a str,
    },
    /// All of them are there, after so many seconds.
    Done {
        /// The tables.
        #[serde(flatten)]
        group: &'a Group,
        /// How long it took.
        seconds: f64,
    },
}

/// Any rule book that has tables.
pub trait AnySolvable: Send + Sync {
    /// What its tables are of.
    fn fingerprint(&self) -> Fingerprint;

    /// What is to be solved for so many pieces on each side; in the layers before the tables where none are given.
    fn plan(&self, pieces: Option<(u8, u8)>) -> Vec<Group>;

    /// Solves everything of a plan that is not yet in the folder. `tell` hears of each step.
    ///
    /// # Errors
    /// When a table that layers lead to is missing, before anything is done; when there is no memory, thread or room on the
    /// disk for it, a file there is no sound table of these rules, or it was stopped.
    fn solve(
        &self,
        folder: &Path,
        pieces: Option<(u8, u8)>,
        effort: Effort<'_>,
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), Error>;

    /// Checks every table of a folder, or those of its layers, every so many'th position of each, and tells of each; not of
    /// a layer without the next. Gives whether all was right.
    ///
    /// # Errors
    /// When there is no table of a pair, one that others need is missing, or one cannot be read or is of other rules.
    fn verify(
        &self,
        folder: &Path,
        layers: bool,
        every: u64,
        effort: Effort<'_>,
        tell: &mut dyn FnMut(&Checked),
    ) -> Result<bool, Error>;

    /// What the tables of layers in a folder say of themselves, the first layer first.
    ///
    /// # Errors
    /// When a file is no sound table of these rules.
    fn layer_headers(&self, folder: &Path) -> Result<Vec<Header>, Error>;

    /// [`strategy::write`], from the tables of a folder, of which so many bytes are kept in memory.
    ///
    /// # Errors
    /// As there, and when a table cannot be read or has no turns.
    fn write_strategy(
        &self,
        tables: (&Path, u64),
        path: &Path,
        effort: Effort<'_>,
        tell: &mut dyn FnMut(usize, u64, u64),
    ) -> Result<Strategy, Error>;

    /// [`strategy::Stored::verify`].
    ///
    /// # Errors
    /// As there.
    fn verify_strategy(
        &self,
        strategy: &strategy::Stored,
        effort: Effort<'_>,
        tell: &mut dyn FnMut(usize, u64),
    ) -> Result<Strategy, Error>;

    /// [`Loaded::open`].
    fn load(&self, folder: &Path, opening: Opening) -> Result<Box<dyn AnyLoaded>, Error>;

    /// The same for a search, an `Arc<dyn Oracle<G>>` of this game; it fails where a table has no turns, too.
    fn oracle(&self, folder: &Path, opening: Opening) -> Result<Box<dyn Any>, Error>;
}

impl<G: Solvable> AnySolvable for G {
    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(self, None)
    }

    fn plan(&self, pieces: Option<(u8, u8)>) -> Vec<Group> {
        plan(self, pieces)
    }

    fn solve(
        &self,
        folder: &Path,
        pieces: Option<(u8, u8)>,
        effort: Effort<'_>,
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), Error> {
        let groups = self.plan(pieces);
        match pieces {
            Some(_) => make_folder(folder)?,
            None => {
                let of_pairs = groups.iter().flat_map(|group| &group.needs).filter(|key| key.0.is_none());
                of_pairs.into_iter().try_for_each(|&key| needed(folder, self, key).map(drop))?;
            }
        }
        let tables = self.tables(pieces.map_or(0, |(own, other)| own.max(other)));
        let layers = pieces.is_none().then(|| self.layers(u16::MAX));
        // What was solved or read last.
        let mut held: Vec<(Key, Finished)> = Vec::new();
        for group in &groups {
            let mut there = true;
            for key in group.keys() {
                there &= open(folder, self, key)?.is_some();
            }
            if there {
                tell(Event::Found(group));
                continue;
            }
            tell(Event::Begun(group));
            let began = Instant::now();
            held.retain(|(key, _)| group.needs.contains(key));
            for &key in &group.needs {
                if !held.iter().any(|(known, _)| *known == key) {
                    held.push((key, needed(folder, self, key)?.read(effort.threads)?));
                }
            }
            let known = |key: Key| held.iter().find(|(known, _)| *known == key).map(|(_, table)| table);
            let pair = group.pairs[0];
            let solved = match (&layers, group.layer) {
                (Some(layers), Some(layer)) => vec![pass::solve(layers, (layer, pair), known, effort)?],
                _ => {
                    let solved = retrograde::solve(&tables, pair, |pair| known((None, pair)), effort)?;
                    solved.into_iter().map(|table| (Summary::of(&tables, &table), table)).collect()
                }
            };
            for (summary, table) in solved {
                let (layer, pair) = (group.layer, table.pair);
                let header = write(folder, Fingerprint::of(self, layer), &table, summary, effort.threads)?;
                tell(Event::Written { layer, pair, summary, digest: &header.digest });
                // Pairs need less memory without what was solved before.
                match layer {
                    Some(_) => held.push(((layer, pair), table)),
                    None => held.clear(),
                }
            }
            tell(Event::Done { group, seconds: began.elapsed().as_secs_f64() });
        }
        Ok(())
    }

    fn verify(
        &self,
        folder: &Path,
        layers: bool,
        every: u64,
        effort: Effort<'_>,
        tell: &mut dyn FnMut(&Checked),
    ) -> Result<bool, Error> {
        let (mut right, mut any) = (true, layers);
        let most = self.pieces().1;
        let groups = plan(self, (!layers).then_some((most, most)));
        let (tables, layers) = (self.tables(most), layers.then(|| self.layers(u16::MAX)));
        for group in groups {
            let mut known: Vec<(Key, Finished)> = Vec::new();
            for key in group.keys() {
                if let Some(stored) = open(folder, self, key)? {
                    known.push((key, stored.read(effort.threads)?));
                }
            }
            let due = known.len();
            if due == 0 {
                continue;
            }
            any = true;
            let mut there = true;
            for &key in &group.needs {
                there &= key.0.is_none() || open(folder, self, key)?.is_some();
            }
            // The first turns may be there without those after them, which alone say what the last of them is worth.
            if !there {
                continue;
            }
            for &key in &group.needs {
                known.push((key, needed(folder, self, key)?.read(effort.threads)?));
            }
            let solved = |key: Key| known.iter().find(|(known, _)| *known == key).map(|(_, table)| table);
            for (_, table) in &known[..due] {
                let checked = verify(
                    self,
                    (&tables, layers.as_ref()),
                    (group.layer, table),
                    solved,
                    (0, every),
                    effort,
                )?;
                right &= checked.wrong == 0;
                tell(&checked);
            }
        }
        if any { Ok(right) } else { Err(no_tables(folder, G::NAME)) }
    }

    fn layer_headers(&self, folder: &Path) -> Result<Vec<Header>, Error> {
        let mut all = Vec::new();
        for key in layer_groups(self).iter().rev().flat_map(Group::keys) {
            all.extend(open(folder, self, key)?.map(|stored| stored.header().clone()));
        }
        Ok(all)
    }

    fn write_strategy(
        &self,
        (folder, room): (&Path, u64),
        path: &Path,
        effort: Effort<'_>,
        tell: &mut dyn FnMut(usize, u64, u64),
    ) -> Result<Strategy, Error> {
        let opening = Opening { check: false, room, threads: effort.threads, pass_over: false };
        let loaded = Loaded::open(folder, self, opening)?.with_turns("a strategy")?;
        strategy::write(self, &loaded, path, effort, tell)
    }

    fn verify_strategy(
        &self,
        strategy: &strategy::Stored,
        effort: Effort<'_>,
        tell: &mut dyn FnMut(usize, u64),
    ) -> Result<Strategy, Error> {
        strategy.verify(self, effort, tell)
    }

    fn load(&self, folder: &Path, opening: Opening) -> Result<Box<dyn AnyLoaded>, Error> {
        Ok(Box::new(Loaded::open(folder, self, opening)?))
    }

    fn oracle(&self, folder: &Path, opening: Opening) -> Result<Box<dyn Any>, Error> {
        let loaded = Loaded::open(folder, self, opening)?.with_turns("an agent")?;
        Ok(Box::new(Arc::new(loaded) as Arc<dyn Oracle<G>>))
    }
}
