//! The options of Shuanglu and its presets.

use serde::{Deserialize, Serialize};

use crate::rules::game::Preset;
use crate::rules::options::{OptionSpec, Takes};

/// Where the pieces stand at the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Setup {
    /// As in the English game: two on 24, five on 13, three on 8, five on 6.
    #[default]
    English,
    /// The catalogue's numbers, counted from where pieces enter: two on 1, five on 12, three on 17, five on 19.
    FromOrigin,
}

/// How pieces are borne off (R6).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BearOff {
    /// Only from the point whose number the die shows.
    #[default]
    Exact,
    /// Also from the highest point that has a piece, if the die shows more than its number.
    Overshoot,
}

/// What a win is worth (R9).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scoring {
    /// One.
    #[default]
    Single,
    /// Two or three against a loser who has borne off nothing.
    Gammon,
}

/// The options of a game of Shuanglu.
///
/// ```
/// use sarai::games::shuanglu::{Rules, Shuanglu};
/// use sarai::Game;
/// assert!(Shuanglu::new(Rules { doubles: 4, ..Rules::default() }).is_ok());
/// let error = Shuanglu::new(Rules { doubles: 3, ..Rules::default() }).unwrap_err();
/// assert_eq!(error.to_string(), "option 'doubles' got 3; it takes 2 or 4");
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// Where the pieces stand at the start.
    pub setup: Setup,
    /// How many moves a double gives, 2 or 4 (R3).
    pub doubles: u8,
    /// How pieces are borne off (R6).
    pub bear_off: BearOff,
    /// Whether the larger of two different dice must be played when either can be but not both (R7).
    pub larger_die: bool,
    /// What a win is worth (R9).
    pub scoring: Scoring,
    /// How many turns may pass before the game is a draw, 1 to 65535.
    pub max_turns: u16,
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            setup: Setup::English,
            doubles: 2,
            bear_off: BearOff::Exact,
            larger_die: true,
            scoring: Scoring::Single,
            max_turns: 2000,
        }
    }
}

const DOUBLES: Takes = Takes::OneOf(&[2, 4]);
const MAX_TURNS: Takes = Takes::Integer { min: 1, max: 65535 };

pub(super) const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "setup",
        takes: Takes::Word(&["english", "from_origin"]),
        meaning: "where the pieces start: 24:2 13:5 8:3 6:5, or 1:2 12:5 17:3 19:5",
    },
    OptionSpec { name: "doubles", takes: DOUBLES, meaning: "how many moves a double gives (R3)" },
    OptionSpec {
        name: "bear_off",
        takes: Takes::Word(&["exact", "overshoot"]),
        meaning: "whether a die may also bear off from the highest point if that is below its number (R6)",
    },
    OptionSpec {
        name: "larger_die",
        takes: Takes::Flag,
        meaning: "whether the larger of two different dice must be played when either can be but not both (R7)",
    },
    OptionSpec {
        name: "scoring",
        takes: Takes::Word(&["single", "gammon"]),
        meaning: "what a win is worth: always 1, or 2 or 3 against a loser who has borne off nothing (R9)",
    },
    OptionSpec {
        name: "max_turns",
        takes: MAX_TURNS,
        meaning: "how many turns may pass before the game is a draw",
    },
];

pub(super) const PRESETS: &[Preset<Rules>] = &[
    Preset { name: "shuanglu", meaning: "the game as the source describes it", rules: Rules::default },
    Preset {
        name: "backgammon",
        meaning: "Western backgammon without the cube: a double gives four moves, and high dice may bear off from lower points",
        rules: || Rules { doubles: 4, bear_off: BearOff::Overshoot, ..Rules::default() },
    },
    Preset {
        name: "catalogue",
        meaning: "the setup with the catalogue's numbers counted from where pieces enter",
        rules: || Rules { setup: Setup::FromOrigin, ..Rules::default() },
    },
];

impl Rules {
    /// Points and pieces at the start, the same for both players.
    pub(super) fn setup(&self) -> [(usize, u8); 4] {
        match self.setup {
            Setup::English => [(24, 2), (13, 5), (8, 3), (6, 5)],
            Setup::FromOrigin => [(1, 2), (12, 5), (17, 3), (19, 5)],
        }
    }
}
