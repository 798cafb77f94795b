//! The options of T'shu-p'u and its presets.

use serde::{Deserialize, Serialize};

use crate::rules::game::Preset;
use crate::rules::options::{OptionSpec, Takes};
use crate::rules::player::FirstPlayer;

/// Which squares are cross-cuts (R7).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Crosscuts {
    /// Two on the sides of each arm.
    #[default]
    Sides,
    /// Those, and the four start squares.
    SidesAndEnds,
}

/// What a player does after bearing off all pieces while the partner still has some (R12).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FinishedPlayer {
    /// Nothing: the turn passes without a throw.
    #[default]
    Pass,
    /// The player throws and moves the partner's pieces.
    PartnerPlays,
}

/// The options of a game of T'shu-p'u.
///
/// ```
/// use sarai::games::tshupu::{Crosscuts, Rules, TshuPu};
/// use sarai::Game;
/// assert!(TshuPu::new(Rules { crosscuts: Crosscuts::SidesAndEnds, ..Rules::default() }).is_ok());
/// let error = TshuPu::new(Rules { pieces: 5, ..Rules::default() }).unwrap_err();
/// assert_eq!(error.to_string(), "option 'pieces' got 5; it takes an integer from 1 to 4");
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// How many pieces each player has, 1 to 4 (R1).
    pub pieces: u8,
    /// Which squares are cross-cuts (R7).
    pub crosscuts: Crosscuts,
    /// Whether one piece may move by both dice, one after the other (R3).
    pub same_piece_both_dice: bool,
    /// What a player does after bearing off all pieces (R12).
    pub finished_player: FinishedPlayer,
    /// Who begins (R2).
    pub first_player: FirstPlayer,
    /// How many turns may pass before the game is a draw, 1 to 65535.
    pub max_turns: u16,
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            pieces: 4,
            crosscuts: Crosscuts::default(),
            same_piece_both_dice: false,
            finished_player: FinishedPlayer::default(),
            first_player: FirstPlayer::default(),
            max_turns: 2000,
        }
    }
}

pub(super) const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "pieces",
        takes: Takes::Integer { min: 1, max: 4 },
        meaning: "how many pieces each player has (R1)",
    },
    OptionSpec {
        name: "crosscuts",
        takes: Takes::Word(&["sides", "sides_and_ends"]),
        meaning: "which squares are cross-cuts: on the sides of the arms, or the start squares too (R7)",
    },
    OptionSpec {
        name: "same_piece_both_dice",
        takes: Takes::Flag,
        meaning: "whether one piece may move by both dice, one after the other, landing in between (R3)",
    },
    OptionSpec {
        name: "finished_player",
        takes: Takes::Word(&["pass", "partner_plays"]),
        meaning: "what a player does after bearing off all pieces: pass, or move the partner's pieces (R12)",
    },
    OptionSpec { name: "first_player", takes: Takes::FirstPlayer, meaning: "who begins (R2)" },
    OptionSpec {
        name: "max_turns",
        takes: Takes::Integer { min: 1, max: 65535 },
        meaning: "how many turns may pass before the game is a draw",
    },
];

pub(super) const PRESETS: &[Preset<Rules>] = &[
    Preset { name: "tshupu", meaning: "the game as the source describes it", rules: Rules::default },
    Preset {
        name: "chaupar_style",
        meaning: "with cross-cuts on the start squares too, and finished players who play for their partners",
        rules: || Rules {
            crosscuts: Crosscuts::SidesAndEnds,
            finished_player: FinishedPlayer::PartnerPlays,
            ..Rules::default()
        },
    },
];
