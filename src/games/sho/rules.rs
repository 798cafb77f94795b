//! The options of Sho, its presets, and which options contradict each other.

use crate::base::error::Error;
use crate::rules::options::{Takes, options, words};
use crate::rules::{FirstPlayer, Preset};

words! {
    /// What a throw of 1-1 does (R9, R13).
    pub enum PaRa {
        /// Roll again, then choose which of the values to move (R9).
        Choose = "choose",
        /// Roll again, then split the total between two stacks (R13).
        Flexible = "flexible",
        /// A plain 2.
        None = "none",
    }
}

options! {
    /// The options of a game of Sho.
    ///
    /// ```
    /// use sarai::games::sho::{Rules, Sho};
    /// use sarai::Game;
    /// assert!(Sho::new(Rules { players: 4, teams: true, ..Rules::default() }).is_ok());
    /// let error = Sho::new(Rules { players: 3, teams: true, ..Rules::default() }).unwrap_err();
    /// assert_eq!(error.to_string(), "option 'teams' needs players=4, not players=3");
    /// ```
    pub struct Rules {
        /// how many people play (R1)
        players: u8 = 3 => Takes::integers(2, 4),
        /// whether seats 0 and 2 play as a team against 1 and 3, each team with one set of coins; needs four
        /// players (R1)
        teams: bool = false,
        /// how many shells the spiral has (R2)
        num_shells: u8 = 64 => Takes::integers(4, 64),
        /// how many coins a side has (R3)
        coins: u8 = 9 => Takes::integers(1, 9),
        /// how many coins enter together when a side has none on the track and none borne off (present-day play)
        entry_coins: u8 = 1 => Takes::integers(1, 3),
        /// whether a side may stack all its coins on one position (R10)
        niner_stack: bool = true,
        /// whether a cleared side may bring all its coins to shell 9 with a throw of 6-3 (R12)
        six_three: bool = false,
        /// whether killing the last stack that a side has on the track ends the turn (R11)
        last_kill_ends_turn: bool = false,
        /// what a throw of 1-1 gives: a pool to choose from (R9), a total to split (R13), or a plain 2
        pa_ra: PaRa = PaRa::Choose,
        /// whether another stack may move the counts that a finishing stack leaves over (R14)
        finish_overflow: bool = false,
        /// who begins
        first_player: FirstPlayer = FirstPlayer::default(),
        /// what each player puts under the pad (R15)
        // Results are 32-bit floats: the smallest stake is not lost there, nor is a pot of three of the largest infinite.
        stake: f64 = 1.0 => Takes::Number { min: 1e-37, max: 1e37 },
        /// how many turns may pass before the game is a draw
        max_turns: u16 = 5000 => Takes::integers(1, 65535),
    }
}

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
