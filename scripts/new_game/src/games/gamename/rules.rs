//! The options of Gamename and its presets.

use serde::{Deserialize, Serialize};

use crate::rules::game::Preset;
use crate::rules::options::{OptionSpec, Takes};

/// The options of a game of Gamename.
///
/// ```
/// use sarai::Game;
/// use sarai::games::gamename;
/// let rules = |pieces| gamename::Rules { pieces, ..Default::default() };
/// assert!(gamename::Gamename::new(rules(6)).is_ok());
/// let error = gamename::Gamename::new(rules(7)).unwrap_err();
/// assert_eq!(error.to_string(), "option 'pieces' got 7; it takes an integer from 1 to 6");
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// How many pieces each player has, 1 to 6 (R1).
    pub pieces: u8,
    /// Whether bearing off takes an exact throw (R5).
    pub exact: bool,
    /// How many turns may pass before the game is a draw, 1 to 65535.
    pub max_turns: u16,
}

impl Default for Rules {
    fn default() -> Self {
        Rules { pieces: 4, exact: true, max_turns: 1000 }
    }
}

pub(super) const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "pieces",
        takes: Takes::Integer { min: 1, max: 6 },
        meaning: "how many pieces each player has (R1)",
    },
    OptionSpec {
        name: "exact",
        takes: Takes::Flag,
        meaning: "whether bearing off takes an exact throw (R5)",
    },
    OptionSpec {
        name: "max_turns",
        takes: Takes::Integer { min: 1, max: 65535 },
        meaning: "how many turns may pass before the game is a draw",
    },
];

pub(super) const PRESETS: &[Preset<Rules>] =
    &[Preset { name: "gamename", meaning: "the game as the source describes it", rules: Rules::default }];
