//! What the file of a table says about it, and what it is called.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Layers, Pair, Solvable, Summary, Tables, values_of};
use crate::rules::Game;

/// How many bits a place has where values alone are kept.
pub(super) const VALUE_BITS: u8 = 2;

/// What a table is of: the game, the rules on which values depend, and the numbering of positions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fingerprint {
    /// The game.
    pub game: String,
    /// The version of the numbering.
    pub numbering: u32,
    /// The rules and their values.
    pub rules: Map<String, Value>,
    /// How many turns have passed, in a layer of the phase before the tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer: Option<u16>,
}

impl Fingerprint {
    /// The fingerprint of a game's tables, or of those of a layer.
    pub fn of<G: Solvable>(game: &G, layer: Option<u16>) -> Fingerprint {
        let (numbering, names) = match layer {
            None => (G::Tables::VERSION, G::DECISIVE),
            Some(_) => (G::Layers::VERSION, G::LAYERED),
        };
        let rules = values_of(game, names).into_iter();
        let rules = rules.map(|(name, value)| (name.to_owned(), Value::String(value))).collect();
        Fingerprint { game: G::NAME.to_owned(), numbering, rules, layer }
    }

    /// The name of a pair's file in a folder of tables.
    pub fn path_in(&self, folder: &Path, pair: Pair) -> PathBuf {
        let before = self
            .layer
            .map_or(format!("{}-", self.game), |layer| format!("{}{layer}-", layer_prefix(&self.game)));
        folder.join(format!("{before}{pair}.exact"))
    }
}

/// What a file says about its table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The version of the container.
    pub format: u32,
    /// What the table is of.
    pub fingerprint: Fingerprint,
    /// The pieces of the side to move and of the other.
    pub pair: Pair,
    /// How many columns a row has.
    pub columns: u32,
    /// How many places a block has.
    pub block: u64,
    /// How many bits a place has: 8 or 16, or 2 where values alone are kept.
    pub bits: u8,
    /// The value and the turns of each number that a place may hold; no turns in a draw, and where values alone are kept.
    pub palette: Vec<(i8, Option<u16>)>,
    /// What the table holds.
    pub summary: Summary,
    /// SHA-256 of the cells as [`super::cell::Cell::to_bits`], two bytes each; where values alone are kept, of the table that
    /// they were taken from.
    pub digest: String,
}

impl Header {
    /// Whether the table has turns, and not values alone.
    pub fn has_turns(&self) -> bool {
        self.bits != VALUE_BITS
    }

    pub(super) fn blocks(&self) -> u64 {
        self.summary.places.div_ceil(self.block)
    }

    /// How many places block `number` has.
    pub(super) fn places(&self, number: u64) -> usize {
        (self.summary.places - number * self.block).min(self.block) as usize
    }

    /// How many bytes block `number` takes when it is not compressed.
    pub(super) fn raw_length(&self, number: u64) -> usize {
        (self.places(number) * self.bits as usize).div_ceil(8)
    }
}

/// The number in the palette that stands in a place of a block that is not compressed.
#[cfg_attr(fast, inline(always))]
pub(super) fn code(bits: u8, raw: &[u8], place: usize) -> usize {
    match bits {
        VALUE_BITS => (raw[place / 4] >> (place % 4 * 2) & 3) as usize,
        8 => raw[place] as usize,
        _ => raw[place] as usize | (raw[raw.len() / 2 + place] as usize) << 8,
    }
}

/// How the names of layers' files begin.
fn layer_prefix(game: &str) -> String {
    format!("{game}-turn-")
}

/// Whether a folder has tables of a game's layers.
pub(super) fn has_layers<G: Game>(folder: &Path) -> bool {
    let prefix = layer_prefix(G::NAME);
    let mut names = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
    names.any(|name| name.to_string_lossy().starts_with(&prefix))
}
