//! All pairs of a game up to some number of pieces, one after another, into a folder. What is there is not solved again.

use std::path::Path;
use std::time::{Duration, Instant};

use super::file::{Stored, make_folder, write};
use super::finished::Finished;
use super::header::{Fingerprint, path_in};
use super::retrograde::{self, Effort, memory_for};
use super::summary::Summary;
use crate::base::error::Error;
use crate::rules::solvable::{Pair, Solvable, Tables};

/// A pair and the turned one, which are solved together, and the smaller ones that they need.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// One pair, or two.
    pub pairs: Vec<Pair>,
    /// What captures lead to.
    pub needs: Vec<Pair>,
    /// How many places their tables have together.
    pub places: u64,
    /// About how many bytes of memory they take while they are solved.
    pub memory: u64,
}

/// How many places the table of a pair has.
pub fn places<T: Tables>(tables: &T, pair: Pair) -> u64 {
    tables.rows(pair) as u64 * tables.columns(pair) as u64
}

/// What is to be solved for all positions with at most so many pieces on each side, in an order in which nothing needs what
/// comes after it. Seats are not told apart: what has at most 4 against 3 also has at most 3 against 4.
///
/// ```
/// use sarai::exact::solve::groups;
/// use sarai::games::shah::{Rules, Shah};
/// use sarai::rules::solvable::Solvable;
/// use sarai::Game;
/// let tables = Shah::new(Rules::default())?.tables(4);
/// let all = groups(&tables, (4, 4));
/// let names: Vec<String> = all.iter().map(|group| group.pairs[0].to_string()).collect();
/// assert_eq!(names, ["3-3", "3-4", "4-4"]);
/// assert_eq!(all[2].needs[0].to_string(), "3-4");
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
            groups.push(Group { places: all(&pairs), pairs, needs, memory });
        }
    }
    groups
}

/// What has just been done.
#[derive(Debug)]
pub enum Event<'a> {
    /// These pairs were there already.
    Found(&'a Group),
    /// These pairs are being solved from now on.
    Begun(&'a Group),
    /// A table of them has been written, with this digest.
    Written(Pair, &'a Summary, &'a str),
    /// All of them are there, after so long.
    Done(&'a Group, Duration),
}

/// Solves everything up to so many pieces on each side that is not yet in the folder. `tell` hears of each step. Gives
/// whether all of it is there: it is not where it was stopped.
///
/// # Errors
/// When there is no memory, thread or room on the disk for it, or a file there is no sound table of these rules.
pub fn solve_into<G: Solvable>(
    folder: &Path,
    game: &G,
    stones: (u8, u8),
    effort: Effort<'_>,
    mut tell: impl FnMut(Event<'_>),
) -> Result<bool, Error> {
    make_folder(folder)?;
    let fingerprint = Fingerprint::of(game);
    let tables = &game.tables(stones.0.max(stones.1));
    let open = |pair| {
        let path = path_in(folder, G::NAME, pair);
        if path.exists() { Stored::open(&path, &fingerprint, pair).map(Some) } else { Ok(None) }
    };
    for group in groups(tables, stones) {
        let mut there = true;
        for &pair in &group.pairs {
            there &= open(pair)?.is_some();
        }
        if there {
            tell(Event::Found(&group));
            continue;
        }
        tell(Event::Begun(&group));
        let began = Instant::now();
        let mut needs: Vec<Finished> = Vec::new();
        for &pair in &group.needs {
            let stored = open(pair)?.ok_or_else(|| {
                Error::new(format!("the table {pair} has been removed from {}", folder.display()))
            })?;
            needs.push(stored.read(effort.threads)?);
        }
        let smaller = |pair| needs.iter().find(|table| table.pair == pair);
        let Some(solved) = retrograde::solve(tables, group.pairs[0], smaller, effort)? else {
            return Ok(false);
        };
        for table in solved {
            let summary = Summary::of(tables, &table);
            let path = write(folder, fingerprint.clone(), &table, summary, effort.threads)?;
            let stored = Stored::open(&path, &fingerprint, table.pair)?;
            tell(Event::Written(table.pair, &summary, &stored.header().digest));
        }
        tell(Event::Done(&group, began.elapsed()));
    }
    Ok(true)
}
