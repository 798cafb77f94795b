//! Layers of turns before the tables, by backward induction: the last first, each from the next, into the folder of the
//! tables. What is there is not solved again.

mod check;
mod pass;

use std::path::Path;
use std::time::{Duration, Instant};

pub use check::verify_layers;

use super::file::{Stored, write};
use super::finished::Finished;
use super::header::{Fingerprint, Header};
use super::retrograde::Effort;
use super::summary::Summary;
use crate::base::error::Error;
use crate::rules::layered::{Layered, Layers, Target};
use crate::rules::solvable::{Pair, Tables};

/// A table of a layer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stage {
    /// How many turns have passed.
    pub layer: u16,
    /// The pieces on the board of who acts, and of the other.
    pub pair: Pair,
    /// The tables that its turns lead to.
    pub needs: Vec<Target>,
    /// How many places it has.
    pub places: u64,
    /// The most bytes of memory that it takes while it is solved, with what it needs.
    pub memory: u64,
}

/// How many places a table has.
fn places<L: Layers>(layers: &L, layer: u16, pair: Pair) -> u64 {
    layers.rows(layer, pair) as u64 * layers.columns(layer, pair) as u64
}

/// What is to be solved, in an order in which nothing needs what comes after it: the last layer first.
///
/// ```
/// use sarai::exact::layers::stages;
/// use sarai::games::shah::{Rules, Shah};
/// use sarai::Game;
/// let all = stages(&Shah::new(Rules::default())?);
/// // Twenty-four placements and two removals.
/// assert_eq!((all.len(), all[0].layer, all[25].layer), (26, 25, 0));
/// assert_eq!(all[25].places, 2);
/// # Ok::<(), sarai::Error>(())
/// ```
pub fn stages<G: Layered>(game: &G) -> Vec<Stage> {
    let (layers, tables) = (game.layers(), game.tables(u8::MAX));
    let mut all = Vec::new();
    for layer in (0..layers.len()).rev() {
        for &pair in layers.pairs(layer) {
            let mut needs: Vec<Target> = Vec::new();
            for target in layers.targets(layer, pair).into_iter().flatten() {
                if !needs.contains(&target) {
                    needs.push(target);
                }
            }
            let led_to = needs.iter().map(|target| match *target {
                Target::Layer(pair) => places(&layers, layer + 1, pair),
                Target::Tables(pair) => tables.rows(pair) as u64 * tables.columns(pair) as u64,
            });
            let places = places(&layers, layer, pair);
            // Palettes of more than 256 take two bytes a place, so that this is seldom reached.
            let memory = 2 * (places + led_to.sum::<u64>());
            all.push(Stage { layer, pair, needs, places, memory });
        }
    }
    all
}

/// What has just been done.
#[derive(Debug)]
pub enum Event<'a> {
    /// This table was there already.
    Found(&'a Stage),
    /// It is being solved from now on.
    Begun(&'a Stage),
    /// It has been written, with this digest, after so long.
    Written(&'a Stage, &'a Summary, &'a str, Duration),
}

/// Where a table is, if it is there.
fn open<G: Layered>(folder: &Path, game: &G, layer: u16, target: Target) -> Result<Option<Stored>, Error> {
    let (fingerprint, pair) = match target {
        Target::Layer(pair) => (Fingerprint::of_layer(game, layer), pair),
        Target::Tables(pair) => (Fingerprint::of(game), pair),
    };
    let path = fingerprint.path_in(folder, pair);
    if path.exists() { Stored::open(&path, &fingerprint, pair).map(Some) } else { Ok(None) }
}

/// Reads a table that turns lead to.
fn read<G: Layered>(
    folder: &Path,
    game: &G,
    layer: u16,
    target: Target,
    threads: usize,
) -> Result<Finished, Error> {
    let missing = || {
        let name = match target {
            Target::Layer(pair) => format!("{pair} after {layer} turns"),
            Target::Tables(pair) => pair.to_string(),
        };
        Error::new(format!("{} does not hold the table {name}: solve it first", folder.display()))
    };
    open(folder, game, layer, target)?.ok_or_else(missing)?.read(threads)
}

/// Solves every layer that is not yet in the folder, from the tables there. `tell` hears of each step. Gives whether all of
/// it is there: it is not where it was stopped.
///
/// # Errors
/// When a table that the last layers lead to is missing, before anything is done; when there is no memory, thread or room
/// on the disk for it, or a file there is no sound table of these rules.
pub fn solve_layers_into<G: Layered>(
    folder: &Path,
    game: &G,
    effort: Effort<'_>,
    mut tell: impl FnMut(Event<'_>),
) -> Result<bool, Error> {
    let (layers, stages) = (game.layers(), stages(game));
    for stage in &stages {
        for &target in &stage.needs {
            if matches!(target, Target::Tables(_)) && open(folder, game, stage.layer + 1, target)?.is_none() {
                read(folder, game, stage.layer + 1, target, effort.threads)?;
            }
        }
    }
    // What was solved or read last: with what layer it is of, 0 for the tables, before which there is none.
    let mut held: Vec<((u16, Target), Finished)> = Vec::new();
    for stage in &stages {
        if open(folder, game, stage.layer, Target::Layer(stage.pair))?.is_some() {
            tell(Event::Found(stage));
            continue;
        }
        tell(Event::Begun(stage));
        let began = Instant::now();
        let next = stage.layer + 1;
        let known = |target: Target| (if matches!(target, Target::Layer(_)) { next } else { 0 }, target);
        held.retain(|(of, _)| stage.needs.iter().any(|&target| known(target) == *of));
        for &target in &stage.needs {
            if !held.iter().any(|(of, _)| *of == known(target)) {
                held.push((known(target), read(folder, game, next, target, effort.threads)?));
            }
        }
        let solved =
            |target| held.iter().find(|(of, _)| *of == known(target)).map(|(_, table): &(_, Finished)| table);
        let found = pass::solve(&layers, (stage.layer, stage.pair), solved, effort)?;
        let Some((table, summary)) = found else { return Ok(false) };
        let fingerprint = Fingerprint::of_layer(game, stage.layer);
        let path = write(folder, fingerprint.clone(), &table, summary, effort.threads)?;
        let stored = Stored::open(&path, &fingerprint, stage.pair)?;
        tell(Event::Written(stage, &summary, &stored.header().digest, began.elapsed()));
        held.push(((stage.layer, Target::Layer(stage.pair)), table));
    }
    Ok(true)
}

/// What the tables of layers in a folder say of themselves, with the layer of each, the first layer first.
///
/// # Errors
/// When a file is no sound table of these rules.
pub fn headers_in<G: Layered>(folder: &Path, game: &G) -> Result<Vec<(u16, Header)>, Error> {
    let mut all = Vec::new();
    for stage in stages(game).iter().rev() {
        let stored = open(folder, game, stage.layer, Target::Layer(stage.pair))?;
        all.extend(stored.map(|stored| (stage.layer, stored.header().clone())));
    }
    Ok(all)
}
