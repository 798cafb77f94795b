//! Whether layers agree with the rules: every position with the best of its turns, by what
//! [`Game`](crate::rules::game::Game) says is legal and plays. It has nothing in common with the pass but the numbering.

use std::path::Path;

use super::{open, read, stages};
use crate::base::error::Error;
use crate::exact::cell::Cell;
use crate::exact::finished::Finished;
use crate::exact::retrograde::Effort;
use crate::exact::verify::{Checked, compare};
use crate::exact::worth::{Found, Judge};
use crate::rules::game::Show;
use crate::rules::layered::{Layered, Layers, Target};
use crate::rules::solvable::{Pair, Tables};

/// The tables that the turns of one layer lead to.
struct Known<'a, G: Layered> {
    game: &'a G,
    layers: &'a G::Layers,
    numbering: &'a G::Tables,
    layer: u16,
    tables: &'a [(Target, Finished)],
}

impl<G: Layered> Known<'_, G> {
    fn table(&self, target: Target) -> Option<&Finished> {
        self.tables.iter().find(|(of, _)| *of == target).map(|(_, table)| table)
    }

    /// What the tables say of a state to which a turn from this layer has led, or which is in the middle of it.
    fn found(&self, state: &G::State) -> Found {
        if let Some((_, position)) = self.game.layer_of(state) {
            let (pair, place) = self.layers.place(self.layer + 1, position);
            let table = self.table(Target::Layer(pair));
            return table.map_or(Found::Missing, |table| Found::Cell(table.get(place), true));
        }
        let Some((board, acts)) = self.game.board(state) else { return Found::InTurn };
        let table = self.table(Target::Tables(self.numbering.pair(board)));
        table.map_or(Found::Missing, |table| Found::Cell(table.get(self.numbering.place(board)), acts))
    }

    fn by_turns(&self, position: <G::Layers as Layers>::Position) -> Option<Cell> {
        let state = self.game.state_in(self.layer, position);
        let worth =
            Judge { game: self.game, lookup: |state: &G::State| self.found(state) }.best_move(&state)?;
        Some(match (worth.value, worth.turns) {
            (1, Some(turns)) => Cell::won(turns),
            (-1, Some(turns)) => Cell::lost(turns),
            _ => Cell::DRAWN,
        })
    }
}

/// Checks every table of a layer in a folder, or every so many'th position of it, and tells of each. Gives whether all was
/// right; a check that is stopped ends with what it has found. Where there is no table of a layer there is nothing to check.
///
/// # Errors
/// When a table that turns lead to is missing, or one cannot be read or is of other rules.
pub fn verify_layers<G: Layered + Show>(
    folder: &Path,
    game: &G,
    every: u64,
    effort: Effort<'_>,
    mut tell: impl FnMut(u16, Pair, &Checked),
) -> Result<bool, Error> {
    let game = &game.without_limits();
    let (layers, numbering) = (&game.layers(), &game.tables(u8::MAX));
    let mut right = true;
    for stage in stages(game) {
        let (layer, pair) = (stage.layer, stage.pair);
        let Some(stored) = open(folder, game, layer, Target::Layer(pair))? else { continue };
        let table = &stored.read(effort.threads)?;
        let mut tables = Vec::new();
        for target in stage.needs {
            tables.push((target, read(folder, game, layer + 1, target, effort.threads)?));
        }
        let known = Known { game, layers, numbering, layer, tables: &tables };
        let position = |row: &_, column| layers.position(row, column);
        let due = |row: &_, column| known.by_turns(position(row, column));
        let sentence = |row: &_, column, found: Cell, due: Option<Cell>| {
            let state = game.text(&game.state_in(layer, position(row, column)));
            format!("{found:?} in the table, {due:?} by its turns: {state}")
        };
        let rows = 0..layers.rows(layer, pair);
        let row = |number| layers.row(layer, pair, number);
        let checked = compare(table, rows, (0, every), effort, row, due, sentence)?;
        right &= checked.wrong == 0;
        tell(layer, pair, &checked);
        if effort.control.is_cancelled() {
            break;
        }
    }
    Ok(right)
}
