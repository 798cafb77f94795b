//! The options of the game, its presets, and which options contradict each other.

use serde::{Deserialize, Serialize};

use crate::base::error::Error;
use crate::rules::game::Preset;
use crate::rules::options::{OptionSpec, Takes};
use crate::rules::player::FirstPlayer;

/// Who begins the moving phase (R3).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Begin {
    /// The player who made the first mill, or the one who placed last if nobody made a mill.
    #[default]
    FirstMill,
    /// The player who placed first.
    FirstPlayer,
}

/// What is removed between placing and moving (R4).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OpeningRemovals {
    /// Each player removes an enemy stone, the one who begins the moving phase first.
    #[default]
    Both,
    /// Nothing.
    None,
}

/// Which stones a mill may capture (R6, R13).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MillProtection {
    /// Any enemy stone.
    #[default]
    None,
    /// Any enemy stone outside mills, or any stone at all if all are in mills.
    UnlessAllInMills,
}

/// What happens when a player cannot move (R7).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Blocked {
    /// The opponent makes extra moves until that player can move.
    #[default]
    OpponentOpens,
    /// That player loses.
    Loses,
}

/// The options of a game.
///
/// ```
/// use sarai::games::shah::{OpeningRemovals, Rules, Shah};
/// use sarai::Game;
/// assert!(Shah::new(Rules { pieces: 9, opening_removals: OpeningRemovals::None, ..Rules::default() }).is_ok());
/// let error = Shah::new(Rules { pieces: 9, ..Rules::default() }).unwrap_err();
/// assert!(error.to_string().starts_with("option 'opening_removals' = \"both\" needs pieces=12"));
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// How many stones each player has, 3 to 12 (R1).
    pub pieces: u8,
    /// Whether a mill made while placing captures a stone (R13).
    pub placement_captures: bool,
    /// Who begins the moving phase (R3).
    pub begin: Begin,
    /// Which stones are removed before the moving phase (R4); `Both` needs 12 pieces and no captures while placing.
    pub opening_removals: OpeningRemovals,
    /// Which stones a mill may capture (R6, R13).
    pub mill_protection: MillProtection,
    /// Whether a player with three stones left may move to any empty point (R14).
    pub flying: bool,
    /// What happens when a player cannot move (R7).
    pub blocked: Blocked,
    /// How many moves without a capture make the game a draw; 0 means any number (R10).
    pub no_capture_limit: u16,
    /// Who places first.
    pub first_player: FirstPlayer,
    /// How many turns may pass before the game is a draw, 1 to 65535 (R10).
    pub max_turns: u16,
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            pieces: 12,
            placement_captures: false,
            begin: Begin::default(),
            opening_removals: OpeningRemovals::default(),
            mill_protection: MillProtection::default(),
            flying: false,
            blocked: Blocked::default(),
            no_capture_limit: 200,
            first_player: FirstPlayer::default(),
            max_turns: 1000,
        }
    }
}

pub(super) const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "pieces",
        takes: Takes::Integer { min: 3, max: 12 },
        meaning: "how many stones each player has (R1)",
    },
    OptionSpec {
        name: "placement_captures",
        takes: Takes::Flag,
        meaning: "whether a mill made while placing captures a stone (R13)",
    },
    OptionSpec {
        name: "begin",
        takes: Takes::Word(&["first_mill", "first_player"]),
        meaning: "who begins the moving phase: the player who made the first mill, or the one who placed first (R3)",
    },
    OptionSpec {
        name: "opening_removals",
        takes: Takes::Word(&["both", "none"]),
        meaning: "which stones are removed before the moving phase: one of each player's, or none (R4)",
    },
    OptionSpec {
        name: "mill_protection",
        takes: Takes::Word(&["none", "unless_all_in_mills"]),
        meaning: "which stones are safe from capture: none, or those in mills unless all are in mills (R6, R13)",
    },
    OptionSpec {
        name: "flying",
        takes: Takes::Flag,
        meaning: "whether a player with three stones and none in hand may move to any empty point (R14)",
    },
    OptionSpec {
        name: "blocked",
        takes: Takes::Word(&["opponent_opens", "loses"]),
        meaning: "what happens when a player cannot move: the opponent makes extra moves, or the player loses (R7)",
    },
    OptionSpec {
        name: "no_capture_limit",
        takes: Takes::Integer { min: 0, max: 65535 },
        meaning: "how many moves without a capture make the game a draw; 0 means any number (R10)",
    },
    OptionSpec { name: "first_player", takes: Takes::FirstPlayer, meaning: "who places first" },
    OptionSpec {
        name: "max_turns",
        takes: Takes::Integer { min: 1, max: 65535 },
        meaning: "how many turns may pass before the game is a draw (R10)",
    },
];

pub(super) const PRESETS: &[Preset<Rules>] = &[
    Preset { name: "shah", meaning: "the game as the source describes it", rules: Rules::default },
    Preset {
        name: "nine_mens_morris",
        meaning: "the European relative with nine stones: mills capture while placing too, and three stones may fly",
        rules: || Rules {
            pieces: 9,
            placement_captures: true,
            begin: Begin::FirstPlayer,
            opening_removals: OpeningRemovals::None,
            mill_protection: MillProtection::UnlessAllInMills,
            flying: true,
            blocked: Blocked::Loses,
            no_capture_limit: 0,
            first_player: FirstPlayer::default(),
            max_turns: 200,
        },
    },
];

impl Rules {
    /// Refuses options that contradict each other.
    pub(super) fn validate(&self) -> Result<(), Error> {
        if self.opening_removals == OpeningRemovals::Both {
            let needs = "option 'opening_removals' = \"both\" needs pieces=12 and placement_captures=false: it is \
                         what makes room on a full board; set it to \"none\"";
            if self.pieces != 12 {
                return Err(Error::rules(format!("{needs}, or pieces to 12, not {}", self.pieces)));
            }
            if self.placement_captures {
                return Err(Error::rules(format!("{needs}, or placement_captures to false")));
            }
        }
        Ok(())
    }
}
