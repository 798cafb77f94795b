//! All tables of a game up to some number of pieces, or all of the layers before them, one after another into a folder. What
//! is there is not solved again.

use std::any::Any;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;

use super::file::{Stored, make_folder, write};
use super::finished::Finished;
use super::header::{Fingerprint, Header};
use super::loaded::{AnyLoaded, Loaded, Opening, Oracle};
use super::pass;
use super::retrograde::{self, Effort, memory_for};
use super::solvable::{Key, Layers, Pair, Solvable, Tables};
use super::summary::Summary;
use super::verify::{Checked, verify_folder};
use crate::base::error::Error;

/// What is solved together: a pair and the turned one, or the table of a layer; and what it needs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Group {
    /// How many turns have passed, in a layer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<u16>,
    /// One pair, or two.
    pub pairs: Vec<Pair>,
    /// The tables that captures lead to, or all turns from a layer.
    #[serde(skip)]
    pub needs: Vec<Key>,
    /// How many places its tables have together.
    pub places: u64,
    /// About how many bytes of memory they take while they are solved.
    pub memory: u64,
}

impl Group {
    /// Its tables.
    pub fn keys(&self) -> impl Iterator<Item = Key> {
        self.pairs.iter().map(|&pair| (self.layer, pair))
    }
}

/// How many places the table of a pair has.
pub fn places<T: Tables>(tables: &T, pair: Pair) -> u64 {
    tables.rows(pair) as u64 * tables.columns(pair) as u64
}

/// What is to be solved for all positions with at most so many pieces on each side, in an order in which nothing needs what
/// comes after it. Seats are not told apart: what has at most 4 against 3 also has at most 3 against 4.
///
/// ```
/// use sarai::exact::solvable::Solvable;
/// use sarai::exact::solve::groups;
/// use sarai::games::shah::{Rules, Shah};
/// use sarai::Game;
/// let tables = Shah::new(Rules::default())?.tables(4);
/// let all = groups(&tables, (4, 4));
/// let names: Vec<String> = all.iter().map(|group| group.pairs[0].to_string()).collect();
/// assert_eq!(names, ["3-3", "3-4", "4-4"]);
/// assert_eq!(all[2].needs[0].1.to_string(), "3-4");
/// # Ok::<(), sarai::Error>(())
/// ```
pub fn groups<T: Tables>(tables: &T, (more, fewer): (u8, u8)) -> Vec<Group> {
    let (more, fewer) = (more.max(fewer), more.min(fewer));
    let (least, most) = tables.reach();
    let mut groups = Vec::new();
    for total in 2 * least..=2 * most {
        for own in least..=fewer.min(most) {
            let other = total.saturating_sub(own);
            if other < own || other > more.min(most) {
                continue;
            }
            let pair = Pair { own, other };
            let pairs = if own == other { vec![pair] } else { vec![pair, pair.turned()] };
            let captured = pairs.iter().map(|pair| Pair { own: pair.other - 1, other: pair.own });
            let needs: Vec<Pair> = captured.filter(|&pair| tables.covers(pair)).collect();
            let all = |pairs: &[Pair]| pairs.iter().map(|&pair| places(tables, pair)).sum::<u64>();
            // Palettes of more than 256 take two bytes a place, so that this is seldom reached.
            let memory = memory_for(tables, pair) + 2 * places(tables, pair) + 2 * all(&needs);
            let needs = needs.into_iter().map(|pair| (None, pair)).collect();
            groups.push(Group { layer: None, places: all(&pairs), pairs, needs, memory });
        }
    }
    groups
}

/// What is to be solved in the layers before the tables: the last layer first.
///
/// ```
/// use sarai::exact::solve::layer_groups;
/// use sarai::games::shah::{Rules, Shah};
/// use sarai::Game;
/// let all = layer_groups(&Shah::new(Rules::default())?);
/// // Twenty-four placements and two removals.
/// assert_eq!((all.len(), all[0].layer, all[25].layer), (26, Some(25), Some(0)));
/// assert_eq!(all[25].places, 2);
/// # Ok::<(), sarai::Error>(())
/// ```
pub fn layer_groups<G: Solvable>(game: &G) -> Vec<Group> {
    let (layers, tables) = (game.layers(), game.tables(u8::MAX));
    let size = |(layer, pair): Key| match layer {
        Some(layer) => layers.rows(layer, pair) as u64 * layers.columns(layer, pair) as u64,
        None => places(&tables, pair),
    };
    let mut all = Vec::new();
    for layer in (0..layers.count()).rev() {
        for &pair in layers.pairs(layer) {
            let mut needs: Vec<Key> = Vec::new();
            for target in layers.targets(layer, pair).into_iter().flatten() {
                if !needs.contains(&target) {
                    needs.push(target);
                }
            }
            let places = size((Some(layer), pair));
            let memory = 2 * (places + needs.iter().map(|&key| size(key)).sum::<u64>());
            all.push(Group { layer: Some(layer), pairs: vec![pair], needs, places, memory });
        }
    }
    all
}

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

/// The table of a key in a folder, if it is there.
pub(super) fn open<G: Solvable>(
    folder: &Path,
    game: &G,
    (layer, pair): Key,
) -> Result<Option<Stored>, Error> {
    let fingerprint = Fingerprint::of(game, layer);
    let path = fingerprint.path_in(folder, pair);
    path.exists().then(|| Stored::open(&path, &fingerprint, pair)).transpose()
}

/// The same, which others need.
pub(super) fn needed<G: Solvable>(folder: &Path, game: &G, key: Key) -> Result<Stored, Error> {
    open(folder, game, key)?.ok_or_else(|| {
        let after = key.0.map_or(String::new(), |layer| format!(" after {layer} turns"));
        Error::new(format!("{} does not hold the table {}{after}: solve it first", folder.display(), key.1))
    })
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

    /// Checks every table of a folder, or those of its layers, every so many'th position of each, and tells of each. Gives
    /// whether all was right.
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

    /// See [`Loaded::open`].
    ///
    /// # Errors
    /// As there.
    fn load(&self, folder: &Path, opening: Opening) -> Result<Box<dyn AnyLoaded>, Error>;

    /// The same for a search: an `Arc<dyn Oracle<G>>` of this game.
    ///
    /// # Errors
    /// As there, and where a table has no turns.
    fn oracle(&self, folder: &Path, opening: Opening) -> Result<Box<dyn Any>, Error>;
}

impl<G: Solvable> AnySolvable for G {
    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(self, None)
    }

    fn plan(&self, pieces: Option<(u8, u8)>) -> Vec<Group> {
        match pieces {
            Some((own, other)) => groups(&self.tables(own.max(other)), (own, other)),
            None => layer_groups(self),
        }
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
        let layers = pieces.is_none().then(|| self.layers());
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
        verify_folder(folder, self, layers, every, effort, tell)
    }

    fn layer_headers(&self, folder: &Path) -> Result<Vec<Header>, Error> {
        let mut all = Vec::new();
        for key in layer_groups(self).iter().rev().flat_map(Group::keys) {
            all.extend(open(folder, self, key)?.map(|stored| stored.header().clone()));
        }
        Ok(all)
    }

    fn load(&self, folder: &Path, opening: Opening) -> Result<Box<dyn AnyLoaded>, Error> {
        Ok(Box::new(Loaded::open(folder, self, opening)?))
    }

    fn oracle(&self, folder: &Path, opening: Opening) -> Result<Box<dyn Any>, Error> {
        let loaded = Loaded::open(folder, self, opening)?.with_turns("an agent")?;
        Ok(Box::new(Arc::new(loaded) as Arc<dyn Oracle<G>>))
    }
}
