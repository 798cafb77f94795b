//! What is to be solved, and in what order; and what of it is in a folder.

use std::path::Path;

use serde::Serialize;

use super::retrograde::memory_for;
use super::{Fingerprint, Key, Layers, Pair, Solvable, Stored, Tables};
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
/// use sarai::exact::plan::groups;
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
/// use sarai::exact::plan::layer_groups;
/// use sarai::games::shah::{Rules, Shah};
/// use sarai::Game;
/// let all = layer_groups(&Shah::new(Rules::default())?);
/// // Twenty-four placements and two removals.
/// assert_eq!((all.len(), all[0].layer, all[25].layer), (26, Some(25), Some(0)));
/// assert_eq!(all[25].places, 2);
/// # Ok::<(), sarai::Error>(())
/// ```
pub fn layer_groups<G: Solvable>(game: &G) -> Vec<Group> {
    let (layers, tables) = (game.layers(u16::MAX), game.tables(u8::MAX));
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

/// What is to be solved for so many pieces on each side; in the layers before the tables where none are given.
pub(super) fn plan<G: Solvable>(game: &G, pieces: Option<(u8, u8)>) -> Vec<Group> {
    match pieces {
        Some((own, other)) => groups(&game.tables(own.max(other)), (own, other)),
        None => layer_groups(game),
    }
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
