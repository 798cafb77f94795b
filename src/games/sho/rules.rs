//! The options of Sho, its presets, and which options contradict each other.

use serde::{Deserialize, Serialize};

use crate::base::error::Error;
use crate::rules::game::Preset;
use crate::rules::options::{OptionSpec, Takes};
use crate::rules::player::FirstPlayer;

/// What a throw of 1-1 does (R9, R13).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PaRa {
    /// Roll again, then choose which of the values to move (R9).
    #[default]
    Choose,
    /// Roll again, then split the total between two stacks (R13).
    Flexible,
    /// A plain 2.
    None,
}

/// The options of a game of Sho.
///
/// ```
/// use sarai::games::sho::{Rules, Sho};
/// use sarai::Game;
/// assert!(Sho::new(Rules { players: 4, teams: true, ..Rules::default() }).is_ok());
/// let error = Sho::new(Rules { players: 3, teams: true, ..Rules::default() }).unwrap_err();
/// assert_eq!(error.to_string(), "option 'teams' needs players=4, not players=3");
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// How many people play, 2 to 4 (R1).
    pub players: u8,
    /// Whether seats 0 and 2 play as a team against 1 and 3, each team with one set of coins (R1); needs four players.
    pub teams: bool,
    /// How many shells the spiral has, 4 to 64 (R2).
    pub num_shells: u8,
    /// How many coins a side has, 1 to 9 (R3).
    pub coins: u8,
    /// How many coins enter together when a side has none on the track and none borne off, 1 to 3.
    pub entry_coins: u8,
    /// Whether a side may stack all its coins on one position (R10).
    pub niner_stack: bool,
    /// Whether a cleared side may bring all its coins to shell 9 with a throw of 6-3 (R12).
    pub six_three: bool,
    /// Whether killing the last stack that a side has on the track ends the turn (R11).
    pub last_kill_ends_turn: bool,
    /// What a throw of 1-1 does (R9, R13).
    pub pa_ra: PaRa,
    /// Whether another stack may move the counts that a finishing stack leaves over (R14).
    pub finish_overflow: bool,
    /// Who begins.
    pub first_player: FirstPlayer,
    /// What each player puts under the pad, 1e-37 to 1e37 (R15).
    pub stake: f64,
    /// How many turns may pass before the game is a draw, 1 to 65535.
    pub max_turns: u16,
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            players: 3,
            teams: false,
            num_shells: 64,
            coins: 9,
            entry_coins: 1,
            niner_stack: true,
            six_three: false,
            last_kill_ends_turn: false,
            pa_ra: PaRa::Choose,
            finish_overflow: false,
            first_player: FirstPlayer::default(),
            stake: 1.0,
            max_turns: 5000,
        }
    }
}

/// What a stake may be. Results are 32-bit floats: the smallest one is not lost there, nor does a pot of three of the
/// largest become infinite.
const STAKE: Takes = Takes::Number { min: 1e-37, max: 1e37 };

pub(super) const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "players",
        takes: Takes::Integer { min: 2, max: 4 },
        meaning: "how many people play (R1)",
    },
    OptionSpec {
        name: "teams",
        takes: Takes::Flag,
        meaning: "whether seats 0 and 2 play as a team against 1 and 3, each team with one set of coins; needs four players (R1)",
    },
    OptionSpec {
        name: "num_shells",
        takes: Takes::Integer { min: 4, max: 64 },
        meaning: "how many shells the spiral has (R2)",
    },
    OptionSpec {
        name: "coins",
        takes: Takes::Integer { min: 1, max: 9 },
        meaning: "how many coins a side has (R3)",
    },
    OptionSpec {
        name: "entry_coins",
        takes: Takes::Integer { min: 1, max: 3 },
        meaning: "how many coins enter together when a side has none on the track and none borne off (present-day play)",
    },
    OptionSpec {
        name: "niner_stack",
        takes: Takes::Flag,
        meaning: "whether a side may stack all its coins on one position (R10)",
    },
    OptionSpec {
        name: "six_three",
        takes: Takes::Flag,
        meaning: "whether a cleared side may bring all its coins to shell 9 with a throw of 6-3 (R12)",
    },
    OptionSpec {
        name: "last_kill_ends_turn",
        takes: Takes::Flag,
        meaning: "whether killing the last stack that a side has on the track ends the turn (R11)",
    },
    OptionSpec {
        name: "pa_ra",
        takes: Takes::Word(&["choose", "flexible", "none"]),
        meaning: "what a throw of 1-1 gives: a pool to choose from (R9), a total to split (R13), or a plain 2",
    },
    OptionSpec {
        name: "finish_overflow",
        takes: Takes::Flag,
        meaning: "whether another stack may move the counts that a finishing stack leaves over (R14)",
    },
    OptionSpec { name: "first_player", takes: Takes::FirstPlayer, meaning: "who begins" },
    OptionSpec { name: "stake", takes: STAKE, meaning: "what each player puts under the pad (R15)" },
    OptionSpec {
        name: "max_turns",
        takes: Takes::Integer { min: 1, max: 65535 },
        meaning: "how many turns may pass before the game is a draw",
    },
];

pub(super) const PRESETS: &[Preset<Rules>] = &[
    Preset { name: "basic", meaning: "the game as the source describes it", rules: Rules::default },
    Preset {
        name: "variants",
        meaning: "with the six-three entry, turns that end after a last kill, and overflow at the finish",
        rules: || Rules {
            six_three: true,
            last_kill_ends_turn: true,
            finish_overflow: true,
            ..Rules::default()
        },
    },
    Preset {
        name: "no_niner",
        meaning: "without stacks of all nine coins",
        rules: || Rules { niner_stack: false, ..Rules::default() },
    },
    Preset {
        name: "flexible",
        meaning: "with the flexible pa ra, whose total is split between two stacks",
        rules: || Rules { pa_ra: PaRa::Flexible, ..Rules::default() },
    },
    Preset {
        name: "teams",
        meaning: "four players in two teams",
        rules: || Rules { players: 4, teams: true, ..Rules::default() },
    },
    Preset {
        name: "lhasa",
        meaning: "two coins enter together, and there is the six-three entry",
        rules: || Rules { entry_coins: 2, six_three: true, ..Rules::default() },
    },
];

impl Rules {
    /// How many sides own coins (R1).
    pub fn num_sides(&self) -> usize {
        if self.teams { 2 } else { self.players as usize }
    }

    /// Refuses options that contradict each other.
    pub(super) fn validate(&self) -> Result<(), Error> {
        if self.teams && self.players != 4 {
            return Err(Error::rules(format!(
                "option 'teams' needs players=4, not players={}",
                self.players
            )));
        }
        if !self.niner_stack && self.coins <= self.entry_coins {
            return Err(Error::rules(format!(
                "option 'niner_stack' = false needs coins > entry_coins, not coins={} and entry_coins={}",
                self.coins, self.entry_coins
            )));
        }
        if !self.niner_stack && self.six_three {
            return Err(Error::rules(
                "option 'six_three' = true needs niner_stack=true: it brings all coins to one position",
            ));
        }
        Ok(())
    }
}
