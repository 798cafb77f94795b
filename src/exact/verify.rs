//! Whether tables agree with the rules: every position with the best of what its moves lead to.
//!
//! This goes by what [`Game`](crate::rules::game::Game) says is legal and plays, and by the clock of the game; it has nothing in common
//! with how tables are solved but the numbering of positions.

use std::ops::Range;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::cell::Cell;
use super::file::{Stored, no_tables};
use super::finished::Finished;
use super::header::{Fingerprint, path_in};
use super::retrograde::Effort;
use super::solve::groups;
use super::worth::{Found, Judge};
use crate::base::error::Error;
use crate::base::lock::lock;
use crate::base::threads::{Plan, share_out};
use crate::rules::game::Show;
use crate::rules::player::Player;
use crate::rules::solvable::{Pair, Solvable, Status, Tables};

/// What a check has found.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Checked {
    /// How many positions were looked at.
    pub positions: u64,
    /// How many of them were wrong.
    pub wrong: u64,
    /// What is wrong with the first of them in the table.
    pub first: Option<(u64, String)>,
}

/// What a position is by the best of its moves; `None` where a table is missing.
fn by_moves<G: Solvable>(
    game: &G,
    tables: &G::Tables,
    board: <G::Tables as Tables>::Board,
    lookup: impl Fn(<G::Tables as Tables>::Board) -> Option<Cell>,
) -> Option<Cell> {
    match tables.status(board) {
        Status::Lost => return Some(Cell::lost(0)),
        Status::Drawn => return Some(Cell::DRAWN),
        Status::Moves | Status::Blocked => {}
    }
    let state = Solvable::state(game, board);
    let lookup = |state: &G::State| match game.board(state) {
        Some((board, acts)) => lookup(board).map_or(Found::Missing, |cell| Found::Cell(cell, acts)),
        None => Found::InTurn,
    };
    let worth = Judge { game, lookup }.best_move(&state)?;
    // Seat 0 is the side that the table speaks of.
    let value = if game.player_on_turn(&state)? == Player(0) { worth.value } else { -worth.value };
    Some(match (value, worth.turns) {
        (1, Some(turns)) => Cell::won(turns),
        (-1, Some(turns)) => Cell::lost(turns),
        _ => Cell::DRAWN,
    })
}

/// Checks every position of a table whose number, divided by `every`, leaves `from`. `solved` gives the tables that it
/// depends on, itself among them.
///
/// # Errors
/// When there is no thread for it.
pub fn verify<'a, G: Solvable + Show>(
    game: &G,
    tables: &G::Tables,
    table: &Finished,
    solved: impl Fn(Pair) -> Option<&'a Finished> + Sync,
    (from, every): (u64, u64),
    effort: Effort<'_>,
) -> Result<Checked, Error> {
    let game = &game.without_limits();
    let lookup = |board| Some(solved(tables.pair(board))?.get(tables.place(board)));
    let due = |row: &_, column| by_moves(game, tables, tables.board(row, column), lookup);
    let sentence = |row: &_, column, found: Cell, due: Option<Cell>| {
        let state = game.text(&Solvable::state(game, tables.board(row, column)));
        match due {
            Some(due) => format!("{found:?} in the table, {due:?} by its moves: {state}"),
            None => format!("a table that its moves lead to is missing: {state}"),
        }
    };
    let rows = 0..tables.rows(table.pair);
    compare(table, rows, (from, every), effort, |number| tables.row(table.pair, number), due, sentence)
}

/// Compares the positions of a table whose number, divided by `every`, leaves `from`, with what is `due` there. `row` works
/// out what all positions of a row need, and `sentence` says of the first wrong one what is in the table and what is due.
pub(super) fn compare<Row>(
    table: &Finished,
    rows: Range<u32>,
    (from, every): (u64, u64),
    effort: Effort<'_>,
    row: impl Fn(u32) -> Row + Sync,
    due: impl Fn(&Row, u32) -> Option<Cell> + Sync,
    sentence: impl Fn(&Row, u32, Cell, Option<Cell>) -> String + Sync,
) -> Result<Checked, Error> {
    let (count, wrong) = (AtomicU64::new(0), AtomicU64::new(0));
    let first: Mutex<Option<(u64, String)>> = Mutex::new(None);
    let plan = Plan { threads: effort.threads, piece: 16 };
    share_out(plan, rows, Some(effort.control), |rows: Range<u32>| {
        for number in rows {
            if effort.control.is_cancelled() {
                return;
            }
            let row = row(number);
            for column in 0..table.columns {
                let index = number as u64 * table.columns as u64 + column as u64;
                if index % every != from {
                    continue;
                }
                count.fetch_add(1, Ordering::Relaxed);
                let (due, found) = (due(&row, column), table.at(index as usize));
                if due == Some(found) {
                    continue;
                }
                wrong.fetch_add(1, Ordering::Relaxed);
                let mut first = lock(&first);
                if first.as_ref().is_none_or(|(earlier, _)| index < *earlier) {
                    *first = Some((index, sentence(&row, column, found, due)));
                }
            }
        }
    })?;
    let first = first.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    Ok(Checked { positions: count.into_inner(), wrong: wrong.into_inner(), first })
}

/// Checks every table of a folder, or every so many'th position of it, and tells of each. Gives whether all was right; a
/// check that is stopped ends with what it has found.
///
/// # Errors
/// When there is no table, or one cannot be read or is of other rules.
pub fn verify_folder<G: Solvable + Show>(
    folder: &Path,
    game: &G,
    every: u64,
    effort: Effort<'_>,
    mut tell: impl FnMut(Pair, &Checked),
) -> Result<bool, Error> {
    let fingerprint = Fingerprint::of(game);
    let (_, most) = game.pieces();
    let tables = game.tables(most);
    let read = |pair| {
        let path = path_in(folder, G::NAME, pair);
        if !path.exists() {
            return Ok(None);
        }
        Stored::open(&path, &fingerprint, pair)?.read(effort.threads).map(Some)
    };
    let (mut right, mut any) = (true, false);
    for group in groups(&tables, (most, most)) {
        let mut loaded = Vec::new();
        for &pair in group.pairs.iter().chain(&group.needs) {
            loaded.extend(read(pair)?);
        }
        let solved = |pair| loaded.iter().find(|table: &&Finished| table.pair == pair);
        for table in group.pairs.iter().filter_map(|&pair| solved(pair)) {
            let checked = verify(game, &tables, table, solved, (0, every), effort)?;
            any = true;
            right &= checked.wrong == 0;
            tell(table.pair, &checked);
            if effort.control.is_cancelled() {
                return Ok(right);
            }
        }
    }
    if any { Ok(right) } else { Err(no_tables(folder, G::NAME)) }
}
