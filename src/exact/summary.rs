//! How many positions of a table are won, lost and drawn, and how long they take.

use serde::{Deserialize, Serialize};

use super::{Cell, Finished, Tables};

/// What a table holds, in positions: those that a symmetry makes equal are counted each.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// All positions.
    pub positions: u64,
    /// Those that the side to move wins.
    pub won: u64,
    /// Those that it loses.
    pub lost: u64,
    /// Those that neither side can force.
    pub drawn: u64,
    /// Of those that are won, the most turns that it takes; 0 where there are none.
    pub longest_win: u16,
    /// Of those that are lost, the most turns that it takes.
    pub longest_loss: u16,
    /// The places of the table: positions up to symmetry, some of them more than once.
    pub places: u64,
}

impl Summary {
    /// What this table holds.
    pub fn of<T: Tables>(tables: &T, table: &Finished) -> Summary {
        let mut summary = Summary { places: table.len() as u64, ..Summary::default() };
        let columns = table.columns as usize;
        for row in 0..tables.rows(table.pair) {
            let weight = tables.weight(table.pair, row) as u64;
            let begin = row as usize * columns;
            (begin..begin + columns).for_each(|index| summary.add(table.at(index), weight));
        }
        summary
    }

    pub(super) fn add(&mut self, cell: Cell, weight: u64) {
        self.positions += weight;
        match (cell.value(), cell.turns().unwrap_or(0)) {
            (1, turns) => {
                self.won += weight;
                self.longest_win = self.longest_win.max(turns);
            }
            (-1, turns) => {
                self.lost += weight;
                self.longest_loss = self.longest_loss.max(turns);
            }
            _ => self.drawn += weight,
        }
    }
}
