//! What the file of a table says about it, and what it is called.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::summary::Summary;
use crate::rules::layered::{Layered, Layers};
use crate::rules::solvable::{Pair, Solvable, Tables};

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
    /// The fingerprint of a game's tables.
    pub fn of<G: Solvable>(game: &G) -> Fingerprint {
        Self::with(G::NAME, G::Tables::VERSION, game.decisive_rules(), None)
    }

    /// The fingerprint of a layer of a game.
    pub fn of_layer<G: Layered>(game: &G, layer: u16) -> Fingerprint {
        Self::with(G::NAME, G::Layers::VERSION, game.layer_rules(), Some(layer))
    }

    fn with(
        game: &str,
        numbering: u32,
        rules: Vec<(&'static str, String)>,
        layer: Option<u16>,
    ) -> Fingerprint {
        let rules = rules.into_iter().map(|(name, value)| (name.to_owned(), Value::String(value)));
        Fingerprint { game: game.to_owned(), numbering, rules: rules.collect(), layer }
    }

    /// The name of a pair's file in a folder of tables.
    pub fn path_in(&self, folder: &Path, pair: Pair) -> PathBuf {
        match self.layer {
            None => path_in(folder, &self.game, pair),
            Some(layer) => folder.join(format!("{}-turn-{layer}-{pair}.exact", self.game)),
        }
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
    pub pair: [u8; 2],
    /// How many columns a row has.
    pub columns: u32,
    /// How many places a block has.
    pub block: u64,
    /// How many bits a place has: 8 or 16.
    pub bits: u8,
    /// The value and the turns of each number that a place may hold; no turns in a draw.
    pub palette: Vec<(i8, Option<u16>)>,
    /// What the table holds.
    pub summary: Summary,
    /// SHA-256 of the cells as [`super::cell::Cell::to_bits`], two bytes each.
    pub digest: String,
}

impl Header {
    /// The pair of the table.
    pub fn pair(&self) -> Pair {
        Pair { own: self.pair[0], other: self.pair[1] }
    }

    pub(super) fn blocks(&self) -> u64 {
        self.summary.places.div_ceil(self.block)
    }

    /// How many bytes block `number` takes when it is not compressed.
    pub(super) fn raw_length(&self, number: u64) -> usize {
        let places = (self.summary.places - number * self.block).min(self.block);
        places as usize * self.bits as usize / 8
    }
}

/// The name of a pair's file in a folder of tables.
pub fn path_in(folder: &Path, game: &str, pair: Pair) -> PathBuf {
    folder.join(format!("{game}-{pair}.exact"))
}
