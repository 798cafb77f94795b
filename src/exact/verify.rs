//! Whether tables agree with the rules: every position with the best of what its moves lead to.
//!
//! This goes by what [`Game`](crate::rules::Game) says is legal and plays, and by the clock of the game; it has nothing in common
//! with how tables are solved but the numbering of positions.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Serialize, Serializer};

use super::{Cell, Earliest, Effort, Finished, Found, Judge, Key, Layers, Pair, Solvable, Status, Tables};
use crate::base::error::Error;
use crate::base::threads::{Plan, share_out};
use crate::rules::Player;

/// What a check of a table has found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Checked {
    /// The layer of the table, if it is of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<u16>,
    /// Its pair.
    pub pair: Pair,
    /// How many positions were looked at.
    pub positions: u64,
    /// How many of them were wrong.
    pub wrong: u64,
    /// The place of the first of them in the table, and what is wrong with it.
    #[serde(serialize_with = "sentence")]
    pub first: Option<(u64, String)>,
}

fn sentence<S: Serializer>(first: &Option<(u64, String)>, serializer: S) -> Result<S::Ok, S::Error> {
    first.as_ref().map(|(_, sentence)| sentence).serialize(serializer)
}

/// Positions of a row: a state by its column, and what it is worth where the game ends there.
type Row<'a, S> = Box<dyn Fn(u32) -> (S, Option<Cell>) + 'a>;

/// Checks every position of a table whose number, divided by `every`, leaves `from`. `solved` gives the tables that it
/// depends on, itself among them.
///
/// # Errors
/// When there is no thread for it, or it was stopped.
pub fn verify<'a, G: Solvable>(
    game: &G,
    (tables, layers): (&G::Tables, Option<&G::Layers>),
    (layer, table): (Option<u16>, &Finished),
    solved: impl Fn(Key) -> Option<&'a Finished> + Sync,
    (from, every): (u64, u64),
    effort: Effort<'_>,
) -> Result<Checked, Error> {
    let game = &game.without_limits();
    let row = |number| -> Row<'_, G::State> {
        if let (Some(layer), Some(layers)) = (layer, layers) {
            let row = layers.row(layer, table.pair, number);
            return Box::new(move |column| (game.state_in(layer, layers.position(&row, column)), None));
        }
        let row = tables.row(table.pair, number);
        Box::new(move |column| {
            let board = tables.board(&row, column);
            let ended = match tables.status(board) {
                Status::Lost => Some(Cell::lost(0)),
                Status::Drawn => Some(Cell::DRAWN),
                Status::Moves | Status::Blocked => None,
            };
            (Solvable::state(game, board), ended)
        })
    };
    let lookup = |state: &G::State| {
        let (key, place, acts) = match (game.board(state), game.layer_of(state), layers) {
            (Some((board, acts)), ..) => ((None, tables.pair(board)), tables.place(board), acts),
            (None, Some((layer, position)), Some(layers)) => {
                let (pair, place) = layers.place(layer, position);
                ((Some(layer), pair), place, true)
            }
            _ => return Found::InTurn,
        };
        solved(key).map_or(Found::Missing, |table| Found::Cell(table.get(place), acts))
    };
    let by_moves = |state: &G::State| {
        let worth = Judge { game, lookup }.best_move(state)?;
        // A layer speaks of who acts, another table of seat 0.
        let acts = layer.is_some() || game.player_on_turn(state)? == Player(0);
        Some(match (if acts { worth.value } else { -worth.value }, worth.turns) {
            (1, Some(turns)) => Cell::won(turns),
            (-1, Some(turns)) => Cell::lost(turns),
            _ => Cell::DRAWN,
        })
    };
    let (count, wrong) = (AtomicU64::new(0), AtomicU64::new(0));
    let first = Earliest::new();
    let rows = 0..(table.len() / table.columns as usize) as u32;
    share_out(
        Plan { threads: effort.threads, piece: 16 },
        rows,
        Some(effort.control),
        |rows: Range<u32>| {
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
                    let (state, ended) = row(column);
                    let (due, found) = (ended.or_else(|| by_moves(&state)), table.at(index as usize));
                    if due == Some(found) {
                        continue;
                    }
                    wrong.fetch_add(1, Ordering::Relaxed);
                    first.note(index, || {
                        let due = due.map_or("unknown".to_owned(), |due| format!("{due:?}"));
                        format!("{found:?} in the table, {due} by its moves: {}", game.text(&state))
                    });
                }
            }
        },
    )?;
    effort.control.check()?;
    let (positions, wrong) = (count.into_inner(), wrong.into_inner());
    Ok(Checked { layer, pair: table.pair, positions, wrong, first: first.into_inner() })
}
